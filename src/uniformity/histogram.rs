//! A histogram in plain characters.

use std::fmt;

use super::Interval;

/// The parts that the interval is shown in.
const BINS: u32 = 16;

/// The longest bar.
const BAR: usize = 40;

/// How many samples lie in each part of the interval, and outside of it.
///
/// Its text is at most 80 columns wide: a line for each part with the part's lower end in seconds, and a first and a last line for
/// what lies outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// The lower ends of the parts, in seconds, and the upper end of the last.
    edges: Vec<f64>,
    /// For each part; the last holds the interval's upper end, too.
    counts: Vec<usize>,
    below: usize,
    /// Also what is no number.
    above: usize,
}

impl Histogram {
    pub(super) fn new(samples: &[f64], interval: &Interval) -> Self {
        let Interval { low, high, unit: _ } = *interval;
        let bins = if high > low { BINS } else { 1 };
        let edge = |bin: u32| low + (high - low) * f64::from(bin) / f64::from(bins);
        let edges: Vec<f64> = (0..bins).map(edge).chain([high]).collect();
        let mut histogram = Self {
            counts: vec![0; edges.len() - 1],
            edges,
            below: 0,
            above: 0,
        };
        for &sample in samples {
            *histogram.place(sample, low, high) += 1;
        }
        histogram
    }

    fn place(&mut self, sample: f64, low: f64, high: f64) -> &mut usize {
        if sample < low {
            return &mut self.below;
        }
        let not_above = self.edges.iter().filter(|&&edge| edge <= sample).count();
        let last = self.counts.len();
        match self.counts.get_mut(not_above.clamp(1, last) - 1) {
            Some(count) if sample <= high => count,
            Some(_) | None => &mut self.above,
        }
    }

    /// So many decimal places that neighbouring edges differ.
    fn places(&self) -> usize {
        let width = match self.edges.as_slice() {
            [first, second, ..] if second > first => second - first,
            _ => 1.0,
        };
        let mut tenth = width;
        (0..12)
            .find(|_| {
                tenth *= 10.0;
                tenth >= 100.0
            })
            .unwrap_or(12)
    }
}

impl fmt::Display for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.places();
        let label = |edge: &f64| format!("{edge:.places$}");
        let width = self
            .edges
            .iter()
            .map(|edge| label(edge).len())
            .max()
            .unwrap_or(0)
            .max(5);
        let fullest = self
            .counts
            .iter()
            .copied()
            .max()
            .unwrap_or(0)
            .max(self.below)
            .max(self.above)
            .max(1);
        let line = |name: &str, count: usize| {
            let bar = "#".repeat((count * BAR).div_ceil(fullest));
            let line = format!("{name:>width$} {count:>6} {bar}");
            line.trim_end().to_owned()
        };
        writeln!(f, "{}", line("below", self.below))?;
        for (edge, &count) in self.edges.iter().zip(&self.counts) {
            writeln!(f, "{}", line(&label(edge), count))?;
        }
        write!(f, "{}", line("above", self.above))
    }
}
