//! Do the random scenarios reach every corner? Agreement on scenarios in which nothing happens would say nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use samewait::Millis;
use samewait::answer::{Answer, Value};
use samewait::arbitrary::scenario;
use samewait::scenario::TraceEvent;

use super::model;

/// How many scenarios are looked at: the same ones in every run.
const SCENARIOS: usize = 2000;

/// In how many of them each corner must be reached.
const AT_LEAST: usize = 10;

const CORNERS: [&str; 36] = [
    "a choice of consumers",
    "ack refused when the lease has just ended",
    "acked",
    "dead of max_attempts",
    "dead of max_message_age",
    "dead of ttl_expired",
    "dead of ttl_expired when its delay has just ended",
    "dead of ttl_expired while delayed",
    "dead of ttl_expired with a text",
    "dead of ttl_expired with the empty text",
    "dead of ttl_expired without an attempt",
    "dead of ttl_expired without a text after a failure",
    "dead twice",
    "delivered a fourth time",
    "delivered when its delay has just ended",
    "failed with a text",
    "failed with ack timeout",
    "failed with consumer removed",
    "failed with no text",
    "failed with the empty text",
    "failed, and ready at once",
    "nack refused when the lease has just ended",
    "refused: duplicate_consumer",
    "refused: not_dead",
    "refused: unknown_consumer",
    "refused: unknown_delivery",
    "replayed",
    "three dead letters",
    "three states at once",
    "too short to be: ack timeout",
    "too short to be: delay",
    "too short to be: message TTL",
    "two at once: dead of ttl_expired",
    "two at once: delay over",
    "two at once: failed with ack timeout",
    "two at once: failed with consumer removed",
];

#[test]
fn the_random_scenarios_reach_every_corner() {
    let (mut runner, scenario) = (TestRunner::deterministic(), scenario());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..SCENARIOS {
        let question = scenario.new_tree(&mut runner).expect("a scenario").current();
        let model = model::answer(&question);
        let Answer::Value(Value::Trace(trace)) = model.answer else {
            continue;
        };
        let mut corners = corners(&trace);
        if model.had_choice {
            corners.insert("a choice of consumers".to_owned());
        }
        // What is rounded to 0 milliseconds, and is 0 only then.
        let lengths = [
            ("ack timeout", question.ack_timeout.0),
            ("delay", question.policy.initial_delay.0),
            ("message TTL", question.message_ttl.0),
        ];
        let too_short = lengths
            .iter()
            .filter(|(_, seconds)| *seconds > 0.0 && *seconds < 0.0005);
        corners.extend(too_short.map(|(what, _)| format!("too short to be: {what}")));
        for corner in corners {
            *seen.entry(corner).or_default() += 1;
        }
    }
    let count = |corner: &str| seen.get(corner).copied().unwrap_or(0);
    let rare: Vec<&str> = CORNERS.into_iter().filter(|corner| count(corner) < AT_LEAST).collect();
    assert!(rare.is_empty(), "too rare: {rare:?}, of {seen:#?}");
}

/// The corners that a trace goes through.
fn corners(trace: &[TraceEvent]) -> BTreeSet<String> {
    let mut corners = BTreeSet::new();
    let mut histories: HashMap<&str, Vec<&TraceEvent>> = HashMap::new();
    let mut instants: HashMap<(Millis, String), usize> = HashMap::new();
    for event in trace {
        let mut found = of_event(event);
        if let Some(message) = message(event) {
            let history = histories.entry(message).or_default();
            history.push(event);
            found.extend(of_history(history));
        }
        for corner in found {
            let times = instants.entry((event.at(), corner.clone())).or_default();
            *times += 1;
            if *times == 2 {
                corners.insert(format!("two at once: {corner}"));
            }
            corners.insert(corner);
        }
    }
    corners
}

/// What an event shows by itself.
fn of_event(event: &TraceEvent) -> Vec<String> {
    let text = |error: &Option<String>| match error.as_deref() {
        None => "no text",
        Some("") => "the empty text",
        Some("ack timeout") => "ack timeout",
        Some("consumer removed") => "consumer removed",
        Some(_) => "a text",
    };
    match event {
        TraceEvent::Acked { .. } => vec!["acked".to_owned()],
        TraceEvent::Failed { error, .. } => vec![format!("failed with {}", text(error))],
        TraceEvent::Dead { reason, error, .. } => {
            let text = match text(error) {
                "ack timeout" | "consumer removed" => "a text",
                other => other,
            };
            vec![format!("dead of {reason}"), format!("dead of {reason} with {text}")]
        }
        TraceEvent::Refused { code, .. } => vec![format!("refused: {code}")],
        TraceEvent::Stats {
            ready,
            delayed,
            leased,
            dead,
            ..
        } => {
            let states = [ready, delayed, leased, dead]
                .into_iter()
                .filter(|&&count| count > 0)
                .count();
            if states >= 3 {
                vec!["three states at once".to_owned()]
            } else {
                vec![]
            }
        }
        TraceEvent::DeadLetters { messages, .. } if messages.len() == 3 => vec!["three dead letters".to_owned()],
        TraceEvent::Ready { .. }
        | TraceEvent::Delivered { .. }
        | TraceEvent::Delayed { .. }
        | TraceEvent::DeadLetters { .. } => vec![],
    }
}

/// What the last events of one message show together.
fn of_history(history: &[&TraceEvent]) -> Vec<String> {
    use TraceEvent::{Dead, Delayed, Delivered, Failed, Ready, Refused};
    let mut corners = Vec::new();
    let mut corner = |text: &str| corners.push(text.to_owned());
    match history {
        [.., Failed { .. }, Ready { .. }] => corner("failed, and ready at once"),
        [.., Delayed { .. }, Ready { .. }] => corner("delay over"),
        [.., Dead { .. }, Ready { .. }] => corner("replayed"),
        [.., Delayed { .. }, Ready { at: one, .. }, Delivered { at: two, .. }] if one == two => {
            corner("delivered when its delay has just ended");
        }
        [.., Delayed { .. }, Dead { .. }] => corner("dead of ttl_expired while delayed"),
        [.., Delayed { .. }, Ready { at: one, .. }, Dead { at: two, .. }] if one == two => {
            corner("dead of ttl_expired when its delay has just ended");
        }
        [.., Failed { at: one, error, .. }, _, Refused { at: two, r#do, .. }]
            if one == two && error.as_deref() == Some("ack timeout") =>
        {
            corner(&format!("{do} refused when the lease has just ended"));
        }
        _ => {}
    }
    match history.last() {
        Some(Delivered { attempt: 4, .. }) => corner("delivered a fourth time"),
        Some(Dead { attempts: 0, .. }) => corner("dead of ttl_expired without an attempt"),
        Some(Dead {
            reason, error: None, ..
        }) if reason == "ttl_expired" => {
            corner("dead of ttl_expired without a text after a failure");
        }
        _ => {}
    }
    let deaths = history.iter().filter(|event| matches!(event, Dead { .. })).count();
    if deaths == 2 {
        corner("dead twice");
    }
    corners
}

/// The message that an event is about.
fn message(event: &TraceEvent) -> Option<&str> {
    match event {
        TraceEvent::Ready { message, .. }
        | TraceEvent::Delivered { message, .. }
        | TraceEvent::Acked { message, .. }
        | TraceEvent::Failed { message, .. }
        | TraceEvent::Delayed { message, .. }
        | TraceEvent::Dead { message, .. } => Some(message),
        TraceEvent::Refused { message, .. } => message.as_deref(),
        TraceEvent::Stats { .. } | TraceEvent::DeadLetters { .. } => None,
    }
}
