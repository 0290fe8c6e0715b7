//! Fields of zero taken for nothing.

use super::one_rule::judging;
use super::refusal::invalid;
use super::validation::{checked, initial_delay, max_delay, refused_if};
use crate::policy::{HORIZON, PolicyFields};
use crate::question::Then;
use crate::rejection::PolicyField;
use crate::zoo::Bug;
use crate::zoo::rules::Rules;

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    judging(
        "zero-initial-delay-is-a-second",
        "An initial delay of 0 is falsy, and the default of a second wins.",
        "https://github.com/demmer/bluebird-retry/issues/2",
        &["P-6"],
        |fields| {
            checked(PolicyFields {
                initial_delay: or(fields.initial_delay, 1.0),
                ..fields
            })
        },
    ),
    judging(
        "zero-cap-is-a-week",
        "A cap of 0 is falsy, and the default of seven days wins.",
        "https://github.com/Bogdanp/dramatiq/issues/388",
        &["P-4"],
        |fields| {
            checked(PolicyFields {
                max_delay: or(fields.max_delay, 604_800.0),
                ..fields
            })
        },
    ),
    judging(
        "zero-cap-below-the-delay-is-half-a-minute",
        "A cap that is not above the initial delay, 0 among them, is replaced by the default of 30 seconds.",
        "https://github.com/spring-projects/spring-kafka/pull/2967",
        &["P-4", "P-8"],
        |fields| {
            let is_above = fields.max_delay > fields.initial_delay;
            checked(fields).map(|fields| PolicyFields {
                max_delay: if is_above { fields.max_delay } else { 30.0 },
                ..fields
            })
        },
    ),
    judging(
        "zero-jitter-is-a-tenth",
        "A jitter factor of 0 is falsy, and the default of 0.1 wins.",
        "https://github.com/crossbario/autobahn-js/pull/547",
        &["P-6"],
        |fields| {
            checked(PolicyFields {
                jitter_factor: or(fields.jitter_factor, 0.1),
                ..fields
            })
        },
    ),
    judging(
        "zero-age-limit-is-a-quarter-of-an-hour",
        "Where no age limit is set, the default of 15 minutes holds.",
        "https://github.com/ihrwein/backoff/issues/39",
        &["P-5"],
        |fields| {
            checked(PolicyFields {
                max_message_age: or(fields.max_message_age, 900.0),
                ..fields
            })
        },
    ),
    judging(
        "zero-retries-are-five",
        "No retry is falsy, and the default of five wins.",
        "https://github.com/3rd-Eden/jackpot/issues/13",
        &["P-2"],
        |fields| {
            let max_attempts = if fields.max_attempts == 1 {
                6
            } else {
                fields.max_attempts
            };
            checked(PolicyFields { max_attempts, ..fields })
        },
    ),
    judging(
        "zero-initial-delay-refused",
        "An initial delay of 0 is refused.",
        "https://github.com/Azure/azure-sdk-for-java/pull/22357",
        &["P-6"],
        |fields| refused_if(fields, initial_delay, is_none_or_bad),
    ),
    judging(
        "zero-cap-refused",
        "A cap of 0 is refused, since it is not above 0.",
        "https://github.com/elastic/elasticsearch/pull/33648",
        &["P-4"],
        |fields| refused_if(fields, max_delay, is_none_or_bad),
    ),
    Bug::exact(
        "zero-jitter-copy-refused",
        "A copy refuses a jitter factor of 0, so that jitter can't be taken away.",
        "https://github.com/failsafe-lib/failsafe/pull/123",
        &["P-6", "P-15"],
        Rules {
            made: |rules, question| {
                let is_zero = |then: Then| matches!(then, Then::WithJitter(factor) if factor.0 == 0.0);
                if question.then.iter().any(|then| is_zero(then.0)) {
                    return Err(invalid(PolicyField::JitterFactor, &0.0));
                }
                (SPECIFIED.made)(rules, question)
            },
            ..SPECIFIED
        },
    ),
    Bug::exact(
        "zero-age-copy-ignored",
        "A copy with an age limit of 0 keeps the limit it has, since 0 is falsy.",
        "https://github.com/Bogdanp/dramatiq/pull/417",
        &["P-5", "P-15"],
        Rules {
            copy: |fields, then| match then {
                Then::GiveUpAfter(age) if age.0 == 0.0 => fields,
                Then::GiveUpAfter(_) | Then::WithJitter(_) => (SPECIFIED.copy)(fields, then),
            },
            ..SPECIFIED
        },
    ),
];

/// What `number || other` is in a language where 0 is falsy.
pub(super) fn or(number: f64, other: f64) -> f64 {
    if number == 0.0 { other } else { number }
}

fn is_none_or_bad(number: f64) -> bool {
    number <= 0.0 || number.is_nan() || number > HORIZON
}
