//! `samewait check`: vectors against their rules, and the reference against the vectors.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::Exit;
use super::{Error, Format, Selection, select};
use crate::answer::{Answer, Refusal, Reply, Value};
use crate::case::Case;
use crate::draws;
use crate::index::{Index, Kept, set_hash};
use crate::judge::{Verdict, judge};
use crate::load::{LoadError, VectorSet, canonical};
use crate::port::{CaseReport, PortReport};
use crate::printable::counted;
use crate::question::Question;
use crate::reference;
use crate::report::{
    CaseForm, CheckForm, GateResults, IndexForm, Outcome, ProblemForm, RunReport, Stats, value, write_human,
};
use crate::wire::{Hello, Resolution};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait check                     the vectors in the program\n  \
    samewait check vectors             a directory of vectors\n  \
    samewait check vectors/backoff/cap.yaml\n  \
    samewait check vectors --index spec/index.txt\n  \
    samewait check --fix vectors       rewrite what is not in canonical form\n  \
    samewait check --stats             what the vectors are worth")]
pub(super) struct Arguments {
    /// Vector files and directories; without any, the vectors in the program
    paths: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Rewrite files that are not in canonical form; comments stay, and so do the cases
    #[arg(long, requires = "paths", conflicts_with_all = ["stats", "format", "filter", "vectors"])]
    fix: bool,
    /// Count instead: cases for each area and clause, and the bugs of the zoo that they kill
    #[arg(long)]
    stats: bool,
    /// With --stats: a report of `samewait test --format json` over all ports, to tell in which languages each area has passed
    #[arg(long, value_name = "FILE", requires = "stats")]
    gate_report: Option<PathBuf>,
    /// Hold the cases to this index: no id is used again, gone without a tombstone, or says something else than it did
    #[arg(long, value_name = "FILE", conflicts_with_all = ["filter", "stats"])]
    index: Option<PathBuf>,
    /// Add new ids to the index, and begin it where there is none; no line that it has is changed or removed
    #[arg(long, requires = "index")]
    write_index: bool,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    if !arguments.paths.is_empty() && arguments.selection.vectors.is_some() {
        let text = "both paths and --vectors, needed one of them";
        return Err(Error::Usage(text.to_owned()));
    }
    if arguments.fix {
        return fix(&arguments.paths, output);
    }
    let (set, held) = match load(arguments).and_then(|set| hold(arguments, set)) {
        Err(Error::Load(LoadError::Problems(problems))) if arguments.format == Format::Json => {
            let problems = problems.iter().map(ProblemForm::from).collect();
            let form = CheckForm::Refused {
                conforms: false,
                problems,
            };
            writeln!(output, "{}", value(&form))?;
            return Ok(Exit::BadVectors);
        }
        held => held?,
    };
    let cases = select::filter(&set, &arguments.selection)?;
    if arguments.stats {
        return write_stats(arguments, &cases, output);
    }
    let report = compare(&cases);
    let conforms = report.outcome() == Outcome::Conforms;
    if let (Some(held), true) = (&held, conforms && arguments.write_index) {
        held.write()?;
    }
    match arguments.format {
        Format::Json => {
            let differs = |case: &&CaseReport<'_>| case.verdict != Verdict::Passed;
            let form = CheckForm::Compared {
                conforms,
                files: set.files,
                cases: cases.len(),
                problems: [],
                differences: report.cases.iter().filter(differs).map(CaseForm::of).collect(),
                index: held.as_ref().map(|held| IndexForm::of(&held.kept)),
                hash: held.as_ref().map(|_| set_hash(&set.cases)),
            };
            writeln!(output, "{}", value(&form))?;
        }
        Format::Human if conforms => {
            let (files, cases) = (counted(set.files, "file"), counted(cases.len(), "case"));
            let text = "all keep the rules, and the reference answers as they expect";
            writeln!(output, "{files}, {cases}: {text}")?;
            if let Some(held) = &held {
                held.write_human(&set, output)?;
            }
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

/// Vectors that keep every rule, that of their form included.
fn load(arguments: &Arguments) -> Result<VectorSet, Error> {
    let set = if arguments.paths.is_empty() {
        select::load(&arguments.selection)?
    } else {
        VectorSet::from_paths(&arguments.paths)?
    };
    let directory = arguments.selection.vectors.iter().cloned();
    let paths: Vec<PathBuf> = arguments.paths.iter().cloned().chain(directory).collect();
    let deviations = canonical::deviations(&paths)?;
    if deviations.is_empty() {
        Ok(set)
    } else {
        Err(LoadError::Problems(deviations).into())
    }
}

/// An index, and what a set of cases that keeps its promises adds to it.
struct Held {
    path: PathBuf,
    index: Index,
    kept: Kept,
}

/// Holds all the cases to the index, where one is named. New ids are a problem unless they are to be written.
fn hold(arguments: &Arguments, set: VectorSet) -> Result<(VectorSet, Option<Held>), Error> {
    let Some(path) = &arguments.index else {
        return Ok((set, None));
    };
    let index = if arguments.write_index && !path.exists() {
        Index::from_text(&path.display().to_string(), "")?
    } else {
        Index::from_path(path)?
    };
    let kept = index.hold(&set.cases)?;
    let missing = index.missing(&kept, &set.cases);
    if !missing.is_empty() && !arguments.write_index {
        return Err(LoadError::Problems(missing).into());
    }
    let path = path.clone();
    Ok((set, Some(Held { path, index, kept })))
}

impl Held {
    fn write(&self) -> Result<(), Error> {
        if self.kept.new.is_empty() {
            return Ok(());
        }
        fs::write(&self.path, self.index.with(&self.kept))
            .map_err(|error| Error::Usage(format!("can't write {}: {error}", self.path.display())))
    }

    fn write_human(&self, set: &VectorSet, output: &mut dyn Write) -> std::io::Result<()> {
        let (path, hash) = (self.path.display(), set_hash(&set.cases));
        let (added, tombstones) = (self.kept.new.len(), counted(self.kept.tombstones, "tombstone"));
        let added = if added == 0 {
            String::new()
        } else {
            format!(", {} added", counted(added, "id"))
        };
        writeln!(output, "{path}: every id says what it said, {tombstones}{added}")?;
        writeln!(output, "hash of the set: {hash}")
    }
}

fn fix(paths: &[PathBuf], output: &mut dyn Write) -> Result<Exit, Error> {
    let rewritten = canonical::fix(paths)?;
    for name in &rewritten {
        writeln!(output, "{name}: rewritten")?;
    }
    if rewritten.is_empty() {
        writeln!(output, "all are in canonical form")?;
    }
    Ok(Exit::Conforms)
}

fn write_stats(arguments: &Arguments, cases: &[&Case], output: &mut dyn Write) -> Result<Exit, Error> {
    let gate = arguments.gate_report.as_deref().map(gate_results).transpose()?;
    let stats = Stats::of(cases, gate.as_ref());
    match arguments.format {
        Format::Human => stats.write_human(output)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *output, &stats.object()).map_err(std::io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(Exit::Conforms)
}

fn gate_results(path: &Path) -> Result<GateResults, Error> {
    let text =
        fs::read_to_string(path).map_err(|error| Error::Usage(format!("can't read {}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| {
        let path = path.display();
        Error::Usage(format!(
            "{path}: {error}; needed the output of `samewait test --format json` over the ports of a configuration"
        ))
    })
}

/// The draws of every case, which are the same in every run.
const SEED: u64 = 1;

/// The reference takes the road of any port, but for the pipes.
fn compare<'a>(cases: &[&'a Case]) -> RunReport<'a> {
    let verdict = |case: &&'a Case| {
        let reply = Reply::from(reference::answer(&case.question, draws::seeded(SEED)));
        let mut verdict = judge(&case.expected, &reply, Resolution::Exact);
        if verdict == Verdict::Passed {
            verdict = compare_interval(case);
        }
        CaseReport { case, verdict }
    };
    let port = PortReport {
        hello: Some(Hello::of_reference()),
        faults: vec![],
        warnings: vec![],
        unusable: None,
    };
    let verdicts = cases.iter().map(verdict).collect();
    RunReport::new("the reference, in this process".to_owned(), port, cases, verdicts)
}

/// Samples look the same in an interval that is a little off, so that of the reference is compared to the bit.
fn compare_interval(case: &Case) -> Verdict {
    let Question::JitterSamples(question) = &case.question else {
        return Verdict::Passed;
    };
    let between = reference::between(question).map_or_else(
        |rejection| Answer::Rejected(Refusal::from(&rejection)),
        |between| Answer::Value(Value::Between(between)),
    );
    judge(&case.expected, &Reply::from(between), Resolution::Exact)
}
