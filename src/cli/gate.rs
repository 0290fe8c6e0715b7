//! `samewait test` without a command: every port of a family.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::exit::Exit;
use super::{Error, Format, select, test};
use crate::gate::{self, Config, GateReport};
use crate::report::{gate_object, write_matrix};

pub(super) fn run_all(arguments: &test::Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    if !arguments.config.exists() {
        let config = arguments.config.display();
        let text =
            format!("no command after -- and no {config}: give one of them (`samewait test --help` has examples)");
        return Err(Error::Usage(text));
    }
    let mut config = Config::read(&arguments.config)?;
    if !arguments.port.is_empty() {
        let names: Vec<String> = config.ports.iter().map(|port| port.name.clone()).collect();
        if let Some(unknown) = arguments.port.iter().find(|name| !names.contains(name)) {
            return Err(Error::Usage(format!(
                "no port `{unknown}`, needed one of {}",
                names.join(", ")
            )));
        }
        config.ports.retain(|port| arguments.port.contains(&port.name));
    }
    run(arguments, &config, output)
}

/// Drives the ports and tells what is unexpected.
pub(super) fn run(arguments: &test::Arguments, config: &Config, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&arguments.selection)?;
    let cases = select::filter(&set, &arguments.selection)?;
    let mut gate = gate::run(config, &cases, Some(&Arc::new(test::guard()?)), arguments.allow_missing);
    for port in &mut gate.ports {
        port.report.hint = select::hint(&arguments.selection);
    }
    if let Some(path) = &arguments.write_ledger {
        return write_ledger(path, &gate, output);
    }
    match arguments.format {
        Format::Human => write_matrix(&gate, output)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *output, &gate_object(&gate)).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(gate.outcome().into())
}

fn write_ledger(path: &Path, gate: &GateReport<'_>, output: &mut dyn Write) -> Result<Exit, Error> {
    match &gate.ports[..] {
        [only] => test::write_ledger(path, &only.report, output),
        _ => Err(Error::Usage(
            "--write-ledger writes the ledger of one port: name it with --port".to_owned(),
        )),
    }
}
