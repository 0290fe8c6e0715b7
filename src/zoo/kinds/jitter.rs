//! Jitter of another shape, width or place.

use super::one_rule::jittering;
use crate::policy::PolicyFields;
use crate::zoo::rules::{Outcome, Rules};
use crate::zoo::{Bug, specified};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    jittering(
        "jitter-only-adds",
        "Jitter goes upwards alone, from the delay to the delay and its share.",
        "https://github.com/NousResearch/hermes-agent/pull/40606",
        &["J-4"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay * (1.0 + u * f)),
    ),
    jittering(
        "jitter-only-subtracts",
        "Jitter goes downwards alone.",
        "https://github.com/apache/pulsar/pull/25669",
        &["J-4"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay * (1.0 - u * f)),
    ),
    jittering(
        "jitter-adds-twice",
        "A draw from twice the width is added to the delay, and the width is not taken away.",
        "https://github.com/gabrielkoerich/orch/issues/1362",
        &["J-4"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay + u * 2.0 * (f * delay)),
    ),
    jittering(
        "jitter-half-as-wide",
        "The factor is the whole width, half of it to either side.",
        "https://github.com/reactor/reactor-addons/pull/142",
        &["J-1"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay * (1.0 + ((u - 0.5) * f))),
    ),
    jittering(
        "jitter-twice-as-wide",
        "The width is doubled once more than it should be.",
        "https://github.com/wemulate/wemulate/pull/72",
        &["J-1"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay * (1.0 + ((u * 2.0 - 1.0) * 2.0 * f)).max(0.0)
            })
        },
    ),
    jittering(
        "jitter-from-nothing",
        "The delay is drawn between 0 and itself.",
        "https://github.com/googleapis/gax-python/pull/167",
        &["J-1", "J-4"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, _| delay * u),
    ),
    jittering(
        "jitter-from-the-half",
        "The delay is drawn between half of it and itself.",
        "https://github.com/apple/servicetalk/pull/1447",
        &["J-1", "J-4"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, _| delay / 2.0 + u * (delay / 2.0)),
    ),
    jittering(
        "jitter-always-the-same",
        "The draw is made and not used.",
        "https://github.com/redis/lettuce/issues/2115",
        &["J-1"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, _, _| delay),
    ),
    jittering(
        "jitter-the-other-way",
        "A low draw makes the delay longer.",
        "https://github.com/failsafe-lib/failsafe/pull/123",
        &["J-1"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay * (1.0 + ((1.0 - u * 2.0) * f))),
    ),
    jittering(
        "jitter-in-whole-percent",
        "The draw is one of a hundred whole numbers.",
        "https://github.com/skeeto/endlessh/pull/81",
        &["J-1"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay * (1.0 + (((u * 100.0).floor() / 100.0 * 2.0 - 1.0) * f))
            })
        },
    ),
    jittering(
        "jitter-factor-in-percent",
        "The factor is percent, and a fifth of a percent hardly moves a delay.",
        "https://github.com/apache/pulsar/pull/25669",
        &["J-1"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay * (1.0 + ((u * 2.0 - 1.0) * (f / 100.0)))
            })
        },
    ),
    jittering(
        "jitter-as-wide-in-seconds",
        "The factor is a number of seconds, however long the delay.",
        "https://github.com/line/armeria/issues/619",
        &["J-1"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                (delay + (u * 2.0 - 1.0) * f).max(0.0)
            })
        },
    ),
    jittering(
        "jitter-of-a-zero-delay",
        "A jitter of a fixed width lengthens a delay of 0 as well.",
        "https://github.com/microprofile/microprofile-fault-tolerance/issues/312",
        &["J-3"],
        |fields, delay, draw| {
            let jittered = (SPECIFIED.jitter)(fields, delay, draw)?;
            Ok(if delay == 0.0 {
                draw * fields.jitter_factor
            } else {
                jittered
            })
        },
    ),
    jittering(
        "jitter-off-without-growth",
        "The width comes from the multiplier, and with a multiplier of 1 there is no jitter.",
        "https://github.com/spring-attic/spring-retry/issues/391",
        &["J-1"],
        |fields, delay, draw| {
            let jittered = (SPECIFIED.jitter)(fields, delay, draw)?;
            Ok(if fields.multiplier <= 1.0 { delay } else { jittered })
        },
    ),
    jittering(
        "jitter-as-wide-as-at-first",
        "The width is a share of the initial delay, not of the present one.",
        "https://github.com/lostisland/faraday/issues/1197",
        &["J-5"],
        |fields, delay, draw| {
            let initial = fields.initial_delay;
            moved(fields, delay, draw, |delay, u, f| delay + (u * 2.0 - 1.0) * f * initial)
        },
    ),
    jittering(
        "jitter-as-wide-as-the-cap",
        "The width is a share of the cap.",
        "https://github.com/segmentio/backo/issues/5",
        &["J-5"],
        |fields, delay, draw| {
            let widest = specified::ceiling(fields);
            moved(fields, delay, draw, |delay, u, f| {
                (delay + (u * 2.0 - 1.0) * f * widest).max(0.0)
            })
        },
    ),
];

/// A delay moved by another formula, of the delay, the draw and the factor. What is judged, and what is not moved, is as specified.
pub(super) fn moved(
    fields: &PolicyFields,
    delay: f64,
    draw: f64,
    formula: impl Fn(f64, f64, f64) -> f64,
) -> Outcome<f64> {
    let factor = fields.jitter_factor;
    let unjittered = PolicyFields {
        jitter_factor: 0.0,
        ..*fields
    };
    let delay = (SPECIFIED.jitter)(&unjittered, delay, draw)?;
    let is_moved = factor > 0.0 && delay > 0.0;
    Ok(if is_moved { formula(delay, draw, factor) } else { delay })
}
