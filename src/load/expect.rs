//! What a case expects: the closed shape of `expect`, and the one answer it spells (V-7).

use std::fmt;

use serde::de;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::spot::Spot;
use crate::answer::{Answer, Between, Refusal, RungValue, Value};
use crate::policy::PolicyFields;
use crate::printable::counted;
use crate::question::{Ask, PolicyValue, Question};
use crate::scenario::TraceEvent;
use crate::text::{Text, text};
use crate::yaml::{Outline, in_our_words};

/// Every key that some expectation has (V-7).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    #[serde(default, deserialize_with = "present")]
    policy: Option<PolicyValue<Finite>>,
    #[serde(default, deserialize_with = "present")]
    delays: Option<Vec<Finite>>,
    #[serde(default, deserialize_with = "present")]
    between: Option<Vec<Finite>>,
    #[serde(default, deserialize_with = "present")]
    delay: Option<Finite>,
    #[serde(default, deserialize_with = "present")]
    give_up: Option<Text>,
    #[serde(default, deserialize_with = "present")]
    rungs: Option<Vec<RungExpectation>>,
    #[serde(default, deserialize_with = "present")]
    #[expect(clippy::option_option, reason = "absent, null, and a name are three answers")]
    rung: Option<Option<Text>>,
    #[serde(default, deserialize_with = "present")]
    trace: Option<Vec<Json>>,
    #[serde(default, deserialize_with = "present")]
    rejected: Option<RawRefusal>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRefusal {
    #[serde(deserialize_with = "text")]
    code: String,
    #[serde(default, deserialize_with = "present")]
    field: Option<Text>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RungExpectation {
    #[serde(deserialize_with = "text")]
    name: String,
    ttl_ms: i64,
    arguments: RungArguments,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RungArguments {
    #[serde(rename = "x-message-ttl")]
    message_ttl: i64,
    #[serde(rename = "x-dead-letter-exchange", deserialize_with = "text")]
    exchange: String,
    #[serde(rename = "x-dead-letter-routing-key", deserialize_with = "text")]
    routing_key: String,
}

impl From<RungExpectation> for RungValue {
    fn from(rung: RungExpectation) -> Self {
        let arguments = [
            ("x-message-ttl", Json::from(rung.arguments.message_ttl)),
            ("x-dead-letter-exchange", Json::from(rung.arguments.exchange)),
            ("x-dead-letter-routing-key", Json::from(rung.arguments.routing_key)),
        ];
        Self {
            name: rung.name,
            ttl_ms: Json::from(rung.ttl_ms),
            arguments: arguments
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect(),
        }
    }
}

/// A number as answers have it: NaN and the infinities are for requests (W-9).
#[derive(Clone, Copy)]
struct Finite(f64);

impl From<Finite> for f64 {
    fn from(finite: Finite) -> Self {
        finite.0
    }
}

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FiniteVisitor;

        impl de::Visitor<'_> for FiniteVisitor {
            type Value = Finite;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number with a fraction such as 1.0")
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Finite, E> {
                Ok(Finite(number))
            }
        }

        deserializer.deserialize_any(FiniteVisitor)
    }
}

/// The one answer that an expectation spells, if its keys are those of the question.
pub(super) fn answer(expect: Expect, question: &Question, spot: &mut Spot<'_>) -> Option<Answer> {
    let keys: Vec<&str> = [
        ("policy", expect.policy.is_some()),
        ("delays", expect.delays.is_some()),
        ("between", expect.between.is_some()),
        ("delay", expect.delay.is_some()),
        ("give_up", expect.give_up.is_some()),
        ("rungs", expect.rungs.is_some()),
        ("rung", expect.rung.is_some()),
        ("trace", expect.trace.is_some()),
        ("rejected", expect.rejected.is_some()),
    ]
    .into_iter()
    .filter_map(|(key, is_there)| is_there.then_some(key))
    .collect();
    if keys.len() != 1 {
        let needed = legal_answers(question.ask())
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(" or ");
        let text = format!("{} answers, needed exactly one of {needed}", keys.len());
        spot.problem("expect", text);
        return None;
    }
    let rungs = |rungs: Vec<RungExpectation>| Value::Rungs(rungs.into_iter().map(RungValue::from).collect());
    let delays = |delays: Vec<Finite>| Value::Delays(delays.into_iter().map(f64::from).collect());
    let value = expect
        .policy
        .map(|policy| Value::Policy(PolicyFields::from(policy)))
        .or(expect.delays.map(delays))
        .or(expect
            .between
            .and_then(|ends| between(&ends, question, spot))
            .map(Value::Between))
        .or(expect.delay.map(|delay| Value::Delay(delay.0)))
        .or(expect.give_up.map(|reason| Value::GiveUp(reason.0)))
        .or(expect.rungs.map(rungs))
        .or(expect.rung.map(|rung| Value::Rung(rung.map(|name| name.0))))
        .or(expect
            .trace
            .and_then(|trace| self::trace(trace, spot))
            .map(Value::Trace));
    let refusal = |raw: RawRefusal| Refusal {
        code: raw.code,
        field: raw.field.map(|field| field.0),
    };
    value
        .map(Answer::Value)
        .or(expect.rejected.map(refusal).map(Answer::Rejected))
}

/// Samples are as many as the question asks for. A number of them that can't be is told of by the rules for `count`.
fn between(ends: &[Finite], question: &Question, spot: &mut Spot<'_>) -> Option<Between> {
    let &[Finite(low), Finite(high)] = ends else {
        let text = format!(
            "{}, needed two: the least delay and the bound",
            counted(ends.len(), "number")
        );
        spot.problem_in("expect", "between", text);
        return None;
    };
    let mut count = 0;
    if let Question::JitterSamples(question) = question {
        count = usize::try_from(question.count).unwrap_or(0);
    }
    Some(Between { count, low, high })
}

/// The events of a trace, read one by one so that each fault has its place.
fn trace(trace: Vec<Json>, spot: &mut Spot<'_>) -> Option<Vec<TraceEvent>> {
    let places = spot.outline.get("expect").and_then(|expect| expect.get("trace"));
    let places = places.map_or(&[][..], Outline::items);
    let mut events = Vec::new();
    for ((index, event), place) in trace.into_iter().enumerate().zip(places) {
        match serde_json::from_value(event) {
            Ok(event) => events.push(event),
            Err(error) => {
                let text = format!("trace[{index}]: {}", in_our_words(&error.to_string()));
                spot.problem_at(place.mark, text);
            }
        }
    }
    (events.len() == places.len()).then_some(events)
}

/// The keys that expectations of a question have.
pub(super) fn legal_answers(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Policy => &["policy", "rejected"],
        Ask::Schedule => &["delays", "rejected"],
        Ask::Backoff | Ask::Jitter => &["delay", "rejected"],
        Ask::JitterSamples => &["between", "rejected"],
        Ask::NextDelay => &["delay", "give_up", "rejected"],
        Ask::Ladder => &["rungs", "rejected"],
        Ask::RungFor => &["rung", "rejected"],
        Ask::Queue => &["trace", "rejected"],
    }
}

/// Tells a key that is null, and is so read as the type says, from one that is absent.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
