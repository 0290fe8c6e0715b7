//! `samewait test`: a port against the vectors.

use std::io::{self, Write};
use std::process;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::port::{Command, Guard, drive};
use crate::report::{RunReport, write_human, write_json};

/// The hidden command that the guard process runs.
pub(super) const GUARD: &str = "guard-process-groups";

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait test -- python3 ports/python/port.py\n  \
    samewait test --filter 'jitter/*' --format json -- ./my-port\n\n\
    A port reads questions from its standard input and writes answers to its standard output; see spec/08-port-protocol.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// How long the port may give no answer while a question is open, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The command that starts the port, with its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    let (program, rest) = arguments
        .command
        .split_first()
        .ok_or_else(|| Error::Usage("no command after --".to_owned()))?;
    let command = Command {
        program: program.clone(),
        arguments: rest.to_vec(),
        timeout: arguments.timeout,
        guard: Some(Arc::new(guard()?)),
    };
    let mut verdicts = Vec::with_capacity(cases.len());
    let port = drive(&command, cases.iter().copied(), &mut |verdict| verdicts.push(verdict));
    let mut report = RunReport::new(command.line(), port, &cases, verdicts);
    report.hint = select::hint(&arguments.selection);
    match arguments.format {
        Format::Human => write_human(&report, output)?,
        Format::Json => write_json(&report, output)?,
    }
    if let (Some(unusable), Format::Json) = (&report.port.unusable, arguments.format) {
        writeln!(anstream::stderr(), "error: {unusable}")?;
    }
    Ok(report.outcome().into())
}

/// A second process of this program, which kills the port should this one be killed.
fn guard() -> io::Result<Guard> {
    Guard::start(process::Command::new(std::env::current_exe()?).arg(GUARD))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let needed = "needed a number of seconds above 0, such as 10 or 0.5";
    let seconds: f64 = text.parse().map_err(|_| needed.to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(needed.to_owned()),
    }
}
