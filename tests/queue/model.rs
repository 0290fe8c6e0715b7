//! The queue once more: chapter 6 of the specification, read from top to bottom, and nothing but it.
//!
//! It is to be so simple that it is seen to be right. There is one list of messages, and every question that the queue
//! asks itself ("which has been ready for the longest?", "what is due next?") looks at all of them. Times are whole
//! milliseconds in a `u64`. Nothing is shared with the reference but the types of questions and traces, which are data.

use samewait::Millis;
use samewait::answer::{Answer, Refusal, Value};
use samewait::question::{PolicyArgument, QueueQuestion};
use samewait::scenario::{Action, Handler, Letter, Time, TraceEvent};

/// The ceiling of last resort (B-3), and the longest duration (chapter 1).
const HORIZON: f64 = 4_294_967_296.0;

/// What the model makes of a scenario.
pub(crate) struct Outcome {
    /// The trace, or the rejection.
    pub(crate) answer: Answer,
    /// Whether more than one consumer had room at some delivery, which leaves the trace open.
    pub(crate) had_choice: bool,
}

/// Answers a question of the area queue.
pub(crate) fn answer(question: &QueueQuestion) -> Outcome {
    if let Some(refusal) = refusal(question) {
        return Outcome {
            answer: Answer::Rejected(refusal),
            had_choice: false,
        };
    }
    let mut model = Model {
        policy: question.policy,
        message_ttl: limit(question.message_ttl.0),
        ack_timeout: limit(question.ack_timeout.0),
        now: 0,
        count: 0,
        messages: Vec::new(),
        consumers: Vec::new(),
        trace: Vec::new(),
        had_choice: false,
    };
    for step in question.steps.iter() {
        let at = step.at.count();
        // what is due at or before the step happens before it, in the order of time.
        while let Some(due) = model.next_due().filter(|&due| due <= at) {
            model.now = due;
            model.let_everything_happen();
        }
        model.now = at;
        model.act(&step.action);
        // and so does what the step makes possible, before the next one.
        model.let_everything_happen();
    }
    // after the last step time stands still.
    Outcome {
        answer: Answer::Value(Value::Trace(model.trace)),
        had_choice: model.had_choice,
    }
}

/// P-9 to P-11 and Q-31: the first field out of its range, the policy's before the queue's own.
fn refusal(question: &QueueQuestion) -> Option<Refusal> {
    let policy = &question.policy;
    let is_duration = |seconds: f64| (0.0..=HORIZON).contains(&seconds);
    let multiplier = policy.multiplier.0;
    let fields = [
        ("max_attempts", (1..=2_147_483_647).contains(&policy.max_attempts)),
        ("initial_delay", is_duration(policy.initial_delay.0)),
        ("multiplier", multiplier.is_finite() && multiplier >= 1.0),
        ("max_delay", is_duration(policy.max_delay.0)),
        ("jitter_factor", (0.0..=1.0).contains(&policy.jitter_factor.0)),
        ("max_message_age", is_duration(policy.max_message_age.0)),
    ];
    let arguments = [
        ("message_ttl", is_duration(question.message_ttl.0)),
        ("ack_timeout", is_duration(question.ack_timeout.0)),
    ];
    let fields = fields.map(|(name, is_legal)| ("invalid_policy", name, is_legal));
    let arguments = arguments.map(|(name, is_legal)| ("invalid_argument", name, is_legal));
    let mut all = fields.into_iter().chain(arguments);
    let (code, field, _) = all.find(|(_, _, is_legal)| !is_legal)?;
    Some(Refusal {
        code: code.to_owned(),
        field: Some(field.to_owned()),
    })
}

struct Model {
    policy: PolicyArgument,
    message_ttl: Option<u64>,
    ack_timeout: Option<u64>,
    now: u64,
    /// Grows with everything that happens: of two places, the smaller was taken first.
    count: u64,
    /// Every message that was ever put, in the order of the puts.
    messages: Vec<Message>,
    /// In the order in which they were added.
    consumers: Vec<Consumer>,
    trace: Vec<TraceEvent>,
    had_choice: bool,
}

struct Message {
    name: String,
    state: State,
    /// deliveries since it was put or replayed.
    attempts: u32,
    /// deliveries in the whole scenario, never reset.
    deliveries: u64,
    /// when it was put, or last replayed.
    born: u64,
    /// when its TTL clock started afresh. The clock counts only while the message waits.
    clock: u64,
    /// The same, as a place.
    clock_place: u64,
    /// the text of its last failure since it was put or replayed.
    error: Option<String>,
}

/// exactly one of these. The places say when the state was entered.
enum State {
    Ready {
        place: u64,
    },
    Delayed {
        place: u64,
        until: u64,
    },
    Leased {
        place: u64,
        consumer: u64,
        end: Option<u64>,
    },
    Dead {
        place: u64,
        letter: Letter,
    },
    Gone,
}

struct Consumer {
    /// No other consumer has this number, also none that gets the same name later.
    number: u64,
    name: String,
    on_message: Handler,
    prefetch: Option<u64>,
}

/// What `next_delay` answers (chapter 3).
enum Next {
    Delay(f64),
    GiveUp(&'static str),
}

impl Model {
    /// The table of steps.
    fn act(&mut self, action: &Action) {
        let at = Time(Millis::new(self.now));
        match action {
            Action::Put { message } => {
                self.messages.push(Message {
                    name: message.clone(),
                    state: State::Gone,
                    attempts: 0,
                    deliveries: 0,
                    born: 0,
                    clock: 0,
                    clock_place: 0,
                    error: None,
                });
                self.begin(self.messages.len() - 1);
            }
            Action::AddConsumer {
                consumer,
                on_message,
                prefetch,
            } => {
                if self.consumer_named(consumer).is_some() {
                    return self.refuse("add_consumer", None, Some(consumer), "duplicate_consumer");
                }
                let number = self.next_place();
                self.consumers.push(Consumer {
                    number,
                    name: consumer.clone(),
                    on_message: on_message.clone(),
                    prefetch: *prefetch,
                });
            }
            Action::RemoveConsumer { consumer } => {
                let Some(index) = self.consumer_named(consumer) else {
                    return self.refuse("remove_consumer", None, Some(consumer), "unknown_consumer");
                };
                // its leases fail in the order in which they were delivered, and it gets nothing any more.
                let gone = self.consumers.remove(index);
                while let Some(message) = self.first(|message| {
                    let State::Leased { place, consumer, .. } = message.state else {
                        return None;
                    };
                    (consumer == gone.number).then_some(place)
                }) {
                    self.fail(message, Some("consumer removed".to_owned()));
                }
            }
            Action::Ack { message, delivery } => match self.live_lease(message, *delivery) {
                Some(message) => self.ack(message),
                None => self.refuse("ack", Some(message), None, "unknown_delivery"),
            },
            Action::Nack {
                message,
                delivery,
                error,
            } => match self.live_lease(message, *delivery) {
                Some(message) => self.fail(message, error.clone()),
                None => self.refuse("nack", Some(message), None, "unknown_delivery"),
            },
            Action::Replay { message } => match self.dead_message(message) {
                Some(message) => self.begin(message),
                None => self.refuse("replay", Some(message), None, "not_dead"),
            },
            Action::Stats => {
                let count = |is: fn(&State) -> bool| self.messages.iter().filter(|message| is(&message.state)).count();
                let stats = TraceEvent::Stats {
                    at,
                    ready: count(|state| matches!(state, State::Ready { .. })),
                    delayed: count(|state| matches!(state, State::Delayed { .. })),
                    leased: count(|state| matches!(state, State::Leased { .. })),
                    dead: count(|state| matches!(state, State::Dead { .. })),
                };
                self.trace.push(stats);
            }
            Action::DeadLetters => {
                // in the order of their deaths.
                let mut letters: Vec<(u64, Letter)> = Vec::new();
                for message in &self.messages {
                    if let State::Dead { place, letter } = &message.state {
                        letters.push((*place, letter.clone()));
                    }
                }
                letters.sort_by_key(|(place, _)| *place);
                let messages = letters.into_iter().map(|(_, letter)| letter).collect();
                self.trace.push(TraceEvent::DeadLetters { at, messages });
            }
            Action::Wait => {}
        }
    }

    /// a message that is put, or put back by a replay.
    fn begin(&mut self, index: usize) {
        let message = &mut self.messages[index];
        message.attempts = 0;
        message.error = None;
        message.born = self.now;
        self.start_clock(index);
        self.make_ready(index);
    }

    /// the first that is possible happens, again and again.
    fn let_everything_happen(&mut self) {
        while self.let_one_thing_happen() {}
    }

    fn let_one_thing_happen(&mut self) -> bool {
        let now = self.now;

        // "a lease ends (of several, the one delivered first)"
        let ended = self.first(|message| {
            let State::Leased { place, end, .. } = message.state else {
                return None;
            };
            (end? <= now).then_some(place)
        });
        if let Some(message) = ended {
            //
            self.fail(message, Some("ack timeout".to_owned()));
            return true;
        }

        // "a delay ends (the one that began first)"
        let waited = self.first(|message| {
            let State::Delayed { place, until } = message.state else {
                return None;
            };
            (until <= now).then_some(place)
        });
        if let Some(message) = waited {
            // Q-16, and by Q-17 the clock goes on.
            self.make_ready(message);
            return true;
        }

        // "a message is delivered", by Q-3 the one that has been ready for the longest
        let ready = self.first(|message| {
            let State::Ready { place } = message.state else {
                return None;
            };
            Some(place)
        });
        let with_room: Vec<usize> = (0..self.consumers.len())
            .filter(|&index| self.has_room(index))
            .collect();
        if let (Some(message), Some(&consumer)) = (ready, with_room.first()) {
            // Q-4 leaves it open which consumer gets the message. The reference takes the one that was added first, and
            // so does this.
            self.had_choice |= with_room.len() > 1;
            self.deliver(message, consumer);
            return true;
        }

        // "a TTL runs out (the clock that started first)"
        let expired = self.first(|message| (self.clock_end(message)? <= now).then_some(message.clock_place));
        if let Some(message) = expired {
            //
            self.die(message, "ttl_expired");
            return true;
        }
        false
    }

    /// The earliest instant at which something happens by itself.
    fn next_due(&self) -> Option<u64> {
        let due = self.messages.iter().flat_map(|message| {
            let timer = match message.state {
                State::Delayed { until, .. } => Some(until),
                State::Leased { end, .. } => end,
                State::Ready { .. } | State::Dead { .. } | State::Gone => None,
            };
            [timer, self.clock_end(message)]
        });
        due.flatten().min()
    }

    /// when the TTL runs out of a message that waits.
    fn clock_end(&self, message: &Message) -> Option<u64> {
        match message.state {
            State::Ready { .. } | State::Delayed { .. } => Some(message.clock + self.message_ttl?),
            State::Leased { .. } | State::Dead { .. } | State::Gone => None,
        }
    }

    /// fewer leases than its prefetch.
    fn has_room(&self, index: usize) -> bool {
        let consumer = &self.consumers[index];
        let mut leases = 0;
        for message in &self.messages {
            if matches!(message.state, State::Leased { consumer: holder, .. } if holder == consumer.number) {
                leases += 1;
            }
        }
        consumer.prefetch.is_none_or(|prefetch| leases < prefetch)
    }

    ///
    fn deliver(&mut self, index: usize, consumer: usize) {
        let place = self.next_place();
        let consumer = &self.consumers[consumer];
        let on_message = consumer.on_message.clone();
        let message = &mut self.messages[index];
        message.attempts += 1;
        message.deliveries += 1;
        message.state = State::Leased {
            place,
            consumer: consumer.number,
            end: self.ack_timeout.map(|timeout| self.now + timeout),
        };
        self.trace.push(TraceEvent::Delivered {
            at: Time(Millis::new(self.now)),
            message: message.name.clone(),
            attempt: message.attempts,
            consumer: consumer.name.clone(),
        });
        match on_message {
            Handler::Hold => {}
            Handler::Ack => self.ack(index),
            Handler::Fail(text) => self.fail(index, Some(text)),
        }
    }

    /// gone for good.
    fn ack(&mut self, index: usize) {
        let message = &mut self.messages[index];
        message.state = State::Gone;
        self.trace.push(TraceEvent::Acked {
            at: Time(Millis::new(self.now)),
            message: message.name.clone(),
            attempt: message.attempts,
        });
    }

    ///
    fn fail(&mut self, index: usize, error: Option<String>) {
        let at = Time(Millis::new(self.now));
        let message = &mut self.messages[index];
        message.error.clone_from(&error);
        self.trace.push(TraceEvent::Failed {
            at,
            message: message.name.clone(),
            attempt: message.attempts,
            error,
        });
        let (name, attempts, age) = (message.name.clone(), message.attempts, self.now - message.born);
        match next_delay(&self.policy, attempts, seconds(age)) {
            Next::GiveUp(reason) => self.die(index, reason),
            Next::Delay(delay) => {
                self.start_clock(index);
                let delay = milliseconds(delay);
                if delay == 0 {
                    self.make_ready(index);
                } else {
                    let place = self.next_place();
                    let until = self.now + delay;
                    self.messages[index].state = State::Delayed { place, until };
                    self.trace.push(TraceEvent::Delayed {
                        at,
                        message: name,
                        until: Time(Millis::new(until)),
                    });
                }
            }
        }
    }

    fn make_ready(&mut self, index: usize) {
        let place = self.next_place();
        let message = &mut self.messages[index];
        message.state = State::Ready { place };
        self.trace.push(TraceEvent::Ready {
            at: Time(Millis::new(self.now)),
            message: message.name.clone(),
        });
    }

    /// dead, with the attempts used and the text of the last failure.
    fn die(&mut self, index: usize, reason: &str) {
        let place = self.next_place();
        let at = Time(Millis::new(self.now));
        let message = &mut self.messages[index];
        let letter = Letter {
            message: message.name.clone(),
            reason: reason.to_owned(),
            error: message.error.clone(),
            attempts: message.attempts,
            at,
        };
        message.state = State::Dead {
            place,
            letter: letter.clone(),
        };
        self.trace.push(TraceEvent::Dead {
            at,
            message: letter.message,
            reason: letter.reason,
            error: letter.error,
            attempts: letter.attempts,
        });
    }

    fn start_clock(&mut self, index: usize) {
        let place = self.next_place();
        let message = &mut self.messages[index];
        message.clock = self.now;
        message.clock_place = place;
    }

    fn refuse(&mut self, r#do: &str, message: Option<&str>, consumer: Option<&str>, code: &str) {
        self.trace.push(TraceEvent::Refused {
            at: Time(Millis::new(self.now)),
            r#do: r#do.to_owned(),
            message: message.map(str::to_owned),
            consumer: consumer.map(str::to_owned),
            code: code.to_owned(),
        });
    }

    /// Of the messages that have a place in something, the one whose place was taken first.
    fn first(&self, place: impl Fn(&Message) -> Option<u64>) -> Option<usize> {
        let places = self.messages.iter().enumerate();
        let places = places.filter_map(|(index, message)| Some((place(message)?, index)));
        places.min().map(|(_, index)| index)
    }

    /// the message, if that delivery of it is live. It has one lease at most, which is that of its latest
    /// delivery.
    fn live_lease(&self, name: &str, delivery: Option<u64>) -> Option<usize> {
        self.messages.iter().position(|message| {
            let is_latest = delivery.is_none_or(|number| number == message.deliveries);
            message.name == name && is_latest && matches!(message.state, State::Leased { .. })
        })
    }

    fn dead_message(&self, name: &str) -> Option<usize> {
        let is_dead = |message: &Message| matches!(message.state, State::Dead { .. });
        self.messages
            .iter()
            .position(|message| message.name == name && is_dead(message))
    }

    fn consumer_named(&self, name: &str) -> Option<usize> {
        self.consumers.iter().position(|consumer| consumer.name == name)
    }

    fn next_place(&mut self) -> u64 {
        self.count += 1;
        self.count
    }
}

/// Chapter 3, with B-4 written out. No jitter, whatever the factor.
fn next_delay(policy: &PolicyArgument, attempt: u32, age: f64) -> Next {
    if i64::from(attempt) >= policy.max_attempts {
        return Next::GiveUp("max_attempts");
    }
    let limit = policy.max_message_age.0;
    if limit > 0.0 && age >= limit {
        return Next::GiveUp("max_message_age");
    }
    let ceiling = if policy.max_delay.0 > 0.0 {
        policy.max_delay.0
    } else {
        HORIZON
    };
    let mut delay = policy.initial_delay.0;
    for _ in 1..attempt {
        if delay >= ceiling {
            break;
        }
        delay *= policy.multiplier.0;
    }
    Next::Delay(if delay < ceiling { delay } else { ceiling })
}

/// a limit that is 0 when rounded is none.
fn limit(seconds: f64) -> Option<u64> {
    let limit = milliseconds(seconds);
    if limit == 0 { None } else { Some(limit) }
}

/// the nearest whole millisecond, halves up.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to 2^42"
)]
fn milliseconds(seconds: f64) -> u64 {
    let exact = seconds * 1000.0;
    let below = exact.floor();
    let nearest = if exact - below < 0.5 { below } else { below + 1.0 };
    nearest as u64
}

/// an age, by one division.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "below 2^53")]
fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}
