//! Chapter 4: delay * (1 + ((u * 2 - 1) * f)), every operation exact and then rounded on its own.

use samewait::answer::{Between, Refusal};
use samewait::question::JitterSamplesQuestion;

use super::exact::Exact;
use super::policy::{HORIZON, Policy, invalid_argument, is_within, positive_zero};
use super::rounding::nearest;

/// J-1 to J-7.
pub(crate) fn jittered(policy: &Policy, delay: f64, draw: f64) -> Result<f64, Refusal> {
    if !is_within(delay, 0.0, HORIZON) {
        return Err(invalid_argument("delay"));
    }
    if !(0.0..1.0).contains(&draw) {
        return Err(invalid_argument("draw"));
    }
    let delay = positive_zero(delay);
    if policy.jitter_factor == 0.0 || delay == 0.0 {
        return Ok(delay);
    }
    let doubled = product(draw, 2.0);
    let centred = sum(doubled, -1.0);
    let scaled = product(centred, policy.jitter_factor);
    let factor = sum(1.0, scaled);
    Ok(product(delay, factor))
}

/// J-10 and J-11, for a library that draws the same each time.
pub(crate) fn samples(policy: &Policy, delay: f64, count: i64, draw: f64) -> Result<Vec<f64>, Refusal> {
    if !is_within(delay, 0.0, HORIZON) {
        return Err(invalid_argument("delay"));
    }
    if !(1..=1_000_000).contains(&count) {
        return Err(invalid_argument("count"));
    }
    let sample = jittered(policy, delay, draw)?;
    Ok((0..count).map(|_| sample).collect())
}

/// V-17: the delay of a draw of 0, and the bound of all draws.
pub(crate) fn between(policy: &Policy, question: &JitterSamplesQuestion) -> Between {
    let (delay, factor) = (question.delay.0, policy.jitter_factor);
    Between {
        count: usize::try_from(question.count).expect("a count that is expected to be answered"),
        low: product(delay, sum(1.0, -factor)),
        high: product(delay, sum(1.0, factor)),
    }
}

fn product(left: f64, right: f64) -> f64 {
    nearest(&(&Exact::from(left) * &Exact::from(right)))
}

fn sum(left: f64, right: f64) -> f64 {
    nearest(&(&Exact::from(left) + &Exact::from(right)))
}
