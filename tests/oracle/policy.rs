//! Chapter 1: which policies are legal, and what the factories and copies make.

use samewait::answer::Refusal;
use samewait::question::{Make, PolicyArgument, PolicyQuestion, Then};

/// A legal policy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Policy {
    pub(crate) max_attempts: i64,
    pub(crate) initial_delay: f64,
    pub(crate) multiplier: f64,
    pub(crate) max_delay: f64,
    pub(crate) jitter_factor: f64,
    pub(crate) max_message_age: f64,
}

/// 2^32 seconds.
pub(crate) const HORIZON: f64 = 4_294_967_296.0;

/// The highest `max_attempts` and attempt: 2^31 - 1.
pub(crate) const HIGHEST_ATTEMPT: i64 = 2_147_483_647;

/// The defaults of the table, which P-12 makes the policy `none`.
const DEFAULTS: Policy = Policy {
    max_attempts: 1,
    initial_delay: 0.0,
    multiplier: 2.0,
    max_delay: 0.0,
    jitter_factor: 0.0,
    max_message_age: 0.0,
};

/// P-9 and P-10: the policy, or the first field in the order of the table that is outside its legal values.
pub(crate) fn given(argument: &PolicyArgument) -> Result<Policy, Refusal> {
    checked(Policy {
        max_attempts: argument.max_attempts,
        initial_delay: argument.initial_delay.0,
        multiplier: argument.multiplier.0,
        max_delay: argument.max_delay.0,
        jitter_factor: argument.jitter_factor.0,
        max_message_age: argument.max_message_age.0,
    })
}

/// P-12 to P-16: what a factory makes, and then each copy in its turn.
pub(crate) fn made(question: &PolicyQuestion) -> Result<Policy, Refusal> {
    let start = match question.make.0 {
        Make::Fields(ref argument) => given(argument),
        Make::None(_) => checked(DEFAULTS),
        Make::Fixed(fixed) => checked(Policy {
            max_attempts: fixed.max_attempts,
            initial_delay: fixed.delay.0,
            multiplier: 1.0,
            ..DEFAULTS
        }),
        Make::Exponential(exponential) => checked(Policy {
            max_attempts: exponential.max_attempts,
            initial_delay: exponential.initial_delay.0,
            max_delay: exponential.max_delay.0,
            multiplier: 2.0,
            jitter_factor: 0.2,
            ..DEFAULTS
        }),
    };
    let mut policy = start?;
    for step in &question.then {
        // All other fields are legal already, so the whole check can only find the one that is new.
        policy = match step.0 {
            Then::GiveUpAfter(age) => checked(Policy {
                max_message_age: age.0,
                ..policy
            })?,
            Then::WithJitter(factor) => checked(Policy {
                jitter_factor: factor.0,
                ..policy
            })?,
        };
    }
    Ok(policy)
}

fn checked(policy: Policy) -> Result<Policy, Refusal> {
    let table = [
        ("max_attempts", (1..=HIGHEST_ATTEMPT).contains(&policy.max_attempts)),
        ("initial_delay", is_within(policy.initial_delay, 0.0, HORIZON)),
        ("multiplier", is_within(policy.multiplier, 1.0, f64::MAX)),
        ("max_delay", is_within(policy.max_delay, 0.0, HORIZON)),
        ("jitter_factor", is_within(policy.jitter_factor, 0.0, 1.0)),
        ("max_message_age", is_within(policy.max_message_age, 0.0, HORIZON)),
    ];
    match table.into_iter().find(|(_, is_legal)| !is_legal) {
        Some((field, _)) => Err(refusal("invalid_policy", Some(field))),
        None => Ok(Policy {
            initial_delay: positive_zero(policy.initial_delay),
            max_delay: positive_zero(policy.max_delay),
            jitter_factor: positive_zero(policy.jitter_factor),
            max_message_age: positive_zero(policy.max_message_age),
            ..policy
        }),
    }
}

/// Both ends belong to the range, and NaN to none.
pub(crate) fn is_within(number: f64, low: f64, high: f64) -> bool {
    (low..=high).contains(&number)
}

/// P-7.
pub(crate) fn positive_zero(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number }
}

pub(crate) fn refusal(code: &str, field: Option<&str>) -> Refusal {
    Refusal {
        code: code.to_owned(),
        field: field.map(str::to_owned),
    }
}

pub(crate) fn invalid_argument(field: &str) -> Refusal {
    refusal("invalid_argument", Some(field))
}
