//! Products that are regrouped, rounded otherwise, or made with another multiplier.

use super::delays::{capped, delayed, single, uncapped};
use crate::policy::PolicyFields;
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "growth-power-function",
        "The delay is the initial one times a power, from the power function.",
        "https://github.com/zenml-io/zenml/pull/5265",
        &["B-5"],
        |fields, attempt| Ok(powered(fields, fields.multiplier.powf(f64::from(attempt - 1)))),
    ),
    delayed(
        "growth-repeated-squaring",
        "The power is made by repeated squaring.",
        "https://github.com/rust-lang/rust/issues/71355",
        &["B-5"],
        |fields, attempt| Ok(powered(fields, squared(fields.multiplier, attempt - 1))),
    ),
    delayed(
        "growth-exponential-of-logarithms",
        "The power is the exponential of a multiple of the logarithm.",
        "https://github.com/google/highway/pull/3080",
        &["B-5"],
        |fields, attempt| Ok(powered(fields, (fields.multiplier.ln() * f64::from(attempt - 1)).exp())),
    ),
    delayed(
        "growth-factors-first",
        "The multipliers are multiplied with each other first, and with the initial delay last.",
        "https://github.com/jpillora/backoff/issues/11",
        &["B-5"],
        |fields, attempt| {
            let unit = PolicyFields {
                initial_delay: 1.0,
                ..*fields
            };
            Ok(powered(fields, uncapped(&unit, attempt)))
        },
    ),
    delayed(
        "growth-added-on",
        "The growth is a product of its own and is added on.",
        "https://github.com/cncf/wg-serverless/pull/208",
        &["B-5"],
        |fields, attempt| {
            Ok(stepped(fields, attempt, |delay, multiplier| {
                delay + delay * (multiplier - 1.0)
            }))
        },
    ),
    delayed(
        "growth-single-precision",
        "The delay is kept in single precision.",
        "https://github.com/Offline-Protocol/offline-protocol-sdk/pull/129",
        &["P-3", "B-5"],
        |fields, attempt| {
            Ok(stepped(fields, attempt, |delay, multiplier| {
                single(single(delay) * multiplier)
            }))
        },
    ),
    delayed(
        "growth-multiplier-in-single-precision",
        "The multiplier is kept in single precision.",
        "https://github.com/Offline-Protocol/offline-protocol-sdk/pull/129",
        &["P-1", "B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, |delay, multiplier| delay * single(multiplier))),
    ),
    delayed(
        "growth-rounded-once-at-the-end",
        "The products are kept in wider registers, and rounded to a double once at the end.",
        "https://github.com/red/red/issues/4041",
        &["B-5"],
        |fields, attempt| Ok(capped(fields, wide(fields, attempt))),
    ),
    delayed(
        "growth-multiplier-cut-to-an-integer",
        "The multiplier is cut to an integer, so that 1.5 never grows.",
        "https://github.com/reactor/reactor-core/pull/4048",
        &["B-4", "B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, |delay, multiplier| delay * multiplier.floor())),
    ),
    delayed(
        "growth-always-tenfold",
        "The multiplier is 10, whatever the policy says.",
        "https://github.com/JuliaWeb/Retry.jl/issues/14",
        &["B-4"],
        |fields, attempt| Ok(stepped(fields, attempt, |delay, _| delay * 10.0)),
    ),
    delayed(
        "growth-always-doubled",
        "The multiplier is 2, whatever the policy says.",
        "https://github.com/line/armeria/pull/6952",
        &["B-4"],
        |fields, attempt| Ok(stepped(fields, attempt, |delay, _| delay * 2.0)),
    ),
];

/// The initial delay times a power; nothing stays nothing.
fn powered(fields: &PolicyFields, power: f64) -> f64 {
    if fields.initial_delay == 0.0 {
        return 0.0;
    }
    capped(fields, fields.initial_delay * power)
}

/// The specified loop, with a product of its own.
fn stepped(fields: &PolicyFields, attempt: u32, product: impl Fn(f64, f64) -> f64) -> f64 {
    let ceiling = specified::ceiling(fields);
    let mut delay = fields.initial_delay;
    for _ in 1..attempt {
        let next = product(delay, fields.multiplier);
        if delay >= ceiling || next.to_bits() == delay.to_bits() {
            break;
        }
        delay = next;
    }
    capped(fields, delay)
}

fn squared(base: f64, exponent: u32) -> f64 {
    let (mut power, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            power *= square;
        }
        square *= square;
        left /= 2;
    }
    power
}

/// The product as a sum of two doubles, the second of what the first has lost.
fn wide(fields: &PolicyFields, attempt: u32) -> f64 {
    let ceiling = specified::ceiling(fields);
    let (mut high, mut low) = (fields.initial_delay, 0.0_f64);
    for _ in 1..attempt {
        let product = high * fields.multiplier;
        if high >= ceiling || !product.is_finite() || product.to_bits() == high.to_bits() {
            high = high.max(product);
            break;
        }
        let lost = high.mul_add(fields.multiplier, -product) + low * fields.multiplier;
        high = product + lost;
        low = lost - (high - product);
    }
    high
}
