//! `samewait emit`: vectors for other programs and other test runners.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use similar::TextDiff;

use super::exit::Exit;
use super::{Error, Selection, select};
use crate::case::Case;
use crate::emit::{Format, Plan, emit};
use crate::index::set_hash;
use crate::question::Ask;
use crate::wire::Resolution;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait emit json                                 to standard output\n  \
    samewait emit pytest --out tests                   tests/test_samewait.py\n  \
    samewait emit pytest --out tests --check           is that file fresh?\n  \
    samewait emit requests --features backoff,schedule")]
pub(super) struct Arguments {
    /// In which form
    #[arg(value_enum)]
    format: Format,
    /// Write the file into this directory, which is made where it is missing; without it, to standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing: compare with the file in --out, print what differs, and exit with 1 if anything does
    #[arg(long, requires = "out")]
    check: bool,
    /// Take only cases that ask these questions, such as backoff,schedule
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = feature)]
    features: Vec<Ask>,
    /// In test files: what the library counts delays in
    #[arg(long, value_name = "UNIT", value_parser = resolution, default_value = "exact")]
    resolution: Resolution,
    #[command(flatten)]
    selection: Selection,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    if arguments.resolution != Resolution::Exact && !arguments.format.is_test() {
        let format = arguments.format.name();
        let text =
            format!("--resolution with `{format}`, needed a format of test files, which compare delays by themselves");
        return Err(Error::Usage(text));
    }
    let set = select::load(&arguments.selection)?;
    let is_chosen = |case: &&Case| arguments.features.is_empty() || arguments.features.contains(&case.question.ask());
    let mut cases = select::filter(&set, &arguments.selection)?;
    cases.retain(is_chosen);
    let command = command(arguments);
    if cases.is_empty() {
        let filter = format!("the flags of `{command}`");
        return Err(Error::NothingSelected { filter });
    }
    let text = emit(&Plan {
        format: arguments.format,
        cases: &cases,
        set_hash: &format!("sha256:{}", set_hash(&set.cases)),
        resolution: arguments.resolution,
        command: &command,
    });
    let Some(directory) = &arguments.out else {
        output.write_all(text.as_bytes())?;
        return Ok(Exit::Conforms);
    };
    let path = directory.join(arguments.format.file_name());
    if arguments.check {
        check(&path, &text, &command, output)
    } else {
        write(directory, &path, &text, output)
    }
}

fn write(directory: &Path, path: &Path, text: &str, output: &mut dyn Write) -> Result<Exit, Error> {
    let fault = |error: io::Error| Error::Usage(format!("can't write {}: {error}", path.display()));
    fs::create_dir_all(directory).map_err(fault)?;
    fs::write(path, text).map_err(fault)?;
    writeln!(output, "{}", path.display())?;
    Ok(Exit::Conforms)
}

/// Compares with what stands on disk, byte for byte.
fn check(path: &Path, text: &str, command: &str, output: &mut dyn Write) -> Result<Exit, Error> {
    let name = path.display();
    let found = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            writeln!(output, "{name} is missing: `{command} --out DIR` writes it")?;
            return Ok(Exit::DoesNotConform);
        }
        Err(error) => return Err(Error::Usage(format!("can't read {name}: {error}"))),
    };
    if found == text.as_bytes() {
        writeln!(output, "{name} is fresh")?;
        return Ok(Exit::Conforms);
    }
    let found = String::from_utf8_lossy(&found);
    let diff = TextDiff::from_lines(found.as_ref(), text);
    write!(
        output,
        "{}",
        diff.unified_diff().header(&name.to_string(), "what the vectors make")
    )?;
    writeln!(output, "{name} is stale: `{command} --out DIR` writes it anew")?;
    Ok(Exit::DoesNotConform)
}

/// The command that makes the same text again: what chooses cases, but no place on a disk.
fn command(arguments: &Arguments) -> String {
    let mut command = format!("samewait emit {}", arguments.format.name());
    for glob in &arguments.selection.filter {
        let _ = write!(command, " --filter '{glob}'");
    }
    if !arguments.features.is_empty() {
        let names: Vec<&str> = arguments.features.iter().map(|ask| ask.name()).collect();
        let _ = write!(command, " --features {}", names.join(","));
    }
    if arguments.resolution != Resolution::Exact {
        let _ = write!(command, " --resolution {}", arguments.resolution);
    }
    command
}

fn feature(name: &str) -> Result<Ask, String> {
    let names = Ask::ALL.map(Ask::name).join(", ");
    Ask::named(name).ok_or_else(|| format!("no feature of that name, needed one of {names}"))
}

fn resolution(name: &str) -> Result<Resolution, String> {
    let all = Resolution::ALL;
    let found = all.into_iter().find(|resolution| resolution.name() == name);
    found.ok_or_else(|| {
        format!(
            "no unit of that name, needed one of {}",
            all.map(Resolution::name).join(", ")
        )
    })
}
