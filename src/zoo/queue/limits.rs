//! The arguments of a queue: which are refused, and in which order.

use super::habits::{Habits, Unit, Zero};
use super::{SPECIFIED, bug};
use crate::jitter::duration;
use crate::millis::Millis;
use crate::policy::HORIZON;
use crate::printable::spelled;
use crate::question::QueueQuestion;
use crate::rejection::{Argument, Rejection};
use crate::scenario::{Action, Step};
use crate::zoo::Bug;
use crate::zoo::rules::Outcome;

/// How `message_ttl` and `ack_timeout` are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitsJudged {
    TtlThenTimeout,
    TimeoutThenTtl,
    BeforeThePolicy,
    NegativeIsNone,
    NanIsNone,
    AboveTheHorizonIsNone,
    OnceAMessageIsPut,
    TheHorizonIsTooLong,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-limits-timeout-first",
        "The lease timeout is judged before the TTL.",
        "https://github.com/HangfireIO/Hangfire/pull/686",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::TimeoutThenTtl,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-before-the-policy",
        "The TTL and the timeout are judged before the policy.",
        "https://github.com/HangfireIO/Hangfire/pull/686",
        &["Q-31", "P-11"],
        Habits {
            limits_judged: LimitsJudged::BeforeThePolicy,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-longest-refused",
        "The longest TTL and the longest timeout are refused, though the limit includes them.",
        "https://github.com/aws/aws-sdk-net/issues/794",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::TheHorizonIsTooLong,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-negative-is-none",
        "A negative TTL or timeout means none.",
        "https://github.com/hazelcast/hazelcast-csharp-client/pull/633",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::NegativeIsNone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-nan-is-none",
        "NaN passes the check, and a clock that ends at NaN never ends.",
        "https://github.com/openclaw/fs-safe/pull/266",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::NanIsNone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-huge-is-none",
        "A TTL or timeout that is too long is replaced by none.",
        "https://github.com/actinia-org/actinia-core/pull/447",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::AboveTheHorizonIsNone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-limits-judged-when-used",
        "The limits are judged when the first message is put, and not before.",
        "https://github.com/HangfireIO/Hangfire/pull/686",
        &["Q-31"],
        Habits {
            limits_judged: LimitsJudged::OnceAMessageIsPut,
            ..SPECIFIED
        },
    ),
];

/// The TTL and the timeout in milliseconds, none where there is no limit.
pub(super) fn judged(habits: &Habits, question: &QueueQuestion) -> Outcome<(Option<u64>, Option<u64>)> {
    let ttl = || -> Outcome<_> {
        let limit = judged_one(habits, Argument::MessageTtl, question.message_ttl.0)?;
        Ok(kept(limit, habits.ttl_zero, habits.ttl_unit))
    };
    let timeout = || -> Outcome<_> {
        let limit = judged_one(habits, Argument::AckTimeout, question.ack_timeout.0)?;
        Ok(kept(limit, habits.lease_zero, habits.lease_unit))
    };
    match habits.limits_judged {
        LimitsJudged::TimeoutThenTtl => {
            let timeout = timeout()?;
            Ok((ttl()?, timeout))
        }
        LimitsJudged::OnceAMessageIsPut if !question.steps.iter().any(puts) => Ok((None, None)),
        LimitsJudged::TtlThenTimeout
        | LimitsJudged::NegativeIsNone
        | LimitsJudged::NanIsNone
        | LimitsJudged::AboveTheHorizonIsNone
        | LimitsJudged::BeforeThePolicy
        | LimitsJudged::OnceAMessageIsPut
        | LimitsJudged::TheHorizonIsTooLong => Ok((ttl()?, timeout()?)),
    }
}

fn puts(step: &Step) -> bool {
    matches!(step.action, Action::Put { .. })
}

fn judged_one(habits: &Habits, argument: Argument, seconds: f64) -> Outcome<f64> {
    let is_none = match habits.limits_judged {
        LimitsJudged::NegativeIsNone => seconds < 0.0,
        LimitsJudged::NanIsNone => seconds.is_nan(),
        LimitsJudged::AboveTheHorizonIsNone => seconds > HORIZON,
        LimitsJudged::TtlThenTimeout
        | LimitsJudged::TimeoutThenTtl
        | LimitsJudged::BeforeThePolicy
        | LimitsJudged::OnceAMessageIsPut
        | LimitsJudged::TheHorizonIsTooLong => false,
    };
    if is_none {
        return Ok(0.0);
    }
    if habits.limits_judged == LimitsJudged::TheHorizonIsTooLong && seconds >= HORIZON {
        return Err(Rejection::argument(argument, spelled(seconds)).into());
    }
    Ok(duration(argument, seconds)?)
}

fn kept(seconds: f64, zero: Zero, unit: Unit) -> Option<u64> {
    const SIGNED_32_BITS: u64 = 0x7fff_ffff;
    let limit = Millis::nearest(seconds).count();
    let limit = match unit {
        Unit::OneAbove31Bits if limit > SIGNED_32_BITS => 1,
        Unit::Milliseconds | Unit::OneAbove31Bits => limit,
        Unit::Wraps32 => limit % (1 << 32),
        Unit::Thousandths => limit / 1000,
    };
    match zero {
        Zero::NoLimit => Some(limit).filter(|&limit| limit > 0),
        Zero::AtOnce => Some(limit),
    }
}
