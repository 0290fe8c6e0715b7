//! Do samples look as if drawn uniformly from an interval? Pure statistics, which know nothing of policies, cases or ports.

use std::fmt;
use std::ops::RangeInclusive;

/// How many samples are asked for.
pub const SAMPLES: RangeInclusive<usize> = 1024..=20_000;

/// How many cases with samples a set of vectors may have.
pub const MOST_CASES: usize = 16;

/// Where samples must lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The least that a sample may be.
    pub low: f64,
    /// The most that a sample may be.
    pub high: f64,
    /// What samples are whole numbers of, and may be less than one away for; none when they are exact.
    pub unit: Option<f64>,
}

/// Examines samples.
///
/// # Errors
///
/// The first flaw that is found.
pub fn examine(samples: &[f64], interval: &Interval) -> Result<(), Flaw> {
    let slack = interval.unit.unwrap_or(0.0);
    let is_within = |sample: f64| {
        let (low, high) = (interval.low, interval.high);
        (low..=high).contains(&sample) || (sample > low - slack && sample < high + slack)
    };
    match samples.iter().find(|sample| !is_within(**sample)) {
        None => Ok(()),
        Some(&outside) => Err(Flaw {
            check: Check::Bounds,
            statistic: outside,
            bound: if outside < interval.low {
                interval.low
            } else {
                interval.high
            },
            histogram: Histogram { samples: samples.len() },
        }),
    }
}

/// Whether two lists of samples come of the same draws.
#[must_use]
pub fn are_same_draws(first: &[f64], second: &[f64]) -> bool {
    first == second
}

/// A flaw in samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Flaw {
    /// The check that found it.
    pub check: Check,
    /// What was computed.
    pub statistic: f64,
    /// What it had to keep to.
    pub bound: f64,
    /// How the samples lie.
    pub histogram: Histogram,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            check,
            statistic,
            bound,
            histogram: _,
        } = self;
        write!(f, "{check}: {statistic:?}, bound {bound:?}")
    }
}

/// What samples are examined for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Every sample lies in the interval.
    Bounds,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds => f.write_str("bounds"),
        }
    }
}

/// How samples lie in their interval.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    samples: usize,
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} samples", self.samples)
    }
}
