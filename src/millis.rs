//! Whole milliseconds: what brokers and virtual clocks count in.

use std::ops::{Add, Sub};

/// A number of whole milliseconds: a duration, or the time since the start of a scenario (Q-32).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Millis(u64);

impl Millis {
    /// So many milliseconds.
    #[must_use]
    pub fn new(count: u64) -> Self {
        Self(count)
    }

    /// The nearest whole milliseconds to a number of seconds, halves away from zero: `seconds` * 1000, rounded. The one writing of L-2.
    ///
    /// Below 0 and for NaN it is 0; delays and times of the specification are 0 to HORIZON.
    ///
    /// ```
    /// assert_eq!(samewait::Millis::nearest(51.2).count(), 51_200);
    /// ```
    #[must_use]
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number; the conversion is exact below 2^53 and saturates elsewhere"
    )]
    pub fn nearest(seconds: f64) -> Self {
        Self((seconds * 1000.0).round() as u64)
    }

    /// A number of seconds that is a whole number of milliseconds: the nearest one, divided by 1000, is the same binary64 (Q-32).
    #[must_use]
    pub fn exactly(seconds: f64) -> Option<Self> {
        let nearest = Self::nearest(seconds);
        // Adding 0 makes a negative zero positive.
        (nearest.seconds().to_bits() == (seconds + 0.0).to_bits()).then_some(nearest)
    }

    /// How many there are.
    #[must_use]
    pub fn count(self) -> u64 {
        self.0
    }

    /// As seconds: one binary64 division by 1000.
    #[must_use]
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "exact below 2^53 ms, which is 285,000 years"
    )]
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

impl Add for Millis {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Self;

    /// Never below 0.
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}
