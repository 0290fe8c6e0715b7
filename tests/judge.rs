//! The judge, on every embedded case: it accepts the expected answer, and no answer that differs from it in one place.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod judge {
    pub(crate) mod mutants;
    pub(crate) mod samples;
    pub(crate) mod units;
}

use std::collections::BTreeMap;

use self::judge::mutants::{Mutant, of_another_kind, of_its_kind};
use self::judge::samples;
use self::judge::units::{COARSE, Unit};
use samewait::PolicyFields;
use samewait::answer::{Answer, Between, Refusal, Reply, Reported, Value};
use samewait::case::Case;
use samewait::judge::{Mismatch, Verdict, judge, judge_again, needs_a_second_process, skip_for_resolution};
use samewait::load::VectorSet;
use samewait::wire::Resolution;
use serde_json::Value as Json;

/// The arguments that are durations (W-17).
const DURATIONS: [&str; 10] = [
    "initial_delay",
    "max_delay",
    "max_message_age",
    "message_age",
    "delay",
    "threshold",
    "give_up_after",
    "message_ttl",
    "ack_timeout",
    "at",
];

fn embedded() -> Vec<Case> {
    VectorSet::embedded().expect("the embedded vectors are legal").cases
}

#[test]
fn accepts_the_expected_answer_of_every_case() {
    for case in embedded() {
        let reply = match &case.expected {
            Answer::Value(Value::Between(_)) => samples::reply(&samples::of_the_reference(&case, 1)),
            Answer::Value(_) | Answer::Rejected(_) => Reply::from(case.expected.clone()),
        };
        let verdict = judge(&case.expected, &reply, Resolution::Exact);
        assert_eq!(verdict, Verdict::Passed, "{}", case.id);
    }
}

#[test]
fn rejects_every_answer_that_differs_in_one_place() {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    let mut accepted = Vec::new();
    for case in embedded() {
        let (of_another_kind, of_its_kind) = (of_another_kind(&case.expected), of_its_kind(&case.expected));
        assert!(
            !of_another_kind.is_empty() && !of_its_kind.is_empty(),
            "{}: nothing to reject",
            case.id
        );
        *tried.entry(kind(&case.expected)).or_default() += of_its_kind.len();
        for mutant in of_another_kind.into_iter().chain(of_its_kind) {
            let coarse = COARSE
                .iter()
                .map(|unit| unit.resolution)
                .filter(|_| !mutant.is_duration);
            for resolution in coarse.chain([Resolution::Exact]) {
                let verdict = judge(&case.expected, &mutant.reply, resolution);
                if let Err(why) = is_rejected(&mutant, &verdict) {
                    accepted.push(format!("{} with {} at {resolution}: {why}", case.id, mutant.what));
                }
            }
        }
    }
    accepted.truncate(10);
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
    let kinds = [
        "between", "delay", "delays", "give_up", "policy", "rejected", "rung", "rungs", "trace",
    ];
    assert_eq!(
        tried.keys().copied().collect::<Vec<_>>(),
        kinds,
        "not every kind of answer was tried"
    );
}

/// Whether the verdict is the right one, and names the place that was changed.
fn is_rejected(mutant: &Mutant, verdict: &Verdict) -> Result<(), String> {
    let is_right = match (&mutant.reply, verdict) {
        (Reply::Error(_), verdict) => matches!(verdict, Verdict::Errored(_)),
        (Reply::Unsupported(_), verdict) => matches!(verdict, Verdict::Failed(Mismatch::Unsupported(_))),
        (_, Verdict::Failed(Mismatch::Content(differences))) => {
            let at = mutant
                .at
                .as_deref()
                .unwrap_or("no place, since it is another kind of answer");
            let first = differences.first().and_then(|first| first.at.strip_prefix(at));
            first.is_some_and(|inside| inside.is_empty() || inside.starts_with('.'))
        }
        (_, Verdict::Failed(Mismatch::Samples { .. })) => mutant.at.as_deref() == Some("samples"),
        (_, Verdict::Failed(Mismatch::Trace { first, .. })) => mutant.at == Some(format!("trace[{first}]")),
        (_, verdict) => mutant.at.is_none() && matches!(verdict, Verdict::Failed(Mismatch::Kind { .. })),
    };
    if is_right { Ok(()) } else { Err(format!("{verdict:?}")) }
}

fn kind(expected: &Answer) -> &'static str {
    match expected {
        Answer::Rejected(_) => "rejected",
        Answer::Value(Value::Policy(_)) => "policy",
        Answer::Value(Value::Delays(_)) => "delays",
        Answer::Value(Value::Between(_)) => "between",
        Answer::Value(Value::Delay(_)) => "delay",
        Answer::Value(Value::GiveUp(_)) => "give_up",
        Answer::Value(Value::Rungs(_)) => "rungs",
        Answer::Value(Value::Rung(_)) => "rung",
        Answer::Value(Value::Trace(_)) => "trace",
    }
}

/// Every case that expects samples with draws in them.
fn random_cases() -> Vec<(Case, Between)> {
    let between = |case: Case| match case.expected {
        Answer::Value(Value::Between(between)) if between.is_random() => Some((case, between)),
        Answer::Value(_) | Answer::Rejected(_) => None,
    };
    let cases: Vec<_> = embedded().into_iter().filter_map(between).collect();
    assert!(!cases.is_empty(), "no case expects samples");
    cases
}

#[test]
fn rejects_right_samples_where_another_interval_is_expected() {
    let mut accepted = Vec::new();
    for (case, right) in random_cases() {
        let reply = samples::reply(&samples::of_the_reference(&case, 1));
        let (middle, quarter) = (f64::midpoint(right.low, right.high), (right.high - right.low) / 4.0);
        let others = [
            ("the lower half", right.low, middle),
            ("the upper half", middle, right.high),
            ("the middle half", right.low + quarter, right.high - quarter),
            ("a longer one", right.low, right.high + quarter / 4.0),
            ("one that starts earlier", right.low - quarter / 4.0, right.high),
            ("the next", right.high, right.high + 4.0 * quarter),
            ("one of no width", middle, middle),
            ("the same, upside down", right.high, right.low),
        ];
        for (what, low, high) in others {
            let expected = Answer::Value(Value::Between(Between { low, high, ..right }));
            if judge(&expected, &reply, Resolution::Exact) == Verdict::Passed {
                accepted.push(format!("{}: {what}", case.id));
            }
        }
        let count = right.count - 1;
        let expected = Answer::Value(Value::Between(Between { count, ..right }));
        assert_ne!(
            judge(&expected, &reply, Resolution::Exact),
            Verdict::Passed,
            "{}",
            case.id
        );
    }
    assert!(accepted.is_empty(), "{}", accepted.join("\n"));
}

#[test]
fn accepts_samples_counted_in_any_unit_and_none_that_is_a_unit_off() {
    let mut tried = 0;
    // Exact counts take their time.
    for (case, between) in random_cases().into_iter().step_by(3) {
        for unit in COARSE {
            if skip_for_resolution(&case.question, unit.resolution).is_some() {
                continue;
            }
            tried += 1;
            let right = samples::of_the_reference(&case, 1);
            let verdict = |counts: Vec<i64>| {
                let counts = counts.into_iter().map(Reported::Count).collect();
                judge(&case.expected, &Reply::Value(Value::Delays(counts)), unit.resolution)
            };
            let (floors, ceilings): (Vec<i64>, Vec<i64>) = right.iter().map(|&sample| unit.around(sample)).unzip();
            assert_eq!(
                verdict(floors.clone()),
                Verdict::Passed,
                "{} at {}",
                case.id,
                unit.resolution
            );
            assert_eq!(verdict(ceilings), Verdict::Passed, "{} at {}", case.id, unit.resolution);
            // Longer counts are not told apart by seconds in binary64, in which samples are examined.
            if unit.around(between.high).1 > 1 << 50 {
                continue;
            }
            for outside in [unit.around(between.low).0 - 1, unit.around(between.high).1 + 1] {
                let mut counts = floors.clone();
                counts[3] = outside;
                let verdict = verdict(counts);
                let is_rejected = matches!(verdict, Verdict::Failed(Mismatch::Samples { .. }));
                assert!(
                    is_rejected,
                    "{} at {}: {outside} units: {verdict:?}",
                    case.id, unit.resolution
                );
            }
        }
    }
    assert!(tried > 0);
}

#[test]
fn rejects_what_a_second_process_draws_again() {
    for (case, _) in random_cases() {
        assert!(needs_a_second_process(&case.expected), "{}", case.id);
        let [first, second] = [1, 2].map(|seed| samples::of_the_reference(&case, seed));
        let verdict = |second: &Reply| judge_again(&case.expected, &samples::reply(&first), second, Resolution::Exact);
        assert_eq!(verdict(&samples::reply(&second)), Verdict::Passed, "{}", case.id);
        let again = verdict(&samples::reply(&first));
        assert_eq!(
            again,
            Verdict::Failed(Mismatch::SameDraws(first[..4].to_vec())),
            "{}",
            case.id
        );
        let too_few = verdict(&samples::reply(&second[1..]));
        assert!(
            matches!(too_few, Verdict::Failed(Mismatch::Content(_))),
            "{}: {too_few:?}",
            case.id
        );
        let mut outside = second.clone();
        outside[7] = -1.0;
        let outside = verdict(&samples::reply(&outside));
        assert!(
            matches!(outside, Verdict::Failed(Mismatch::Samples { .. })),
            "{}: {outside:?}",
            case.id
        );
        let refused = verdict(&Reply::Rejected(Refusal {
            code: "invalid_argument".to_owned(),
            field: Some("count".to_owned()),
        }));
        assert!(
            matches!(refused, Verdict::Failed(Mismatch::Kind { .. })),
            "{}: {refused:?}",
            case.id
        );
        let unsupported = verdict(&Reply::Unsupported("only once".to_owned()));
        assert!(
            matches!(unsupported, Verdict::Failed(Mismatch::Unsupported(_))),
            "{}: {unsupported:?}",
            case.id
        );
    }
}

#[test]
fn asks_a_second_process_only_about_draws() {
    let asked = |case: &&Case| needs_a_second_process(&case.expected);
    assert_eq!(embedded().iter().filter(asked).count(), random_cases().len());
}

#[test]
fn accepts_the_counts_around_a_delay_and_no_other() {
    let mut tried = 0;
    for case in embedded() {
        for unit in COARSE {
            if let Answer::Value(Value::Delay(delay)) = case.expected {
                tried += check_counts(&case, unit, delay, |count| Some(Value::Delay(Reported::Count(count))));
            }
            if let Answer::Value(Value::Delays(delays)) = &case.expected {
                let right: Vec<i64> = delays.iter().map(|&delay| unit.around(delay).0).collect();
                for (index, &delay) in delays.iter().enumerate() {
                    tried += check_counts(&case, unit, delay, |count| {
                        let mut counts = right.clone();
                        counts[index] = count;
                        Some(Value::Delays(counts.into_iter().map(Reported::Count).collect()))
                    });
                }
            }
        }
    }
    assert!(tried > 0);
}

#[test]
fn accepts_the_counts_around_a_duration_of_a_policy_and_no_other() {
    type Set = fn(&mut PolicyFields, f64);
    let mut tried = 0;
    for case in embedded() {
        if let Answer::Value(Value::Policy(fields)) = case.expected {
            let durations: [(f64, Set); 3] = [
                (fields.initial_delay, |fields, to| fields.initial_delay = to),
                (fields.max_delay, |fields, to| fields.max_delay = to),
                (fields.max_message_age, |fields, to| fields.max_message_age = to),
            ];
            for (duration, set) in durations {
                for unit in COARSE {
                    tried += check_counts(&case, unit, duration, |count| {
                        let seconds = unit.seconds(count);
                        let is_another = seconds.to_bits() != duration.to_bits();
                        let is_around = unit.around(duration) == (count, count);
                        // The longest durations are the same binary64 for several counts of the shortest units.
                        (is_another || is_around).then(|| {
                            let mut fields = fields;
                            set(&mut fields, seconds);
                            Value::Policy(fields)
                        })
                    });
                }
            }
        }
    }
    assert!(tried > 0);
}

/// W-16: less than one unit away are the two counts around the exact value, or the one that is equal to it. Answers how many
/// counts were tried.
fn check_counts(case: &Case, unit: Unit, duration: f64, answer_with: impl Fn(i64) -> Option<Value<Reported>>) -> usize {
    let (floor, ceiling) = unit.around(duration);
    let mut tried = 0;
    for (count, is_right) in [(floor - 1, false), (floor, true), (ceiling, true), (ceiling + 1, false)] {
        if let Some(value) = answer_with(count) {
            tried += 1;
            let verdict = judge(&case.expected, &Reply::Value(value), unit.resolution);
            let is_accepted = verdict == Verdict::Passed;
            let (id, resolution) = (&case.id, unit.resolution);
            assert_eq!(
                is_accepted, is_right,
                "{id}: {count} units of {resolution} for {duration:?} s"
            );
        }
    }
    tried
}

#[test]
fn skips_exactly_the_cases_with_a_duration_that_is_no_whole_number_of_units() {
    let (mut skipped, mut asked) = (0, 0);
    for case in embedded() {
        let question = serde_json::to_value(&case.question).expect("a question is plain data");
        let durations = durations(&question);
        for unit in COARSE {
            let is_odd = durations.iter().any(|&duration| !unit.divides(duration));
            let reason = skip_for_resolution(&case.question, unit.resolution);
            assert_eq!(
                reason.is_some(),
                is_odd,
                "{} at {}: {reason:?}",
                case.id,
                unit.resolution
            );
            *if is_odd { &mut skipped } else { &mut asked } += 1;
        }
        assert_eq!(
            skip_for_resolution(&case.question, Resolution::Exact),
            None,
            "{}",
            case.id
        );
    }
    assert!(skipped > 0 && asked > 0, "{skipped} skipped and {asked} asked");
}

/// The durations in a question as it goes over the wire. The texts of W-9 stand for numbers that are not finite.
fn durations(value: &Json) -> Vec<f64> {
    let of_key = |(key, value): (&String, &Json)| {
        if DURATIONS.contains(&key.as_str()) && (value.is_number() || value.is_string()) {
            vec![value.as_f64().unwrap_or(f64::NAN)]
        } else {
            durations(value)
        }
    };
    let of_object = value.as_object().into_iter().flatten().flat_map(of_key);
    let of_list = value.as_array().into_iter().flatten().flat_map(durations);
    of_object.chain(of_list).collect()
}
