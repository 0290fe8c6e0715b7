//! Entering events: what each may say, given those before it.

use super::fault::{Fault, ensure};
use super::ledger::{Lease, Ledger, State};
use crate::millis::Millis;
use crate::scenario::{Handler, Letter, Time, TraceEvent};

impl Ledger {
    /// Enters one event.
    ///
    /// # Errors
    ///
    /// What is wrong with it. The book is of no use then.
    pub fn enter(&mut self, event: &TraceEvent) -> Result<(), Fault> {
        let at = event.at();
        let now = Time(self.now);
        ensure(now.0 <= at, &["Q-30"], format_args!("a time from {now} on"), Time(at))?;
        self.now = at;
        match event {
            TraceEvent::Ready { message, .. } => self.enter_ready(event, at, message),
            TraceEvent::Delivered {
                message,
                attempt,
                consumer,
                ..
            } => self.enter_delivered(event, at, message, *attempt, consumer),
            TraceEvent::Acked { message, attempt, .. } => {
                self.called_for(event)?;
                self.end_lease(message, *attempt)?;
                self.message(message)?.state = State::Gone;
                self.acked += 1;
                Ok(())
            }
            TraceEvent::Failed {
                message,
                attempt,
                error,
                ..
            } => self.enter_failed(event, at, message, *attempt, error.as_deref()),
            TraceEvent::Delayed { message, until, .. } => self.enter_delayed(event, at, message, until.0),
            TraceEvent::Dead {
                message,
                reason,
                error,
                attempts,
                ..
            } => self.enter_dead(
                event,
                Letter {
                    message: message.clone(),
                    reason: reason.clone(),
                    error: error.clone(),
                    attempts: *attempts,
                    at: Time(at),
                },
            ),
            TraceEvent::Refused { .. } | TraceEvent::Stats { .. } | TraceEvent::DeadLetters { .. } => {
                self.called_for(event)
            }
        }
    }

    fn enter_ready(&mut self, event: &TraceEvent, at: Millis, name: &str) -> Result<(), Fault> {
        match self.message(name)?.state {
            State::Announced => self.called_for(event)?,
            State::Failed => {
                self.follows(event, name)?;
                let decision = self.came_back(at, name)?;
                let expected = format_args!("what follows from the failure of {name}, which is {decision}");
                ensure(decision.is_at_once(), &["Q-13", "Q-15"], expected, event)?;
            }
            State::Delayed { until, .. } => {
                let expected = format_args!("{name} ready when its delay is over, at {}", Time(until));
                ensure(until == at, &["Q-16"], expected, event)?;
                self.not_called_for(event)?;
            }
            state @ (State::Ready | State::Leased(_) | State::Dead | State::Gone) => {
                return Err(Fault::new(
                    &["Q-1"],
                    format_args!("one {name}, which is {state}"),
                    event,
                ));
            }
        }
        self.message(name)?.state = State::Ready;
        self.ready.push_back(name.to_owned());
        Ok(())
    }

    fn enter_delivered(
        &mut self,
        event: &TraceEvent,
        at: Millis,
        name: &str,
        attempt: u32,
        consumer: &str,
    ) -> Result<(), Fault> {
        self.not_called_for(event)?;
        let oldest = self.ready.pop_front();
        let oldest = oldest.as_deref().unwrap_or("nothing");
        let expected = format_args!("the delivery of what has been ready for the longest, which is {oldest}");
        ensure(oldest == name, &["Q-3", "Q-26"], expected, event)?;
        let (place, max_attempts, ttl) = (self.place(), self.policy.max_attempts(), self.message_ttl);
        let message = self.message(name)?;
        let is_late = ttl.is_some_and(|ttl| at > message.came + ttl);
        ensure(
            !is_late,
            &["Q-18"],
            format_args!("no delivery of {name} after its TTL"),
            event,
        )?;
        message.attempts += 1;
        message.state = State::Leased(place);
        message.deliveries.push(place);
        let expected = message.attempts;
        ensure(
            attempt == expected,
            &["Q-5"],
            format_args!("attempt {expected} of {name}"),
            event,
        )?;
        let most = format_args!("at most {max_attempts} attempts");
        ensure(attempt <= max_attempts, &["P-2", "Q-14"], most, event)?;
        let lease = Lease {
            message: name.to_owned(),
            consumer: consumer.to_owned(),
            end: self.ack_timeout.map(|timeout| at + timeout),
        };
        self.leases.insert(place, lease);

        // What its consumer does with it at once.
        let Some(consumer) = self.consumers.get_mut(consumer) else {
            return Err(Fault::new(
                &["Q-4", "Q-12"],
                "a delivery to a consumer that is there",
                event,
            ));
        };
        let held = consumer.held;
        let expected = format_args!("a delivery to a consumer with room, which holds fewer than {held}");
        ensure(consumer.has_room(), &["Q-4"], expected, event)?;
        consumer.held += 1;
        let (at, message) = (Time(at), name.to_owned());
        self.next.extend(match &consumer.on_message {
            Handler::Hold => None,
            Handler::Ack => Some(TraceEvent::Acked { at, message, attempt }),
            Handler::Fail(text) => Some(TraceEvent::Failed {
                at,
                message,
                attempt,
                error: Some(text.clone()),
            }),
        });
        Ok(())
    }

    fn enter_failed(
        &mut self,
        event: &TraceEvent,
        at: Millis,
        name: &str,
        attempt: u32,
        error: Option<&str>,
    ) -> Result<(), Fault> {
        let has_cause = !self.next.is_empty();
        if has_cause {
            self.called_for(event)?;
        } else {
            self.not_called_for(event)?;
        }
        let lease = self.end_lease(name, attempt)?;
        if !has_cause {
            let expected = format_args!("no failure without a cause: the lease of {name} does not end");
            ensure(lease.end == Some(at), &["Q-6", "Q-11"], expected, event)?;
            ensure(
                error == Some("ack timeout"),
                &["Q-11"],
                "the text \"ack timeout\"",
                event,
            )?;
        }
        let message = self.message(name)?;
        message.state = State::Failed;
        message.error = error.map(str::to_owned);
        self.failed = Some(name.to_owned());
        Ok(())
    }

    fn enter_delayed(&mut self, event: &TraceEvent, at: Millis, name: &str, until: Millis) -> Result<(), Fault> {
        self.follows(event, name)?;
        let decision = self.came_back(at, name)?;
        let is_right = decision
            .0
            .is_ok_and(|delay| delay > Millis::default() && until == at + delay);
        let expected = format_args!("what follows from the failure of {name}, which is {decision}");
        ensure(is_right, &["Q-13", "Q-16"], expected, event)?;
        let order = self.place();
        self.message(name)?.state = State::Delayed { until, order };
        Ok(())
    }

    fn enter_dead(&mut self, event: &TraceEvent, letter: Letter) -> Result<(), Fault> {
        let (name, at, ttl) = (letter.message.as_str(), letter.at.0, self.message_ttl);
        let state = self.message(name)?.state;
        if letter.reason == "ttl_expired" {
            self.not_called_for(event)?;
            let waits = matches!(state, State::Ready | State::Delayed { .. });
            let expected = format_args!("no death by TTL of {name}, which is {state}");
            ensure(waits, &["Q-18", "Q-19"], expected, event)?;
            let came = self.message(name)?.came;
            let expected = format_args!("the death of {name} a TTL after {}, when it came", Time(came));
            ensure(
                ttl.map(|ttl| came + ttl) == Some(at),
                &["Q-17", "Q-18"],
                expected,
                event,
            )?;
            if let Some(place) = self.ready.iter().position(|ready| ready == name) {
                self.ready.remove(place);
            }
        } else {
            self.follows(event, name)?;
            let decision = self.came_back(at, name)?;
            let is_right = decision.0.is_err_and(|reason| reason.name() == letter.reason);
            let expected = format_args!("what follows from the failure of {name}, which is {decision}");
            ensure(is_right, &["Q-13", "Q-14"], expected, event)?;
        }
        let message = self.message(name)?;
        message.state = State::Dead;
        let error = &message.error;
        let expected = format_args!("the text of its last failure, {error:?}");
        ensure(letter.error == *error, &["Q-14", "Q-18"], expected, event)?;
        let attempts = message.attempts;
        ensure(
            letter.attempts == attempts,
            &["Q-14", "Q-18"],
            format_args!("attempts {attempts}"),
            event,
        )?;
        self.dead.push(letter);
        Ok(())
    }
}
