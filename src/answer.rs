//! Answers, as data: what a vector expects and what a port replied.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::ladder::Rung;
use crate::policy::PolicyFields;
use crate::rejection::Rejection;
use crate::scenario::TraceEvent;

/// The right answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// The input must be refused.
    Rejected(Refusal),
}

/// What a port made of a question (W-2).
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// A value.
    Value(Value<Reported>),
    /// The library refused the input.
    Rejected(Refusal),
    /// The port does not support the question, and says why.
    Unsupported(String),
    /// The port itself failed.
    Error(String),
}

/// The value of an answer. Delays are seconds in an [`Answer`], and as [`Reported`] in a [`Reply`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value<Delay = f64> {
    /// A resolved policy.
    Policy(PolicyFields),
    /// A schedule, or samples of a jittered delay.
    Delays(Vec<Delay>),
    /// Samples of a jittered delay, as they are expected; a port replies with delays.
    Between(Between),
    /// One delay.
    Delay(Delay),
    /// No further attempt, for this reason.
    GiveUp(String),
    /// A ladder.
    Rungs(Vec<RungValue>),
    /// A rung's name, or none.
    Rung(Option<String>),
    /// What happened in a scenario.
    Trace(Vec<TraceEvent>),
}

/// What is expected of samples of a jittered delay (J-10): so many, each from low to high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Between {
    /// How many.
    pub count: usize,
    /// The least jittered delay, in seconds: that of a draw of 0.
    pub low: f64,
    /// The bound of jittered delays, in seconds, which no draw exceeds.
    pub high: f64,
}

impl Between {
    /// Whether draws show in the samples. Without jitter all are the same delay.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.low < self.high
    }
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, low, high } = self;
        if self.is_random() {
            write!(f, "{count} delays between {low:?} and {high:?} s")
        } else {
            write!(f, "{count} delays of {low:?} s")
        }
    }
}

/// A delay as a port reports it (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reported {
    /// Binary64 seconds, or a count of the port's unit.
    Seconds(f64),
    /// A count of the port's unit, as a number or as a text of decimal digits.
    Count(#[schemars(with = "String", regex(pattern = r"^-?[0-9]+$"))] i64),
}

/// A rung in an answer. TTL and arguments are kept as they were written: a broker tells 1000 from "1000".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rung")]
pub struct RungValue {
    /// The queue's name (L-6).
    pub name: String,
    /// How long a message stays, in milliseconds (L-2).
    #[schemars(with = "i64")]
    pub ttl_ms: Json,
    /// The arguments the queue is declared with (L-8).
    pub arguments: BTreeMap<String, Json>,
}

impl From<&Rung> for RungValue {
    fn from(rung: &Rung) -> Self {
        let argument = |name: &str, value: Json| (name.to_owned(), value);
        Self {
            name: rung.name.clone(),
            ttl_ms: Json::from(rung.ttl_ms),
            arguments: BTreeMap::from([
                argument("x-message-ttl", Json::from(rung.ttl_ms)),
                argument("x-dead-letter-exchange", Json::from(rung.dead_letter_exchange.as_str())),
                argument(
                    "x-dead-letter-routing-key",
                    Json::from(rung.dead_letter_routing_key.as_str()),
                ),
            ]),
        }
    }
}

/// A refused input: the code and the field of W-6 and W-14.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// `invalid_policy`, `invalid_argument` or `rung_too_long`.
    #[schemars(extend("enum" = ["invalid_policy", "invalid_argument", "rung_too_long"]))]
    pub code: String,
    /// The field or argument, where the code has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

impl From<&Rejection> for Refusal {
    fn from(rejection: &Rejection) -> Self {
        Self {
            code: rejection.code().to_owned(),
            field: rejection.field().map(str::to_owned),
        }
    }
}

impl From<Answer> for Reply {
    /// The answer as a port of exact resolution would reply.
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Value(value) => Self::Value(value.reported(Reported::Seconds)),
            Answer::Rejected(refusal) => Self::Rejected(refusal),
        }
    }
}

impl Value {
    /// The value with each delay as a port reports it.
    pub(crate) fn reported(self, report: impl Fn(f64) -> Reported) -> Value<Reported> {
        match self {
            Self::Policy(fields) => Value::Policy(fields),
            Self::Delays(delays) => Value::Delays(delays.into_iter().map(report).collect()),
            Self::Between(between) => Value::Between(between),
            Self::Delay(delay) => Value::Delay(report(delay)),
            Self::GiveUp(reason) => Value::GiveUp(reason),
            Self::Rungs(rungs) => Value::Rungs(rungs),
            Self::Rung(name) => Value::Rung(name),
            Self::Trace(trace) => Value::Trace(trace),
        }
    }
}
