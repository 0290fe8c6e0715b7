//! The retry policy: six numbers, checked once. Implements chapter 1 of the specification.

use crate::printable::spelled;
use crate::rejection::{PolicyField, Rejection};

/// The longest duration a policy may hold, and the ceiling of every delay without a cap: 2^32 seconds, about 136 years.
pub const HORIZON: f64 = 4_294_967_296.0;

/// The largest legal `max_attempts` and attempt.
pub const MAX_ATTEMPTS: u32 = 2_147_483_647;

/// The six numbers of a policy, not yet checked.
///
/// Durations are seconds. What is not written takes the default of the policy table (P-1).
///
/// ```
/// use samewait::PolicyFields;
///
/// let fields = PolicyFields { max_attempts: 5, initial_delay: 1.0, ..PolicyFields::default() };
/// assert_eq!(fields.multiplier, 2.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolicyFields {
    /// Deliveries in total, the first included: 1 to 2147483647. Default 1.
    pub max_attempts: i64,
    /// Seconds before the second attempt: 0 to [`HORIZON`]. Default 0.
    pub initial_delay: f64,
    /// What the delay is multiplied by after each attempt: finite, 1 or more. Default 2.
    pub multiplier: f64,
    /// The cap in seconds: 0 to [`HORIZON`], 0 for none. Default 0.
    pub max_delay: f64,
    /// How far a delay may move to either side: 0 to 1, 0 for not at all. Default 0.
    pub jitter_factor: f64,
    /// Give up on messages of this age in seconds: 0 to [`HORIZON`], 0 for never. Default 0.
    pub max_message_age: f64,
}

impl Default for PolicyFields {
    fn default() -> Self {
        Self {
            max_attempts: 1,
            initial_delay: 0.0,
            multiplier: 2.0,
            max_delay: 0.0,
            jitter_factor: 0.0,
            max_message_age: 0.0,
        }
    }
}

/// A legal retry policy. Implements P-1 to P-16.
///
/// A value of this type can't be out of range: [`Policy::new`] and the factories refuse what the specification refuses. It is
/// immutable; [`give_up_after`](Policy::give_up_after) and [`with_jitter`](Policy::with_jitter) make changed copies.
///
/// ```
/// use samewait::Policy;
///
/// let policy = Policy::exponential(5, 1.0, 10.0)?;
/// assert_eq!(policy.schedule().collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), samewait::Rejection>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    max_attempts: u32,
    initial_delay: f64,
    multiplier: f64,
    max_delay: f64,
    jitter_factor: f64,
    max_message_age: f64,
}

impl Policy {
    /// Checks the six numbers and builds the policy. A negative zero becomes zero (P-7).
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidPolicy`] with the first field that is outside its legal values (P-9, P-10).
    pub fn new(fields: PolicyFields) -> Result<Self, Rejection> {
        use PolicyField as Field;
        Ok(Self {
            max_attempts: max_attempts(fields.max_attempts)?,
            initial_delay: within(Field::InitialDelay, fields.initial_delay, 0.0, HORIZON)?,
            multiplier: within(Field::Multiplier, fields.multiplier, 1.0, f64::MAX)?,
            max_delay: within(Field::MaxDelay, fields.max_delay, 0.0, HORIZON)?,
            jitter_factor: within(Field::JitterFactor, fields.jitter_factor, 0.0, 1.0)?,
            max_message_age: within(Field::MaxMessageAge, fields.max_message_age, 0.0, HORIZON)?,
        })
    }

    /// One delivery and no retry. Implements P-12.
    #[must_use]
    pub fn none() -> Self {
        Self {
            max_attempts: 1,
            initial_delay: 0.0,
            multiplier: 2.0,
            max_delay: 0.0,
            jitter_factor: 0.0,
            max_message_age: 0.0,
        }
    }

    /// The same wait of `delay` seconds every time, without jitter. Implements P-13.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidPolicy`], a `delay` out of range under the name `initial_delay` (P-16).
    pub fn fixed(max_attempts: i64, delay: f64) -> Result<Self, Rejection> {
        Self::new(PolicyFields {
            max_attempts,
            initial_delay: delay,
            multiplier: 1.0,
            ..PolicyFields::default()
        })
    }

    /// Doubling waits from `initial_delay` up to `max_delay` seconds (0 for no cap), with a jitter factor of 0.2. Implements P-14.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidPolicy`] with the first field that is out of range.
    pub fn exponential(max_attempts: i64, initial_delay: f64, max_delay: f64) -> Result<Self, Rejection> {
        Self::new(PolicyFields {
            max_attempts,
            initial_delay,
            multiplier: 2.0,
            max_delay,
            jitter_factor: 0.2,
            max_message_age: 0.0,
        })
    }

    /// A copy that gives up on messages of this `age` in seconds; 0 for never. Implements P-15.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidPolicy`] with field `max_message_age`.
    pub fn give_up_after(self, age: f64) -> Result<Self, Rejection> {
        let max_message_age = within(PolicyField::MaxMessageAge, age, 0.0, HORIZON)?;
        Ok(Self {
            max_message_age,
            ..self
        })
    }

    /// A copy with another jitter `factor`, 0 to 1. Implements P-15.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidPolicy`] with field `jitter_factor`.
    pub fn with_jitter(self, factor: f64) -> Result<Self, Rejection> {
        let jitter_factor = within(PolicyField::JitterFactor, factor, 0.0, 1.0)?;
        Ok(Self { jitter_factor, ..self })
    }

    /// Deliveries in total, the first included: 1 to 2147483647.
    #[must_use]
    pub fn max_attempts(&self) -> u32 {
        self.max_attempts
    }

    /// Seconds before the second attempt.
    #[must_use]
    pub fn initial_delay(&self) -> f64 {
        self.initial_delay
    }

    /// What the delay is multiplied by after each attempt.
    #[must_use]
    pub fn multiplier(&self) -> f64 {
        self.multiplier
    }

    /// The cap in seconds, or 0 for none.
    #[must_use]
    pub fn max_delay(&self) -> f64 {
        self.max_delay
    }

    /// How far a delay may move to either side, 0 to 1.
    #[must_use]
    pub fn jitter_factor(&self) -> f64 {
        self.jitter_factor
    }

    /// The age limit in seconds, or 0 for none.
    #[must_use]
    pub fn max_message_age(&self) -> f64 {
        self.max_message_age
    }

    /// The six numbers, as they could be given to [`Policy::new`] again.
    #[must_use]
    pub fn fields(&self) -> PolicyFields {
        PolicyFields {
            max_attempts: i64::from(self.max_attempts),
            initial_delay: self.initial_delay,
            multiplier: self.multiplier,
            max_delay: self.max_delay,
            jitter_factor: self.jitter_factor,
            max_message_age: self.max_message_age,
        }
    }
}

fn max_attempts(found: i64) -> Result<u32, Rejection> {
    u32::try_from(found)
        .ok()
        .filter(|attempts| (1..=MAX_ATTEMPTS).contains(attempts))
        .ok_or_else(|| Rejection::InvalidPolicy {
            field: PolicyField::MaxAttempts,
            found: found.to_string(),
        })
}

/// NaN is in no range, since it compares with nothing.
fn within(field: PolicyField, found: f64, low: f64, high: f64) -> Result<f64, Rejection> {
    if (low..=high).contains(&found) {
        Ok(without_negative_zero(found))
    } else {
        Err(Rejection::InvalidPolicy {
            field,
            found: spelled(found),
        })
    }
}

/// Reads a negative zero as zero. Implements P-7.
pub(crate) fn without_negative_zero(number: f64) -> f64 {
    // In round-to-nearest, -0.0 + 0.0 is +0.0, and every other number stays what it is.
    number + 0.0
}
