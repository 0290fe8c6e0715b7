//! Chapter 2, step by step: exact products, each rounded once.

use std::iter;

use samewait::answer::Refusal;

use super::exact::Exact;
use super::policy::{HIGHEST_ATTEMPT, HORIZON, Policy, invalid_argument};
use super::rounding::nearest;

/// B-1 to B-8. Huge attempts cost nothing (B-8), since only the delays that differ are gone through.
pub(crate) fn backoff(policy: &Policy, attempt: i64) -> Result<f64, Refusal> {
    is_attempt(attempt)?;
    Ok(changing(policy)
        .take(count(attempt))
        .last()
        .expect("the delay after attempt 1 at least"))
}

/// B-9: the delays after attempts 1 to `max_attempts` - 1.
pub(crate) fn schedule(policy: &Policy) -> Vec<f64> {
    let length = count(policy.max_attempts - 1);
    let mut delays: Vec<f64> = changing(policy).take(length).collect();
    if let Some(&last) = delays.last() {
        delays.resize(length, last);
    }
    delays
}

/// The delays after attempts 1, 2, 3, ..., up to the one that all later delays are equal to.
pub(crate) fn changing(policy: &Policy) -> impl Iterator<Item = f64> {
    let ceiling = ceiling(policy);
    let multiplier = Exact::from(policy.multiplier);
    let products = iter::successors(Some(policy.initial_delay), move |&product| {
        if product >= ceiling {
            return None;
        }
        let next = nearest(&(&Exact::from(product) * &multiplier));
        // With the same number in hand the next step would be this one again.
        (next > product).then_some(next)
    });
    products.map(move |product| product.min(ceiling))
}

/// B-3.
pub(crate) fn ceiling(policy: &Policy) -> f64 {
    if policy.max_delay > 0.0 {
        policy.max_delay
    } else {
        HORIZON
    }
}

/// B-2.
pub(crate) fn is_attempt(attempt: i64) -> Result<(), Refusal> {
    if (1..=HIGHEST_ATTEMPT).contains(&attempt) {
        Ok(())
    } else {
        Err(invalid_argument("attempt"))
    }
}

fn count(number: i64) -> usize {
    usize::try_from(number).expect("neither negative nor above 2^31")
}
