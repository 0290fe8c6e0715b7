//! Answers: read from ports, and written by the reference when it serves as one.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds of JSON are all there will ever be"
)]

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use super::{HelloValue, Resolution};
use crate::answer::{Between, Refusal, Reply, Reported, RungValue, Value};
use crate::next_delay::GiveUp;
use crate::policy::PolicyFields;
use crate::question::{Ask, PolicyArgument, PolicyValue};
use crate::scenario::TraceEvent;
use crate::schema::Nullable;

/// One answer of a port, its value not yet read: what it may be depends on the question (W-2).
#[derive(Debug)]
pub(crate) struct ReplyLine<'a> {
    pub(crate) id: Cow<'a, str>,
    pub(crate) body: Body<'a>,
}

/// The one thing that an answer says.
#[derive(Debug)]
pub(crate) enum Body<'a> {
    Value(&'a RawValue),
    Rejected(Refusal),
    Unsupported(String),
    Error(String),
}

/// An answer as written. A key that is there is one of the four, also when it is null.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = BODIES.map(|body| json!({"required": [body]}))))]
pub(crate) struct RawReply<'a> {
    /// The id of the request.
    #[serde(borrow)]
    id: Cow<'a, str>,
    /// What the library answers.
    #[serde(borrow, default, deserialize_with = "present")]
    #[schemars(with = "AnswerValue")]
    value: Option<&'a RawValue>,
    /// The library refuses the input, as the clauses ask (W-6).
    #[serde(borrow, default, deserialize_with = "present")]
    #[schemars(with = "Refusal")]
    rejected: Option<&'a RawValue>,
    /// The port does not know or does not support the question; the text says why (W-5).
    #[serde(borrow, default, deserialize_with = "present")]
    #[schemars(with = "String")]
    unsupported: Option<&'a RawValue>,
    /// The port itself failed; the text says how (W-7).
    #[serde(borrow, default, deserialize_with = "present")]
    #[schemars(with = "String")]
    error: Option<&'a RawValue>,
}

/// The keys of which an answer has exactly one (W-2).
const BODIES: [&str; 4] = ["value", "rejected", "unsupported", "error"];

fn present<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

impl<'a> ReplyLine<'a> {
    /// Reads a line of a port.
    ///
    /// # Errors
    ///
    /// Why it is no answer.
    pub(crate) fn read(line: &'a [u8]) -> Result<Self, String> {
        let raw: RawReply<'a> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let body = match (raw.value, raw.rejected, raw.unsupported, raw.error) {
            (Some(value), None, None, None) => Body::Value(value),
            (None, Some(rejected), None, None) => Body::Rejected(typed(rejected)?),
            (None, None, Some(unsupported), None) => Body::Unsupported(typed(unsupported)?),
            (None, None, None, Some(error)) => Body::Error(typed(error)?),
            _ => return Err("needed exactly one of `value`, `rejected`, `unsupported` and `error`".to_owned()),
        };
        Ok(Self { id: raw.id, body })
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct PolicyKey<T> {
    /// The policy that was made, with all six fields.
    policy: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct DelaysKey<T> {
    /// The delays, in order.
    delays: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct DelayKey<T> {
    /// The delay.
    delay: T,
}

#[derive(Serialize)]
struct BetweenKey<T> {
    between: T,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct GiveUpKey<'a> {
    /// There is no further attempt, for this reason.
    #[schemars(extend("enum" = [GiveUp::MaxAttempts.name(), GiveUp::MaxMessageAge.name()]))]
    give_up: &'a str,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextDelayKeys {
    delay: Option<Json>,
    give_up: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct RungsKey<T> {
    /// The rungs, the shortest wait first.
    rungs: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct RungKey<T> {
    /// The name of the rung, or null.
    rung: T,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct TraceKey<T> {
    /// Every event, in the order in which they happen.
    trace: T,
}

/// The value of an answer whose question is not known: that of any question (W-12).
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "its schema is what it is for")]
enum AnswerValue {
    /// To `hello`.
    Hello(HelloValue),
    /// To `policy`.
    Policy(PolicyKey<PolicyValue>),
    /// To `schedule` and `jitter_samples`.
    Delays(DelaysKey<Vec<Reported>>),
    /// To `backoff`, `jitter` and `next_delay`.
    Delay(DelayKey<Reported>),
    /// To `next_delay`.
    GiveUp(GiveUpKey<'static>),
    /// To `ladder`.
    Rungs(RungsKey<Vec<RungValue>>),
    /// To `rung_for`.
    Rung(RungKey<Nullable<String>>),
    /// To `queue`.
    Trace(TraceKey<Vec<TraceEvent>>),
}

/// Reads the value of an answer to a question, from a port of that resolution.
///
/// # Errors
///
/// What was found, and what was needed.
pub(crate) fn read_value(raw: &RawValue, ask: Ask, resolution: Resolution) -> Result<Value<Reported>, String> {
    match ask {
        Ask::Policy => {
            let key: PolicyKey<PolicyValue> = typed(raw)?;
            Ok(Value::Policy(PolicyFields::from(key.policy)))
        }
        Ask::Schedule | Ask::JitterSamples => {
            let key: DelaysKey<Vec<Json>> = typed(raw)?;
            let delays: Result<_, _> = key.delays.iter().map(|delay| reported(delay, resolution)).collect();
            delays.map(Value::Delays)
        }
        Ask::Backoff | Ask::Jitter => {
            let key: DelayKey<Json> = typed(raw)?;
            reported(&key.delay, resolution).map(Value::Delay)
        }
        Ask::NextDelay => {
            let keys: NextDelayKeys = typed(raw)?;
            match (keys.delay, keys.give_up) {
                (Some(delay), None) => reported(&delay, resolution).map(Value::Delay),
                (None, Some(reason)) => Ok(Value::GiveUp(reason)),
                _ => Err("needed exactly one of `delay` and `give_up`, and neither null".to_owned()),
            }
        }
        Ask::Ladder => {
            let key: RungsKey<Vec<RungValue>> = typed(raw)?;
            Ok(Value::Rungs(key.rungs))
        }
        Ask::RungFor => {
            let key: RungKey<Json> = typed(raw)?;
            let name = key.rung.as_str().map(str::to_owned);
            if name.is_none() && !key.rung.is_null() {
                return Err(format!("`rung` is {}, needed a text or null", key.rung));
            }
            Ok(Value::Rung(name))
        }
        Ask::Queue => {
            let key: TraceKey<Vec<TraceEvent>> = typed(raw)?;
            Ok(Value::Trace(key.trace))
        }
    }
}

fn typed<T: DeserializeOwned>(raw: &RawValue) -> Result<T, String> {
    serde_json::from_str(raw.get()).map_err(|error| error.to_string())
}

/// One delay in the form that the port's resolution asks for (W-16).
fn reported(delay: &Json, resolution: Resolution) -> Result<Reported, String> {
    if resolution == Resolution::Exact {
        let seconds = if delay.is_number() { delay.as_f64() } else { None };
        return seconds
            .map(Reported::Seconds)
            .ok_or_else(|| format!("a delay is {delay}, needed a number of seconds"));
    }
    let count = match delay {
        Json::String(digits) => digits.parse().ok(),
        other => other.as_i64(),
    };
    count
        .map(Reported::Count)
        .ok_or_else(|| format!("a delay is {delay}, needed a whole number of units of {resolution}"))
}

/// Appends the line of a reply. What vectors expect of samples is written as they do; no port answers it.
pub(crate) fn write_reply(line: &mut Vec<u8>, id: &str, reply: &Reply) {
    let value = match reply {
        Reply::Rejected(refusal) => return write_body(line, id, "rejected", refusal),
        Reply::Unsupported(why) => return write_body(line, id, "unsupported", why),
        Reply::Error(text) => return write_body(line, id, "error", text),
        Reply::Value(value) => value,
    };
    match value {
        Value::Policy(fields) => {
            let policy = PolicyArgument::from(*fields);
            write_value(line, id, &PolicyKey { policy });
        }
        Value::Delays(delays) => write_value(line, id, &DelaysKey { delays }),
        Value::Between(Between { low, high, .. }) => {
            let between = [low, high];
            write_value(line, id, &BetweenKey { between });
        }
        Value::Delay(delay) => write_value(line, id, &DelayKey { delay }),
        Value::GiveUp(give_up) => write_value(line, id, &GiveUpKey { give_up }),
        Value::Rungs(rungs) => write_value(line, id, &RungsKey { rungs }),
        Value::Rung(rung) => write_value(line, id, &RungKey { rung }),
        Value::Trace(trace) => write_value(line, id, &TraceKey { trace }),
    }
}

/// Appends the line of an answer with a value.
pub(crate) fn write_value(line: &mut Vec<u8>, id: &str, value: &impl Serialize) {
    write_body(line, id, "value", value);
}

fn write_body(line: &mut Vec<u8>, id: &str, key: &str, body: &impl Serialize) {
    // Plain data with text keys: writing it can't fail.
    let id = Json::from(id);
    let body = serde_json::to_vec(body).unwrap_or_default();
    line.extend_from_slice(format!(r#"{{"id":{id},"{key}":"#).as_bytes());
    line.extend_from_slice(&body);
    line.extend_from_slice(b"}\n");
}
