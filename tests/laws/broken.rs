//! No law holds of everything: for each there are subjects that only it, or it among others, finds broken.

mod backoffs;
mod jitters;
mod ladders;
mod next_delays;
mod policies;
mod schedules;

use std::collections::BTreeSet;

use samewait::laws::{self, Failure};

use super::subject::Subject;

/// A law, what the subject does wrong, and the subject.
type Row = (&'static str, &'static str, Subject);

#[test]
fn each_law_catches_what_it_is_there_for() {
    let mut missed = Vec::new();
    for (law, about, subject) in rows() {
        match check(law, subject) {
            Ok(()) => missed.push(format!("{law}: nothing is found where {about}")),
            Err(failure) => match failure.of(law) {
                Some(message) => assert!(message.starts_with(law), "{message}"),
                None => missed.push(format!("{law} holds where {about}, and this is found:\n{failure}")),
            },
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn each_law_has_something_to_catch() {
    let caught: BTreeSet<&str> = rows().map(|(law, ..)| *law).collect();
    let queue = |name: &&str| name.starts_with("queue::");
    let all: BTreeSet<&str> = laws::all().map(|law| law.name).filter(|name| !queue(name)).collect();
    assert_eq!(caught, all);
}

#[test]
fn each_law_cites_clauses_that_are_there() {
    for law in laws::all() {
        assert!(!law.clauses.is_empty(), "{}", law.name);
        for clause in law.clauses {
            assert!(samewait::clause::text(clause).is_some(), "{}: {clause}", law.name);
        }
    }
}

/// The checks of the law's module.
fn check(law: &str, subject: &Subject) -> Result<(), Failure> {
    let (module, name) = law.split_once("::").expect("a path");
    match (module, name) {
        ("policy", _) => laws::policy::check(subject),
        ("fields", name) if name.contains("copy") => laws::fields::check_copies(subject),
        ("fields", _) => laws::fields::check(subject),
        ("backoff", _) => laws::backoff::check(subject),
        ("schedule", "is_the_backoffs") => laws::schedule::check_against_backoff(subject),
        ("schedule", _) => laws::schedule::check(subject),
        ("next_delay", "waits_the_backoff") => laws::next_delay::check_against_backoff(subject),
        ("next_delay", _) => laws::next_delay::check(subject),
        ("jitter", _) => laws::jitter::check(subject),
        ("ladder", _) => laws::ladder::check(subject),
        ("rung_for", _) => laws::rung_for::check(subject),
        (other, _) => unreachable!("no module {other}"),
    }
}

fn rows() -> impl Iterator<Item = &'static Row> {
    let all = [
        policies::ROWS,
        backoffs::ROWS,
        schedules::ROWS,
        next_delays::ROWS,
        jitters::ROWS,
        ladders::ROWS,
    ];
    all.into_iter().flatten()
}
