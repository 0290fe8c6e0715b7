//! One vector file: its closed shape, and the way from it to cases.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use super::lint::{self, Spot};
use super::{Problem, Source, scenario};
use crate::answer::{Answer, Refusal, RungValue, Value};
use crate::case::{Area, Case, Place};
use crate::policy::PolicyFields;
use crate::question::{Ask, PolicyValue, Question, QueueArguments, QueueQuestion, Real};
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
    let file = reader.file().map_err(|problem| vec![problem])?;
    reader.cases(file)
}

/// The top level of a file (V-1).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<Given> {
    area: Area,
    ask: Ask,
    about: String,
    cases: Vec<RawCase<Given>>,
}

/// A case as written (V-2).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCase<Given> {
    id: String,
    clauses: Vec<String>,
    note: String,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    control: Option<String>,
    given: Given,
    expect: Expect,
}

/// Every key that some expectation has (V-7).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    policy: Option<PolicyValue<Real>>,
    delays: Option<Vec<Real>>,
    delay: Option<Real>,
    give_up: Option<String>,
    rungs: Option<Vec<RungValue>>,
    #[serde(default, deserialize_with = "present")]
    rung: Option<RungOrNull>,
    trace: Option<Vec<TraceEvent>>,
    rejected: Option<Refusal>,
}

/// A rung's name, or the null that says there is none.
struct RungOrNull(Option<String>);

/// Tells a key that is null from one that is absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RungOrNull>, D::Error> {
    Option::deserialize(deserializer).map(|name| Some(RungOrNull(name)))
}

struct Reader<'a> {
    source: &'a Source,
    outline: &'a Outline,
}

impl Reader<'_> {
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
        lint::head(
            &mut spot,
            self.source.area_and_topic(),
            file.area,
            file.ask,
            &file.about,
        );
        let mut cases = Vec::new();
        let places = self.outline.get("cases").map_or(&[][..], Outline::items);
        for (raw, outline) in file.cases.into_iter().zip(places) {
            let mut spot = Spot::new(&self.source.name, outline, &mut problems);
            if let Some(expected) = answer(raw.expect, file.ask, &mut spot) {
                let mark = outline.key("id");
                let case = Case {
                    id: raw.id,
                    area: file.area,
                    clauses: raw.clauses,
                    note: raw.note,
                    source: raw.source,
                    control: raw.control,
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
    let legal: &[&str] = match ask {
        Ask::Policy => &["policy", "rejected"],
        Ask::Schedule => &["delays", "rejected"],
        Ask::Backoff | Ask::Jitter => &["delay", "rejected"],
        Ask::NextDelay => &["delay", "give_up", "rejected"],
        Ask::Ladder => &["rungs", "rejected"],
        Ask::RungFor => &["rung", "rejected"],
        Ask::Queue => &["trace", "rejected"],
    };
    let needed = legal
        .iter()
        .map(|key| format!("`{key}`"))
        .collect::<Vec<_>>()
        .join(" or ");
    for key in keys.iter().filter(|key| !legal.contains(key)) {
        let text = format!("`{key}`, which no answer to `{}` has, needed {needed}", ask.name());
        spot.problem_in("expect", key, text);
    }
    if keys.len() != 1 {
        let text = format!("{} answers, needed exactly one of {needed}", keys.len());
        spot.problem("expect", text);
        return None;
    }
    let rungs = expect.rungs.map(Value::Rungs);
    let delays = |delays: Vec<Real>| Value::Delays(delays.into_iter().map(|delay| delay.0).collect());
    let value = expect
        .policy
        .map(|policy| Value::Policy(PolicyFields::from(policy)))
        .or(expect.delays.map(delays))
        .or(expect.delay.map(|delay| Value::Delay(delay.0)))
        .or(expect.give_up.map(Value::GiveUp))
        .or(rungs)
        .or(expect.rung.map(|rung| Value::Rung(rung.0)))
        .or(expect.trace.map(Value::Trace));
    value.map(Answer::Value).or(expect.rejected.map(Answer::Rejected))
}
