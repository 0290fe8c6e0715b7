//! The family's ports: `samewait.yaml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::ledger::Ledger;
use crate::load::{LoadError, read_text, typed};
use crate::port::{Command, Guard};
use crate::yaml::{Fault, Outline};

/// How long a port may make no progress where its entry does not say so.
const DEFAULT_TIMEOUT: f64 = 10.0;

/// The ports of a family.
#[derive(Debug)]
pub struct Config {
    /// In the order of the file; at least one, each under a name of its own.
    pub ports: Vec<PortConfig>,
}

/// One port of a family.
#[derive(Debug, Clone)]
pub struct PortConfig {
    /// What reports call it.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs: relative to the configuration file, whose folder is the default.
    pub directory: PathBuf,
    /// What is added to its environment.
    pub environment: BTreeMap<String, String>,
    /// How long it may make no progress.
    pub timeout: Duration,
    /// Its known failures.
    pub ledger: Ledger,
    /// Whether the gate may be green without it.
    pub may_be_missing: bool,
}

impl PortConfig {
    /// How to start it.
    #[must_use]
    pub fn command(&self, guard: Option<Arc<Guard>>) -> Command {
        let (program, arguments) = self
            .command
            .split_first()
            .map_or(("", &[][..]), |(program, rest)| (program, rest));
        Command {
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            directory: Some(self.directory.clone()),
            environment: self.environment.clone(),
            timeout: self.timeout,
            guard,
        }
    }
}

impl Config {
    /// Reads a configuration and the ledgers that it names.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when a file can't be read or breaks the rules, with the place.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        let file = path.display().to_string();
        let (raw, outline): (RawConfig, Outline) = typed(&file, &read_text(path)?)?;
        let problems = |faults| LoadError::of_faults(&file, faults);
        let places = outline.get("ports").map_or(&[][..], Outline::items);
        if places.is_empty() {
            return Err(problems(vec![Fault::new(
                outline.key("ports"),
                "no ports, needed at least one",
            )]));
        }
        // The parent of a bare name is the empty path, which is no directory.
        let folder = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut ports: Vec<PortConfig> = Vec::new();
        for (raw, place) in raw.ports.into_iter().zip(places) {
            let fault = |key, text: String| Err(problems(vec![Fault::new(place.key(key), text)]));
            if raw.name.is_empty() || ports.iter().any(|port| port.name == raw.name) {
                return fault("name", format!("name `{}`, needed one of its own", raw.name));
            }
            if raw.command.is_empty() {
                return fault(
                    "command",
                    "an empty command, needed a program and its arguments".to_owned(),
                );
            }
            let timeout = match Duration::try_from_secs_f64(raw.timeout) {
                Ok(timeout) if !timeout.is_zero() => timeout,
                _ => {
                    return fault(
                        "timeout",
                        format!("timeout {:?}, needed a number of seconds above 0", raw.timeout),
                    );
                }
            };
            let directory = folder.join(raw.directory);
            if !directory.is_dir() {
                return fault("directory", format!("no directory {}, needed one", directory.display()));
            }
            ports.push(PortConfig {
                name: raw.name,
                command: raw.command,
                directory,
                environment: raw.environment,
                timeout,
                ledger: match raw.known_failures {
                    Some(ledger) => Ledger::read(&folder.join(ledger))?,
                    None => Ledger::default(),
                },
                may_be_missing: raw.may_be_missing,
            });
        }
        Ok(Self { ports })
    }
}

/// The ports of a family, for `samewait test`, which drives them side by side.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawConfig {
    /// The ports, at least one, in the order in which reports have them.
    #[schemars(length(min = 1))]
    ports: Vec<RawPort>,
}

/// One port of the family.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Port")]
struct RawPort {
    /// What reports call it: a name of its own.
    #[schemars(length(min = 1), example = &"python")]
    name: String,
    /// The program and its arguments, one text each. No shell takes part.
    #[schemars(length(min = 1), example = &["python3", "ports/python/port.py"])]
    command: Vec<String>,
    /// Where the port runs, relative to this file; the file's own folder where it is not said.
    #[serde(default)]
    directory: PathBuf,
    /// What is added to the environment of the port.
    #[serde(default)]
    environment: BTreeMap<String, String>,
    /// How long the port may give no answer while a question is open, in seconds, above 0.
    #[serde(default = "default_timeout")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    timeout: f64,
    /// The port's ledger of known failures, relative to this file.
    #[serde(default)]
    known_failures: Option<PathBuf>,
    /// Whether the gate may be green where the port's toolchain is missing.
    #[serde(default)]
    may_be_missing: bool,
}

fn default_timeout() -> f64 {
    DEFAULT_TIMEOUT
}
