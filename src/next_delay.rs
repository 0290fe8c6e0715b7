//! What happens after a failure. Implements chapter 3 of the specification.

use crate::backoff::Attempt;
use crate::policy::Policy;
use crate::rejection::{Argument, Rejection};

/// The answer to "that attempt failed, what now?".
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NextDelay {
    /// Try again after so many seconds (N-4).
    Retry(f64),
    /// Don't try again.
    GiveUp(GiveUp),
}

/// Why there is no further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUp {
    /// All attempts are used up (N-2).
    MaxAttempts,
    /// The message is too old (N-3).
    MaxMessageAge,
}

impl GiveUp {
    /// The reason's name in answers: `max_attempts` or `max_message_age`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxAttempts => "max_attempts",
            Self::MaxMessageAge => "max_message_age",
        }
    }
}

impl Policy {
    /// The wait after `attempt` has failed, without jitter, or the reason to give up. Implements N-1 to N-8.
    ///
    /// `message_age` is in seconds. `None` means unknown, which is young enough (N-6); a negative age counts as 0 (N-7).
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `message_age` when the age is NaN.
    ///
    /// ```
    /// use samewait::{Attempt, GiveUp, NextDelay, Policy};
    ///
    /// let policy = Policy::fixed(3, 1.5)?.give_up_after(60.0)?;
    /// let first = Attempt::new(1)?;
    /// assert_eq!(policy.next_delay(first, Some(59.0))?, NextDelay::Retry(1.5));
    /// assert_eq!(policy.next_delay(first, Some(60.0))?, NextDelay::GiveUp(GiveUp::MaxMessageAge));
    /// # Ok::<(), samewait::Rejection>(())
    /// ```
    pub fn next_delay(&self, attempt: Attempt, message_age: Option<f64>) -> Result<NextDelay, Rejection> {
        if message_age.is_some_and(f64::is_nan) {
            return Err(Rejection::argument(Argument::MessageAge, "NaN"));
        }
        if attempt.number() >= self.max_attempts() {
            return Ok(NextDelay::GiveUp(GiveUp::MaxAttempts));
        }
        if self.is_too_old(message_age) {
            return Ok(NextDelay::GiveUp(GiveUp::MaxMessageAge));
        }
        Ok(NextDelay::Retry(self.backoff(attempt)))
    }

    /// A negative age needs no care of its own: no limit that is set is as low as 0.
    fn is_too_old(&self, message_age: Option<f64>) -> bool {
        let limit = self.max_message_age();
        limit > 0.0 && message_age.is_some_and(|age| age >= limit)
    }
}
