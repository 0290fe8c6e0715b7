//! The report of a gate for people: a matrix of ports and areas, then only what is unexpected.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Outcome;
use super::human::{unexpected, what_happened};
use super::table::write_rows;
use crate::case::Area;
use crate::gate::{GateReport, PortRun, State};
use crate::judge::Verdict;
use crate::printable::counted;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();

/// How many ids are named in a list.
const NAMED: usize = 10;

/// Writes the report.
///
/// # Errors
///
/// When writing fails.
pub fn write_matrix(gate: &GateReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    matrix(gate, output)?;
    for port in &gate.ports {
        deviations(port, output)?;
    }
    let skipped = gate.skipped_by_all();
    if !skipped.is_empty() && gate.ports.iter().any(|port| port.report.port.hello.is_some()) {
        let named = skipped.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = if skipped.len() > NAMED { ", …" } else { "" };
        let count = counted(skipped.len(), "case");
        writeln!(output, "{ODD}answered by no port{ODD:#}: {count}: {named}{more}\n")?;
    }
    conclusion(gate, output)
}

fn matrix(gate: &GateReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let areas: Vec<Area> = Area::ALL
        .into_iter()
        .filter(|area| gate.selected.iter().any(|case| case.area == *area))
        .collect();
    let mut rows = vec![vec!["port".to_owned()]];
    rows[0].extend(areas.iter().map(|area| area.name().to_owned()));
    rows[0].extend(["resolution".to_owned(), "result".to_owned()]);
    for port in &gate.ports {
        let mut row = vec![port.config.name.clone()];
        row.extend(areas.iter().map(|&area| cell(port, area)));
        let hello = port.report.port.hello.as_ref();
        row.push(hello.map_or("-".to_owned(), |hello| hello.resolution.to_string()));
        row.push(result(port).to_owned());
        rows.push(row);
    }
    write_rows(&rows, output)?;
    writeln!(output, "\npassed, then +known failures, ~skipped, !unexpected\n")
}

/// One port's verdicts in one area, counted: `73 +2 ~9 !1`.
fn cell(port: &PortRun<'_>, area: Area) -> String {
    let (mut passed, mut known, mut skipped, mut unexpected) = (0, 0, 0, 0);
    for report in port.report.cases.iter().filter(|report| report.case.area == area) {
        match report.verdict {
            Verdict::Passed => passed += 1,
            Verdict::Skipped(_) => skipped += 1,
            Verdict::Failed(_) | Verdict::Errored(_) if port.review.known.contains(&report.case.id) => known += 1,
            Verdict::Failed(_) | Verdict::Errored(_) => unexpected += 1,
            Verdict::NotAsked(_) => return "-".to_owned(),
        }
    }
    let signed = [('+', known), ('~', skipped), ('!', unexpected)];
    let counts = signed.into_iter().filter(|(_, count)| *count > 0);
    let counts = counts.map(|(sign, count)| format!("{sign}{count}"));
    std::iter::once(passed.to_string())
        .chain(counts)
        .collect::<Vec<_>>()
        .join(" ")
}

fn result(port: &PortRun<'_>) -> &'static str {
    match port.state {
        State::Expected => "as expected",
        State::Unexpected => "UNEXPECTED",
        State::Unusable => "UNUSABLE",
        State::Missing => "not run (may be missing)",
        State::NotRun => "NOT RUN",
        State::NothingTested => "NOTHING TESTED",
    }
}

/// What is unexpected about one port.
fn deviations(port: &PortRun<'_>, output: &mut dyn Write) -> io::Result<()> {
    let name = &port.config.name;
    let warnings = &port.report.port.warnings;
    match port.state {
        State::Expected | State::Missing if warnings.is_empty() => return Ok(()),
        State::NotRun => {
            let what = port
                .report
                .port
                .unusable
                .as_ref()
                .map_or(String::new(), ToString::to_string);
            writeln!(output, "{BAD}{name} was not run{BAD:#}: {what}")?;
            let way_out =
                "install its toolchain and build it, set `may_be_missing: true` for it, or give --allow-missing";
            return writeln!(output, "  {way_out}\n");
        }
        State::Expected | State::Missing | State::Unexpected | State::Unusable | State::NothingTested => {}
    }
    writeln!(output, "== {name}\n")?;
    for problem in &port.review.problems {
        writeln!(output, "{BAD}known failure{BAD:#} {problem}\n")?;
    }
    unexpected(&port.report, &port.review.known, output)?;
    what_happened(&port.report, output)
}

fn conclusion(gate: &GateReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let ports = counted(gate.ports.len(), "port");
    let cases = counted(gate.selected.len(), "case");
    let bad: Vec<&str> = gate
        .ports
        .iter()
        .filter(|port| !matches!(port.state, State::Expected | State::Missing))
        .map(|port| port.config.name.as_str())
        .collect();
    match gate.outcome() {
        Outcome::Conforms => writeln!(output, "{GOOD}conforms{GOOD:#}: {ports}, {cases}, nothing unexpected"),
        Outcome::DoesNotConform => writeln!(output, "{BAD}does not conform{BAD:#}: look at {}", bad.join(", ")),
        Outcome::Unusable => writeln!(output, "{BAD}unusable{BAD:#}: look at {}", bad.join(", ")),
        Outcome::NothingTested => writeln!(output, "{ODD}nothing tested{ODD:#}: of {ports} none answered a case"),
    }
}
