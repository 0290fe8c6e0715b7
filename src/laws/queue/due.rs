//! What happens next by itself, by the page: the order of Q-26.

use std::fmt;

use super::fault::{Fault, ensure};
use super::ledger::{Consumer, Ledger, State};
use crate::millis::Millis;
use crate::scenario::{Time, TraceEvent};

/// What the next event must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// Exactly this: it follows from a step or from a handler.
    Exactly(TraceEvent),
    /// What follows from the failure of this message.
    FollowUp(String),
    /// The lease of this message ends.
    LeaseEnd(Millis, String),
    /// The delay of this message ends.
    DelayEnd(Millis, String),
    /// This message is delivered, to whomever.
    Delivery(Millis, String),
    /// The TTL of this message runs out.
    TtlEnd(Millis, String),
}

impl Due {
    /// Whether this event is it. What else the event says is looked at when it is entered.
    ///
    /// # Errors
    ///
    /// That it is another one, or none.
    pub fn check(&self, event: Option<&TraceEvent>) -> Result<(), Fault> {
        let is_it = match (self, event) {
            (Self::Exactly(expected), Some(event)) => expected == event,
            // What may follow is looked at when it is entered.
            (Self::FollowUp(_), Some(_)) => true,
            (Self::LeaseEnd(at, name), Some(TraceEvent::Failed { message, .. }))
            | (Self::DelayEnd(at, name), Some(TraceEvent::Ready { message, .. }))
            | (Self::Delivery(at, name), Some(TraceEvent::Delivered { message, .. }))
            | (Self::TtlEnd(at, name), Some(TraceEvent::Dead { message, .. })) => {
                name == message && event.map(TraceEvent::at) == Some(*at)
            }
            (
                Self::Exactly(_)
                | Self::FollowUp(_)
                | Self::LeaseEnd(..)
                | Self::DelayEnd(..)
                | Self::Delivery(..)
                | Self::TtlEnd(..),
                _,
            ) => false,
        };
        match event {
            Some(event) => ensure(is_it, self.clauses(), self, event),
            None => ensure(is_it, self.clauses(), self, "nothing more"),
        }
    }

    fn clauses(&self) -> &'static [&'static str] {
        match self {
            Self::Exactly(event) => clauses_of(event),
            Self::FollowUp(_) => &["Q-13"],
            Self::LeaseEnd(..) => &["Q-11", "Q-26"],
            Self::DelayEnd(..) => &["Q-16", "Q-26"],
            Self::Delivery(..) => &["Q-3", "Q-26"],
            Self::TtlEnd(..) => &["Q-18", "Q-26"],
        }
    }
}

/// The clauses by which a step or a handler makes an event.
pub(super) fn clauses_of(event: &TraceEvent) -> &'static [&'static str] {
    match event {
        TraceEvent::Ready { .. } => &["Q-2", "Q-22"],
        TraceEvent::Acked { .. } => &["Q-7", "Q-8"],
        TraceEvent::Failed { .. } => &["Q-7", "Q-9", "Q-12"],
        TraceEvent::Refused { r#do, .. } => match r#do.as_str() {
            "ack" | "nack" => &["Q-10"],
            "replay" => &["Q-23"],
            _ => &["Q-24"],
        },
        TraceEvent::Stats { .. } => &["Q-1", "Q-29"],
        TraceEvent::DeadLetters { .. } => &["Q-21"],
        TraceEvent::Delivered { .. } | TraceEvent::Delayed { .. } | TraceEvent::Dead { .. } => &["Q-27", "Q-30"],
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(event) => write!(f, "{event}"),
            Self::FollowUp(name) => write!(f, "what follows from the failure of {name}"),
            Self::LeaseEnd(at, name) => write!(f, "{}  {name} failed, \"ack timeout\": its lease ends", Time(*at)),
            Self::DelayEnd(at, name) => write!(f, "{}  {name} ready: its delay ends", Time(*at)),
            Self::Delivery(at, name) => write!(f, "{}  {name} delivered: a consumer has room", Time(*at)),
            Self::TtlEnd(at, name) => write!(f, "{}  {name} dead: its TTL runs out", Time(*at)),
        }
    }
}

impl Ledger {
    /// The first thing that must still happen at or before a time, if anything must.
    ///
    /// Looks at all messages, so that it is seen to be right.
    #[must_use]
    pub fn due(&self, by: Millis) -> Option<Due> {
        if let Some(failed) = &self.failed {
            return Some(Due::FollowUp(failed.clone()));
        }
        if let Some(next) = self.next.front() {
            return Some(Due::Exactly(next.clone()));
        }
        // At this instant, and when nothing more happens then, at the next one at which something does.
        self.first_at(self.now)
            .or_else(|| self.first_at(self.next_due().filter(|&due| due <= by)?))
    }

    /// When a lease, a delay or a TTL ends next.
    #[must_use]
    pub fn next_due(&self) -> Option<Millis> {
        let leases = self.leases.values().filter_map(|lease| lease.end);
        let delays = self.delays().map(|(until, ..)| until);
        leases.chain(delays).chain(self.ttls().map(|(end, ..)| end)).min()
    }

    /// The order of Q-26.
    fn first_at(&self, now: Millis) -> Option<Due> {
        let mut leases = self.leases.values();
        if let Some(lease) = leases.find(|lease| lease.end.is_some_and(|end| end <= now)) {
            return Some(Due::LeaseEnd(now, lease.message.clone()));
        }
        let delay = self
            .delays()
            .filter(|(until, ..)| *until <= now)
            .min_by_key(|(_, order, _)| *order);
        if let Some((_, _, name)) = delay {
            return Some(Due::DelayEnd(now, name.to_owned()));
        }
        if let Some(oldest) = self.ready.front()
            && self.consumers.values().any(Consumer::has_room)
        {
            return Some(Due::Delivery(now, oldest.clone()));
        }
        let ttl = self
            .ttls()
            .filter(|(end, ..)| *end <= now)
            .min_by_key(|(_, clock, _)| *clock);
        ttl.map(|(_, _, name)| Due::TtlEnd(now, name.to_owned()))
    }

    /// Where each delay ends, and its place in the order in which they began.
    fn delays(&self) -> impl Iterator<Item = (Millis, u64, &str)> {
        self.messages.iter().filter_map(|(name, message)| match message.state {
            State::Delayed { until, order } => Some((until, order, name.as_str())),
            State::Announced | State::Ready | State::Leased(_) | State::Failed | State::Dead | State::Gone => None,
        })
    }

    /// Where each TTL clock that runs ends, and its place in the order in which they started.
    fn ttls(&self) -> impl Iterator<Item = (Millis, u64, &str)> {
        let waits = |state| matches!(state, State::Ready | State::Delayed { .. });
        let running = self.messages.iter().filter(move |(_, message)| waits(message.state));
        running.filter_map(|(name, message)| Some((message.came + self.message_ttl?, message.clock, name.as_str())))
    }
}
