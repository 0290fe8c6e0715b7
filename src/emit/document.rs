//! The `json` document: everything about the cases, one of them a line.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::value::RawValue;

use super::{Plan, expected};
use crate::case::{Area, Case};
use crate::question::{Ask, Question};
use crate::version::{FORMAT, KIT, PROTOCOL, SPEC};

/// What stands above the cases.
#[derive(Serialize)]
struct Head<'a> {
    made_by: &'a str,
    kit: &'static str,
    format: u32,
    specification: &'static str,
    protocol: u32,
    set: &'a str,
    count: usize,
    /// How many cases ask each question.
    features: BTreeMap<&'static str, usize>,
}

/// A case, in the wire's own forms.
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    area: Area,
    ask: Ask,
    clauses: &'a [String],
    note: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    control: Option<&'a str>,
    question: &'a Question,
    expected: Box<RawValue>,
}

/// The document: an object whose last key is `cases`.
pub(super) fn write(plan: &Plan<'_>) -> String {
    let mut features = BTreeMap::new();
    for case in plan.cases {
        *features.entry(case.question.ask().name()).or_insert(0) += 1;
    }
    let head = Head {
        made_by: plan.command,
        kit: KIT,
        format: FORMAT,
        specification: SPEC,
        protocol: PROTOCOL,
        set: plan.set_hash,
        count: plan.cases.len(),
        features,
    };
    // Plain data with text keys: writing it can't fail.
    let head = serde_json::to_string_pretty(&head).unwrap_or_default();
    let head = head.trim_end_matches("\n}");
    let lines: Vec<String> = plan.cases.iter().map(|case| format!("    {}", line(case))).collect();
    format!("{head},\n  \"cases\": [\n{}\n  ]\n}}\n", lines.join(",\n"))
}

/// One case as a line of JSON.
pub(super) fn line(case: &Case) -> String {
    let entry = Entry {
        id: &case.id,
        area: case.area,
        ask: case.question.ask(),
        clauses: &case.clauses,
        note: &case.note,
        source: case.source.as_deref(),
        control: case.control.as_deref(),
        question: &case.question,
        expected: expected(&case.expected),
    };
    serde_json::to_string(&entry).unwrap_or_default()
}
