//! The laws of the queue (chapter 6).
//!
//! [`keeps_the_book`] holds a trace against every rule of the chapter that a trace can show: no message is lost or doubled, the oldest is
//! delivered first, attempts are counted, failures are followed by what the policy says, leases, delays and TTLs end at their instants and
//! in the order of Q-26, refusals and answers are right. It needs no second queue, and holds whichever consumer gets a message (Q-4).
//! [`agrees`] compares the trace with the reference's, for scenarios that leave no choice.
//!
//! ```
//! use proptest::prelude::*;
//! use samewait::{arbitrary, laws, reference};
//!
//! proptest!(|(scenario in arbitrary::scenario())| {
//!     let trace = reference::run(&scenario)?.trace; // your own queue here
//!     laws::queue::keeps_the_book(&scenario, &trace)?;
//! });
//! ```

mod due;
mod enter;
mod fault;
mod ledger;
mod page;

use proptest::test_runner::{TestCaseError, TestCaseResult};

use super::ask::Asked;
use super::law::Law;
use super::reference::Reference;
use super::run::{Failure, Run};
use super::subject::{HasQueue, Subject};
use crate::answer::Value;
use crate::arbitrary::scenario;
use crate::policy::{Policy, PolicyFields};
use crate::question::{Question, QueueQuestion};
use crate::reference;
use crate::scenario::TraceEvent;
pub use due::Due;
pub use fault::Fault;
pub use ledger::Ledger;

/// All of them.
pub const LAWS: &[Law] = &[BOOK, AGREES];

const BOOK: Law = Law {
    name: "queue::keeps_the_book",
    clauses: &["Q-1", "Q-3", "Q-13", "Q-26", "Q-30"],
    advice: "the event that is found, and the ones before it, in the queue's own trace",
};

const AGREES: Law = Law {
    name: "queue::agrees",
    clauses: &["Q-30"],
    advice: "the first event that differs",
};

/// How many events before a wrong one are shown.
const SHOWN: usize = 5;

/// Every law of this module, on random scenarios.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasQueue>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    run.law(&BOOK, &scenario(), |scenario| {
        let trace = trace(&BOOK, subject, &scenario)?;
        keeps_the_book(&scenario, &trace)
    });
    run.law(&AGREES, &scenario(), |scenario| {
        let trace = trace(&AGREES, subject, &scenario)?;
        agrees(&scenario, &trace)
    });
    run.outcome()
}

/// The trace of a scenario that makes sense, with a legal policy and legal limits, breaks no clause.
///
/// The message shows the first event that does, with the events before it.
pub fn keeps_the_book(scenario: &QueueQuestion, trace: &[TraceEvent]) -> TestCaseResult {
    let asked = asked(&BOOK, &Reference, scenario)?;
    let mut ledger = Ledger::new(policy(scenario)?, scenario.message_ttl.0, scenario.ack_timeout.0);
    let mut events = trace.iter().enumerate();
    let mut told = |(index, fault): (usize, Fault)| {
        let before = trace.get(index.saturating_sub(SHOWN)..index).unwrap_or_default();
        let before: Vec<String> = before.iter().map(|event| format!("  {event}")).collect();
        let before = if before.is_empty() {
            "  nothing".to_owned()
        } else {
            before.join("\n")
        };
        let found = format!("event {index}: {}, after\n{before}", fault.found);
        asked.broken_by(fault.clauses, format!("event {index}: {}", fault.expected), found)
    };
    let mut follow = |ledger: &mut Ledger, by| {
        while let Some(due) = ledger.due(by) {
            let (index, event) = events.next().unzip();
            let index = index.unwrap_or(trace.len());
            due.check(event).map_err(|fault| (index, fault))?;
            if let Some(event) = event {
                ledger.enter(event).map_err(|fault| (index, fault))?;
            }
        }
        Ok(())
    };
    for step in scenario.steps.iter() {
        // Q-25: what is due at or before the step happens before it.
        follow(&mut ledger, step.at).map_err(&mut told)?;
        ledger.act(step.at, &step.action);
        follow(&mut ledger, step.at).map_err(&mut told)?;
    }
    match events.next() {
        None => Ok(()),
        Some((index, event)) => Err(told((index, Fault::new(&["Q-28"], "nothing more", event)))),
    }
}

/// The trace is the reference's. Of a scenario that leaves a choice of consumers (Q-4) nothing is said.
pub fn agrees(scenario: &QueueQuestion, trace: &[TraceEvent]) -> TestCaseResult {
    let asked = asked(&AGREES, &Reference, scenario)?;
    let run = reference::run(scenario).map_err(|rejection| TestCaseError::reject(rejection.to_string()))?;
    if run.had_choice || run.is_cut_off {
        return Ok(());
    }
    asked.agrees(Ok(Value::Trace(trace.to_vec())))
}

fn trace<S: HasQueue>(
    law: &'static Law,
    subject: &S,
    scenario: &QueueQuestion,
) -> Result<Vec<TraceEvent>, TestCaseError> {
    let asked = asked(law, subject, scenario)?;
    let policy = asked.policy(subject)?;
    asked.answered(subject.trace(&policy, scenario))
}

fn asked<S: Subject>(law: &'static Law, subject: &S, scenario: &QueueQuestion) -> Result<Asked, TestCaseError> {
    let fields = PolicyFields::from(scenario.policy);
    Asked::new(law, subject, fields, Question::Queue(scenario.clone()))
}

fn policy(scenario: &QueueQuestion) -> Result<Policy, TestCaseError> {
    Policy::new(scenario.policy.into()).map_err(|rejection| TestCaseError::reject(rejection.to_string()))
}
