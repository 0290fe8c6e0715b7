//! Integers that wrap, casts that saturate, powers that overflow.

use super::rules::{Outcome, Rules, Stop};
use super::{Bug, specified};
use crate::policy::PolicyFields;
use crate::wire::Resolution;

pub(super) const BUGS: &[Bug] = &[Bug {
    name: "overflow-i32-milliseconds-throw",
    about: "The base in milliseconds is shifted in 32 bits before the cap is looked at, and a sleep of less than nothing throws.",
    source: "https://github.com/aws/aws-sdk-java/issues/874",
    clauses: &["B-4", "B-6"],
    resolution: Resolution::Exact,
    rules: Rules {
        backoff: i32_milliseconds,
        ..Rules::AS_SPECIFIED
    },
}];

fn i32_milliseconds(fields: &PolicyFields, attempt: u32) -> Outcome<f64> {
    let base = to_i32(fields.initial_delay * 1000.0);
    let shifted = base.wrapping_shl(attempt - 1);
    if shifted < 0 {
        return Err(Stop::Crashed("the value of a timeout is negative"));
    }
    Ok((f64::from(shifted) / 1000.0).min(specified::ceiling(fields)))
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the defect is told of conversions as they are"
)]
fn to_i32(number: f64) -> i32 {
    number as i32
}
