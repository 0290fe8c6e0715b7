//! Rules of the vector format that go beyond its shape. Implements V-1 to V-7 and V-15.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value as Json;

use super::{Problem, scenario};
use crate::answer::{Answer, Refusal, Value};
use crate::case::{Area, Case};
use crate::clause;
use crate::policy::PolicyFields;
use crate::question::{Ask, Question};
use crate::yaml::{Mark, Outline};

/// The most attempts of a policy in a `schedule` case (V-15).
const MAX_SCHEDULED_ATTEMPTS: i64 = 10_000;

/// Where problems of one value go.
pub(super) struct Spot<'a> {
    file: &'a str,
    pub(super) outline: &'a Outline,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Spot<'a> {
    pub(super) fn new(file: &'a str, outline: &'a Outline, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            file,
            outline,
            problems,
        }
    }

    /// A problem with the value under a key.
    pub(super) fn problem(&mut self, key: &str, text: impl Into<String>) {
        let mark = self.outline.key(key);
        self.problems.push(Problem::new(self.file, mark, text));
    }

    /// A problem at a place.
    pub(super) fn problem_at(&mut self, mark: Mark, text: impl Into<String>) {
        self.problems.push(Problem::new(self.file, mark, text));
    }

    /// A problem with a key within the value under another key.
    pub(super) fn problem_in(&mut self, key: &str, inner: &str, text: impl Into<String>) {
        let mark = self
            .outline
            .get(key)
            .map_or(self.outline.mark, |outline| outline.key(inner));
        self.problems.push(Problem::new(self.file, mark, text));
    }
}

/// Checks the top level of a file against its name (V-1).
pub(super) fn head(spot: &mut Spot<'_>, name: Option<(&str, &str)>, area: Area, ask: Ask, about: &str) {
    let folder = name.map_or("", |(folder, _)| folder);
    if folder != area.name() {
        let text = format!("area `{}` in folder `{folder}`, needed the folder's name", area.name());
        spot.problem("area", text);
    }
    if Area::of(ask) != area {
        let home = Area::of(ask).name();
        let text = format!("ask `{}` in area `{}`, needed area `{home}`", ask.name(), area.name());
        spot.problem("ask", text);
    }
    if about.trim().is_empty() {
        spot.problem("about", "an empty text, needed a sentence");
    }
    if spot.outline.get("cases").is_none_or(|cases| cases.items().is_empty()) {
        spot.problem("cases", "no cases, needed at least one");
    }
}

/// Checks one case on its own (V-3 to V-7, V-15).
pub(super) fn case(spot: &mut Spot<'_>, name: Option<(&str, &str)>, case: &Case) {
    id(spot, name, &case.id);
    clauses(spot, &case.clauses);
    if !is_sentence(&case.note) {
        spot.problem(
            "note",
            format!("note `{}`, needed one sentence with a full stop", case.note),
        );
    }
    if let Some(source) = &case.source
        && (!source.starts_with("https://") || source.contains(char::is_whitespace))
    {
        spot.problem("source", format!("source `{source}`, needed an https address"));
    }
    match (&case.expected, &case.control) {
        (Answer::Rejected(_), None) => {
            spot.problem(
                "expect",
                "a rejection without a control, needed `control` with the id of the accepted twin",
            );
        }
        (Answer::Value(_), Some(_)) => {
            spot.problem("control", "a control of a case that is not rejected, needed none");
        }
        (Answer::Rejected(_), Some(_)) | (Answer::Value(_), None) => {}
    }
    expectation(spot, case);
}

fn id(spot: &mut Spot<'_>, name: Option<(&str, &str)>, id: &str) {
    let Some((area, topic)) = name else { return };
    let prefix = format!("{area}/{topic}/");
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let rest = id.strip_prefix(&prefix).unwrap_or("");
    if rest.is_empty() || !rest.bytes().all(is_plain) {
        let text = format!("id `{id}`, needed `{prefix}` and a name of lower-case letters, digits and hyphens");
        spot.problem("id", text);
    }
}

fn clauses(spot: &mut Spot<'_>, clauses: &[String]) {
    if clauses.is_empty() {
        spot.problem("clauses", "no clause, needed at least one");
    }
    let mut seen = BTreeSet::new();
    for number in clauses {
        if clause::text(number).is_none() {
            spot.problem("clauses", format!("clause `{number}`, needed one of the specification"));
        }
        if !seen.insert(number) {
            spot.problem("clauses", format!("clause `{number}` a second time, needed once"));
        }
    }
}

/// One sentence: something, and a full stop at its end.
fn is_sentence(note: &str) -> bool {
    note.len() > 1 && note.ends_with('.') && !note.contains(". ")
}

/// Checks that the expected value is one that some answer can have.
fn expectation(spot: &mut Spot<'_>, case: &Case) {
    match &case.expected {
        Answer::Rejected(refusal) => refused(spot, refusal),
        Answer::Value(Value::GiveUp(reason)) => {
            if !matches!(reason.as_str(), "max_attempts" | "max_message_age") {
                let text = format!("reason `{reason}`, needed `max_attempts` or `max_message_age`");
                spot.problem_in("expect", "give_up", text);
            }
        }
        Answer::Value(Value::Delays(_)) => {
            if let Question::Schedule(question) = &case.question
                && PolicyFields::from(question.policy).max_attempts > MAX_SCHEDULED_ATTEMPTS
            {
                let text = format!("a schedule of more than {MAX_SCHEDULED_ATTEMPTS} attempts, needed fewer");
                spot.problem("given", text);
            }
        }
        Answer::Value(Value::Trace(_)) => scenario::check(spot, &case.question),
        Answer::Value(Value::Policy(_) | Value::Delay(_) | Value::Rungs(_) | Value::Rung(_)) => {}
    }
}

fn refused(spot: &mut Spot<'_>, refusal: &Refusal) {
    let fields: &[&str] = match refusal.code.as_str() {
        "invalid_policy" => &[
            "max_attempts",
            "initial_delay",
            "multiplier",
            "max_delay",
            "jitter_factor",
            "max_message_age",
        ],
        "invalid_argument" => &[
            "attempt",
            "message_age",
            "delay",
            "draw",
            "threshold",
            "queue",
            "message_ttl",
            "ack_timeout",
        ],
        "rung_too_long" => &[],
        other => {
            let text = format!("code `{other}`, needed `invalid_policy`, `invalid_argument` or `rung_too_long`");
            spot.problem_in("expect", "rejected", text);
            return;
        }
    };
    let code = &refusal.code;
    match &refusal.field {
        None if !fields.is_empty() => {
            spot.problem_in(
                "expect",
                "rejected",
                format!("`{code}` without a field, needed one of {}", fields.join(", ")),
            );
        }
        Some(field) if !fields.contains(&field.as_str()) => {
            let needed = if fields.is_empty() {
                "no field".to_owned()
            } else {
                format!("one of {}", fields.join(", "))
            };
            spot.problem_in(
                "expect",
                "rejected",
                format!("field `{field}` with `{code}`, needed {needed}"),
            );
        }
        Some(_) | None => {}
    }
}

/// Checks that every control is there, and differs in exactly one value (V-5).
pub(super) fn controls(file: &str, places: &[Outline], cases: &[Case], problems: &mut Vec<Problem>) {
    if cases.len() != places.len() {
        return; // Some cases could not be read; that is reported already.
    }
    let by_id: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), case)).collect();
    for (case, outline) in cases.iter().zip(places) {
        let (Answer::Rejected(refusal), Some(control)) = (&case.expected, &case.control) else {
            continue;
        };
        let mut spot = Spot::new(file, outline, problems);
        let Some(twin) = by_id.get(control.as_str()) else {
            spot.problem(
                "control",
                format!("control `{control}`, needed the id of a case of this file"),
            );
            continue;
        };
        if twin.expected == Answer::Rejected(refusal.clone()) {
            spot.problem(
                "control",
                format!("control `{control}`, which is refused for the same reason, needed an accepted case"),
            );
        }
        let differing = differences(&given(&case.question), &given(&twin.question));
        if differing != 1 {
            let text = format!("control `{control}`, which differs in {differing} values, needed exactly one");
            spot.problem("control", text);
        }
    }
}

/// Checks that no id stands twice (V-3).
pub(super) fn unique_ids(cases: &[Case]) -> Vec<Problem> {
    let mut first: HashMap<&str, &Case> = HashMap::new();
    let mut problems = Vec::new();
    for case in cases {
        if let Some(other) = first.insert(&case.id, case) {
            problems.push(Problem {
                place: case.place.clone(),
                text: format!(
                    "id `{}` a second time, needed a new one (first at {})",
                    case.id, other.place
                ),
            });
        }
    }
    problems
}

fn given(question: &Question) -> Json {
    serde_json::to_value(question).unwrap_or(Json::Null)
}

/// In how many leaves two values differ; a leaf that only one has counts once.
fn differences(a: &Json, b: &Json) -> usize {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter()
                .map(|key| differences(a.get(key).unwrap_or(&Json::Null), b.get(key).unwrap_or(&Json::Null)))
                .sum()
        }
        (Json::Array(a), Json::Array(b)) => {
            let longest = a.len().max(b.len());
            (0..longest)
                .map(|index| differences(a.get(index).unwrap_or(&Json::Null), b.get(index).unwrap_or(&Json::Null)))
                .sum()
        }
        _ => usize::from(a != b),
    }
}
