//! Rules of the vector format that go beyond its shape. Implements V-1 to V-7, V-15 and V-17.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value as Json;

use super::expect::legal_refusals;
use super::spot::{Spot, one_of};
use super::{Problem, scenario};
use crate::answer::{Answer, Between, Refusal, Value};
use crate::case::{Area, Case, is_id, is_plain};
use crate::clause;
use crate::policy::PolicyFields;
use crate::question::{Ask, JitterSamplesQuestion, Question};
use crate::uniformity::{MOST_CASES, SAMPLES};
use crate::yaml::{Mark, Outline};

/// The most attempts of a policy in a `schedule` case (V-15).
pub(crate) const MAX_SCHEDULED_ATTEMPTS: i64 = 10_000;

/// Checks the file's own name (V-3).
pub(super) fn topic(spot: &mut Spot<'_>, name: Option<(&str, &str)>) {
    if let Some((_, topic)) = name
        && !is_plain(topic)
    {
        let text = format!("topic `{topic}` in the file's name, needed lower-case letters, digits and hyphens");
        spot.problem_at(Mark { line: 1, column: 1 }, text);
    }
}

/// Checks the area against the folder and the ask (V-1).
pub(super) fn head(spot: &mut Spot<'_>, name: Option<(&str, &str)>, area: Area, ask: Ask) {
    let folder = name.map_or("", |(folder, _)| folder);
    if folder != area.name() {
        let text = format!("area `{}` in folder `{folder}`, needed the folder's name", area.name());
        spot.problem("area", text);
    } else if Area::of(ask) != area {
        let home = Area::of(ask).name();
        let text = format!("ask `{}` in area `{}`, needed area `{home}`", ask.name(), area.name());
        spot.problem("ask", text);
    }
}

/// Checks the rest of the top level (V-1).
pub(super) fn about(spot: &mut Spot<'_>, about: &str) {
    if about.trim().is_empty() {
        spot.problem("about", "an empty text, needed a sentence");
    } else if !is_sentences(about, 2) {
        let text = format!("about `{about}`, needed one or two sentences with a full stop");
        spot.problem("about", text);
    }
    if spot.outline.get("cases").is_none_or(|cases| cases.items().is_empty()) {
        spot.problem("cases", "no cases, needed at least one");
    }
}

/// Checks one case on its own (V-3 to V-7, V-15).
pub(super) fn case(spot: &mut Spot<'_>, name: Option<(&str, &str)>, case: &Case) {
    id(spot, name, &case.id);
    clauses(spot, &case.clauses);
    if !is_sentences(&case.note, 1) {
        spot.problem(
            "note",
            format!("note `{}`, needed one sentence with a full stop", case.note),
        );
    }
    if let Some(source) = &case.source
        && !is_address(source)
    {
        spot.problem("source", format!("source `{source}`, needed an https address"));
    }
    if let Some(replaces) = &case.replaces
        && !is_id(replaces)
    {
        spot.problem(
            "replaces",
            format!("replaces `{replaces}`, needed the id of a case that was removed"),
        );
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
    let rest = id.strip_prefix(&prefix).unwrap_or("");
    if !is_plain(rest) {
        let text = format!("id `{id}`, needed `{prefix}` and a name of lower-case letters, digits and hyphens");
        spot.problem("id", text);
    }
}

fn clauses(spot: &mut Spot<'_>, clauses: &[String]) {
    if clauses.is_empty() {
        spot.problem("clauses", "no clause, needed at least one");
    }
    let mut seen = BTreeSet::new();
    let items = spot.outline.get("clauses").map_or(&[][..], Outline::items);
    for (number, item) in clauses.iter().zip(items) {
        let text = if clause::text(number).is_none() {
            format!("clause `{number}`, needed one of the specification")
        } else if !seen.insert(number) {
            format!("clause `{number}` a second time, needed once")
        } else {
            continue;
        };
        spot.problem_at(item.mark, text);
    }
}

/// So many sentences at most: words, and a full stop at the end.
fn is_sentences(text: &str, at_most: usize) -> bool {
    let ends = [". ", "? ", "! "]
        .iter()
        .map(|end| text.matches(end).count())
        .sum::<usize>();
    text.contains(char::is_alphabetic) && text.ends_with('.') && ends < at_most
}

fn is_address(source: &str) -> bool {
    source
        .strip_prefix("https://")
        .is_some_and(|rest| rest.starts_with(char::is_alphanumeric) && !rest.contains(char::is_whitespace))
}

/// Checks that the expected value is one that some answer can have.
fn expectation(spot: &mut Spot<'_>, case: &Case) {
    match &case.expected {
        Answer::Rejected(refusal) => refused(spot, case.question.ask(), refusal),
        Answer::Value(Value::GiveUp(reason)) => {
            if !matches!(reason.as_str(), "max_attempts" | "max_message_age") {
                let text = format!("reason `{reason}`, needed `max_attempts` or `max_message_age`");
                spot.problem_in("expect", "give_up", text);
            }
        }
        Answer::Value(Value::Delays(_)) => {
            if let Question::Schedule(question) = &case.question {
                let attempts = PolicyFields::from(question.policy).max_attempts;
                if attempts > MAX_SCHEDULED_ATTEMPTS {
                    let text = format!("{attempts} attempts in a schedule, needed at most {MAX_SCHEDULED_ATTEMPTS}");
                    spot.within(&["given", "policy"]).problem("max_attempts", text);
                }
            }
        }
        Answer::Value(Value::Between(between)) => samples(spot, &case.question, between),
        Answer::Value(Value::Trace(_)) => scenario::check(spot, &case.question),
        Answer::Value(Value::Policy(_) | Value::Delay(_) | Value::Rungs(_) | Value::Rung(_)) => {}
    }
}

/// Checks what is expected of samples (V-17): the number that the statistics of chapter 4 are made for, and an interval.
fn samples(spot: &mut Spot<'_>, question: &Question, between: &Between) {
    let Between { count, low, high } = between;
    if let Question::JitterSamples(JitterSamplesQuestion { count: asked, .. }) = question
        && !SAMPLES.contains(count)
    {
        let text = format!("{asked} samples, needed {} to {}", SAMPLES.start(), SAMPLES.end());
        spot.problem_in("given", "count", text);
    }
    if low > high {
        let text = format!("between {low:?} and {high:?}, needed the lower one first");
        spot.problem_in("expect", "between", text);
    }
}

fn refused(spot: &mut Spot<'_>, ask: Ask, refusal: &Refusal) {
    let refusals = legal_refusals(ask);
    let mut rejected = spot.within(&["expect", "rejected"]);
    let Some((_, fields)) = refusals.iter().find(|(code, _)| *code == refusal.code) else {
        let codes: Vec<String> = refusals.iter().map(|(code, _)| format!("`{code}`")).collect();
        let needed = match &codes[..] {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            codes => codes.concat(),
        };
        rejected.problem("code", format!("code `{}`, needed {needed}", refusal.code));
        return;
    };
    let code = &refusal.code;
    match &refusal.field {
        None if !fields.is_empty() => {
            let text = format!("`{code}` without a field, needed {}", one_of(fields));
            spot.problem_in("expect", "rejected", text);
        }
        Some(field) if !fields.contains(&field.as_str()) => {
            let needed = if fields.is_empty() {
                "no field".to_owned()
            } else {
                one_of(fields)
            };
            rejected.problem("field", format!("field `{field}` with `{code}`, needed {needed}"));
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
        if twin.id == case.id {
            let text = format!("control `{control}`, which is the case itself, needed another case");
            spot.problem("control", text);
            continue;
        }
        if leads_back(case, &by_id) {
            let text = format!("control `{control}`, which leads back to this case, needed a way to an accepted case");
            spot.problem("control", text);
        }
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

/// Whether the controls, one after the other, come back to a case.
fn leads_back(case: &Case, by_id: &HashMap<&str, &Case>) -> bool {
    let mut twin = case;
    for _ in 0..by_id.len() {
        match twin.control.as_deref().and_then(|control| by_id.get(control)) {
            Some(next) if next.id == case.id => return true,
            Some(next) => twin = next,
            None => return false,
        }
    }
    false
}

/// Checks that no id stands twice (V-3).
pub(super) fn unique_ids(cases: &[Case]) -> Vec<Problem> {
    let mut first: HashMap<&str, &Case> = HashMap::new();
    let mut problems = Vec::new();
    for case in cases {
        let other = *first.entry(&case.id).or_insert(case);
        if other.place != case.place {
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

/// Checks that no case is there beside the one that corrects it (V-4).
pub(super) fn replaced_ids(cases: &[Case]) -> Vec<Problem> {
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let problem = |case: &Case| {
        let replaces = case.replaces.as_deref().filter(|replaces| ids.contains(replaces))?;
        Some(Problem {
            place: case.place.clone(),
            text: format!("replaces `{replaces}`, which is still there, needed the id of a case that was removed"),
        })
    };
    cases.iter().filter_map(problem).collect()
}

/// Checks that not more cases expect samples than the rate of false alarms allows (V-17).
pub(super) fn few_samples(cases: &[Case]) -> Option<Problem> {
    let sampled = cases
        .iter()
        .filter(|case| matches!(case.expected, Answer::Value(Value::Between(_))));
    let one_too_many = sampled.clone().nth(MOST_CASES)?;
    Some(Problem {
        place: one_too_many.place.clone(),
        text: format!(
            "{} cases that expect samples, needed at most {MOST_CASES} in all files together",
            sampled.count()
        ),
    })
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
