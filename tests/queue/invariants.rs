//! Random operations on a queue, one by one, with all that must hold checked after each.
//!
//! What fails is shrunk, and its seed is kept in `invariants.regressions` next to this file: commit it, and it is tried
//! first from then on.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::FileFailurePersistence;
use samewait::arbitrary::{Setup, consumer, error, handler, pause, prefetch, setup};
use samewait::queue::{
    DeadLetter, DeliveryId, Event, MessageId, OnMessage, QueueConfig, Refused, Stats, TimedEvent, WorkQueue,
};
use samewait::scenario::Handler;
use samewait::{Millis, Policy};

use super::ledger::{Checked, Ledger};

/// What is done to a queue.
#[derive(Debug, Clone)]
enum Operation {
    Put,
    AddConsumer(&'static str, Handler, Option<u64>),
    RemoveConsumer(&'static str),
    Ack(Pick),
    Nack(Pick, Option<&'static str>),
    Replay(Pick),
    /// By so many units.
    Advance(u64),
    ToNextDue,
    /// To so many units before now, which must change nothing.
    Back(u64),
}

/// A delivery or a message, of all there ever were or of those for which the operation will not be refused.
#[derive(Debug, Clone)]
enum Pick {
    Any(Index),
    Fit(Index),
}

impl Pick {
    /// None when there is nothing to pick from.
    fn of<T: Copy>(&self, all: &[T], fits: impl Fn(T) -> bool) -> Option<T> {
        let fit: Vec<T> = all.iter().copied().filter(|&one| fits(one)).collect();
        let (index, from) = match self {
            Self::Any(index) => (index, all),
            Self::Fit(index) => (index, &fit[..]),
        };
        (!from.is_empty()).then(|| *index.get(from))
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let pick = || prop_oneof![any::<Index>().prop_map(Pick::Any), any::<Index>().prop_map(Pick::Fit)];
    prop_oneof![
        6 => Just(Operation::Put),
        4 => (consumer(), handler(), prefetch())
            .prop_map(|(name, handler, prefetch)| Operation::AddConsumer(name, handler, prefetch)),
        2 => consumer().prop_map(Operation::RemoveConsumer),
        3 => pick().prop_map(Operation::Ack),
        5 => (pick(), error()).prop_map(|(pick, error)| Operation::Nack(pick, error)),
        2 => pick().prop_map(Operation::Replay),
        6 => pause().prop_map(Operation::Advance),
        3 => Just(Operation::ToNextDue),
        1 => pause().prop_map(Operation::Back),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_must_hold_holds_after_every_operation(
        setup in setup(),
        operations in prop::collection::vec(operation(), 1..=60),
    ) {
        let mut watched = Watched::new(&setup);
        for operation in &operations {
            watched.perform(operation)?;
        }
        watched.run_down()?;
    }
}

/// A queue, and everything that it said.
struct Watched {
    queue: WorkQueue,
    ledger: Ledger,
    unit: u64,
    messages: Vec<MessageId>,
    deliveries: Vec<DeliveryId>,
}

/// All that can be seen of a queue.
#[derive(Debug, PartialEq)]
struct Seen {
    now: Millis,
    stats: Stats,
    dead_letters: Vec<DeadLetter>,
    next_due: Option<Millis>,
    events: Vec<TimedEvent>,
    had_choice: bool,
}

impl Watched {
    fn new(setup: &Setup) -> Self {
        let policy = Policy::new(setup.policy).expect("a legal policy");
        let config = QueueConfig::new(policy, setup.message_ttl, setup.ack_timeout).expect("legal limits");
        Self {
            queue: WorkQueue::new(config),
            ledger: Ledger::new(policy, setup.message_ttl, setup.ack_timeout),
            unit: setup.unit.into(),
            messages: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    fn perform(&mut self, operation: &Operation) -> Checked {
        let before = self.seen();
        let now = self.queue.now();
        match operation {
            Operation::Put => {
                let id = self.queue.put();
                self.messages.push(id);
                self.ledger.put(id, now)?;
            }
            Operation::AddConsumer(name, handler, prefetch) => {
                let on_message = match handler {
                    Handler::Hold => OnMessage::Hold,
                    Handler::Ack => OnMessage::Ack,
                    Handler::Fail(text) => OnMessage::Fail(text.as_str().into()),
                };
                let fits = !self.ledger.has_consumer(name);
                let added = self.queue.add_consumer(name, on_message.clone(), *prefetch);
                self.is_refused_unless(fits, added, Refused::DuplicateConsumer, &before)?;
                if fits {
                    self.ledger.add_consumer(name, on_message, *prefetch);
                }
            }
            Operation::RemoveConsumer(name) => {
                let fits = self.ledger.has_consumer(name);
                let removed = self.queue.remove_consumer(name);
                self.is_refused_unless(fits, removed, Refused::UnknownConsumer, &before)?;
                if fits {
                    self.ledger.remove_consumer(name);
                }
            }
            Operation::Ack(pick) => {
                if let Some(delivery) = self.pick_delivery(pick) {
                    let fits = self.ledger.is_live(delivery);
                    let acked = self.queue.ack(delivery);
                    self.is_refused_unless(fits, acked, Refused::UnknownDelivery, &before)?;
                    self.ledger.ack(delivery);
                }
            }
            Operation::Nack(pick, error) => {
                if let Some(delivery) = self.pick_delivery(pick) {
                    let fits = self.ledger.is_live(delivery);
                    let nacked = self.queue.nack(delivery, *error);
                    self.is_refused_unless(fits, nacked, Refused::UnknownDelivery, &before)?;
                    self.ledger.nack(delivery, *error);
                }
            }
            Operation::Replay(pick) => {
                if let Some(id) = pick.of(&self.messages, |id| self.ledger.is_dead(id)) {
                    let fits = self.ledger.is_dead(id);
                    let replayed = self.queue.replay(id);
                    self.is_refused_unless(fits, replayed, Refused::NotDead, &before)?;
                    if fits {
                        self.ledger.replay(id, now);
                    }
                }
            }
            Operation::Advance(units) => {
                let to = now + Millis::new(units * self.unit);
                self.queue.advance(to);
                prop_assert_eq!(self.queue.now(), to);
            }
            Operation::ToNextDue => {
                if let Some(due) = self.queue.next_due() {
                    self.queue.advance(due);
                    prop_assert_eq!(self.queue.now(), due);
                }
            }
            Operation::Back(units) => {
                self.queue.advance(now - Millis::new(units * self.unit));
                prop_assert_eq!(&self.seen(), &before, "a time that is past already");
            }
        }
        self.read()
    }

    /// Advances from one due time to the next until nothing is due: each message ends up dead or acked, or waits for
    /// ever.
    fn run_down(&mut self) -> Checked {
        while let Some(due) = self.queue.next_due() {
            self.queue.advance(due);
            self.read()?;
        }
        Ok(())
    }

    /// Reads what happened into the ledger, and compares.
    fn read(&mut self) -> Checked {
        let events: Vec<TimedEvent> = self.queue.take_events().collect();
        prop_assert_eq!(self.queue.events().count(), 0, "taken events are still there");
        self.deliveries
            .extend(events.iter().filter_map(|timed| Event::delivery(&timed.event)));
        self.ledger.enter_all(events)?;
        self.ledger.check(&self.queue)
    }

    /// The operation was refused if and only if it does not fit, and then nothing has changed.
    fn is_refused_unless(&self, fits: bool, result: Result<(), Refused>, refusal: Refused, before: &Seen) -> Checked {
        prop_assert_eq!(result, if fits { Ok(()) } else { Err(refusal) });
        if !fits {
            prop_assert_eq!(&self.seen(), before, "a refused operation");
        }
        Ok(())
    }

    fn pick_delivery(&self, pick: &Pick) -> Option<DeliveryId> {
        pick.of(&self.deliveries, |delivery| self.ledger.is_live(delivery))
    }

    fn seen(&self) -> Seen {
        Seen {
            now: self.queue.now(),
            stats: self.queue.stats(),
            dead_letters: self.queue.dead_letters().cloned().collect(),
            next_due: self.queue.next_due(),
            events: self.queue.events().cloned().collect(),
            had_choice: self.queue.had_choice(),
        }
    }
}
