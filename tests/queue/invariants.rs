//! Random operations on a queue, one by one, with all that must hold checked after each.
//!
//! What fails is shrunk, and its seed is kept in `invariants.regressions` next to this file: commit it, and it is tried
//! first from then on.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::FileFailurePersistence;
use samewait::arbitrary::{Setup, consumer, error, handler, pause, prefetch, setup};
use samewait::laws::queue::Ledger;
use samewait::queue::{
    DeadLetter, DeliveryId, Event, MessageId, OnMessage, QueueConfig, Refused, Stats, TimedEvent, WorkQueue,
};
use samewait::scenario::{Action, Handler};
use samewait::{Millis, Policy};

use super::told::{Checked, Names, compare};

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
    names: Names,
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
            names: Names::default(),
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
                prop_assert!(!self.messages.contains(&id), "{:?} is the id of two messages", id);
                self.messages.push(id);
                let message = self.names.put(id);
                self.ledger.act(now, &Action::Put { message });
            }
            Operation::AddConsumer(name, handler, prefetch) => {
                let on_message = match handler {
                    Handler::Hold => OnMessage::Hold,
                    Handler::Ack => OnMessage::Ack,
                    Handler::Fail(text) => OnMessage::Fail(text.as_str().into()),
                };
                let fits = !self.ledger.has_consumer(name);
                let added = self.queue.add_consumer(name, on_message, *prefetch);
                let action = Action::AddConsumer {
                    consumer: (*name).to_owned(),
                    on_message: handler.clone(),
                    prefetch: *prefetch,
                };
                self.done(fits, added, Refused::DuplicateConsumer, &action, &before)?;
            }
            Operation::RemoveConsumer(name) => {
                let fits = self.ledger.has_consumer(name);
                let removed = self.queue.remove_consumer(name);
                let consumer = (*name).to_owned();
                let action = Action::RemoveConsumer { consumer };
                self.done(fits, removed, Refused::UnknownConsumer, &action, &before)?;
            }
            Operation::Ack(pick) => {
                if let Some(id) = self.pick_delivery(pick) {
                    let (message, number) = self.names.of_delivery(id);
                    let delivery = Some(number);
                    let fits = self.ledger.is_live(&message, delivery);
                    let acked = self.queue.ack(id);
                    let action = Action::Ack { message, delivery };
                    self.done(fits, acked, Refused::UnknownDelivery, &action, &before)?;
                }
            }
            Operation::Nack(pick, error) => {
                if let Some(id) = self.pick_delivery(pick) {
                    let (message, number) = self.names.of_delivery(id);
                    let delivery = Some(number);
                    let fits = self.ledger.is_live(&message, delivery);
                    let nacked = self.queue.nack(id, *error);
                    let error = error.map(str::to_owned);
                    let action = Action::Nack {
                        message,
                        delivery,
                        error,
                    };
                    self.done(fits, nacked, Refused::UnknownDelivery, &action, &before)?;
                }
            }
            Operation::Replay(pick) => {
                if let Some(id) = pick.of(&self.messages, |id| self.ledger.is_dead(&self.names.of(id))) {
                    let message = self.names.of(id);
                    let fits = self.ledger.is_dead(&message);
                    let replayed = self.queue.replay(id);
                    self.done(fits, replayed, Refused::NotDead, &Action::Replay { message }, &before)?;
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
        for timed in events {
            let event = self.names.event(timed);
            self.ledger.enter(&event)?;
        }
        compare(&self.queue, &self.ledger, &self.names)
    }

    /// The operation was refused if and only if it does not fit, and then nothing has changed.
    fn done(
        &mut self,
        fits: bool,
        result: Result<(), Refused>,
        refusal: Refused,
        action: &Action,
        before: &Seen,
    ) -> Checked {
        prop_assert_eq!(result, if fits { Ok(()) } else { Err(refusal) });
        if fits {
            self.ledger.act(self.queue.now(), action);
        } else {
            prop_assert_eq!(&self.seen(), before, "a refused operation");
        }
        Ok(())
    }

    fn pick_delivery(&self, pick: &Pick) -> Option<DeliveryId> {
        pick.of(&self.deliveries, |id| {
            let (message, number) = self.names.of_delivery(id);
            self.ledger.is_live(&message, Some(number))
        })
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
