//! `samewait zoo`: which case kills which broken implementation.

use std::io::{self, Write};

use clap::Args;

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::report::{write_zoo, zoo_object};
use crate::zoo::Kills;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait zoo                                every bug, and what kills it\n  \
    samewait zoo --bug 'overflow-*' --all       every case that kills one of these\n  \
    samewait zoo --filter 'queue/*'             what the cases of one area are worth alone\n\n\
    A bug is also a port: samewait test -- samewait serve --bug NAME")]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Take only bugs whose name matches; may be given several times
    #[arg(long, value_name = "GLOB")]
    bug: Vec<String>,
    /// Name every case that kills a bug, not only the first that cite it
    #[arg(long)]
    all: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    let bugs = select::globs("--bug", &arguments.bug)?;
    let kills = Kills::of(&cases, |bug| arguments.bug.is_empty() || bugs.is_match(bug.name));
    if kills.bugs.is_empty() {
        let names = arguments.bug.join(" or ");
        return Err(Error::Usage(format!(
            "no bug matches {names}; `samewait zoo` shows all names"
        )));
    }
    match arguments.format {
        Format::Human => write_zoo(&kills, &cases, arguments.all, output)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *output, &zoo_object(&kills, &cases)).map_err(io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(if kills.survivors().next().is_none() {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}
