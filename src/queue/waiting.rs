//! Messages that wait: ready or delayed, and the TTL clocks that run meanwhile.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    entries: HashMap<MessageId, Entry>,
}

/// Where a waiting message stands in the three sets.
#[derive(Debug, Default, Clone, Copy)]
struct Entry {
    ready: Option<u64>,
    delayed: Option<(Millis, u64)>,
    clock: Option<(Millis, u64)>,
}

impl Waiting {
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    pub(super) fn delayed(&self) -> usize {
        self.delayed.len()
    }

    pub(super) fn make_ready(&mut self, message: MessageId, place: u64) {
        self.ready.insert(place, message);
        self.entries.entry(message).or_default().ready = Some(place);
    }

    pub(super) fn delay(&mut self, message: MessageId, until: Millis, entry: u64) {
        self.delayed.insert((until, entry, message));
        self.entries.entry(message).or_default().delayed = Some((until, entry));
    }

    pub(super) fn start_clock(&mut self, message: MessageId, end: Millis, start: u64) {
        self.clocks.insert((end, start, message));
        self.entries.entry(message).or_default().clock = Some((end, start));
    }

    /// Takes the message that has been ready for longest; its clock stops.
    pub(super) fn take_ready(&mut self) -> Option<MessageId> {
        let (_, &message) = self.ready.first_key_value()?;
        self.forget(message);
        Some(message)
    }

    /// Takes the first message whose delay has ended; its clock goes on.
    pub(super) fn end_delay(&mut self, now: Millis) -> Option<MessageId> {
        let &(until, _, message) = self.delayed.first()?;
        if until > now {
            return None;
        }
        self.delayed.pop_first();
        if let Some(entry) = self.entries.get_mut(&message) {
            entry.delayed = None;
        }
        Some(message)
    }

    /// The first message whose clock has run out.
    pub(super) fn expired(&self, now: Millis) -> Option<MessageId> {
        let &(end, _, message) = self.clocks.first()?;
        (end <= now).then_some(message)
    }

    /// The message waits no longer.
    pub(super) fn forget(&mut self, message: MessageId) {
        let Some(entry) = self.entries.remove(&message) else {
            return;
        };
        if let Some(place) = entry.ready {
            self.ready.remove(&place);
        }
        if let Some((until, order)) = entry.delayed {
            self.delayed.remove(&(until, order, message));
        }
        if let Some((end, start)) = entry.clock {
            self.clocks.remove(&(end, start, message));
        }
    }

    pub(super) fn next_due(&self) -> Option<Millis> {
        let delay = self.delayed.first().map(|(until, ..)| *until);
        let clock = self.clocks.first().map(|(end, ..)| *end);
        delay.into_iter().chain(clock).min()
    }
}
