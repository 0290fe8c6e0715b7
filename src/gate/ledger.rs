//! Known failures: each with a reason, and none that is no longer true.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use globset::{Glob, GlobMatcher};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::case::Place;
use crate::judge::{Mismatch, Shown, TWO_FRESH_PROCESSES, Verdict};
use crate::load::{LoadError, read_text, typed};
use crate::port::CaseReport;
use crate::yaml::{Fault, Outline};

/// How many cases a wildcard may stand for.
const MOST_MATCHES: usize = 20;

/// How many differences a summary of a wrong answer names.
const SUMMARISED: usize = 4;

/// What a port is known to get wrong.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// The file, where there is one.
    pub path: Option<PathBuf>,
    /// Its lines.
    pub entries: Vec<Entry>,
}

/// One line of a ledger.
#[derive(Debug, Clone)]
pub struct Entry {
    /// An id, or a glob over ids.
    pub id: String,
    /// Why it fails.
    pub reason: String,
    /// Where that is discussed.
    pub link: Option<String>,
    /// The wrong answer that it gives, as a failure's summary has it; any where it is not said.
    pub got: Option<String>,
    /// Where it stands.
    pub place: Place,
    matcher: GlobMatcher,
}

/// What a ledger says of a run.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// Failures that are known, by id.
    pub known: BTreeSet<String>,
    /// What is no longer true, or never was.
    pub problems: Vec<LedgerProblem>,
}

/// A line of a ledger that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {text}")]
pub struct LedgerProblem {
    /// The line.
    pub place: Place,
    /// What is wrong with it, and what to do.
    pub text: String,
}

impl Entry {
    /// Whether the line is about that case.
    #[must_use]
    pub fn matches(&self, id: &str) -> bool {
        self.matcher.is_match(id)
    }
}

impl Ledger {
    /// Reads a ledger.
    ///
    /// # Errors
    ///
    /// [`LoadError`] when it can't be read or breaks the rules, with the place.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        Self::parse(path, &read_text(path)?)
    }

    pub(crate) fn parse(path: &Path, text: &str) -> Result<Self, LoadError> {
        let file = path.display().to_string();
        let (raw, outline): (RawLedger, Outline) = typed(&file, text)?;
        let places = outline.get("known_failures").map_or(&[][..], Outline::items);
        let entry = |(raw, place): (RawEntry, &Outline)| {
            let glob = Glob::new(&raw.id).map_err(|error| Fault::new(place.key("id"), error.to_string()))?;
            if raw.reason.trim().is_empty() {
                return Err(Fault::new(
                    place.key("reason"),
                    "an empty reason, needed why the case fails",
                ));
            }
            let mark = place.key("id");
            Ok(Entry {
                id: raw.id,
                reason: raw.reason,
                link: raw.link,
                got: raw.got,
                place: Place {
                    file: file.clone(),
                    line: mark.line,
                    column: mark.column,
                },
                matcher: glob.compile_matcher(),
            })
        };
        let entries: Result<Vec<Entry>, Fault> = raw.known_failures.into_iter().zip(places).map(entry).collect();
        Ok(Self {
            path: Some(path.to_owned()),
            entries: entries.map_err(|fault| LoadError::of_faults(&file, vec![fault]))?,
        })
    }

    /// Holds the ledger against a run: which failures are known, and which lines do not hold.
    ///
    /// A case that was skipped or not asked says nothing about its line.
    #[must_use]
    pub fn review(&self, reports: &[CaseReport<'_>]) -> Review {
        let mut review = Review::default();
        for entry in &self.entries {
            let matching: Vec<_> = reports
                .iter()
                .filter(|report| entry.matcher.is_match(&report.case.id))
                .collect();
            let mut problem = |text: String| {
                let place = entry.place.clone();
                review.problems.push(LedgerProblem { place, text });
            };
            if matching.is_empty() {
                problem(format!(
                    "`{}` matches no case: correct the id, or remove the line",
                    entry.id
                ));
            }
            if matching.len() > MOST_MATCHES {
                let count = matching.len();
                problem(format!(
                    "`{}` matches {count} cases, at most {MOST_MATCHES} may be known at once: name them more closely",
                    entry.id
                ));
                continue;
            }
            for report in matching {
                let id = &report.case.id;
                match &report.verdict {
                    Verdict::Passed => problem(format!("{id} passes now: remove the line")),
                    Verdict::Failed(_) | Verdict::Errored(_) => {
                        let got = summary(&report.verdict);
                        match &entry.got {
                            Some(expected) if *expected != got => problem(format!(
                                "{id} fails in another way: `{got}`, known is `{expected}`: look again, then correct `got`"
                            )),
                            _ => {
                                review.known.insert(id.clone());
                            }
                        }
                    }
                    Verdict::NotAsked(_) | Verdict::Skipped(_) => {}
                }
            }
        }
        review
    }

    /// The entry that covers an id, if there is one.
    #[must_use]
    pub fn entry(&self, id: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.matches(id))
    }
}

/// A wrong answer in one line, as `got` in a ledger has it; empty for a right one.
#[must_use]
pub fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Passed | Verdict::Skipped(_) => String::new(),
        Verdict::Errored(reason) | Verdict::NotAsked(reason) => reason.clone(),
        Verdict::Failed(Mismatch::Kind { got, .. }) => got.clone(),
        Verdict::Failed(Mismatch::Unsupported(why)) => format!("unsupported: {why}"),
        Verdict::Failed(Mismatch::Trace { got, first, .. }) => {
            let event = got.get(*first).map_or("nothing".to_owned(), ToString::to_string);
            format!("trace[{first}] {event}")
        }
        // The statistic is another one in each run.
        Verdict::Failed(Mismatch::Samples { flaw, .. }) => flaw.check.to_string(),
        Verdict::Failed(Mismatch::SameDraws(_)) => TWO_FRESH_PROCESSES.to_owned(),
        Verdict::Failed(Mismatch::Content(differences)) => {
            let shown = differences.iter().take(SUMMARISED).map(|difference| {
                let got = match &difference.got {
                    Shown::Number(number) => number.decimal(),
                    Shown::Text(text) => text.clone(),
                    Shown::Absent => "nothing".to_owned(),
                };
                format!("{} {got}", difference.at)
            });
            let more = differences.len().saturating_sub(SUMMARISED);
            let more = if more > 0 {
                format!(", and {more} more")
            } else {
                String::new()
            };
            shown.collect::<Vec<_>>().join(", ") + &more
        }
    }
}

/// What a port is known to get wrong, each line with a reason.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLedger {
    /// The known failures. A line that no longer holds turns the gate red.
    known_failures: Vec<RawEntry>,
}

/// A known failure.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "KnownFailure")]
struct RawEntry {
    /// The id of the case, or a pattern such as `ladder/names/*` that stands for at most 20 cases.
    #[schemars(example = &"ladder/names/seconds-not-whole")]
    id: String,
    /// Why the case fails.
    #[schemars(regex(pattern = r"\S"))]
    reason: String,
    /// Where that is discussed.
    #[serde(default)]
    link: Option<String>,
    /// The wrong answer that the port gives, as `samewait test --write-ledger` writes it; any where it is not said.
    #[serde(default)]
    got: Option<String>,
}
