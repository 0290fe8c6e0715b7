//! What the book says of the queue at this moment.

use std::fmt;

use super::due::clauses_of;
use super::fault::{Fault, ensure};
use super::ledger::{Lease, Ledger, Message, State};
use crate::backoff::Attempt;
use crate::millis::Millis;
use crate::next_delay::{GiveUp, NextDelay};
use crate::queue::Stats;
use crate::scenario::{Letter, Time, TraceEvent};

impl Ledger {
    /// How many messages are in each state.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let is_delayed = |message: &&Message| matches!(message.state, State::Delayed { .. });
        Stats {
            ready: self.ready.len(),
            delayed: self.messages.values().filter(is_delayed).count(),
            leased: self.leases.len(),
            dead: self.dead.len(),
        }
    }

    /// The dead messages, in the order of their deaths.
    #[must_use]
    pub fn dead_letters(&self) -> &[Letter] {
        &self.dead
    }

    /// How many messages were put, and how many of them are gone for good.
    #[must_use]
    pub fn put_and_acked(&self) -> (usize, usize) {
        (self.messages.len(), self.acked)
    }

    /// Whether the lease of that delivery is live: the k-th of the message, or its latest.
    #[must_use]
    pub fn is_live(&self, message: &str, delivery: Option<u64>) -> bool {
        self.live(message, delivery).is_some()
    }

    /// Whether the message is dead.
    #[must_use]
    pub fn is_dead(&self, message: &str) -> bool {
        self.messages
            .get(message)
            .is_some_and(|message| message.state == State::Dead)
    }

    /// Whether a consumer has that name.
    #[must_use]
    pub fn has_consumer(&self, name: &str) -> bool {
        self.consumers.contains_key(name)
    }

    /// The attempt of a delivery whose lease is live.
    pub(super) fn live(&self, name: &str, delivery: Option<u64>) -> Option<u32> {
        let message = self.messages.get(name)?;
        let asked = match delivery {
            None => message.deliveries.last(),
            Some(number) => message.deliveries.get(usize::try_from(number.checked_sub(1)?).ok()?),
        };
        (message.state == State::Leased(*asked?)).then_some(message.attempts)
    }

    /// A message comes back by a failure: its TTL clock starts again. What the policy says of it; its arithmetic has its own laws.
    pub(super) fn came_back(&mut self, at: Millis, name: &str) -> Result<Decided, Fault> {
        let (policy, clock) = (self.policy, self.place());
        let message = self.message(name)?;
        message.came = at;
        message.clock = clock;
        let age = (at - message.born).seconds();
        let attempt = Attempt::new(message.attempts.into());
        match attempt.and_then(|attempt| policy.next_delay(attempt, Some(age))) {
            Ok(NextDelay::Retry(delay)) => Ok(Decided(Ok(Millis::nearest(delay)))),
            Ok(NextDelay::GiveUp(reason)) => Ok(Decided(Err(reason))),
            Err(rejection) => Err(Fault::new(&["Q-13"], "a failure of an attempt", rejection)),
        }
    }

    /// A lease ends.
    pub(super) fn end_lease(&mut self, name: &str, attempt: u32) -> Result<Lease, Fault> {
        let message = self.message(name)?;
        let (state, attempts) = (message.state, message.attempts);
        let State::Leased(place) = state else {
            let found = format_args!("the end of its lease, while it is {state}");
            return Err(Fault::new(&["Q-1", "Q-10"], format_args!("{name} leased"), found));
        };
        let expected = format_args!("attempt {attempts} of {name}");
        ensure(
            attempt == attempts,
            &["Q-5"],
            expected,
            format_args!("attempt {attempt}"),
        )?;
        let Some(lease) = self.leases.remove(&place) else {
            return Err(Fault::new(&["Q-1"], format_args!("a lease of {name}"), "none"));
        };
        if let Some(consumer) = self.consumers.get_mut(&lease.consumer) {
            consumer.held -= 1;
        }
        Ok(lease)
    }

    pub(super) fn message(&mut self, name: &str) -> Result<&mut Message, Fault> {
        let unknown = || Fault::new(&["Q-1"], "a message that was put", name);
        self.messages.get_mut(name).ok_or_else(unknown)
    }

    /// An event that has a cause: it must be the first that is called for.
    pub(super) fn called_for(&mut self, event: &TraceEvent) -> Result<(), Fault> {
        self.nothing_has_failed(event)?;
        let next = self.next.pop_front();
        let clauses = clauses_of(next.as_ref().unwrap_or(event));
        let is_next = next.as_ref() == Some(event);
        match &next {
            Some(next) => ensure(is_next, clauses, next, event),
            None => ensure(is_next, clauses, "nothing of that kind", event),
        }
    }

    /// An event that happens by itself: nothing else may be called for.
    pub(super) fn not_called_for(&self, event: &TraceEvent) -> Result<(), Fault> {
        self.nothing_has_failed(event)?;
        self.next
            .front()
            .map_or(Ok(()), |next| Err(Fault::new(clauses_of(next), next, event)))
    }

    fn nothing_has_failed(&self, event: &TraceEvent) -> Result<(), Fault> {
        let Some(failed) = &self.failed else {
            return Ok(());
        };
        let expected = format_args!("what follows from the failure of {failed}");
        Err(Fault::new(&["Q-13"], expected, event))
    }

    /// An event that follows from a failure: that of this message, in the event before.
    pub(super) fn follows(&mut self, event: &TraceEvent, name: &str) -> Result<(), Fault> {
        let Some(failed) = self.failed.take() else {
            self.not_called_for(event)?;
            return Err(Fault::new(&["Q-13"], format_args!("a failure of {name} first"), event));
        };
        let expected = format_args!("what follows from the failure of {failed}");
        ensure(failed == name, &["Q-13"], expected, event)
    }
}

/// What the policy says after a failure.
pub(super) struct Decided(pub(super) Result<Millis, GiveUp>);

impl Decided {
    pub(super) fn is_at_once(&self) -> bool {
        self.0 == Ok(Millis::default())
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Ok(_) if self.is_at_once() => f.write_str("ready at once"),
            Ok(delay) => write!(f, "delayed for {}", Time(delay)),
            Err(reason) => write!(f, "dead: {}", reason.name()),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Announced => "just put or replayed",
            Self::Ready => "ready",
            Self::Delayed { .. } => "delayed",
            Self::Leased(_) => "leased",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Gone => "gone",
        })
    }
}
