//! What happens in a queue, and what it answers.

use std::sync::Arc;

use crate::millis::Millis;
use crate::next_delay::GiveUp;

slotmap::new_key_type! {
    /// A message in a queue. An id is never another message's, also when its message is gone.
    pub struct MessageId;
}

/// One delivery of a message to a consumer. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId(pub(super) u64);

/// An event and its time.
#[derive(Debug, Clone, PartialEq)]
pub struct TimedEvent {
    /// When.
    pub at: Millis,
    /// What.
    pub event: Event,
}

/// Something that happened to a message (the table "Events" of chapter 6).
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// It waits for a consumer: put, delay over, a failure with a delay of 0, or replay.
    Ready {
        /// The message.
        message: MessageId,
    },
    /// A consumer has it.
    Delivered {
        /// The message.
        message: MessageId,
        /// Which attempt this is, from 1.
        attempt: u32,
        /// Who has it.
        consumer: Arc<str>,
        /// What to settle it with.
        delivery: DeliveryId,
    },
    /// It is done and gone.
    Acked {
        /// The message.
        message: MessageId,
        /// The attempt that was acked.
        attempt: u32,
    },
    /// An attempt failed; what follows from it is the next event.
    Failed {
        /// The message.
        message: MessageId,
        /// The attempt that failed.
        attempt: u32,
        /// The text that came with the failure.
        error: Option<Arc<str>>,
    },
    /// It waits out a delay.
    Delayed {
        /// The message.
        message: MessageId,
        /// When the delay ends.
        until: Millis,
    },
    /// It is dead.
    Dead(DeadLetter),
}

impl Event {
    /// The delivery, if this is one.
    #[must_use]
    pub fn delivery(&self) -> Option<DeliveryId> {
        match self {
            Self::Delivered { delivery, .. } => Some(*delivery),
            Self::Ready { .. } | Self::Acked { .. } | Self::Failed { .. } | Self::Delayed { .. } | Self::Dead(_) => {
                None
            }
        }
    }
}

/// A dead message.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetter {
    /// The message.
    pub message: MessageId,
    /// Why it died.
    pub reason: DeathReason,
    /// The text of its last failure since it was put or replayed.
    pub error: Option<Arc<str>>,
    /// The attempts it used since then.
    pub attempts: u32,
    /// When it died.
    pub at: Millis,
}

/// Why a message died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeathReason {
    /// The policy gave up.
    GaveUp(GiveUp),
    /// It waited for too long.
    TtlExpired,
}

impl DeathReason {
    /// The reason's name: `max_attempts`, `max_message_age` or `ttl_expired`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::GaveUp(reason) => reason.name(),
            Self::TtlExpired => "ttl_expired",
        }
    }
}

/// How many messages are in each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    /// Waiting for a consumer.
    pub ready: usize,
    /// Waiting out a delay.
    pub delayed: usize,
    /// With a consumer.
    pub leased: usize,
    /// Dead.
    pub dead: usize,
}

/// Why an operation was refused. Nothing else happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The delivery's lease is not live.
    #[error("the lease of that delivery is not live")]
    UnknownDelivery,
    /// The message is not dead.
    #[error("the message is not dead")]
    NotDead,
    /// No consumer has that name.
    #[error("no consumer has that name")]
    UnknownConsumer,
    /// A consumer has that name already.
    #[error("a consumer has that name already")]
    DuplicateConsumer,
}

impl Refused {
    /// The code in a trace.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnknownDelivery => "unknown_delivery",
            Self::NotDead => "not_dead",
            Self::UnknownConsumer => "unknown_consumer",
            Self::DuplicateConsumer => "duplicate_consumer",
        }
    }
}
