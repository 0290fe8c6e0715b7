//! Durations, factors, draws and ages.

use proptest::prelude::*;
use proptest::sample::select;

use crate::ladder::DEFAULT_THRESHOLD;
use crate::policy::HORIZON;
use crate::wire::Resolution;

/// All binary64 between two that are not negative, each binade as likely as the next.
///
/// `low` and `high` are both included.
pub fn between(low: f64, high: f64) -> BoxedStrategy<f64> {
    (low.to_bits()..=high.to_bits()).prop_map(f64::from_bits).boxed()
}

/// A duration that a policy may hold: 0 to HORIZON seconds.
pub fn duration() -> BoxedStrategy<f64> {
    prop_oneof![
        3 => (0_u32..=100_000).prop_map(|milliseconds| f64::from(milliseconds) / 1000.0),
        // Where a TTL is rounded.
        2 => (0_u32..=100_000).prop_map(|milliseconds| (f64::from(milliseconds) + 0.5) / 1000.0),
        2 => (0_u32..=1_000_000).prop_map(f64::from),
        2 => select(vec![
            0.0,
            f64::from_bits(1),
            f64::MIN_POSITIVE.next_down(),
            f64::MIN_POSITIVE,
            1.0_f64.next_down(),
            1.0,
            1.0_f64.next_up(),
            DEFAULT_THRESHOLD.next_down(),
            DEFAULT_THRESHOLD,
            315_360_000.0,
            315_360_000.000_5,
            315_360_000.001,
            HORIZON.next_down(),
            HORIZON,
        ]),
        1 => between(0.0, f64::MIN_POSITIVE),
        2 => between(0.0, HORIZON),
        1 => 0.0..=HORIZON,
    ]
    .boxed()
}

/// A duration in whole units of a resolution (W-17): what a library that counts in them can be asked about.
pub fn duration_in(resolution: Resolution) -> BoxedStrategy<f64> {
    duration()
        .prop_map(move |seconds| in_units(seconds, resolution))
        .boxed()
}

/// The nearest whole number of units (W-17), in seconds. What is not finite stays as it is.
///
/// ```
/// use samewait::arbitrary::in_units;
/// use samewait::wire::Resolution;
///
/// assert_eq!(in_units(0.0126, Resolution::Millisecond), 0.013);
/// assert_eq!(in_units(0.0126, Resolution::Exact), 0.0126);
/// ```
#[must_use]
pub fn in_units(seconds: f64, resolution: Resolution) -> f64 {
    // Rust rounds to decimal places exactly, and reads the result exactly.
    resolution
        .places()
        .and_then(|places| format!("{seconds:.places$}").parse().ok())
        .unwrap_or(seconds)
}

/// A multiplier that a policy may hold: finite, 1 or more.
pub fn multiplier() -> BoxedStrategy<f64> {
    prop_oneof![
        3 => Just(2.0),
        3 => (0_u32..=900).prop_map(|hundredths| f64::from(100 + hundredths) / 100.0),
        2 => select(vec![
            1.0,
            1.0_f64.next_up(),
            1.000_000_1,
            1.5_f64.next_down(),
            1.5,
            2.0_f64.next_down(),
            2.0_f64.next_up(),
            1.0e154,
            f64::MAX,
        ]),
        1 => 1.0..2.0,
        1 => between(1.0, f64::MAX),
    ]
    .boxed()
}

/// A number from 0 to 1, both included: a jitter factor.
pub fn factor() -> BoxedStrategy<f64> {
    prop_oneof![
        2 => (0_u32..=100).prop_map(|hundredths| f64::from(hundredths) / 100.0),
        1 => select(vec![0.0, f64::from_bits(1), f64::EPSILON / 2.0, 1.0_f64.next_down(), 1.0]),
        1 => 0.0..=1.0,
    ]
    .boxed()
}

/// A draw from [0, 1).
pub fn draw() -> BoxedStrategy<f64> {
    let at_most = 1.0_f64.next_down();
    factor().prop_map(move |draw| draw.min(at_most)).boxed()
}

/// The age of a message in seconds, in whole units of a resolution; none for an unknown one. Some are negative or infinite, none is NaN.
pub fn age(resolution: Resolution) -> BoxedStrategy<Option<f64>> {
    prop::option::of(prop_oneof![
        3 => duration_in(resolution),
        1 => select(vec![1.0, -1.0, -0.0]),
        // These are no whole units.
        1 => match resolution {
            Resolution::Exact => select(vec![f64::INFINITY, f64::NEG_INFINITY]),
            Resolution::Nanosecond | Resolution::Tick | Resolution::Microsecond | Resolution::Millisecond => {
                select(vec![HORIZON, -HORIZON])
            }
        },
    ])
    .boxed()
}

/// The delay in seconds from which waits go to the broker: 0 (none do) to HORIZON.
pub fn threshold() -> BoxedStrategy<f64> {
    prop_oneof![
        1 => Just(0.0),
        2 => Just(0.001),
        2 => Just(DEFAULT_THRESHOLD),
        2 => duration(),
    ]
    .boxed()
}

/// A number of the `usual` kind, and now and then one that some argument does not allow: NaN, an infinity, -1, more than HORIZON.
pub fn any_real(usual: BoxedStrategy<f64>) -> BoxedStrategy<f64> {
    prop_oneof![9 => usual, 1 => odd_real()].boxed()
}

/// A number that some argument does not allow.
pub(super) fn odd_real() -> BoxedStrategy<f64> {
    select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        -f64::from_bits(1),
        -1.0,
        1.0_f64.next_down(),
        1.0,
        1.0_f64.next_up(),
        HORIZON.next_up(),
        HORIZON + 1.0,
        f64::MAX,
    ])
    .boxed()
}
