//! `samewait list`: the cases.

use std::io::Write;

use clap::Args;
use serde_json::{Value as Json, json};

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::case::Case;
use crate::clause::{self, Clause};
use crate::report::{CaseList, value};

/// How much of a clause's text the map shows, in characters.
const OPENING: usize = 84;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  samewait list --filter 'ladder/*'\n  samewait list --format json\n  \
    samewait list --clauses                  the map of clauses and cases\n  samewait list --clauses --filter 'jitter/*'"
)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// List the clauses of the specification instead, each with its cases
    #[arg(long)]
    clauses: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    if arguments.clauses {
        return map(&cases, arguments.format, output);
    }
    match arguments.format {
        Format::Human => {
            for case in cases {
                writeln!(output, "{} [{}]\n    {}", case.id, case.clauses.join(", "), case.note)?;
            }
        }
        Format::Json => {
            serde_json::to_writer_pretty(&mut *output, &value(&CaseList::of(&cases))).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(Exit::Conforms)
}

/// The map of clauses and cases: what each rule is tested by.
fn map(cases: &[&Case], format: Format, output: &mut dyn Write) -> Result<Exit, Error> {
    let rows: Vec<(&Clause, Vec<&str>)> = clause::all()
        .map(|clause| {
            let cites = |case: &&&Case| case.clauses.iter().any(|number| number == clause.number);
            (
                clause,
                cases.iter().filter(cites).map(|case| case.id.as_str()).collect(),
            )
        })
        .collect();
    match format {
        Format::Human => {
            for (clause, ids) in &rows {
                let opening = opening(&clause.text);
                match (ids.len(), clause::why_no_case(clause.number)) {
                    (0, Some(why)) => writeln!(output, "{:<5}    -  {opening}\n            {why}", clause.number)?,
                    (count, _) => writeln!(output, "{:<5} {count:>4}  {opening}", clause.number)?,
                }
            }
        }
        Format::Json => {
            let clauses: Json = rows
                .iter()
                .map(|(clause, ids)| {
                    json!({"clause": clause.number, "text": clause.text, "cases": ids, "no_case_because": clause::why_no_case(clause.number)})
                })
                .collect();
            serde_json::to_writer_pretty(&mut *output, &clauses).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(Exit::Conforms)
}

/// The beginning of a clause, on one line.
fn opening(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(OPENING) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
    }
}
