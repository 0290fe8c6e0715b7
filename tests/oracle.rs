//! An independent oracle: the whole specification once more, in exact arithmetic, sharing no code with the reference.
//!
//! It takes questions and answers as data from the crate and computes everything else itself. Where binary64 operations are asked
//! for, it works out the exact result and rounds that; it never multiplies two doubles.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod oracle {
    pub(crate) mod answer;
    pub(crate) mod bound;
    pub(crate) mod delays;
    pub(crate) mod exact;
    mod jitter;
    mod ladder;
    mod next_delay;
    pub(crate) mod policy;
    pub(crate) mod rounding;
}

use std::collections::BTreeMap;

use oracle::answer::{DRAW, answer, expectation};
use oracle::bound::{first_beyond, is_within_factor};
use oracle::exact::Exact;
use oracle::policy::given;
use oracle::rounding::nearest;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use samewait::answer::{Answer, Value};
use samewait::arbitrary::{MANY, between, legal_policy, question};
use samewait::case::{Area, Case};
use samewait::load::VectorSet;
use samewait::question::{Ask, BackoffQuestion, PolicyArgument, Question, ScheduleQuestion};
use samewait::{Policy, PolicyFields, reference};

/// The embedded cases of all areas but the queue's.
fn embedded() -> Vec<Case> {
    let mut cases = VectorSet::embedded().expect("the embedded vectors are legal").cases;
    cases.retain(|case| case.area != Area::Queue);
    cases
}

/// An answer as text. A double is written as the shortest decimal that reads back as the same one, and a negative zero with its
/// sign: so two texts are equal when the answers are equal to the bit.
fn text(answer: &Answer) -> String {
    format!("{answer:?}")
}

/// `times` as many cases as usual.
fn config(times: u32) -> ProptestConfig {
    ProptestConfig {
        cases: times * ProptestConfig::default().cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

#[test]
fn answers_every_vector_as_expected_to_the_bit() {
    let mut asked: BTreeMap<Ask, usize> = BTreeMap::new();
    let mut disagreements = Vec::new();
    for case in embedded() {
        *asked.entry(case.question.ask()).or_default() += 1;
        let (expected, own) = (text(&case.expected), text(&expectation(&case.question)));
        if own != expected {
            disagreements.push(format!("{}\n  vector {expected}\n  oracle {own}", case.id));
        }
    }
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    let known = Ask::ALL.into_iter().filter(|ask| *ask != Ask::Queue);
    assert!(
        known.eq(asked.keys().copied()),
        "not every question was asked: {asked:?}"
    );
}

#[test]
fn answers_the_examples_of_the_specification() {
    let delay = |fields: PolicyFields, attempt| {
        let policy = PolicyArgument::from(fields);
        text(&answer(&Question::Backoff(BackoffQuestion { policy, attempt })))
    };
    let growing = |multiplier| PolicyFields {
        initial_delay: 100.0,
        multiplier,
        ..PolicyFields::default()
    };
    assert_eq!(delay(growing(1.15), 2), "Value(Delay(114.99999999999999))");
    assert_eq!(delay(growing(1.1), 3), "Value(Delay(121.00000000000003))");
    let capped = PolicyFields {
        initial_delay: 1.0,
        max_delay: 10.0,
        ..PolicyFields::default()
    };
    assert_eq!(delay(capped, 4), "Value(Delay(8.0))");
    assert_eq!(delay(capped, 5000), "Value(Delay(10.0))");
}

#[test]
fn every_expected_schedule_is_near_the_exact_products() {
    let mut delays_checked = 0;
    for case in embedded() {
        if let (Question::Schedule(asked), Answer::Value(Value::Delays(expected))) = (&case.question, &case.expected) {
            let policy = given(&asked.policy).expect("a schedule is expected, so the policy is legal");
            assert_eq!(first_beyond(&policy, expected.iter().copied()), None, "{}", case.id);
            delays_checked += expected.len();
        }
    }
    assert!(delays_checked > 0);
}

#[test]
fn every_expected_backoff_is_near_the_exact_product() {
    let (mut gone_through, mut at_once) = (0, 0);
    for case in embedded() {
        if let (Question::Backoff(asked), Answer::Value(Value::Delay(expected))) = (&case.question, &case.expected) {
            let policy = given(&asked.policy).expect("a delay is expected, so the policy is legal");
            let attempt = u32::try_from(asked.attempt).expect("a delay is expected, so the attempt is legal");
            let delays = reference_delays(&asked.policy, attempt);
            assert_eq!(
                delays.last().map(|last| last.to_bits()),
                Some(expected.to_bits()),
                "{}",
                case.id
            );
            if delays.len() > usize::from(MANY) {
                assert!(is_within_factor(&policy, attempt, *expected), "{}", case.id);
                at_once += 1;
            } else {
                assert_eq!(first_beyond(&policy, delays), None, "{}", case.id);
                gone_through += 1;
            }
        }
    }
    assert!(
        gone_through > 0 && at_once > 0,
        "{gone_through} gone through, {at_once} at once"
    );
}

#[test]
fn the_bound_sees_two_units_in_the_last_place() {
    let fields = PolicyFields {
        initial_delay: 1.0,
        multiplier: 1.1,
        ..PolicyFields::default()
    };
    let policy = given(&fields.into()).expect("a legal policy");
    // 1 times 1.1 is exact, and 1.1 squared is rounded once.
    let second = 1.1_f64.next_up();
    assert_eq!(first_beyond(&policy, [1.0, second]), Some(2));
    let third = 1.210_000_000_000_000_2;
    assert_eq!(first_beyond(&policy, [1.0, 1.1, third]), None);
    assert!(is_within_factor(&policy, 3, third));
    let third = third.next_up().next_up();
    assert_eq!(first_beyond(&policy, [1.0, 1.1, third]), Some(3));
    assert!(!is_within_factor(&policy, 3, third));
}

/// What the reference waits after attempts 1, 2, 3, ..., up to the one where its delay stops changing.
fn reference_delays(policy: &PolicyArgument, attempts: u32) -> Vec<f64> {
    let policy = Policy::new(PolicyFields::from(*policy)).expect("a legal policy");
    let attempts = usize::try_from(attempts).expect("at most 2^31");
    let products = policy.products().take(attempts);
    products.map(|product| product.min(policy.ceiling())).collect()
}

proptest! {
    // One question in eight is of each kind.
    #![proptest_config(config(8))]

    #[test]
    fn agrees_with_the_reference_on_any_question(question in question()) {
        prop_assert_eq!(text(&reference::answer(&question, || DRAW)), text(&answer(&question)));
    }
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn agrees_with_the_reference_on_any_schedule(fields in legal_policy()) {
        let max_attempts = fields.max_attempts.min(i64::from(MANY));
        let policy = PolicyFields { max_attempts, ..fields }.into();
        let question = Question::Schedule(ScheduleQuestion { policy });
        prop_assert_eq!(text(&reference::answer(&question, || DRAW)), text(&answer(&question)));
    }

    #[test]
    fn the_reference_stays_near_the_exact_products(fields in legal_policy()) {
        let policy = PolicyArgument::from(fields);
        let delays = reference_delays(&policy, 60);
        prop_assert_eq!(first_beyond(&given(&policy).expect("a legal policy"), delays), None);
    }

    #[test]
    fn rounds_products_and_sums_as_the_hardware_does(left in any_finite(), right in any_finite()) {
        let (exact_left, exact_right) = (Exact::from(left), Exact::from(right));
        // The oracle has no negative zero.
        prop_assert_eq!((nearest(&(&exact_left * &exact_right)) + 0.0).to_bits(), (left * right + 0.0).to_bits());
        prop_assert_eq!((nearest(&(&exact_left + &exact_right)) + 0.0).to_bits(), (left + right + 0.0).to_bits());
    }

    #[test]
    fn rounds_the_middle_between_neighbours_to_the_even_one(low in between(0.0, f64::MAX.next_down())) {
        let high = low.next_up();
        let half = Exact::power_of_two(-1);
        let middle = &(&Exact::from(low) + &Exact::from(high)) * &half;
        let trace = Exact::power_of_two(-2000);
        let even = if low.to_bits().is_multiple_of(2) { low } else { high };
        prop_assert_eq!(nearest(&(&middle - &trace)).to_bits(), low.to_bits());
        prop_assert_eq!(nearest(&middle).to_bits(), even.to_bits());
        prop_assert_eq!(nearest(&(&middle + &trace)).to_bits(), high.to_bits());
    }
}

fn any_finite() -> impl Strategy<Value = f64> {
    let magnitude = prop_oneof![
        between(0.0, f64::MAX),
        between(0.0, f64::MIN_POSITIVE),
        between(0.5, 2.0),
        (0_u32..100).prop_map(|halves| f64::from(halves) / 2.0),
    ];
    (magnitude, any::<bool>()).prop_map(|(magnitude, is_negative)| if is_negative { -magnitude } else { magnitude })
}
