//! The reference as a port says what the reference says.
//!
//! What fails is shrunk, and its seed is kept in `port.regressions` next to this file: commit it, and it is tried first from then on.

use proptest::prelude::*;
use samewait::answer::{Answer, Value};
use samewait::arbitrary::question;
use samewait::load::VectorSet;
use samewait::question::{Question, Real};
use samewait::serve::{Reference, serve};
use samewait::{draws, reference};
use serde_json::{Value as Json, json};

use super::subject::config;

/// Of what the reference draws.
const SEED: u64 = 1;

/// Any pattern of 64 bits, and often one of those that JSON has no number for.
fn any_double() -> impl Strategy<Value = f64> {
    prop_oneof![
        9 => any::<u64>().prop_map(f64::from_bits),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]),
    ]
}

#[test]
fn the_port_of_the_reference_answers_every_vector_as_expected() {
    let cases = VectorSet::embedded().expect("the embedded vectors are legal").cases;
    for case in cases {
        let expected = match case.expected {
            // What is drawn is for the judge; here the draws are known.
            Answer::Value(Value::Between(_)) => reference::answer(&case.question, draws::seeded(SEED)),
            Answer::Value(_) | Answer::Rejected(_) => case.expected,
        };
        assert_eq!(answers(&request(&case.question)), [reply(expected)], "{}", case.id);
    }
}

/// What the reference answers as a port: lines of JSON, their keys in one order.
///
/// As texts they tell every double from every other: the shortest decimal is written for each.
fn answers(requests: &str) -> Vec<String> {
    let mut output = Vec::new();
    serve(requests.as_bytes(), &mut output, &mut Reference(draws::seeded(SEED))).expect("pipes in memory do not fail");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    output
        .lines()
        .map(|line| {
            serde_json::from_str::<Json>(line)
                .expect("an answer is JSON")
                .to_string()
        })
        .collect()
}

/// A question as a line of the port protocol.
fn request(question: &Question) -> String {
    let mut request = serde_json::to_value(question).expect("plain data");
    request["id"] = json!("7");
    request["ask"] = json!(question.ask().name());
    format!("{request}\n")
}

/// An answer as a line of the port protocol.
fn reply(answer: Answer) -> String {
    let body = match answer {
        Answer::Rejected(refusal) => {
            let refusal = match refusal.field {
                Some(field) => json!({"code": refusal.code, "field": field}),
                None => json!({"code": refusal.code}),
            };
            json!({"id": "7", "rejected": refusal})
        }
        Answer::Value(value) => json!({"id": "7", "value": value_as_json(value)}),
    };
    body.to_string()
}

fn value_as_json(value: Value) -> Json {
    match value {
        Value::Delay(delay) => json!({"delay": delay}),
        Value::Delays(delays) => json!({"delays": delays}),
        Value::Between(_) => panic!("no port answers an interval"),
        Value::GiveUp(reason) => json!({"give_up": reason}),
        Value::Rung(name) => json!({"rung": name}),
        Value::Rungs(rungs) => {
            let rungs: Vec<Json> = rungs
                .into_iter()
                .map(|rung| json!({"name": rung.name, "ttl_ms": rung.ttl_ms, "arguments": rung.arguments}))
                .collect();
            json!({"rungs": rungs})
        }
        Value::Trace(trace) => json!({"trace": trace}),
        Value::Policy(fields) => json!({"policy": {
            "max_attempts": fields.max_attempts,
            "initial_delay": fields.initial_delay,
            "multiplier": fields.multiplier,
            "max_delay": fields.max_delay,
            "jitter_factor": fields.jitter_factor,
            "max_message_age": fields.max_message_age,
        }}),
    }
}

proptest! {
    #![proptest_config(config(file!()))]

    #[test]
    fn the_port_of_the_reference_answers_what_the_reference_answers(questions in prop::collection::vec(question(), 1..4)) {
        let requests: String = questions.iter().map(request).collect();
        let mut draw = draws::seeded(SEED);
        let expected: Vec<String> = questions.iter().map(|question| reply(reference::answer(question, &mut draw))).collect();
        prop_assert_eq!(answers(&requests), expected);
    }

    #[test]
    fn every_double_survives_json(number in any_double()) {
        let text = serde_json::to_string(&Real(number))?;
        let read: Real = serde_json::from_str(&text)?;
        prop_assert!(read.0.to_bits() == number.to_bits() || (read.0.is_nan() && number.is_nan()), "{} is read from {}", read.0, text);
    }
}
