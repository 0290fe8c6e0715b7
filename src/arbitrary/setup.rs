//! What a queue is made with: a policy, a TTL and an ack timeout, all of one unit, or nearly.

use proptest::prelude::*;
use proptest::sample::select;

use crate::policy::{HORIZON, PolicyFields};

/// What a queue is made with.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Few attempts, and delays of few units.
    pub policy: PolicyFields,
    /// In seconds; 0 for without end.
    pub message_ttl: f64,
    /// In seconds; 0 for without end.
    pub ack_timeout: f64,
    /// Of the scenario's times, in milliseconds.
    pub unit: u32,
}

/// A legal policy with few attempts, a TTL and an ack timeout, all of one unit.
pub fn setup() -> BoxedStrategy<Setup> {
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
