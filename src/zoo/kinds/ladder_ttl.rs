//! Times of rungs that are rounded, wrapped or compared in another way.

use super::one_rule::waiting;
use crate::ladder::broker_ttl_ms;
use crate::millis::Millis;
use crate::wire::Resolution;
use crate::zoo::Bug;
use crate::zoo::rules::Rules;

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    waiting(
        "ttl-cut",
        "The product with 1000 is cut to an integer.",
        "https://github.com/Particular/NServiceBus.RabbitMQ/issues/887",
        &["L-2"],
        |delay, threshold| rounded(delay, threshold, |delay| delay * 1000.0),
    ),
    waiting(
        "ttl-half-to-even",
        "Half a millisecond is rounded to the even neighbour.",
        "https://github.com/Bernardo-Castilho/CalcEngine/pull/16",
        &["L-2"],
        |delay, threshold| rounded(delay, threshold, |delay| (delay * 1000.0).round_ties_even()),
    ),
    waiting(
        "ttl-of-two-digits",
        "Times are rounded up to two significant digits, so that there are not too many queues.",
        "https://github.com/symfony/symfony/pull/65168",
        &["L-2"],
        |delay, threshold| {
            rounded(delay, threshold, |delay| {
                let ttl_ms = (delay * 1000.0).round();
                let step = 10.0_f64.powf(ttl_ms.max(10.0).log10().floor() - 1.0);
                (ttl_ms / step).ceil() * step
            })
        },
    ),
    waiting(
        "ttl-rounded-in-seconds",
        "Seconds are rounded before they are turned into milliseconds.",
        "https://github.com/caseyamcl/guzzle_retry_middleware/pull/23",
        &["L-2"],
        |delay, threshold| rounded(delay, threshold, |delay| delay.round() * 1000.0),
    ),
    waiting(
        "ttl-rounded-in-nanoseconds",
        "Seconds are rounded to nanoseconds before they are rounded to milliseconds.",
        "https://github.com/wojtekmach/req/pull/464",
        &["L-2", "L-9"],
        |delay, threshold| rounded(delay, threshold, |delay| ((delay * 1.0e9).round() / 1.0e6).round()),
    ),
    Bug {
        resolution: Resolution::Nanosecond,
        ..waiting(
            "ttl-wraps-in-31-bits",
            "The milliseconds wrap in a signed 32-bit integer.",
            "https://github.com/RichardKnop/machinery/issues/94",
            &["L-2"],
            |delay, threshold| {
                let wraps = |ttl_ms: i64| (ttl_ms + (1 << 31)).rem_euclid(1 << 32) - (1 << 31);
                (SPECIFIED.ttl_ms)(delay, threshold).map(wraps)
            },
        )
    },
    waiting(
        "ttl-wraps-in-32-bits",
        "The milliseconds wrap in an unsigned 32-bit integer, and a long wait is delivered at once.",
        "https://github.com/cloudamqp/lavinmq/issues/1781",
        &["L-2"],
        |delay, threshold| (SPECIFIED.ttl_ms)(delay, threshold).map(|ttl_ms| ttl_ms.rem_euclid(1 << 32)),
    ),
    waiting(
        "ttl-at-least-one",
        "A time that rounds to 0 is raised to a millisecond.",
        "https://github.com/judwhite/NsqSharp/pull/74",
        &["L-3"],
        |delay, threshold| any(delay, threshold).map(|ttl_ms| ttl_ms.max(1)),
    ),
    waiting(
        "ttl-of-zero",
        "A rung is declared with a time of 0.",
        "https://github.com/alanxz/rabbitmq-c/issues/360",
        &["L-3"],
        any,
    ),
    waiting(
        "threshold-kept-back",
        "A delay equal to the threshold stays with the consumer.",
        "https://github.com/tkem/cachetools/issues/221",
        &["L-1"],
        |delay, threshold| (SPECIFIED.ttl_ms)(delay, threshold).filter(|_| delay > threshold),
    ),
    waiting(
        "threshold-in-milliseconds",
        "Delay and threshold are compared in whole milliseconds.",
        "https://github.com/Bogdanp/dramatiq_sqs/pull/27",
        &["L-1"],
        |delay, threshold| {
            let is_long = Millis::nearest(delay) >= Millis::nearest(threshold);
            let longest = if is_long { delay } else { f64::NAN };
            (SPECIFIED.ttl_ms)(longest, threshold.min(delay))
        },
    ),
    waiting(
        "threshold-not-looked-at",
        "Every delay has a rung, whatever the threshold, as long as there is one.",
        "https://github.com/samber/go-amqp-pubsub/issues/3",
        &["L-1"],
        |delay, threshold| (SPECIFIED.ttl_ms)(delay, threshold.min(delay)),
    ),
];

/// A delay that waits in the broker, turned into milliseconds in another way, and cut; none where that is 0.
fn rounded(delay: f64, threshold: f64, in_milliseconds: fn(f64) -> f64) -> Option<i64> {
    any(delay, threshold)?;
    Some(cut(in_milliseconds(delay))).filter(|ttl_ms| *ttl_ms > 0)
}

/// The TTL of a delay that waits in the broker, also when it is 0.
fn any(delay: f64, threshold: f64) -> Option<i64> {
    let waits = threshold > 0.0 && delay > 0.0 && delay >= threshold;
    waits.then(|| {
        broker_ttl_ms(delay, threshold)
            .and_then(|ttl_ms| i64::try_from(ttl_ms).ok())
            .unwrap_or(0)
    })
}

#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturates")]
fn cut(number: f64) -> i64 {
    number as i64
}
