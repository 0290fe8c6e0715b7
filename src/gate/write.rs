//! Today's failures as a ledger to start from.

use std::path::Path;

use super::ledger::{Ledger, summary};
use crate::judge::Verdict;
use crate::load::LoadError;
use crate::port::CaseReport;

/// What is written where nobody has said why a case fails.
const NO_REASON: &str = "not explained yet";

/// A ledger of the failures of a run. Of a ledger that was there already, everything is kept that still holds: lines in their
/// order, comments, reasons and links. Lines of cases that pass now, or match nothing, go.
///
/// # Errors
///
/// [`LoadError`] when the old text is no ledger; nothing may then be overwritten.
pub fn rewritten(path: &Path, old: Option<&str>, reports: &[CaseReport<'_>]) -> Result<String, LoadError> {
    let old_text = old.unwrap_or("known_failures:\n");
    let ledger = match old {
        Some(text) => Ledger::parse(path, text)?,
        None => Ledger::default(),
    };
    let fails = |report: &&CaseReport<'_>| matches!(report.verdict, Verdict::Failed(_) | Verdict::Errored(_));
    let failing: Vec<&CaseReport<'_>> = reports.iter().filter(fails).collect();
    let mut lines: Vec<&str> = old_text.lines().collect();
    // An empty list is spelled within its line; entries are to follow it.
    if let Some(head) = lines.iter_mut().find(|line| line.trim_end() == "known_failures: []") {
        *head = "known_failures:";
    }
    let starts: Vec<usize> = ledger.entries.iter().map(|entry| entry.place.line - 1).collect();
    let mut kept: Vec<String> = Vec::new();
    let first = starts
        .first()
        .map_or(lines.len(), |&line| with_comments(&lines, line, 0));
    kept.extend(lines.iter().take(first).map(|&line| line.to_owned()));
    for (index, entry) in ledger.entries.iter().enumerate() {
        let before = if index == 0 { first } else { starts[index - 1] + 1 };
        let from = with_comments(&lines, starts[index], before);
        let to = starts
            .get(index + 1)
            .map_or(lines.len(), |&next| with_comments(&lines, next, starts[index] + 1));
        if failing.iter().any(|report| entry.matches(&report.case.id)) {
            kept.extend(lines[from..to].iter().map(|&line| line.to_owned()));
        }
    }
    for report in failing {
        if ledger.entry(&report.case.id).is_none() {
            kept.push(format!("  - id: {}", report.case.id));
            kept.push(format!("    reason: {NO_REASON}"));
            kept.push(format!("    got: {}", quoted(&summary(&report.verdict))));
        }
    }
    if !kept.iter().any(|line| line.trim_start().starts_with("- ")) {
        for line in kept.iter_mut().filter(|line| line.trim_end() == "known_failures:") {
            "known_failures: []".clone_into(line);
        }
    }
    Ok(kept.join("\n") + "\n")
}

/// The first of the comment lines right above a line, not above `floor`.
fn with_comments(lines: &[&str], line: usize, floor: usize) -> usize {
    let above = lines.get(floor..line).unwrap_or(&[]);
    let comments = above
        .iter()
        .rev()
        .take_while(|line| line.trim_start().starts_with('#'))
        .count();
    line - comments
}

/// A text in double quotes; a line break or another control character becomes a blank.
fn quoted(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}
