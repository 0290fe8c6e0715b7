//! A book kept of what a queue says: each event is checked when it is entered.
//!
//! It decides nothing. It knows which event may follow which, and what the clauses of chapter 6 say about the times
//! between them.

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::millis::Millis;
use crate::policy::Policy;
use crate::queue::{Refused, Stats};
use crate::scenario::{Action, Handler, Letter, Time, TraceEvent};

/// A book of what is done to a queue, and of what the queue says.
///
/// It is told each step with [`act`](Ledger::act) before the events that come of it are entered with [`enter`](Ledger::enter). For a whole
/// trace there is [`keeps_the_book`](super::keeps_the_book); this is for a queue that is driven step by step.
#[derive(Debug)]
pub struct Ledger {
    pub(super) policy: Policy,
    pub(super) message_ttl: Option<Millis>,
    pub(super) ack_timeout: Option<Millis>,
    pub(super) messages: HashMap<String, Message>,
    pub(super) acked: usize,
    /// In the order in which they became ready.
    pub(super) ready: VecDeque<String>,
    /// By their place among all deliveries.
    pub(super) leases: BTreeMap<u64, Lease>,
    /// In the order of their deaths.
    pub(super) dead: Vec<Letter>,
    pub(super) consumers: HashMap<String, Consumer>,
    /// What must be the next events, without what follows from them.
    pub(super) next: VecDeque<TraceEvent>,
    /// The message whose failure was the event before.
    pub(super) failed: Option<String>,
    /// The time of the last step or event.
    pub(super) now: Millis,
    /// Counts deliveries, delays and clocks: what needs an order.
    sequence: u64,
}

#[derive(Debug)]
pub(super) struct Message {
    pub(super) state: State,
    pub(super) attempts: u32,
    /// When it was put or replayed.
    pub(super) born: Millis,
    /// When it last came into the queue, and which clock that started.
    pub(super) came: Millis,
    pub(super) clock: u64,
    pub(super) error: Option<String>,
    /// All its deliveries, in order.
    pub(super) deliveries: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Put or replayed, and not yet said to be ready.
    Announced,
    Ready,
    Delayed {
        until: Millis,
        order: u64,
    },
    Leased(u64),
    /// Failed, and what follows was not yet said.
    Failed,
    Dead,
    Gone,
}

#[derive(Debug)]
pub(super) struct Lease {
    pub(super) message: String,
    pub(super) consumer: String,
    pub(super) end: Option<Millis>,
}

#[derive(Debug)]
pub(super) struct Consumer {
    pub(super) on_message: Handler,
    pub(super) prefetch: Option<u64>,
    pub(super) held: u64,
}

impl Consumer {
    pub(super) fn has_room(&self) -> bool {
        self.prefetch.is_none_or(|prefetch| self.held < prefetch)
    }
}

impl Ledger {
    /// An empty book for a queue of this policy, with its limits in seconds; 0 for none.
    #[must_use]
    pub fn new(policy: Policy, message_ttl: f64, ack_timeout: f64) -> Self {
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
            now: Millis::default(),
            sequence: 0,
        }
    }

    /// Tells what is done at a time. Everything due until then must have been entered; what comes of it is entered next.
    pub fn act(&mut self, now: Millis, action: &Action) {
        self.now = now;
        let at = Time(now);
        match action {
            Action::Put { message } => self.begin(now, message),
            Action::AddConsumer {
                consumer,
                on_message,
                prefetch,
            } => {
                if self.has_consumer(consumer) {
                    self.refuse("add_consumer", None, Some(consumer), Refused::DuplicateConsumer);
                } else {
                    let new = Consumer {
                        on_message: on_message.clone(),
                        prefetch: *prefetch,
                        held: 0,
                    };
                    self.consumers.insert(consumer.clone(), new);
                }
            }
            Action::RemoveConsumer { consumer } => self.remove_consumer(at, consumer),
            Action::Ack { message, delivery } => match self.live(message, *delivery) {
                Some(attempt) => self.next.push_back(TraceEvent::Acked {
                    at,
                    message: message.clone(),
                    attempt,
                }),
                None => self.refuse("ack", Some(message), None, Refused::UnknownDelivery),
            },
            Action::Nack {
                message,
                delivery,
                error,
            } => match self.live(message, *delivery) {
                Some(attempt) => self.next.push_back(TraceEvent::Failed {
                    at,
                    message: message.clone(),
                    attempt,
                    error: error.clone(),
                }),
                None => self.refuse("nack", Some(message), None, Refused::UnknownDelivery),
            },
            Action::Replay { message } => {
                if self.is_dead(message) {
                    self.dead.retain(|letter| letter.message != *message);
                    self.begin(now, message);
                } else {
                    self.refuse("replay", Some(message), None, Refused::NotDead);
                }
            }
            Action::Stats => {
                let Stats {
                    ready,
                    delayed,
                    leased,
                    dead,
                } = self.stats();
                self.next.push_back(TraceEvent::Stats {
                    at,
                    ready,
                    delayed,
                    leased,
                    dead,
                });
            }
            Action::DeadLetters => {
                let messages = self.dead.clone();
                self.next.push_back(TraceEvent::DeadLetters { at, messages });
            }
            Action::Wait => {}
        }
    }

    /// A place in the order of things.
    pub(super) fn place(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    /// A message is put or replayed. Its deliveries are counted on.
    fn begin(&mut self, now: Millis, name: &str) {
        let clock = self.place();
        let deliveries = self
            .messages
            .remove(name)
            .map_or_else(Vec::new, |message| message.deliveries);
        let message = Message {
            state: State::Announced,
            attempts: 0,
            born: now,
            came: now,
            clock,
            error: None,
            deliveries,
        };
        self.messages.insert(name.to_owned(), message);
        let message = name.to_owned();
        self.next.push_back(TraceEvent::Ready { at: Time(now), message });
    }

    /// Its leases fail, in the order of their delivery.
    fn remove_consumer(&mut self, at: Time, name: &str) {
        if self.consumers.remove(name).is_none() {
            self.refuse("remove_consumer", None, Some(name), Refused::UnknownConsumer);
        }
        let held = self.leases.values().filter(|lease| lease.consumer == name);
        let failed = held.map(|lease| TraceEvent::Failed {
            at,
            message: lease.message.clone(),
            attempt: self.messages.get(&lease.message).map_or(0, |message| message.attempts),
            error: Some("consumer removed".to_owned()),
        });
        self.next.extend(failed);
    }

    fn refuse(&mut self, r#do: &str, message: Option<&str>, consumer: Option<&str>, refused: Refused) {
        self.next.push_back(TraceEvent::Refused {
            at: Time(self.now),
            r#do: r#do.to_owned(),
            message: message.map(str::to_owned),
            consumer: consumer.map(str::to_owned),
            code: refused.code().to_owned(),
        });
    }
}
