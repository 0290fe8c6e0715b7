//! Numbers compared exactly, and shown so that a person sees the difference.

use std::fmt;

use crate::wire::Resolution;

/// A number in an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Binary64: seconds, or a plain factor.
    Seconds(f64),
    /// A count of units.
    Count(i64, Resolution),
}

impl Number {
    /// In decimal alone, the unit left out.
    #[must_use]
    pub fn decimal(&self) -> String {
        match self {
            Self::Seconds(seconds) => format!("{seconds:?}"),
            Self::Count(count, _) => count.to_string(),
        }
    }
}

impl fmt::Display for Number {
    /// Decimal and hexadecimal: `0.1 (0x1.999999999999ap-4)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seconds(seconds) => write!(f, "{seconds:?} ({})", hex_float(*seconds)),
            Self::Count(count, resolution) => write!(f, "{count} units of {resolution}"),
        }
    }
}

/// A binary64 in C's hexadecimal notation, every bit visible: `0x1.999999999999ap-4`.
///
/// ```
/// assert_eq!(samewait::judge::hex_float(0.1), "0x1.999999999999ap-4");
/// assert_eq!(samewait::judge::hex_float(-2.0), "-0x1p+1");
/// ```
#[must_use]
pub fn hex_float(number: f64) -> String {
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return format!("{sign}inf");
    }
    let (fraction, biased) = (number.to_bits() & FRACTION, exponent_bits(number));
    if fraction == 0 && biased == 0 {
        return format!("{sign}0x0p+0");
    }
    let (lead, exponent) = if biased == 0 { (0, -1022) } else { (1, biased - 1023) };
    let digits = format!("{fraction:013x}");
    match digits.trim_end_matches('0') {
        "" => format!("{sign}0x{lead}p{exponent:+}"),
        digits => format!("{sign}0x{lead}.{digits}p{exponent:+}"),
    }
}

/// How many representable numbers lie between two: 0 for the same, 1 for neighbours. None when one is NaN.
///
/// ```
/// assert_eq!(samewait::judge::ulps(0.3, 0.1 + 0.2), Some(1));
/// ```
#[must_use]
pub fn ulps(a: f64, b: f64) -> Option<u64> {
    if a.is_nan() || b.is_nan() {
        return None;
    }
    let (a, b) = (rank(a), rank(b));
    Some(a.abs_diff(b))
}

/// Whether `count` units of 10^-places seconds are less than one unit away from `seconds` (W-16).
///
/// Exact: seconds * 10^places is compared as a fraction over a power of two.
pub(super) fn is_within_one_unit(seconds: f64, count: i64, places: usize) -> bool {
    let Some((floor, is_whole)) = units(seconds, places) else {
        return false;
    };
    let count = i128::from(count);
    count == floor || (!is_whole && count == floor + 1)
}

/// The least and the greatest count of 10^-places seconds that is less than one unit away from `seconds` (W-16). None where no count is.
pub(crate) fn counts_within_one_unit(seconds: f64, places: usize) -> Option<(i64, i64)> {
    let (floor, is_whole) = units(seconds, places)?;
    let floor = i64::try_from(floor).ok()?;
    Some((floor, if is_whole { floor } else { floor.checked_add(1)? }))
}

/// Whether a duration that a port gives in seconds is less than one unit away from `expected` (W-16): it stands for the nearest count, and
/// seconds are not subtracted, since 1 - 0.999999999 is less than a nanosecond in binary64.
pub(super) fn stands_within_one_unit(expected: f64, got: f64, places: usize) -> bool {
    if expected.to_bits() == got.to_bits() {
        return true;
    }
    // Rust rounds to decimal places exactly.
    let digits = format!("{got:.places$}").replace('.', "");
    digits
        .parse()
        .is_ok_and(|count| is_within_one_unit(expected, count, places))
}

/// Whether a duration is a whole number of units: the nearest count, taken back to seconds, is the same binary64 (W-17).
pub(super) fn is_whole_units(seconds: f64, places: usize) -> bool {
    if seconds == 0.0 {
        return true;
    }
    // The nearest count is the decimal rounded to so many places, and Rust rounds it exactly; reading is exact, too.
    seconds.is_finite() && format!("{seconds:.places$}").parse() == Ok(seconds)
}

const FRACTION: u64 = (1 << 52) - 1;

/// `seconds` * 10^places rounded down, and whether nothing was lost. None unless it is 0 or more and below 2^43 seconds.
fn units(seconds: f64, places: usize) -> Option<(i128, bool)> {
    if !(0.0..8_796_093_022_208.0).contains(&seconds) {
        return None;
    }
    let (fraction, biased) = (seconds.to_bits() & FRACTION, exponent_bits(seconds));
    // seconds = mantissa / 2^shift; below 2^43 the shift is at least 9.
    let (mantissa, shift) = if biased == 0 {
        (fraction, 1074)
    } else {
        (fraction | 1 << 52, 1075 - biased)
    };
    // Below 2^53 * 10^9 < 2^83.
    let scaled = i128::from(mantissa) * 10i128.pow(u32::try_from(places).ok()?);
    let shift = u32::try_from(shift).ok()?;
    if shift > 120 {
        return Some((0, scaled == 0));
    }
    let floor = scaled >> shift;
    Some((floor, floor << shift == scaled))
}

fn exponent_bits(number: f64) -> i32 {
    i32::try_from(number.to_bits() >> 52 & 0x7ff).unwrap_or(0)
}

/// The number's place among all binary64, both zeros at 0.
fn rank(number: f64) -> i64 {
    let magnitude = i64::try_from(number.to_bits() & !(1 << 63)).unwrap_or(i64::MAX);
    if number.is_sign_negative() {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_every_bit() {
        assert_eq!(hex_float(1.0), "0x1p+0");
        assert_eq!(hex_float(51.2), "0x1.999999999999ap+5");
        assert_eq!(hex_float(-0.0), "-0x0p+0");
        assert_eq!(hex_float(5.0e-324), "0x0.0000000000001p-1022");
        assert_eq!(hex_float(f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn counts_neighbours_across_zero() {
        assert_eq!(ulps(5.0e-324, -5.0e-324), Some(2));
        assert_eq!(ulps(0.0, -0.0), Some(0));
        assert_eq!(ulps(f64::NAN, 1.0), None);
    }

    #[test]
    fn allows_the_two_counts_around_a_fraction_and_one_of_a_whole() {
        // 51.2 is a little above 51200 ms.
        assert!(is_within_one_unit(51.2, 51_200, 3));
        assert!(is_within_one_unit(51.2, 51_201, 3));
        assert!(!is_within_one_unit(51.2, 51_199, 3));
        assert!(is_within_one_unit(0.5, 500, 3));
        assert!(!is_within_one_unit(0.5, 501, 3));
        assert!(!is_within_one_unit(0.5, 499, 3));
        // Far below one unit: 0 or 1, and 0 itself only 0.
        assert!(is_within_one_unit(5.0e-324, 1, 9));
        assert!(!is_within_one_unit(0.0, 1, 9));
        // The largest jittered delay.
        assert!(is_within_one_unit(8_589_934_591.0, 8_589_934_591_000_000_000, 9));
    }

    #[test]
    fn knows_whole_units() {
        assert!(is_whole_units(0.1, 3));
        assert!(is_whole_units(4_294_967_296.0, 9));
        assert!(!is_whole_units(0.0001, 3));
        assert!(is_whole_units(-1.0, 3));
        assert!(!is_whole_units(f64::NAN, 9));
        assert!(!is_whole_units(0.1 + 0.2, 9));
    }
}
