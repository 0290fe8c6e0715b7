//! Cases as test files need them: a table for each question, in which a test is a row.

use super::tree::Tree;
use super::{Plan, expected};
use crate::answer::{Answer, Refusal, Value};
use crate::case::Case;
use crate::judge::{counts_within_one_unit, skip_for_resolution};
use crate::printable::counted;
use crate::question::{Ask, PolicyArgument};
use crate::version::{FORMAT, KIT, SPEC};
use crate::wire::Resolution;

/// The tables of a test file, and what its header says.
pub(super) struct Tables<'a> {
    /// One for each question asked.
    pub(super) of_each_ask: Vec<Table<'a>>,
    /// Lines of at most 80 characters.
    pub(super) header: Vec<String>,
    pub(super) resolution: Resolution,
}

/// The cases that ask one question; never empty.
pub(super) struct Table<'a> {
    pub(super) ask: Ask,
    pub(super) rows: Vec<Row<'a>>,
}

/// One case.
pub(super) struct Row<'a> {
    pub(super) id: &'a str,
    pub(super) note: &'a str,
    /// By name, in the order of the wire.
    pub(super) arguments: Vec<(String, Tree)>,
    pub(super) expected: Expected,
}

/// What a library must answer.
pub(super) enum Expected {
    /// A value, with the wire's name for it: `delay`, `rungs`.
    Value(&'static str, Tree),
    /// A refusal.
    Rejected(Refusal),
}

impl Tables<'_> {
    /// Whether some number is NaN or infinite.
    pub(super) fn have_non_finite(&self) -> bool {
        let mut rows = self.of_each_ask.iter().flat_map(|table| &table.rows);
        rows.any(|row| row.arguments.iter().any(|(_, value)| value.has_non_finite()))
    }

    /// Whether delays are counts.
    pub(super) fn are_counted(&self) -> bool {
        self.resolution != Resolution::Exact
    }
}

impl<'a> Tables<'a> {
    /// The tables of the plan, in the order of the specification.
    pub(super) fn of(plan: &Plan<'a>) -> Self {
        let mut random = 0;
        let mut odd = 0;
        let mut tables: Vec<Table<'a>> = Ask::ALL.map(|ask| Table { ask, rows: vec![] }).into();
        for case in plan.cases {
            let ask = case.question.ask();
            if ask == Ask::JitterSamples {
                random += 1;
            } else if skip_for_resolution(&case.question, plan.resolution).is_some() {
                odd += 1;
            } else if let Some(table) = tables.iter_mut().find(|table| table.ask == ask) {
                table.rows.push(row(case, plan.resolution));
            }
        }
        tables.retain(|table| !table.rows.is_empty());
        let cases = tables.iter().map(|table| table.rows.len()).sum();
        Self {
            of_each_ask: tables,
            header: header(plan, cases, random, odd),
            resolution: plan.resolution,
        }
    }
}

impl Table<'_> {
    /// The names of the arguments, which all rows have.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &str> {
        let first = self.rows.first();
        first
            .into_iter()
            .flat_map(|row| row.arguments.iter().map(|(name, _)| name.as_str()))
    }
}

/// Whether a field of a policy has its default, and so need not be written (P-1).
pub(super) fn is_default(field: &str, value: &Tree) -> bool {
    let defaults = serde_json::to_string(&PolicyArgument::default()).unwrap_or_default();
    let is_same = |(name, default): &(String, Tree)| name == field && format!("{default:?}") == format!("{value:?}");
    Tree::read(&defaults).entries().iter().any(is_same)
}

fn header(plan: &Plan<'_>, cases: usize, random: usize, odd: usize) -> Vec<String> {
    let mut header = vec![
        format!("Made by `{}`. Do not edit: make it anew.", plan.command),
        format!(
            "samewait {KIT}, specification {SPEC}, vector format {FORMAT}, {}, from the set",
            counted(cases, "case")
        ),
        format!("{}.", plan.set_hash),
    ];
    if plan.resolution != Resolution::Exact {
        let unit = plan.resolution;
        header.push(format!(
            "Delays are counts of {unit}: right is what is less than one unit away."
        ));
    }
    if random > 0 {
        header.push(format!(
            "Left out: {} of random delays (jitter_samples).",
            counted(random, "case")
        ));
    }
    if odd > 0 {
        let (odd, unit) = (counted(odd, "case"), plan.resolution);
        header.push(format!(
            "Left out: {odd} with durations that are no whole counts of {unit}."
        ));
    }
    header
}

fn row(case: &Case, resolution: Resolution) -> Row<'_> {
    let question = serde_json::to_string(&case.question).unwrap_or_default();
    Row {
        id: &case.id,
        note: &case.note,
        arguments: Tree::read(&question).with_numbers().entries().to_vec(),
        expected: match &case.expected {
            Answer::Rejected(refusal) => Expected::Rejected(refusal.clone()),
            Answer::Value(value) => Expected::Value(key(value), right(&case.expected, value, resolution)),
        },
    }
}

fn key(value: &Value) -> &'static str {
    match value {
        Value::Policy(_) => "policy",
        Value::Delays(_) | Value::Between(_) => "delays",
        Value::Delay(_) => "delay",
        Value::GiveUp(_) => "give_up",
        Value::Rungs(_) => "rungs",
        Value::Rung(_) => "rung",
        Value::Trace(_) => "trace",
    }
}

/// The value that the wire has under its one key, with delays as the library counts them.
fn right(answer: &Answer, value: &Value, resolution: Resolution) -> Tree {
    let delay = |seconds: f64| {
        let counts = resolution
            .places()
            .and_then(|places| counts_within_one_unit(seconds, places));
        counts.map_or(Tree::Real(seconds), |(least, greatest)| Tree::Counts(least, greatest))
    };
    match value {
        Value::Delay(seconds) => delay(*seconds),
        Value::Delays(delays) => Tree::List(delays.iter().copied().map(delay).collect()),
        Value::Policy(_)
        | Value::Between(_)
        | Value::GiveUp(_)
        | Value::Rungs(_)
        | Value::Rung(_)
        | Value::Trace(_) => {
            let mut inner = Tree::read(expected(answer).get());
            // {"value": {"rungs": ...}}
            for _ in 0..2 {
                if let Tree::Map(entries) = &mut inner
                    && let Some((_, value)) = entries.pop()
                {
                    inner = value;
                }
            }
            inner
        }
    }
}
