//! Values that are all multiples of a step too coarse for a legal draw or for the port's unit.

use super::flaw::{Check, Finding};
use super::scaled::Scaled;

/// Fewer samples may lie on some lattice by chance.
const FEWEST: usize = 512;

/// The coarsest limit for a step, as a part of the interval: in an interval of a few units every sample is on a lattice.
const COARSEST: f64 = 1.0 / 16.0;

/// J-18: the step, as a part of the interval, of a lattice on which all samples lie.
pub(super) fn lattice(scaled: &Scaled) -> Option<Finding> {
    // Three times the error of a value, which is half as large when the interval is 1 wide and not 2.
    let finest = 1.5 * scaled.error;
    if scaled.values.len() < FEWEST || finest > COARSEST {
        return None;
    }
    let shares: Vec<f64> = scaled.sorted.iter().map(|&value| f64::midpoint(value, 1.0)).collect();
    let step = step(&shares, finest)?;
    Some(Finding::new(Check::Lattice, step, finest))
}

/// The step of a lattice that holds all of the ascending numbers, if one of at least `finest` does.
///
/// The smallest gap is a few steps long: how many is tried, and each guess is walked from there to farther and farther numbers, made more
/// precise by each. How a step is found does not matter for false alarms, for [`holds_all`] has the last word.
fn step(ascending: &[f64], finest: f64) -> Option<f64> {
    let (first, last) = (*ascending.first()?, *ascending.last()?);
    let gaps = ascending.windows(2).map(|pair| pair[1] - pair[0]).enumerate();
    let (base, smallest) = gaps
        .filter(|&(_, gap)| gap > finest / 8.0)
        .min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (1..=u32::MAX)
        .map(|parts| smallest / f64::from(parts))
        .take_while(|&guess| guess > 0.9 * finest)
        .filter_map(|guess| walk(ascending, base, guess))
        .map(|step| (last - first) / ((last - first) / step).round())
        .find(|&step| step >= finest && holds_all(ascending, first, step))
}

/// The step made precise, if all numbers lie roughly on its lattice.
fn walk(ascending: &[f64], base: usize, guess: f64) -> Option<f64> {
    let (below, above) = ascending.split_at(base);
    let start = *above.first()?;
    let (mut step, mut reach) = (guess, 0.0);
    for number in above.iter().chain(below.iter().rev()) {
        let distance = (number - start).abs();
        let steps = (distance / step).round();
        if (distance - steps * step).abs() > step / 4.0 {
            return None;
        }
        if steps > 0.0 && distance > reach {
            (step, reach) = (distance / steps, distance);
        }
    }
    Some(step)
}

/// Whether every number is within a thirty-second of a step of the lattice.
fn holds_all(ascending: &[f64], first: f64, step: f64) -> bool {
    ascending.iter().all(|number| {
        let steps = (number - first) / step;
        (steps - steps.round()).abs() <= 1.0 / 32.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_step_though_the_smallest_gap_is_several_steps_long() {
        let numbers = [0.0, 0.003, 0.008, 0.013, 0.994, 1.0];
        let found = step(&numbers, 1e-4);
        assert!(found.is_some_and(|step| (step - 0.001).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn finds_none_finer_than_asked_for() {
        assert_eq!(step(&[0.0, 0.003, 0.008, 0.013, 0.994, 1.0], 0.002), None);
        assert_eq!(step(&[0.5, 0.5], 0.002), None);
        assert_eq!(step(&[], 0.002), None);
    }
}
