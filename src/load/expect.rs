//! What a case expects: the closed shape of `expect`, and the one answer it spells (V-7).

use std::fmt;

use schemars::JsonSchema;
use serde::de;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::spot::Spot;
use crate::answer::{Answer, Between, Refusal, RungValue, Value};
use crate::next_delay::GiveUp;
use crate::policy::PolicyFields;
use crate::printable::counted;
use crate::question::{Ask, PolicyValue, Question};
use crate::rejection::PolicyField;
use crate::scenario::TraceEvent;
use crate::text::{Text, text};
use crate::yaml::{Outline, in_our_words};

/// Every key that some expectation has (V-7).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct Expect {
    /// The resulting policy, with all six fields.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    policy: Option<PolicyValue<Finite>>,
    /// Every delay of the policy in seconds, the first one first.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    delays: Option<Vec<Finite>>,
    /// The least jittered delay and the bound, in seconds (V-17).
    #[serde(default, deserialize_with = "present")]
    #[schemars(required, length(equal = 2))]
    between: Option<Vec<Finite>>,
    /// The delay in seconds.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    delay: Option<Finite>,
    /// There is no further attempt, for this reason.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required, extend("enum" = REASONS))]
    give_up: Option<Text>,
    /// The rungs, the shortest wait first; empty where no wait is long enough.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    rungs: Option<Vec<RungExpectation>>,
    /// The name of the rung, or null where the wait is not long enough for one.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Option<Text>")]
    #[expect(clippy::option_option, reason = "absent, null, and a name are three answers")]
    rung: Option<Option<Text>>,
    /// Every event, in the order in which they happen.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Vec<TraceEvent>")]
    trace: Option<Vec<Json>>,
    /// The input must be refused (W-6). The case then has a `control` (V-5).
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    rejected: Option<RawRefusal>,
}

/// The reasons to give up, for schemas.
const REASONS: [&str; 2] = [GiveUp::MaxAttempts.name(), GiveUp::MaxMessageAge.name()];

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Refusal", inline)]
struct RawRefusal {
    /// The code of the rejection (W-14).
    #[serde(deserialize_with = "text")]
    code: String,
    /// The field of the policy, or the argument, that is refused.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    field: Option<Text>,
}

/// A rung as an expectation has it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rung")]
struct RungExpectation {
    /// The queue's name (L-6).
    #[serde(deserialize_with = "text")]
    name: String,
    /// How long a message stays, in milliseconds (L-2).
    ttl_ms: i64,
    /// What the queue is declared with (L-8).
    arguments: RungArguments,
}

/// The arguments that a rung's queue is declared with (L-8).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RungArguments {
    /// The same as `ttl_ms`.
    #[serde(rename = "x-message-ttl")]
    message_ttl: i64,
    /// Where expired messages go.
    #[serde(rename = "x-dead-letter-exchange", deserialize_with = "text")]
    exchange: String,
    /// The source queue, under whose name they go there.
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
#[derive(Clone, Copy, JsonSchema)]
#[schemars(inline)]
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
pub(crate) fn legal_answers(ask: Ask) -> &'static [&'static str] {
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

/// The codes with which a question is rejected, each with the fields it names (W-14); none where it names no field.
pub(crate) fn legal_refusals(ask: Ask) -> Vec<(&'static str, Vec<&'static str>)> {
    let arguments: &[&str] = match ask {
        Ask::Policy | Ask::Schedule => &[],
        Ask::Backoff => &["attempt"],
        Ask::NextDelay => &["attempt", "message_age"],
        Ask::Jitter => &["delay", "draw"],
        Ask::JitterSamples => &["delay", "count"],
        Ask::Ladder => &["queue", "threshold"],
        Ask::RungFor => &["queue", "threshold", "delay"],
        Ask::Queue => &["message_ttl", "ack_timeout"],
    };
    let mut refusals = vec![("invalid_policy", PolicyField::ALL.map(PolicyField::name).to_vec())];
    if !arguments.is_empty() {
        refusals.push(("invalid_argument", arguments.to_vec()));
    }
    if matches!(ask, Ask::Ladder | Ask::RungFor) {
        refusals.push(("rung_too_long", vec![]));
    }
    refusals
}

/// Tells a key that is null, and is so read as the type says, from one that is absent.
pub(super) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
