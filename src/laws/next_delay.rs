//! The laws of the decision after a failure (chapter 3).

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::inputs::{policy_and_attempt, policy_attempt_and_age};
use super::law::Law;
use super::measure::{reported, same};
use super::reply::{Decision, Refused};
use super::run::{Failure, Run};
use super::subject::{HasBackoff, HasNextDelay};
use crate::answer::Value;
use crate::arbitrary::duration_in;
use crate::next_delay::GiveUp;
use crate::policy::PolicyFields;
use crate::question::{NextDelayQuestion, Question, Real};

/// All of them.
pub const LAWS: &[Law] = &[LAST, AGE, YOUNG, NAN, AGREES, BACKOFF];

const LAST: Law = Law {
    name: "next_delay::gives_up_after_the_last_attempt",
    clauses: &["N-2", "N-5"],
    advice: "`>=` or `>` in the comparison with max_attempts, and which of the two limits is looked at first",
};

const AGE: Law = Law {
    name: "next_delay::gives_up_at_the_age_limit",
    clauses: &["N-3", "N-8"],
    advice: "`>=` or `>` in the comparison with max_message_age, its 0 (no limit), and a delay that is added to the age",
};

const YOUNG: Law = Law {
    name: "next_delay::unknown_and_negative_ages_are_young",
    clauses: &["N-6", "N-7"],
    advice: "an unknown age that is read as the time since 1970, and negative ages that wrap or are made positive",
};

const NAN: Law = Law {
    name: "next_delay::an_age_that_is_no_number_is_refused",
    clauses: &["N-1"],
    advice: "the check of the age: NaN compares with nothing, and is judged also when the policy would give up anyway",
};

const AGREES: Law = Law {
    name: "next_delay::agrees",
    clauses: &["N-2", "N-3", "N-4"],
    advice: "the order of the checks: arguments, attempts, age, and then the delay",
};

const BACKOFF: Law = Law {
    name: "next_delay::waits_the_backoff",
    clauses: &["N-4", "J-8"],
    advice: "a second loop for the delay, or jitter in it: the delay is backoff(attempt)",
};

/// The laws of the decision by itself, on random policies, attempts and ages.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasNextDelay>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let asked = policy_attempt_and_age(subject);
    run.law(&LAST, &asked, |(fields, attempt, age)| {
        gives_up_after_the_last_attempt(subject, fields, attempt, age)
    });
    run.law(&AGE, &asked, |(fields, attempt, age)| {
        gives_up_at_the_age_limit(subject, fields, attempt, age)
    });
    let young = (policy_and_attempt(subject), duration_in(subject.resolution()));
    run.law(&YOUNG, &young, |((fields, attempt), age)| {
        unknown_and_negative_ages_are_young(subject, fields, attempt, -age)
    });
    // In whole units there is no NaN to ask about (W-17).
    if subject.resolution().places().is_none() {
        run.law(&NAN, &policy_and_attempt(subject), |(fields, attempt)| {
            an_age_that_is_no_number_is_refused(subject, fields, attempt)
        });
    }
    run.law(&AGREES, &asked, |(fields, attempt, age)| {
        agrees(subject, fields, attempt, age)
    });
    run.outcome()
}

/// The law of decision and backoff, on random policies, attempts and ages.
///
/// # Errors
///
/// The law, if it does not hold.
pub fn check_against_backoff<S: HasNextDelay + HasBackoff>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    run.law(&BACKOFF, &policy_attempt_and_age(subject), |(fields, attempt, age)| {
        waits_the_backoff(subject, fields, attempt, age)
    });
    run.outcome()
}

/// At or past `max_attempts` the reason is `max_attempts`, whatever the age; before it, never: N-2, N-5.
pub fn gives_up_after_the_last_attempt<S: HasNextDelay>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    message_age: Option<f64>,
) -> TestCaseResult {
    let (asked, decision) = ask(&LAST, subject, fields, attempt, message_age)?;
    let is_last = i64::from(attempt) >= fields.max_attempts;
    match decision {
        Decision::GiveUp(Some(GiveUp::MaxAttempts)) => asked.holds(is_last, "another attempt", "give up: max_attempts"),
        Decision::GiveUp(Some(GiveUp::MaxMessageAge)) => {
            asked.holds(!is_last, "give up: max_attempts", "give up: max_message_age")
        }
        Decision::GiveUp(None) => Ok(()),
        Decision::Retry(delay) => asked.holds(!is_last, "give up: max_attempts", format_args!("retry after {delay:?}")),
    }
}

/// While attempts are left, a message is given up exactly when there is an age limit and its known age is the limit or more: N-3, N-8.
pub fn gives_up_at_the_age_limit<S: HasNextDelay>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    message_age: Option<f64>,
) -> TestCaseResult {
    let (asked, decision) = ask(&AGE, subject, fields, attempt, message_age)?;
    if i64::from(attempt) >= fields.max_attempts {
        return Ok(());
    }
    let limit = fields.max_message_age;
    let is_too_old = limit > 0.0 && message_age.is_some_and(|age| age >= limit);
    let gives_up = matches!(decision, Decision::GiveUp(_));
    let expected = if is_too_old {
        "give up: max_message_age"
    } else {
        "another attempt"
    };
    asked.holds(gives_up == is_too_old, expected, format_args!("{decision:?}"))
}

/// An age that is unknown, and one that is 0 or less, are young enough for any limit: N-6, N-7.
pub fn unknown_and_negative_ages_are_young<S: HasNextDelay>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    age: f64,
) -> TestCaseResult {
    for age in [None, Some(age.min(0.0))] {
        let (asked, decision) = ask(&YOUNG, subject, fields, attempt, age)?;
        let is_last = i64::from(attempt) >= fields.max_attempts;
        let gives_up = matches!(decision, Decision::GiveUp(_));
        asked.holds(is_last || !gives_up, "another attempt", format_args!("{decision:?}"))?;
    }
    Ok(())
}

/// An age that is NaN is refused, also when no attempt is left: N-1.
pub fn an_age_that_is_no_number_is_refused<S: HasNextDelay>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
) -> TestCaseResult {
    let age = Some(f64::NAN);
    let asked = Asked::new(&NAN, subject, fields, question(fields, attempt, age))?;
    let policy = asked.policy(subject)?;
    asked.is_refused(
        subject.next_delay(&policy, attempt, age),
        &Refused::field("message_age"),
    )
}

/// The decision is the reference's; a delay to the bit, or less than one unit away.
pub fn agrees<S: HasNextDelay>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    message_age: Option<f64>,
) -> TestCaseResult {
    let (asked, decision) = ask(&AGREES, subject, fields, attempt, message_age)?;
    asked.agrees(Ok(match decision {
        Decision::Retry(delay) => Value::Delay(reported(asked.measured(delay))),
        Decision::GiveUp(Some(reason)) => Value::GiveUp(reason.name().to_owned()),
        Decision::GiveUp(None) => return gives_up_rightly(&asked, &fields, attempt, message_age),
    }))
}

/// When the decision is to try again, the delay is the backoff of that attempt: N-4, J-8.
pub fn waits_the_backoff<S: HasNextDelay + HasBackoff>(
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    message_age: Option<f64>,
) -> TestCaseResult {
    let (asked, decision) = ask(&BACKOFF, subject, fields, attempt, message_age)?;
    let Decision::Retry(delay) = decision else {
        return Ok(());
    };
    let backoff = asked.answered(subject.backoff(&asked.policy(subject)?, attempt))?;
    let (delay, backoff) = (asked.measured(delay), asked.measured(backoff));
    asked.holds(
        same(delay, backoff),
        format_args!("{backoff}, which is backoff({attempt})"),
        delay,
    )
}

/// A library that does not say why it gives up has a reason to.
fn gives_up_rightly(asked: &Asked, fields: &PolicyFields, attempt: u32, age: Option<f64>) -> TestCaseResult {
    let limit = fields.max_message_age;
    let is_too_old = limit > 0.0 && age.is_some_and(|age| age >= limit);
    let is_last = i64::from(attempt) >= fields.max_attempts;
    asked.holds(is_last || is_too_old, "another attempt", "give up")
}

fn ask<S: HasNextDelay>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    attempt: u32,
    message_age: Option<f64>,
) -> Result<(Asked, Decision), TestCaseError> {
    let asked = Asked::new(law, subject, fields, question(fields, attempt, message_age))?;
    let policy = asked.policy(subject)?;
    let decision = asked.answered(subject.next_delay(&policy, attempt, message_age))?;
    Ok((asked, decision))
}

fn question(fields: PolicyFields, attempt: u32, message_age: Option<f64>) -> Question {
    Question::NextDelay(NextDelayQuestion {
        policy: fields.into(),
        attempt: attempt.into(),
        message_age: message_age.map(Real),
    })
}
