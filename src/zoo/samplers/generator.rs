//! Jitter with draws that are not independent of each other.

use super::{Sampler, Samples, Setting, Sign, defect, healthy};

pub(super) const SAMPLERS: &[Sampler] = &[
    defect("ramp", "The draws go up in equal steps, and begin again.", None, |it| {
        let mut draw = 0.0;
        Box::new(move |_| {
            draw = fraction(draw + 1.0 / 997.0);
            it.jittered(draw)
        })
    }),
    defect(
        "golden-ratio",
        "The draws are the fractions of multiples of the golden ratio.",
        None,
        |it| {
            let mut draw = 0.0;
            Box::new(move |_| {
                draw = fraction(draw + GOLDEN_RATIO);
                it.jittered(draw)
            })
        },
    ),
    defect(
        "alternating",
        "Every second draw mirrors the one before it.",
        None,
        |it| {
            let mut before = None;
            Box::new(move |draws| {
                let draw = match before.take() {
                    Some(draw) => 1.0 - draw,
                    None => *before.insert(draws()),
                };
                it.jittered(draw)
            })
        },
    ),
    defect("each-draw-twice", "Each draw serves for two delays.", None, |it| {
        runs(it, 2)
    }),
    defect(
        "clock-seeded",
        "The generator is seeded for each sample from a clock, of which five samples see the same tick.",
        Some("https://github.com/square/p2/pull/629"),
        |it| runs(it, 5),
    ),
    defect(
        "repeated-block",
        "After 256 draws the same ones come again.",
        None,
        |it| {
            let mut block = Vec::new();
            let mut next = 0;
            Box::new(move |draws| {
                if block.len() < 256 {
                    block.push(draws());
                }
                let draw = block.get(next % 256).copied().unwrap_or(0.5);
                next += 1;
                it.jittered(draw)
            })
        },
    ),
    defect("walk", "Each draw is the one before it, moved a little.", None, |it| {
        let mut draw = None;
        Box::new(move |draws| {
            let next = match draw {
                Some(before) => fraction(before + 0.25 * draws()),
                None => draws(),
            };
            draw = Some(next);
            it.jittered(next)
        })
    }),
    defect(
        "short-period",
        "A congruential generator with a period of 2^16.",
        None,
        |it| {
            let mut state = None;
            Box::new(move |draws| {
                let next = (state.unwrap_or_else(|| (draws() * 65_536.0).floor()) * 25_173.0 + 13_849.0) % 65_536.0;
                state = Some(next);
                it.jittered(next / 65_536.0)
            })
        },
    ),
    defect(
        "seeded-by-number",
        "The generator is seeded with the number of the sample, and only its first draw is used.",
        None,
        |it| {
            let mut number = 0u64;
            Box::new(move |_| {
                number += 1;
                it.jittered(first_draw_of_java(number))
            })
        },
    ),
    defect(
        "fixed-seed",
        "Every process draws the same numbers.",
        Some("https://github.com/square/p2/pull/629"),
        |it| {
            let mut state = 0u64;
            Box::new(move |_| {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                it.jittered(mixed(state))
            })
        },
    )
    .showing(Sign::Processes),
];

const GOLDEN_RATIO: f64 = 0.618_033_988_749_894_9;

fn fraction(number: f64) -> f64 {
    number - number.floor()
}

/// Each draw so many times in a row.
fn runs(it: Setting, length: u32) -> Samples {
    let mut fresh = healthy(it);
    let (mut sample, mut left) = (0.0, 0);
    Box::new(move |draws| {
        if left == 0 {
            (sample, left) = (fresh(draws), length);
        }
        left -= 1;
        sample
    })
}

/// The first `nextDouble` of java.util.Random, whose seeds are hardly mixed.
fn first_draw_of_java(seed: u64) -> f64 {
    const MULTIPLIER: u64 = 0x5_deec_e66d;
    const MASK: u64 = (1 << 48) - 1;
    let step = |state: u64| state.wrapping_mul(MULTIPLIER).wrapping_add(0xb) & MASK;
    let first = step((seed ^ MULTIPLIER) & MASK);
    let second = step(first);
    part_of_one(((first >> 22) << 27) + (second >> 21))
}

/// A draw of splitmix64.
fn mixed(state: u64) -> f64 {
    let once = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let twice = (once ^ once >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    part_of_one((twice ^ twice >> 31) >> 11)
}

/// 53 bits as a number from [0, 1).
fn part_of_one(bits: u64) -> f64 {
    let high = u32::try_from(bits >> 32).unwrap_or(0);
    let low = u32::try_from(bits & 0xffff_ffff).unwrap_or(0);
    (f64::from(high) * 4_294_967_296.0 + f64::from(low)) / 9_007_199_254_740_992.0
}
