//! What laws are tried on.

use proptest::prelude::*;

use super::subject::{LadderOf, Subject};
use crate::arbitrary::{MANY, affordable, age, in_units, threshold};
use crate::ladder::Ladder;
use crate::policy::{Policy, PolicyFields};

/// A policy, and an attempt whose delay does not take long to find.
pub(super) fn policy_and_attempt<S: Subject>(subject: &S) -> BoxedStrategy<(PolicyFields, u32)> {
    (subject.policies(), subject.attempts())
        .prop_map(|(fields, attempt)| (fields, quick(&fields, attempt)))
        .boxed()
}

/// The attempt, or an early one where its delay takes long to find.
pub(super) fn quick(fields: &PolicyFields, attempt: u32) -> u32 {
    u32::try_from(affordable(fields, attempt.into())).unwrap_or(attempt)
}

/// Policies whose whole schedule can be asked for (W-18).
pub(super) fn short_policies<S: Subject>(subject: &S) -> BoxedStrategy<PolicyFields> {
    subject
        .policies()
        .prop_map(|fields| PolicyFields {
            max_attempts: fields.max_attempts.min(i64::from(MANY)),
            ..fields
        })
        .boxed()
}

/// A policy, an attempt, and an age that is often at the limit or next to it.
pub(super) fn policy_attempt_and_age<S: Subject>(subject: &S) -> BoxedStrategy<(PolicyFields, u32, Option<f64>)> {
    let step = match subject.resolution().places() {
        None => None,
        Some(places) => format!("1e-{places}").parse::<f64>().ok(),
    };
    let resolution = subject.resolution();
    (policy_and_attempt(subject), age(resolution), 0..6)
        .prop_map(move |((fields, attempt), age, place)| {
            let limit = fields.max_message_age;
            let age = match place {
                0 => Some(limit),
                1 => Some(step.map_or(limit.next_down(), |step| limit - step)),
                2 => Some(step.map_or(limit.next_up(), |step| limit + step)),
                _ => age,
            };
            // A sum of units need not be the nearest to a whole number of them.
            (fields, attempt, age.map(|age| in_units(age, resolution)))
        })
        .boxed()
}

/// Queue, exchange and threshold.
pub(super) type Of = (String, String, f64);

/// A policy whose whole schedule does not take long to go through, and what its ladder is for.
pub(super) fn policy_and_names<S: Subject>(subject: &S) -> BoxedStrategy<(PolicyFields, Of)> {
    let resolution = subject.resolution();
    let policies = subject.policies().prop_map(|fields| PolicyFields {
        max_attempts: affordable(&fields, fields.max_attempts),
        ..fields
    });
    (policies, name(), "[a-z]{0,3}", threshold())
        .prop_map(move |(fields, queue, exchange, threshold)| {
            (fields, (queue, exchange, in_units(threshold, resolution)))
        })
        .boxed()
}

/// The same, without ladders that are refused.
pub(super) fn ladder<S: Subject>(subject: &S) -> BoxedStrategy<(PolicyFields, Of)> {
    let has_ladder = |(fields, (queue, exchange, threshold)): &(PolicyFields, Of)| {
        Policy::new(*fields).is_ok_and(|policy| Ladder::new(&policy, queue, exchange, *threshold).is_ok())
    };
    policy_and_names(subject)
        .prop_filter("a rung that is too long", has_ladder)
        .boxed()
}

/// The name of a queue.
pub(super) fn name() -> BoxedStrategy<String> {
    "[a-z.\"é]{1,9}".boxed()
}

pub(super) fn ladder_of((queue, exchange, threshold): &Of) -> LadderOf<'_> {
    LadderOf {
        queue,
        exchange,
        threshold: *threshold,
    }
}
