//! Reports for machines: JSON values, in forms that have schemas (`samewait schema`).

mod case;
mod check;
mod gate;
mod list;

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::{Outcome, RunReport};
use crate::port::{FaultReport, PortReport};
use crate::version::{KIT, SPEC};
use crate::wire::Resolution;

pub(crate) use case::CaseForm;
pub(crate) use check::{CheckForm, IndexForm, ProblemForm};
pub(crate) use gate::{GateForm, gate_object};
pub(crate) use list::CaseList;

/// Writes the report as one object.
///
/// # Errors
///
/// When writing fails.
pub fn write_json(report: &RunReport<'_>, output: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, &value(&TestForm::of(report)))?;
    writeln!(output)
}

/// A form as a value, whose keys are in the order of the alphabet.
pub(crate) fn value(form: &impl Serialize) -> Json {
    // Plain data with text keys: writing it can't fail.
    serde_json::to_value(form).unwrap_or_default()
}

/// A run of one port over a selection of cases: `samewait test --format json -- CMD`.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(crate) struct TestForm<'a> {
    /// The version of the kit.
    kit: &'a str,
    /// The version of the specification.
    spec: &'a str,
    /// The port.
    port: PortForm<'a>,
    /// The verdicts, counted.
    totals: TotalsForm,
    /// What the run shows of the port.
    outcome: Outcome,
    /// One verdict for each selected case, in the order of the vectors.
    cases: Vec<CaseForm<'a>>,
    /// How the port broke the protocol.
    faults: Vec<FaultForm<'a>>,
    /// What is not as it should be, but no fault.
    warnings: &'a [String],
    /// Why the test could not be made or not be finished; only where it is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    unusable: Option<UnusableForm<'a>>,
}

/// The port, as it introduced itself. One that never did has its command alone.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Port")]
struct PortForm<'a> {
    /// The command that starts it.
    command: &'a str,
    /// What it says of itself.
    #[serde(flatten)]
    hello: Option<HelloForm<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct HelloForm<'a> {
    /// The library's name.
    name: &'a str,
    /// The library's version.
    version: &'a str,
    /// The language, with its version.
    language: &'a str,
    /// The questions that the port answers, as far as the kit knows them.
    features: Vec<&'a str>,
    /// What the port's delays are counted in.
    resolution: Resolution,
}

/// The verdicts, counted.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Totals")]
struct TotalsForm {
    /// Cases that were answered rightly.
    passed: usize,
    /// Cases that were answered wrongly.
    failed: usize,
    /// Cases without an answer to judge.
    errored: usize,
    /// Cases that were not put to the port.
    skipped: usize,
    /// All of them.
    selected: usize,
}

/// How the port broke the protocol.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Fault")]
struct FaultForm<'a> {
    /// What it did.
    text: String,
    /// The id of the guilty case, or null where there is none.
    case: Option<&'a str>,
    /// The end of what the port wrote to standard error.
    stderr: &'a str,
}

/// Why the test could not be made or not be finished.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Unusable")]
struct UnusableForm<'a> {
    /// The reason.
    text: String,
    /// The end of what the port wrote to standard error.
    stderr: &'a str,
}

impl<'a> TestForm<'a> {
    /// The form of a report.
    pub(crate) fn of(report: &'a RunReport<'_>) -> Self {
        let totals = report.totals();
        let fault = |report: &'a FaultReport| FaultForm {
            text: report.fault.to_string(),
            case: report.guilty(),
            stderr: &report.fault.stderr,
        };
        Self {
            kit: KIT,
            spec: SPEC,
            port: port(&report.command, &report.port),
            totals: TotalsForm {
                passed: totals.passed,
                failed: totals.failed,
                errored: totals.errored,
                skipped: totals.skipped,
                selected: totals.selected(),
            },
            outcome: report.outcome(),
            cases: report.cases.iter().map(CaseForm::of).collect(),
            faults: report.port.faults.iter().map(fault).collect(),
            warnings: &report.port.warnings,
            unusable: report.port.unusable.as_ref().map(|unusable| UnusableForm {
                text: unusable.to_string(),
                stderr: unusable.stderr(),
            }),
        }
    }
}

fn port<'a>(command: &'a str, report: &'a PortReport) -> PortForm<'a> {
    let hello = report.hello.as_ref().map(|hello| HelloForm {
        name: &hello.name,
        version: &hello.version,
        language: &hello.language,
        features: hello.features.iter().map(|ask| ask.name()).collect(),
        resolution: hello.resolution,
    });
    PortForm { command, hello }
}
