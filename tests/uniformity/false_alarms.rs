//! Good samplers raise no alarm, and at levels where alarms can be counted each check raises no more than its level.

use std::collections::BTreeMap;

use samewait::uniformity::{Check, alarms, are_same_draws, examine};

use super::draws::{Bits, Jitter, Rounding, Source};

const EXACT: Jitter = Jitter {
    delay: 10.0,
    factor: 0.2,
    unit: None,
};

/// Delays and factors at the ends of what is legal, and in every unit: intervals of many units, of a few, and of less than one.
fn settings() -> Vec<Jitter> {
    let sizes = [
        (10.0, 0.2),
        (0.1, 0.5),
        (51.2, 0.1),
        (0.003, 1.0),
        (0.0007, 0.3),
        (3.0e-9, 1.0),
        (3600.0, 1.0),
        (4_294_967_296.0, 1.0),
        (10.0, 1.0e-9),
        (10.0, 1.0e-15),
        (10.0, 0.0),
        (0.0, 0.2),
    ];
    let units = [None, Some(1e-9), Some(1e-7), Some(1e-6), Some(1e-3)];
    let all = sizes
        .into_iter()
        .flat_map(|(delay, factor)| units.into_iter().map(move |unit| Jitter { delay, factor, unit }));
    all.collect()
}

#[test]
fn good_samplers_raise_no_alarm() {
    let mut source = Source::new(1);
    for jitter in settings() {
        for bits in Bits::ALL {
            for rounding in Rounding::ALL {
                for _ in 0..2 {
                    let samples = jitter.samples(&mut source, bits, rounding, 1024);
                    let found = examine(&samples, &jitter.interval());
                    assert_eq!(found, Ok(()), "{jitter:?} {bits:?} {rounding:?}");
                }
            }
        }
    }
}

#[test]
fn good_samplers_raise_no_alarm_in_many_runs() {
    let mut source = Source::new(2);
    for run in 0..3000 {
        let bits = Bits::ALL[run % 4];
        let unit = [None, Some(1e-3), Some(1e-6)][run % 3];
        let jitter = Jitter { unit, ..EXACT };
        let samples = jitter.samples(&mut source, bits, Rounding::ALL[run % 3], 1024);
        assert_eq!(examine(&samples, &jitter.interval()), Ok(()), "run {run}");
    }
}

#[test]
fn good_samplers_raise_no_alarm_at_the_largest_size() {
    let mut source = Source::new(3);
    for jitter in settings() {
        for bits in [Bits::Double, Bits::Mersenne] {
            let samples = jitter.samples(&mut source, bits, Rounding::Down, 20_000);
            assert_eq!(examine(&samples, &jitter.interval()), Ok(()), "{jitter:?} {bits:?}");
        }
    }
}

#[test]
fn two_fresh_processes_are_not_the_same_draws() {
    let mut source = Source::new(4);
    for jitter in settings() {
        for rounding in Rounding::ALL {
            let mut fresh = || jitter.samples(&mut source, Bits::Double, rounding, 1024);
            assert!(!are_same_draws(&fresh(), &fresh()), "{jitter:?}");
        }
    }
}

/// No check's alarms are more frequent than its level, by more than three standard errors of the count; and the bounds are not so wide that
/// they raise none.
#[test]
fn alarms_are_no_more_frequent_than_their_level() {
    let milliseconds = Jitter {
        unit: Some(1e-3),
        ..EXACT
    };
    let settings = [
        (EXACT, Bits::Double),
        (EXACT, Bits::Mersenne),
        (milliseconds, Bits::Word),
    ];
    for (seed, (jitter, bits)) in (5..).zip(settings) {
        let counts = count_alarms(jitter, bits, seed);
        for (&(inverse, check), &count) in &counts {
            let expected = f64::from(RUNS) / f64::from(inverse);
            let most = expected + 3.0 * expected.sqrt();
            assert!(f64::from(count) <= most, "{check} at 1/{inverse}: {count} of {RUNS}");
        }
        let is_raised = |check| counts.contains_key(&(20, check));
        for check in [
            Check::LowerSide,
            Check::UpperSide,
            Check::Mean,
            Check::Variance,
            Check::Uniformity,
        ] {
            assert!(is_raised(check), "{check} raises no alarm at 1/20");
        }
        assert!(
            (1..=32).all(|lag| is_raised(Check::SerialCorrelation { lag })),
            "{counts:?}"
        );
    }
}

const RUNS: u32 = 2000;

/// How often each check raises an alarm at a level of 1 / 20, 1 / 100 and 1 / 1000.
fn count_alarms(jitter: Jitter, bits: Bits, seed: u64) -> BTreeMap<(u32, Check), u32> {
    let mut counts = BTreeMap::new();
    let mut source = Source::new(seed);
    for _ in 0..RUNS {
        let samples = jitter.samples(&mut source, bits, Rounding::Down, 1024);
        for inverse in [20, 100, 1000] {
            let alarms = alarms(&samples, &jitter.interval(), 1.0 / f64::from(inverse));
            if alarms.is_empty() {
                // None at the stricter levels, then.
                break;
            }
            for check in alarms {
                *counts.entry((inverse, check)).or_default() += 1;
            }
        }
    }
    counts
}
