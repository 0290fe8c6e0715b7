//! What a set of vectors consists of and what it is worth: `samewait check --stats`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::table::write_rows;
use crate::answer::Answer;
use crate::case::{Area, Case};
use crate::clause;
use crate::zoo::{KilledBug, Kills};

/// The figures of one area.
#[derive(Debug)]
struct AreaStats {
    area: Area,
    cases: usize,
    rejections: usize,
    reports: usize,
    killed: usize,
    languages: Vec<String>,
}

/// The figures of a set.
#[derive(Debug)]
pub struct Stats {
    areas: Vec<AreaStats>,
    /// For each clause that a case cites: how many do, and how many bugs they kill.
    clauses: Vec<(&'static str, usize, usize)>,
    bugs: usize,
    killed: usize,
    has_gate: bool,
}

/// As much of a gate's report (`samewait test --format json`) as the figures need.
#[derive(Debug, Deserialize)]
pub struct GateResults {
    ports: Vec<PortResults>,
}

#[derive(Debug, Deserialize)]
struct PortResults {
    report: RunResults,
}

#[derive(Debug, Deserialize)]
struct RunResults {
    port: Introduction,
    cases: Vec<CaseResult>,
}

#[derive(Debug, Deserialize)]
struct Introduction {
    /// Absent where the port never introduced itself.
    language: Option<String>,
}

#[derive(Debug, Deserialize)]
struct CaseResult {
    id: String,
    verdict: String,
}

impl Stats {
    /// Counts; the zoo's bugs are put to every case.
    #[must_use]
    pub fn of(cases: &[&Case], gate: Option<&GateResults>) -> Self {
        let kills = Kills::of(cases, |_| true);
        let killed_by = |is_meant: &dyn Fn(&Case) -> bool| {
            let is_killed = |killed: &&KilledBug<'_>| killed.cases.iter().any(|case| is_meant(case));
            kills.bugs.iter().filter(is_killed).count()
        };
        let areas = Area::ALL.into_iter().map(|area| {
            let of_area: Vec<&Case> = cases.iter().copied().filter(|case| case.area == area).collect();
            AreaStats {
                area,
                cases: of_area.len(),
                rejections: of_area
                    .iter()
                    .filter(|case| matches!(case.expected, Answer::Rejected(_)))
                    .count(),
                reports: of_area.iter().filter(|case| case.source.is_some()).count(),
                killed: killed_by(&|case| case.area == area),
                languages: gate.map_or(Vec::new(), |gate| gate.passed(&of_area)),
            }
        });
        let clauses = clause::all().filter_map(|clause| {
            let cites = |case: &Case| case.clauses.iter().any(|number| number == clause.number);
            let count = cases.iter().filter(|case| cites(case)).count();
            (count > 0).then(|| (clause.number, count, killed_by(&cites)))
        });
        Self {
            areas: areas.filter(|area| area.cases > 0).collect(),
            clauses: clauses.collect(),
            bugs: kills.bugs.len(),
            killed: kills.bugs.len() - kills.survivors().count(),
            has_gate: gate.is_some(),
        }
    }

    /// Writes the figures for people.
    ///
    /// # Errors
    ///
    /// When writing fails.
    pub fn write_human(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut rows = vec![cells(["area", "cases", "rejections", "with a report", "bugs killed"])];
        rows[0].extend(self.has_gate.then(|| "passed in".to_owned()));
        rows.extend(self.areas.iter().map(|area| {
            let counts = [area.cases, area.rejections, area.reports, area.killed];
            let mut row = cells([area.area.name()]);
            row.extend(counts.iter().map(ToString::to_string));
            row.extend(self.has_gate.then(|| area.languages.join(", ")));
            row
        }));
        write_rows(&rows, output)?;
        writeln!(output)?;
        let mut rows = vec![cells(["clause", "cases", "bugs killed"])];
        let row =
            |(clause, cases, killed): &(&str, usize, usize)| cells([clause, &cases.to_string(), &killed.to_string()]);
        rows.extend(self.clauses.iter().map(row));
        write_rows(&rows, output)?;
        let total: usize = self.areas.iter().map(|area| area.cases).sum();
        writeln!(output, "\n{total} cases kill {} of {} bugs", self.killed, self.bugs)
    }

    /// The figures for machines.
    #[must_use]
    pub fn object(&self) -> Json {
        let area = |area: &AreaStats| {
            json!({
                "area": area.area,
                "cases": area.cases,
                "rejections": area.rejections,
                "with_a_report": area.reports,
                "bugs_killed": area.killed,
                "passed_in": self.has_gate.then_some(&area.languages),
            })
        };
        let clause = |(clause, cases, killed): &(&str, usize, usize)| json!({"clause": clause, "cases": cases, "bugs_killed": killed});
        json!({
            "areas": self.areas.iter().map(area).collect::<Vec<_>>(),
            "clauses": self.clauses.iter().map(clause).collect::<Vec<_>>(),
            "bugs": self.bugs,
            "bugs_killed": self.killed,
        })
    }
}

fn cells<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

impl GateResults {
    /// The languages in which some of the cases passed, and none failed.
    fn passed(&self, cases: &[&Case]) -> Vec<String> {
        let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        let mut passed = BTreeMap::new();
        for port in &self.ports {
            let Some(language) = &port.report.port.language else {
                continue;
            };
            let verdicts: HashMap<&str, &str> = port
                .report
                .cases
                .iter()
                .filter(|case| ids.contains(case.id.as_str()))
                .map(|case| (case.id.as_str(), case.verdict.as_str()))
                .collect();
            let has = |verdict: &str| verdicts.values().any(|found| *found == verdict);
            *passed.entry(language.clone()).or_insert(true) &= has("passed") && !has("failed") && !has("errored");
        }
        passed
            .into_iter()
            .filter_map(|(language, has_passed)| has_passed.then_some(language))
            .collect()
    }
}
