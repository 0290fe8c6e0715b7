//! Numbers that slip into a policy.

use super::one_rule::judging;
use crate::policy::{HORIZON, MAX_ATTEMPTS, Policy, PolicyFields, without_negative_zero};
use crate::zoo::Bug;
use crate::zoo::rules::Outcome;

pub(super) const BUGS: &[Bug] = &[
    judging(
        "validation-nan-multiplier",
        "A multiplier is refused when it is below 1, and NaN is below nothing.",
        "https://github.com/microsoft/durabletask-js/pull/274",
        &["P-9"],
        |fields| refused_if(fields, multiplier, |number| number < 1.0 || number.is_infinite()),
    ),
    judging(
        "validation-infinite-multiplier",
        "An infinite multiplier is above 1 and accepted.",
        "https://github.com/kent8192/reinhardt-web/issues/765",
        &["P-9"],
        |fields| refused_if(fields, multiplier, |number| number < 1.0 || number.is_nan()),
    ),
    judging(
        "validation-shrinking-multiplier",
        "A multiplier between 0 and 1 is accepted, and the delays shrink.",
        "https://github.com/resilience4j/resilience4j/pull/1816",
        &["P-9"],
        |fields| refused_if(fields, multiplier, |number| number <= 0.0 || !number.is_finite()),
    ),
    judging(
        "validation-negative-multiplier",
        "A negative multiplier is accepted as long as its size is 1 or more.",
        "https://github.com/openai/openai-agents-python/issues/3270",
        &["P-9"],
        |fields| refused_if(fields, multiplier, |number| number.abs() < 1.0 || !number.is_finite()),
    ),
    judging(
        "validation-negative-initial-delay",
        "A negative initial delay is accepted, and a sleep of less than nothing is none.",
        "https://github.com/openai/openai-agents-python/issues/3270",
        &["P-9"],
        |fields| refused_if(fields, initial_delay, |number| number > HORIZON || number.is_nan()),
    ),
    judging(
        "validation-nan-initial-delay",
        "An initial delay is refused when it is below 0 or too long, and NaN is neither.",
        "https://github.com/denoland/std/pull/6922",
        &["P-9"],
        |fields| refused_if(fields, initial_delay, |number| !within_or_nan(number)),
    ),
    judging(
        "validation-infinite-initial-delay",
        "An infinite delay is above 0 and accepted; finite ones are judged.",
        "https://github.com/openai/openai-agents-python/pull/4558",
        &["P-9"],
        |fields| {
            refused_if(fields, initial_delay, |number| {
                !(within(number) || number == f64::INFINITY)
            })
        },
    ),
    judging(
        "validation-no-longest-delay",
        "An initial delay has no upper limit as long as it is finite.",
        "https://github.com/numikel/law-scrapper-mcp/issues/27",
        &["P-9"],
        |fields| refused_if(fields, initial_delay, |number| !(0.0..f64::INFINITY).contains(&number)),
    ),
    judging(
        "validation-nan-cap",
        "A cap is refused when it is below 0 or too long, and NaN is neither.",
        "https://github.com/denoland/std/pull/6922",
        &["P-9"],
        |fields| refused_if(fields, max_delay, |number| !within_or_nan(number)),
    ),
    judging(
        "validation-infinite-cap-is-none",
        "An infinite cap is accepted, since it caps nothing.",
        "https://github.com/pathosDev/actor-ts/issues/771",
        &["P-9"],
        |fields| checked(none_if(fields, max_delay, |number| number == f64::INFINITY)),
    ),
    judging(
        "validation-minus-one-is-no-cap",
        "A cap of -1 is accepted and means that there is none.",
        "https://github.com/microsoft/durabletask-js/pull/274",
        &["P-9"],
        |fields| checked(none_if(fields, max_delay, |number| (-1.0..=-1.0).contains(&number))),
    ),
    judging(
        "validation-jitter-above-one",
        "A jitter factor is refused when it is negative, and has no upper limit.",
        "https://github.com/medz/oxy/pull/34",
        &["P-9"],
        |fields| refused_if(fields, jitter_factor, |number| number < 0.0 || number.is_nan()),
    ),
    judging(
        "validation-negative-jitter",
        "A jitter factor is refused when it is above 1, and has no lower limit.",
        "https://github.com/denoland/std/pull/6922",
        &["P-9"],
        |fields| refused_if(fields, jitter_factor, |number| number > 1.0 || number.is_nan()),
    ),
    judging(
        "validation-nan-jitter",
        "A jitter factor is refused when it is below 0 or above 1, and NaN is neither.",
        "https://github.com/7etsuo/tetsuo-pulse/pull/3173",
        &["P-9"],
        |fields| {
            refused_if(fields, jitter_factor, |number| {
                !(0.0..=1.0).contains(&number) && !number.is_nan()
            })
        },
    ),
    judging(
        "validation-jitter-in-percent",
        "A jitter factor above 1 is taken as percent, up to 100.",
        "https://github.com/valkey-io/valkey-glide/issues/3925",
        &["P-9"],
        |fields| {
            let is_percent = fields.jitter_factor > 1.0 && fields.jitter_factor <= 100.0;
            let divisor = if is_percent { 100.0 } else { 1.0 };
            checked(PolicyFields {
                jitter_factor: fields.jitter_factor / divisor,
                ..fields
            })
        },
    ),
    judging(
        "validation-age-limit-not-judged",
        "The limits of delays and attempts are judged, and the age limit is forgotten.",
        "https://github.com/microsoft/kiota-dotnet/issues/802",
        &["P-9"],
        |fields| refused_if(fields, max_message_age, |_| false),
    ),
    judging(
        "validation-zero-attempts-for-ever",
        "A maximum of 0 attempts means that there is none.",
        "https://github.com/palantir/conjure-go-runtime/pull/154",
        &["P-9"],
        |fields| checked(for_ever_if(fields, fields.max_attempts == 0)),
    ),
    judging(
        "validation-minus-one-attempts-for-ever",
        "A maximum of -1 attempts means that there is none.",
        "https://github.com/demmer/bluebird-retry/issues/4",
        &["P-9"],
        |fields| checked(for_ever_if(fields, fields.max_attempts == -1)),
    ),
    judging(
        "validation-attempts-without-an-end",
        "A number of attempts above 2147483647 is accepted as good as infinite.",
        "https://github.com/FGRibreau/node-request-retry/issues/17",
        &["P-9"],
        |fields| checked(for_ever_if(fields, fields.max_attempts > i64::from(MAX_ATTEMPTS))),
    ),
    judging(
        "validation-zero-attempts-are-one",
        "A maximum of 0 attempts is silently made 1.",
        "https://github.com/restatedev/restate/pull/3774",
        &["P-9"],
        |fields| {
            let max_attempts = if fields.max_attempts == 0 {
                1
            } else {
                fields.max_attempts
            };
            checked(PolicyFields { max_attempts, ..fields })
        },
    ),
];

/// The checks as specified.
pub(super) fn checked(fields: PolicyFields) -> Outcome<PolicyFields> {
    Ok(Policy::new(fields)?.fields())
}

/// The checks as specified, but for one field, of which no more is asked than this.
pub(super) fn refused_if(mut fields: PolicyFields, field: Field, is_bad: fn(f64) -> bool) -> Outcome<PolicyFields> {
    let number = *field(&mut fields);
    // No field may be NaN, and each may be 1.
    *field(&mut fields) = if is_bad(number) { f64::NAN } else { 1.0 };
    let mut accepted = checked(fields)?;
    *field(&mut accepted) = without_negative_zero(number);
    Ok(accepted)
}

/// One of the five numbers that are not counts.
type Field = fn(&mut PolicyFields) -> &mut f64;

pub(super) fn initial_delay(fields: &mut PolicyFields) -> &mut f64 {
    &mut fields.initial_delay
}

pub(super) fn multiplier(fields: &mut PolicyFields) -> &mut f64 {
    &mut fields.multiplier
}

pub(super) fn max_delay(fields: &mut PolicyFields) -> &mut f64 {
    &mut fields.max_delay
}

pub(super) fn jitter_factor(fields: &mut PolicyFields) -> &mut f64 {
    &mut fields.jitter_factor
}

pub(super) fn max_message_age(fields: &mut PolicyFields) -> &mut f64 {
    &mut fields.max_message_age
}

fn within(number: f64) -> bool {
    (0.0..=HORIZON).contains(&number)
}

fn within_or_nan(number: f64) -> bool {
    within(number) || number.is_nan()
}

fn none_if(mut fields: PolicyFields, field: Field, is_none: fn(f64) -> bool) -> PolicyFields {
    if is_none(*field(&mut fields)) {
        *field(&mut fields) = 0.0;
    }
    fields
}

fn for_ever_if(fields: PolicyFields, is_for_ever: bool) -> PolicyFields {
    let most = i64::from(MAX_ATTEMPTS);
    let max_attempts = if is_for_ever { most } else { fields.max_attempts };
    PolicyFields { max_attempts, ..fields }
}
