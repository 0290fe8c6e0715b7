//! `samewait list`: the cases.

use std::io::Write;

use clap::Args;
use serde_json::{Value as Json, json};

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::case::Case;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  samewait list --filter 'ladder/*'\n  samewait list --format json")]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    match arguments.format {
        Format::Human => {
            for case in cases {
                writeln!(output, "{} [{}]\n    {}", case.id, case.clauses.join(", "), case.note)?;
            }
        }
        Format::Json => {
            let cases: Json = cases.into_iter().map(object).collect();
            serde_json::to_writer_pretty(&mut *output, &cases).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(Exit::Conforms)
}

fn object(case: &Case) -> Json {
    json!({
        "id": case.id,
        "area": case.area,
        "ask": case.question.ask(),
        "clauses": case.clauses,
        "note": case.note,
        "source": case.source,
        "file": case.place.file,
        "line": case.place.line,
    })
}
