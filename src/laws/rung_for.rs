//! The laws of how a delay finds its rung (chapter 5).

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::inputs::{ladder, ladder_of, name, policy_and_names};
use super::ladder::{ask, legal};
use super::law::Law;
use super::reply::Refused;
use super::run::{Failure, Run};
use super::subject::{HasLadder, LadderOf};
use crate::answer::Value;
use crate::arbitrary::{MANY, any_real, duration_in, in_units, threshold};
use crate::ladder::Ladder;
use crate::policy::PolicyFields;
use crate::question::{Question, Real, RungForQuestion};

/// All of them.
pub const LAWS: &[Law] = &[OWN, LONGER, REFUSED, AGREES];

const OWN: Law = Law {
    name: "rung_for::each_broker_wait_has_its_own_rung",
    clauses: &["L-1", "L-2", "L-7", "L-10", "L-11"],
    advice: "the threshold (`>=`, and 0 for none), and milliseconds that are cut off instead of rounded",
};

const LONGER: Law = Law {
    name: "rung_for::a_longer_delay_finds_no_shorter_rung",
    clauses: &["L-10", "L-11"],
    advice: "the search: the shortest rung that is not shorter than the delay, else the longest",
};

const REFUSED: Law = Law {
    name: "rung_for::odd_arguments_are_refused",
    clauses: &["L-12"],
    advice: "the order of the checks: queue, threshold, the ladder itself, and then the delay",
};

const AGREES: Law = Law {
    name: "rung_for::agrees",
    clauses: &["L-10", "L-11"],
    advice: "the search in milliseconds, and delays that are longer than every rung",
};

/// Every law of this module, on random policies, names, thresholds and delays.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasLadder>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let resolution = subject.resolution();
    let (one, any) = (ladder(subject), policy_and_names(subject));
    run.law(&OWN, &one, |(fields, of)| {
        each_broker_wait_has_its_own_rung(subject, fields, ladder_of(&of))
    });
    let two = (one.clone(), duration_in(resolution), duration_in(resolution));
    run.law(&LONGER, &two, |((fields, of), delay, other)| {
        a_longer_delay_finds_no_shorter_rung(subject, fields, ladder_of(&of), delay, other)
    });
    let queue = prop_oneof![3 => name(), 1 => Just(String::new())];
    let odd = |usual| any_real(usual).prop_map(move |seconds| in_units(seconds, resolution));
    let odd = (any.clone(), queue, odd(threshold()), odd(duration_in(resolution)));
    run.law(
        &REFUSED,
        &odd,
        |((fields, (_, exchange, _)), queue, threshold, delay)| {
            odd_arguments_are_refused(subject, fields, ladder_of(&(queue, exchange, threshold)), delay)
        },
    );
    run.law(&AGREES, &(any, duration_in(resolution)), |((fields, of), delay)| {
        agrees(subject, fields, ladder_of(&of), delay)
    });
    run.outcome()
}

/// Each delay of the schedule that waits in the broker finds a rung of exactly its own milliseconds, no other delay finds one, and no
/// rung is there for nothing: L-1, L-2, L-7, L-10, L-11.
pub fn each_broker_wait_has_its_own_rung<S: HasLadder>(
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
) -> TestCaseResult {
    let (asked, rungs) = ask(&OWN, subject, fields, of)?;
    let policy = asked.policy(subject)?;
    let mut found_names: Vec<String> = Vec::new();
    for (delay, _) in legal(fields)?.schedule().runs().take(usize::from(MANY)) {
        let milliseconds = (delay * 1000.0).round();
        let waits_in_broker = of.threshold > 0.0 && delay >= of.threshold && milliseconds > 0.0;
        let found = asked.answered(subject.rung_for(&policy, of, delay))?;
        let ttl_ms = found
            .as_ref()
            .and_then(|name| rungs.iter().find(|rung| rung.name == *name))
            .map(|rung| rung.ttl_ms);
        let own = waits_in_broker.then(|| format!("{milliseconds:.0}"));
        let is_own = found.is_some() == waits_in_broker && ttl_ms.map(|ttl_ms| ttl_ms.to_string()) == own;
        let expected = own.map_or("no rung".to_owned(), |ms| format!("a rung of {ms} ms"));
        asked.holds(
            is_own,
            format_args!("{expected} for {delay:?} s"),
            format_args!("{found:?}, of {ttl_ms:?} ms"),
        )?;
        found_names.extend(found);
    }
    found_names.dedup();
    let names: Vec<String> = rungs.into_iter().map(|rung| rung.name).collect();
    asked.holds(
        found_names == names,
        format_args!("the rungs {found_names:?}"),
        format_args!("{names:?}"),
    )
}

/// Of two delays, the longer one finds a rung that is not shorter: L-10, L-11.
pub fn a_longer_delay_finds_no_shorter_rung<S: HasLadder>(
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
    one: f64,
    other: f64,
) -> TestCaseResult {
    let (_, rungs) = ask(&LONGER, subject, fields, of)?;
    let asked = Asked::new(&LONGER, subject, fields, question(fields, of, one.max(other)))?;
    let policy = asked.policy(subject)?;
    let place = |delay: f64| {
        let name = asked.answered(subject.rung_for(&policy, of, delay))?;
        Ok::<_, TestCaseError>(name.map(|name| rungs.iter().position(|rung| rung.name == name)))
    };
    let (short, long) = (place(one.min(other))?, place(one.max(other))?);
    let expected = format!(
        "a rung of the ladder, not before rung {short:?}, which {:?} s finds",
        one.min(other)
    );
    asked.holds(
        short <= long && long != Some(None),
        expected,
        format_args!("rung {long:?}"),
    )
}

/// An empty queue, a threshold out of range, and then a delay out of range are refused: L-12. Of arguments in range nothing is said.
pub fn odd_arguments_are_refused<S: HasLadder>(
    subject: &S,
    fields: PolicyFields,
    of: LadderOf<'_>,
    delay: f64,
) -> TestCaseResult {
    let asked = Asked::new(&REFUSED, subject, fields, question(fields, of, delay))?;
    let policy = asked.policy(subject)?;
    let ladder = Ladder::new(&legal(fields)?, of.queue, of.exchange, of.threshold);
    match ladder.and_then(|ladder| ladder.rung_for(delay).map(drop)) {
        Ok(()) => Ok(()),
        Err(rejection) => asked
            .note(&rejection)
            .is_refused(subject.rung_for(&policy, of, delay), &Refused::from(rejection)),
    }
}

/// The rung that a delay finds is the reference's.
pub fn agrees<S: HasLadder>(subject: &S, fields: PolicyFields, of: LadderOf<'_>, delay: f64) -> TestCaseResult {
    let asked = Asked::new(&AGREES, subject, fields, question(fields, of, delay))?;
    let rung = subject.rung_for(&asked.policy(subject)?, of, delay);
    asked.agrees(rung.map(Value::Rung))
}

fn question(fields: PolicyFields, of: LadderOf<'_>, delay: f64) -> Question {
    Question::RungFor(RungForQuestion {
        policy: fields.into(),
        queue: of.queue.to_owned(),
        exchange: of.exchange.to_owned(),
        threshold: Real(of.threshold),
        delay: Real(delay),
    })
}
