//! The reference obeys every law, and what only the reference has is what its own delays say.
//!
//! What fails is shrunk, and its seed is kept in `reference.regressions` next to this file.

use proptest::prelude::*;
use samewait::arbitrary::{MANY, affordable, attempt, legal_policy};
use samewait::laws::{self, Failure};
use samewait::{Attempt, HORIZON, Policy, PolicyFields};

use super::subject::{SOUND, Subject, config};

/// The reference, with what fails kept in a file.
const REFERENCE: Subject = Subject {
    file: Some(file!()),
    ..SOUND
};

#[test]
fn obeys_the_laws_of_policies() -> Result<(), Failure> {
    laws::policy::check(&REFERENCE)?;
    laws::fields::check(&REFERENCE)?;
    laws::fields::check_copies(&REFERENCE)
}

#[test]
fn obeys_the_laws_of_backoff_and_schedule() -> Result<(), Failure> {
    laws::backoff::check(&REFERENCE)?;
    laws::schedule::check(&REFERENCE)?;
    laws::schedule::check_against_backoff(&REFERENCE)
}

#[test]
fn obeys_the_laws_of_next_delay() -> Result<(), Failure> {
    laws::next_delay::check(&REFERENCE)?;
    laws::next_delay::check_against_backoff(&REFERENCE)
}

#[test]
fn obeys_the_laws_of_jitter() -> Result<(), Failure> {
    laws::jitter::check(&REFERENCE)
}

#[test]
fn obeys_the_laws_of_ladders() -> Result<(), Failure> {
    laws::ladder::check(&REFERENCE)?;
    laws::rung_for::check(&REFERENCE)
}

#[test]
fn obeys_the_laws_of_queues() -> Result<(), Failure> {
    laws::queue::check(&REFERENCE)
}

fn policy() -> impl Strategy<Value = Policy> {
    legal_policy().prop_map(|fields| Policy::new(fields).expect("a legal policy"))
}

/// A policy and an attempt whose delay does not take long to find.
fn policy_and_attempt() -> impl Strategy<Value = (Policy, Attempt)> {
    (policy(), attempt()).prop_map(|(policy, number)| {
        let number = affordable(&policy.fields(), number);
        (policy, Attempt::new(number).expect("a legal attempt"))
    })
}

/// A policy whose whole schedule does not take long to go through, when delays that stay the same are skipped.
fn policy_with_affordable_schedule() -> impl Strategy<Value = Policy> {
    legal_policy().prop_map(|fields| {
        let max_attempts = affordable(&fields, fields.max_attempts);
        Policy::new(PolicyFields { max_attempts, ..fields }).expect("a legal policy")
    })
}

/// Doubles by their bits, so that nothing but the very same number is equal.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(config(file!()))]

    #[test]
    fn runs_are_the_schedule_with_repetitions_counted(policy in policy_with_affordable_schedule()) {
        let waits = policy.max_attempts() - 1;
        prop_assert_eq!(policy.schedule().remaining(), waits);
        prop_assert_eq!(policy.schedule().size_hint().0, usize::try_from(waits)?);
        let runs: Vec<(f64, u32)> = policy.schedule().runs().collect();
        prop_assert_eq!(runs.iter().map(|(_, count)| count).sum::<u32>(), waits);
        let expanded: Vec<f64> = runs
            .iter()
            .flat_map(|&(delay, count)| (0..count).map(move |_| delay))
            .take(usize::from(MANY))
            .collect();
        prop_assert_eq!(bits(&expanded), bits(&policy.schedule().take(usize::from(MANY)).collect::<Vec<_>>()));
    }

    #[test]
    fn products_under_the_ceiling_are_the_delays((policy, attempt) in policy_and_attempt()) {
        let attempts = usize::try_from(attempt.number())?;
        let last = policy.products().take(attempts).last().expect("the initial delay at least");
        prop_assert_eq!(last.min(policy.ceiling()).to_bits(), policy.backoff(attempt).to_bits());
    }

    #[test]
    fn a_policy_is_made_again_of_its_own_fields(policy in policy()) {
        prop_assert_eq!(Policy::new(policy.fields())?, policy);
    }

    #[test]
    fn the_ceiling_is_at_most_horizon(policy in policy()) {
        prop_assert!(policy.ceiling() <= HORIZON);
    }

    #[test]
    fn the_jitter_range_is_the_factor_to_either_side(policy in policy(), delay in samewait::arbitrary::duration()) {
        let (low, high) = policy.jitter_range(delay);
        let factor = policy.jitter_factor();
        prop_assert_eq!(bits(&[low, high]), bits(&[delay * (1.0 - factor), delay * (1.0 + factor)]));
    }
}
