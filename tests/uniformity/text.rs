//! What a person sees.

use samewait::uniformity::{Interval, examine};

fn shown(samples: &[f64], low: f64, high: f64, unit: Option<f64>) -> String {
    let flaw = examine(samples, &Interval { low, high, unit }).expect_err("a flaw");
    format!("{flaw}\n{}", flaw.histogram)
}

#[test]
fn a_flaw_names_check_statistic_and_bound_and_shows_where_the_samples_lie() {
    let upwards: Vec<f64> = (0..1024u32).map(|i| 10.0 + f64::from(i * 389 % 1024) / 512.0).collect();
    insta::assert_snapshot!(shown(&upwards, 8.0, 12.0, None), @r"
    both sides used (J-13): 0.5000 of the interval unused at its lower end; at most 0.0284 allowed (1024 samples)
    below      0
     8.00      0
     8.25      0
     8.50      0
     8.75      0
     9.00      0
     9.25      0
     9.50      0
     9.75      0
    10.00    128 ########################################
    10.25    128 ########################################
    10.50    128 ########################################
    10.75    128 ########################################
    11.00    128 ########################################
    11.25    128 ########################################
    11.50    128 ########################################
    11.75    128 ########################################
    above      0
    ");
}

#[test]
fn samples_outside_are_shown_on_their_side() {
    insta::assert_snapshot!(shown(&[1.0, 0.5, 0.5, 3.0, f64::NAN, 2.0], 1.0, 2.0, None), @r"
    bounds (J-12): 0.5 s; at least 1.0 s allowed (6 samples)
    below      2 ########################################
    1.000      1 ####################
    1.062      0
    1.125      0
    1.188      0
    1.250      0
    1.312      0
    1.375      0
    1.438      0
    1.500      0
    1.562      0
    1.625      0
    1.688      0
    1.750      0
    1.812      0
    1.875      0
    1.938      1 ####################
    above      2 ########################################
    ");
}

#[test]
fn a_closed_interval_has_one_bar() {
    insta::assert_snapshot!(shown(&[10.0, 10.0, 10.5], 10.0, 10.0, None), @r"
    bounds (J-12): 10.5 s; at most 10.0 s allowed (3 samples)
    below      0
     10.0      2 ########################################
    above      1 ####################
    ");
}

#[test]
fn every_line_fits_eighty_columns() {
    let wide: Vec<f64> = (0..20_000u32).map(f64::from).collect();
    for (low, high) in [
        (0.0, 8_589_934_592.0),
        (1.0e9, 1.0e9 + 1.0e-6),
        (1.0e-9, 3.0e-9),
        (0.0, 1.0),
    ] {
        let text = shown(&wide, low, high, Some(1e-9));
        let widest = text.lines().skip(1).map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{text}");
    }
}
