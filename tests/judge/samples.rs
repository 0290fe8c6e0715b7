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
    let mut mutants: Vec<Mutant> = of_another_count.chain(with_one_outside).collect();
    if expected.is_random() {
        mutants.extend(all_changed(expected, &right));
    }
    mutants
}

/// Samples with every one of them within the ends.
fn all_changed(expected: &Between, right: &[f64]) -> Vec<Mutant> {
    let (low, width) = (expected.low, expected.high - expected.low);
    let with_shares = |what: &str, change: fn(f64) -> f64| {
        let samples: Vec<f64> = right
            .iter()
            .map(|sample| low + width * change((sample - low) / width))
            .collect();
        Mutant::new(what, reply(&samples)).at("samples").duration()
    };
    let mut sorted = right.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut mutants = vec![
        with_shares("all in the middle", |_| 0.5),
        with_shares("the upper half alone", |share| f64::midpoint(share, 1.0)),
        with_shares("the lower half alone", |share| share / 2.0),
        with_shares("half the width", |share| 0.25 + share / 2.0),
        with_shares("ninety hundredths of the width", |share| 0.05 + share * 0.9),
        with_shares("cut off above the middle", |share| share.min(0.5)),
        with_shares("the ends alone", f64::round),
        with_shares("in hundredths", |share| (share * 100.0).round() / 100.0),
        with_shares("the mean of two draws", |share| {
            if share < 0.5 {
                (share / 2.0).sqrt()
            } else {
                1.0 - ((1.0 - share) / 2.0).sqrt()
            }
        }),
        Mutant::new("in ascending order", reply(&sorted))
            .at("samples")
            .duration(),
    ];
    let again: Vec<f64> = right
        .iter()
        .take(right.len() / 2)
        .flat_map(|&sample| [sample, sample])
        .collect();
    if again.len() == right.len() {
        mutants.push(Mutant::new("each twice", reply(&again)).at("samples").duration());
    }
    mutants
}
