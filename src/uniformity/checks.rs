//! Bounds, sides, mean, variance, uniformity and serial correlation.
//!
//! `spec/statistics.md` derives each bound. `error` is what a value may be away from an exactly uniform one.

use super::Interval;
use super::flaw::{Check, Finding};
use super::scaled::{Scaled, float};

/// The correlations that are tested: of each sample with the 1st, the 2nd and so on after it.
pub(super) const LAGS: usize = 32;

/// J-12, and with an interval of one delay J-3: the first sample outside.
pub(super) fn bounds(samples: &[f64], interval: &Interval) -> Option<Finding> {
    samples.iter().find_map(|&sample| {
        let bound = match (is_at_least_low(sample, interval), is_at_most_high(sample, interval)) {
            (true, true) => return None,
            (false, _) => interval.low,
            (true, false) => interval.high,
        };
        Some(Finding::new(Check::Bounds, sample, bound))
    })
}

fn is_at_least_low(sample: f64, interval: &Interval) -> bool {
    let Some(unit) = interval.unit else {
        return sample >= interval.low;
    };
    let low = Units::new(interval.low, unit);
    low.count_of(sample) + 1.0 + low.slack - low.product > low.lost
}

fn is_at_most_high(sample: f64, interval: &Interval) -> bool {
    let Some(unit) = interval.unit else {
        return sample <= interval.high;
    };
    let high = Units::new(interval.high, unit);
    high.count_of(sample) - 1.0 - high.slack - high.product < high.lost
}

/// A duration in units, without an error: `product` + `lost` is the duration times the units per second.
struct Units {
    per_second: f64,
    product: f64,
    lost: f64,
    /// Counts from about 2^50 on are not told apart by seconds in binary64.
    slack: f64,
}

impl Units {
    fn new(seconds: f64, unit: f64) -> Self {
        let per_second = (1.0 / unit).round();
        let product = seconds * per_second;
        Self {
            per_second,
            product,
            lost: seconds.mul_add(per_second, -product),
            slack: (product * 4.0 * f64::EPSILON).floor(),
        }
    }

    fn count_of(&self, sample: f64) -> f64 {
        (sample * self.per_second).round()
    }
}

/// J-13: the part of the interval below the smallest sample.
pub(super) fn lower_side(scaled: &Scaled) -> Option<Finding> {
    let smallest = scaled.sorted.first()?;
    Finding::unless_within(Check::LowerSide, f64::midpoint(*smallest, 1.0), unused(scaled))
}

/// J-13: the part of the interval above the largest sample.
pub(super) fn upper_side(scaled: &Scaled) -> Option<Finding> {
    let largest = scaled.sorted.last()?;
    Finding::unless_within(Check::UpperSide, f64::midpoint(1.0, -largest), unused(scaled))
}

fn unused(scaled: &Scaled) -> f64 {
    scaled.log / scaled.count + scaled.error / 2.0
}

/// J-14, in halves of the width.
pub(super) fn mean(scaled: &Scaled) -> Option<Finding> {
    let mean = scaled.values.iter().sum::<f64>() / scaled.count;
    let bound = (2.0 * scaled.log / (3.0 * scaled.count)).sqrt() + scaled.error;
    Finding::unless_within(Check::Mean, mean, bound)
}

/// J-15: the mean square distance from the centre against the 1/3 of a uniform distribution, 1 when it is the same.
pub(super) fn variance(scaled: &Scaled) -> Option<Finding> {
    let squares = scaled.values.iter().map(|value| value * value).sum::<f64>() / scaled.count;
    let bound = 3.0 * (square_deviation(scaled) + error_of_product(scaled));
    Finding::unless_within(Check::Variance, 3.0 * squares - 1.0, bound)
}

/// How far the mean of exact squares may be from 1/3: Bernstein's inequality, with the variance 4/45 of one square.
fn square_deviation(scaled: &Scaled) -> f64 {
    let (range, variance) = (2.0 / 3.0, 4.0 / 45.0);
    let linear = scaled.log * range / 3.0;
    (linear + (linear * linear + 2.0 * scaled.count * scaled.log * variance).sqrt()) / scaled.count
}

/// How far a product of two values may be from that of the exact ones, none of which is beyond 1.
fn error_of_product(scaled: &Scaled) -> f64 {
    scaled.error * (2.0 + scaled.error)
}

/// J-16: the Kolmogorov-Smirnov statistic, with Massart's bound.
pub(super) fn uniformity(scaled: &Scaled) -> Option<Finding> {
    let distance = scaled.sorted.iter().enumerate().map(|(i, &value)| {
        let expected = f64::midpoint(value, 1.0);
        let (before, after) = (float(i) / scaled.count, float(i + 1) / scaled.count);
        (expected - before).max(after - expected)
    });
    let bound = (scaled.log / (2.0 * scaled.count)).sqrt() + scaled.error / 2.0;
    Finding::unless_within(Check::Uniformity, distance.fold(0.0, f64::max), bound)
}

/// J-19. The bound holds because [`variance`] has passed: the squares add up to no more than it allows.
pub(super) fn serial_correlation(scaled: &Scaled, lag: usize) -> Option<Finding> {
    let squares = scaled.count * (1.0 / 3.0 + square_deviation(scaled) + 2.0 * error_of_product(scaled));
    let bound = 3.0 * ((2.0 * squares * scaled.log / 3.0).sqrt() / scaled.count + error_of_product(scaled));
    let later = scaled.values.get(lag..)?;
    let mut products = 0.0;
    for (value, later) in scaled.values.iter().zip(later) {
        products += value * later;
    }
    Finding::unless_within(Check::SerialCorrelation { lag }, 3.0 * products / scaled.count, bound)
}
