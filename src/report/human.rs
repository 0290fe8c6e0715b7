//! The report for people: first what is unexpected, then the table.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::{OTHER_DRAWS, Outcome, RunReport, Totals};
use crate::case::{Area, Case};
use crate::clause;
use crate::judge::{Difference, Mismatch, Number, Shown, TWO_FRESH_PROCESSES, Verdict, ulps};
use crate::port::{Blame, CaseReport, FaultReport, PortReport};
use crate::printable::{counted, printable_line};
use crate::question::Ask;
use crate::scenario::TraceEvent;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();

/// How many differences of one case are shown.
const SHOWN_DIFFERENCES: usize = 6;

/// How many events are shown before the first that differs, and from it on.
const EVENTS_BEFORE: usize = 5;
const EVENTS_AFTER: usize = 8;

/// How many lines of a port's standard error are shown.
const SHOWN_STDERR: usize = 12;

/// Writes the report. Styles are written as escapes; the stream decides whether they stay.
///
/// # Errors
///
/// When writing fails.
pub fn write_human(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    head(report, output)?;
    unexpected(report, &BTreeSet::new(), output)?;
    what_happened(report, output)?;
    table(report, output)?;
    skipped(report, output)?;
    next_feature(report, output)?;
    conclusion(report, output)
}

/// The next question for a port that does not claim them all and answers the others rightly.
fn next_feature(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let Some(hello) = &report.port.hello else { return Ok(()) };
    let unclaimed = |ask: &&Ask| {
        let is_put = report.cases.iter().any(|report| report.case.question.ask() == **ask);
        is_put && !hello.features.contains(ask)
    };
    match Ask::EASIEST_FIRST.iter().find(unclaimed) {
        Some(ask) if report.totals().failed + report.totals().errored == 0 => {
            let name = ask.name();
            let area = Area::of(*ask).name();
            writeln!(
                output,
                "next: answer `{name}` and claim it in `hello`; its cases: samewait list --filter '{area}/*'\n"
            )
        }
        Some(_) | None => Ok(()),
    }
}

/// The cases that failed or errored, but for those that are known to.
pub(super) fn unexpected(report: &RunReport<'_>, known: &BTreeSet<String>, output: &mut dyn Write) -> io::Result<()> {
    for CaseReport { case, verdict } in report.cases.iter().filter(|report| !known.contains(&report.case.id)) {
        match verdict {
            Verdict::Failed(mismatch) => failed(case, mismatch, &report.hint, output)?,
            Verdict::Errored(reason) => errored(case, reason, &report.port, &report.hint, output)?,
            // What was not asked shares one reason, which is told once; so is what was skipped.
            Verdict::Passed | Verdict::Skipped(_) | Verdict::NotAsked(_) => {}
        }
    }
    Ok(())
}

fn head(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    if let Some(hello) = &report.port.hello {
        let words = [&hello.name, &hello.version, &hello.language];
        let [name, version, language] = words.map(|word| printable_line(word));
        let resolution = hello.resolution;
        writeln!(output, "port    {name} {version} ({language}), resolution {resolution}")?;
    }
    writeln!(output, "command {}\n", report.command)
}

fn failed(case: &Case, mismatch: &Mismatch, hint: &str, output: &mut dyn Write) -> io::Result<()> {
    title(case, "failed", output)?;
    match mismatch {
        Mismatch::Kind { expected, got } => {
            writeln!(output, "  expected  {expected}")?;
            writeln!(output, "  got       {}", printable_line(got))?;
        }
        Mismatch::Unsupported(why) => {
            writeln!(
                output,
                "  expected  an answer, since `hello` claims `{}`",
                case.question.ask().name()
            )?;
            writeln!(output, "  got       unsupported: {}", printable_line(why))?;
        }
        Mismatch::Trace { expected, got, first } => traces(expected, got, *first, output)?,
        Mismatch::Samples { expected, flaw } => {
            writeln!(output, "  expected  {expected}, uniform")?;
            writeln!(output, "  got       {flaw}")?;
            for line in flaw.histogram.to_string().lines() {
                writeln!(output, "    {line}")?;
            }
        }
        Mismatch::SameDraws(draws) => {
            let draws: Vec<String> = draws.iter().map(|delay| format!("{delay:?}")).collect();
            writeln!(output, "  check     {TWO_FRESH_PROCESSES}")?;
            writeln!(output, "  expected  {OTHER_DRAWS}")?;
            writeln!(output, "  got       in both {}, …", draws.join(", "))?;
        }
        Mismatch::Content(differences) => {
            for difference in differences.iter().take(SHOWN_DIFFERENCES) {
                show(difference, output)?;
            }
            if differences.len() > SHOWN_DIFFERENCES {
                writeln!(
                    output,
                    "  and {} more differences",
                    differences.len() - SHOWN_DIFFERENCES
                )?;
            }
        }
    }
    explanation(case, hint, output)
}

fn show(difference: &Difference, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "  {}", difference.at)?;
    writeln!(output, "    expected  {}", shown(&difference.expected))?;
    writeln!(output, "    got       {}", shown(&difference.got))?;
    if let (Shown::Number(Number::Seconds(expected)), Shown::Number(Number::Seconds(got))) =
        (&difference.expected, &difference.got)
        && let Some(distance) = ulps(*expected, *got)
    {
        let unit = if distance == 1 { "ulp" } else { "ulps" };
        let sign = if distance == 0 { " (the sign of zero)" } else { "" };
        writeln!(output, "    distance  {distance} {unit}{sign}")?;
    }
    Ok(())
}

/// Two traces side by side, around the first event in which they differ.
fn traces(expected: &[TraceEvent], got: &[TraceEvent], first: usize, output: &mut dyn Write) -> io::Result<()> {
    let from = first.saturating_sub(EVENTS_BEFORE);
    let to = expected.len().max(got.len()).min(first + EVENTS_AFTER);
    let text = |trace: &[TraceEvent], index| {
        trace
            .get(index)
            .map_or(String::new(), |event: &TraceEvent| printable_line(&event.to_string()))
    };
    let width = (from..to)
        .map(|index| text(expected, index).chars().count())
        .max()
        .unwrap_or(0)
        .max(8);
    writeln!(output, "  trace, {first} events alike")?;
    writeln!(output, "      {:<width$} | got", "expected")?;
    for index in from..to {
        let mark = if index == first { '>' } else { ' ' };
        let (expected, got) = (text(expected, index), text(got, index));
        writeln!(output, "    {mark} {expected:<width$} | {got}")?;
    }
    Ok(())
}

fn shown(shown: &Shown) -> String {
    match shown {
        Shown::Number(number) => number.to_string(),
        Shown::Text(text) => printable_line(text),
        Shown::Absent => "nothing".to_owned(),
    }
}

fn errored(case: &Case, reason: &str, port: &PortReport, hint: &str, output: &mut dyn Write) -> io::Result<()> {
    title(case, "errored", output)?;
    writeln!(output, "  {}", printable_line(reason))?;
    for fault in &port.faults {
        if fault.guilty() == Some(&case.id) {
            stderr(&fault.fault.stderr, output)?;
        }
    }
    explanation(case, hint, output)
}

fn title(case: &Case, verdict: &str, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{BAD}{verdict}{BAD:#} {}", case.id)?;
    writeln!(output, "  {}", case.note)
}

fn explanation(case: &Case, hint: &str, output: &mut dyn Write) -> io::Result<()> {
    for number in &case.clauses {
        let text = clause::text(number).unwrap_or("");
        writeln!(output, "  [{number}] {}", text.replace('\n', "\n  "))?;
    }
    if let Some(source) = &case.source {
        writeln!(output, "  the same fault in public: {source}")?;
    }
    writeln!(output, "  step by step: samewait explain {}{hint}\n", case.id)
}

/// Faults that no case has told of, why a port is unusable, and warnings.
pub(super) fn what_happened(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let is_told = |fault: &&FaultReport| {
        report
            .cases
            .iter()
            .any(|case| fault.guilty() == Some(case.case.id.as_str()) && matches!(case.verdict, Verdict::Errored(_)))
    };
    for fault in report.port.faults.iter().filter(|fault| !is_told(fault)) {
        writeln!(output, "{BAD}fault{BAD:#} {}", fault.fault)?;
        match &fault.blame {
            Blame::Case(id) => writeln!(output, "  when asked {id}")?,
            Blame::Nobody => writeln!(
                output,
                "  no single case causes it: asked alone, each that could be suspected is answered"
            )?,
            Blame::Unknown => writeln!(
                output,
                "  which case causes it is unknown: the port could not be asked again"
            )?,
        }
        stderr(&fault.fault.stderr, output)?;
        writeln!(output)?;
    }
    if let Some(unusable) = &report.port.unusable {
        writeln!(output, "{BAD}unusable{BAD:#} {}", printable_line(&unusable.to_string()))?;
        stderr(unusable.stderr(), output)?;
        writeln!(output)?;
    }
    for warning in &report.port.warnings {
        writeln!(output, "{ODD}warning{ODD:#} {}\n", printable_line(warning))?;
    }
    Ok(())
}

fn stderr(text: &str, output: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = text.lines().collect();
    if !lines.is_empty() {
        writeln!(output, "  its standard error ends:")?;
    }
    for line in &lines[lines.len().saturating_sub(SHOWN_STDERR)..] {
        writeln!(output, "    {line}")?;
    }
    Ok(())
}

fn table(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    if report.port.hello.is_none() {
        return Ok(()); // Nothing was asked.
    }
    writeln!(
        output,
        "{:<12}{:>8}{:>8}{:>9}{:>9}",
        "area", "passed", "failed", "errored", "skipped"
    )?;
    for area in Area::ALL {
        let totals = report.totals_of(area);
        if totals.selected() > 0 {
            row(area.name(), totals, output)?;
        }
    }
    row("total", report.totals(), output)?;
    writeln!(output)
}

fn row(name: &str, totals: Totals, output: &mut dyn Write) -> io::Result<()> {
    let Totals {
        passed,
        failed,
        errored,
        skipped,
    } = totals;
    writeln!(output, "{name:<12}{passed:>8}{failed:>8}{errored:>9}{skipped:>9}")
}

/// Skipped cases, by reason, so that nobody takes them for passed ones.
fn skipped(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let mut reasons = std::collections::BTreeMap::new();
    for CaseReport { verdict, .. } in &report.cases {
        if let Verdict::Skipped(reason) = verdict {
            *reasons.entry(reason).or_insert(0) += 1;
        }
    }
    for (reason, count) in &reasons {
        writeln!(output, "{count} skipped: {reason}")?;
    }
    if !reasons.is_empty() {
        writeln!(output)?;
    }
    Ok(())
}

fn conclusion(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    let totals = report.totals();
    let selected = counted(totals.selected(), "case");
    match report.outcome() {
        Outcome::Conforms => writeln!(output, "{GOOD}conforms{GOOD:#}: {} of {selected} passed", totals.passed),
        Outcome::DoesNotConform => writeln!(
            output,
            "{BAD}does not conform{BAD:#}: of {selected} {} failed and {} errored; {}",
            totals.failed,
            totals.errored,
            counted(report.port.faults.len(), "fault")
        ),
        Outcome::Unusable => {
            let judged = totals.passed + totals.failed;
            writeln!(output, "{BAD}unusable{BAD:#}: {judged} of {selected} judged")
        }
        Outcome::NothingTested => writeln!(output, "{ODD}nothing tested{ODD:#}: {selected} skipped"),
    }
}
