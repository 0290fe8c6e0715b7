//! The zoo's report: what kills each bug, and what each case is worth.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Value as Json, json};

use crate::case::Case;
use crate::printable::counted;
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
    let bug = |killed: &KilledBug<'_>| {
        json!({
            "name": killed.bug.name,
            "kind": killed.kind.name,
            "about": killed.bug.about,
            "source": killed.bug.source,
            "clauses": killed.bug.clauses,
            "resolution": killed.bug.resolution,
            "killed_by": killed.cases.iter().map(|case| &case.id).collect::<Vec<_>>(),
            "cited_by": killed.citing().map(|case| &case.id).collect::<Vec<_>>(),
        })
    };
    json!({
        "bugs": kills.bugs.iter().map(bug).collect::<Vec<_>>(),
        "cases": cases.iter().map(|case| json!({"id": case.id, "kills": counts.get(case.id.as_str()).unwrap_or(&0)})).collect::<Vec<_>>(),
        "killed_by_one_alone": kills.by_one_alone().map(|(bug, _)| bug.name).collect::<Vec<_>>(),
        "survivors": kills.survivors().map(|bug| bug.name).collect::<Vec<_>>(),
        "idle": kills.idle(cases).iter().map(|case| &case.id).collect::<Vec<_>>(),
    })
}
