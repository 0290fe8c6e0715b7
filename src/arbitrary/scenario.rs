//! Queue scenarios, with a bias to where queues break: everything happens at once.
//!
//! All times of a scenario, those of its steps and those of its limits, are small multiples of one unit. So a lease, a
//! delay, a TTL and a step meet in one instant all the time, and ages are often exactly at their limit. Some durations
//! are a hair off such a multiple.
//!
//! Several consumers may have room at once. The specification leaves it open which of them gets the message; the
//! reference takes the one that was added first. The law that a queue keeps the book (see [`laws::queue`](crate::laws::queue)) holds for any choice.

use proptest::prelude::*;
use proptest::sample::select;

use super::setup::setup;
use crate::millis::Millis;
use crate::policy::HORIZON;
use crate::question::{PolicyArgument, QueueQuestion, Real};
use crate::scenario::{Action, Handler, RawStep, Step, StepFault, Steps};

/// How many steps a scenario has at most.
const MAX_STEPS: usize = 40;

/// A scenario that makes sense, with a legal policy and legal limits.
pub fn scenario() -> BoxedStrategy<QueueQuestion> {
    // Nearly always 0: the last of them has its last steps at the last instant there is.
    let start = prop_oneof![
        20 => Just(0),
        1 => Just(milliseconds(HORIZON) - 7),
    ];
    // Something to do and somebody to do it, for a start.
    let first = prop_oneof![3 => put(), 2 => add_consumer()];
    let first = prop::collection::vec((Just(0), first), 0..=5);
    let steps = prop::collection::vec((pause(), action()), 0..=MAX_STEPS);
    (setup(), start, first, steps)
        .prop_filter_map("steps that make no sense", |(setup, start, first, steps)| {
            Some(QueueQuestion {
                policy: PolicyArgument::from(setup.policy),
                message_ttl: Real(setup.message_ttl),
                ack_timeout: Real(setup.ack_timeout),
                steps: at_their_times(start, setup.unit, [first, steps].concat()).ok()?,
            })
        })
        .boxed()
}

/// A scenario in which one number or two of the policy and the limits may be out of range.
pub fn any_scenario() -> BoxedStrategy<QueueQuestion> {
    let odd = select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        -f64::from_bits(1),
        -1.0,
        HORIZON,
        HORIZON.next_up(),
        f64::MAX,
    ]);
    (scenario(), prop::collection::vec((0..6, odd), 1..=2))
        .prop_map(|(mut question, odd)| {
            for (field, number) in odd {
                match field {
                    0 => question.policy.max_attempts = if number < 0.0 { i64::MIN } else { 1 << 31 },
                    1 => question.policy.initial_delay = Real(number),
                    2 => question.policy.max_message_age = Real(number),
                    3 => question.policy.multiplier = Real(number),
                    4 => question.message_ttl = Real(number),
                    _ => question.ack_timeout = Real(number),
                }
            }
            question
        })
        .boxed()
}

/// How many units pass before a step: mostly none.
pub fn pause() -> BoxedStrategy<u64> {
    prop_oneof![8 => Just(0_u64), 8 => 1_u64..=3, 2 => 4_u64..=7, 1 => 8_u64..=30].boxed()
}

fn action() -> BoxedStrategy<Action> {
    let message = || select(vec!["a", "a", "a", "b", "b", "c", "d", "nobody"]).prop_map(str::to_owned);
    // Most deliveries with a number do not exist, are over, or are not the latest.
    let delivery = || {
        prop_oneof![
            8 => Just(None),
            4 => (1_u64..=3).prop_map(Some),
            1 => select(vec![4, 1 << 32, (1 << 63) - 1]).prop_map(Some),
        ]
    };
    prop_oneof![
        6 => put(),
        4 => add_consumer(),
        2 => consumer().prop_map(|consumer| Action::RemoveConsumer { consumer: consumer.to_owned() }),
        3 => (message(), delivery()).prop_map(|(message, delivery)| Action::Ack { message, delivery }),
        8 => (message(), delivery(), error()).prop_map(|(message, delivery, error)| Action::Nack {
            message,
            delivery,
            error: error.map(str::to_owned),
        }),
        2 => message().prop_map(|message| Action::Replay { message }),
        2 => Just(Action::Stats),
        1 => Just(Action::DeadLetters),
        3 => Just(Action::Wait),
    ]
    .boxed()
}

/// A second put of the same name becomes a replay.
fn put() -> impl Strategy<Value = Action> {
    let name = select(vec!["a", "a", "b", "b", "c", "c", "d", "e", "f"]);
    name.prop_map(|name| Action::Put {
        message: name.to_owned(),
    })
}

fn add_consumer() -> impl Strategy<Value = Action> {
    (consumer(), handler(), prefetch()).prop_map(|(consumer, on_message, prefetch)| Action::AddConsumer {
        consumer: consumer.to_owned(),
        on_message,
        prefetch,
    })
}

/// One of few names, so that most are in use at times and free at others.
pub fn consumer() -> BoxedStrategy<&'static str> {
    select(vec!["x", "x", "y", "z"]).boxed()
}

/// What a consumer does with a message.
pub fn handler() -> BoxedStrategy<Handler> {
    prop_oneof![
        6 => Just(Handler::Hold),
        1 => Just(Handler::Ack),
        3 => select(vec!["boom", ""]).prop_map(|text| Handler::Fail(text.to_owned())),
    ]
    .boxed()
}

/// How many leases a consumer holds at most.
pub fn prefetch() -> BoxedStrategy<Option<u64>> {
    prop_oneof![5 => Just(Some(1)), 3 => Just(Some(2)), 1 => Just(Some(3)), 1 => Just(None)].boxed()
}

/// The error text of a nack.
pub fn error() -> BoxedStrategy<Option<&'static str>> {
    select(vec![None, Some("oops"), Some("")]).boxed()
}

/// The steps, each so many units after the one before; none after the last instant there is.
fn at_their_times(start: u64, unit: u32, steps: Vec<(u64, Action)>) -> Result<Steps, StepFault> {
    let mut names = Vec::new();
    let mut at = start;
    let steps = steps.into_iter().map(|(pause, mut action)| {
        at = (at + pause * u64::from(unit)).min(milliseconds(HORIZON));
        if let Action::Put { message } = &action {
            if names.contains(message) {
                let message = message.clone();
                action = Action::Replay { message };
            } else {
                names.push(message.clone());
            }
        }
        RawStep::from(&Step {
            at: Millis::new(at),
            action,
        })
    });
    Steps::new(steps.collect())
}

fn milliseconds(seconds: f64) -> u64 {
    Millis::nearest(seconds).count()
}
