//! Jitter, with the draws as arguments. Implements chapter 4 of the specification.

use crate::policy::{HORIZON, Policy, without_negative_zero};
use crate::printable::spelled;
use crate::rejection::{Argument, Rejection};

/// The most delays that are drawn for one question (J-11).
const MAX_SAMPLES: i64 = 1_000_000;

impl Policy {
    /// `delay` seconds moved to either side by the jitter factor, as the `draw` from [0, 1) says. Implements J-1 to J-7.
    ///
    /// The answer may exceed `max_delay` (J-5); it is never negative and below 2^33.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `delay` outside 0 to [`HORIZON`], then `draw` outside 0 <= draw < 1.
    ///
    /// ```
    /// use samewait::Policy;
    ///
    /// let policy = Policy::exponential(5, 1.0, 10.0)?;
    /// assert_eq!(policy.jittered(10.0, 0.0)?, 8.0);
    /// assert_eq!(policy.jittered(10.0, 0.75)?, 11.0);
    /// # Ok::<(), samewait::Rejection>(())
    /// ```
    pub fn jittered(&self, delay: f64, draw: f64) -> Result<f64, Rejection> {
        let delay = duration(Argument::Delay, delay)?;
        if !(0.0..1.0).contains(&draw) {
            return Err(Rejection::argument(Argument::Draw, spelled(draw)));
        }
        let factor = self.jitter_factor();
        if factor == 0.0 || delay == 0.0 {
            return Ok(delay);
        }
        Ok(JitterSteps::new(delay, draw, factor).jittered)
    }

    /// `count` times `delay` seconds, each jittered with the next of the `draw`s from [0, 1), in their order. Implements J-10 and J-11.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `delay` outside 0 to [`HORIZON`], then `count` outside 1 to 1000000; then `draw` for
    /// a draw outside 0 <= draw < 1.
    ///
    /// ```
    /// use samewait::Policy;
    ///
    /// let mut draws = [0.0, 0.5, 0.75].into_iter().cycle();
    /// let policy = Policy::exponential(5, 1.0, 10.0)?;
    /// assert_eq!(policy.jitter_samples(10.0, 4, || draws.next().unwrap_or(0.5))?, [8.0, 10.0, 11.0, 8.0]);
    /// # Ok::<(), samewait::Rejection>(())
    /// ```
    pub fn jitter_samples(&self, delay: f64, count: i64, mut draw: impl FnMut() -> f64) -> Result<Vec<f64>, Rejection> {
        let delay = duration(Argument::Delay, delay)?;
        if !(1..=MAX_SAMPLES).contains(&count) {
            return Err(Rejection::argument(Argument::Count, count));
        }
        (0..count).map(|_| self.jittered(delay, draw())).collect()
    }

    /// The interval [delay * (1 - f), delay * (1 + f)] in which a jittered delay lies.
    #[must_use]
    pub fn jitter_range(&self, delay: f64) -> (f64, f64) {
        let (delay, factor) = (without_negative_zero(delay), self.jitter_factor());
        (delay * (1.0 - factor), delay * (1.0 + factor))
    }
}

/// The one writing of J-1, with its intermediate results. Four operations and then the product, each rounded on its own (J-2):
/// Rust never fuses them.
pub(crate) struct JitterSteps {
    pub(crate) doubled: f64,
    pub(crate) centred: f64,
    pub(crate) scaled: f64,
    pub(crate) factor: f64,
    pub(crate) jittered: f64,
}

impl JitterSteps {
    pub(crate) fn new(delay: f64, draw: f64, jitter_factor: f64) -> Self {
        let doubled = draw * 2.0;
        let centred = doubled - 1.0;
        let scaled = centred * jitter_factor;
        let factor = 1.0 + scaled;
        let jittered = delay * factor;
        Self {
            doubled,
            centred,
            scaled,
            factor,
            jittered,
        }
    }
}

/// A duration argument: 0 to [`HORIZON`], a negative zero read as zero.
pub(crate) fn duration(argument: Argument, found: f64) -> Result<f64, Rejection> {
    if (0.0..=HORIZON).contains(&found) {
        Ok(without_negative_zero(found))
    } else {
        Err(Rejection::argument(argument, spelled(found)))
    }
}
