//! Each check fails by what it is there for, and by nothing else.

use samewait::uniformity::{Check, Flaw, Interval, are_same_draws, examine};

use super::draws::{Bits, Jitter, Rounding, Source};

const EXACT: Jitter = Jitter {
    delay: 10.0,
    factor: 0.2,
    unit: None,
};

const MILLISECONDS: Jitter = Jitter {
    unit: Some(1e-3),
    ..EXACT
};

fn good(jitter: Jitter, count: usize) -> Vec<f64> {
    jitter.samples(&mut Source::new(42), Bits::Double, Rounding::Nearest, count)
}

/// Samples whose draws are bent.
fn bent(count: usize, bend: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut source = Source::new(43);
    (0..count)
        .map(|_| EXACT.sample(bend(source.draw(Bits::Double)), Rounding::Nearest))
        .collect()
}

fn flaw(samples: &[f64], jitter: Jitter) -> Flaw {
    examine(samples, &jitter.interval()).expect_err("a flaw")
}

#[test]
fn good_samples_pass() {
    for jitter in [EXACT, MILLISECONDS] {
        for count in [1, 2, 100, 1024, 20_000] {
            assert_eq!(examine(&good(jitter, count), &jitter.interval()), Ok(()), "{count}");
        }
        assert_eq!(examine(&[], &jitter.interval()), Ok(()));
    }
}

#[test]
fn bounds_include_both_ends_and_nothing_more() {
    let mut samples = good(EXACT, 1024);
    samples[3] = 8.0;
    samples[4] = 12.0;
    assert_eq!(examine(&samples, &EXACT.interval()), Ok(()));
    for outside in [
        7.999_999_999_999_999,
        12.000_000_000_000_002,
        -1.0,
        f64::NAN,
        f64::INFINITY,
    ] {
        samples[5] = outside;
        let flaw = flaw(&samples, EXACT);
        assert_eq!(flaw.check, Check::Bounds);
        assert_eq!(flaw.statistic.to_bits(), outside.to_bits());
    }
}

#[test]
fn bounds_allow_less_than_one_unit() {
    let cases = [
        // An end that is a whole count allows only that count.
        (8.0, 1e-3, 8.0, true),
        (8.0, 1e-3, 7.999, false),
        // An end between two counts allows both.
        (8.0005, 1e-3, 8.0, true),
        (8.0005, 1e-3, 7.999, false),
        // A little below 51200 units, and a little above.
        (51.199_999_999_999_996, 1e-3, 51.199, true),
        (51.2, 1e-3, 51.199, false),
        (0.3, 1e-7, 0.299_999_9, true),
        (0.3, 1e-7, 0.299_999_8, false),
    ];
    for (low, unit, sample, is_inside) in cases {
        let interval = Interval {
            low,
            high: 60.0,
            unit: Some(unit),
        };
        assert_eq!(examine(&[sample], &interval).is_ok(), is_inside, "{sample} from {low}");
        // The same, mirrored at the upper end.
        let interval = Interval {
            low: 0.0,
            high: low,
            unit: Some(unit),
        };
        let (below, above) = (sample, low + (low - sample));
        assert!(examine(&[below], &interval).is_ok(), "{below} to {low}");
        if !is_inside {
            assert!(examine(&[above + unit], &interval).is_err(), "{above} to {low}");
        }
    }
}

#[test]
fn one_delay_is_all_that_a_closed_interval_holds() {
    let only = |delay, unit| Interval {
        low: delay,
        high: delay,
        unit,
    };
    assert_eq!(examine(&[10.0; 1024], &only(10.0, None)), Ok(()));
    assert!(examine(&[10.000_000_000_000_002; 1024], &only(10.0, None)).is_err());
    assert_eq!(examine(&[0.0; 1024], &only(0.0, Some(1e-3))), Ok(()));
    assert!(examine(&[0.001; 1024], &only(0.0, Some(1e-3))).is_err());
    assert!(examine(&[10.001; 1024], &only(10.0, Some(1e-3))).is_err());
    assert_eq!(examine(&[10.0, 10.001], &only(10.0005, Some(1e-3))), Ok(()));
}

#[test]
fn both_sides_must_be_used() {
    assert_eq!(flaw(&bent(1024, |u| 0.5 + u / 2.0), EXACT).check, Check::LowerSide);
    assert_eq!(flaw(&bent(1024, |u| u / 2.0), EXACT).check, Check::UpperSide);
    let flaw = flaw(&bent(20_000, |u| 0.01 + 0.99 * u), EXACT);
    assert_eq!(flaw.check, Check::LowerSide);
    assert!((flaw.statistic - 0.01).abs() < 1e-3 && flaw.bound < 0.0015, "{flaw}");
}

#[test]
fn the_mean_must_be_the_delay() {
    let flaw = flaw(&bent(1024, |u| u * u), EXACT);
    assert_eq!(flaw.check, Check::Mean);
    assert!((flaw.statistic + 1.0 / 3.0).abs() < 0.05, "{flaw}");
}

#[test]
fn the_variance_must_be_that_of_a_uniform_distribution() {
    // Drawn to the middle, but the ends are still reached. On the scale from -1 to 1 the mean square is 1/4, not 1/3.
    let flaw = flaw(&bent(2000, |u| 0.5 + (u - 0.5) * (2.0 * u - 1.0).abs().sqrt()), EXACT);
    assert_eq!(flaw.check, Check::Variance);
    assert!((flaw.statistic + 0.25).abs() < 0.1, "{flaw}");
}

#[test]
fn the_distribution_must_be_uniform() {
    // Half of the samples lie near two points that keep mean and variance.
    let lumps = |u: f64| match u {
        _ if u < 0.5 => 2.0 * u,
        _ if u < 0.75 => 0.211 + (4.0 * u - 2.5) * 0.1,
        _ => 0.789 + (4.0 * u - 3.5) * 0.1,
    };
    let flaw = flaw(&bent(10_000, lumps), EXACT);
    assert_eq!(flaw.check, Check::Uniformity, "{flaw}");
}

#[test]
fn values_must_not_come_again() {
    let mut samples = good(EXACT, 1024);
    samples.copy_within(0..3, 1000);
    assert_eq!(examine(&samples, &EXACT.interval()), Ok(()));
    samples.copy_within(0..4, 1000);
    let flaw = flaw(&samples, EXACT);
    assert_eq!(
        (flaw.check, flaw.statistic.to_bits()),
        (Check::Repeats, 4.0f64.to_bits())
    );
}

#[test]
fn no_value_may_come_often() {
    // In counts, values do come again, but one of 4001 not 30 times in 1024.
    let mut samples = good(MILLISECONDS, 1024);
    for i in 0..30 {
        samples[i * 34] = 10.0;
    }
    assert_eq!(flaw(&samples, MILLISECONDS).check, Check::Frequency);
}

#[test]
fn samples_must_not_lie_on_a_coarse_lattice() {
    for values in [16_777_216.0, 10_000_000.0, 16_777_213.0, 1_000_003.0] {
        let flaw = flaw(&bent(1024, |u| (u * values).floor() / values), EXACT);
        assert_eq!(flaw.check, Check::Lattice, "{values}");
        assert!((flaw.statistic * values - 1.0).abs() < 1e-6, "{flaw}");
    }
}

#[test]
fn a_lattice_of_the_port_is_legal() {
    let one_in_twenty = |u: f64| (u * 20.0).floor() / 20.0;
    let coarse = Jitter {
        delay: 0.05,
        factor: 0.2,
        unit: Some(1e-3),
    };
    let samples: Vec<f64> = bent(1024, one_in_twenty)
        .iter()
        .map(|s| coarse.in_units(s / 200.0, Rounding::Nearest))
        .collect();
    assert_eq!(examine(&samples, &coarse.interval()), Ok(()));
}

#[test]
fn samples_must_not_depend_on_those_before() {
    for lag in [1, 20, 32] {
        // Blocks of fresh draws, each then mirrored.
        let mut mirrored = Vec::new();
        for block in good(EXACT, 1024).chunks(lag) {
            mirrored.extend_from_slice(block);
            mirrored.extend(block.iter().map(|sample| 20.0 - sample));
        }
        let flaw = flaw(&mirrored, EXACT);
        assert_eq!(flaw.check, Check::SerialCorrelation { lag });
        assert!((flaw.statistic + 0.5).abs() < 0.1, "{flaw}");
    }
}

#[test]
fn the_same_draws_are_recognised() {
    let first = good(EXACT, 1024);
    let mut second = first.clone();
    assert!(are_same_draws(&first, &second));
    second[1023] = 9.0;
    assert!(!are_same_draws(&first, &second));
    // Nothing random in them: no proof of a fixed seed.
    assert!(!are_same_draws(&[10.0; 1024], &[10.0; 1024]));
    assert!(!are_same_draws(&[], &[]));
}
