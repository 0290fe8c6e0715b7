//! The report for machines: one JSON object.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{OTHER_DRAWS, Outcome, RunReport};
use crate::judge::{Difference, Mismatch, Number, Shown, TWO_FRESH_PROCESSES, Verdict, hex_float, ulps};
use crate::port::{CaseReport, FaultReport, PortReport};
use crate::version::{KIT, SPEC};
use crate::wire::Hello;

/// Writes the report as one object.
///
/// # Errors
///
/// When writing fails.
pub fn write_json(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, &object(report))?;
    writeln!(output)
}

/// The report as one object.
pub(crate) fn object(report: &RunReport<'_>) -> Json {
    let totals = report.totals();
    let fault = |report: &FaultReport| json!({"text": report.fault.to_string(), "case": report.guilty(), "stderr": report.fault.stderr});
    let mut object = json!({
        "kit": KIT,
        "spec": SPEC,
        "port": port(&report.command, &report.port),
        "totals": {
            "passed": totals.passed,
            "failed": totals.failed,
            "errored": totals.errored,
            "skipped": totals.skipped,
            "selected": totals.selected(),
        },
        "outcome": match report.outcome() {
            Outcome::Conforms => "conforms",
            Outcome::DoesNotConform => "does_not_conform",
            Outcome::Unusable => "unusable",
            Outcome::NothingTested => "nothing_tested",
        },
        "cases": report.cases.iter().map(case_object).collect::<Vec<_>>(),
        "faults": report.port.faults.iter().map(fault).collect::<Vec<_>>(),
        "warnings": report.port.warnings,
    });
    if let Some(unusable) = &report.port.unusable {
        object["unusable"] = json!({"text": unusable.to_string(), "stderr": unusable.stderr()});
    }
    object
}

fn port(command: &str, report: &PortReport) -> Json {
    let mut port = json!({"command": command});
    if let Some(Hello {
        name,
        version,
        language,
        features,
        unknown_features: _,
        resolution,
    }) = &report.hello
    {
        port["name"] = json!(name);
        port["version"] = json!(version);
        port["language"] = json!(language);
        port["features"] = features.iter().map(|ask| ask.name()).collect();
        port["resolution"] = json!(resolution);
    }
    port
}

/// One case of a report.
pub(crate) fn case_object(report: &CaseReport<'_>) -> Json {
    let CaseReport { case, verdict } = report;
    let mut object = json!({"id": case.id, "verdict": verdict.name()});
    match verdict {
        Verdict::Passed => {}
        Verdict::Skipped(reason) | Verdict::Errored(reason) => object["reason"] = json!(reason),
        Verdict::NotAsked(reason) => object["reason"] = json!(format!("not asked: {reason}")),
        Verdict::Failed(mismatch) => {
            object["clauses"] = json!(case.clauses);
            object["note"] = json!(case.note);
            if let Some(source) = &case.source {
                object["source"] = json!(source);
            }
            object["differences"] = match mismatch {
                Mismatch::Kind { expected, got } => json!([{"at": "answer", "expected": expected, "got": got}]),
                Mismatch::Unsupported(why) => {
                    json!([{"at": "answer", "expected": "an answer, since the port claims the feature", "got": format!("unsupported: {why}")}])
                }
                Mismatch::Trace { expected, got, first } => {
                    json!([{"at": format!("trace[{first}]"), "expected": expected.get(*first), "got": got.get(*first)}])
                }
                Mismatch::Samples { expected, flaw } => json!([{
                    "at": "delays",
                    "expected": expected.to_string(),
                    "got": flaw.to_string(),
                    "check": flaw.check.to_string(),
                    "statistic": flaw.statistic,
                    "bound": flaw.bound,
                    "histogram": flaw.histogram.to_string().lines().collect::<Vec<_>>(),
                }]),
                Mismatch::SameDraws(draws) => json!([{
                    "at": "delays",
                    "expected": OTHER_DRAWS,
                    "got": draws,
                    "check": TWO_FRESH_PROCESSES,
                }]),
                Mismatch::Content(differences) => differences.iter().map(difference).collect(),
            };
        }
    }
    object
}

fn difference(difference: &Difference) -> Json {
    let mut object = json!({
        "at": difference.at,
        "expected": shown(&difference.expected),
        "got": shown(&difference.got),
    });
    if let (Shown::Number(Number::Seconds(expected)), Shown::Number(Number::Seconds(got))) =
        (&difference.expected, &difference.got)
    {
        object["expected_hex"] = json!(hex_float(*expected));
        object["got_hex"] = json!(hex_float(*got));
        object["ulps"] = json!(ulps(*expected, *got));
    }
    object
}

fn shown(shown: &Shown) -> Json {
    match shown {
        Shown::Number(Number::Seconds(seconds)) => json!(seconds),
        Shown::Number(Number::Count(count, _)) => json!(count),
        Shown::Text(text) => json!(text),
        Shown::Absent => Json::Null,
    }
}
