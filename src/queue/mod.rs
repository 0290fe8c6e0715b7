//! A work queue in virtual time: leases, retries and the use-by clock. Implements chapter 6 of the specification.
//!
//! # Design
//!
//! The queue is a value: time passes when [`WorkQueue::advance`] says so, and what happened is read from
//! [`WorkQueue::take_events`]. It knows nothing of names of messages, of scenarios, or of files. Every operation costs the
//! logarithm of the messages present (and what the events it causes cost); memory is linear in the messages that are not acked.

mod consumers;
mod event;
mod waiting;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use slotmap::SlotMap;

use crate::backoff::Attempt;
use crate::jitter::duration;
use crate::millis::Millis;
use crate::next_delay::NextDelay;
use crate::policy::Policy;
use crate::rejection::{Argument, Rejection};
use consumers::Consumers;
pub use consumers::OnMessage;
pub use event::{DeadLetter, DeathReason, DeliveryId, Event, MessageId, Refused, Stats, TimedEvent};
use waiting::{Kind, Place, Waiting};

/// What a queue is made with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QueueConfig {
    policy: Policy,
    message_ttl: Option<Millis>,
    ack_timeout: Option<Millis>,
}

impl QueueConfig {
    /// A queue that retries by `policy`, lets messages wait for `message_ttl` seconds and leases last for `ack_timeout` seconds; 0, and what
    /// rounds to 0 ms (Q-32), means without end for both.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `message_ttl`, then `ack_timeout`, outside 0 to [`HORIZON`](crate::HORIZON) (Q-31).
    pub fn new(policy: Policy, message_ttl: f64, ack_timeout: f64) -> Result<Self, Rejection> {
        let limit = |argument, seconds| {
            let seconds = duration(argument, seconds)?;
            Ok(Some(Millis::nearest(seconds)).filter(|&limit| limit > Millis::default()))
        };
        Ok(Self {
            policy,
            message_ttl: limit(Argument::MessageTtl, message_ttl)?,
            ack_timeout: limit(Argument::AckTimeout, ack_timeout)?,
        })
    }
}

/// A deterministic work queue on a virtual clock. Implements Q-1 to Q-28.
///
/// The first program of the seed this project grew from: a flaky job, nacked three times, with 20 seconds between.
///
/// ```
/// use samewait::queue::{Event, OnMessage, QueueConfig, WorkQueue};
/// use samewait::{Attempt, Millis, Policy, PolicyFields};
///
/// let policy = Policy::new(PolicyFields { max_attempts: 5, initial_delay: 1.0, max_delay: 10.0, ..PolicyFields::default() })?;
/// let waits: Vec<f64> = (1..6).map(|n| Ok(policy.backoff(Attempt::new(n)?))).collect::<Result<_, samewait::Rejection>>()?;
/// assert_eq!(format!("waits: {waits:?}"), "waits: [1.0, 2.0, 4.0, 8.0, 10.0]");
///
/// let mut queue = WorkQueue::new(QueueConfig::new(policy, 0.0, 0.0)?);
/// queue.add_consumer("worker", OnMessage::Hold, None)?;
/// queue.put();
/// let mut printed = Vec::new();
/// for round in 1..=3 {
///     let held = queue.take_events().filter_map(|timed| timed.event.delivery()).last();
///     queue.nack(held.expect("the consumer holds the job"), Some("oops"))?;
///     queue.advance(Millis::nearest(20.0 * f64::from(round)));
///     printed.extend(queue.events().filter_map(|timed| match &timed.event {
///         Event::Delivered { attempt, .. } => Some(format!("attempt {attempt} delivered")),
///         _ => None,
///     }));
/// }
/// assert_eq!(printed, ["attempt 2 delivered", "attempt 3 delivered", "attempt 4 delivered"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Its second program: the milk, with a use-by date of five seconds.
///
/// ```
/// use samewait::queue::{OnMessage, QueueConfig, WorkQueue};
/// use samewait::{Millis, Policy, PolicyFields};
///
/// let policy = Policy::new(PolicyFields { max_attempts: 3, initial_delay: 1.0, ..PolicyFields::default() })?;
/// let mut queue = WorkQueue::new(QueueConfig::new(policy, 5.0, 0.0)?);
/// queue.put(); // the 5 s clock starts now
/// queue.advance(Millis::nearest(4.0));
/// queue.add_consumer("worker", OnMessage::Hold, None)?;
/// queue.remove_consumer("worker")?; // handed back at 4 s: the clock starts again
/// queue.advance(Millis::nearest(8.0));
/// let stats = queue.stats();
/// assert_eq!(format!("at 8 s, waiting: {} dead: {}", stats.ready, stats.dead), "at 8 s, waiting: 1 dead: 0");
/// queue.advance(Millis::nearest(10.0));
/// let reason = queue.dead_letters().next().map(|letter| letter.reason.name());
/// assert_eq!((queue.stats().dead, reason), (1, Some("ttl_expired")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WorkQueue {
    config: QueueConfig,
    now: Millis,
    /// Counts everything that needs an order: messages, deliveries, entries into a state.
    sequence: u64,
    messages: SlotMap<MessageId, Message>,
    waiting: Waiting,
    leases: BTreeMap<DeliveryId, Lease>,
    lease_ends: BTreeSet<(Millis, DeliveryId)>,
    dead: BTreeMap<u64, DeadLetter>,
    consumers: Consumers,
    had_choice: bool,
    /// How many things may still happen by themselves.
    fuse: u64,
    events: Vec<TimedEvent>,
}

/// A message that is not acked.
#[derive(Debug)]
struct Message {
    state: State,
    /// The attempt that was delivered last; none before the first.
    attempt: Option<Attempt>,
    /// When it was first put, or last replayed.
    since: Millis,
    /// The text of its last failure since then.
    error: Option<Arc<str>>,
}

impl Message {
    /// A message that has come into the queue, and waits nowhere yet.
    fn new(since: Millis) -> Self {
        Self {
            state: State::Between,
            attempt: None,
            since,
            error: None,
        }
    }
}

/// Where a message is (Q-1).
#[derive(Debug, Clone, Copy)]
enum State {
    /// Ready or delayed.
    Waiting(Place),
    /// On its way from one state to another, within one operation.
    Between,
    Leased,
    /// The place among the dead letters.
    Dead(u64),
}

#[derive(Debug)]
struct Lease {
    message: MessageId,
    consumer: Arc<str>,
    end: Option<Millis>,
}

impl WorkQueue {
    /// An empty queue at time 0.
    #[must_use]
    pub fn new(config: QueueConfig) -> Self {
        Self {
            config,
            now: Millis::default(),
            sequence: 0,
            messages: SlotMap::with_key(),
            waiting: Waiting::default(),
            leases: BTreeMap::new(),
            lease_ends: BTreeSet::new(),
            dead: BTreeMap::new(),
            consumers: Consumers::default(),
            had_choice: false,
            fuse: u64::MAX,
            events: Vec::new(),
        }
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Lets time pass until `to`, with everything that is due until then (Q-25). A time that is past already changes nothing.
    pub fn advance(&mut self, to: Millis) {
        while let Some(due) = self.next_due().filter(|&due| due <= to && !self.is_blown()) {
            self.now = self.now.max(due);
            self.settle();
        }
        self.now = self.now.max(to);
    }

    /// Puts a new message into the queue. Implements Q-2.
    pub fn put(&mut self) -> MessageId {
        let id = self.messages.insert(Message::new(self.now));
        let clock = self.fresh_clock();
        self.make_ready(id, clock);
        self.settle();
        id
    }

    /// Adds a consumer that holds at most `prefetch` leases; none for no limit. Implements Q-4, Q-7 and Q-24.
    ///
    /// # Errors
    ///
    /// [`Refused::DuplicateConsumer`] when the name is in use.
    pub fn add_consumer(&mut self, name: &str, on_message: OnMessage, prefetch: Option<u64>) -> Result<(), Refused> {
        let order = self.next();
        self.consumers.add(name, order, on_message, prefetch)?;
        self.settle();
        Ok(())
    }

    /// Removes a consumer; its leases fail in the order of their delivery. Implements Q-12 and Q-24.
    ///
    /// # Errors
    ///
    /// [`Refused::UnknownConsumer`] when no consumer has that name.
    pub fn remove_consumer(&mut self, name: &str) -> Result<(), Refused> {
        for delivery in self.consumers.remove(name)? {
            self.fail(delivery, Some("consumer removed".into()));
        }
        self.settle();
        Ok(())
    }

    /// Settles a delivery for good. Implements Q-8 and Q-10.
    ///
    /// # Errors
    ///
    /// [`Refused::UnknownDelivery`] when its lease is not live.
    pub fn ack(&mut self, delivery: DeliveryId) -> Result<(), Refused> {
        if !self.leases.contains_key(&delivery) {
            return Err(Refused::UnknownDelivery);
        }
        self.finish(delivery);
        self.settle();
        Ok(())
    }

    /// Fails a delivery. Implements Q-9 and Q-10.
    ///
    /// # Errors
    ///
    /// [`Refused::UnknownDelivery`] when its lease is not live.
    pub fn nack(&mut self, delivery: DeliveryId, error: Option<&str>) -> Result<(), Refused> {
        if !self.leases.contains_key(&delivery) {
            return Err(Refused::UnknownDelivery);
        }
        self.fail(delivery, error.map(Arc::from));
        self.settle();
        Ok(())
    }

    /// Puts a dead message back in, as if it were new. Implements Q-22 and Q-23.
    ///
    /// # Errors
    ///
    /// [`Refused::NotDead`] when it is not dead, or not there.
    pub fn replay(&mut self, id: MessageId) -> Result<(), Refused> {
        let now = self.now;
        let message = self.messages.get_mut(id).ok_or(Refused::NotDead)?;
        let State::Dead(place) = message.state else {
            return Err(Refused::NotDead);
        };
        *message = Message::new(now);
        self.dead.remove(&place);
        let clock = self.fresh_clock();
        self.make_ready(id, clock);
        self.settle();
        Ok(())
    }

    /// How many messages are in each state. Implements Q-29.
    #[must_use]
    pub fn stats(&self) -> Stats {
        Stats {
            ready: self.waiting.ready(),
            delayed: self.waiting.delayed(),
            leased: self.leases.len(),
            dead: self.dead.len(),
        }
    }

    /// The dead messages, in the order of their deaths. Implements Q-21.
    pub fn dead_letters(&self) -> impl Iterator<Item = &DeadLetter> {
        self.dead.values()
    }

    /// The events since they were last taken, in the order in which they happened.
    pub fn events(&self) -> impl Iterator<Item = &TimedEvent> {
        self.events.iter()
    }

    /// Takes the events; what is not taken is kept.
    pub fn take_events(&mut self) -> impl Iterator<Item = TimedEvent> + use<> {
        std::mem::take(&mut self.events).into_iter()
    }

    /// Whether some delivery could have gone to another consumer as well, which the specification leaves open (Q-4).
    #[must_use]
    pub fn had_choice(&self) -> bool {
        self.had_choice
    }

    /// When something is due next: the end of a lease, of a delay, or of a TTL.
    ///
    /// Advancing from one such time to the next keeps the list of events short over a long time.
    #[must_use]
    pub fn next_due(&self) -> Option<Millis> {
        let lease_end = self.lease_ends.first().map(|(end, _)| *end);
        lease_end.into_iter().chain(self.waiting.next_due()).min()
    }

    /// Lets so many more things happen by themselves and then no more: a fuse for scenarios from elsewhere, in which a message may
    /// fail two thousand million times within one instant.
    pub fn set_fuse(&mut self, occurrences: u64) {
        self.fuse = occurrences;
    }

    /// Whether the fuse has blown, so that the queue stands still.
    #[must_use]
    pub fn is_blown(&self) -> bool {
        self.fuse == 0
    }

    /// Everything that happens at this instant.
    fn settle(&mut self) {
        while !self.is_blown() && self.occur() {
            self.fuse -= 1;
        }
    }

    /// The first thing that is possible at this instant. Implements Q-26.
    fn occur(&mut self) -> bool {
        if let Some(delivery) = self.ended_lease() {
            self.fail(delivery, Some("ack timeout".into()));
        } else if let Some(message) = self.waiting.first_delayed(self.now) {
            // Its clock goes on.
            let clock = self.stop_waiting(message);
            self.make_ready(message, clock);
        } else if self.deliver() {
            // All of it is done.
        } else if let Some(message) = self.waiting.first_expired(self.now) {
            self.stop_waiting(message);
            self.die(message, DeathReason::TtlExpired);
        } else {
            return false;
        }
        true
    }

    fn ended_lease(&self) -> Option<DeliveryId> {
        let (_, delivery) = self.lease_ends.first().filter(|(end, _)| *end <= self.now)?;
        Some(*delivery)
    }

    /// Delivers the message that is ready for longest, if a consumer has room. Implements Q-3 to Q-7.
    fn deliver(&mut self) -> bool {
        let Some((consumer, on_message)) = self.consumers.with_room() else {
            return false;
        };
        let Some(id) = self.waiting.first_ready() else {
            return false;
        };
        self.stop_waiting(id);
        self.had_choice |= self.consumers.is_choice();
        let delivery = DeliveryId(self.next());
        let end = self.config.ack_timeout.map(|timeout| self.now + timeout);
        self.consumers.lease(&consumer, delivery);
        self.lease_ends.extend(end.map(|end| (end, delivery)));
        let mut attempt = Attempt::FIRST;
        if let Some(message) = self.messages.get_mut(id) {
            attempt = message.attempt.map_or(Attempt::FIRST, Attempt::next);
            message.attempt = Some(attempt);
            message.state = State::Leased;
        }
        self.happened(Event::Delivered {
            message: id,
            attempt: attempt.number(),
            consumer: Arc::clone(&consumer),
            delivery,
        });
        let lease = Lease {
            message: id,
            consumer,
            end,
        };
        self.leases.insert(delivery, lease);
        match on_message {
            OnMessage::Hold => {}
            OnMessage::Ack => self.finish(delivery),
            OnMessage::Fail(error) => self.fail(delivery, Some(error)),
        }
        true
    }

    /// A delivery is done: the message is gone.
    fn finish(&mut self, delivery: DeliveryId) {
        let Some(id) = self.end_lease(delivery) else { return };
        if let Some(message) = self.messages.remove(id) {
            let attempt = message.attempt.map_or(0, Attempt::number);
            self.happened(Event::Acked { message: id, attempt });
        }
    }

    /// A delivery has failed: what now? Implements Q-13 to Q-16.
    fn fail(&mut self, delivery: DeliveryId, error: Option<Arc<str>>) {
        let Some(id) = self.end_lease(delivery) else { return };
        let now = self.now;
        let Some(message) = self.messages.get_mut(id) else {
            return;
        };
        message.error.clone_from(&error);
        let attempt = message.attempt.unwrap_or(Attempt::FIRST);
        let age = (now - message.since).seconds();
        self.happened(Event::Failed {
            message: id,
            attempt: attempt.number(),
            error,
        });
        match self.config.policy.next_delay(attempt, Some(age)) {
            Ok(NextDelay::Retry(delay)) => self.come_back(id, delay),
            Ok(NextDelay::GiveUp(reason)) => self.die(id, DeathReason::GaveUp(reason)),
            // An age is a difference of two times, and never NaN.
            Err(_) => {}
        }
    }

    /// Back into the queue, at once or after a delay, with a clock that starts afresh (Q-15 to Q-17).
    fn come_back(&mut self, id: MessageId, delay: f64) {
        let clock = self.fresh_clock();
        let delay = Millis::nearest(delay);
        if delay > Millis::default() {
            let until = self.now + delay;
            let kind = Kind::Delayed(until, self.next());
            self.wait(id, Place { kind, clock });
            self.happened(Event::Delayed { message: id, until });
        } else {
            self.make_ready(id, clock);
        }
    }

    fn make_ready(&mut self, id: MessageId, clock: Option<(Millis, u64)>) {
        let kind = Kind::Ready(self.next());
        self.wait(id, Place { kind, clock });
        self.happened(Event::Ready { message: id });
    }

    /// A TTL clock that starts now, where the queue has one (Q-17).
    fn fresh_clock(&mut self) -> Option<(Millis, u64)> {
        let end = self.now + self.config.message_ttl?;
        Some((end, self.next()))
    }

    fn wait(&mut self, id: MessageId, place: Place) {
        self.waiting.insert(id, place);
        if let Some(message) = self.messages.get_mut(id) {
            message.state = State::Waiting(place);
        }
    }

    /// Takes a message out of those that wait, and gives its clock.
    fn stop_waiting(&mut self, id: MessageId) -> Option<(Millis, u64)> {
        let message = self.messages.get_mut(id)?;
        let State::Waiting(place) = message.state else {
            return None;
        };
        message.state = State::Between;
        self.waiting.remove(id, place);
        place.clock
    }

    fn die(&mut self, id: MessageId, reason: DeathReason) {
        let place = self.next();
        let Some(message) = self.messages.get_mut(id) else {
            return;
        };
        message.state = State::Dead(place);
        let letter = DeadLetter {
            message: id,
            reason,
            error: message.error.clone(),
            attempts: message.attempt.map_or(0, Attempt::number),
            at: self.now,
        };
        self.happened(Event::Dead(letter.clone()));
        self.dead.insert(place, letter);
    }

    /// Takes a delivery's lease away from its consumer, who may be gone already.
    fn end_lease(&mut self, delivery: DeliveryId) -> Option<MessageId> {
        let lease = self.leases.remove(&delivery)?;
        self.consumers.end_lease(&lease.consumer, delivery);
        if let Some(end) = lease.end {
            self.lease_ends.remove(&(end, delivery));
        }
        Some(lease.message)
    }

    fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    fn happened(&mut self, event: Event) {
        let at = self.now;
        self.events.push(TimedEvent { at, event });
    }
}
