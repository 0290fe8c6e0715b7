//! Exact numbers: a whole number times a power of two.
//!
//! Every finite binary64 is such a number, and so is every sum and product of them. Nothing is ever rounded here, and, other
//! than with general fractions, no common divisor has to be looked for.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

use num_bigint::BigInt;

/// `significand` * 2^`exponent`.
#[derive(Debug, Clone)]
pub(crate) struct Exact {
    pub(crate) significand: BigInt,
    pub(crate) exponent: i64,
}

impl Exact {
    pub(crate) fn power_of_two(exponent: i64) -> Self {
        Self {
            significand: BigInt::from(1),
            exponent,
        }
    }

    pub(crate) fn power(&self, exponent: u32) -> Self {
        Self {
            significand: self.significand.pow(exponent),
            exponent: self.exponent * i64::from(exponent),
        }
    }

    /// The largest whole number that is not above this one.
    pub(crate) fn floor(&self) -> BigInt {
        // Shifting a big integer to the right rounds towards negative infinity.
        let places = self.exponent.unsigned_abs();
        if self.exponent >= 0 {
            &self.significand << places
        } else {
            &self.significand >> places
        }
    }

    pub(crate) fn distance(&self, other: &Self) -> Self {
        if self < other { other - self } else { self - other }
    }

    /// The significands of both at the lower of the two exponents, and that exponent.
    fn aligned(&self, other: &Self) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        let at = |number: &Self| &number.significand << number.exponent.abs_diff(exponent);
        (at(self), at(other), exponent)
    }
}

impl From<f64> for Exact {
    /// Reads the three parts of a finite binary64.
    fn from(number: f64) -> Self {
        assert!(number.is_finite(), "{number} is no number that could be exact");
        let bits = number.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let biased = i64::try_from(bits >> 52 & 0x7ff).expect("eleven bits");
        // Subnormal numbers have the last place of the first normal ones, and no leading bit that goes without saying.
        let (significand, exponent) = if biased == 0 {
            (fraction, -1074)
        } else {
            (fraction | 1 << 52, biased - 1075)
        };
        // Without the zeros at its end, so that a power of two stays short however often it is multiplied.
        let zeros = if significand == 0 {
            0
        } else {
            significand.trailing_zeros()
        };
        let magnitude = BigInt::from(significand >> zeros);
        Self {
            significand: if number.is_sign_negative() {
                -magnitude
            } else {
                magnitude
            },
            exponent: exponent + i64::from(zeros),
        }
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, other: &Exact) -> Exact {
        Exact {
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Add for &Exact {
    type Output = Exact;

    fn add(self, other: &Exact) -> Exact {
        let (left, right, exponent) = self.aligned(other);
        Exact {
            significand: left + right,
            exponent,
        }
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, other: &Exact) -> Exact {
        let (left, right, exponent) = self.aligned(other);
        Exact {
            significand: left - right,
            exponent,
        }
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right, _) = self.aligned(other);
        left.cmp(&right)
    }
}
