//! What a check found, in words.

use std::fmt;

use super::{Histogram, Interval};

/// The checks, in the order in which they are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// J-12: every sample lies in the interval.
    Bounds,
    /// J-13: samples come near the lower end.
    LowerSide,
    /// J-13: samples come near the upper end.
    UpperSide,
    /// J-14: the mean is the unjittered delay.
    Mean,
    /// J-15: the variance is that of a uniform distribution.
    Variance,
    /// J-16: the distribution is uniform, by Kolmogorov and Smirnov.
    Uniformity,
    /// J-17: few samples repeat an earlier one.
    Repeats,
    /// J-17: no value comes often.
    Frequency,
    /// J-18: the samples do not all lie on a coarse lattice.
    Lattice,
    /// J-19: samples do not depend on those before.
    SerialCorrelation {
        /// How far apart the samples are that depend on each other.
        lag: usize,
    },
}

impl Check {
    /// The clause that states its bound.
    #[must_use]
    pub fn clause(self) -> &'static str {
        match self {
            Self::Bounds => "J-12",
            Self::LowerSide | Self::UpperSide => "J-13",
            Self::Mean => "J-14",
            Self::Variance => "J-15",
            Self::Uniformity => "J-16",
            Self::Repeats | Self::Frequency => "J-17",
            Self::Lattice => "J-18",
            Self::SerialCorrelation { .. } => "J-19",
        }
    }

    /// What its statistic is, to be read after the number.
    fn measure(self) -> &'static str {
        match self {
            Self::Bounds => "s",
            Self::LowerSide => "of the interval unused at its lower end",
            Self::UpperSide => "of the interval unused at its upper end",
            Self::Mean => "half-widths off the centre",
            Self::Variance => "relatively off a uniform distribution's",
            Self::Uniformity => "Kolmogorov-Smirnov distance",
            Self::Repeats => "samples equal to an earlier one",
            Self::Frequency => "samples of one value",
            Self::Lattice => "of the interval is a step that all samples keep to",
            Self::SerialCorrelation { .. } => "correlation",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounds => f.write_str("bounds"),
            Self::LowerSide | Self::UpperSide => f.write_str("both sides used"),
            Self::Mean => f.write_str("mean"),
            Self::Variance => f.write_str("variance"),
            Self::Uniformity => f.write_str("uniformity"),
            Self::Repeats => f.write_str("repeated values"),
            Self::Frequency => f.write_str("most frequent value"),
            Self::Lattice => f.write_str("lattice"),
            Self::SerialCorrelation { lag } => write!(f, "serial correlation, lag {lag}"),
        }
    }
}

/// A check that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Flaw {
    /// The check.
    pub check: Check,
    /// What was measured: for [`Check::Bounds`] the first sample outside, in seconds.
    pub statistic: f64,
    /// The greatest statistic that is allowed, whatever its sign; for [`Check::Bounds`] the end of the interval that the sample is beyond.
    pub bound: f64,
    /// How many samples there were.
    pub samples: usize,
    /// Where they lie.
    pub histogram: Histogram,
}

impl Flaw {
    pub(super) fn new(finding: Finding, samples: &[f64], interval: &Interval) -> Self {
        Self {
            check: finding.check,
            statistic: finding.statistic,
            bound: finding.bound,
            samples: samples.len(),
            histogram: Histogram::new(samples, interval),
        }
    }
}

impl fmt::Display for Flaw {
    /// One line: `mean (J-14): 0.4982 half-widths off the centre; at most 0.1377 allowed (1024 samples)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            check,
            statistic,
            bound,
            samples,
            histogram: _,
        } = self;
        let side = if *check == Check::Bounds && statistic < bound {
            "least"
        } else {
            "most"
        };
        let (statistic, bound) = match check {
            Check::Bounds => (format!("{statistic:?}"), format!("{bound:?} s")),
            Check::Repeats | Check::Frequency => (statistic.to_string(), bound.to_string()),
            Check::Lattice => (format!("{statistic:.3e}"), format!("{bound:.3e}")),
            Check::LowerSide
            | Check::UpperSide
            | Check::Mean
            | Check::Variance
            | Check::Uniformity
            | Check::SerialCorrelation { .. } => (format!("{statistic:.4}"), format!("{bound:.4}")),
        };
        let (clause, measure) = (check.clause(), check.measure());
        write!(
            f,
            "{check} ({clause}): {statistic} {measure}; at {side} {bound} allowed ({samples} samples)"
        )
    }
}

/// A check that failed, without the samples.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finding {
    pub(super) check: Check,
    statistic: f64,
    bound: f64,
}

impl Finding {
    pub(super) fn new(check: Check, statistic: f64, bound: f64) -> Self {
        Self {
            check,
            statistic,
            bound,
        }
    }

    /// A finding, unless the statistic is within the bound on both sides.
    pub(super) fn unless_within(check: Check, statistic: f64, bound: f64) -> Option<Self> {
        (statistic.abs() > bound).then(|| Self::new(check, statistic, bound))
    }
}
