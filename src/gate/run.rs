//! All ports side by side.

use std::collections::HashSet;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use schemars::JsonSchema;
use serde::Serialize;

use super::config::{Config, PortConfig};
use super::ledger::Review;
use crate::case::Case;
use crate::judge::Verdict;
use crate::port::{FaultKind, Guard, Unusable, drive};
use crate::report::{Outcome, RunReport};

/// What a shell says when a program is not there.
const NOT_FOUND: i32 = 127;

/// A run of a family.
#[derive(Debug)]
pub struct GateReport<'a> {
    /// The cases that were put.
    pub selected: Vec<&'a Case>,
    /// The ports, in the order of the configuration.
    pub ports: Vec<PortRun<'a>>,
}

/// One port's part in it.
#[derive(Debug)]
pub struct PortRun<'a> {
    /// The port.
    pub config: PortConfig,
    /// The verdicts.
    pub report: RunReport<'a>,
    /// What its ledger says of them.
    pub review: Review,
    /// Whether it is what was expected.
    pub state: State,
}

/// Whether a port's part is what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Everything passed or is known to fail.
    Expected,
    /// Something failed that is not known to, or a line of the ledger does not hold.
    Unexpected,
    /// The port could not be tested to the end.
    Unusable,
    /// Its toolchain is not there, which is legal for it.
    Missing,
    /// Its toolchain is not there, but must be.
    NotRun,
    /// Every case was skipped.
    NothingTested,
}

impl GateReport<'_> {
    /// What the whole run shows. A port that must be there and is not makes it unusable.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let has = |state: State| self.ports.iter().any(|port| port.state == state);
        if has(State::Unusable) || has(State::NotRun) {
            Outcome::Unusable
        } else if has(State::Unexpected) {
            Outcome::DoesNotConform
        } else if has(State::NothingTested) || !has(State::Expected) {
            Outcome::NothingTested
        } else {
            Outcome::Conforms
        }
    }

    /// The cases that no port answered, which shows nothing about them.
    #[must_use]
    pub fn skipped_by_all(&self) -> Vec<&str> {
        let reports = self.ports.iter().flat_map(|port| &port.report.cases);
        let asked: HashSet<&str> = reports
            .filter(|report| !matches!(report.verdict, Verdict::Skipped(_) | Verdict::NotAsked(_)))
            .map(|report| report.case.id.as_str())
            .collect();
        let ids = self.selected.iter().map(|case| case.id.as_str());
        ids.filter(|id| !asked.contains(id)).collect()
    }
}

/// Drives every port of a family, as many at a time as there are processors.
#[must_use]
pub fn run<'a>(
    config: &Config,
    cases: &[&'a Case],
    guard: Option<&Arc<Guard>>,
    may_be_missing: bool,
) -> GateReport<'a> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, PortRun<'a>)>> = Mutex::new(Vec::new());
    let workers = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(config.ports.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(port) = config.ports.get(index) else { break };
                    let run = run_one(port, cases, guard, may_be_missing);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((index, run));
                }
            });
        }
    });
    let mut ports = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    ports.sort_by_key(|(index, _)| *index);
    GateReport {
        selected: cases.to_vec(),
        ports: ports.into_iter().map(|(_, port)| port).collect(),
    }
}

fn run_one<'a>(
    config: &PortConfig,
    cases: &[&'a Case],
    guard: Option<&Arc<Guard>>,
    may_be_missing: bool,
) -> PortRun<'a> {
    let command = config.command(guard.cloned());
    let mut verdicts = Vec::with_capacity(cases.len());
    let port = drive(&command, cases.iter().copied(), &mut |verdict| verdicts.push(verdict));
    let report = RunReport::new(command.line(), port, cases, verdicts);
    let review = config.ledger.review(&report.cases);
    let is_unexpected = |case: &&crate::port::CaseReport<'_>| {
        matches!(case.verdict, Verdict::Failed(_) | Verdict::Errored(_)) && !review.known.contains(&case.case.id)
    };
    // A fault of a case that is known to fail is known, too.
    let is_known = |blame: Option<&str>| blame.is_some_and(|id| review.known.contains(id));
    let has_fault = report.port.faults.iter().any(|fault| !is_known(fault.guilty()));
    let state = match &report.port.unusable {
        Some(unusable) if is_missing(unusable) && (config.may_be_missing || may_be_missing) => State::Missing,
        Some(unusable) if is_missing(unusable) => State::NotRun,
        Some(_) => State::Unusable,
        None if has_fault || !review.problems.is_empty() || report.cases.iter().any(|case| is_unexpected(&case)) => {
            State::Unexpected
        }
        None if report.totals().passed + review.known.len() == 0 => State::NothingTested,
        None => State::Expected,
    };
    PortRun {
        config: config.clone(),
        report,
        review,
        state,
    }
}

/// Whether a port's program, or what its launcher needs, is not installed.
fn is_missing(unusable: &Unusable) -> bool {
    match unusable {
        Unusable::NotStarted { source, .. } => source.kind() == io::ErrorKind::NotFound,
        Unusable::NoHello { fault } => {
            matches!(&fault.kind, FaultKind::Ended { status: Some(status), .. } if status.code() == Some(NOT_FOUND))
        }
        Unusable::BadHello { .. } | Unusable::BadlyWired { .. } | Unusable::GivenUp { .. } => false,
    }
}
