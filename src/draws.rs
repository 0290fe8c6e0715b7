//! Random draws from [0, 1), for whoever answers `jitter_samples` (J-9). The reference itself takes them as an argument.

use std::io;

use rand::rngs::{StdRng, SysRng};
use rand::{RngExt, SeedableRng};

/// Draws that the operating system seeds, so that no two processes make the same ones.
///
/// # Errors
///
/// When the operating system has no random numbers to give.
pub fn of_the_system() -> io::Result<impl FnMut() -> f64> {
    StdRng::try_from_rng(&mut SysRng).map(from).map_err(io::Error::other)
}

/// Draws that are the same for the same seed: for tests and for `samewait check`, which must find the same in every run.
///
/// ```
/// use samewait::draws;
///
/// let (mut draw, mut again) = (draws::seeded(1), draws::seeded(1));
/// assert_eq!(draw(), again());
/// ```
pub fn seeded(seed: u64) -> impl FnMut() -> f64 {
    from(StdRng::seed_from_u64(seed))
}

/// Multiples of 2^-53, each as likely as the next.
fn from(mut generator: StdRng) -> impl FnMut() -> f64 {
    move || generator.random()
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn of_the_system_differ_each_time() {
        let [one, other] = [(); 2].map(|()| {
            let mut draw = of_the_system().expect("random numbers");
            [draw(), draw(), draw()].map(f64::to_bits)
        });
        assert_ne!(one, other);
    }

    #[test]
    fn lie_from_0_to_below_1() {
        let mut draw = seeded(7);
        assert!((0..10_000).all(|_| (0.0..1.0).contains(&draw())));
    }
}
