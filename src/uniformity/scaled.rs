//! Samples on the scale from -1 to 1, and how far each may be from an exactly uniform number.

use super::Interval;

/// One over the fewest values that a legal draw has, 2^31 - 1 (J-12).
const LIKELIEST_DRAW: f64 = 1.0 / 2_147_483_647.0;

/// How far a legal draw, doubled, is from twice an exactly uniform number: 2 / (2^31 - 1), and room for the rounding of sums.
const DRAW_ERROR: f64 = 1.0 / 536_870_912.0;

/// What J-1 and this scale round off, as a part of the largest delay: 2^-48.
const ROUNDING: f64 = 1.0 / 281_474_976_710_656.0;

/// Samples of an interval that has a width.
pub(super) struct Scaled {
    /// In the order drawn: -1 is the lower end of the interval, 1 the upper.
    pub(super) values: Vec<f64>,
    /// The same in ascending order.
    pub(super) sorted: Vec<f64>,
    /// How many there are.
    pub(super) count: f64,
    /// How far each value may be from the exactly uniform number that it stands for.
    pub(super) error: f64,
    /// The greatest probability that one value may have.
    pub(super) likeliest: f64,
    /// How probable a false alarm of one check may be.
    pub(super) level: f64,
    /// The natural logarithm of 2 / `level`: the two sides of a check share its level.
    pub(super) log: f64,
}

impl Scaled {
    pub(super) fn new(samples: &[f64], interval: &Interval, level: f64) -> Self {
        let half_width = (interval.high - interval.low) / 2.0;
        let centre = interval.low + half_width;
        let values: Vec<f64> = samples.iter().map(|sample| (sample - centre) / half_width).collect();
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        let blur = (interval.unit.unwrap_or(0.0) + interval.high * ROUNDING) / half_width;
        Self {
            count: float(values.len()),
            values,
            sorted,
            error: DRAW_ERROR + blur,
            likeliest: (LIKELIEST_DRAW + blur).min(1.0),
            level,
            log: (2.0 / level).ln(),
        }
    }
}

/// A number of samples as a binary64.
pub(super) fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
