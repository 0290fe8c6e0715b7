//! Values that come more than once, against exact binomial tails.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::flaw::{Check, Finding};
use super::scaled::{Scaled, float};

/// J-17: the samples that are equal to an earlier one.
pub(super) fn repeats(scaled: &Scaled) -> Option<Finding> {
    let count = scaled.values.len();
    let expected: f64 = (0..count)
        .map(|earlier| (float(earlier) * scaled.likeliest).min(1.0))
        .sum();
    let probability = (expected / scaled.count).min(1.0);
    let is_too_many =
        |repeats| float(repeats) >= expected + 1.0 && at_least(repeats, count, probability) < scaled.level;
    too_many(Check::Repeats, count - distinct(&scaled.sorted), is_too_many)
}

/// J-17: how often the most frequent value comes.
pub(super) fn frequency(scaled: &Scaled) -> Option<Finding> {
    let count = scaled.values.len();
    let is_too_many =
        |times: usize| times > 1 && scaled.count * at_least(times - 1, count - 1, scaled.likeliest) < scaled.level;
    too_many(Check::Frequency, most_frequent(&scaled.sorted), is_too_many)
}

/// The number of different values.
fn distinct(sorted: &[f64]) -> usize {
    runs(sorted).count()
}

/// How often the most frequent value comes.
pub(super) fn most_frequent(sorted: &[f64]) -> usize {
    runs(sorted).map(<[f64]>::len).max().unwrap_or(0)
}

#[expect(clippy::float_cmp, reason = "the same value, bit for bit")]
fn runs(sorted: &[f64]) -> impl Iterator<Item = &[f64]> {
    sorted.chunk_by(|a, b| a == b)
}

/// A finding with the greatest number that is not too many.
fn too_many(check: Check, found: usize, is_too_many: impl Fn(usize) -> bool) -> Option<Finding> {
    if !is_too_many(found) {
        return None;
    }
    let bound = (0..found).take_while(|&number| !is_too_many(number)).last()?;
    Some(Finding::new(check, float(found), float(bound)))
}

/// The probability of at least `successes` in `trials`.
fn at_least(successes: usize, trials: usize, probability: f64) -> f64 {
    let wide = |count| u64::try_from(count).unwrap_or(u64::MAX);
    match (successes.checked_sub(1), Binomial::new(probability, wide(trials))) {
        (Some(fewer), Ok(binomial)) => binomial.sf(wide(fewer)),
        (None, _) | (_, Err(_)) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same tail, summed term by term from the top.
    fn summed(successes: u32, trials: u32, probability: f64) -> f64 {
        let odds = probability / (1.0 - probability);
        let mut term = (1.0 - probability).ln() * f64::from(trials);
        let mut terms = Vec::new();
        for k in 0..=trials {
            if k >= successes {
                terms.push(term.exp());
            }
            term += (f64::from(trials - k) / f64::from(k + 1) * odds).ln();
        }
        terms.iter().rev().sum()
    }

    #[test]
    fn tails_are_exact_where_they_decide() {
        let cases = [
            (4, 1024, 2.4e-7),
            (8, 20_000, 4.7e-6),
            (16, 1024, 5.0e-4),
            (50, 20_000, 5.0e-4),
            (340, 1024, 0.23),
            (19_220, 20_000, 0.95),
        ];
        for (successes, trials, probability) in cases {
            let exact = summed(successes, trials, probability);
            let found = at_least(
                usize::try_from(successes).unwrap_or(0),
                usize::try_from(trials).unwrap_or(0),
                probability,
            );
            assert!((found / exact - 1.0).abs() < 1e-6, "{found:e} {exact:e}");
        }
        assert!((at_least(0, 5, 0.5) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn counts_runs() {
        assert_eq!(distinct(&[1.0, 1.0, 2.0]), 2);
        assert_eq!(most_frequent(&[1.0, 1.0, 2.0]), 2);
        assert_eq!(most_frequent(&[]), 0);
    }
}
