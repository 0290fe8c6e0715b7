//! The examples of chapter 6, worked out by hand: they hold the model to the text, before it holds the reference.

use samewait::answer::{Answer, Value};
use samewait::question::{PolicyArgument, Question, QueueArguments, QueueQuestion, Real};
use samewait::reference;
use samewait::scenario::TraceEvent;
use serde_json::{Value as Json, json};

use super::model;

/// Both the model and the reference answer the scenario with this trace.
fn both_tell(scenario: Json, trace: Json) {
    let arguments: QueueArguments = serde_json::from_value(scenario).expect("a scenario");
    let question = QueueQuestion::try_from(arguments).expect("a scenario that makes sense");
    let trace: Vec<TraceEvent> = serde_json::from_value(trace).expect("a trace");
    let expected = Answer::Value(Value::Trace(trace));
    assert_eq!(model::answer(&question).answer, expected, "the model");
    let answer = reference::answer(&Question::Queue(question), || unreachable!("a queue draws nothing"));
    assert_eq!(answer, expected, "the reference");
}

fn policy(max_attempts: i64, initial_delay: f64) -> Json {
    let fields = PolicyArgument {
        max_attempts,
        initial_delay: Real(initial_delay),
        ..PolicyArgument::default()
    };
    serde_json::to_value(fields).expect("a policy")
}

#[test]
fn the_milk() {
    both_tell(
        json!({"policy": policy(3, 1.0), "message_ttl": 5.0, "steps": [
            {"at": 0.0, "do": "put", "message": "milk"},
            {"at": 4.0, "do": "add_consumer", "consumer": "worker"},
            {"at": 4.0, "do": "remove_consumer", "consumer": "worker"},
            {"at": 8.0, "do": "stats"},
            {"at": 9.0, "do": "dead_letters"},
        ]}),
        json!([
            {"at": 0.0, "event": "ready", "message": "milk"},
            {"at": 4.0, "event": "delivered", "message": "milk", "attempt": 1, "consumer": "worker"},
            {"at": 4.0, "event": "failed", "message": "milk", "attempt": 1, "error": "consumer removed"},
            {"at": 4.0, "event": "delayed", "message": "milk", "until": 5.0},
            {"at": 5.0, "event": "ready", "message": "milk"},
            {"at": 8.0, "event": "stats", "ready": 1, "delayed": 0, "leased": 0, "dead": 0},
            {"at": 9.0, "event": "dead", "message": "milk", "reason": "ttl_expired",
             "error": "consumer removed", "attempts": 1},
            {"at": 9.0, "event": "dead_letters", "messages": [
                {"message": "milk", "reason": "ttl_expired", "error": "consumer removed", "attempts": 1, "at": 9.0},
            ]},
        ]),
    );
}

/// "So a lease that ends at t has expired before an `ack` at t, which is then refused".
#[test]
fn an_ack_at_the_end_of_the_lease() {
    both_tell(
        json!({"policy": policy(2, 0.0), "ack_timeout": 1.0, "steps": [
            {"at": 0.0, "do": "add_consumer", "consumer": "worker"},
            {"at": 0.0, "do": "put", "message": "a"},
            {"at": 1.0, "do": "ack", "message": "a", "delivery": 1},
            {"at": 1.0, "do": "ack", "message": "a"},
        ]}),
        json!([
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": 0.0, "event": "delivered", "message": "a", "attempt": 1, "consumer": "worker"},
            {"at": 1.0, "event": "failed", "message": "a", "attempt": 1, "error": "ack timeout"},
            {"at": 1.0, "event": "ready", "message": "a"},
            {"at": 1.0, "event": "delivered", "message": "a", "attempt": 2, "consumer": "worker"},
            {"at": 1.0, "event": "refused", "do": "ack", "message": "a", "code": "unknown_delivery"},
            {"at": 1.0, "event": "acked", "message": "a", "attempt": 2},
        ]),
    );
}

/// "So a message whose delay and TTL end together is delivered if a consumer has room, and dies otherwise".
#[test]
fn a_delay_and_a_ttl_that_end_together() {
    // Failed at 0 with a delay of 2 s: delay and TTL end at 2 s. The worker holds one of the two from then on.
    both_tell(
        json!({"policy": policy(2, 2.0), "message_ttl": 2.0, "steps": [
            {"at": 0.0, "do": "add_consumer", "consumer": "worker", "prefetch": 1},
            {"at": 0.0, "do": "put", "message": "a"},
            {"at": 0.0, "do": "nack", "message": "a"},
            {"at": 0.0, "do": "put", "message": "b"},
            {"at": 0.0, "do": "nack", "message": "b", "error": ""},
            {"at": 2.0, "do": "wait"},
        ]}),
        json!([
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": 0.0, "event": "delivered", "message": "a", "attempt": 1, "consumer": "worker"},
            {"at": 0.0, "event": "failed", "message": "a", "attempt": 1, "error": null},
            {"at": 0.0, "event": "delayed", "message": "a", "until": 2.0},
            {"at": 0.0, "event": "ready", "message": "b"},
            {"at": 0.0, "event": "delivered", "message": "b", "attempt": 1, "consumer": "worker"},
            {"at": 0.0, "event": "failed", "message": "b", "attempt": 1, "error": ""},
            {"at": 0.0, "event": "delayed", "message": "b", "until": 2.0},
            {"at": 2.0, "event": "ready", "message": "a"},
            {"at": 2.0, "event": "ready", "message": "b"},
            {"at": 2.0, "event": "delivered", "message": "a", "attempt": 2, "consumer": "worker"},
            {"at": 2.0, "event": "dead", "message": "b", "reason": "ttl_expired", "error": "", "attempts": 1},
        ]),
    );
}

/// 0.1 + 0.2 is after 0.3 in binary64, and the same instant in milliseconds. An age is not: 300 ms are 0.3 s, and
/// less than that sum.
#[test]
fn a_tenth_and_two_tenths() {
    let mut of_age = policy(9, 0.0);
    of_age["max_message_age"] = json!(0.1 + 0.2);
    both_tell(
        json!({"policy": of_age, "message_ttl": 0.1 + 0.2, "steps": [
            {"at": 0.0, "do": "put", "message": "a"},
            {"at": 0.0, "do": "put", "message": "b"},
            {"at": 0.1, "do": "add_consumer", "consumer": "worker", "prefetch": 1},
            {"at": 0.3, "do": "nack", "message": "a"},
            {"at": 0.301, "do": "nack", "message": "a", "error": "too old"},
        ]}),
        json!([
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": 0.0, "event": "ready", "message": "b"},
            {"at": 0.1, "event": "delivered", "message": "a", "attempt": 1, "consumer": "worker"},
            {"at": 0.3, "event": "dead", "message": "b", "reason": "ttl_expired", "error": null, "attempts": 0},
            {"at": 0.3, "event": "failed", "message": "a", "attempt": 1, "error": null},
            {"at": 0.3, "event": "ready", "message": "a"},
            {"at": 0.3, "event": "delivered", "message": "a", "attempt": 2, "consumer": "worker"},
            {"at": 0.301, "event": "failed", "message": "a", "attempt": 2, "error": "too old"},
            {"at": 0.301, "event": "dead", "message": "a", "reason": "max_message_age",
             "error": "too old", "attempts": 2},
        ]),
    );
}

/// 9 ms are 0.009 s by a division, and a hair more by a multiplication with 0.001.
#[test]
fn nine_milliseconds() {
    let mut of_age = policy(3, 0.0);
    of_age["max_message_age"] = json!(0.009_f64.next_up());
    both_tell(
        json!({"policy": of_age, "steps": [
            {"at": 0.0, "do": "add_consumer", "consumer": "worker"},
            {"at": 0.0, "do": "put", "message": "a"},
            {"at": 0.009, "do": "nack", "message": "a"},
        ]}),
        json!([
            {"at": 0.0, "event": "ready", "message": "a"},
            {"at": 0.0, "event": "delivered", "message": "a", "attempt": 1, "consumer": "worker"},
            {"at": 0.009, "event": "failed", "message": "a", "attempt": 1, "error": null},
            {"at": 0.009, "event": "ready", "message": "a"},
            {"at": 0.009, "event": "delivered", "message": "a", "attempt": 2, "consumer": "worker"},
        ]),
    );
}

fn delivered(at: f64, attempt: u32) -> Json {
    json!({"at": at, "event": "delivered", "message": "job", "attempt": attempt, "consumer": "worker"})
}

fn failed(at: f64, attempt: u32) -> Json {
    json!({"at": at, "event": "failed", "message": "job", "attempt": attempt, "error": "oops"})
}

fn delayed(at: f64, until: f64) -> Json {
    json!({"at": at, "event": "delayed", "message": "job", "until": until})
}

fn ready(at: f64) -> Json {
    json!({"at": at, "event": "ready", "message": "job"})
}

/// The first program that this project grew from: a job that fails three times, with twenty seconds between.
#[test]
fn a_flaky_job() {
    let mut of_ten = policy(5, 1.0);
    of_ten["max_delay"] = json!(10.0);
    both_tell(
        json!({"policy": of_ten, "steps": [
            {"at": 0.0, "do": "add_consumer", "consumer": "worker"},
            {"at": 0.0, "do": "put", "message": "job"},
            {"at": 0.0, "do": "nack", "message": "job", "error": "oops"},
            {"at": 20.0, "do": "nack", "message": "job", "error": "oops"},
            {"at": 40.0, "do": "nack", "message": "job", "error": "oops"},
            {"at": 60.0, "do": "wait"},
        ]}),
        json!([
            ready(0.0),
            delivered(0.0, 1),
            failed(0.0, 1),
            delayed(0.0, 1.0),
            ready(1.0),
            delivered(1.0, 2),
            failed(20.0, 2),
            delayed(20.0, 22.0),
            ready(22.0),
            delivered(22.0, 3),
            failed(40.0, 3),
            delayed(40.0, 44.0),
            ready(44.0),
            delivered(44.0, 4),
        ]),
    );
}
