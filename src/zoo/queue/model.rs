//! The queue: one list of messages, and whoever looks for one looks at all.

use super::Habits;
use super::order::Order;
use crate::millis::Millis;
use crate::policy::PolicyFields;
use crate::scenario::{Handler, Letter, Time, TraceEvent};
use crate::zoo::rules::Rules;

/// How many things may happen in a scenario. A bug may let a message fail for ever at one instant.
const FUSE: u32 = 20_000;

/// Times are milliseconds since the start. Places grow with everything that happens: of two, the smaller was taken first.
pub(super) struct Queue<'a> {
    pub(super) rules: &'a Rules,
    pub(super) habits: &'a Habits,
    pub(super) fields: &'a PolicyFields,
    pub(super) message_ttl: Option<u64>,
    pub(super) ack_timeout: Option<u64>,
    pub(super) now: u64,
    pub(super) fuse: u32,
    pub(super) messages: Vec<Message>,
    pub(super) consumers: Vec<Consumer>,
    /// Those that went.
    pub(super) removed: Vec<Consumer>,
    pub(super) letters: Vec<Record>,
    /// How many letters have been read already.
    pub(super) read: usize,
    /// How many messages have ever died.
    pub(super) deaths: usize,
    /// The attempts of all messages, where one counter is kept for them.
    pub(super) attempts: u32,
    pub(super) trace: Vec<TraceEvent>,
    places: i64,
}

/// A message, from its put on.
pub(super) struct Message {
    pub(super) name: String,
    pub(super) state: State,
    pub(super) attempts: u32,
    /// In all lives.
    pub(super) deliveries: u64,
    pub(super) put: u64,
    /// When its age began; none where it has no age.
    pub(super) born: Option<u64>,
    pub(super) first_delivery: Option<u64>,
    pub(super) latest_delivery: u64,
    pub(super) latest_return: u64,
    /// When its TTL runs out, and the place of that clock's start.
    pub(super) use_by: Option<(u64, i64)>,
    /// How much of the TTL was left at the latest delivery.
    pub(super) ttl_left: u64,
    pub(super) error: Option<String>,
    /// The consumer that had it last.
    pub(super) consumer: u64,
    /// When timers fire that have outlived their leases.
    pub(super) old_timers: Vec<u64>,
    /// Why it dies when it is taken again.
    pub(super) doomed: Option<String>,
    pub(super) laps: u32,
    /// Whether no consumer takes it.
    pub(super) is_marked: bool,
}

/// Where a message is.
#[derive(Debug, Clone, Copy)]
pub(super) enum State {
    Ready {
        place: i64,
    },
    Delayed {
        place: i64,
        /// When it becomes ready; none for never.
        until: Option<u64>,
        /// When the lease ends that it still has.
        lease_end: Option<u64>,
    },
    Leased {
        place: i64,
        end: Option<u64>,
        /// Whether its handler has still to act.
        is_pending: bool,
    },
    Dead,
    /// On its way from one state to another.
    Between,
    Gone,
}

pub(super) struct Consumer {
    pub(super) number: u64,
    pub(super) name: String,
    pub(super) on_message: Handler,
    pub(super) prefetch: Option<u64>,
    /// Messages it has ever got.
    pub(super) taken: u64,
    /// Failures it has ever seen.
    pub(super) failures: u32,
    /// Places that count as taken, though no lease takes them; below 0 for room that it should not have.
    pub(super) lost_places: i64,
    /// Whether it was removed, and gets messages nevertheless.
    pub(super) is_gone: bool,
    pub(super) is_awake: bool,
}

/// A dead letter, and what it is sorted by.
pub(super) struct Record {
    pub(super) place: i64,
    pub(super) message: usize,
    pub(super) letter: Letter,
}

impl<'a> Queue<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        fields: &'a PolicyFields,
        message_ttl: Option<u64>,
        ack_timeout: Option<u64>,
    ) -> Self {
        Self {
            rules,
            habits: &rules.habits,
            fields,
            message_ttl,
            ack_timeout,
            now: 0,
            fuse: FUSE,
            messages: Vec::new(),
            consumers: Vec::new(),
            removed: Vec::new(),
            letters: Vec::new(),
            read: 0,
            deaths: 0,
            attempts: 0,
            trace: Vec::new(),
            places: 0,
        }
    }

    pub(super) fn next_place(&mut self) -> i64 {
        self.places += 1;
        self.places
    }

    pub(super) fn at(&self) -> Time {
        Time(Millis::new(self.now))
    }

    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.messages.iter().position(|message| message.name == name)
    }

    /// The messages that have a place in something, in an order.
    pub(super) fn sorted(&self, order: Order, place: impl Fn(&Message) -> Option<i64>) -> Vec<usize> {
        let mut found: Vec<(i64, usize)> = Vec::new();
        for (index, message) in self.messages.iter().enumerate() {
            found.extend(place(message).map(|place| (place, index)));
        }
        match order {
            Order::FirstCome => found.sort_unstable(),
            Order::LastCome => found.sort_unstable_by_key(|&(place, _)| -place),
            Order::ByPut => found.sort_unstable_by_key(|&(_, index)| index),
            Order::ByName => found.sort_by_key(|&(place, index)| (&self.messages[index].name, place)),
            Order::FewestAttempts => found.sort_by_key(|&(place, index)| (self.messages[index].attempts, place)),
        }
        found.into_iter().map(|(_, index)| index).collect()
    }

    /// The first of them.
    pub(super) fn first(&self, order: Order, place: impl Fn(&Message) -> Option<i64>) -> Option<usize> {
        self.sorted(order, place).first().copied()
    }
}

impl Message {
    pub(super) fn new(name: &str, now: u64) -> Self {
        Self {
            name: name.to_owned(),
            state: State::Between,
            attempts: 0,
            deliveries: 0,
            put: now,
            born: Some(now),
            first_delivery: None,
            latest_delivery: now,
            latest_return: now,
            use_by: None,
            ttl_left: 0,
            error: None,
            consumer: 0,
            old_timers: Vec::new(),
            doomed: None,
            laps: 0,
            is_marked: false,
        }
    }

    /// The place of its lease, if it has one.
    pub(super) fn lease(&self) -> Option<i64> {
        match self.state {
            State::Leased { place, .. } => Some(place),
            State::Ready { .. } | State::Delayed { .. } | State::Dead | State::Between | State::Gone => None,
        }
    }

    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.state, State::Ready { .. } | State::Delayed { .. })
    }
}
