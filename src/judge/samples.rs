//! Samples of a jittered delay (J-10): as many as asked for, and all alike or as random as they must be.

use super::{Difference, Mismatch, Shown, Verdict, compare_delays, judge};
use crate::answer::{Answer, Between, Reply, Reported, Value};
use crate::uniformity::{Interval, are_same_draws, examine};
use crate::wire::Resolution;

/// The name of the check that no process repeats the draws of another (J-9).
pub const TWO_FRESH_PROCESSES: &str = "two fresh processes";

/// How many samples are shown of those that were drawn twice.
const SHOWN: usize = 4;

/// Holds samples against what is expected of them.
pub(super) fn compare(expected: &Between, got: &[Reported], resolution: Resolution) -> Option<Mismatch> {
    if let Some(difference) = compare_counts(expected.count, got.len()) {
        return Some(Mismatch::Content(vec![difference]));
    }
    if !expected.is_random() {
        let differences = compare_delays(&vec![expected.low; expected.count], got, resolution);
        return (!differences.is_empty()).then_some(Mismatch::Content(differences));
    }
    let interval = Interval {
        low: expected.low,
        high: expected.high,
        unit: resolution.unit(),
    };
    let flaw = examine(&in_seconds(got, resolution), &interval).err()?;
    let expected = *expected;
    Some(Mismatch::Samples { expected, flaw })
}

/// The number of samples.
pub(super) fn compare_counts(expected: usize, got: usize) -> Option<Difference> {
    let shown = |count: usize| Shown::Text(format!("{count} delays"));
    (expected != got).then(|| Difference {
        at: "delays".to_owned(),
        expected: shown(expected),
        got: shown(got),
    })
}

/// Whether a right answer is to be held against that of a fresh process: it must have draws of its own (J-9).
#[must_use]
pub fn needs_a_second_process(expected: &Answer) -> bool {
    matches!(expected, Answer::Value(Value::Between(between)) if between.is_random())
}

/// Judges what a fresh process replied to the question that `first` is a right answer to: it must be right, too, and made of other draws.
/// Implements J-9.
#[must_use]
pub fn judge_again(expected: &Answer, first: &Reply, second: &Reply, resolution: Resolution) -> Verdict {
    let verdict = judge(expected, second, resolution);
    if let (Verdict::Passed, Reply::Value(Value::Delays(first)), Reply::Value(Value::Delays(second))) =
        (&verdict, first, second)
    {
        let [first, mut second] = [first, second].map(|samples| in_seconds(samples, resolution));
        if are_same_draws(&first, &second) {
            second.truncate(SHOWN);
            return Verdict::Failed(Mismatch::SameDraws(second));
        }
    }
    verdict
}

/// Counts as seconds; a count of an exact port, which has no unit, is no number.
fn in_seconds(samples: &[Reported], resolution: Resolution) -> Vec<f64> {
    let seconds = |sample: &Reported| match (*sample, resolution.places()) {
        (Reported::Seconds(seconds), _) => seconds,
        // Reading a decimal rounds once.
        (Reported::Count(count), Some(places)) => format!("{count}e-{places}").parse().unwrap_or(f64::NAN),
        (Reported::Count(_), None) => f64::NAN,
    };
    samples.iter().map(seconds).collect()
}
