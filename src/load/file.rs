//! One vector file: its closed shape, and the way from it to cases.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::expect::{Expect, answer, legal_answers, present};
use super::lint;
use super::spot::{Spot, one_of};
use super::{Problem, Source, scenario};
use crate::case::{Area, Case, Place};
use crate::question::{Ask, Question, QueueArguments, QueueQuestion};
use crate::scenario::StepFault;
use crate::text::{Text, text};
use crate::yaml::{self, Outline};

/// Reads and checks one file, all but what concerns other files.
pub(super) fn read(source: &Source) -> Result<Vec<Case>, Vec<Problem>> {
    let outline = yaml::outline(&source.text).map_err(|faults| Problem::from_faults(&source.name, faults))?;
    let reader = Reader {
        source,
        outline: &outline,
    };
    reader.frame()?;
    let file = reader.file().map_err(|problem| vec![problem])?;
    reader.cases(file)
}

/// The top level of a file (V-1).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct File<Given> {
    /// The group that the cases belong to: the name of the file's folder.
    area: Area,
    /// The question that every case of the file puts. It decides what `given` and `expect` hold.
    ask: Ask,
    /// What the file is about, in one or two sentences that end in a full stop.
    #[serde(deserialize_with = "text")]
    #[schemars(regex(pattern = r"^(?!(.*[.?!] ){2}).*[A-Za-z].*\.$"))]
    about: String,
    /// The cases.
    #[schemars(length(min = 1))]
    cases: Vec<RawCase<Given>>,
}

/// A case as written (V-2).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(crate) struct RawCase<Given> {
    /// `<area>/<topic>/<name>`, named after the fault that the case exposes. It is unique, and is never given to another case.
    #[serde(deserialize_with = "text")]
    id: String,
    /// The clauses of the specification that the case tests.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    clauses: Vec<Text>,
    /// What the case is about, in one sentence that ends in a full stop.
    #[serde(deserialize_with = "text")]
    #[schemars(regex(pattern = r"^(?!.*[.?!] ).*[A-Za-z].*\.$"))]
    note: String,
    /// The address of a public report whose fault the case would have caught.
    #[serde(default, deserialize_with = "present")]
    #[schemars(required, regex(pattern = r"^https://[A-Za-z0-9]\S*$"))]
    source: Option<Text>,
    /// Where a rejection is expected: the id of a case of this file that is not rejected and differs in exactly one value (V-5).
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    control: Option<Text>,
    /// The id of a case that was removed and that this one corrects (R-8).
    #[serde(default, deserialize_with = "present")]
    #[schemars(required)]
    replaces: Option<Text>,
    /// The arguments of the question.
    given: Given,
    /// The answer that every port gives.
    expect: Expect,
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
            let area = word("area").and_then(Area::named);
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
            Some(Ask::JitterSamples) => self.typed(|given| Ok(Question::JitterSamples(given))),
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
                replaces: raw.replaces,
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
            if let Some(expected) = answer(raw.expect, &raw.given, &mut spot) {
                let mark = outline.key("id");
                let case = Case {
                    id: raw.id,
                    area: file.area,
                    clauses: raw.clauses.into_iter().map(|clause| clause.0).collect(),
                    note: raw.note,
                    source: raw.source.map(|source| source.0),
                    control: raw.control.map(|control| control.0),
                    replaces: raw.replaces.map(|replaces| replaces.0),
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
