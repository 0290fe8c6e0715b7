//! Laws that hold for every policy, tried on random ones.
//!
//! What fails is shrunk, and its seed is kept in `laws.regressions` next to this file: commit it, and it is tried first from then on.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use samewait::answer::{Answer, Value};
use samewait::arbitrary::{MANY, affordable, attempt as any_number, between, draw, duration, legal_policy, question};
use samewait::load::VectorSet;
use samewait::question::{Question, Real};
use samewait::serve::{Reference, serve};
use samewait::{
    Attempt, GiveUp, HORIZON, Ladder, MAX_TTL_MS, NextDelay, Policy, PolicyFields, Rejection, draws, reference,
};
use serde_json::{Value as Json, json};

/// Of what the reference draws.
const SEED: u64 = 1;

fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

fn policy() -> impl Strategy<Value = Policy> {
    legal_policy().prop_map(|fields| Policy::new(fields).expect("a legal policy"))
}

/// A policy and an attempt whose delay does not take long to find.
fn policy_and_attempt() -> impl Strategy<Value = (Policy, Attempt)> {
    (policy(), any_number()).prop_map(|(policy, number)| (policy, attempt(affordable(&policy.fields(), number))))
}

/// A policy whose whole schedule does not take long to go through, when delays that stay the same are skipped.
fn policy_with_affordable_schedule() -> impl Strategy<Value = Policy> {
    policy().prop_map(|policy| with_attempts(&policy, affordable(&policy.fields(), policy.fields().max_attempts)))
}

fn with_attempts(policy: &Policy, max_attempts: i64) -> Policy {
    let fields = policy.fields();
    Policy::new(PolicyFields { max_attempts, ..fields }).expect("a legal number of attempts")
}

/// A draw from (0, 1) that can be taken from 1 without rounding: a whole number of 2^-52.
fn whole_steps() -> impl Strategy<Value = f64> {
    between(1.0_f64.next_up(), 2.0_f64.next_down()).prop_map(|number| number - 1.0)
}

fn attempt(number: i64) -> Attempt {
    Attempt::new(number).expect("a legal attempt")
}

/// The first delays of the schedule, or all of it.
fn start_of_schedule(policy: &Policy) -> Vec<f64> {
    policy.schedule().take(usize::from(MANY)).collect()
}

/// Doubles by their bits, so that nothing but the very same number is equal.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_delay_is_above_the_ceiling_or_below_zero((policy, attempt) in policy_and_attempt()) {
        let delay = policy.backoff(attempt);
        prop_assert!(delay.is_sign_positive());
        prop_assert!(delay <= policy.ceiling());
        prop_assert!(policy.ceiling() <= HORIZON);
    }

    #[test]
    fn the_first_delay_is_the_initial_delay_under_the_ceiling(policy in policy()) {
        let first = policy.backoff(attempt(1));
        prop_assert_eq!(first.to_bits(), policy.initial_delay().min(policy.ceiling()).to_bits());
    }

    #[test]
    fn no_delay_is_shorter_than_the_one_before(policy in policy()) {
        let delays = start_of_schedule(&policy);
        prop_assert!(delays.is_sorted());
    }

    #[test]
    fn the_schedule_is_the_backoff_of_each_attempt(policy in policy()) {
        let delays: Vec<f64> = policy.schedule().take(100).collect();
        let backoffs: Vec<f64> = (1..policy.fields().max_attempts)
            .take(100)
            .map(|number| policy.backoff(attempt(number)))
            .collect();
        prop_assert_eq!(bits(&delays), bits(&backoffs));
    }

    #[test]
    fn more_attempts_only_add_to_the_schedule(policy in policy(), other in any_number()) {
        let other = with_attempts(&policy, other);
        let (one, other) = (start_of_schedule(&policy), start_of_schedule(&other));
        let common = one.len().min(other.len());
        prop_assert_eq!(bits(&one[..common]), bits(&other[..common]));
    }

    #[test]
    fn jitter_and_age_limit_do_not_touch_the_schedule(policy in policy(), other in policy()) {
        let changed = policy.with_jitter(other.jitter_factor())?.give_up_after(other.max_message_age())?;
        prop_assert_eq!(bits(&start_of_schedule(&policy)), bits(&start_of_schedule(&changed)));
    }

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
        prop_assert_eq!(bits(&expanded), bits(&start_of_schedule(&policy)));
    }

    #[test]
    fn products_under_the_ceiling_are_the_delays((policy, attempt) in policy_and_attempt()) {
        let attempts = usize::try_from(attempt.number())?;
        let last = policy.products().take(attempts).last().expect("the initial delay at least");
        prop_assert_eq!(last.min(policy.ceiling()).to_bits(), policy.backoff(attempt).to_bits());
    }

    #[test]
    fn the_next_delay_is_the_backoff_until_a_limit_is_reached(
        (policy, attempt) in policy_and_attempt(),
        age in prop::option::of(prop_oneof![
            1 => duration(),
            2 => prop::sample::select(vec![1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY]),
        ]),
        limit in prop_oneof![2 => duration(), 1 => Just(1.0)],
    ) {
        let policy = policy.give_up_after(limit)?;
        let is_too_old = limit > 0.0 && age.is_some_and(|age| age >= limit);
        match policy.next_delay(attempt, age)? {
            NextDelay::GiveUp(GiveUp::MaxAttempts) => prop_assert!(attempt.number() >= policy.max_attempts()),
            NextDelay::GiveUp(GiveUp::MaxMessageAge) => {
                prop_assert!(is_too_old && attempt.number() < policy.max_attempts());
            }
            NextDelay::Retry(delay) => {
                prop_assert!(!is_too_old && attempt.number() < policy.max_attempts());
                prop_assert_eq!(delay.to_bits(), policy.backoff(attempt).to_bits());
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn jitter_stays_within_its_factor_of_the_delay(policy in policy(), delay in duration(), draw in draw()) {
        let jittered = policy.jittered(delay, draw)?;
        let (low, high) = policy.jitter_range(delay);
        // Five roundings, each of half a unit in the last place of something at most twice the delay.
        let slack = delay * (8.0 * f64::EPSILON) + f64::from_bits(1);
        prop_assert!(low - slack <= jittered && jittered <= high + slack, "{} is not in {}..{}", jittered, low, high);
        prop_assert!(jittered.is_sign_positive() && jittered < 2.0 * HORIZON);
    }

    #[test]
    fn jitter_is_symmetric(policy in policy(), delay in duration(), draw in whole_steps()) {
        prop_assert_eq!(policy.jittered(delay, 0.5)?.to_bits(), delay.to_bits());
        let lowest = delay * (1.0 - policy.jitter_factor());
        prop_assert_eq!(policy.jittered(delay, 0.0)?.to_bits(), lowest.to_bits());
        let (below, above) = (policy.jittered(delay, draw)?, policy.jittered(delay, 1.0 - draw)?);
        let slack = delay * (8.0 * f64::EPSILON) + 2.0 * f64::from_bits(1);
        prop_assert!((below + above - 2.0 * delay).abs() <= slack, "{} and {} around {}", below, above, delay);
    }

    #[test]
    fn a_higher_draw_gives_no_shorter_delay(policy in policy(), delay in duration(), one in draw(), other in draw()) {
        let (low, high) = (one.min(other), one.max(other));
        prop_assert!(policy.jittered(delay, low)? <= policy.jittered(delay, high)?);
    }

    #[test]
    fn without_a_factor_there_is_no_jitter(policy in policy(), delay in duration(), draw in draw()) {
        let policy = policy.with_jitter(0.0)?;
        prop_assert_eq!(policy.jittered(delay, draw)?.to_bits(), delay.to_bits());
    }
}

/// A ladder of some policy, with its threshold.
fn ladder() -> impl Strategy<Value = (Policy, Ladder, f64)> {
    let threshold = prop_oneof![Just(0.0), Just(0.001), Just(30.0), duration()];
    (policy_with_affordable_schedule(), threshold).prop_filter_map("too long a rung", |(policy, threshold)| {
        let ladder = Ladder::new(&policy, "orders", "retry", threshold).ok()?;
        Some((policy, ladder, threshold))
    })
}

/// The TTL that the label of a rung's name spells.
fn ttl_of_name(name: &str) -> Option<u64> {
    let label = name.strip_prefix("orders.retry.")?;
    let (digits, unit) = label.split_at(label.find(|c: char| !c.is_ascii_digit())?);
    let length = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(digits.parse::<u64>().ok()? * length)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn names_and_ttls_of_rungs_belong_together_and_ascend((_, ladder, _) in ladder()) {
        let ttls: Vec<u64> = ladder.rungs().iter().map(|rung| rung.ttl_ms).collect();
        // Strictly ascending, so that no TTL stands twice; and with the TTL to be read in it, no name does.
        prop_assert!(ttls.is_sorted_by(|one, next| one < next), "{:?}", ttls);
        prop_assert!(ttls.iter().all(|ttl| (1..=MAX_TTL_MS).contains(ttl)));
        for rung in ladder.rungs() {
            prop_assert_eq!(ttl_of_name(&rung.name), Some(rung.ttl_ms), "{}", rung.name);
        }
    }

    #[test]
    fn every_delay_that_waits_in_the_broker_finds_its_own_rung((policy, ladder, threshold) in ladder()) {
        let mut found = Vec::new();
        for delay in start_of_schedule(&policy) {
            let rung = ladder.rung_for(delay)?;
            let milliseconds = (delay * 1000.0).round();
            let waits_in_broker = threshold > 0.0 && delay >= threshold && milliseconds > 0.0;
            prop_assert_eq!(rung.is_some(), waits_in_broker, "{} s", delay);
            if let Some(rung) = rung {
                prop_assert_eq!(rung.ttl_ms.to_string(), format!("{milliseconds:.0}"));
                found.push(rung.clone());
            }
        }
        found.dedup();
        // And the other way round: every rung is there for a delay.
        prop_assert_eq!(&found[..], ladder.rungs());
    }

    #[test]
    fn a_longer_delay_finds_no_shorter_rung((_, ladder, _) in ladder(), one in duration(), other in duration()) {
        let (short, long) = (one.min(other), one.max(other));
        let ttl = |delay| ladder.rung_for(delay).map(|rung| rung.map(|rung| rung.ttl_ms));
        let (short_ttl, long_ttl) = (ttl(short)?, ttl(long)?);
        let longest = ladder.rungs().last().map(|rung| rung.ttl_ms);
        prop_assert!(short_ttl <= long_ttl && long_ttl <= longest);
    }

    #[test]
    fn a_ladder_is_refused_exactly_for_a_wait_longer_than_brokers_allow(
        policy in policy_with_affordable_schedule(),
        threshold in prop_oneof![Just(30.0), duration()],
    ) {
        let is_too_long = |delay: f64| delay >= threshold && threshold > 0.0 && (delay * 1000.0).round() > 315_360_000_000.0;
        let has_too_long = policy.schedule().runs().any(|(delay, _)| is_too_long(delay));
        let refusal = Ladder::new(&policy, "orders", "retry", threshold).err();
        prop_assert_eq!(matches!(refusal, Some(Rejection::RungTooLong { .. })), has_too_long);
        prop_assert_eq!(refusal.is_some(), has_too_long);
    }
}

/// Any pattern of 64 bits, and often one of those that JSON has no number for.
fn any_double() -> impl Strategy<Value = f64> {
    prop_oneof![
        9 => any::<u64>().prop_map(f64::from_bits),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]),
    ]
}

#[test]
fn the_port_of_the_reference_answers_every_vector_as_expected() {
    let cases = VectorSet::embedded().expect("the embedded vectors are legal").cases;
    for case in cases {
        let expected = match case.expected {
            // What is drawn is for the judge; here the draws are known.
            Answer::Value(Value::Between(_)) => reference::answer(&case.question, draws::seeded(SEED)),
            Answer::Value(_) | Answer::Rejected(_) => case.expected,
        };
        assert_eq!(answers(&request(&case.question)), [reply(expected)], "{}", case.id);
    }
}

/// What the reference answers as a port: lines of JSON, their keys in one order.
///
/// As texts they tell every double from every other: the shortest decimal is written for each.
fn answers(requests: &str) -> Vec<String> {
    let mut output = Vec::new();
    serve(requests.as_bytes(), &mut output, &mut Reference(draws::seeded(SEED))).expect("pipes in memory do not fail");
    let output = String::from_utf8(output).expect("answers are UTF-8");
    output
        .lines()
        .map(|line| {
            serde_json::from_str::<Json>(line)
                .expect("an answer is JSON")
                .to_string()
        })
        .collect()
}

/// A question as a line of the port protocol.
fn request(question: &Question) -> String {
    let mut request = serde_json::to_value(question).expect("plain data");
    request["id"] = json!("7");
    request["ask"] = json!(question.ask().name());
    format!("{request}\n")
}

/// An answer as a line of the port protocol.
fn reply(answer: Answer) -> String {
    let body = match answer {
        Answer::Rejected(refusal) => {
            let refusal = match refusal.field {
                Some(field) => json!({"code": refusal.code, "field": field}),
                None => json!({"code": refusal.code}),
            };
            json!({"id": "7", "rejected": refusal})
        }
        Answer::Value(value) => json!({"id": "7", "value": value_as_json(value)}),
    };
    body.to_string()
}

fn value_as_json(value: Value) -> Json {
    match value {
        Value::Delay(delay) => json!({"delay": delay}),
        Value::Delays(delays) => json!({"delays": delays}),
        Value::Between(_) => panic!("no port answers an interval"),
        Value::GiveUp(reason) => json!({"give_up": reason}),
        Value::Rung(name) => json!({"rung": name}),
        Value::Rungs(rungs) => {
            let rungs: Vec<Json> = rungs
                .into_iter()
                .map(|rung| json!({"name": rung.name, "ttl_ms": rung.ttl_ms, "arguments": rung.arguments}))
                .collect();
            json!({"rungs": rungs})
        }
        Value::Trace(trace) => json!({"trace": trace}),
        Value::Policy(fields) => json!({"policy": {
            "max_attempts": fields.max_attempts,
            "initial_delay": fields.initial_delay,
            "multiplier": fields.multiplier,
            "max_delay": fields.max_delay,
            "jitter_factor": fields.jitter_factor,
            "max_message_age": fields.max_message_age,
        }}),
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_port_of_the_reference_answers_what_the_reference_answers(questions in prop::collection::vec(question(), 1..4)) {
        let requests: String = questions.iter().map(request).collect();
        let mut draw = draws::seeded(SEED);
        let expected: Vec<String> = questions.iter().map(|question| reply(reference::answer(question, &mut draw))).collect();
        prop_assert_eq!(answers(&requests), expected);
    }

    #[test]
    fn every_double_survives_json(number in any_double()) {
        let text = serde_json::to_string(&Real(number))?;
        let read: Real = serde_json::from_str(&text)?;
        prop_assert!(read.0.to_bits() == number.to_bits() || (read.0.is_nan() && number.is_nan()), "{} is read from {}", read.0, text);
    }

    #[test]
    fn a_policy_is_made_again_of_its_own_fields(policy in policy()) {
        prop_assert_eq!(Policy::new(policy.fields())?, policy);
    }

    #[test]
    fn a_copy_differs_in_its_one_field(policy in policy(), other in policy()) {
        let aged = policy.give_up_after(other.max_message_age())?;
        prop_assert_eq!(aged.fields(), PolicyFields { max_message_age: other.max_message_age(), ..policy.fields() });
        let jittering = policy.with_jitter(other.jitter_factor())?;
        prop_assert_eq!(jittering.fields(), PolicyFields { jitter_factor: other.jitter_factor(), ..policy.fields() });
    }
}
