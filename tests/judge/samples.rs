//! Right and wrong samples of a jittered delay.

use samewait::answer::{Answer, Between, Reply, Reported, Value};
use samewait::case::Case;
use samewait::{draws, reference};

use super::mutants::Mutant;

/// The samples of the reference.
pub(crate) fn of_the_reference(case: &Case, seed: u64) -> Vec<f64> {
    match reference::answer(&case.question, draws::seeded(seed)) {
        Answer::Value(Value::Delays(samples)) => samples,
        other @ (Answer::Value(_) | Answer::Rejected(_)) => panic!("{}: {other:?}", case.id),
    }
}

pub(crate) fn reply(samples: &[f64]) -> Reply {
    Reply::Value(Value::Delays(samples.iter().copied().map(Reported::Seconds).collect()))
}

/// Samples that are not what jitter makes between these ends.
pub(crate) fn wrong(expected: &Between) -> Vec<Mutant> {
    let mut draw = draws::seeded(1);
    let (low, width) = (expected.low, expected.high - expected.low);
    let right: Vec<f64> = (0..expected.count).map(|_| low + width * draw()).collect();
    let counts = [
        ("one too few", right[1..].to_vec()),
        ("one too many", [&right[..], &[low]].concat()),
        ("none", vec![]),
    ];
    let of_another_count = counts
        .into_iter()
        .map(|(what, samples)| Mutant::new(what, reply(&samples)).at("delays"));
    let place = if expected.is_random() { "samples" } else { "delays[7]" };
    let with_one = |what: &str, sample: f64| {
        let mut samples = right.clone();
        samples[7] = sample;
        Mutant::new(what, reply(&samples)).at(place).duration()
    };
    let with_one_outside = [
        with_one("one just too short", low.next_down()),
        with_one("one just too long", expected.high.next_up()),
        with_one("one negative", -1.0),
        with_one("one that is no number", f64::NAN),
        with_one("one without end", f64::INFINITY),
    ];
    of_another_count.chain(with_one_outside).collect()
}
