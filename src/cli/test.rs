//! `samewait test`: a port against the vectors.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::exit::Exit;
use super::{Error, Format, Selection, gate, select};
use crate::gate::{Config, Ledger, PortConfig, rewritten};
use crate::port::{Command, Guard, drive};
use crate::printable::counted;
use crate::report::{RunReport, write_human, write_json};

/// The hidden command that the guard process runs.
pub(super) const GUARD: &str = "guard-process-groups";

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait test -- python3 ports/python/port.py\n  \
    samewait test --filter 'jitter/*' --format json -- ./my-port\n\n\
    Without a command, every port of samewait.yaml is driven, side by side:\n  \
    samewait test\n  \
    samewait test --port ruby --write-ledger known.yaml\n\n\
    A port reads questions from its standard input and writes answers to its standard output; see spec/08-port-protocol.md.\n\
    The configuration and the ledger of known failures are described in ports/README.md.")]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) selection: Selection,
    /// How long the port may give no answer while a question is open, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// The ports of a family, each with its own timeout and known failures; used when there is no command
    #[arg(long, value_name = "FILE", default_value = "samewait.yaml")]
    pub(super) config: PathBuf,
    /// Of the configuration take only the port of this name; may be given several times
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub(super) port: Vec<String>,
    /// Do not fail because the toolchain of a port is not there
    #[arg(long, conflicts_with = "command")]
    pub(super) allow_missing: bool,
    /// The known failures of the port that the command starts
    #[arg(long, value_name = "FILE", requires = "command")]
    known_failures: Option<PathBuf>,
    /// Write today's failures of one port as a ledger, keeping what still holds of the one that is there
    #[arg(long, value_name = "FILE")]
    pub(super) write_ledger: Option<PathBuf>,
    /// The command that starts the port, with its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let Some((program, rest)) = arguments.command.split_first() else {
        return gate::run_all(arguments, output);
    };
    if let Some(ledger) = &arguments.known_failures {
        // A family of one.
        let port = PortConfig {
            name: program.clone(),
            command: arguments.command.clone(),
            directory: PathBuf::from("."),
            environment: BTreeMap::new(),
            timeout: arguments.timeout,
            ledger: Ledger::read(ledger)?,
            may_be_missing: false,
        };
        return gate::run(arguments, &Config { ports: vec![port] }, output);
    }
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    let command = Command {
        program: program.clone(),
        arguments: rest.to_vec(),
        directory: None,
        environment: BTreeMap::new(),
        timeout: arguments.timeout,
        guard: Some(Arc::new(guard()?)),
    };
    let mut verdicts = Vec::with_capacity(cases.len());
    let port = drive(&command, cases.iter().copied(), &mut |verdict| verdicts.push(verdict));
    let mut report = RunReport::new(command.line(), port, &cases, verdicts);
    report.hint = select::hint(&arguments.selection);
    if let Some(path) = &arguments.write_ledger {
        return write_ledger(path, &report, output);
    }
    match arguments.format {
        Format::Human => write_human(&report, output)?,
        Format::Json => write_json(&report, output)?,
    }
    if let (Some(unusable), Format::Json) = (&report.port.unusable, arguments.format) {
        writeln!(anstream::stderr(), "error: {unusable}")?;
    }
    Ok(report.outcome().into())
}

/// Writes the failures of a run as a ledger; what can't be read as one is not overwritten.
pub(super) fn write_ledger(path: &Path, report: &RunReport<'_>, output: &mut dyn Write) -> Result<Exit, Error> {
    if let Some(unusable) = &report.port.unusable {
        return Err(Error::Usage(format!(
            "no ledger is written of a port that is unusable: {unusable}"
        )));
    }
    let old = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    let text = rewritten(path, old.as_deref(), &report.cases)?;
    fs::write(path, text)?;
    let totals = report.totals();
    let failures = counted(totals.failed + totals.errored, "failure");
    writeln!(output, "{}: {failures}; give each a reason", path.display())?;
    Ok(Exit::Conforms)
}

/// A second process of this program, which kills the port should this one be killed.
pub(super) fn guard() -> io::Result<Guard> {
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
