//! One vector file: its closed shape, and the way from it to cases.

use std::fmt;

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::lint::{self, Spot};
use super::{Problem, Source, scenario};
use crate::answer::{Answer, Refusal, RungValue, Value};
use crate::case::{Area, Case, Place};
use crate::policy::PolicyFields;
use crate::question::{Ask, PolicyValue, Question, QueueArguments, QueueQuestion, Text, text};
use crate::scenario::{StepFault, TraceEvent};
use crate::yaml::{self, Outline};

/// Reads and checks one file, all but what concerns other files.
pub(super) fn read(source: &Source) -> Result<Vec<Case>, Vec<Problem>> {
    let outline = yaml::outline(&source.text).map_err(|faults| {
        faults
            .into_iter()
            .map(|fault| Problem::from_fault(&source.name, fault))
            .collect::<Vec<_>>()
    })?;
    let reader = Reader {
        source,
        outline: &outline,
    };
    reader.frame()?;
    let file = reader.file().map_err(|problem| vec![problem])?;
    reader.cases(file)
}

/// The top level of a file (V-1).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<Given> {
    area: Area,
    ask: Ask,
    #[serde(deserialize_with = "text")]
    about: String,
    cases: Vec<RawCase<Given>>,
}

/// A case as written (V-2).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase<Given> {
    #[serde(deserialize_with = "text")]
    id: String,
    clauses: Vec<Text>,
    #[serde(deserialize_with = "text")]
    note: String,
    #[serde(default, deserialize_with = "present")]
    source: Option<Text>,
    #[serde(default, deserialize_with = "present")]
    control: Option<Text>,
    given: Given,
    expect: Expect,
}

/// Every key that some expectation has (V-7).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    #[serde(default, deserialize_with = "present")]
    policy: Option<PolicyValue<Finite>>,
    #[serde(default, deserialize_with = "present")]
    delays: Option<Vec<Finite>>,
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
    trace: Option<Vec<TraceEvent>>,
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

/// Tells a key that is null, and is so read as the type says, from one that is absent.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

struct Reader<'a> {
    source: &'a Source,
    outline: &'a Outline,
}

impl Reader<'_> {
    /// What the rest is read by: the ask, the area it belongs to, and the keys that its answers have.
    fn frame(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        let mut spot = Spot::new(&self.source.name, self.outline, &mut problems);
        lint::topic(&mut spot, self.source.area_and_topic());
        let word = |key| self.outline.get(key).and_then(Outline::text);
        if self.outline.get("cases").is_some() && self.outline.get("ask").is_none() {
            let text = "no key `ask`, needed it";
            problems.push(Problem::new(&self.source.name, self.outline.mark, text));
        } else if let Some(ask) = word("ask").and_then(Ask::named) {
            let area = word("area").and_then(|name| Area::ALL.into_iter().find(|area| area.name() == name));
            if let Some(area) = area {
                lint::head(&mut spot, self.source.area_and_topic(), area, ask);
            }
            if !problems.is_empty() {
                return Err(problems);
            }
            let cases = self.outline.get("cases").map_or(&[][..], Outline::items);
            for expect in cases.iter().filter_map(|case| case.get("expect")) {
                for (key, mark) in expect.keys().filter(|(key, _)| !legal_answers(ask).contains(key)) {
                    let (name, needed) = (ask.name(), one_of(legal_answers(ask)));
                    let text = format!("`{key}`, which no answer to `{name}` has, needed {needed}");
                    problems.push(Problem::new(&self.source.name, mark, text));
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The question decides how `given` is read, so `ask` is looked up first.
    fn file(&self) -> Result<File<Question>, Problem> {
        let ask = self.outline.get("ask").and_then(Outline::text).and_then(Ask::named);
        match ask {
            Some(Ask::Policy) => self.typed(|given| Ok(Question::Policy(given))),
            Some(Ask::Schedule) | None => self.typed(|given| Ok(Question::Schedule(given))),
            Some(Ask::Backoff) => self.typed(|given| Ok(Question::Backoff(given))),
            Some(Ask::NextDelay) => self.typed(|given| Ok(Question::NextDelay(given))),
            Some(Ask::Jitter) => self.typed(|given| Ok(Question::Jitter(given))),
            Some(Ask::Ladder) => self.typed(|given| Ok(Question::Ladder(given))),
            Some(Ask::RungFor) => self.typed(|given| Ok(Question::RungFor(given))),
            Some(Ask::Queue) => self.typed(|given: QueueArguments| QueueQuestion::try_from(given).map(Question::Queue)),
        }
    }

    fn typed<Given: DeserializeOwned>(
        &self,
        question: fn(Given) -> Result<Question, StepFault>,
    ) -> Result<File<Question>, Problem> {
        let name = &self.source.name;
        let file: File<Given> = yaml::read(&self.source.text).map_err(|fault| Problem::from_fault(name, fault))?;
        let places = self.outline.get("cases").map_or(&[][..], Outline::items);
        let case = |(raw, place): (RawCase<Given>, &Outline)| {
            Ok(RawCase {
                id: raw.id,
                clauses: raw.clauses,
                note: raw.note,
                source: raw.source,
                control: raw.control,
                given: question(raw.given)
                    .map_err(|fault| Problem::new(name, scenario::place(place, &fault), fault.text))?,
                expect: raw.expect,
            })
        };
        Ok(File {
            area: file.area,
            ask: file.ask,
            about: file.about,
            cases: file.cases.into_iter().zip(places).map(case).collect::<Result<_, _>>()?,
        })
    }

    fn cases(&self, file: File<Question>) -> Result<Vec<Case>, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut spot = Spot::new(&self.source.name, self.outline, &mut problems);
        lint::about(&mut spot, &file.about);
        let mut cases = Vec::new();
        let places = self.outline.get("cases").map_or(&[][..], Outline::items);
        for (raw, outline) in file.cases.into_iter().zip(places) {
            let mut spot = Spot::new(&self.source.name, outline, &mut problems);
            if let Some(expected) = answer(raw.expect, file.ask, &mut spot) {
                let mark = outline.key("id");
                let case = Case {
                    id: raw.id,
                    area: file.area,
                    clauses: raw.clauses.into_iter().map(|clause| clause.0).collect(),
                    note: raw.note,
                    source: raw.source.map(|source| source.0),
                    control: raw.control.map(|control| control.0),
                    question: raw.given,
                    expected,
                    place: Place {
                        file: self.source.name.clone(),
                        line: mark.line,
                        column: mark.column,
                    },
                };
                lint::case(&mut spot, self.source.area_and_topic(), &case);
                cases.push(case);
            }
        }
        lint::controls(&self.source.name, places, &cases, &mut problems);
        if problems.is_empty() { Ok(cases) } else { Err(problems) }
    }
}

/// The one answer that an expectation spells, if its keys are those of the question.
fn answer(expect: Expect, ask: Ask, spot: &mut Spot<'_>) -> Option<Answer> {
    let keys: Vec<&str> = [
        ("policy", expect.policy.is_some()),
        ("delays", expect.delays.is_some()),
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
        let needed = legal_answers(ask)
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
        .or(expect.delay.map(|delay| Value::Delay(delay.0)))
        .or(expect.give_up.map(|reason| Value::GiveUp(reason.0)))
        .or(expect.rungs.map(rungs))
        .or(expect.rung.map(|rung| Value::Rung(rung.map(|name| name.0))))
        .or(expect.trace.map(Value::Trace));
    let refusal = |raw: RawRefusal| Refusal {
        code: raw.code,
        field: raw.field.map(|field| field.0),
    };
    value
        .map(Answer::Value)
        .or(expect.rejected.map(refusal).map(Answer::Rejected))
}

/// The keys that expectations of a question have.
fn legal_answers(ask: Ask) -> &'static [&'static str] {
    match ask {
        Ask::Policy => &["policy", "rejected"],
        Ask::Schedule => &["delays", "rejected"],
        Ask::Backoff | Ask::Jitter => &["delay", "rejected"],
        Ask::NextDelay => &["delay", "give_up", "rejected"],
        Ask::Ladder => &["rungs", "rejected"],
        Ask::RungFor => &["rung", "rejected"],
        Ask::Queue => &["trace", "rejected"],
    }
}

/// The names to choose from, as serde lists them.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        names => format!("one of `{}`", names.join("`, `")),
    }
}
