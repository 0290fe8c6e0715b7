//! Random scenarios, with a bias to where queues break: everything happens at once.
//!
//! All times of a scenario, those of its steps and those of its limits, are small multiples of one unit. So a lease, a
//! delay, a TTL and a step meet in one instant all the time, and ages are often exactly at their limit. Some durations
//! are a hair off such a multiple.
//!
//! Several consumers may have room at once. The specification leaves it open which of them gets the message; the
//! reference and the model both take the one that was added first.

use proptest::prelude::*;
use proptest::sample::select;
use samewait::question::{PolicyArgument, QueueQuestion, Real};
use samewait::scenario::{Action, Handler, RawStep, Step, Steps};
use samewait::{HORIZON, Millis, PolicyFields};

/// How many steps a scenario has at most.
const MAX_STEPS: usize = 40;

/// What a queue is made with.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    pub(crate) policy: PolicyFields,
    pub(crate) message_ttl: f64,
    pub(crate) ack_timeout: f64,
    /// Of the scenario's times, in milliseconds.
    pub(crate) unit: u32,
}

/// A scenario that makes sense, with a legal policy and legal limits.
pub(crate) fn scenario() -> BoxedStrategy<QueueQuestion> {
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
        .prop_map(|(setup, start, first, steps)| QueueQuestion {
            policy: PolicyArgument::from(setup.policy),
            message_ttl: Real(setup.message_ttl),
            ack_timeout: Real(setup.ack_timeout),
            steps: at_their_times(start, setup.unit, [first, steps].concat()),
        })
        .boxed()
}

/// A scenario in which one number or two of the policy and the limits may be out of range.
pub(crate) fn scenario_with_odd_numbers() -> BoxedStrategy<QueueQuestion> {
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

/// A legal policy with few attempts, a TTL and an ack timeout, all of one unit.
pub(crate) fn setup() -> BoxedStrategy<Setup> {
    // In hundreds of milliseconds binary64 seconds go wrong: 0.1 + 0.2 is more than 0.3.
    let unit = prop_oneof![5 => Just(1_u32), 2 => Just(100), 1 => Just(1000)];
    let policy = (
        prop_oneof![1 => Just(1_i64), 6 => 2_i64..=3, 3 => 4_i64..=6],
        length_or_none(3),
        select(vec![1.0, 1.0, 1.1, 1.5, 2.0, 2.0, 2.0, 3.0]),
        length_or_none(6),
        // Delays of a queue are never jittered.
        select(vec![0.0, 0.0, 0.2, 1.0]),
        length_or_none(6),
    );
    let message_ttl = prop_oneof![3 => length_or_none(3).prop_map(Some), 1 => Just(None)];
    let ack_timeout = prop_oneof![5 => length_or_none(4).prop_map(Some), 1 => Just(None)];
    (unit, policy, message_ttl, ack_timeout)
        .prop_map(|(unit, policy, message_ttl, ack_timeout)| {
            let (max_attempts, initial_delay, multiplier, max_delay, jitter_factor, max_message_age) = policy;
            let policy = PolicyFields {
                max_attempts,
                initial_delay: initial_delay.seconds(unit),
                multiplier,
                max_delay: max_delay.seconds(unit),
                jitter_factor,
                max_message_age: max_message_age.seconds(unit),
            };
            // The TTL may be the delay once more, and the ack timeout the TTL.
            let message_ttl = message_ttl.map_or(policy.initial_delay, |ttl| ttl.seconds(unit));
            Setup {
                policy,
                message_ttl,
                ack_timeout: ack_timeout.map_or(message_ttl, |timeout| timeout.seconds(unit)),
                unit,
            }
        })
        .boxed()
}

/// A duration in units, or nearly.
#[derive(Debug, Clone, Copy)]
enum Length {
    Exactly(u32),
    /// Units added up in binary64, as a port might do it.
    AddedUp(u32),
    JustAbove(u32),
    JustBelow(u32),
    /// With so many seconds more, so that it is no whole number of milliseconds.
    AndABit(u32, f64),
    /// In seconds, whatever the unit.
    Seconds(f64),
}

impl Length {
    fn seconds(self, unit: u32) -> f64 {
        let exactly = |count: u32| f64::from(count * unit) / 1000.0;
        match self {
            Self::Exactly(count) => exactly(count),
            Self::AddedUp(count) => (0..count).fold(0.0, |sum, _| sum + exactly(1)),
            Self::JustAbove(count) => exactly(count).next_up(),
            Self::JustBelow(count) => exactly(count).next_down(),
            Self::AndABit(count, bit) => exactly(count) + bit,
            Self::Seconds(seconds) => seconds,
        }
    }
}

/// None `nones` times out of ten.
fn length_or_none(nones: u32) -> BoxedStrategy<Length> {
    let few = || prop_oneof![4 => 1_u32..=3, 2 => 4_u32..=6, 1 => 7_u32..=12];
    let bit = select(vec![0.0004, 0.0005, 0.0006]);
    let length = prop_oneof![
        16 => few().prop_map(Length::Exactly),
        4 => few().prop_map(Length::AddedUp),
        1 => few().prop_map(Length::JustAbove),
        1 => few().prop_map(Length::JustBelow),
        // Half a millisecond is rounded up; what is rounded to 0 is 0.
        2 => (0_u32..=3, bit).prop_map(|(count, bit)| Length::AndABit(count, bit)),
        1 => select(vec![1.0e-9, HORIZON.next_down(), HORIZON]).prop_map(Length::Seconds),
    ];
    prop_oneof![nones => Just(Length::Exactly(0)), 10 - nones => length].boxed()
}

/// How many units pass before a step: mostly none.
pub(crate) fn pause() -> impl Strategy<Value = u64> {
    prop_oneof![8 => Just(0_u64), 8 => 1_u64..=3, 2 => 4_u64..=7, 1 => 8_u64..=30]
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
pub(crate) fn consumer() -> impl Strategy<Value = &'static str> {
    select(vec!["x", "x", "y", "z"])
}

/// What a consumer does with a message.
pub(crate) fn handler() -> impl Strategy<Value = Handler> {
    prop_oneof![
        6 => Just(Handler::Hold),
        1 => Just(Handler::Ack),
        3 => select(vec!["boom", ""]).prop_map(|text| Handler::Fail(text.to_owned())),
    ]
}

/// How many leases a consumer holds at most.
pub(crate) fn prefetch() -> impl Strategy<Value = Option<u64>> {
    prop_oneof![5 => Just(Some(1)), 3 => Just(Some(2)), 1 => Just(Some(3)), 1 => Just(None)]
}

/// The error text of a nack.
pub(crate) fn error() -> impl Strategy<Value = Option<&'static str>> {
    select(vec![None, Some("oops"), Some("")])
}

/// The steps, each so many units after the one before; none after the last instant there is.
fn at_their_times(start: u64, unit: u32, steps: Vec<(u64, Action)>) -> Steps {
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
    Steps::new(steps.collect()).expect("times that grow, and names that are put once")
}

fn milliseconds(seconds: f64) -> u64 {
    Millis::nearest(seconds).count()
}
