//! Bugs of the delay alone, and what libraries compute it with: whole units, powers, and conversions as machines make them.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the conversions are what is told of"
)]

use crate::policy::PolicyFields;
use crate::wire::Resolution;
use crate::zoo::rules::{Outcome, Rules};
use crate::zoo::{Bug, specified};

pub(super) const MILLIS: f64 = 1.0e3;
pub(super) const MICROS: f64 = 1.0e6;
pub(super) const TICKS: f64 = 1.0e7;
pub(super) const NANOS: f64 = 1.0e9;

/// Two to the 63, the first that a signed 64-bit integer does not hold.
pub(super) const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// Two to the 64, the first that an unsigned 64-bit integer does not hold.
pub(super) const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A port that answers binary64 seconds, with a backoff of its own.
pub(super) const fn delayed(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    backoff: fn(&PolicyFields, u32) -> Outcome<f64>,
) -> Bug {
    delayed_in(Resolution::Exact, name, about, source, clauses, backoff)
}

/// A port that counts its delays, with a backoff of its own.
pub(super) const fn delayed_in(
    resolution: Resolution,
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    backoff: fn(&PolicyFields, u32) -> Outcome<f64>,
) -> Bug {
    let rules = Rules {
        backoff,
        ..Rules::AS_SPECIFIED
    };
    Bug {
        name,
        about,
        source,
        clauses,
        resolution,
        rules,
    }
}

/// The product with nothing to bound it; infinite where it is too large.
pub(super) fn uncapped(fields: &PolicyFields, attempt: u32) -> f64 {
    let mut product = fields.initial_delay;
    for _ in 1..attempt {
        let next = product * fields.multiplier;
        if next.to_bits() == product.to_bits() {
            break;
        }
        product = next;
    }
    product
}

/// Bounded as specified, for whatever comes late enough.
pub(super) fn capped(fields: &PolicyFields, delay: f64) -> f64 {
    delay.min(specified::ceiling(fields))
}

/// Bounded by the cap where there is one, and by nothing else.
pub(super) fn capped_if_set(fields: &PolicyFields, delay: f64) -> f64 {
    if fields.max_delay > 0.0 {
        capped(fields, delay)
    } else {
        delay
    }
}

/// The delay, not yet capped, of a library that doubles whole units with `shifted`, which is given the initial delay and the exponent.
///
/// What the integers hold is right, and so is what comes of another multiplier than 2.
pub(super) fn doubling(
    fields: &PolicyFields,
    attempt: u32,
    per_second: f64,
    shifted: impl FnOnce(i64, u32) -> Outcome<i64>,
) -> Outcome<f64> {
    if fields.multiplier.to_bits() != 2.0_f64.to_bits() {
        return Ok(specified::doubled(fields, attempt));
    }
    let initial = saturated_i64((fields.initial_delay * per_second).round());
    let found = shifted(initial, attempt - 1)?;
    let is_right = attempt <= 64 && i128::from(found) == i128::from(initial) << (attempt - 1);
    Ok(if is_right {
        uncapped(fields, attempt)
    } else {
        to_f64(found) / per_second
    })
}

/// A double cast to an integer as arm64, the JVM and Rust do it: what is out of range becomes the nearest that is not.
pub(super) fn saturated_i64(number: f64) -> i64 {
    number as i64
}

/// A double cast to an integer as amd64 does it: what is out of range becomes the lowest integer.
pub(super) fn wrapped_i32(number: f64) -> i32 {
    let is_in_range = (-2_147_483_648.0..2_147_483_648.0).contains(&number);
    if is_in_range { number as i32 } else { i32::MIN }
}

/// The lower 32 bits.
pub(super) fn lower_i32(number: i64) -> i32 {
    number as i32
}

/// The lower 16 bits.
pub(super) fn lower_i16(number: u32) -> i16 {
    number as i16
}

/// The lower 32 bits, without a sign.
pub(super) fn lower_u32(number: i64) -> u32 {
    number as u32
}

pub(super) fn to_f64(number: i64) -> f64 {
    number as f64
}

/// Single precision.
pub(super) fn single(number: f64) -> f64 {
    f64::from(number as f32)
}
