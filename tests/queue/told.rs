//! What a queue says, in the names of a trace, and the queue held against the book that is kept of it.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use samewait::Millis;
use samewait::laws::queue::Ledger;
use samewait::queue::{DeadLetter, DeliveryId, Event, MessageId, TimedEvent, WorkQueue};
use samewait::scenario::{Letter, Time, TraceEvent};

/// A check that fails tells what was wrong.
pub(crate) type Checked = Result<(), TestCaseError>;

/// The names of messages, and which of its message's deliveries each is.
#[derive(Default)]
pub(crate) struct Names {
    messages: HashMap<MessageId, String>,
    deliveries: BTreeMap<DeliveryId, (String, u64)>,
    counts: HashMap<String, u64>,
}

impl Names {
    /// A new message.
    pub(crate) fn put(&mut self, id: MessageId) -> String {
        let name = format!("m{}", self.messages.len());
        self.messages.insert(id, name.clone());
        name
    }

    pub(crate) fn of(&self, id: MessageId) -> String {
        self.messages[&id].clone()
    }

    /// The message, and the number that its delivery has.
    pub(crate) fn of_delivery(&self, id: DeliveryId) -> (String, u64) {
        self.deliveries[&id].clone()
    }

    pub(crate) fn letter(&self, letter: &DeadLetter) -> Letter {
        Letter {
            message: self.of(letter.message),
            reason: letter.reason.name().to_owned(),
            error: letter.error.as_deref().map(str::to_owned),
            attempts: letter.attempts,
            at: Time(letter.at),
        }
    }

    pub(crate) fn event(&mut self, timed: TimedEvent) -> TraceEvent {
        let at = Time(timed.at);
        match timed.event {
            Event::Ready { message } => TraceEvent::Ready {
                at,
                message: self.of(message),
            },
            Event::Delivered {
                message,
                attempt,
                consumer,
                delivery,
            } => {
                let message = self.of(message);
                let count = self.counts.entry(message.clone()).or_default();
                *count += 1;
                self.deliveries.insert(delivery, (message.clone(), *count));
                TraceEvent::Delivered {
                    at,
                    message,
                    attempt,
                    consumer: consumer.as_ref().to_owned(),
                }
            }
            Event::Acked { message, attempt } => TraceEvent::Acked {
                at,
                message: self.of(message),
                attempt,
            },
            Event::Failed {
                message,
                attempt,
                error,
            } => TraceEvent::Failed {
                at,
                message: self.of(message),
                attempt,
                error: error.as_deref().map(str::to_owned),
            },
            Event::Delayed { message, until } => TraceEvent::Delayed {
                at,
                message: self.of(message),
                until: Time(until),
            },
            Event::Dead(letter) => {
                let Letter {
                    message,
                    reason,
                    error,
                    attempts,
                    at: _,
                } = self.letter(&letter);
                TraceEvent::Dead {
                    at,
                    message,
                    reason,
                    error,
                    attempts,
                }
            }
        }
    }
}

/// Compares the queue with the page, when all its events are entered and nothing is left to happen at this instant.
pub(crate) fn compare(queue: &WorkQueue, ledger: &Ledger, names: &Names) -> Checked {
    let now: Millis = queue.now();
    prop_assert_eq!(ledger.due(now), None, "did not happen");
    prop_assert_eq!(queue.next_due(), ledger.next_due());

    // Every message is somewhere, and once.
    let stats = queue.stats();
    prop_assert_eq!(stats, ledger.stats());
    let (put, acked) = ledger.put_and_acked();
    prop_assert_eq!(stats.ready + stats.delayed + stats.leased + stats.dead + acked, put);

    // In the order of their deaths, so that their times do not decrease.
    let dead: Vec<Letter> = queue.dead_letters().map(|letter| names.letter(letter)).collect();
    prop_assert_eq!(&dead[..], ledger.dead_letters());
    prop_assert!(dead.is_sorted_by_key(|letter| letter.at));
    Ok(())
}
