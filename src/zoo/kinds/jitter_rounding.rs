//! The same jitter on paper, and other bits: products regrouped, fused, rounded or cut.

use super::jitter::moved;
use super::one_rule::jittering;
use crate::policy::PolicyFields;
use crate::wire::Resolution;
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    jittering(
        "jitter-regrouped-lowest-and-width",
        "The lowest delay and a draw from the whole width are added.",
        "https://github.com/cenkalti/backoff/issues/18",
        &["J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay * (1.0 - f) + u * (2.0 * f * delay)
            })
        },
    ),
    jittering(
        "jitter-regrouped-factor-taken-last",
        "A draw from twice the factor is added to 1, and the factor is taken away.",
        "https://github.com/taskcluster/fast-azure-storage/pull/70",
        &["J-2"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay * (u * 2.0 * f + 1.0 - f)),
    ),
    jittering(
        "jitter-regrouped-share-of-the-delay",
        "A share of the delay is worked out and added to it.",
        "https://github.com/heckj/formic/issues/50",
        &["J-2"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| delay + delay * f * (2.0 * u - 1.0)),
    ),
    jittering(
        "jitter-regrouped-delay-added-last",
        "The draw's share of the factor is multiplied with the delay, and the delay is added to it.",
        "https://github.com/toss/es-toolkit/pull/1428",
        &["J-2"],
        |fields, delay, draw| moved(fields, delay, draw, |delay, u, f| (u * 2.0 - 1.0) * f * delay + delay),
    ),
    jittering(
        "jitter-regrouped-uniform-factor",
        "A uniform number between the lowest and the highest factor is asked for, and multiplied.",
        "https://github.com/apache/kafka/pull/10455",
        &["J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                let (low, high) = (1.0 - f, 1.0 + f);
                delay * (low + (high - low) * u)
            })
        },
    ),
    jittering(
        "jitter-regrouped-weighted-ends",
        "The ends of the range are weighed with the draw and with what is left of it.",
        "https://github.com/martian56/raven/pull/794",
        &["J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                let (low, high) = (delay * (1.0 - f), delay * (1.0 + f));
                low * (1.0 - u) + high * u
            })
        },
    ),
    jittering(
        "jitter-fused",
        "On one processor the factor and 1 are one fused multiply-add.",
        "https://github.com/markus-wa/demoinfocs-golang/pull/676",
        &["J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay * (u * 2.0 - 1.0).mul_add(f, 1.0)
            })
        },
    ),
    jittering(
        "jitter-draw-fused",
        "On one processor the share of the delay and the delay are one fused multiply-add.",
        "https://github.com/idena-network/idena-go/pull/1084",
        &["J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay.mul_add((u * 2.0 - 1.0) * f, delay)
            })
        },
    ),
    Bug {
        resolution: Resolution::Nanosecond,
        ..jittering(
            "jitter-one-unit-wider",
            "The width is one unit of the clock wider, so that the highest value is drawn as well.",
            "https://github.com/lestrrat-go/backoff/pull/24",
            &["J-1"],
            |fields, delay, draw| {
                moved(fields, delay, draw, |delay, u, f| {
                    let (low, high) = (delay - f * delay, delay + f * delay);
                    low + u * (high - low + 1.0e-9)
                })
            },
        )
    },
    Bug {
        resolution: Resolution::Nanosecond,
        ..jittering(
            "jitter-without-a-factor-in-nanoseconds",
            "Without a factor the delay still goes through the range of a draw, one unit of the clock wide.",
            "https://github.com/cenkalti/backoff/pull/118",
            &["J-3"],
            |fields, delay, draw| {
                let jittered = (SPECIFIED.jitter)(fields, delay, draw)?;
                let is_moved = fields.jitter_factor > 0.0;
                Ok(if is_moved { jittered } else { jittered + draw * 1.0e-9 })
            },
        )
    },
    jittering(
        "jitter-without-a-factor-converted",
        "Without a factor the delay is turned into nanoseconds and back on its way.",
        "https://github.com/Abso1ut3Zer0/nexus/pull/138",
        &["J-3"],
        |fields, delay, draw| {
            let jittered = (SPECIFIED.jitter)(fields, delay, draw)?;
            let is_moved = fields.jitter_factor > 0.0;
            Ok(if is_moved {
                jittered
            } else {
                (jittered * 1.0e9).round() / 1.0e9
            })
        },
    ),
    jittering(
        "jitter-rounded-to-milliseconds",
        "The jittered delay is rounded to milliseconds.",
        "https://github.com/CodebuffAI/freebuff/pull/1246",
        &["J-2"],
        |fields, delay, draw| rounded(fields, delay, draw, 1000.0),
    ),
    jittering(
        "jitter-rounded-to-seconds",
        "The jittered delay is rounded to seconds.",
        "https://github.com/caseyamcl/guzzle_retry_middleware/pull/23",
        &["J-2"],
        |fields, delay, draw| rounded(fields, delay, draw, 1.0),
    ),
    jittering(
        "jitter-share-cut-to-seconds",
        "The share of the delay is a whole number of seconds before it is added, mostly none.",
        "https://github.com/nathhB/nbnet/issues/64",
        &["J-1", "J-2"],
        |fields, delay, draw| {
            moved(fields, delay, draw, |delay, u, f| {
                delay + ((u * 2.0 - 1.0) * f * delay).trunc()
            })
        },
    ),
    Bug {
        resolution: Resolution::Millisecond,
        ..jittering(
            "jitter-width-cut-to-seconds",
            "In a library that counts milliseconds the width of the jitter is cut to whole seconds.",
            "https://github.com/nathhB/nbnet/issues/64",
            &["J-1"],
            |fields, delay, draw| {
                moved(fields, delay, draw, |delay, u, f| {
                    delay + (u * 2.0 - 1.0) * (f * delay).floor()
                })
            },
        )
    },
];

fn rounded(fields: &PolicyFields, delay: f64, draw: f64, units_per_second: f64) -> Outcome<f64> {
    let jittered = (SPECIFIED.jitter)(fields, delay, draw)?;
    Ok((jittered * units_per_second).round() / units_per_second)
}
