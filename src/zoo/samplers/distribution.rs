//! Jitter over the right interval, but not uniform on it.

use super::{Draws, Sampler, Samples, Setting, Sign, defect};

pub(super) const SAMPLERS: &[Sampler] = &[
    defect(
        "normal",
        "A normal distribution, three deviations wide on each side, cut at the ends.",
        None,
        |it| each(it, |draws| f64::midpoint(1.0, (bell(draws) / 3.0).clamp(-1.0, 1.0))),
    ),
    defect("triangular", "The mean of two draws.", None, |it| {
        each(it, |draws| f64::midpoint(draws(), draws()))
    }),
    defect(
        "squared",
        "The draw is squared: short delays are more frequent.",
        None,
        |it| {
            each(it, |draws| {
                let draw = draws();
                draw * draw
            })
        },
    ),
    defect("extremes-only", "A coin decides between the two ends.", None, |it| {
        each(it, |draws| if draws() < 0.5 { 0.0 } else { ALMOST_ONE })
    }),
    defect(
        "one-in-fifty-unjittered",
        "2 % of the samples are the delay as it is.",
        None,
        |it| each(it, |draws| if draws() < 0.02 { 0.5 } else { draws() }),
    ),
    defect(
        "whole-milliseconds",
        "The jittered delay is rounded to milliseconds, by a port that is exact.",
        None,
        |it| rounded(it, 1000.0),
    ),
    defect(
        "whole-seconds",
        "The jittered delay is rounded to seconds.",
        Some("https://github.com/temporalio/sdk-typescript/issues/441"),
        |it| rounded(it, 1.0),
    ),
    defect("percent", "The draw is a whole number of hundredths.", None, |it| {
        lattice(it, 100.0)
    }),
    defect("per-mille", "The draw is a whole number of thousandths.", None, |it| {
        lattice(it, 1000.0)
    }),
    defect("8-bit-draw", "The draw is one of 2^8 values.", None, |it| {
        lattice(it, 256.0)
    }),
    defect(
        "15-bit-draw",
        "The draw is one of 2^15 values, as of C's rand.",
        None,
        |it| lattice(it, 32_768.0),
    ),
    defect("16-bit-draw", "The draw is one of 2^16 values.", None, |it| {
        lattice(it, 65_536.0)
    }),
    defect(
        "24-bit-draw",
        "The draw is one of 2^24 values, as of a 32-bit float.",
        None,
        |it| lattice(it, 16_777_216.0),
    ),
    defect("28-bit-draw", "The draw is one of 2^28 values.", None, |it| {
        lattice(it, 268_435_456.0)
    }),
    defect("30-bit-draw", "The draw is one of 2^30 values.", None, |it| {
        lattice(it, 1_073_741_824.0)
    })
    .showing(Sign::Hidden),
    defect("open-at-zero", "Draws come from (0, 1], not from [0, 1).", None, |it| {
        each(it, |draws| 1.0 - draws())
    })
    .showing(Sign::Hidden),
    defect(
        "one-included",
        "Draws come from [0, 1], both ends included.",
        None,
        |it| each(it, |draws| (draws() * MOST / (MOST - 1.0)).min(1.0)),
    )
    .showing(Sign::Hidden),
    defect(
        "regrouped",
        "The formula is regrouped, so that the last bit differs.",
        None,
        |it| {
            Box::new(move |draws| {
                let draw = draws();
                it.delay - it.delay * it.factor() + draw * 2.0 * it.factor() * it.delay
            })
        },
    )
    .showing(Sign::Hidden),
];

/// The number of draws with 53 bits.
const MOST: f64 = 9_007_199_254_740_992.0;

const ALMOST_ONE: f64 = 1.0 - 1.0 / MOST;

fn each(it: Setting, draw: fn(Draws<'_>) -> f64) -> Samples {
    Box::new(move |draws| it.jittered(draw(draws)))
}

fn lattice(it: Setting, values: f64) -> Samples {
    Box::new(move |draws| it.jittered((draws() * values).floor() / values))
}

fn rounded(it: Setting, per_second: f64) -> Samples {
    Box::new(move |draws| (it.jittered(draws()) * per_second).round() / per_second)
}

/// Nearly a standard normal number: the sum of twelve draws, with no logarithm that differs between machines.
fn bell(draws: Draws<'_>) -> f64 {
    (0..12).map(|_| draws()).sum::<f64>() - 6.0
}
