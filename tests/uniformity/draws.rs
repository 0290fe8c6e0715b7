//! Seeded draws, and the good samplers.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use samewait::uniformity::Interval;

/// What a library may draw from [0, 1).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bits {
    /// 53 bits, as most languages do.
    Double,
    /// 32 bits.
    Word,
    /// 31 bits.
    Int,
    /// One of 2^31 - 1 values, as .NET Framework's `System.Random`.
    Mersenne,
}

impl Bits {
    pub(crate) const ALL: [Self; 4] = [Self::Double, Self::Word, Self::Int, Self::Mersenne];
}

/// How a port brings a delay to its unit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rounding {
    Down,
    Nearest,
    Up,
}

impl Rounding {
    pub(crate) const ALL: [Self; 3] = [Self::Down, Self::Nearest, Self::Up];
}

/// Draws from [0, 1) that are the same on every machine.
pub(crate) struct Source(Pcg64Mcg);

impl Source {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg64Mcg::new(u128::from(seed) << 64 | 0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn draw(&mut self, bits: Bits) -> f64 {
        let (high, low) = (self.0.next_u32(), self.0.next_u32());
        match bits {
            Bits::Double => (f64::from(high >> 5) * 67_108_864.0 + f64::from(low >> 6)) / 9_007_199_254_740_992.0,
            Bits::Word => f64::from(high) / 4_294_967_296.0,
            Bits::Int => f64::from(high >> 1) / 2_147_483_648.0,
            Bits::Mersenne => match high >> 1 {
                0x7fff_ffff => self.draw(bits),
                value => f64::from(value) / 2_147_483_647.0,
            },
        }
    }
}

/// A delay and the half width of its jitter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jitter {
    pub(crate) delay: f64,
    pub(crate) factor: f64,
    pub(crate) unit: Option<f64>,
}

impl Jitter {
    pub(crate) fn interval(&self) -> Interval {
        Interval {
            low: self.delay * (1.0 - self.factor),
            high: self.delay * (1.0 + self.factor),
            unit: self.unit,
        }
    }

    /// J-1, and the port's unit.
    pub(crate) fn sample(&self, draw: f64, rounding: Rounding) -> f64 {
        self.in_units(self.delay * (1.0 + (draw * 2.0 - 1.0) * self.factor), rounding)
    }

    pub(crate) fn in_units(&self, seconds: f64, rounding: Rounding) -> f64 {
        let Some(unit) = self.unit else {
            return seconds;
        };
        let per_second = (1.0 / unit).round();
        let count = seconds * per_second;
        let count = match rounding {
            Rounding::Down => count.floor(),
            Rounding::Nearest => count.round(),
            Rounding::Up => count.ceil(),
        };
        count / per_second
    }

    pub(crate) fn samples(&self, source: &mut Source, bits: Bits, rounding: Rounding, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.sample(source.draw(bits), rounding)).collect()
    }
}
