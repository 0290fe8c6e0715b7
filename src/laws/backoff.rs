//! The laws of the delay after an attempt (chapter 2).

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::inputs::{policy_and_attempt, quick};
use super::law::Law;
use super::measure::{at_most, is, like, reported, same, seconds, unit};
use super::reply::Refused;
use super::run::{Failure, Run};
use super::subject::HasBackoff;
use crate::answer::Value;
use crate::arbitrary::{attempt, duration_in, factor};
use crate::judge::Number;
use crate::policy::{HORIZON, MAX_ATTEMPTS, PolicyFields};
use crate::question::{BackoffQuestion, Question};

/// All of them.
pub const LAWS: &[Law] = &[FIRST, CEILING, RISES, STAYS, STEP, MAX, OTHERS, RANGE, AGREES];

const FIRST: Law = Law {
    name: "backoff::the_first_is_the_initial_delay",
    clauses: &["B-4", "B-6"],
    advice: "the exponent of the first attempt, which is 0, and the cap, which bounds the first delay too",
};

const CEILING: Law = Law {
    name: "backoff::stays_under_the_ceiling",
    clauses: &["B-3", "B-6", "B-7"],
    advice: "where the cap is applied: to each product, not to the one before it, and also when the product overflows",
};

const RISES: Law = Law {
    name: "backoff::never_falls",
    clauses: &["B-4", "B-7"],
    advice: "integers that overflow, an exponent that is cut off, a cap that resets the delay",
};

const STAYS: Law = Law {
    name: "backoff::stays_at_the_ceiling",
    clauses: &["B-6"],
    advice: "what happens after the cap was reached: every later delay is the cap",
};

const STEP: Law = Law {
    name: "backoff::is_the_one_before_times_the_multiplier",
    clauses: &["B-4", "B-5"],
    advice: "power functions, products rounded to a unit on the way, and a multiplier that is applied twice or not at all",
};

const MAX: Law = Law {
    name: "backoff::does_not_ask_max_attempts",
    clauses: &["B-1"],
    advice: "attempts past the last: backoff answers for them as for any other",
};

const OTHERS: Law = Law {
    name: "backoff::jitter_and_age_limit_do_not_count",
    clauses: &["B-9", "J-6", "J-8"],
    advice: "jitter that is mixed into backoff itself",
};

const RANGE: Law = Law {
    name: "backoff::attempts_out_of_range_are_refused",
    clauses: &["B-2"],
    advice: "attempt 0 (attempts are counted from 1), and attempts above 2147483647",
};

const AGREES: Law = Law {
    name: "backoff::agrees",
    clauses: &["B-4", "B-5"],
    advice: "the steps of B-4, each one binary64 multiplication, and where seconds are converted to the library's unit",
};

/// Every law of this module, on random policies and attempts.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasBackoff>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let one = policy_and_attempt(subject);
    run.law(&FIRST, &subject.policies(), |fields| {
        the_first_is_the_initial_delay(subject, fields)
    });
    run.law(&CEILING, &one, |(fields, attempt)| {
        stays_under_the_ceiling(subject, fields, attempt)
    });
    run.law(&RISES, &one, |(fields, attempt)| never_falls(subject, fields, attempt));
    let two = (one.clone(), subject.attempts())
        .prop_map(|((fields, attempt), other)| (fields, attempt, quick(&fields, other)));
    run.law(&STAYS, &two, |(fields, attempt, other)| {
        stays_at_the_ceiling(subject, fields, attempt, other)
    });
    run.law(&STEP, &one, |(fields, attempt)| {
        is_the_one_before_times_the_multiplier(subject, fields, attempt)
    });
    run.law(&MAX, &(one.clone(), attempt()), |((fields, attempt), max_attempts)| {
        does_not_ask_max_attempts(subject, fields, attempt, max_attempts)
    });
    let others = (one.clone(), factor(), duration_in(subject.resolution()));
    run.law(&OTHERS, &others, |((fields, attempt), factor, age)| {
        jitter_and_age_limit_do_not_count(subject, fields, attempt, factor, age)
    });
    let out_of_range = prop_oneof![Just(0), Just(MAX_ATTEMPTS + 1), MAX_ATTEMPTS + 1..=u32::MAX];
    run.law(&RANGE, &(subject.policies(), out_of_range), |(fields, attempt)| {
        attempts_out_of_range_are_refused(subject, fields, attempt)
    });
    run.law(&AGREES, &one, |(fields, attempt)| agrees(subject, fields, attempt));
    run.outcome()
}

/// The first delay is the initial delay, or the ceiling where that is lower: B-4, B-6.
pub fn the_first_is_the_initial_delay<S: HasBackoff>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let (asked, first) = ask(&FIRST, subject, fields, 1)?;
    asked.is(first, fields.initial_delay.min(ceiling(&fields)))
}

/// No delay is above the ceiling, below zero, or a negative zero: B-3, B-6, B-7.
pub fn stays_under_the_ceiling<S: HasBackoff>(subject: &S, fields: PolicyFields, attempt: u32) -> TestCaseResult {
    let (asked, delay) = ask(&CEILING, subject, fields, attempt)?;
    let ceiling = like(delay, ceiling(&fields));
    let is_under = at_most(delay, ceiling);
    let is_positive = match delay {
        Number::Seconds(seconds) => seconds.is_sign_positive(),
        Number::Count(count, _) => count >= 0,
    };
    asked.holds(is_under && is_positive, format_args!("0 to {ceiling}"), delay)
}

/// No delay is shorter than the one before: B-4, B-7.
pub fn never_falls<S: HasBackoff>(subject: &S, fields: PolicyFields, attempt: u32) -> TestCaseResult {
    let (_, before) = ask(&RISES, subject, fields, attempt)?;
    let (asked, delay) = ask(&RISES, subject, fields, next(attempt))?;
    let rises = at_most(before, delay);
    asked.holds(
        rises,
        format_args!("at least {before}, which is backoff({attempt})"),
        delay,
    )
}

/// Once the ceiling is reached, every later delay is the ceiling: B-6.
pub fn stays_at_the_ceiling<S: HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    other: u32,
) -> TestCaseResult {
    let (_, earlier) = ask(&STAYS, subject, fields, attempt.min(other))?;
    let (asked, later) = ask(&STAYS, subject, fields, attempt.max(other))?;
    let is_reached = at_most(like(earlier, ceiling(&fields)), earlier);
    let earlier = format!("{earlier}, which backoff({}) has reached", attempt.min(other));
    asked.holds(!is_reached || is(later, ceiling(&fields)), earlier, later)
}

/// A delay under the ceiling, times the multiplier, is the next one, or the ceiling is: B-4, B-5.
///
/// To the bit in a library of exact seconds; within what one unit in either delay makes in others.
pub fn is_the_one_before_times_the_multiplier<S: HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
) -> TestCaseResult {
    let (_, before) = ask(&STEP, subject, fields, attempt)?;
    let (asked, delay) = ask(&STEP, subject, fields, next(attempt))?;
    if attempt == next(attempt) {
        return Ok(());
    }
    let product = (seconds(before) * fields.multiplier).min(ceiling(&fields));
    // One unit in either delay, and what binary64 adds here.
    let slack = unit(delay) * (1.0 + fields.multiplier) + product * (4.0 * f64::EPSILON);
    let expected = format!(
        "{}, which is backoff({attempt}) times the multiplier, under the ceiling",
        like(delay, product)
    );
    let is_product = match delay {
        Number::Seconds(seconds) => seconds.to_bits() == product.to_bits(),
        Number::Count(..) => (seconds(delay) - product).abs() <= slack,
    };
    asked.holds(is_product, expected, delay)
}

/// The delay is the same whatever `max_attempts` is: B-1.
pub fn does_not_ask_max_attempts<S: HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    max_attempts: i64,
) -> TestCaseResult {
    let other = PolicyFields { max_attempts, ..fields };
    does_not_change(&MAX, subject, fields, other, attempt)
}

/// The delay is the same whatever the jitter factor and the age limit are: B-9, J-6, J-8.
pub fn jitter_and_age_limit_do_not_count<S: HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    jitter_factor: f64,
    max_message_age: f64,
) -> TestCaseResult {
    let other = PolicyFields {
        jitter_factor,
        max_message_age,
        ..fields
    };
    does_not_change(&OTHERS, subject, fields, other, attempt)
}

/// An attempt outside 1 to 2147483647 is refused, as `attempt`: B-2. Of an attempt in range nothing is said.
pub fn attempts_out_of_range_are_refused<S: HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
) -> TestCaseResult {
    if (1..=MAX_ATTEMPTS).contains(&attempt) {
        return Ok(());
    }
    let asked = Asked::new(&RANGE, subject, fields, question(fields, attempt))?;
    let policy = asked.policy(subject)?;
    asked.is_refused(subject.backoff(&policy, attempt), &Refused::field("attempt"))
}

/// The delay is the reference's: to the bit, or less than one unit away.
pub fn agrees<S: HasBackoff>(subject: &S, fields: PolicyFields, attempt: u32) -> TestCaseResult {
    let (asked, delay) = ask(&AGREES, subject, fields, attempt)?;
    asked.agrees(Ok(Value::Delay(reported(delay))))
}

fn does_not_change<S: HasBackoff>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    other: PolicyFields,
    attempt: u32,
) -> TestCaseResult {
    let (_, expected) = ask(law, subject, fields, attempt)?;
    let (asked, found) = ask(law, subject, other, attempt)?;
    asked.holds(
        same(expected, found),
        format_args!("{expected}, as of {fields:?}"),
        found,
    )
}

fn ask<S: HasBackoff>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
) -> Result<(Asked, Number), TestCaseError> {
    let asked = Asked::new(law, subject, fields, question(fields, attempt))?;
    let policy = asked.policy(subject)?;
    let delay = asked.answered(subject.backoff(&policy, attempt))?;
    let delay = asked.measured(delay);
    Ok((asked, delay))
}

fn question(fields: PolicyFields, attempt: u32) -> Question {
    Question::Backoff(BackoffQuestion {
        policy: fields.into(),
        attempt: attempt.into(),
    })
}

fn next(attempt: u32) -> u32 {
    attempt.saturating_add(1).min(MAX_ATTEMPTS)
}

/// What bounds every delay (B-3).
pub(super) fn ceiling(fields: &PolicyFields) -> f64 {
    if fields.max_delay > 0.0 {
        fields.max_delay
    } else {
        HORIZON
    }
}
