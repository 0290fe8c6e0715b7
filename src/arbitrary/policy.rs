//! Policies and attempts.

use proptest::prelude::*;
use proptest::sample::select;

use super::number::{duration, factor, in_units, multiplier, odd_real};
use crate::policy::{HORIZON, MAX_ATTEMPTS, PolicyFields};
use crate::wire::Resolution;

/// How many multiplications one question may cost, and how many delays a schedule may have.
///
/// A multiplier just above 1 lets the delay change with each of 2^31 attempts, which takes seconds (B-8).
pub const MANY: u16 = 1200;

/// An attempt, or a number of attempts: 1 to 2147483647.
pub fn attempt() -> BoxedStrategy<i64> {
    prop_oneof![
        4 => 1_i64..=70,
        2 => select(vec![1, 2, i64::from(MAX_ATTEMPTS) - 1, i64::from(MAX_ATTEMPTS)]),
        1 => 1..=i64::from(MAX_ATTEMPTS),
    ]
    .boxed()
}

/// An attempt, and now and then a number that is none: 0, -1, 2147483648 and others on the far side of some integer type.
pub fn any_attempt() -> BoxedStrategy<i64> {
    prop_oneof![9 => attempt(), 1 => odd_integer()].boxed()
}

/// The six numbers of a legal policy.
pub fn legal_policy() -> BoxedStrategy<PolicyFields> {
    let age_limit = prop_oneof![Just(0.0), duration()];
    (attempt(), initial_and_max(), multiplier(), factor(), age_limit)
        .prop_map(
            |(max_attempts, (initial_delay, max_delay), multiplier, jitter_factor, max_message_age)| PolicyFields {
                max_attempts,
                initial_delay,
                multiplier,
                max_delay,
                jitter_factor,
                max_message_age,
            },
        )
        .boxed()
}

/// The six numbers of a legal policy, its durations in whole units of a resolution (W-17).
pub fn legal_policy_in(resolution: Resolution) -> BoxedStrategy<PolicyFields> {
    legal_policy()
        .prop_map(move |fields| durations_in_units(fields, resolution))
        .boxed()
}

/// The six numbers of a policy in which one or two may be illegal.
pub fn any_policy() -> BoxedStrategy<PolicyFields> {
    prop_oneof![
        8 => legal_policy(),
        2 => with_odd_fields(legal_policy(), Resolution::Exact),
    ]
    .boxed()
}

/// These six numbers with one or two put in the place of others, most of them illegal.
pub(crate) fn with_odd_fields(
    policies: BoxedStrategy<PolicyFields>,
    resolution: Resolution,
) -> BoxedStrategy<PolicyFields> {
    (policies, odd_fields())
        .prop_map(move |(fields, odd_fields)| durations_in_units(replaced(fields, odd_fields), resolution))
        .boxed()
}

/// The attempt, or an early one where its delay would take more than [`MANY`] multiplications.
#[must_use]
pub fn affordable(policy: &PolicyFields, attempt: i64) -> i64 {
    let ceiling = if policy.max_delay > 0.0 {
        policy.max_delay
    } else {
        HORIZON
    };
    let mut delay = policy.initial_delay;
    for _ in 0..MANY {
        let next = delay * policy.multiplier;
        let changes = delay < ceiling && next > delay;
        if !changes {
            return attempt;
        }
        delay = next;
    }
    attempt.min(i64::from(MANY))
}

/// An initial delay and a cap, mostly so that the delays have somewhere to grow to.
fn initial_and_max() -> impl Strategy<Value = (f64, f64)> {
    prop_oneof![
        2 => (duration(), Just(0.0)),
        2 => (duration(), duration()).prop_map(|(one, other)| (one.min(other), one.max(other))),
        1 => (duration(), duration()),
    ]
}

/// Which field, and what stands there: the integer in the first, the real number in the others.
type OddField = (usize, i64, f64);

fn odd_fields() -> impl Strategy<Value = Vec<OddField>> {
    prop::collection::vec((0_usize..6, odd_integer(), odd_real()), 1..=2)
}

fn replaced(mut fields: PolicyFields, odd_fields: Vec<OddField>) -> PolicyFields {
    for (field, integer, real) in odd_fields {
        match field {
            0 => fields.max_attempts = integer,
            1 => fields.initial_delay = real,
            2 => fields.multiplier = real,
            3 => fields.max_delay = real,
            4 => fields.jitter_factor = real,
            _ => fields.max_message_age = real,
        }
    }
    fields
}

fn durations_in_units(fields: PolicyFields, resolution: Resolution) -> PolicyFields {
    PolicyFields {
        initial_delay: in_units(fields.initial_delay, resolution),
        max_delay: in_units(fields.max_delay, resolution),
        max_message_age: in_units(fields.max_message_age, resolution),
        ..fields
    }
}

/// An integer on the far side of some limit.
fn odd_integer() -> impl Strategy<Value = i64> {
    let past_the_last = i64::from(MAX_ATTEMPTS) + 1;
    select(vec![0, -1, past_the_last, (1 << 32) + 1, i64::MIN, i64::MAX])
}
