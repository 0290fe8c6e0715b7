//! Wrong answers, made of a right one by changing it in one place.

use samewait::answer::{Answer, Refusal, Reply, Reported, RungValue, Value};
use samewait::scenario::{Time, TraceEvent};
use samewait::{Millis, PolicyFields};
use serde_json::{Value as Json, json};

use super::samples;

/// A wrong answer.
pub(crate) struct Mutant {
    /// What was done to the right one.
    pub(crate) what: String,
    pub(crate) reply: Reply,
    /// In what the judge must find the first difference; none where the answer is of another kind, or is a refusal.
    pub(crate) at: Option<String>,
    /// Whether a duration differs, which a port that counts in coarse units may do.
    pub(crate) is_duration: bool,
}

impl Mutant {
    pub(super) fn new(what: impl Into<String>, reply: Reply) -> Self {
        Self {
            what: what.into(),
            reply,
            at: None,
            is_duration: false,
        }
    }

    pub(super) fn at(self, at: impl Into<String>) -> Self {
        let at = Some(at.into());
        Self { at, ..self }
    }

    pub(super) fn duration(self) -> Self {
        Self {
            is_duration: true,
            ..self
        }
    }
}

/// Wrong answers of the kind that is expected.
pub(crate) fn of_its_kind(expected: &Answer) -> Vec<Mutant> {
    match expected {
        Answer::Rejected(refusal) => refusals(refusal),
        Answer::Value(Value::Delay(delay)) => delays(*delay),
        Answer::Value(Value::Delays(delays)) => schedules(delays),
        Answer::Value(Value::Between(between)) => samples::wrong(between),
        Answer::Value(Value::GiveUp(reason)) => reasons(reason),
        Answer::Value(Value::Policy(fields)) => policies(fields),
        Answer::Value(Value::Rungs(rungs)) => ladders(rungs),
        Answer::Value(Value::Rung(name)) => names(name.as_deref()),
        Answer::Value(Value::Trace(trace)) => traces(trace),
    }
}

/// Answers of every other kind.
pub(crate) fn of_another_kind(expected: &Answer) -> Vec<Mutant> {
    let seconds = |seconds| Reported::Seconds(seconds);
    let replies = [
        ("a policy", Reply::Value(Value::Policy(PolicyFields::default()))),
        ("a delay", Reply::Value(Value::Delay(seconds(1.0)))),
        ("a schedule", Reply::Value(Value::Delays(vec![seconds(1.0)]))),
        ("an empty schedule", Reply::Value(Value::Delays(vec![]))),
        ("giving up", Reply::Value(Value::GiveUp("max_attempts".to_owned()))),
        ("an empty ladder", Reply::Value(Value::Rungs(vec![]))),
        ("no rung", Reply::Value(Value::Rung(None))),
        ("an empty trace", Reply::Value(Value::Trace(vec![]))),
        ("a rung", Reply::Value(Value::Rung(Some("orders.retry.1s".to_owned())))),
        (
            "a refusal",
            Reply::Rejected(refusal("invalid_policy", Some("max_attempts"))),
        ),
        ("not supported", Reply::Unsupported("not in this library".to_owned())),
        ("an error", Reply::Error("the library raised an exception".to_owned())),
    ];
    let right = match expected {
        // Samples are delays.
        Answer::Value(Value::Between(_)) => Reply::Value(Value::Delays(vec![])),
        Answer::Value(_) | Answer::Rejected(_) => Reply::from(expected.clone()),
    };
    replies
        .into_iter()
        .filter(|(_, reply)| !is_same_kind(reply, &right))
        .map(|(what, reply)| Mutant::new(what, reply))
        .collect()
}

fn is_same_kind(one: &Reply, other: &Reply) -> bool {
    use std::mem::discriminant;
    match (one, other) {
        (Reply::Value(one), Reply::Value(other)) => discriminant(one) == discriminant(other),
        (one, other) => discriminant(one) == discriminant(other),
    }
}

fn refusals(right: &Refusal) -> Vec<Mutant> {
    let codes = [
        "invalid_policy",
        "invalid_argument",
        "rung_too_long",
        "InvalidPolicy",
        "",
    ];
    let fields = [
        None,
        Some(""),
        Some("max_attempts"),
        Some("initial_delay"),
        Some("multiplier"),
        Some("max_delay"),
        Some("jitter_factor"),
        Some("max_message_age"),
        Some("attempt"),
        Some("message_age"),
        Some("delay"),
        Some("draw"),
        Some("count"),
        Some("threshold"),
        Some("queue"),
        Some("message_ttl"),
        Some("ack_timeout"),
    ];
    let field = right.field.as_deref();
    let other_codes = codes.into_iter().map(|code| refusal(code, field));
    let other_fields = fields.into_iter().map(|field| refusal(&right.code, field));
    other_codes
        .chain(other_fields)
        .filter(|refusal| refusal != right)
        .map(|refusal| Mutant::new(format!("{refusal:?}"), Reply::Rejected(refusal)))
        .collect()
}

fn refusal(code: &str, field: Option<&str>) -> Refusal {
    Refusal {
        code: code.to_owned(),
        field: field.map(str::to_owned),
    }
}

fn delays(right: f64) -> Vec<Mutant> {
    let of = |delay: Reported| {
        let reply = Reply::Value(Value::Delay(delay));
        Mutant::new(format!("{delay:?}"), reply).at("delay").duration()
    };
    let mut mutants: Vec<Mutant> = other_numbers(right)
        .into_iter()
        .map(|delay| of(Reported::Seconds(delay)))
        .collect();
    // A port of exact resolution has no units to count.
    mutants.extend([0, 1, 1000].map(|count| of(Reported::Count(count))));
    mutants
}

fn schedules(right: &[f64]) -> Vec<Mutant> {
    let reply = |delays: Vec<f64>| Reply::Value(Value::Delays(delays.into_iter().map(Reported::Seconds).collect()));
    let mut mutants: Vec<Mutant> = other_lists(right, &0.0)
        .into_iter()
        .map(|(what, delays, first)| {
            Mutant::new(what, reply(delays))
                .at(format!("delays[{first}]"))
                .duration()
        })
        .collect();
    for (index, &delay) in right.iter().enumerate() {
        for other in other_numbers(delay) {
            let mut delays = right.to_vec();
            delays[index] = other;
            let at = format!("delays[{index}]");
            mutants.push(Mutant::new(format!("{at} {other:?}"), reply(delays)).at(at).duration());
        }
    }
    mutants
}

fn reasons(right: &str) -> Vec<Mutant> {
    ["max_attempts", "max_message_age", "MAX_ATTEMPTS", "ttl_expired", ""]
        .into_iter()
        .filter(|reason| *reason != right)
        .map(|reason| Mutant::new(reason, Reply::Value(Value::GiveUp(reason.to_owned()))).at("give_up"))
        .collect()
}

fn policies(right: &PolicyFields) -> Vec<Mutant> {
    type Set = fn(&mut PolicyFields, f64);
    let attempts = [right.max_attempts + 1, right.max_attempts - 1, 0, -1].map(|max_attempts| {
        let fields = PolicyFields { max_attempts, ..*right };
        (max_attempts.to_string(), fields, "max_attempts", false)
    });
    let numbers: [(&str, f64, Set, bool); 5] = [
        (
            "initial_delay",
            right.initial_delay,
            |it, to| it.initial_delay = to,
            true,
        ),
        ("multiplier", right.multiplier, |it, to| it.multiplier = to, false),
        ("max_delay", right.max_delay, |it, to| it.max_delay = to, true),
        (
            "jitter_factor",
            right.jitter_factor,
            |it, to| it.jitter_factor = to,
            false,
        ),
        (
            "max_message_age",
            right.max_message_age,
            |it, to| it.max_message_age = to,
            true,
        ),
    ];
    let others = numbers.into_iter().flat_map(|(name, number, set, is_duration)| {
        other_numbers(number).into_iter().map(move |other| {
            let mut fields = *right;
            set(&mut fields, other);
            (format!("{other:?}"), fields, name, is_duration)
        })
    });
    attempts
        .into_iter()
        .chain(others)
        .map(|(value, fields, name, is_duration)| Mutant {
            is_duration,
            ..Mutant::new(format!("{name} {value}"), Reply::Value(Value::Policy(fields))).at(format!("policy.{name}"))
        })
        .collect()
}

fn ladders(right: &[RungValue]) -> Vec<Mutant> {
    let one_more = RungValue {
        name: "orders.retry.1s".to_owned(),
        ttl_ms: json!(1000),
        arguments: [].into(),
    };
    let mut mutants: Vec<Mutant> = other_lists(right, &one_more)
        .into_iter()
        .map(|(what, rungs, first)| Mutant::new(what, Reply::Value(Value::Rungs(rungs))).at(format!("rungs[{first}]")))
        .collect();
    for (index, rung) in right.iter().enumerate() {
        for (what, other, place) in other_rungs(rung) {
            let mut rungs = right.to_vec();
            rungs[index] = other;
            let at = format!("rungs[{index}].{place}");
            mutants.push(Mutant::new(format!("{at} {what}"), Reply::Value(Value::Rungs(rungs))).at(at));
        }
    }
    mutants
}

/// One rung changed: what was done, the rung, and the place in it.
fn other_rungs(right: &RungValue) -> Vec<(String, RungValue, String)> {
    let mut rungs = Vec::new();
    for name in other_texts(&right.name) {
        let what = format!("`{name}`");
        rungs.push((what, RungValue { name, ..right.clone() }, "name".to_owned()));
    }
    for ttl_ms in other_values(&right.ttl_ms) {
        let what = ttl_ms.to_string();
        rungs.push((
            what,
            RungValue {
                ttl_ms,
                ..right.clone()
            },
            "ttl_ms".to_owned(),
        ));
    }
    for (key, value) in &right.arguments {
        let place = format!("arguments.{key}");
        for other in other_values(value) {
            let what = other.to_string();
            let mut rung = right.clone();
            rung.arguments.insert(key.clone(), other);
            rungs.push((what, rung, place.clone()));
        }
        let mut rung = right.clone();
        rung.arguments.remove(key);
        rungs.push(("left out".to_owned(), rung, place));
    }
    let mut rung = right.clone();
    rung.arguments.insert("x-expires".to_owned(), json!(1000));
    rungs.push(("added".to_owned(), rung, "arguments.x-expires".to_owned()));
    rungs
}

fn names(right: Option<&str>) -> Vec<Mutant> {
    let others = match right {
        Some(name) => other_texts(name).into_iter().map(Some).chain([None]).collect(),
        None => ["orders.retry.1s", "null", ""]
            .map(|name| Some(name.to_owned()))
            .to_vec(),
    };
    others
        .into_iter()
        .map(|name| Mutant::new(format!("{name:?}"), Reply::Value(Value::Rung(name))).at("rung"))
        .collect()
}

fn traces(right: &[TraceEvent]) -> Vec<Mutant> {
    let of = |what: String, index: usize, trace: Vec<TraceEvent>| {
        Mutant::new(what, Reply::Value(Value::Trace(trace))).at(format!("trace[{index}]"))
    };
    let at = Time(Millis::new(1));
    let message = "another".to_owned();
    let one_more = TraceEvent::Ready { at, message };
    let mut mutants: Vec<Mutant> = other_lists(right, &one_more)
        .into_iter()
        .map(|(what, trace, first)| of(what.to_owned(), first, trace))
        .collect();
    for (index, event) in right.iter().enumerate() {
        let written = serde_json::to_value(event).expect("an event is plain data");
        for other in other_objects(&written) {
            let mut trace = right.to_vec();
            trace[index] = serde_json::from_value(other.clone()).expect("another event of the same form");
            mutants.push(of(other.to_string(), index, trace));
        }
        let mut trace = right.to_vec();
        trace[index] = one_more.clone();
        mutants.push(of("another event".to_owned(), index, trace));
    }
    mutants
}

/// An event or a dead letter, in turn with each of its values changed into another that may stand there.
fn other_objects(right: &Json) -> Vec<Json> {
    let mut others = Vec::new();
    if right["event"] == "refused" {
        others.push(with_the_other_name(right));
    }
    for (key, value) in right.as_object().into_iter().flatten() {
        let mut put = |other: Json| {
            let mut object = right.clone();
            object[key] = other;
            others.push(object);
        };
        match value {
            // The one millisecond that times in traces are compared to.
            Json::Number(seconds) if matches!(key.as_str(), "at" | "until") => {
                put(json!(seconds.as_f64().unwrap_or_default() + 0.001));
            }
            Json::Number(count) => put(json!(count.as_u64().unwrap_or_default() + 1)),
            // No text is another answer than the empty one.
            Json::Null => put(json!("")),
            Json::String(_) if key == "event" => {}
            Json::String(text) => {
                put(json!(format!("{text}s")));
                if key == "error" {
                    put(Json::Null);
                }
            }
            Json::Array(letters) => {
                let one_more =
                    json!({"message": "another", "reason": "ttl_expired", "error": null, "attempts": 0, "at": 1.0});
                for (_, list, _) in other_lists(letters, &one_more) {
                    put(json!(list));
                }
                for (index, letter) in letters.iter().enumerate() {
                    for other in other_objects(letter) {
                        let mut letters = letters.clone();
                        letters[index] = other;
                        put(json!(letters));
                    }
                }
            }
            Json::Bool(_) | Json::Object(_) => panic!("no event has such a value: {value}"),
        }
    }
    others
}

/// A refusal that names a message as a consumer, or a consumer as a message.
fn with_the_other_name(right: &Json) -> Json {
    let mut other = right.clone();
    if let Some(object) = other.as_object_mut() {
        for (key, value) in [
            ("message", object.remove("message")),
            ("consumer", object.remove("consumer")),
        ] {
            let other_key = if key == "message" { "consumer" } else { "message" };
            object.extend(value.map(|name| (other_key.to_owned(), name)));
        }
    }
    other
}

/// Numbers that are another binary64: the neighbours above all, and the negative zero where zero is right.
fn other_numbers(right: f64) -> Vec<f64> {
    let others = [
        right.next_up(),
        right.next_down(),
        -right,
        right * 2.0 + 1.0,
        0.0,
        f64::INFINITY,
        f64::NAN,
    ];
    others
        .into_iter()
        .filter(|other| other.to_bits() != right.to_bits())
        .collect()
}

fn other_texts(right: &str) -> Vec<String> {
    let shorter = right.chars().take(right.chars().count().saturating_sub(1)).collect();
    let others = [
        format!("{right}s"),
        format!("{right} "),
        shorter,
        right.to_uppercase(),
        String::new(),
    ];
    others.into_iter().filter(|other| other != right).collect()
}

/// Values of JSON that are not the right one: of another size, and of another type.
fn other_values(right: &Json) -> Vec<Json> {
    let mut others = vec![Json::Null, json!([right])];
    if let Some(text) = right.as_str() {
        others.extend(other_texts(text).into_iter().map(Json::from));
    }
    if let Some(number) = right.as_i64() {
        // 1000.0 and "1000" are no integer 1000 to a broker.
        let with_fraction: Json = serde_json::from_str(&format!("{number}.0")).unwrap_or_default();
        others.extend([
            json!(number + 1),
            json!(number - 1),
            json!(number.to_string()),
            with_fraction,
        ]);
    }
    others
}

/// Lists of another length or order, with the index of the first element that differs.
fn other_lists<T: Clone + PartialEq>(right: &[T], one_more: &T) -> Vec<(&'static str, Vec<T>, usize)> {
    let mut lists = vec![(
        "one too many",
        [right, std::slice::from_ref(one_more)].concat(),
        right.len(),
    )];
    if let Some((last, before)) = right.split_last() {
        lists.push(("the last left out", before.to_vec(), before.len()));
        lists.push((
            "the last twice",
            [right, std::slice::from_ref(last)].concat(),
            right.len(),
        ));
        lists.push(("none", vec![], 0));
    }
    if let Some(first) = right.windows(2).position(|pair| pair[0] != pair[1]) {
        let mut list = right.to_vec();
        list.swap(first, first + 1);
        lists.push(("two exchanged", list, first));
        // The first that differs from its successor differs when all move up.
        lists.push(("the first left out", right[1..].to_vec(), first));
    }
    lists
}
