//! The laws of the schedule (chapter 2).

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::inputs::short_policies;
use super::law::Law;
use super::measure::{reported, same};
use super::run::{Failure, Run};
use super::subject::{HasBackoff, HasSchedule};
use crate::answer::Value;
use crate::arbitrary::{MANY, duration_in, factor};
use crate::judge::Number;
use crate::policy::PolicyFields;
use crate::question::{Question, ScheduleQuestion};

/// All of them.
pub const LAWS: &[Law] = &[LENGTH, GROWS, OTHERS, AGREES, BACKOFFS];

const LENGTH: Law = Law {
    name: "schedule::has_one_delay_less_than_attempts",
    clauses: &["P-2", "B-9"],
    advice: "what max_attempts counts: deliveries, the first included, so that 1 means no delay at all",
};

const GROWS: Law = Law {
    name: "schedule::only_grows_at_its_end",
    clauses: &["B-9"],
    advice: "delays that are worked out from the end of the schedule or from its length",
};

const OTHERS: Law = Law {
    name: "schedule::jitter_and_age_limit_do_not_count",
    clauses: &["B-9", "J-8"],
    advice: "jitter or an age limit that is mixed into the schedule",
};

const AGREES: Law = Law {
    name: "schedule::agrees",
    clauses: &["B-4", "B-9"],
    advice: "the steps of B-4, each one binary64 multiplication, and where seconds are converted to the library's unit",
};

const BACKOFFS: Law = Law {
    name: "schedule::is_the_backoffs",
    clauses: &["B-9", "B-10"],
    advice: "two loops that drift apart: let one function make both, the schedule and the delay after one attempt",
};

/// The laws of a schedule by itself, on random policies.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasSchedule>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let policies = short_policies(subject);
    run.law(&LENGTH, &policies, |fields| {
        has_one_delay_less_than_attempts(subject, fields)
    });
    run.law(
        &GROWS,
        &(policies.clone(), 1..=i64::from(MANY)),
        |(fields, max_attempts)| only_grows_at_its_end(subject, fields, max_attempts),
    );
    let others = (policies.clone(), factor(), duration_in(subject.resolution()));
    run.law(&OTHERS, &others, |(fields, factor, age)| {
        jitter_and_age_limit_do_not_count(subject, fields, factor, age)
    });
    run.law(&AGREES, &policies, |fields| agrees(subject, fields));
    run.outcome()
}

/// The law of schedule and backoff, on random policies.
///
/// # Errors
///
/// The law, if it does not hold.
pub fn check_against_backoff<S: HasSchedule + HasBackoff>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    run.law(&BACKOFFS, &short_policies(subject), |fields| {
        is_the_backoffs(subject, fields)
    });
    run.outcome()
}

/// The schedule has `max_attempts` - 1 delays: P-2, B-9.
pub fn has_one_delay_less_than_attempts<S: HasSchedule>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let (asked, delays) = ask(&LENGTH, subject, fields)?;
    let length = i64::try_from(delays.len()).unwrap_or(i64::MAX);
    let expected = fields.max_attempts - 1;
    asked.holds(
        length == expected,
        format_args!("{expected} delays"),
        format_args!("{length} delays"),
    )
}

/// With other attempts the schedule is longer or shorter, and otherwise the same: B-9.
pub fn only_grows_at_its_end<S: HasSchedule>(subject: &S, fields: PolicyFields, max_attempts: i64) -> TestCaseResult {
    let other = PolicyFields { max_attempts, ..fields };
    does_not_change(&GROWS, subject, fields, other)
}

/// Jitter factor and age limit change nothing: B-9, J-8.
pub fn jitter_and_age_limit_do_not_count<S: HasSchedule>(
    subject: &S,
    fields: PolicyFields,
    jitter_factor: f64,
    max_message_age: f64,
) -> TestCaseResult {
    let other = PolicyFields {
        jitter_factor,
        max_message_age,
        ..fields
    };
    does_not_change(&OTHERS, subject, fields, other)
}

/// The schedule is the reference's: to the bit, or less than one unit away.
pub fn agrees<S: HasSchedule>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let (asked, delays) = ask(&AGREES, subject, fields)?;
    asked.agrees(Ok(Value::Delays(delays.into_iter().map(reported).collect())))
}

/// Each delay of the schedule is the backoff of its attempt: B-9, B-10.
pub fn is_the_backoffs<S: HasSchedule + HasBackoff>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let (asked, delays) = ask(&BACKOFFS, subject, fields)?;
    let policy = asked.policy(subject)?;
    for (attempt, delay) in (1..).zip(delays) {
        let backoff = asked.measured(asked.answered(subject.backoff(&policy, attempt))?);
        asked.holds(
            same(delay, backoff),
            format_args!("{backoff}, which is backoff({attempt})"),
            format_args!("{delay} in the schedule after attempt {attempt}"),
        )?;
    }
    Ok(())
}

/// What two policies have in common of their schedules is the same.
fn does_not_change<S: HasSchedule>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    other: PolicyFields,
) -> TestCaseResult {
    let (_, expected) = ask(law, subject, fields)?;
    let (asked, found) = ask(law, subject, other)?;
    for (attempt, (expected, found)) in (1..).zip(expected.into_iter().zip(found)) {
        asked.holds(
            same(expected, found),
            format_args!("{expected} after attempt {attempt}, as of {fields:?}"),
            format_args!("{found} after attempt {attempt}"),
        )?;
    }
    Ok(())
}

fn ask<S: HasSchedule>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
) -> Result<(Asked, Vec<Number>), TestCaseError> {
    let policy = fields.into();
    let asked = Asked::new(law, subject, fields, Question::Schedule(ScheduleQuestion { policy }))?;
    let policy = asked.policy(subject)?;
    let delays = asked.answered(subject.schedule(&policy))?;
    let delays = delays.into_iter().map(|delay| asked.measured(delay)).collect();
    Ok((asked, delays))
}
