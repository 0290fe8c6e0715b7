//! The doubling rule and the schedule. Implements chapter 2 of the specification.

use crate::policy::{HORIZON, MAX_ATTEMPTS, Policy};
use crate::rejection::{Argument, Rejection};

/// The number of a delivery, from 1 to 2147483647. Implements B-1 and B-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt(u32);

impl Attempt {
    /// The first delivery.
    pub const FIRST: Self = Self(1);

    /// Checks the number.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `attempt` when it is outside 1 to 2147483647.
    pub fn new(number: i64) -> Result<Self, Rejection> {
        u32::try_from(number)
            .ok()
            .filter(|attempt| (1..=MAX_ATTEMPTS).contains(attempt))
            .map(Self)
            .ok_or_else(|| Rejection::argument(Argument::Attempt, number))
    }

    /// The attempt after this one; the last has none and stays.
    #[must_use]
    pub fn next(self) -> Self {
        Self((self.0 + 1).min(MAX_ATTEMPTS))
    }

    /// The number itself.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

impl Policy {
    /// The delay in seconds after `attempt` has failed, without jitter and whatever `max_attempts` says. Implements B-1 to B-8.
    ///
    /// The answer is between 0 and [`HORIZON`].
    ///
    /// # Cost
    ///
    /// One multiplication for each attempt until the delay no longer changes: 62 at most when it doubles from a nanosecond, 1106 when it
    /// doubles from the smallest subnormal. The worst legal policy has a multiplier so near 1 that the delay changes with every
    /// attempt and never reaches the ceiling (1 second times 1.0000000000000002, say): attempt 2147483647 then takes 2147483646
    /// multiplications, measured at three seconds.
    ///
    /// ```
    /// use samewait::{Attempt, Policy};
    ///
    /// let policy = Policy::exponential(5, 1.0, 10.0)?;
    /// assert_eq!(policy.backoff(Attempt::new(4)?), 8.0);
    /// assert_eq!(policy.backoff(Attempt::new(5000)?), 10.0);
    /// # Ok::<(), samewait::Rejection>(())
    /// ```
    #[must_use]
    pub fn backoff(&self, attempt: Attempt) -> f64 {
        let mut ramp = Ramp::new(self);
        for _ in 1..attempt.number() {
            if !ramp.step() {
                break;
            }
        }
        ramp.delay()
    }

    /// The delays after each attempt but the last, in seconds and without jitter. Implements B-9 to B-11.
    ///
    /// The iterator holds one number, however many attempts the policy allows.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        Schedule {
            ramp: Ramp::new(self),
            remaining: self.max_attempts() - 1,
        }
    }

    /// The products of B-4 before the ceiling bounds them: the initial delay, then one for each multiplication, until the delay no
    /// longer changes. What [`Policy::backoff`] goes through, for whoever wants to see it.
    pub fn products(&self) -> impl Iterator<Item = f64> {
        let mut ramp = Some(Ramp::new(self));
        std::iter::from_fn(move || {
            let mut now = ramp.take()?;
            let product = now.product;
            ramp = now.step().then_some(now);
            Some(product)
        })
    }

    /// What bounds every delay: the cap where there is one, else [`HORIZON`]. Implements B-3.
    #[must_use]
    pub fn ceiling(&self) -> f64 {
        if self.max_delay() > 0.0 {
            self.max_delay()
        } else {
            HORIZON
        }
    }
}

/// The delays of a policy, one for each attempt that may be followed by another. Made by [`Policy::schedule`].
#[derive(Debug, Clone)]
pub struct Schedule {
    ramp: Ramp,
    remaining: u32,
}

impl Schedule {
    /// How many delays are still to come.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        self.remaining
    }

    /// The delays that differ from the one before, each with the number of attempts it follows.
    ///
    /// A delay that will not change any more is told at once, with all the attempts that are left: what the whole schedule says, in
    /// the time that [`Policy::backoff`] takes.
    pub fn runs(mut self) -> impl Iterator<Item = (f64, u32)> {
        std::iter::from_fn(move || {
            if self.remaining == 0 {
                return None;
            }
            let delay = self.ramp.delay();
            let count = if self.ramp.step() { 1 } else { self.remaining };
            self.remaining -= count;
            Some((delay, count))
        })
    }
}

impl Iterator for Schedule {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        self.remaining = self.remaining.checked_sub(1)?;
        let delay = self.ramp.delay();
        self.ramp.step();
        Some(delay)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = usize::try_from(self.remaining).ok();
        (remaining.unwrap_or(usize::MAX), remaining)
    }
}

/// The one loop behind `backoff` and `schedule`. Implements B-4 to B-7.
#[derive(Debug, Clone)]
struct Ramp {
    product: f64,
    multiplier: f64,
    ceiling: f64,
}

impl Ramp {
    fn new(policy: &Policy) -> Self {
        Self {
            product: policy.initial_delay(),
            multiplier: policy.multiplier(),
            ceiling: policy.ceiling(),
        }
    }

    fn delay(&self) -> f64 {
        self.product.min(self.ceiling)
    }

    /// Multiplies once; false when the delay will not change any more.
    ///
    /// The product may overflow to infinity, which the ceiling then bounds. It is never NaN: both factors are finite.
    fn step(&mut self) -> bool {
        if self.product >= self.ceiling {
            return false;
        }
        let before = self.product;
        self.product = before * self.multiplier;
        self.product > before
    }
}
