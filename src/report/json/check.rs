//! What `samewait check` finds.

use schemars::JsonSchema;
use serde::Serialize;

use super::CaseForm;
use crate::index::Kept;
use crate::load::Problem;

/// Vectors held against their rules, and the reference against the vectors: `samewait check --format json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "CheckReport")]
pub(crate) enum CheckForm<'a> {
    /// Vectors that keep the rules of their format.
    Compared {
        /// Whether the reference answers as they expect.
        conforms: bool,
        /// How many files there are.
        files: usize,
        /// How many cases were compared.
        cases: usize,
        /// Always empty.
        #[schemars(length(max = 0))]
        problems: [ProblemForm<'a>; 0],
        /// The cases that the reference answers otherwise.
        differences: Vec<CaseForm<'a>>,
        /// What the index of ids does not say of them; only with `--index`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(required)]
        index: Option<IndexForm<'a>>,
        /// The hash of the set; only with `--index`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(required)]
        hash: Option<String>,
    },
    /// Vectors that break rules of their format, and so were not compared.
    Refused {
        /// Always false.
        #[schemars(extend("const" = false))]
        conforms: bool,
        /// What breaks the rules, at least one thing.
        #[schemars(length(min = 1))]
        problems: Vec<ProblemForm<'a>>,
    },
}

/// Cases held against the index of all ids.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Index")]
pub(crate) struct IndexForm<'a> {
    /// The ids that the index does not have yet.
    added: Vec<&'a str>,
    /// How many ids the index has as gone.
    tombstones: usize,
}

impl<'a> IndexForm<'a> {
    /// The form of what an index says.
    pub(crate) fn of(kept: &'a Kept) -> Self {
        Self {
            added: kept.new.keys().map(String::as_str).collect(),
            tombstones: kept.tombstones,
        }
    }
}

/// A rule broken at a place.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct ProblemForm<'a> {
    /// The file, as it was named.
    file: &'a str,
    /// The line, counted from 1.
    line: usize,
    /// The column in characters, counted from 1.
    column: usize,
    /// What was found, and what was needed.
    text: &'a str,
}

impl<'a> From<&'a Problem> for ProblemForm<'a> {
    fn from(problem: &'a Problem) -> Self {
        Self {
            file: &problem.place.file,
            line: problem.place.line,
            column: problem.place.column,
            text: &problem.text,
        }
    }
}
