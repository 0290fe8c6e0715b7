//! Delays sent to another rung than theirs.

use crate::answer::RungValue;
use crate::jitter::duration;
use crate::ladder::MAX_TTL_MS;
use crate::policy::{HORIZON, PolicyFields};
use crate::rejection::Argument;
use crate::zoo::Bug;
use crate::zoo::rules::{LadderOf, Outcome, Rules};
use crate::zoo::specified::{rung, too_long};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    bug(
        "rung-for-the-shorter",
        "A delay between two rungs goes to the shorter one, and comes back too early.",
        "https://github.com/apache/rocketmq/pull/1908",
        &["L-11"],
        |rules, fields, of, delay| {
            chosen(rules, fields, of, delay, |rungs, ttl_ms| {
                rungs.iter().rfind(|rung| time(rung) <= ttl_ms)
            })
        },
    ),
    bug(
        "rung-for-the-nearest",
        "A delay between two rungs goes to the nearest one.",
        "https://github.com/apache/rocketmq/issues/6533",
        &["L-11"],
        |rules, fields, of, delay| {
            chosen(rules, fields, of, delay, |rungs, ttl_ms| {
                rungs.iter().min_by_key(|rung| time(rung).abs_diff(ttl_ms))
            })
        },
    ),
    bug(
        "rung-for-an-equal-alone",
        "A delay that is none of the configured ones has no rung.",
        "https://github.com/apache/rocketmq/issues/336",
        &["L-11"],
        |rules, fields, of, delay| {
            chosen(rules, fields, of, delay, |rungs, ttl_ms| {
                rungs.iter().find(|rung| time(rung) == ttl_ms)
            })
        },
    ),
    bug(
        "rung-for-none-above-the-longest",
        "A delay above all rungs has none.",
        "https://github.com/MassTransit/MassTransit/issues/4037",
        &["L-11"],
        |rules, fields, of, delay| {
            chosen(rules, fields, of, delay, |rungs, ttl_ms| {
                rungs.iter().find(|rung| time(rung) >= ttl_ms)
            })
        },
    ),
    bug(
        "rung-for-the-next",
        "A delay goes to the first rung above it, its own passed over.",
        "https://github.com/savoirfairelinux/opendht/pull/883",
        &["L-11"],
        |rules, fields, of, delay| {
            chosen(rules, fields, of, delay, |rungs, ttl_ms| {
                rungs.iter().find(|rung| time(rung) > ttl_ms).or(rungs.last())
            })
        },
    ),
    bug(
        "rung-for-all",
        "All delays go to one rung, the longest.",
        "https://github.com/stitchfix/pwwka/issues/12",
        &["L-11"],
        |rules, fields, of, delay| chosen(rules, fields, of, delay, |rungs, _| rungs.last()),
    ),
    bug(
        "rung-for-its-own",
        "A delay has a rung of its own, whether or not it is in the ladder.",
        "https://github.com/Particular/NServiceBus.RabbitMQ/pull/245",
        &["L-11"],
        |rules, fields, of, delay| {
            let rungs = (rules.rungs)(rules, fields, of)?;
            let ttl_ms = (rules.ttl_ms)(duration(Argument::Delay, delay)?, of.threshold);
            Ok(ttl_ms
                .filter(|_| !rungs.is_empty())
                .map(|ttl_ms| rung(rules, of, 0, ttl_ms).name))
        },
    ),
    bug(
        "rung-for-a-short-delay",
        "A delay below the threshold goes to the shortest rung.",
        "https://github.com/stitchfix/pwwka/pull/11",
        &["L-10"],
        |rules, fields, of, delay| {
            let name = specified(rules, fields, of, delay)?;
            let rungs = (rules.rungs)(rules, fields, of)?;
            let is_short = delay > 0.0 && delay < of.threshold;
            Ok(name.or(rungs.first().filter(|_| is_short).map(|rung| rung.name.clone())))
        },
    ),
    bug(
        "rung-for-no-delay",
        "A delay of 0 goes to the shortest rung.",
        "https://github.com/Bogdanp/dramatiq/issues/388",
        &["L-10"],
        |rules, fields, of, delay| {
            let name = specified(rules, fields, of, delay)?;
            let rungs = (rules.rungs)(rules, fields, of)?;
            let is_none = delay == 0.0 && of.threshold > 0.0;
            Ok(name.or(rungs.first().filter(|_| is_none).map(|rung| rung.name.clone())))
        },
    ),
    bug(
        "rung-for-seconds",
        "The time of a rung is compared with the delay before it was rounded.",
        "https://github.com/wojtekmach/req/pull/464",
        &["L-11"],
        |rules, fields, of, delay| {
            let name = specified(rules, fields, of, delay)?;
            let rungs = (rules.rungs)(rules, fields, of)?;
            let holds = |rung: &&RungValue| rung.ttl_ms.as_f64().is_some_and(|ttl_ms| ttl_ms >= delay * 1000.0);
            let found = rungs.iter().find(holds).or(rungs.last());
            Ok(name.and(found.map(|rung| rung.name.clone())))
        },
    ),
    bug(
        "rung-for-refuses-the-long",
        "A delay that is too long for a rung of its own is refused.",
        "https://github.com/aws-samples/amazon-sqs-dlq-replay-backoff/issues/8",
        &["L-11"],
        |rules, fields, of, delay| {
            let name = specified(rules, fields, of, delay)?;
            let ttl_ms = (rules.ttl_ms)(delay, of.threshold);
            let too_long_ms = ttl_ms.filter(|ttl_ms| ttl_ms.unsigned_abs() > MAX_TTL_MS);
            too_long_ms.map_or(Ok(name), |ttl_ms| Err(too_long(ttl_ms)))
        },
    ),
    bug(
        "rung-for-cuts-the-long",
        "A delay without an end is cut to the longest there is.",
        "https://github.com/nsqio/nsq/pull/868",
        &["L-12"],
        |rules, fields, of, delay| specified(rules, fields, of, if delay > HORIZON { HORIZON } else { delay }),
    ),
    bug(
        "rung-for-judges-the-delay-first",
        "The delay is judged before the ladder is built.",
        "https://github.com/airbytehq/airbyte-python-cdk/pull/1038",
        &["L-12"],
        |rules, fields, of, delay| {
            duration(Argument::Delay, delay)?;
            specified(rules, fields, of, delay)
        },
    ),
    bug(
        "rung-for-without-a-ladder",
        "A delay that does not wait in the broker is answered before the ladder is built.",
        "https://github.com/microsoft/durabletask-js/pull/274",
        &["L-12"],
        |rules, fields, of, delay| {
            if (rules.ttl_ms)(delay, of.threshold).is_none() && (0.0..=HORIZON).contains(&delay) {
                return Ok(None);
            }
            specified(rules, fields, of, delay)
        },
    ),
];

const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    rung_for: fn(&Rules, &PolicyFields, &LadderOf<'_>, f64) -> Outcome<Option<String>>,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { rung_for, ..SPECIFIED })
}

fn specified(rules: &Rules, fields: &PolicyFields, of: &LadderOf<'_>, delay: f64) -> Outcome<Option<String>> {
    (SPECIFIED.rung_for)(rules, fields, of, delay)
}

/// As specified, but for the choice among the rungs, given the TTL of a delay that waits in the broker.
fn chosen(
    rules: &Rules,
    fields: &PolicyFields,
    of: &LadderOf<'_>,
    delay: f64,
    choose: for<'a> fn(&'a [RungValue], i64) -> Option<&'a RungValue>,
) -> Outcome<Option<String>> {
    let rungs = (rules.rungs)(rules, fields, of)?;
    let ttl_ms = (rules.ttl_ms)(duration(Argument::Delay, delay)?, of.threshold);
    let rung = ttl_ms.and_then(|ttl_ms| choose(&rungs, ttl_ms));
    Ok(rung.map(|rung| rung.name.clone()))
}

fn time(rung: &RungValue) -> i64 {
    rung.ttl_ms.as_i64().unwrap_or(0)
}
