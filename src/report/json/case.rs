//! One case of a report.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::judge::{Difference, Mismatch, Number, Shown, TWO_FRESH_PROCESSES, Verdict, hex_float, ulps};
use crate::port::CaseReport;
use crate::report::OTHER_DRAWS;
use crate::schema::Nullable;

/// The verdict on one case.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
#[schemars(rename = "Case")]
pub(crate) enum CaseForm<'a> {
    /// The answer is the expected one.
    Passed {
        /// The case's id.
        id: &'a str,
    },
    /// The case does not concern the port.
    Skipped {
        /// The case's id.
        id: &'a str,
        /// Why it does not.
        reason: String,
    },
    /// There is no answer to judge: the port failed, or could not be asked any more.
    Errored {
        /// The case's id.
        id: &'a str,
        /// How the port failed.
        reason: String,
    },
    /// The answer is another one.
    Failed {
        /// The case's id.
        id: &'a str,
        /// The clauses that the case tests.
        clauses: &'a [String],
        /// What the case is about.
        note: &'a str,
        /// A public report whose fault the case would have caught; only where there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(required)]
        source: Option<&'a str>,
        /// Where the answer differs, at least in one place.
        #[schemars(length(min = 1))]
        differences: Vec<DifferenceForm>,
    },
}

/// A place in which an answer differs from the expected one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Difference")]
pub(crate) struct DifferenceForm {
    /// The place, such as `delay`, `rungs[0].name` or `trace[3]`.
    at: String,
    /// What is expected there: a number, a text, an event, or null for nothing.
    expected: Json,
    /// What the port answered there.
    got: Json,
    /// Where both are doubles: every bit and how far they are from each other.
    #[serde(flatten)]
    bits: Option<Bits>,
    /// Which check of samples failed; only for samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    check: Option<String>,
    /// Where one check of samples failed: the numbers behind it.
    #[serde(flatten)]
    statistics: Option<Statistics>,
}

#[derive(Serialize, JsonSchema)]
struct Bits {
    /// The expected double in hexadecimal.
    expected_hex: String,
    /// The answered double in hexadecimal.
    got_hex: String,
    /// How many doubles lie from one to the other; null where one is no number.
    #[schemars(with = "Nullable<u64>")]
    ulps: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Statistics {
    /// The check's statistic; null where it is beyond a double.
    #[schemars(with = "Nullable<f64>")]
    statistic: f64,
    /// The bound that it is held against.
    bound: f64,
    /// The histogram of the samples, line by line.
    histogram: Vec<String>,
}

impl<'a> CaseForm<'a> {
    /// The form of one case's report.
    pub(crate) fn of(report: &'a CaseReport<'_>) -> Self {
        let CaseReport { case, verdict } = report;
        let id = &case.id;
        match verdict {
            Verdict::Passed => Self::Passed { id },
            Verdict::Skipped(reason) => Self::Skipped {
                id,
                reason: reason.clone(),
            },
            Verdict::Errored(reason) => Self::Errored {
                id,
                reason: reason.clone(),
            },
            Verdict::NotAsked(reason) => Self::Errored {
                id,
                reason: format!("not asked: {reason}"),
            },
            Verdict::Failed(mismatch) => Self::Failed {
                id,
                clauses: &case.clauses,
                note: &case.note,
                source: case.source.as_deref(),
                differences: differences(mismatch),
            },
        }
    }
}

fn differences(mismatch: &Mismatch) -> Vec<DifferenceForm> {
    match mismatch {
        Mismatch::Kind { expected, got } => vec![plain("answer", json!(expected), json!(got))],
        Mismatch::Unsupported(why) => {
            let expected = "an answer, since the port claims the feature";
            vec![plain("answer", json!(expected), json!(format!("unsupported: {why}")))]
        }
        Mismatch::Trace { expected, got, first } => {
            let (expected, got) = (json!(expected.get(*first)), json!(got.get(*first)));
            vec![plain(&format!("trace[{first}]"), expected, got)]
        }
        Mismatch::Samples { expected, flaw } => vec![DifferenceForm {
            check: Some(flaw.check.to_string()),
            statistics: Some(Statistics {
                statistic: flaw.statistic,
                bound: flaw.bound,
                histogram: flaw.histogram.to_string().lines().map(str::to_owned).collect(),
            }),
            ..plain("delays", json!(expected.to_string()), json!(flaw.to_string()))
        }],
        Mismatch::SameDraws(draws) => vec![DifferenceForm {
            check: Some(TWO_FRESH_PROCESSES.to_owned()),
            ..plain("delays", json!(OTHER_DRAWS), json!(draws))
        }],
        Mismatch::Content(differences) => differences.iter().map(difference).collect(),
    }
}

fn plain(at: &str, expected: Json, got: Json) -> DifferenceForm {
    DifferenceForm {
        at: at.to_owned(),
        expected,
        got,
        bits: None,
        check: None,
        statistics: None,
    }
}

fn difference(difference: &Difference) -> DifferenceForm {
    let Difference { at, expected, got } = difference;
    let mut form = plain(at, shown(expected), shown(got));
    if let (Shown::Number(Number::Seconds(expected)), Shown::Number(Number::Seconds(got))) = (expected, got) {
        form.bits = Some(Bits {
            expected_hex: hex_float(*expected),
            got_hex: hex_float(*got),
            ulps: ulps(*expected, *got),
        });
    }
    form
}

fn shown(shown: &Shown) -> Json {
    match shown {
        Shown::Number(Number::Seconds(seconds)) => json!(seconds),
        Shown::Number(Number::Count(count, _)) => json!(count),
        Shown::Text(text) => json!(text),
        Shown::Absent => Json::Null,
    }
}
