//! The laws of the ladder (chapter 5): its rungs. How a delay finds its rung is in [`rung_for`](super::rung_for).

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::inputs::{ladder, ladder_of, policy_and_names};
use super::law::Law;
use super::reply::Refused;
use super::run::{Failure, Run};
use super::subject::{HasLadder, LadderOf};
use crate::answer::{RungValue, Value};
use crate::ladder::{MAX_TTL_MS, Rung};
use crate::policy::{Policy, PolicyFields};
use crate::question::{LadderQuestion, Question, Real};

/// All of them.
pub const LAWS: &[Law] = &[ASCEND, NAMES, ARGUMENTS, TOO_LONG, AGREES];

const ASCEND: Law = Law {
    name: "ladder::rungs_ascend",
    clauses: &["L-3", "L-4", "L-7"],
    advice: "delays that come to the same number of milliseconds: they share one rung",
};

const NAMES: Law = Law {
    name: "ladder::names_say_their_ttl",
    clauses: &["L-5", "L-6"],
    advice: "labels: the largest of h, m, s and ms that divides the TTL exactly, and nothing else in the name",
};

const ARGUMENTS: Law = Law {
    name: "ladder::rungs_return_to_their_queue",
    clauses: &["L-8", "L-13"],
    advice: "the dead-letter arguments: the exchange as given, and the source queue as routing key",
};

const TOO_LONG: Law = Law {
    name: "ladder::a_rung_too_long_refuses_the_ladder",
    clauses: &["L-4"],
    advice: "TTLs above 315360000000 ms (3650 days): no broker takes them, so that the whole ladder is refused",
};

const AGREES: Law = Law {
    name: "ladder::agrees",
    clauses: &["L-2", "L-7", "L-9"],
    advice: "milliseconds: binary64 seconds times 1000, rounded once, halves away from zero",
};

/// Every law of this module, on random policies, names and thresholds.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasLadder>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let (one, any) = (ladder(subject), policy_and_names(subject));
    run.law(&ASCEND, &one, |(fields, of)| {
        rungs_ascend(subject, fields, ladder_of(&of))
    });
    run.law(&NAMES, &one, |(fields, of)| {
        names_say_their_ttl(subject, fields, ladder_of(&of))
    });
    run.law(&ARGUMENTS, &one, |(fields, of)| {
        rungs_return_to_their_queue(subject, fields, ladder_of(&of))
    });
    run.law(&TOO_LONG, &any, |(fields, of)| {
        a_rung_too_long_refuses_the_ladder(subject, fields, ladder_of(&of))
    });
    run.law(&AGREES, &any, |(fields, of)| agrees(subject, fields, ladder_of(&of)));
    run.outcome()
}

/// No TTL stands twice, the shortest comes first, and each is one that a broker takes: L-3, L-4, L-7.
pub fn rungs_ascend<S: HasLadder>(subject: &S, fields: PolicyFields, of: LadderOf<'_>) -> TestCaseResult {
    let (asked, rungs) = ask(&ASCEND, subject, fields, of)?;
    let ttls: Vec<u64> = rungs.iter().map(|rung| rung.ttl_ms).collect();
    let ascends = ttls.is_sorted_by(|one, next| one < next);
    let is_legal = ttls.iter().all(|ttl| (1..=MAX_TTL_MS).contains(ttl));
    asked.holds(
        ascends && is_legal,
        format_args!("TTLs that ascend, 1 to {MAX_TTL_MS} ms"),
        format_args!("{ttls:?} ms"),
    )
}

/// A rung's name is the queue, `.retry.` and its TTL in the largest unit that divides it: L-5, L-6.
pub fn names_say_their_ttl<S: HasLadder>(subject: &S, fields: PolicyFields, of: LadderOf<'_>) -> TestCaseResult {
    let (asked, rungs) = ask(&NAMES, subject, fields, of)?;
    rungs.iter().try_for_each(|rung| {
        let ttl_ms = rung.ttl_ms;
        let said = rung
            .name
            .strip_prefix(of.queue)
            .and_then(|rest| ttl_of(rest.strip_prefix(".retry.")?));
        let expected = format!(
            "{}.retry. and {ttl_ms} ms in the largest unit that divides it",
            of.queue
        );
        asked.holds(said == Some(ttl_ms), expected, &rung.name)
    })
}

/// A rung hands its messages to the exchange given, for the source queue: L-8, L-13.
pub fn rungs_return_to_their_queue<S: HasLadder>(
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
) -> TestCaseResult {
    let (asked, rungs) = ask(&ARGUMENTS, subject, fields, of)?;
    rungs.iter().try_for_each(|rung| {
        let returns = rung.dead_letter_exchange == of.exchange && rung.dead_letter_routing_key == of.queue;
        let expected = format!("exchange {:?}, routing key {:?}", of.exchange, of.queue);
        let found = format!(
            "exchange {:?}, routing key {:?}",
            rung.dead_letter_exchange, rung.dead_letter_routing_key
        );
        asked.holds(returns, expected, found)
    })
}

/// A ladder is refused as too long exactly when a wait of its schedule would be a rung of more than 3650 days: L-4.
pub fn a_rung_too_long_refuses_the_ladder<S: HasLadder>(
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
) -> TestCaseResult {
    let asked = Asked::new(&TOO_LONG, subject, fields, question(fields, of))?;
    let too_long =
        |delay: f64| of.threshold > 0.0 && delay >= of.threshold && (delay * 1000.0).round() > 315_360_000_000.0;
    let policy = asked.policy(subject)?;
    let answer = subject.rungs(&policy, of);
    match legal(fields)?.schedule().runs().find(|(delay, _)| too_long(*delay)) {
        Some((delay, _)) => asked
            .note(format!("{delay:?} s is too long"))
            .is_refused(answer, &Refused::RungTooLong),
        None => asked.answered(answer).map(drop),
    }
}

/// The rungs are the reference's, whatever the library's resolution.
pub fn agrees<S: HasLadder>(subject: &S, fields: PolicyFields, of: LadderOf<'_>) -> TestCaseResult {
    let asked = Asked::new(&AGREES, subject, fields, question(fields, of))?;
    let rungs = subject.rungs(&asked.policy(subject)?, of);
    asked.agrees(rungs.map(|rungs| Value::Rungs(rungs.iter().map(RungValue::from).collect())))
}

/// The reference's policy, for the delays of its schedule.
pub(super) fn legal(fields: PolicyFields) -> Result<Policy, TestCaseError> {
    Policy::new(fields).map_err(|rejection| TestCaseError::reject(rejection.to_string()))
}

pub(super) fn ask<S: HasLadder>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
) -> Result<(Asked, Vec<Rung>), TestCaseError> {
    let asked = Asked::new(law, subject, fields, question(fields, of))?;
    let rungs = asked.answered(subject.rungs(&asked.policy(subject)?, of))?;
    Ok((asked, rungs))
}

fn question(fields: PolicyFields, of: LadderOf<'_>) -> Question {
    Question::Ladder(LadderQuestion {
        policy: fields.into(),
        queue: of.queue.to_owned(),
        exchange: of.exchange.to_owned(),
        threshold: Real(of.threshold),
    })
}

/// The TTL that a label spells, if it is spelled in the largest unit that divides it.
fn ttl_of(label: &str) -> Option<u64> {
    let (digits, unit) = label.split_at(label.find(|c: char| !c.is_ascii_digit())?);
    let (length, longer) = match unit {
        "ms" => (1, 1_000),
        "s" => (1_000, 60_000),
        "m" => (60_000, 3_600_000),
        "h" => (3_600_000, u64::MAX),
        _ => return None,
    };
    let ttl_ms = digits.parse::<u64>().ok()?.checked_mul(length)?;
    (!digits.starts_with('0') && !ttl_ms.is_multiple_of(longer)).then_some(ttl_ms)
}
