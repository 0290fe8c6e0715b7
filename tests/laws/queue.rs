//! The laws of the queue find each of these defects, by the clause that it breaks.

use samewait::laws;
use samewait::question::QueueQuestion;
use samewait::scenario::TraceEvent;

use super::subject::{SOUND, Subject};

/// The clause that is broken, how, and the trace of it.
type Row = (&'static str, &'static str, fn(&QueueQuestion) -> Vec<TraceEvent>);

const ROWS: &[Row] = &[
    ("Q-28", "the trace goes on after its end", |scenario| {
        let mut trace = sound(scenario);
        trace.extend(trace.last().cloned());
        trace
    }),
    ("Q-2", "a put is not told", |scenario| {
        without(scenario, |event| matches!(event, TraceEvent::Ready { .. }))
    }),
    ("Q-5", "the first attempt is attempt 0", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Delivered { attempt, .. } = event {
                *attempt -= 1;
            }
        })
    }),
    ("Q-4", "another consumer gets it", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Delivered { consumer, .. } = event {
                consumer.push('2');
            }
        })
    }),
    ("Q-3", "another message is delivered", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Delivered { message, .. } = event {
                message.push('2');
            }
        })
    }),
    ("Q-11", "a lease ends with another text", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Failed { error, .. } = event
                && error.as_deref() == Some("ack timeout")
            {
                *error = None;
            }
        })
    }),
    ("Q-12", "a removed consumer is forgotten", |scenario| {
        without(
            scenario,
            |event| matches!(event, TraceEvent::Failed { error: Some(text), .. } if text == "consumer removed"),
        )
    }),
    ("Q-13", "nothing follows from a failure", |scenario| {
        without(scenario, |event| matches!(event, TraceEvent::Delayed { .. }))
    }),
    ("Q-16", "a delay is one millisecond too long", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Delayed { until, .. } = event {
                until.0 = until.0 + samewait::Millis::new(1);
            }
        })
    }),
    ("Q-14", "the error text of a death is lost", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Dead { error, .. } = event {
                *error = Some("lost".to_owned());
            }
        })
    }),
    ("Q-14", "a death has another reason", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Dead { reason, .. } = event
                && reason == "max_attempts"
            {
                "max_message_age".clone_into(reason);
            }
        })
    }),
    ("Q-18", "no TTL runs out", |scenario| {
        without(
            scenario,
            |event| matches!(event, TraceEvent::Dead { reason, .. } if reason == "ttl_expired"),
        )
    }),
    ("Q-10", "an ack that is refused is passed over", |scenario| {
        without(
            scenario,
            |event| matches!(event, TraceEvent::Refused { r#do, .. } if r#do == "ack"),
        )
    }),
    ("Q-21", "dead letters are told in another order", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::DeadLetters { messages, .. } = event {
                messages.reverse();
            }
        })
    }),
    ("Q-29", "stats count a dead message too many", |scenario| {
        changed(scenario, |event| {
            if let TraceEvent::Stats { dead, .. } = event {
                *dead += 1;
            }
        })
    }),
    (
        "Q-26",
        "of two delays that end together, the later one ends first",
        |scenario| {
            let mut trace = sound(scenario);
            let ends = |event: &TraceEvent| {
                let TraceEvent::Ready { at, message } = event else {
                    return false;
                };
                trace.iter().any(|other| {
                matches!(other, TraceEvent::Delayed { until, message: delayed, .. } if until == at && delayed == message)
            })
            };
            let together = (1..trace.len()).find(|&index| {
                let (one, other) = (&trace[index - 1], &trace[index]);
                one.at() == other.at() && ends(one) && ends(other)
            });
            if let Some(index) = together {
                trace.swap(index - 1, index);
            }
            trace
        },
    ),
];

#[test]
fn each_defect_is_found_by_its_clause() {
    for (clause, about, trace) in ROWS {
        let failure = laws::queue::check(&Subject { trace: *trace, ..SOUND }).expect_err(about);
        let message = failure.of("queue::keeps_the_book").expect(about);
        assert!(
            message.contains(&format!("\n  {clause}: ")),
            "{about}, needed {clause}:\n{message}"
        );
        assert!(failure.of("queue::agrees").is_some(), "{about}: {failure}");
    }
}

fn sound(scenario: &QueueQuestion) -> Vec<TraceEvent> {
    (SOUND.trace)(scenario)
}

fn changed(scenario: &QueueQuestion, change: fn(&mut TraceEvent)) -> Vec<TraceEvent> {
    let mut trace = sound(scenario);
    trace.iter_mut().for_each(change);
    trace
}

fn without(scenario: &QueueQuestion, is_left_out: fn(&TraceEvent) -> bool) -> Vec<TraceEvent> {
    let mut trace = sound(scenario);
    trace.retain(|event| !is_left_out(event));
    trace
}
