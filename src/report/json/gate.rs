//! A family of ports in one report.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;

use super::{TestForm, value};
use crate::gate::{GateReport, PortRun, State};

/// The report as one object.
pub(crate) fn gate_object(gate: &GateReport<'_>) -> Json {
    value(&GateForm {
        ports: gate.ports.iter().map(PortRunForm::of).collect(),
        skipped_by_all: gate.skipped_by_all(),
    })
}

/// A run of a family: `samewait test --format json` over the ports of a configuration.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GateReport")]
pub(crate) struct GateForm<'a> {
    /// The ports, in the order of the configuration.
    ports: Vec<PortRunForm<'a>>,
    /// The ids of the cases that no port was asked, which shows nothing about them.
    skipped_by_all: Vec<&'a str>,
}

/// One port's part in it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "PortRun")]
struct PortRunForm<'a> {
    /// The port's name in the configuration.
    name: &'a str,
    /// Whether its part is what was expected.
    state: State,
    /// The ids of the failures that its ledger knows.
    known: Vec<&'a str>,
    /// The lines of its ledger that do not hold, each with its place.
    ledger_problems: Vec<String>,
    /// The run itself.
    report: TestForm<'a>,
}

impl<'a> PortRunForm<'a> {
    fn of(port: &'a PortRun<'_>) -> Self {
        Self {
            name: &port.config.name,
            state: port.state,
            known: port.review.known.iter().map(String::as_str).collect(),
            ledger_problems: port.review.problems.iter().map(ToString::to_string).collect(),
            report: TestForm::of(&port.report),
        }
    }
}
