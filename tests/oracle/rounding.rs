//! From an exact number to the nearest binary64: the only place where the oracle rounds delays.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::exact::Exact;

/// How many bits a significand has, the leading one included.
const PRECISION: i64 = 53;

/// The exponents of the first and of the last binade: the numbers from 2^-1022 to 2^-1021, and from 2^1023 up.
const FIRST_BINADE: i64 = -1022;
const LAST_BINADE: i64 = 1023;

/// The binary64 nearest to an exact number, of two equally near ones the even one: what one operation of IEEE 754 answers.
///
/// Zero is positive zero. A number that would need an exponent beyond the last becomes infinity.
pub(crate) fn nearest(number: &Exact) -> f64 {
    let significand = number.significand.magnitude();
    if significand.is_zero() {
        return 0.0;
    }
    let bits = i64::try_from(significand.bits()).expect("a length far below 2^63");
    // 2^binade <= magnitude < 2^(binade + 1), but for subnormal numbers, which share the last place of the first binade.
    let binade = (number.exponent + bits - 1).max(FIRST_BINADE);
    let magnitude = if binade > LAST_BINADE {
        f64::INFINITY
    } else {
        let last_place = binade - (PRECISION - 1);
        let units = shift_to_even(significand, number.exponent - last_place);
        // Counting up the bits of a binary64 counts up through the numbers: from the subnormal ones to the first binade, from each
        // binade to the next, and from the last one to infinity. So a carry out of the 53 bits needs no care.
        let binades_below = u64::try_from(binade - FIRST_BINADE).expect("not below the first");
        f64::from_bits((binades_below << (PRECISION - 1)) + units)
    };
    if number.significand.sign() == num_bigint::Sign::Minus {
        -magnitude
    } else {
        magnitude
    }
}

/// `number` * 2^`places`, rounded to the nearest whole number and from the middle to the even one. At most 2^53.
fn shift_to_even(number: &BigUint, places: i64) -> u64 {
    let distance = places.unsigned_abs();
    let rounded = if places >= 0 {
        number << distance
    } else {
        let floor = number >> distance;
        let rest = number - (&floor << distance);
        let half = BigUint::one() << (distance - 1);
        if rest > half || (rest == half && floor.bit(0)) {
            floor + 1_u32
        } else {
            floor
        }
    };
    rounded.to_u64().expect("at most 2^53")
}
