//! Whether samples of a jittered delay look uniform on the interval that jitter promises. Implements J-12 to J-20.
//!
//! [`examine`] is a battery of checks, each with a bound that a healthy sampler breaks with a proven probability of at most
//! 2^-41, at any number of samples; `spec/statistics.md` derives the bounds, and shows which defect needs how many samples.
//! Pure: no clock, no random numbers.
//!
//! ```
//! use samewait::uniformity::{Check, Interval, examine};
//!
//! // 10 seconds, jittered by 0.2 only upwards: 1024 samples, evenly spread in the upper half of the interval.
//! let samples: Vec<f64> = (0..1024).map(|i| 10.0 + 2.0 * f64::from(i * 389 % 1024) / 1024.0).collect();
//! let flaw = examine(&samples, &Interval { low: 8.0, high: 12.0, unit: None }).unwrap_err();
//! assert_eq!(flaw.check, Check::LowerSide);
//! ```

mod checks;
mod flaw;
mod histogram;
mod lattice;
mod repeats;
mod scaled;

use std::ops::RangeInclusive;

pub use flaw::{Check, Flaw};
pub use histogram::Histogram;

use flaw::Finding;
use scaled::Scaled;

/// How many samples a case may ask for: below, the bounds say little; above, the rate of false alarms is not derived.
pub const SAMPLES: RangeInclusive<usize> = 1024..=20_000;

/// How many cases with samples a set of vectors may have, for its rate of false alarms to be below 1e-9.
pub const MOST_CASES: usize = 16;

/// The interval in which the samples must lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end in seconds, included.
    pub low: f64,
    /// The upper end in seconds, included; not below `low`. When both are the same, every sample must be that delay.
    pub high: f64,
    /// The length in seconds of the port's unit of resolution; none for exact seconds. A sample may be less than one unit
    /// away from the exact delay (W-16).
    pub unit: Option<f64>,
}

/// How probable a false alarm of one check may be: 2^-41.
///
/// There are 39 checks, every lag being one; a case is examined twice at most, once for each of two processes, and the processes are compared:
/// 16 * (2 * 39 + 1) * 2^-41 < 6e-10.
pub const LEVEL: f64 = 1.0 / 2_199_023_255_552.0;

/// Examines samples of a jittered delay, in seconds and in the order in which they were drawn.
///
/// With fewer than 1024 samples no good sampler fails more often, but few bad ones do; no samples have no flaw.
///
/// # Errors
///
/// The first check that fails, in the order of [`Check`].
pub fn examine(samples: &[f64], interval: &Interval) -> Result<(), Flaw> {
    match findings(samples, interval, LEVEL).next() {
        None => Ok(()),
        Some(finding) => Err(Flaw::new(finding, samples, interval)),
    }
}

/// All checks that fail when each may raise a false alarm with a probability of `level`, from 0 to 1.
///
/// The bound of the serial correlation rests on that of the variance, and is left out when the variance fails.
#[must_use]
pub fn alarms(samples: &[f64], interval: &Interval, level: f64) -> Vec<Check> {
    let mut checks: Vec<Check> = findings(samples, interval, level)
        .map(|finding| finding.check)
        .collect();
    if checks.contains(&Check::Variance) {
        checks.retain(|check| !matches!(check, Check::SerialCorrelation { .. }));
    }
    checks
}

/// Whether the samples of two fresh processes are the same draws (J-20).
///
/// Answers false when one value fills more than half of `first`: of a delay without jitter, or of an interval narrower than the unit, all
/// processes give the same.
#[must_use]
pub fn are_same_draws(first: &[f64], second: &[f64]) -> bool {
    let mut sorted = first.to_vec();
    sorted.sort_by(f64::total_cmp);
    let is_varied = 2 * repeats::most_frequent(&sorted) <= first.len();
    is_varied && !first.is_empty() && first == second
}

/// What fails, found one by one. Most checks make no sense for samples outside of the interval.
fn findings(samples: &[f64], interval: &Interval, level: f64) -> Box<dyn Iterator<Item = Finding>> {
    let outside = checks::bounds(samples, interval);
    if outside.is_some() || samples.is_empty() || interval.low >= interval.high {
        return Box::new(outside.into_iter());
    }
    let scaled = Scaled::new(samples, interval, level);
    let steps = CHECKS
        .into_iter()
        .map(Step::Check)
        .chain((1..=checks::LAGS).map(Step::Lag));
    Box::new(steps.filter_map(move |step| match step {
        Step::Check(check) => check(&scaled),
        Step::Lag(lag) => checks::serial_correlation(&scaled, lag),
    }))
}

/// One check of samples that lie in the interval.
enum Step {
    Check(fn(&Scaled) -> Option<Finding>),
    Lag(usize),
}

const CHECKS: [fn(&Scaled) -> Option<Finding>; 8] = [
    checks::lower_side,
    checks::upper_side,
    checks::mean,
    checks::variance,
    checks::uniformity,
    repeats::repeats,
    repeats::frequency,
    lattice::lattice,
];
