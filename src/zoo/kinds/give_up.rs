//! Giving up too early, too late, for the wrong reason, or without a look at the arguments.

use super::one_rule::answering;
use crate::next_delay::{GiveUp, NextDelay};
use crate::policy::PolicyFields;
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    answering(
        "give-up-one-attempt-late",
        "An attempt is the last one when it is above the maximum, not when it is equal.",
        "https://github.com/dudleycarr/nsqjs/pull/204",
        &["N-2"],
        |rules, fields, attempt, age| {
            let max_attempts = fields.max_attempts.saturating_add(1);
            specified(
                rules,
                &PolicyFields {
                    max_attempts,
                    ..*fields
                },
                attempt,
                age,
            )
        },
    ),
    answering(
        "give-up-at-half-the-attempts",
        "The counter moves twice for each attempt.",
        "https://github.com/near/near-api-js/pull/558",
        &["N-2"],
        |rules, fields, attempt, age| {
            let next = specified(rules, fields, attempt, age)?;
            let counted = i64::from(attempt) * 2;
            Ok(if counted > fields.max_attempts { USED_UP } else { next })
        },
    ),
    answering(
        "give-up-at-the-first-failure",
        "A message is dead after its first failure, whatever the maximum is.",
        "https://github.com/localstack/localstack/issues/5283",
        &["N-2", "N-4"],
        |rules, fields, attempt, age| specified(rules, fields, attempt, age).map(|_| USED_UP),
    ),
    answering(
        "give-up-at-the-maximum-alone",
        "The attempt is compared with the maximum for equality, and one past it is tried for ever.",
        "https://github.com/seatgeek/djjob/pull/14",
        &["N-2"],
        |rules, fields, attempt, age| {
            let is_past = i64::from(attempt) > fields.max_attempts;
            let max_attempts = if is_past { i64::MAX } else { fields.max_attempts };
            specified(
                rules,
                &PolicyFields {
                    max_attempts,
                    ..*fields
                },
                attempt,
                age,
            )
        },
    ),
    answering(
        "give-up-reasons-share-a-name",
        "The two reasons are written under one name.",
        "https://github.com/spring-projects/spring-kafka/issues/2335",
        &["N-3"],
        |rules, fields, attempt, age| {
            let next = specified(rules, fields, attempt, age)?;
            Ok(if next == TOO_OLD { USED_UP } else { next })
        },
    ),
    answering(
        "give-up-age-goes-first",
        "The time is looked at before the attempts, and the reason follows.",
        "https://github.com/open-telemetry/opentelemetry-collector/pull/15326",
        &["N-5"],
        |rules, fields, attempt, age| {
            let next = specified(rules, fields, attempt, age)?;
            Ok(if is_old(fields, age) { TOO_OLD } else { next })
        },
    ),
    answering(
        "give-up-age-needs-a-retry",
        "The age is looked at from the second attempt on.",
        "https://github.com/litl/backoff/issues/186",
        &["N-3"],
        |rules, fields, attempt, age| {
            let max_message_age = if attempt == 1 { 0.0 } else { fields.max_message_age };
            specified(
                rules,
                &PolicyFields {
                    max_message_age,
                    ..*fields
                },
                attempt,
                age,
            )
        },
    ),
    answering(
        "give-up-age-replaces-the-attempts",
        "A limit of time is an alternative to one of attempts, which then does not count.",
        "https://github.com/litl/backoff/issues/43",
        &["N-2"],
        |rules, fields, attempt, age| {
            let max_attempts = if fields.max_message_age > 0.0 {
                i64::MAX
            } else {
                fields.max_attempts
            };
            specified(
                rules,
                &PolicyFields {
                    max_attempts,
                    ..*fields
                },
                attempt,
                age,
            )
        },
    ),
    answering(
        "give-up-attempts-replace-the-age",
        "The age is looked at only when the attempts are used up.",
        "https://github.com/MicrosoftDocs/azure-docs/pull/107705",
        &["N-3"],
        |rules, fields, attempt, age| {
            let ageless = PolicyFields {
                max_message_age: 0.0,
                ..*fields
            };
            specified(rules, &ageless, attempt, age)
        },
    ),
    answering(
        "give-up-nan-age-is-young",
        "An age that is not a number is not above the limit.",
        "https://github.com/denoland/std/pull/6922",
        &["N-1"],
        |rules, fields, attempt, age| specified(rules, fields, attempt, age.filter(|age| !age.is_nan())),
    ),
    answering(
        "give-up-nan-age-is-old",
        "An age that is not a number is not below the limit.",
        "https://github.com/elizaOS/eliza/pull/27936",
        &["N-1"],
        |rules, fields, attempt, age| {
            let known = age.map(|age| if age.is_nan() { f64::INFINITY } else { age });
            specified(rules, fields, attempt, known)
        },
    ),
    answering(
        "give-up-before-the-age-is-judged",
        "Attempts that are used up end the matter, and the age is not looked at any more.",
        "https://github.com/microsoft/durabletask-js/pull/274",
        &["N-1"],
        |rules, fields, attempt, age| {
            let is_last = i64::from(attempt) >= fields.max_attempts;
            specified(rules, fields, attempt, age.filter(|_| !is_last))
        },
    ),
];

const USED_UP: NextDelay = NextDelay::GiveUp(GiveUp::MaxAttempts);
const TOO_OLD: NextDelay = NextDelay::GiveUp(GiveUp::MaxMessageAge);

fn specified(rules: &Rules, fields: &PolicyFields, attempt: u32, age: Option<f64>) -> Outcome<NextDelay> {
    (SPECIFIED.next_delay)(rules, fields, attempt, age)
}

fn is_old(fields: &PolicyFields, age: Option<f64>) -> bool {
    fields.max_message_age > 0.0 && age.is_some_and(|age| age >= fields.max_message_age)
}
