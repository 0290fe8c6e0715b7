//! A scenario, run: names become ids on the way in, and ids names on the way out.

use std::collections::HashMap;

use super::steps::{Action, Handler, Steps};
use super::trace::{Letter, Time, TraceEvent};
use crate::millis::Millis;
use crate::queue::{DeadLetter, DeliveryId, Event, MessageId, OnMessage, QueueConfig, Refused, TimedEvent, WorkQueue};

/// How many things may happen by themselves in a scenario before it is stopped.
pub const MAX_OCCURRENCES: u64 = 100_000;

/// What came of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Every event, in order.
    pub trace: Vec<TraceEvent>,
    /// Whether a delivery could have gone to another consumer as well.
    pub had_choice: bool,
    /// Whether [`MAX_OCCURRENCES`] things happened, after which the scenario was stopped.
    pub is_cut_off: bool,
}

/// Runs a scenario from time 0 to its last step.
#[must_use]
pub fn run(config: QueueConfig, steps: &Steps) -> Run {
    let mut scenario = Scenario {
        queue: WorkQueue::new(config),
        names: HashMap::new(),
        messages: HashMap::new(),
        trace: Vec::new(),
    };
    scenario.queue.set_fuse(MAX_OCCURRENCES);
    for step in steps.iter() {
        scenario.queue.advance(step.at);
        scenario.tell();
        scenario.act(&step.action);
        scenario.tell();
        if scenario.queue.is_blown() {
            break;
        }
    }
    Run {
        had_choice: scenario.queue.had_choice(),
        is_cut_off: scenario.queue.is_blown(),
        trace: scenario.trace,
    }
}

struct Scenario {
    queue: WorkQueue,
    names: HashMap<MessageId, String>,
    messages: HashMap<String, Message>,
    trace: Vec<TraceEvent>,
}

struct Message {
    id: MessageId,
    /// All its deliveries, in order.
    deliveries: Vec<DeliveryId>,
}

impl Scenario {
    fn act(&mut self, action: &Action) {
        match action {
            Action::Put { message } => {
                let id = self.queue.put();
                self.names.insert(id, message.clone());
                let deliveries = Vec::new();
                self.messages.insert(message.clone(), Message { id, deliveries });
            }
            Action::AddConsumer {
                consumer,
                on_message,
                prefetch,
            } => {
                let on_message = match on_message {
                    Handler::Hold => OnMessage::Hold,
                    Handler::Ack => OnMessage::Ack,
                    Handler::Fail(text) => OnMessage::Fail(text.as_str().into()),
                };
                let added = self.queue.add_consumer(consumer, on_message, *prefetch);
                self.refused(added, "add_consumer", None, Some(consumer));
            }
            Action::RemoveConsumer { consumer } => {
                let removed = self.queue.remove_consumer(consumer);
                self.refused(removed, "remove_consumer", None, Some(consumer));
            }
            Action::Ack { message, delivery } => {
                let acked = self
                    .delivery(message, *delivery)
                    .and_then(|delivery| self.queue.ack(delivery));
                self.refused(acked, "ack", Some(message), None);
            }
            Action::Nack {
                message,
                delivery,
                error,
            } => {
                let nacked = self
                    .delivery(message, *delivery)
                    .and_then(|delivery| self.queue.nack(delivery, error.as_deref()));
                self.refused(nacked, "nack", Some(message), None);
            }
            Action::Replay { message } => {
                let id = self
                    .messages
                    .get(message)
                    .map(|message| message.id)
                    .ok_or(Refused::NotDead);
                let replayed = id.and_then(|id| self.queue.replay(id));
                self.refused(replayed, "replay", Some(message), None);
            }
            Action::Stats => {
                let (at, stats) = (self.now(), self.queue.stats());
                self.trace.push(TraceEvent::Stats {
                    at,
                    ready: stats.ready,
                    delayed: stats.delayed,
                    leased: stats.leased,
                    dead: stats.dead,
                });
            }
            Action::DeadLetters => {
                let (at, names) = (self.now(), &self.names);
                let messages = self.queue.dead_letters().map(|letter| Letter {
                    message: name(names, letter.message),
                    reason: letter.reason.name().to_owned(),
                    error: letter.error.as_deref().map(str::to_owned),
                    attempts: letter.attempts,
                    at: Time(letter.at),
                });
                let messages = messages.collect();
                self.trace.push(TraceEvent::DeadLetters { at, messages });
            }
            Action::Wait => {}
        }
    }

    fn now(&self) -> Time {
        Time(self.queue.now())
    }

    /// The k-th delivery of a message, or its latest.
    fn delivery(&self, message: &str, delivery: Option<u64>) -> Result<DeliveryId, Refused> {
        let deliveries = self
            .messages
            .get(message)
            .map_or(&[][..], |message| &message.deliveries);
        let found = match delivery {
            None => deliveries.last(),
            Some(number) => number
                .checked_sub(1)
                .and_then(|index| usize::try_from(index).ok())
                .and_then(|index| deliveries.get(index)),
        };
        found.copied().ok_or(Refused::UnknownDelivery)
    }

    fn refused(&mut self, result: Result<(), Refused>, r#do: &str, message: Option<&str>, consumer: Option<&str>) {
        if let Err(refused) = result {
            self.trace.push(TraceEvent::Refused {
                at: self.now(),
                r#do: r#do.to_owned(),
                message: message.map(str::to_owned),
                consumer: consumer.map(str::to_owned),
                code: refused.code().to_owned(),
            });
        }
    }

    /// Moves what happened into the trace.
    fn tell(&mut self) {
        for TimedEvent { at, event } in self.queue.take_events() {
            if let Event::Delivered { message, delivery, .. } = &event
                && let Some(name) = self.names.get(message)
                && let Some(message) = self.messages.get_mut(name)
            {
                message.deliveries.push(*delivery);
            }
            self.trace.push(told(at, event, &self.names));
        }
    }
}

fn told(at: Millis, event: Event, names: &HashMap<MessageId, String>) -> TraceEvent {
    let at = Time(at);
    let text = |error: Option<std::sync::Arc<str>>| error.as_deref().map(str::to_owned);
    match event {
        Event::Ready { message } => TraceEvent::Ready {
            at,
            message: name(names, message),
        },
        Event::Delivered {
            message,
            attempt,
            consumer,
            delivery: _,
        } => TraceEvent::Delivered {
            at,
            message: name(names, message),
            attempt,
            consumer: consumer.as_ref().to_owned(),
        },
        Event::Acked { message, attempt } => TraceEvent::Acked {
            at,
            message: name(names, message),
            attempt,
        },
        Event::Failed {
            message,
            attempt,
            error,
        } => TraceEvent::Failed {
            at,
            message: name(names, message),
            attempt,
            error: text(error),
        },
        Event::Delayed { message, until } => TraceEvent::Delayed {
            at,
            message: name(names, message),
            until: Time(until),
        },
        Event::Dead(DeadLetter {
            message,
            reason,
            error,
            attempts,
            at: _,
        }) => TraceEvent::Dead {
            at,
            message: name(names, message),
            reason: reason.name().to_owned(),
            error: text(error),
            attempts,
        },
    }
}

fn name(names: &HashMap<MessageId, String>, id: MessageId) -> String {
    names.get(&id).cloned().unwrap_or_default()
}
