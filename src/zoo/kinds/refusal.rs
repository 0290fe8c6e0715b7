//! Policies refused that are legal, and negative zeros told from zeros.

use super::one_rule::judging;
use super::validation::{checked, initial_delay, jitter_factor, max_message_age, multiplier, refused_if};
use crate::policy::{HORIZON, PolicyFields};
use crate::rejection::{PolicyField, Rejection};
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Stop};

pub(super) const BUGS: &[Bug] = &[
    judging(
        "refusal-multiplier-below-two",
        "A multiplier below 2 is refused, a constant wait with it.",
        "https://github.com/neo4j/neo4j-java-driver/pull/1622",
        &["P-1"],
        |fields| refused_if(fields, multiplier, |number| !(2.0..=f64::MAX).contains(&number)),
    ),
    judging(
        "refusal-multiplier-of-one",
        "A multiplier must be above 1, and a constant wait is none.",
        "https://github.com/resilience4j/resilience4j/issues/1810",
        &["P-1"],
        |fields| refused_if(fields, multiplier, |number| number <= 1.0 || !number.is_finite()),
    ),
    judging(
        "refusal-multiplier-asserted",
        "A multiplier below 1.5 ends the process in an assertion.",
        "https://github.com/envoyproxy/envoy/pull/3758",
        &["P-9", "P-1"],
        |fields| {
            if fields.multiplier < 1.5 {
                return Err(Stop::Crashed("assertion failed: multiplier >= 1.5"));
            }
            checked(fields)
        },
    ),
    judging(
        "refusal-jitter-of-one",
        "The upper end of the jitter factor is open, so that 1 is refused.",
        "https://github.com/resilience4j/resilience4j/issues/1909",
        &["P-1"],
        |fields| refused_if(fields, jitter_factor, |number| !(0.0..1.0).contains(&number)),
    ),
    judging(
        "refusal-longest-age",
        "The upper end of the age limit is open, so that the longest is refused.",
        "https://github.com/resilience4j/resilience4j/pull/2109",
        &["P-1"],
        |fields| refused_if(fields, max_message_age, |number| !(0.0..HORIZON).contains(&number)),
    ),
    judging(
        "refusal-initial-delay-above-the-cap",
        "An initial delay above the cap is refused.",
        "https://github.com/7etsuo/tetsuo-pulse/pull/3173",
        &["P-8"],
        |fields| {
            let fields = checked(fields)?;
            refuse_cap_if(
                fields.max_delay > 0.0 && fields.initial_delay > fields.max_delay,
                fields,
            )
        },
    ),
    judging(
        "refusal-initial-delay-equal-to-the-cap",
        "An initial delay equal to the cap is refused, although the text speaks of greater ones.",
        "https://github.com/reactor/reactor-addons/issues/176",
        &["P-8"],
        |fields| {
            let fields = checked(fields)?;
            refuse_cap_if(
                fields.max_delay > 0.0 && fields.initial_delay.to_bits() == fields.max_delay.to_bits(),
                fields,
            )
        },
    ),
    judging(
        "refusal-negative-zero",
        "A negative zero counts as less than zero.",
        "https://github.com/anskaffelser/ehf-postaward-g2/issues/279",
        &["P-7"],
        |fields| {
            refused_if(fields, initial_delay, |number| {
                !(0.0..=HORIZON).contains(&number) || number.is_sign_negative()
            })
        },
    ),
    judging(
        "refusal-negative-zero-kept",
        "A negative zero is kept, and answered with its sign.",
        "https://github.com/uutils/coreutils/pull/4076",
        &["P-7"],
        |fields| checked(fields).map(|_| fields),
    ),
    judging(
        "refusal-attempts-in-16-bits",
        "The number of attempts is kept in 16 bits, and a greater one than 32767 is refused.",
        "https://github.com/riverqueue/river/pull/730",
        &["P-1"],
        |fields| match i16::try_from(fields.max_attempts) {
            Ok(_) => checked(fields),
            Err(_) => Err(invalid(PolicyField::MaxAttempts, &fields.max_attempts)),
        },
    ),
    judging(
        "refusal-negative-attempts-crash",
        "With a negative number of attempts the handler is never run, and its missing error is read.",
        "https://github.com/apache/flink-agents/issues/1136",
        &["P-9"],
        |fields| {
            if fields.max_attempts < 0 {
                return Err(Stop::Crashed("NullPointerException: lastException is null"));
            }
            checked(fields)
        },
    ),
];

pub(super) fn invalid(field: PolicyField, found: &impl ToString) -> Stop {
    Stop::Rejected(Rejection::InvalidPolicy {
        field,
        found: found.to_string(),
    })
}

fn refuse_cap_if(is_refused: bool, fields: PolicyFields) -> Outcome<PolicyFields> {
    if is_refused {
        Err(invalid(PolicyField::MaxDelay, &fields.max_delay))
    } else {
        Ok(fields)
    }
}
