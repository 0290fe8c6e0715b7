//! Delays in what a library counts in: compared, and turned into one another.

use super::reply::Delay;
use crate::answer::{Answer, Reply, Reported, Value};
use crate::judge::{Number, Verdict, judge};
use crate::wire::Resolution;

/// A delay in units of the resolution. What is no number of units stays in seconds, and so is never right.
pub(super) fn measured(delay: Delay, resolution: Resolution) -> Number {
    match (delay, resolution.places()) {
        (Delay::Seconds(seconds), None) => Number::Seconds(seconds),
        (Delay::Seconds(seconds), Some(places)) => counted(seconds, places, resolution),
        (Delay::Duration(duration), Some(places)) => {
            let unit = u32::try_from(9_usize.saturating_sub(places)).map_or(1, |power| 10_u128.pow(power));
            let count = i64::try_from(duration.as_nanos() / unit).unwrap_or(i64::MAX);
            Number::Count(count, resolution)
        }
        (Delay::Duration(duration), None) => Number::Seconds(duration.as_secs_f64()),
    }
}

/// Seconds in what another delay is counted in.
pub(super) fn like(found: Number, seconds: f64) -> Number {
    match found {
        Number::Seconds(_) => Number::Seconds(seconds),
        Number::Count(_, unit) => unit
            .places()
            .map_or(Number::Seconds(seconds), |places| counted(seconds, places, unit)),
    }
}

/// The nearest count of units.
fn counted(seconds: f64, places: usize, unit: Resolution) -> Number {
    // Rust rounds to decimal places exactly.
    let digits = format!("{seconds:.places$}").replace('.', "");
    digits
        .parse()
        .map_or(Number::Seconds(seconds), |count| Number::Count(count, unit))
}

/// A delay as a port reports it.
pub(super) fn reported(number: Number) -> Reported {
    match number {
        Number::Seconds(seconds) => Reported::Seconds(seconds),
        Number::Count(count, _) => Reported::Count(count),
    }
}

/// The same bits, or less than one unit away.
pub(super) fn is(found: Number, exact: f64) -> bool {
    let resolution = match found {
        Number::Seconds(_) => Resolution::Exact,
        Number::Count(_, unit) => unit,
    };
    let reply = Reply::Value(Value::Delay(reported(found)));
    judge(&Answer::Value(Value::Delay(exact)), &reply, resolution) == Verdict::Passed
}

/// Whether two delays of one subject are the same, to the bit.
pub(super) fn same(one: Number, other: Number) -> bool {
    match (one, other) {
        (Number::Seconds(one), Number::Seconds(other)) => one.to_bits() == other.to_bits(),
        (Number::Count(..) | Number::Seconds(_), _) => one == other,
    }
}

/// Whether one delay of a subject is no longer than another. It is not when one of them is no number.
pub(super) fn at_most(one: Number, other: Number) -> bool {
    match (one, other) {
        (Number::Seconds(one), Number::Seconds(other)) => one <= other,
        (Number::Count(one, _), Number::Count(other, _)) => one <= other,
        (Number::Seconds(_), Number::Count(..)) | (Number::Count(..), Number::Seconds(_)) => false,
    }
}

/// A delay in seconds, to the nearest binary64.
pub(super) fn seconds(number: Number) -> f64 {
    match number {
        Number::Seconds(seconds) => seconds,
        Number::Count(count, unit) => {
            // Reading is exact, so that this is rounded once.
            let places = unit.places().unwrap_or(0);
            format!("{count}e-{places}").parse().unwrap_or(f64::NAN)
        }
    }
}

/// One unit of what a delay is counted in, in seconds; 0 for exact seconds.
pub(super) fn unit(number: Number) -> f64 {
    match number {
        Number::Seconds(_) => 0.0,
        Number::Count(_, unit) => seconds(Number::Count(1, unit)),
    }
}
