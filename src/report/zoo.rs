//! The zoo's report: what kills each bug, and what each case is worth.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::json::value;
use crate::case::Case;
use crate::printable::counted;
use crate::wire::Resolution;
use crate::zoo::{KINDS, KilledBug, Kills};

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();

/// How many of the cases that kill a bug are named where not all are wanted.
const NAMED: usize = 2;

/// Writes the report for people; `all` names every case that kills a bug, and not the first that cite it alone.
///
/// # Errors
///
/// When writing fails.
pub fn write_zoo(kills: &Kills<'_>, cases: &[&Case], all: bool, output: &mut dyn Write) -> io::Result<()> {
    for kind in KINDS {
        let mut bugs = kills
            .bugs
            .iter()
            .filter(|killed| killed.kind.name == kind.name)
            .peekable();
        if bugs.peek().is_none() {
            continue;
        }
        writeln!(output, "{}: {}", kind.name, kind.about)?;
        for killed in bugs {
            one_bug(killed, all, output)?;
        }
        writeln!(output)?;
    }
    conclusion(kills, cases, output)
}

fn one_bug(killed: &KilledBug<'_>, all: bool, output: &mut dyn Write) -> io::Result<()> {
    let bug = killed.bug;
    writeln!(output, "  {}", bug.name)?;
    writeln!(output, "    {}", bug.about)?;
    writeln!(output, "    {}", bug.source)?;
    if killed.cases.is_empty() {
        return writeln!(output, "    {BAD}survives{BAD:#}");
    }
    write!(output, "    killed by {}", counted(killed.cases.len(), "case"))?;
    if all {
        writeln!(output, ":")?;
        for case in &killed.cases {
            writeln!(output, "      {}", case.id)?;
        }
        return Ok(());
    }
    let named: Vec<&str> = killed.citing().take(NAMED).map(|case| case.id.as_str()).collect();
    let among = if named.len() < killed.cases.len() {
        ", among them"
    } else {
        ":"
    };
    match &named[..] {
        [] => writeln!(output, ", none of which cites it"),
        named => writeln!(output, "{among} {}", named.join(", ")),
    }
}

fn conclusion(kills: &Kills<'_>, cases: &[&Case], output: &mut dyn Write) -> io::Result<()> {
    let alone: Vec<_> = kills.by_one_alone().collect();
    if !alone.is_empty() {
        writeln!(output, "killed by one case alone:")?;
        for (bug, case) in &alone {
            writeln!(output, "  {} by {}", bug.name, case.id)?;
        }
        writeln!(output)?;
    }
    let survivors: Vec<&str> = kills.survivors().map(|bug| bug.name).collect();
    let worth = kills.by_case().len();
    let (bugs, killed) = (kills.bugs.len(), kills.bugs.len() - survivors.len());
    writeln!(
        output,
        "{} of {} kill at least one bug; {} kill none and are no control",
        worth,
        counted(cases.len(), "case"),
        kills.idle(cases).len()
    )?;
    if survivors.is_empty() {
        writeln!(output, "{GOOD}all killed{GOOD:#}: {killed} of {}", counted(bugs, "bug"))
    } else {
        let names = survivors.join(", ");
        writeln!(
            output,
            "{BAD}survivors{BAD:#}: {killed} of {} are killed, but not {names}",
            counted(bugs, "bug")
        )
    }
}

/// The report for machines.
#[must_use]
pub fn zoo_object(kills: &Kills<'_>, cases: &[&Case]) -> Json {
    let counts = kills.by_case();
    let ids = |cases: &[&Case]| cases.iter().map(|case| case.id.clone()).collect();
    let bug = |killed: &KilledBug<'_>| BugForm {
        name: killed.bug.name,
        kind: killed.kind.name,
        about: killed.bug.about,
        source: killed.bug.source,
        clauses: killed.bug.clauses,
        resolution: killed.bug.resolution,
        killed_by: ids(&killed.cases),
        cited_by: killed.citing().map(|case| case.id.clone()).collect(),
    };
    let worth = |case: &&Case| WorthForm {
        id: case.id.clone(),
        kills: *counts.get(case.id.as_str()).unwrap_or(&0),
    };
    value(&ZooForm {
        bugs: kills.bugs.iter().map(bug).collect(),
        cases: cases.iter().map(worth).collect(),
        killed_by_one_alone: kills.by_one_alone().map(|(bug, _)| bug.name).collect(),
        survivors: kills.survivors().map(|bug| bug.name).collect(),
        idle: ids(&kills.idle(cases)),
    })
}

/// What kills each broken implementation, and what each case is worth: `samewait zoo --format json`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ZooReport")]
pub(crate) struct ZooForm {
    /// The bugs, kind by kind.
    bugs: Vec<BugForm>,
    /// The cases that were put to them.
    cases: Vec<WorthForm>,
    /// The names of the bugs that one case alone kills.
    killed_by_one_alone: Vec<&'static str>,
    /// The names of the bugs that no case kills.
    survivors: Vec<&'static str>,
    /// The ids of the cases that kill no bug and are no control.
    idle: Vec<String>,
}

/// A broken implementation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Bug")]
struct BugForm {
    /// Its name, for `--bug`.
    name: &'static str,
    /// The kind it belongs to.
    kind: &'static str,
    /// What it does wrong, in one sentence.
    about: &'static str,
    /// A public report of a library that did so.
    source: &'static str,
    /// The clauses it breaks.
    clauses: &'static [&'static str],
    /// What its delays are counted in.
    resolution: Resolution,
    /// The ids of the cases that it answers wrongly.
    killed_by: Vec<String>,
    /// The ids of those among them that cite its report.
    cited_by: Vec<String>,
}

/// What a case is worth.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Worth")]
struct WorthForm {
    /// The case's id.
    id: String,
    /// How many bugs it kills.
    kills: usize,
}
