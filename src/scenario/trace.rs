//! The trace of a scenario: the table "Events" of chapter 6.

use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::millis::Millis;

/// A time in a trace: seconds as written, compared in whole milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Millis);

/// One event of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
#[expect(
    missing_docs,
    reason = "the table of chapter 6 says what each field is, and the variants are its rows"
)]
pub enum TraceEvent {
    /// Put, delay over, a failure with a delay of 0, or replay.
    Ready { at: Time, message: String },
    /// Delivery.
    Delivered {
        at: Time,
        message: String,
        attempt: u32,
        consumer: String,
    },
    /// Ack.
    Acked { at: Time, message: String, attempt: u32 },
    /// Each failure, before what follows from it.
    Failed {
        at: Time,
        message: String,
        attempt: u32,
        #[serde(deserialize_with = "Option::deserialize")]
        error: Option<String>,
    },
    /// A failure with a delay above 0.
    Delayed { at: Time, message: String, until: Time },
    /// Death.
    Dead {
        at: Time,
        message: String,
        reason: String,
        #[serde(deserialize_with = "Option::deserialize")]
        error: Option<String>,
        attempts: u32,
    },
    /// A refused step.
    Refused {
        at: Time,
        r#do: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        consumer: Option<String>,
        code: String,
    },
    /// The answer to `stats`.
    Stats {
        at: Time,
        ready: usize,
        delayed: usize,
        leased: usize,
        dead: usize,
    },
    /// The answer to `dead_letters`.
    DeadLetters { at: Time, messages: Vec<Letter> },
}

/// A dead letter in a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// The message.
    pub message: String,
    /// Why it died.
    pub reason: String,
    /// The text of its last failure.
    #[serde(deserialize_with = "Option::deserialize")]
    pub error: Option<String>,
    /// The attempts it used.
    pub attempts: u32,
    /// When it died.
    pub at: Time,
}

impl TraceEvent {
    /// When it happened.
    #[must_use]
    pub fn at(&self) -> Millis {
        match self {
            Self::Ready { at, .. }
            | Self::Delivered { at, .. }
            | Self::Acked { at, .. }
            | Self::Failed { at, .. }
            | Self::Delayed { at, .. }
            | Self::Dead { at, .. }
            | Self::Refused { at, .. }
            | Self::Stats { at, .. }
            | Self::DeadLetters { at, .. } => at.0,
        }
    }
}

impl fmt::Display for TraceEvent {
    /// One short line, such as `4 s  milk delivered to worker, attempt 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  ", Time(self.at()))?;
        let quoted = |error: &Option<String>| error.as_ref().map_or("no text".to_owned(), |text| format!("{text:?}"));
        match self {
            Self::Ready { message, .. } => write!(f, "{message} ready"),
            Self::Delivered {
                message,
                attempt,
                consumer,
                ..
            } => write!(f, "{message} delivered to {consumer}, attempt {attempt}"),
            Self::Acked { message, attempt, .. } => write!(f, "{message} acked, attempt {attempt}"),
            Self::Failed {
                message,
                attempt,
                error,
                ..
            } => write!(f, "{message} failed, attempt {attempt}, {}", quoted(error)),
            Self::Delayed { message, until, .. } => write!(f, "{message} delayed until {until}"),
            Self::Dead {
                message,
                reason,
                error,
                attempts,
                ..
            } => write!(f, "{message} dead: {reason}, {}, attempts {attempts}", quoted(error)),
            Self::Refused {
                r#do,
                message,
                consumer,
                code,
                ..
            } => {
                let about = message.as_ref().or(consumer.as_ref()).map_or("", String::as_str);
                write!(f, "{do} {about} refused: {code}")
            }
            Self::Stats {
                ready,
                delayed,
                leased,
                dead,
                ..
            } => write!(
                f,
                "stats: ready {ready}, delayed {delayed}, leased {leased}, dead {dead}"
            ),
            Self::DeadLetters { messages, .. } => {
                let letters: Vec<String> = messages
                    .iter()
                    .map(|letter| {
                        let Letter {
                            message,
                            reason,
                            error,
                            attempts,
                            at,
                        } = letter;
                        format!("{message} ({reason}, {}, attempts {attempts}, at {at})", quoted(error))
                    })
                    .collect();
                let letters = if letters.is_empty() {
                    "none".to_owned()
                } else {
                    letters.join("; ")
                };
                write!(f, "dead letters: {letters}")
            }
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0.seconds())
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.seconds())
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TimeVisitor;

        impl Visitor<'_> for TimeVisitor {
            type Value = Time;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time in seconds, 0 or more")
            }

            fn visit_f64<E: de::Error>(self, seconds: f64) -> Result<Time, E> {
                // Less than half a millisecond below 0 is 0 in whole milliseconds.
                if seconds > -0.0005 {
                    Ok(Time(Millis::nearest(seconds)))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(seconds), &self))
                }
            }

            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Time, E> {
                Ok(Time(Millis::new(seconds.saturating_mul(1000))))
            }
        }

        deserializer.deserialize_any(TimeVisitor)
    }
}
