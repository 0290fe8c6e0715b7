//! What is said of a run. Totals are counted from the verdicts, which are never judged again here.

mod human;
mod json;
mod matrix;
mod stats;
mod table;
mod zoo;

pub use human::write_human;
pub use json::write_json;
pub(crate) use json::{CaseForm, CaseList, CheckForm, GateForm, IndexForm, ProblemForm, TestForm, gate_object, value};
pub use matrix::write_matrix;
pub use stats::{GateResults, Stats};
pub(crate) use zoo::ZooForm;
pub use zoo::{write_zoo, zoo_object};

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::case::{Area, Case};
use crate::judge::Verdict;
use crate::port::{CaseReport, PortReport};

/// What is expected of draws in [`TWO_FRESH_PROCESSES`](crate::judge::TWO_FRESH_PROCESSES).
const OTHER_DRAWS: &str = "other draws in each process";

/// A run of one port over a selection of cases.
#[derive(Debug)]
pub struct RunReport<'a> {
    /// The command of the port.
    pub command: String,
    /// What is to be said of the port as a whole.
    pub port: PortReport,
    /// One verdict for each selected case, in the order of the vectors.
    pub cases: Vec<CaseReport<'a>>,
    /// What `samewait explain ID` needs besides, to find these vectors; empty or with a blank in front.
    pub hint: String,
}

impl<'a> RunReport<'a> {
    /// Brings the verdicts into the order of the vectors.
    #[must_use]
    pub fn new(command: String, port: PortReport, selected: &[&'a Case], mut cases: Vec<CaseReport<'a>>) -> Self {
        let order: HashMap<&str, usize> = selected
            .iter()
            .enumerate()
            .map(|(index, case)| (case.id.as_str(), index))
            .collect();
        cases.sort_by_key(|report| order.get(report.case.id.as_str()).copied());
        let hint = String::new();
        Self {
            command,
            port,
            cases,
            hint,
        }
    }

    /// The verdicts, counted.
    #[must_use]
    pub fn totals(&self) -> Totals {
        Totals::of(self.cases.iter())
    }

    /// The verdicts on the cases of one area, counted.
    #[must_use]
    pub fn totals_of(&self, area: Area) -> Totals {
        Totals::of(self.cases.iter().filter(|report| report.case.area == area))
    }

    /// What the run shows.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let totals = self.totals();
        if self.port.unusable.is_some() {
            Outcome::Unusable
        } else if totals.failed + totals.errored > 0 || !self.port.faults.is_empty() {
            Outcome::DoesNotConform
        } else if totals.passed == 0 {
            Outcome::NothingTested
        } else {
            Outcome::Conforms
        }
    }
}

/// What a run shows of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Every case that was not skipped passed, and the port kept the protocol.
    Conforms,
    /// A case failed or errored, or the port broke the protocol.
    DoesNotConform,
    /// The port could not be tested to the end.
    Unusable,
    /// Every case was skipped, which shows nothing.
    NothingTested,
}

/// Verdicts, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// The answer was right.
    pub passed: usize,
    /// The answer was wrong.
    pub failed: usize,
    /// There was no answer to judge.
    pub errored: usize,
    /// The port was not asked.
    pub skipped: usize,
}

impl Totals {
    fn of<'a, 'b: 'a>(reports: impl Iterator<Item = &'a CaseReport<'b>>) -> Self {
        let mut totals = Self::default();
        for report in reports {
            *match report.verdict {
                Verdict::Passed => &mut totals.passed,
                Verdict::Failed(_) => &mut totals.failed,
                Verdict::Errored(_) | Verdict::NotAsked(_) => &mut totals.errored,
                Verdict::Skipped(_) => &mut totals.skipped,
            } += 1;
        }
        totals
    }

    /// All of them.
    #[must_use]
    pub fn selected(self) -> usize {
        self.passed + self.failed + self.errored + self.skipped
    }
}
