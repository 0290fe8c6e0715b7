//! The cases, listed.

use schemars::JsonSchema;
use serde::Serialize;

use crate::case::{Area, Case};
use crate::question::Ask;

/// The selected cases, in the order of the vectors: `samewait list --format json`.
#[derive(Serialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct CaseList<'a>(Vec<ListedCase<'a>>);

/// A case without its question and its answer.
#[derive(Serialize, JsonSchema)]
struct ListedCase<'a> {
    /// The case's id.
    id: &'a str,
    /// The group it belongs to.
    area: Area,
    /// The question it puts.
    ask: Ask,
    /// The clauses it tests.
    clauses: &'a [String],
    /// What it is about, in one sentence.
    note: &'a str,
    /// A public report whose fault it would have caught, or null.
    source: Option<&'a str>,
    /// The file it stands in.
    file: &'a str,
    /// The line it begins in, counted from 1.
    line: usize,
}

impl<'a> CaseList<'a> {
    /// A list of cases.
    pub(crate) fn of(cases: &[&'a Case]) -> Self {
        let listed = |case: &&'a Case| ListedCase {
            id: &case.id,
            area: case.area,
            ask: case.question.ask(),
            clauses: &case.clauses,
            note: &case.note,
            source: case.source.as_deref(),
            file: &case.place.file,
            line: case.place.line,
        };
        Self(cases.iter().map(listed).collect())
    }
}
