//! Ages held against the limit in another way: another boundary, unit or prediction, another reading of no age.

use super::one_rule::answering;
use crate::next_delay::{GiveUp, NextDelay};
use crate::policy::PolicyFields;
use crate::rejection::{Argument, Rejection};
use crate::wire::Resolution;
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules, Stop};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    answering(
        "age-equal-is-young",
        "A message is too old when its age is above the limit, not when it is equal.",
        "https://github.com/jmdobry/angular-cache/issues/152",
        &["N-3"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age > limit),
    ),
    answering(
        "age-seconds-against-milliseconds",
        "The age in seconds is held against a limit in milliseconds.",
        "https://github.com/microsoft/FluidFramework/pull/5883",
        &["N-3"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age >= limit * 1000.0),
    ),
    answering(
        "age-limit-in-seconds-taken-as-milliseconds",
        "The limit in seconds is added to a time in milliseconds, so that it is reached a thousand times too early.",
        "https://github.com/mozilla/node-client-sessions/issues/13",
        &["N-3"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age * 1000.0 >= limit),
    ),
    answering(
        "age-in-whole-seconds",
        "Age and limit are compared in whole seconds.",
        "https://github.com/Ahoo-Wang/CoCache/pull/477",
        &["N-3"],
        |rules, fields, attempt, age| {
            old_if(rules, fields, attempt, age, |age, limit| {
                limit.floor() > 0.0 && age.floor() >= limit.floor()
            })
        },
    ),
    Bug {
        resolution: Resolution::Millisecond,
        ..answering(
            "age-limit-fires-at-once",
            "A timer holds the limit, and one above 2^31 - 1 milliseconds fires after a millisecond.",
            "https://github.com/timgit/pg-boss/issues/389",
            &["N-3"],
            |rules, fields, attempt, age| {
                old_if(rules, fields, attempt, age, |age, limit| {
                    age >= if limit > 2_147_483.647 { 0.001 } else { limit }
                })
            },
        )
    },
    Bug {
        resolution: Resolution::Nanosecond,
        ..answering(
            "age-in-nanoseconds-wraps",
            "An age of more nanoseconds than 64 bits hold becomes negative.",
            "https://github.com/temporalio/temporal/issues/11991",
            &["N-3"],
            |rules, fields, attempt, age| {
                old_if(rules, fields, attempt, age, |age, limit| {
                    age * 1.0e9 < 9.3e18 && age >= limit
                })
            },
        )
    },
    answering(
        "age-within-a-minute-of-the-limit",
        "A minute is allowed for clocks that differ, and the message lives that much longer.",
        "https://github.com/monero-project/kovri/issues/77",
        &["N-3"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age >= limit + 60.0),
    ),
    answering(
        "age-negative-turned-round",
        "The size of the age is compared, so that a clock that stepped back makes a message old.",
        "https://github.com/choria-io/go-choria/issues/331",
        &["N-7"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age.abs() >= limit),
    ),
    answering(
        "age-negative-wraps",
        "A negative age is read as an unsigned number, and is huge.",
        "https://github.com/w3c/reporting/issues/9",
        &["N-7"],
        |rules, fields, attempt, age| old_if(rules, fields, attempt, age, |age, limit| age < 0.0 || age >= limit),
    ),
    answering(
        "age-infinite-is-unknown",
        "An age that is no finite number is passed over.",
        "https://github.com/openai/openai-agents-python/pull/4558",
        &["N-7"],
        |rules, fields, attempt, age| {
            old_if(rules, fields, attempt, age, |age, limit| {
                age.is_finite() && age >= limit
            })
        },
    ),
    answering(
        "age-predicted",
        "The delay about to be waited is added to the age, and the message dies before its limit.",
        "https://github.com/ihrwein/backoff/pull/43",
        &["N-8"],
        |rules, fields, attempt, age| {
            let limit = fields.max_message_age;
            let delay = (rules.backoff)(fields, attempt)?;
            let would_be_old = age.is_some_and(|age| age.max(0.0) + delay >= limit);
            judged(rules, fields, attempt, age, limit > 0.0 && would_be_old)
        },
    ),
    answering(
        "age-cuts-the-delay",
        "The delay is cut to what is left of the age limit.",
        "https://github.com/litl/backoff/pull/136",
        &["N-8"],
        |rules, fields, attempt, age| {
            let left = match age {
                Some(age) if fields.max_message_age > 0.0 => fields.max_message_age - age.max(0.0),
                Some(_) | None => f64::INFINITY,
            };
            Ok(match (SPECIFIED.next_delay)(rules, fields, attempt, age)? {
                NextDelay::Retry(delay) => NextDelay::Retry(delay.min(left)),
                NextDelay::GiveUp(reason) => NextDelay::GiveUp(reason),
            })
        },
    ),
    answering(
        "age-unknown-is-old",
        "A message without a time is as old as 1970.",
        "https://github.com/Hack-a-Day/2025-Communicator_Badge/pull/18",
        &["N-6"],
        |rules, fields, attempt, age| {
            let since_1970 = 1_800_000_000.0;
            (SPECIFIED.next_delay)(rules, fields, attempt, age.or(Some(since_1970)))
        },
    ),
    answering(
        "age-unknown-crashes",
        "A message without a time is compared with nothing.",
        "https://github.com/hickey/meshchat/pull/25",
        &["N-6"],
        |rules, fields, attempt, age| match age {
            None => Err(Stop::Crashed("attempt to compare number with nil")),
            Some(_) => (SPECIFIED.next_delay)(rules, fields, attempt, age),
        },
    ),
    answering(
        "age-negative-refused",
        "A negative age is an invalid argument.",
        "https://github.com/eclipse-uprotocol/up-rust/pull/279",
        &["N-7"],
        |rules, fields, attempt, age| {
            if age.is_some_and(|age| age < 0.0) {
                return Err(Stop::Rejected(Rejection::argument(Argument::MessageAge, "negative")));
            }
            (SPECIFIED.next_delay)(rules, fields, attempt, age)
        },
    ),
    answering(
        "age-infinite-refused",
        "An age that is no finite number is an invalid argument.",
        "https://github.com/microsoft/durabletask-js/pull/274",
        &["N-7"],
        |rules, fields, attempt, age| {
            if age.is_some_and(f64::is_infinite) {
                return Err(Stop::Rejected(Rejection::argument(Argument::MessageAge, "infinite")));
            }
            (SPECIFIED.next_delay)(rules, fields, attempt, age)
        },
    ),
    Bug {
        resolution: Resolution::Millisecond,
        ..answering(
            "age-in-whole-days",
            "Expiry is a matter of dates, and no time of day is looked at.",
            "https://github.com/b0wter/Torpedo/issues/13",
            &["N-3"],
            |rules, fields, attempt, age| {
                old_if(rules, fields, attempt, age, |age, limit| {
                    (age / 86_400.0).floor() >= (limit / 86_400.0).ceil()
                })
            },
        )
    },
];

/// As specified, but for the comparison of a known age with a limit that is set.
fn old_if(
    rules: &Rules,
    fields: &PolicyFields,
    attempt: u32,
    age: Option<f64>,
    is_old: fn(f64, f64) -> bool,
) -> Outcome<NextDelay> {
    let limit = fields.max_message_age;
    judged(
        rules,
        fields,
        attempt,
        age,
        limit > 0.0 && age.is_some_and(|age| is_old(age, limit)),
    )
}

/// As specified, but for the judgement whether the message is too old.
pub(super) fn judged(
    rules: &Rules,
    fields: &PolicyFields,
    attempt: u32,
    age: Option<f64>,
    is_old: bool,
) -> Outcome<NextDelay> {
    let ageless = PolicyFields {
        max_message_age: 0.0,
        ..*fields
    };
    match (SPECIFIED.next_delay)(rules, &ageless, attempt, age)? {
        NextDelay::Retry(_) if is_old => Ok(NextDelay::GiveUp(GiveUp::MaxMessageAge)),
        NextDelay::Retry(_) => Ok(NextDelay::Retry((rules.backoff)(fields, attempt)?)),
        NextDelay::GiveUp(reason) => Ok(NextDelay::GiveUp(reason)),
    }
}
