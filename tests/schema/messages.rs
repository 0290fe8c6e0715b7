//! What really goes over the wire keeps the schemas of the protocol, and what must not does not.

use serde_json::json;

use super::*;

/// The kit and the reference port, with everything that goes between them written down.
#[test]
fn requests_of_every_case_and_answers_of_the_reference_keep_theirs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (requests, answers) = (path("requests"), path("answers"));
    let kit_itself = env!("CARGO_BIN_EXE_samewait");
    let port = format!("tee -a '{requests}' | '{kit_itself}' serve | tee -a '{answers}'");
    let run = Run::of(&mut kit(["test", "--", "sh", "-c", &port]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (name, file) in [(Name::Requests, requests), (Name::Answers, answers)] {
        let validator = validator(name);
        let lines = read(Path::new(&file));
        assert!(lines.lines().count() > 1000, "{} lines", lines.lines().count());
        for line in lines.lines() {
            assert_valid(&validator, &serde_json::from_str(line).expect("JSON"), line);
        }
    }
}

#[test]
fn requests_may_have_keys_of_a_later_version_but_none_less() {
    let policy = json!({
        "max_attempts": 5, "initial_delay": 1.0, "multiplier": 2.0, "max_delay": "Infinity", "jitter_factor": 0.0, "max_message_age": 0.0,
    });
    let good = json!({"id": "1", "ask": "next_delay", "policy": policy, "attempt": 3, "message_age": null});
    let make = json!({"id": "1", "ask": "policy", "make": {"none": {}}, "then": [{"with_jitter": 0.5}]});
    let queue = json!({"id": "1", "ask": "queue", "policy": policy, "message_ttl": 0.0, "ack_timeout": 0.0, "steps": [
        {"at": 0.0, "do": "add_consumer", "consumer": "w", "on_message": {"fail": "boom"}}]});
    let validator = validator(Name::Requests);
    for request in [&good, &make, &queue] {
        assert_valid(&validator, request, "a request");
    }
    for (pointer, key) in [("", "later"), ("/policy", "later")] {
        assert_valid(&validator, &with(&good, pointer, key, json!(1)), "a later request");
    }
    assert_valid(&validator, &with(&queue, "/steps/0", "later", json!(1)), "a later step");
    let refused = [
        without(&good, "", "message_age"),
        without(&good, "", "id"),
        without(&good, "/policy", "multiplier"),
        with(&good, "", "attempt", json!("3")),
        with(&good, "", "attempt", json!(2.5)),
        with(&good, "", "ask", json!("hello")),
        with(&good, "/policy", "max_delay", json!("inf")),
        with(&make, "/make", "fixed", json!({"max_attempts": 1, "delay": 0.0})),
        without(&make, "/make", "none"),
        without(&make, "", "then"),
        without(&queue, "/steps/0", "consumer"),
        with(&queue, "/steps/0", "do", json!("ack")),
        with(&queue, "/steps/0", "on_message", json!("keep")),
        with(&queue, "/steps/0", "prefetch", json!(0)),
        with(&queue, "/steps/0", "at", json!(-1.0)),
    ];
    for request in refused {
        assert!(!validator.is_valid(&request), "{request}");
    }
}

/// One value of each question, and faults in them.
#[test]
fn answers_have_one_body_and_no_other_key() {
    let validator = validator(Name::Answers);
    let values = [
        json!({"delay": 1}),
        json!({"delay": "1000"}),
        json!({"give_up": "max_attempts"}),
        json!({"delays": [1.0, "20", 3]}),
        json!({"rung": null}),
        json!({"rungs": [{"name": "q.retry.1m", "ttl_ms": 60000, "arguments": {}}]}),
        json!({"trace": [{"at": 4, "event": "failed", "message": "milk", "attempt": 1, "error": null}]}),
    ];
    for value in values {
        assert_valid(&validator, &json!({"id": "1", "value": value}), "an answer");
    }
    for refused in [
        json!({"id": "1"}),
        json!({"id": 1, "value": {"delay": 1.0}}),
        json!({"value": {"delay": 1.0}}),
        json!({"id": "1", "value": {"delay": 1.0}, "error": "no"}),
        json!({"id": "1", "value": {"delay": 1.0}, "comment": "no"}),
        json!({"id": "1", "value": {"delay": 1.0, "unit": "s"}}),
        json!({"id": "1", "value": {"delay": "1.5"}}),
        json!({"id": "1", "value": {"delay": null}}),
        json!({"id": "1", "value": {"give_up": "tired"}}),
        json!({"id": "1", "value": {"trace": [{"at": 4, "event": "failed", "message": "milk", "attempt": 1}]}}),
        json!({"id": "1", "value": {"trace": [{"at": 4, "event": "ready", "message": "milk", "attempt": 1}]}}),
        json!({"id": "1", "value": {"policy": {"max_attempts": 1}}}),
        json!({"id": "1", "rejected": "invalid_policy"}),
        json!({"id": "1", "rejected": {"code": "bad"}}),
        json!({"id": "1", "unsupported": null}),
        json!({"id": "1", "error": {"text": "no"}}),
    ] {
        assert!(!validator.is_valid(&refused), "{refused}");
    }
}
