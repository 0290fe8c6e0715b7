//! Messages that wait: ready or delayed, and the TTL clocks that run meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use super::event::MessageId;
use crate::millis::Millis;

/// Each set is ordered as the specification wants its members served; the numbers are those of the queue's sequence.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// By the order in which they became ready.
    ready: BTreeMap<u64, MessageId>,
    /// By the end of the delay, then by the order in which they became delayed.
    delayed: BTreeSet<(Millis, u64, MessageId)>,
    /// By the end of the clock, then by the order in which the clocks started.
    clocks: BTreeSet<(Millis, u64, MessageId)>,
}

/// Where a waiting message stands in the sets, so that it can be taken out of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) kind: Kind,
    /// When its TTL clock runs out, and the place of the clock's start in the sequence.
    pub(super) clock: Option<(Millis, u64)>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// The place among the ready ones.
    Ready(u64),
    /// Until when, and the place among those that are delayed until then.
    Delayed(Millis, u64),
}

impl Waiting {
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    pub(super) fn delayed(&self) -> usize {
        self.delayed.len()
    }

    pub(super) fn insert(&mut self, message: MessageId, place: Place) {
        match place.kind {
            Kind::Ready(order) => {
                self.ready.insert(order, message);
            }
            Kind::Delayed(until, order) => {
                self.delayed.insert((until, order, message));
            }
        }
        if let Some((end, start)) = place.clock {
            self.clocks.insert((end, start, message));
        }
    }

    pub(super) fn remove(&mut self, message: MessageId, place: Place) {
        match place.kind {
            Kind::Ready(order) => {
                self.ready.remove(&order);
            }
            Kind::Delayed(until, order) => {
                self.delayed.remove(&(until, order, message));
            }
        }
        if let Some((end, start)) = place.clock {
            self.clocks.remove(&(end, start, message));
        }
    }

    /// The message that has been ready for longest.
    pub(super) fn first_ready(&self) -> Option<MessageId> {
        self.ready.first_key_value().map(|(_, message)| *message)
    }

    /// The first message whose delay has ended.
    pub(super) fn first_delayed(&self, now: Millis) -> Option<MessageId> {
        let (until, _, message) = self.delayed.first()?;
        (*until <= now).then_some(*message)
    }

    /// The first message whose clock has run out.
    pub(super) fn first_expired(&self, now: Millis) -> Option<MessageId> {
        let (end, _, message) = self.clocks.first()?;
        (*end <= now).then_some(*message)
    }

    pub(super) fn next_due(&self) -> Option<Millis> {
        let delay = self.delayed.first().map(|(until, ..)| *until);
        let clock = self.clocks.first().map(|(end, ..)| *end);
        delay.into_iter().chain(clock).min()
    }
}
