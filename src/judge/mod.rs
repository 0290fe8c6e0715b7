//! The judge: is a reply the expected answer? Pure, and the only place that decides.

mod number;
mod samples;

pub(crate) use number::counts_within_one_unit;
pub use number::{Number, hex_float, ulps};
pub use samples::{TWO_FRESH_PROCESSES, judge_again, needs_a_second_process};

use serde_json::{Value as Json, json};

use crate::answer::{Answer, Between, Refusal, Reply, Reported, Value};
use crate::policy::PolicyFields;
use crate::printable::spelled;
use crate::question::Question;
use crate::scenario::TraceEvent;
use crate::uniformity::Flaw;
use crate::wire::Resolution;

/// What the kit says of one case.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The answer is the expected one.
    Passed,
    /// The answer is another one.
    Failed(Mismatch),
    /// There is no answer to judge: the port failed.
    Errored(String),
    /// The port could not be asked any more; counts as errored.
    NotAsked(String),
    /// The case does not concern this port, for this reason.
    Skipped(String),
}

impl Verdict {
    /// The verdict's name in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "failed",
            Self::Errored(_) | Self::NotAsked(_) => "errored",
            Self::Skipped(_) => "skipped",
        }
    }
}

/// How an answer differs from the expected one.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// An answer of another kind: a delay instead of a rejection, say.
    Kind {
        /// The kind and content expected.
        expected: String,
        /// The kind and content of the reply.
        got: String,
    },
    /// The right kind, with different content in these places; never empty.
    Content(Vec<Difference>),
    /// Another trace.
    Trace {
        /// The trace expected.
        expected: Vec<TraceEvent>,
        /// The trace of the reply.
        got: Vec<TraceEvent>,
        /// The first event in which they differ, from 0.
        first: usize,
    },
    /// Samples that do not look as jitter makes them.
    Samples {
        /// What was expected of them.
        expected: Between,
        /// What is wrong with them.
        flaw: Flaw,
    },
    /// Samples that a fresh process repeats: these, in seconds, and all others after them.
    SameDraws(Vec<f64>),
    /// A feature that the port claims, and then says it does not support.
    Unsupported(String),
}

/// One place where an answer differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Where in the answer: `delay`, `delays[3]`, `rungs[0].name`.
    pub at: String,
    /// What was expected there.
    pub expected: Shown,
    /// What the port answered there.
    pub got: Shown,
}

/// A value as a report shows it.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// A number that is compared bit for bit.
    Number(Number),
    /// Anything else.
    Text(String),
    /// Nothing stands there.
    Absent,
}

/// Compares a reply with the expected answer. Implements W-6, W-7, W-15 and W-16.
#[must_use]
pub fn judge(expected: &Answer, reply: &Reply, resolution: Resolution) -> Verdict {
    let mismatch = match (expected, reply) {
        (_, Reply::Error(text)) => return Verdict::Errored(format!("the port reports an error of its own: {text}")),
        (_, Reply::Unsupported(why)) => Some(Mismatch::Unsupported(why.clone())),
        (Answer::Rejected(expected), Reply::Rejected(got)) if expected == got => None,
        (Answer::Value(expected), Reply::Value(got)) => compare(expected, got, resolution),
        (Answer::Rejected(_), Reply::Rejected(_) | Reply::Value(_)) | (Answer::Value(_), Reply::Rejected(_)) => {
            Some(Mismatch::Kind {
                expected: describe(&Reply::from(expected.clone())),
                got: describe(reply),
            })
        }
    };
    mismatch.map_or(Verdict::Passed, Verdict::Failed)
}

/// Why a question can't be put to a port of that resolution (W-17), if it can't.
#[must_use]
pub fn skip_for_resolution(question: &Question, resolution: Resolution) -> Option<String> {
    let places = resolution.places()?;
    let odd = question
        .durations()
        .into_iter()
        .find(|&duration| !number::is_whole_units(duration, places))?;
    Some(format!(
        "{} s is not a whole number of units of {resolution}",
        spelled(odd)
    ))
}

fn compare(expected: &Value, got: &Value<Reported>, resolution: Resolution) -> Option<Mismatch> {
    let mut differences = Vec::new();
    match (expected, got) {
        (Value::Policy(expected), Value::Policy(got)) => compare_policies(expected, got, resolution, &mut differences),
        (Value::Delay(expected), Value::Delay(got)) => {
            differences.extend(compare_delay("delay".to_owned(), *expected, *got, resolution));
        }
        (Value::Delays(expected), Value::Delays(got)) => {
            differences = compare_delays(expected, got, resolution);
        }
        (Value::Between(expected), Value::Delays(got)) => return samples::compare(expected, got, resolution),
        (Value::Between(expected), Value::Between(got)) => {
            let exact = [(expected.low, got.low, "low"), (expected.high, got.high, "high")];
            let compare = |(expected, got, at): (f64, f64, &str)| {
                compare_delay(
                    format!("between.{at}"),
                    expected,
                    Reported::Seconds(got),
                    Resolution::Exact,
                )
            };
            differences.extend(exact.into_iter().filter_map(compare));
            differences.extend(samples::compare_counts(expected.count, got.count));
        }
        (Value::GiveUp(expected), Value::GiveUp(got)) => {
            compare_json("give_up", &json!(expected), &json!(got), &mut differences);
        }
        (Value::Rungs(expected), Value::Rungs(got)) => {
            compare_json("rungs", &json!(expected), &json!(got), &mut differences);
        }
        (Value::Rung(expected), Value::Rung(got)) => {
            compare_json("rung", &json!(expected), &json!(got), &mut differences);
        }
        (Value::Trace(expected), Value::Trace(got)) => {
            let same = expected
                .iter()
                .zip(got)
                .take_while(|(expected, got)| expected == got)
                .count();
            let is_same = same == expected.len() && same == got.len();
            return (!is_same).then(|| Mismatch::Trace {
                expected: expected.clone(),
                got: got.clone(),
                first: same,
            });
        }
        (
            Value::Policy(_)
            | Value::Delay(_)
            | Value::Delays(_)
            | Value::Between(_)
            | Value::GiveUp(_)
            | Value::Rungs(_)
            | Value::Rung(_)
            | Value::Trace(_),
            _,
        ) => {
            return Some(Mismatch::Kind {
                expected: describe(&Reply::from(Answer::Value(expected.clone()))),
                got: describe(&Reply::Value(got.clone())),
            });
        }
    }
    (!differences.is_empty()).then_some(Mismatch::Content(differences))
}

fn compare_delays(expected: &[f64], got: &[Reported], resolution: Resolution) -> Vec<Difference> {
    let compare = |index| {
        let at = format!("delays[{index}]");
        match (expected.get(index), got.get(index)) {
            (Some(&expected), Some(&got)) => compare_delay(at, expected, got, resolution),
            (expected, got) => Some(Difference {
                at,
                expected: expected.map_or(Shown::Absent, |&seconds| Shown::Number(Number::Seconds(seconds))),
                got: got.map_or(Shown::Absent, |&got| number(got, resolution)),
            }),
        }
    };
    (0..expected.len().max(got.len())).filter_map(compare).collect()
}

/// A delay: the same bits, or less than one unit away.
fn compare_delay(at: String, expected: f64, got: Reported, resolution: Resolution) -> Option<Difference> {
    let is_right = match got {
        Reported::Seconds(got) => got.to_bits() == expected.to_bits(),
        Reported::Count(got) => resolution
            .places()
            .is_some_and(|places| number::is_within_one_unit(expected, got, places)),
    };
    (!is_right).then(|| Difference {
        at,
        expected: Shown::Number(Number::Seconds(expected)),
        got: number(got, resolution),
    })
}

fn compare_policies(
    expected: &PolicyFields,
    got: &PolicyFields,
    resolution: Resolution,
    differences: &mut Vec<Difference>,
) {
    if expected.max_attempts != got.max_attempts {
        differences.push(Difference {
            at: "policy.max_attempts".to_owned(),
            expected: Shown::Text(expected.max_attempts.to_string()),
            got: Shown::Text(got.max_attempts.to_string()),
        });
    }
    let durations = [
        ("initial_delay", expected.initial_delay, got.initial_delay, true),
        ("multiplier", expected.multiplier, got.multiplier, false),
        ("max_delay", expected.max_delay, got.max_delay, true),
        ("jitter_factor", expected.jitter_factor, got.jitter_factor, false),
        ("max_message_age", expected.max_message_age, got.max_message_age, true),
    ];
    for (field, expected, got, is_duration) in durations {
        let unit = resolution.places().filter(|_| is_duration);
        let is_right = match unit {
            Some(places) => number::stands_within_one_unit(expected, got, places),
            None => expected.to_bits() == got.to_bits(),
        };
        if !is_right {
            differences.push(Difference {
                at: format!("policy.{field}"),
                expected: Shown::Number(Number::Seconds(expected)),
                got: Shown::Number(Number::Seconds(got)),
            });
        }
    }
}

/// Exact values: names, TTLs and arguments (L-9).
fn compare_json(at: &str, expected: &Json, got: &Json, differences: &mut Vec<Difference>) {
    match (expected, got) {
        (Json::Array(expected), Json::Array(got)) => {
            for index in 0..expected.len().max(got.len()) {
                let at = format!("{at}[{index}]");
                compare_optional(&at, expected.get(index), got.get(index), differences);
            }
        }
        (Json::Object(expected), Json::Object(got)) => {
            for key in expected
                .keys()
                .chain(got.keys().filter(|key| !expected.contains_key(*key)))
            {
                compare_optional(&format!("{at}.{key}"), expected.get(key), got.get(key), differences);
            }
        }
        _ if expected == got => {}
        _ => differences.push(Difference {
            at: at.to_owned(),
            expected: Shown::Text(expected.to_string()),
            got: Shown::Text(got.to_string()),
        }),
    }
}

fn compare_optional(at: &str, expected: Option<&Json>, got: Option<&Json>, differences: &mut Vec<Difference>) {
    let shown = |value: Option<&Json>| value.map_or(Shown::Absent, |value| Shown::Text(value.to_string()));
    match (expected, got) {
        (Some(expected), Some(got)) => compare_json(at, expected, got, differences),
        _ => differences.push(Difference {
            at: at.to_owned(),
            expected: shown(expected),
            got: shown(got),
        }),
    }
}

fn number(reported: Reported, resolution: Resolution) -> Shown {
    Shown::Number(match reported {
        Reported::Seconds(seconds) => Number::Seconds(seconds),
        Reported::Count(count) => Number::Count(count, resolution),
    })
}

/// A reply in a few words, for a mismatch of kinds.
fn describe(reply: &Reply) -> String {
    match reply {
        Reply::Rejected(Refusal { code, field: None }) => format!("rejected with {code}"),
        Reply::Rejected(Refusal {
            code,
            field: Some(field),
        }) => format!("rejected with {code}, field {field}"),
        Reply::Unsupported(why) => format!("unsupported: {why}"),
        Reply::Error(text) => format!("error: {text}"),
        Reply::Value(value) => match value {
            Value::Policy(_) => "a policy".to_owned(),
            Value::Delays(delays) => format!("{} delays", delays.len()),
            Value::Between(between) => between.to_string(),
            Value::Delay(Reported::Seconds(seconds)) => format!("delay {seconds:?} s"),
            Value::Delay(Reported::Count(count)) => format!("delay of {count} units"),
            Value::GiveUp(reason) => format!("give up: {reason}"),
            Value::Rungs(rungs) => format!("{} rungs", rungs.len()),
            Value::Rung(None) => "no rung".to_owned(),
            Value::Rung(Some(name)) => format!("rung {name}"),
            Value::Trace(trace) => format!("a trace of {} events", trace.len()),
        },
    }
}
