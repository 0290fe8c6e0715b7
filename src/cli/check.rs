//! `samewait check`: vectors against their rules, and the reference against the vectors.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::answer::Reply;
use crate::judge::judge;
use crate::load::VectorSet;
use crate::port::{CaseReport, PortReport};
use crate::reference;
use crate::report::{Outcome, RunReport, write_human, write_json};
use crate::wire::{Hello, Resolution};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait check                     the vectors in the program\n  \
    samewait check vectors             a directory of vectors\n  \
    samewait check vectors/backoff/cap.yaml")]
pub(super) struct Arguments {
    /// Vector files and directories; without any, the vectors in the program
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = if arguments.paths.is_empty() {
        select::load(&arguments.selection)?
    } else if arguments.selection.vectors.is_some() {
        let text = "both paths and --vectors, needed one of them";
        return Err(Error::Usage(text.to_owned()));
    } else {
        VectorSet::from_paths(&arguments.paths)?
    };
    let cases = select::filter(&set, &arguments.selection)?;
    let verdicts = cases
        .iter()
        .map(|case| CaseReport {
            case,
            verdict: judge(
                &case.expected,
                &Reply::from(reference::answer(&case.question)),
                Resolution::Exact,
            ),
        })
        .collect();
    let port = PortReport {
        hello: Some(Hello::of_reference()),
        faults: vec![],
        warnings: vec![],
        unusable: None,
    };
    let report = RunReport::new("the reference, in this process".to_owned(), port, &cases, verdicts);
    let is_right = report.outcome() == Outcome::Conforms;
    match arguments.format {
        Format::Json if is_right => {
            let summary = json!({"files": set.files, "cases": cases.len(), "conforms": true});
            writeln!(output, "{summary}")?;
        }
        Format::Json => write_json(&report, output)?,
        Format::Human if is_right => {
            let (files, cases) = (set.files, cases.len());
            writeln!(
                output,
                "files {files}, cases {cases}: all keep the rules, and the reference answers as they expect"
            )?;
        }
        Format::Human => {
            write_human(&report, output)?;
            writeln!(
                output,
                "vectors and reference differ: find out which of them is wrong before you change either"
            )?;
        }
    }
    Ok(report.outcome().into())
}
