//! Why the reference refuses an input.

use std::fmt;

/// An input that the specification tells every port to refuse.
///
/// The `Display` form says what was found and what was needed; [`Rejection::code`] and [`Rejection::field`] give the two
/// texts that a port answers (clauses P-9, B-2, N-1, J-7, J-11, L-4, L-12 and W-14).
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// A policy field is outside its legal values.
    InvalidPolicy {
        /// The first offending field, in the order of the policy table (P-10).
        field: PolicyField,
        /// The value that was given, as text.
        found: String,
    },
    /// An argument other than the policy is outside its legal values.
    InvalidArgument {
        /// Which argument.
        field: Argument,
        /// The value that was given, as text.
        found: String,
    },
    /// A rung would live longer than any broker allows (L-4).
    RungTooLong {
        /// The time to live that was asked for, in milliseconds.
        ttl_ms: u64,
        /// The longest that a broker accepts, in milliseconds.
        most_ms: u64,
    },
}

impl Rejection {
    /// The rejection code of W-14: `invalid_policy`, `invalid_argument` or `rung_too_long`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidPolicy { .. } => "invalid_policy",
            Self::InvalidArgument { .. } => "invalid_argument",
            Self::RungTooLong { .. } => "rung_too_long",
        }
    }

    /// The name of the offending field or argument, where there is one.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::InvalidPolicy { field, .. } => Some(field.name()),
            Self::InvalidArgument { field, .. } => Some(field.name()),
            Self::RungTooLong { .. } => None,
        }
    }

    pub(crate) fn argument(field: Argument, found: impl fmt::Display) -> Self {
        Self::InvalidArgument {
            field,
            found: found.to_string(),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidPolicy { field, found } => {
                let name = field.name();
                write!(f, "{name} is {found}, needed {}", field.needed())
            }
            Self::InvalidArgument { field, found } => {
                let name = field.name();
                write!(f, "{name} is {found}, needed {}", field.needed())
            }
            Self::RungTooLong { ttl_ms, most_ms } => write!(
                f,
                "a rung of {ttl_ms} ms is longer than a broker allows, needed at most {most_ms} ms (3650 days)"
            ),
        }
    }
}

impl std::error::Error for Rejection {}

/// A field of the policy, in the order of the table (P-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolicyField {
    /// `max_attempts`
    MaxAttempts,
    /// `initial_delay`
    InitialDelay,
    /// `multiplier`
    Multiplier,
    /// `max_delay`
    MaxDelay,
    /// `jitter_factor`
    JitterFactor,
    /// `max_message_age`
    MaxMessageAge,
}

impl PolicyField {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::MaxAttempts,
        Self::InitialDelay,
        Self::Multiplier,
        Self::MaxDelay,
        Self::JitterFactor,
        Self::MaxMessageAge,
    ];

    /// The field's name in specification, vectors and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxAttempts => "max_attempts",
            Self::InitialDelay => "initial_delay",
            Self::Multiplier => "multiplier",
            Self::MaxDelay => "max_delay",
            Self::JitterFactor => "jitter_factor",
            Self::MaxMessageAge => "max_message_age",
        }
    }

    /// The field's legal values, in words.
    #[must_use]
    pub fn needed(self) -> &'static str {
        match self {
            Self::MaxAttempts => "a whole number from 1 to 2147483647",
            Self::Multiplier => "a finite number, 1 or more",
            Self::JitterFactor => "0 to 1",
            Self::InitialDelay | Self::MaxDelay | Self::MaxMessageAge => "0 to 4294967296 seconds",
        }
    }
}

/// An argument, other than the policy, that can be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// The attempt that failed (B-2).
    Attempt,
    /// The age of the message (N-1).
    MessageAge,
    /// A delay (J-7, J-11, L-12).
    Delay,
    /// A random draw (J-7).
    Draw,
    /// How many samples of a jittered delay (J-11).
    Count,
    /// The delay from which waits go to the broker (L-12).
    Threshold,
    /// The source queue's name (L-12).
    Queue,
    /// How long messages may wait in a queue.
    MessageTtl,
    /// How long leases last.
    AckTimeout,
}

impl Argument {
    /// The name used in rejections.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempt => "attempt",
            Self::MessageAge => "message_age",
            Self::Delay => "delay",
            Self::Draw => "draw",
            Self::Count => "count",
            Self::Threshold => "threshold",
            Self::Queue => "queue",
            Self::MessageTtl => "message_ttl",
            Self::AckTimeout => "ack_timeout",
        }
    }

    fn needed(self) -> &'static str {
        match self {
            Self::Attempt => "an attempt from 1 to 2147483647",
            Self::MessageAge => "a number of seconds or nothing, not NaN",
            Self::Delay | Self::Threshold | Self::MessageTtl | Self::AckTimeout => "0 to 4294967296 seconds",
            Self::Draw => "0 or more and less than 1",
            Self::Count => "a whole number from 1 to 1000000",
            Self::Queue => "a name that is not empty",
        }
    }
}
