//! Exponents that are held at a constant, and attempts counted in too few bits.

use super::delays::{capped, delayed, lower_i16, lower_u32, uncapped};
use crate::backoff::Attempt;
use crate::policy::{MAX_ATTEMPTS, PolicyFields};
use crate::wire::Resolution;
use crate::zoo::rules::{Rules, Stop};
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "exponent-held-at-4",
        "The delay grows to sixteen times the first, and no further.",
        "https://github.com/wagslane/go-rabbitmq/pull/239",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 4)),
    ),
    delayed(
        "exponent-held-at-10",
        "The exponent is held at 10.",
        "https://github.com/teloxide/teloxide/pull/1002",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 10)),
    ),
    delayed(
        "exponent-held-at-20",
        "The exponent is held at 20.",
        "https://github.com/realiti4/claude-swap/pull/181",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 20)),
    ),
    delayed(
        "exponent-held-at-30",
        "The exponent is held at 30, to keep a 32-bit shift from wrapping.",
        "https://github.com/9thLevelSoftware/Project-Phoenix-MP/pull/603",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 30)),
    ),
    delayed(
        "exponent-held-at-31",
        "The exponent is held at 31, to keep a 32-bit shift from overflowing.",
        "https://github.com/graphprotocol/graph-node/pull/4421",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 31)),
    ),
    delayed(
        "exponent-held-at-62",
        "The exponent is held at 62, to keep a 64-bit shift from overflowing.",
        "https://github.com/gabrielkoerich/orch/pull/1463",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 62)),
    ),
    delayed(
        "exponent-held-at-63",
        "The exponent is held at 63, to keep a 64-bit power from overflowing.",
        "https://github.com/alob-mtc/runnerq/pull/54",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 63)),
    ),
    delayed(
        "exponent-held-at-64",
        "The exponent is held at 64, so that a small base never reaches the cap.",
        "https://github.com/basecamp/basecamp-sdk/pull/592",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 64)),
    ),
    delayed(
        "exponent-held-at-100",
        "The exponent is held at 100, to keep a power from overflowing.",
        "https://github.com/Aiven-Open/journalpump/pull/121",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 100)),
    ),
    delayed(
        "exponent-held-at-1023",
        "The exponent is held at 1023, the last at which two to it is a double.",
        "https://github.com/redis/redis-py/pull/4320",
        &["B-4", "B-5", "B-6"],
        |fields, attempt| Ok(held(fields, attempt, 1023)),
    ),
    delayed(
        "exponent-attempt-stays-at-255",
        "The attempt is counted in 8 bits and stays at the last number that they hold.",
        "https://github.com/coreos/afterburn/pull/299",
        &["B-1", "B-5"],
        |fields, attempt| Ok(specified::doubled(fields, attempt.min(255))),
    ),
    delayed(
        "exponent-attempt-in-16-bits-negative",
        "The attempt is counted in signed 16 bits, and the delays shrink from 32768 on.",
        "https://github.com/jd-opensource/joyqueue/pull/306",
        &["B-1", "B-5"],
        |fields, attempt| {
            let counted = lower_i16(attempt);
            if counted > 0 {
                return Ok(specified::doubled(fields, counted.unsigned_abs().into()));
            }
            let shrunk = fields.initial_delay * fields.multiplier.powi(i32::from(counted) - 1);
            Ok(capped(fields, shrunk))
        },
    ),
    delayed(
        "exponent-attempt-in-16-bits-panics",
        "The attempt is counted in signed 16 bits, and one more than 32767 panics.",
        "https://github.com/blockscout/blockscout-rs/pull/1720",
        &["B-1", "B-5", "B-7"],
        |fields, attempt| {
            if attempt > 32_767 {
                return Err(Stop::Crashed("attempt to add with overflow"));
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    Bug {
        name: "exponent-attempt-cut-to-32-bits",
        about: "The attempt is cast to 32 bits before anyone looks whether it fits.",
        source: "https://github.com/BaseIntelligence/bounty-challenge/issues/17631",
        clauses: &["B-2"],
        resolution: Resolution::Exact,
        rules: Rules {
            attempt: |number| Ok(Attempt::new(lower_u32(number).into())?.number()),
            ..Rules::AS_SPECIFIED
        },
    },
    Bug {
        name: "exponent-attempt-held-at-31-bits",
        about: "An attempt above the largest 31-bit number is held at that number.",
        source: "https://github.com/riverqueue/river/pull/730",
        clauses: &["B-2"],
        resolution: Resolution::Exact,
        rules: Rules {
            attempt: |number| Ok(Attempt::new(number.min(MAX_ATTEMPTS.into()))?.number()),
            ..Rules::AS_SPECIFIED
        },
    },
];

fn held(fields: &PolicyFields, attempt: u32, most: u32) -> f64 {
    capped(fields, uncapped(fields, attempt.min(most + 1)))
}
