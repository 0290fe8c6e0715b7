//! The trace of a scenario: the table "Events" of chapter 6.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::millis::Millis;
use crate::next_delay::GiveUp;
use crate::queue::{DeathReason, Refused};
use crate::schema::Nullable;

/// A time in a trace: seconds as written, compared in whole milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub Millis);

/// One event of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum TraceEvent {
    /// The message waits for a consumer: it was put, its delay is over, it failed with a delay of 0, or it was replayed.
    Ready {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
    },
    /// A consumer has the message.
    Delivered {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
        /// Which attempt this is, counted from 1.
        attempt: u32,
        /// The consumer that has it.
        consumer: String,
    },
    /// The message is done and gone.
    Acked {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
        /// The attempt that was acked.
        attempt: u32,
    },
    /// An attempt failed. What follows from it is the next event.
    Failed {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
        /// The attempt that failed.
        attempt: u32,
        /// The text that came with the failure, or null.
        #[serde(deserialize_with = "Option::deserialize")]
        #[schemars(with = "Nullable<String>")]
        error: Option<String>,
    },
    /// The message waits out a delay.
    Delayed {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
        /// When the delay ends, in seconds since the start.
        until: Time,
    },
    /// The message is dead.
    Dead {
        /// When, in seconds since the start.
        at: Time,
        /// The message.
        message: String,
        /// Why it died: `max_attempts`, `max_message_age` or `ttl_expired`.
        #[schemars(extend("enum" = DEATHS))]
        reason: String,
        /// The text of its last failure since it was put or replayed, or null.
        #[serde(deserialize_with = "Option::deserialize")]
        #[schemars(with = "Nullable<String>")]
        error: Option<String>,
        /// The attempts it used since then.
        attempts: u32,
    },
    /// A step was refused, and nothing else happened.
    Refused {
        /// When, in seconds since the start.
        at: Time,
        /// What the step was to do.
        r#do: String,
        /// The message that the step names, where it names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// The consumer that the step names, where it names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        consumer: Option<String>,
        /// Why: `unknown_delivery`, `not_dead`, `unknown_consumer` or `duplicate_consumer`.
        #[schemars(extend("enum" = REFUSALS))]
        code: String,
    },
    /// The answer to `stats`.
    Stats {
        /// When, in seconds since the start.
        at: Time,
        /// How many messages wait for a consumer.
        ready: usize,
        /// How many messages wait out a delay.
        delayed: usize,
        /// How many messages are with a consumer.
        leased: usize,
        /// How many messages are dead.
        dead: usize,
    },
    /// The answer to `dead_letters`.
    DeadLetters {
        /// When, in seconds since the start.
        at: Time,
        /// The dead messages, in the order of their deaths.
        messages: Vec<Letter>,
    },
}

/// A dead letter in a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Letter {
    /// The message.
    pub message: String,
    /// Why it died: `max_attempts`, `max_message_age` or `ttl_expired`.
    #[schemars(extend("enum" = DEATHS))]
    pub reason: String,
    /// The text of its last failure, or null.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(with = "Nullable<String>")]
    pub error: Option<String>,
    /// The attempts it used.
    pub attempts: u32,
    /// When it died, in seconds since the start.
    pub at: Time,
}

/// The reasons of deaths, for schemas.
const DEATHS: [&str; 3] = [
    DeathReason::GaveUp(GiveUp::MaxAttempts).name(),
    DeathReason::GaveUp(GiveUp::MaxMessageAge).name(),
    DeathReason::TtlExpired.name(),
];

/// The codes of refused steps, for schemas.
const REFUSALS: [&str; 4] = [
    Refused::UnknownDelivery.code(),
    Refused::NotDead.code(),
    Refused::UnknownConsumer.code(),
    Refused::DuplicateConsumer.code(),
];

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

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": 0})
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
