//! A book kept of what a queue says: each event is checked when it is entered, and the queue's answers are compared
//! with the page.
//!
//! It decides nothing. It knows which event may follow which, and what the clauses of chapter 6 say about the times
//! between them.

use std::collections::{BTreeMap, HashMap, VecDeque};

use proptest::prelude::*;
use samewait::queue::{DeadLetter, DeathReason, DeliveryId, Event, MessageId, OnMessage, TimedEvent, WorkQueue};
use samewait::{Attempt, GiveUp, Millis, Policy};

/// A check that fails tells what was wrong.
pub(crate) type Checked = Result<(), TestCaseError>;

pub(crate) struct Ledger {
    policy: Policy,
    message_ttl: Option<Millis>,
    ack_timeout: Option<Millis>,
    messages: HashMap<MessageId, Message>,
    acked: usize,
    /// In the order in which they became ready.
    ready: VecDeque<MessageId>,
    leases: BTreeMap<DeliveryId, Lease>,
    /// In the order of their deaths.
    dead: Vec<DeadLetter>,
    consumers: HashMap<String, Consumer>,
    /// What must be the next events, without what follows from them.
    next: VecDeque<Cause>,
    /// The message whose failure was the event before.
    failed: Option<MessageId>,
    /// The time of the last event.
    last: Millis,
    last_delivery: Option<DeliveryId>,
}

struct Message {
    state: State,
    attempts: u32,
    /// When it was put or replayed.
    born: Millis,
    /// When it last came into the queue.
    came: Millis,
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// Put or replayed, and not yet said to be ready.
    Announced,
    Ready,
    Delayed(Millis),
    Leased(DeliveryId),
    /// Failed, and what follows was not yet said.
    Failed,
    Dead,
    Gone,
}

struct Lease {
    message: MessageId,
    consumer: String,
    end: Option<Millis>,
}

struct Consumer {
    on_message: OnMessage,
    prefetch: Option<u64>,
    held: u64,
}

#[derive(Debug, PartialEq)]
enum Cause {
    Ready(MessageId),
    Acked(MessageId),
    Failed(MessageId, Option<String>),
}

impl Ledger {
    pub(crate) fn new(policy: Policy, message_ttl: f64, ack_timeout: f64) -> Self {
        let limit = |seconds| Some(Millis::nearest(seconds)).filter(|&limit| limit > Millis::default());
        Self {
            policy,
            message_ttl: limit(message_ttl),
            ack_timeout: limit(ack_timeout),
            messages: HashMap::new(),
            acked: 0,
            ready: VecDeque::new(),
            leases: BTreeMap::new(),
            dead: Vec::new(),
            consumers: HashMap::new(),
            next: VecDeque::new(),
            failed: None,
            last: Millis::default(),
            last_delivery: None,
        }
    }

    // What is done to the queue is told to the ledger before the events that came of it are entered.

    pub(crate) fn put(&mut self, id: MessageId, now: Millis) -> Checked {
        prop_assert!(!self.messages.contains_key(&id), "{id:?} is the id of two messages");
        self.begin(id, now);
        Ok(())
    }

    pub(crate) fn replay(&mut self, id: MessageId, now: Millis) {
        self.dead.retain(|letter| letter.message != id);
        self.begin(id, now);
    }

    fn begin(&mut self, id: MessageId, now: Millis) {
        let message = Message {
            state: State::Announced,
            attempts: 0,
            born: now,
            came: now,
            error: None,
        };
        self.messages.insert(id, message);
        self.next.push_back(Cause::Ready(id));
    }

    pub(crate) fn ack(&mut self, delivery: DeliveryId) {
        let acked = self.leases.get(&delivery).map(|lease| Cause::Acked(lease.message));
        self.next.extend(acked);
    }

    pub(crate) fn nack(&mut self, delivery: DeliveryId, error: Option<&str>) {
        let failed = |lease: &Lease| Cause::Failed(lease.message, error.map(str::to_owned));
        self.next.extend(self.leases.get(&delivery).map(failed));
    }

    pub(crate) fn add_consumer(&mut self, name: &str, on_message: OnMessage, prefetch: Option<u64>) {
        let consumer = Consumer {
            on_message,
            prefetch,
            held: 0,
        };
        self.consumers.insert(name.to_owned(), consumer);
    }

    /// its leases fail, in the order of their delivery.
    pub(crate) fn remove_consumer(&mut self, name: &str) {
        self.consumers.remove(name);
        let held = self.leases.values().filter(|lease| lease.consumer == name);
        let failed = held.map(|lease| Cause::Failed(lease.message, Some("consumer removed".to_owned())));
        self.next.extend(failed);
    }

    pub(crate) fn is_live(&self, delivery: DeliveryId) -> bool {
        self.leases.contains_key(&delivery)
    }

    pub(crate) fn is_dead(&self, id: MessageId) -> bool {
        self.messages
            .get(&id)
            .is_some_and(|message| message.state == State::Dead)
    }

    pub(crate) fn has_consumer(&self, name: &str) -> bool {
        self.consumers.contains_key(name)
    }

    pub(crate) fn acked(&self) -> usize {
        self.acked
    }

    /// Enters what happened, all of it.
    pub(crate) fn enter_all(&mut self, events: impl IntoIterator<Item = TimedEvent>) -> Checked {
        for TimedEvent { at, event } in events {
            self.enter(at, &event)
                .map_err(|error| TestCaseError::fail(format!("{event:?} at {at:?}: {error}")))?;
        }
        prop_assert_eq!(self.failed, None, "nothing follows from the failure");
        prop_assert!(self.next.is_empty(), "{:?} did not happen", self.next);
        Ok(())
    }

    /// Enters one event.
    fn enter(&mut self, at: Millis, event: &Event) -> Checked {
        prop_assert!(self.last <= at, "time runs backwards");
        self.last = at;
        match event {
            Event::Ready { message } => self.enter_ready(at, *message),
            Event::Delivered {
                message,
                attempt,
                consumer,
                delivery,
            } => self.enter_delivered(at, *message, *attempt, consumer, *delivery),
            Event::Acked { message, attempt } => self.enter_acked(*message, *attempt),
            Event::Failed {
                message,
                attempt,
                error,
            } => self.enter_failed(at, *message, *attempt, error.as_deref()),
            Event::Delayed { message, until } => self.enter_delayed(at, *message, *until),
            Event::Dead(letter) => self.enter_dead(at, letter),
        }
    }

    fn enter_ready(&mut self, at: Millis, id: MessageId) -> Checked {
        let message = self.message(id)?;
        match message.state {
            State::Announced => {
                prop_assert_eq!(message.born, at);
                self.expect(&Cause::Ready(id))?;
            }
            State::Failed => {
                message.came = at;
                let (attempts, born) = (message.attempts, message.born);
                self.follow(id)?;
                let delay = self.delay_after(attempts, born, at)?;
                prop_assert_eq!(delay, Ok(Millis::default()), "no wait");
            }
            State::Delayed(until) => {
                prop_assert_eq!(until, at, "ready when the delay is not over, or not at once");
                self.may_happen_by_itself()?;
            }
            other @ (State::Ready | State::Leased(_) | State::Dead | State::Gone) => {
                prop_assert!(false, "a second copy of a message that is {other:?}");
            }
        }
        self.message(id)?.state = State::Ready;
        self.ready.push_back(id);
        Ok(())
    }

    fn enter_delivered(
        &mut self,
        at: Millis,
        id: MessageId,
        attempt: u32,
        consumer: &str,
        delivery: DeliveryId,
    ) -> Checked {
        self.may_happen_by_itself()?;
        prop_assert_eq!(
            self.ready.pop_front(),
            Some(id),
            "not the one that has been ready for longest"
        );
        let max_attempts = self.policy.max_attempts();
        let ttl = self.message_ttl;
        let message = self.message(id)?;
        prop_assert_eq!(message.state, State::Ready, "delivered");
        if let Some(ttl) = ttl {
            prop_assert!(at <= message.came + ttl, "delivered after its TTL");
        }
        message.attempts += 1;
        message.state = State::Leased(delivery);
        prop_assert_eq!(message.attempts, attempt);
        prop_assert!(attempt <= max_attempts, "more than {max_attempts} attempts");
        prop_assert!(self.last_delivery < Some(delivery), "a delivery with an old number");
        self.last_delivery = Some(delivery);
        let lease = Lease {
            message: id,
            consumer: consumer.to_owned(),
            end: self.ack_timeout.map(|timeout| at + timeout),
        };
        self.leases.insert(delivery, lease);
        let Some(consumer) = self.consumers.get_mut(consumer) else {
            return Err(TestCaseError::fail("delivered to nobody"));
        };
        consumer.held += 1;
        if let Some(prefetch) = consumer.prefetch {
            prop_assert!(consumer.held <= prefetch, "{} leases of {prefetch}", consumer.held);
        }
        self.next.extend(match &consumer.on_message {
            OnMessage::Hold => None,
            OnMessage::Ack => Some(Cause::Acked(id)),
            OnMessage::Fail(text) => Some(Cause::Failed(id, Some(text.as_ref().to_owned()))),
        });
        Ok(())
    }

    fn enter_acked(&mut self, id: MessageId, attempt: u32) -> Checked {
        self.expect(&Cause::Acked(id))?;
        self.end_lease(id, attempt)?;
        self.message(id)?.state = State::Gone;
        self.acked += 1;
        Ok(())
    }

    fn enter_failed(&mut self, at: Millis, id: MessageId, attempt: u32, error: Option<&str>) -> Checked {
        prop_assert_eq!(self.failed, None, "a failure that nothing follows from");
        let error = error.map(str::to_owned);
        let lease = self.end_lease(id, attempt)?;
        if self.next.is_empty() {
            prop_assert_eq!(error.as_deref(), Some("ack timeout"), "a failure without a cause");
            prop_assert_eq!(lease.end, Some(at), "the lease does not end now");
        } else {
            self.expect(&Cause::Failed(id, error.clone()))?;
        }
        let message = self.message(id)?;
        message.state = State::Failed;
        message.error = error;
        self.failed = Some(id);
        Ok(())
    }

    fn enter_delayed(&mut self, at: Millis, id: MessageId, until: Millis) -> Checked {
        self.follow(id)?;
        let message = self.message(id)?;
        message.state = State::Delayed(until);
        message.came = at;
        let (attempts, born) = (message.attempts, message.born);
        let delay = self.delay_after(attempts, born, at)?;
        prop_assert!(
            delay.is_ok_and(|delay| delay > Millis::default() && until == at + delay),
            "{delay:?}"
        );
        Ok(())
    }

    fn enter_dead(&mut self, at: Millis, letter: &DeadLetter) -> Checked {
        let id = letter.message;
        let ttl = self.message_ttl;
        let message = self.message(id)?;
        let (state, attempts, born, came) = (message.state, message.attempts, message.born, message.came);
        message.state = State::Dead;
        prop_assert_eq!(letter.error.as_deref(), message.error.as_deref());
        prop_assert_eq!(letter.attempts, attempts);
        prop_assert_eq!(letter.at, at);
        match letter.reason {
            DeathReason::TtlExpired => {
                self.may_happen_by_itself()?;
                prop_assert!(
                    matches!(state, State::Ready | State::Delayed(_)),
                    "{state:?} is not waiting"
                );
                prop_assert_eq!(ttl.map(|ttl| came + ttl), Some(at), "not a full TTL after it came");
                if let Some(place) = self.ready.iter().position(|ready| *ready == id) {
                    self.ready.remove(place);
                }
            }
            DeathReason::GaveUp(reason) => {
                self.follow(id)?;
                let delay = self.delay_after(attempts, born, at)?;
                prop_assert_eq!(delay, Err(reason));
            }
        }
        self.dead.push(letter.clone());
        Ok(())
    }

    /// An event that nothing calls for, so that nothing else may be called for.
    fn may_happen_by_itself(&self) -> Checked {
        prop_assert_eq!(self.failed, None, "a failure that nothing follows from");
        prop_assert!(self.next.is_empty(), "{:?} comes first", self.next);
        Ok(())
    }

    /// An event that has a cause, which must be the first that is due.
    fn expect(&mut self, cause: &Cause) -> Checked {
        prop_assert_eq!(self.failed, None, "a failure that nothing follows from");
        let next = self.next.pop_front();
        prop_assert_eq!(next.as_ref(), Some(cause), "not what was to happen next");
        Ok(())
    }

    /// An event that follows from a failure, which must be that of this message and the event before.
    fn follow(&mut self, id: MessageId) -> Checked {
        prop_assert_eq!(
            self.failed.take(),
            Some(id),
            "no failure of this message was the event before"
        );
        Ok(())
    }

    /// What the policy says. Its arithmetic has its own tests.
    fn delay_after(&self, attempts: u32, born: Millis, at: Millis) -> Result<Result<Millis, GiveUp>, TestCaseError> {
        let attempt = Attempt::new(attempts.into()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let age = (at - born).seconds();
        let limit = self.policy.max_message_age();
        Ok(if attempts >= self.policy.max_attempts() {
            Err(GiveUp::MaxAttempts)
        } else if limit > 0.0 && age >= limit {
            Err(GiveUp::MaxMessageAge)
        } else {
            Ok(Millis::nearest(self.policy.backoff(attempt)))
        })
    }

    fn end_lease(&mut self, id: MessageId, attempt: u32) -> Result<Lease, TestCaseError> {
        let message = self.message(id)?;
        let attempts = message.attempts;
        let State::Leased(delivery) = message.state else {
            return Err(TestCaseError::fail(format!("{:?} is not leased", message.state)));
        };
        prop_assert_eq!(attempts, attempt);
        let lease = self.leases.remove(&delivery);
        let lease = lease.ok_or_else(|| TestCaseError::fail("no lease"))?;
        if let Some(consumer) = self.consumers.get_mut(&lease.consumer) {
            consumer.held -= 1;
        }
        Ok(lease)
    }

    fn message(&mut self, id: MessageId) -> Result<&mut Message, TestCaseError> {
        self.messages
            .get_mut(&id)
            .ok_or_else(|| TestCaseError::fail("a message that was never put"))
    }

    /// Compares the queue with the page, when all its events are entered and nothing is left to happen at this instant.
    pub(crate) fn check(&self, queue: &WorkQueue) -> Checked {
        let now = queue.now();
        prop_assert!(self.last <= now, "an event in the future");

        // Every message is somewhere, and once.
        let stats = queue.stats();
        let delayed = self
            .messages
            .values()
            .filter(|message| matches!(message.state, State::Delayed(_)))
            .count();
        prop_assert_eq!(stats.ready, self.ready.len());
        prop_assert_eq!(stats.delayed, delayed);
        prop_assert_eq!(stats.leased, self.leases.len());
        prop_assert_eq!(stats.dead, self.dead.len());
        prop_assert_eq!(
            stats.ready + stats.delayed + stats.leased + stats.dead + self.acked,
            self.messages.len()
        );

        // In the order of their deaths, so that their times do not decrease.
        prop_assert!(
            queue.dead_letters().eq(&self.dead),
            "other dead letters than there were deaths"
        );
        prop_assert!(self.dead.is_sorted_by_key(|letter| letter.at));

        // Nothing is overdue, and what is due next is known.
        let due = self.messages.values().flat_map(|message| {
            let delay = if let State::Delayed(until) = message.state {
                Some(until)
            } else {
                None
            };
            let is_waiting = matches!(message.state, State::Ready | State::Delayed(_));
            let ttl = self.message_ttl.filter(|_| is_waiting).map(|ttl| message.came + ttl);
            [delay, ttl]
        });
        let due = due.chain(self.leases.values().map(|lease| lease.end)).flatten().min();
        prop_assert_eq!(queue.next_due(), due);
        prop_assert!(due.is_none_or(|due| due > now), "what is due at {due:?} did not happen");

        // Nobody waits for a consumer that has room.
        let has_room = |consumer: &Consumer| consumer.prefetch.is_none_or(|prefetch| consumer.held < prefetch);
        prop_assert!(
            self.ready.is_empty() || !self.consumers.values().any(has_room),
            "a message waits for nothing"
        );
        Ok(())
    }
}
