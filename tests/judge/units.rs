//! The units of coarse resolutions, in exact fractions.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use samewait::wire::Resolution;

/// A resolution other than `exact` (W-16).
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) resolution: Resolution,
    /// How many of it are a second.
    per_second: u32,
    /// The same as a power of ten.
    places: u32,
}

pub(crate) const COARSE: [Unit; 4] = [
    unit(Resolution::Nanosecond, 9),
    unit(Resolution::Tick, 7),
    unit(Resolution::Microsecond, 6),
    unit(Resolution::Millisecond, 3),
];

const fn unit(resolution: Resolution, places: u32) -> Unit {
    Unit {
        resolution,
        per_second: 10_u32.pow(places),
        places,
    }
}

impl Unit {
    /// The last count not above a duration, and the first not below it.
    pub(crate) fn around(self, seconds: f64) -> (i64, i64) {
        let units = self.exactly(seconds);
        let count = |whole: BigRational| {
            whole
                .to_integer()
                .to_i64()
                .expect("at most 2^33 s, even in nanoseconds")
        };
        (count(units.floor()), count(units.ceil()))
    }

    /// The binary64 seconds nearest to a count.
    pub(crate) fn seconds(self, count: impl Into<BigInt>) -> f64 {
        let decimal = format!("{}e-{}", count.into(), self.places);
        decimal.parse().expect("a decimal number")
    }

    /// W-17: whether the nearest count is the duration again when it is taken back to seconds. Both zeros are.
    pub(crate) fn divides(self, seconds: f64) -> bool {
        if seconds == 0.0 || !seconds.is_finite() {
            return seconds == 0.0;
        }
        let nearest = self.exactly(seconds).round().to_integer();
        self.seconds(nearest).to_bits() == seconds.to_bits()
    }

    fn exactly(self, seconds: f64) -> BigRational {
        let seconds = BigRational::from_float(seconds).expect("a finite duration");
        seconds * BigInt::from(self.per_second)
    }
}
