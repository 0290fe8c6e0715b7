//! Failures: what is asked of the policy, and what follows.

use super::age::{AgeChecked, AgeFrom, AgeUnit, AgeUntil};
use super::consumers::Room;
use super::counting::{AttemptLimit, CountedAt, FailuresCount};
use super::deaths::{GivenUp, Reason};
use super::delays::DelayGrowsWith;
use super::leases::{LeaseEnd, LeaseTimer};
use super::model::{Queue, State};
use super::ttl::TtlInLease;
use crate::millis::Millis;
use crate::next_delay::{GiveUp, NextDelay};
use crate::policy::{MAX_ATTEMPTS, PolicyFields};
use crate::zoo::rules::Outcome;

/// What a failure comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Nack,
    Handler,
    LeaseEnd,
    Removal,
    Expiry,
}

impl Queue<'_> {
    ///
    pub(super) fn fail(&mut self, index: usize, cause: Cause, text: Option<String>) -> Outcome<()> {
        let lease_end = self.end_lease(index, cause);
        let is_counted = match self.habits.failures_count {
            FailuresCount::All => true,
            FailuresCount::NotLeaseEnds => cause != Cause::LeaseEnd,
            FailuresCount::NotRemovals => cause != Cause::Removal,
            FailuresCount::NotNacks => !matches!(cause, Cause::Nack | Cause::Handler),
        };
        if !is_counted {
            self.messages[index].attempts = self.messages[index].attempts.saturating_sub(1);
            self.start_ttl(index);
            self.make_ready(index, self.habits.place_of_the_failed);
            return Ok(());
        }
        if self.habits.counted_at == CountedAt::Failure {
            self.messages[index].attempts += 1;
        }
        self.tell_failed(index, cause, text);
        if cause == Cause::LeaseEnd && self.habits.lease_end == LeaseEnd::Death {
            self.die(index, GiveUp::MaxAttempts.name());
            return Ok(());
        }
        let use_by = self.messages[index].use_by;
        let is_past = use_by.is_some_and(|(end, _)| end <= self.now);
        if self.habits.ttl_in_lease == TtlInLease::DecidesTheFailure && is_past {
            self.die(index, "ttl_expired");
            return Ok(());
        }
        match self.ask(index, cause)? {
            NextDelay::Retry(delay) => self.come_back(index, cause, delay, lease_end),
            NextDelay::GiveUp(reason) => self.give_up(index, cause, reason)?,
        }
        Ok(())
    }

    /// Takes the lease from the consumer, and gives when it would have ended.
    fn end_lease(&mut self, index: usize, cause: Cause) -> Option<u64> {
        let message = &mut self.messages[index];
        let number = message.consumer;
        let State::Leased { end, .. } = message.state else {
            return None;
        };
        if self.habits.lease_timer == LeaseTimer::OutlivesANack && cause != Cause::LeaseEnd {
            message.old_timers.extend(end);
        }
        message.state = State::Between;
        if let Some(consumer) = self.consumers.iter_mut().find(|consumer| consumer.number == number) {
            consumer.failures += 1;
            if self.habits.room == Room::LostWhenALeaseEnds && cause == Cause::LeaseEnd {
                consumer.lost_places += 1;
            }
        }
        end
    }

    /// What the policy says of a failure.
    fn ask(&self, index: usize, cause: Cause) -> Outcome<NextDelay> {
        let message = &self.messages[index];
        let mut fields = *self.fields;
        match self.habits.attempt_limit {
            AttemptLimit::AsGiven => {}
            AttemptLimit::OneMore => fields.max_attempts += 1,
            AttemptLimit::OneLess => fields.max_attempts = (fields.max_attempts - 1).max(1),
            AttemptLimit::NotAtLeaseEnds if cause != Cause::LeaseEnd => {}
            AttemptLimit::AtRemovalsOnly if cause == Cause::Removal => {}
            AttemptLimit::NotAtLeaseEnds | AttemptLimit::AtRemovalsOnly => fields = unlimited(&fields),
        }
        if self.habits.age_checked == AgeChecked::AtFailuresButLeaseEnds && cause == Cause::LeaseEnd {
            fields.max_message_age = 0.0;
        }
        let attempt = message.attempts.max(1);
        let next_delay =
            |fields: &PolicyFields, attempt, age| (self.rules.next_delay)(self.rules, fields, attempt, age);
        let age = self.age(index);
        let mut answer = next_delay(&fields, attempt, age)?;
        if self.habits.reason == Reason::AgeBeforeAttempts
            && let NextDelay::GiveUp(reason) = next_delay(&unlimited(&fields), attempt, age)?
        {
            answer = NextDelay::GiveUp(reason);
        }
        let NextDelay::Retry(delay) = answer else {
            return Ok(answer);
        };
        let holder = |number| self.consumers.iter().find(|consumer| consumer.number == number);
        match (self.habits.age_until, self.habits.delay_grows_with) {
            (AgeUntil::NextAttempt, _) => next_delay(&fields, attempt, age.map(|age| age + delay)),
            (AgeUntil::Failure, DelayGrowsWith::Attempts) => Ok(answer),
            (AgeUntil::Failure, DelayGrowsWith::FailuresOfTheConsumer) => {
                let failures = holder(message.consumer).map_or(attempt, |consumer| consumer.failures);
                next_delay(&unlimited(&fields), failures, None)
            }
            (AgeUntil::Failure, DelayGrowsWith::DeliveriesOfAllLives) => {
                let deliveries = u32::try_from(message.deliveries).unwrap_or(MAX_ATTEMPTS);
                next_delay(&unlimited(&fields), deliveries, None)
            }
            (AgeUntil::Failure, DelayGrowsWith::Nothing) => next_delay(&unlimited(&fields), 1, None),
        }
    }

    /// The age in seconds, where it has one.
    fn age(&self, index: usize) -> Option<f64> {
        let message = &self.messages[index];
        let since = match self.habits.age_from {
            AgeFrom::Put => message.born?,
            AgeFrom::FirstDelivery => message.first_delivery?,
            AgeFrom::LatestDelivery => message.latest_delivery,
            AgeFrom::LatestReturn => message.latest_return,
            AgeFrom::Start => 0,
        };
        let milliseconds = self.now.saturating_sub(since);
        let seconds = |milliseconds| Millis::new(milliseconds).seconds();
        Some(match self.habits.age_unit {
            AgeUnit::Milliseconds => seconds(milliseconds),
            AgeUnit::Wraps32 => seconds(milliseconds % (1 << 32)),
            AgeUnit::WholeSeconds => seconds(milliseconds).floor(),
            AgeUnit::DifferenceOfSeconds => seconds(self.now) - seconds(since),
        })
    }

    pub(super) fn is_too_old(&self, index: usize) -> bool {
        let limit = self.fields.max_message_age;
        limit > 0.0 && self.age(index).is_some_and(|age| age >= limit)
    }

    fn give_up(&mut self, index: usize, cause: Cause, reason: GiveUp) -> Outcome<()> {
        let number = self.messages[index].consumer;
        if self.habits.room == Room::LostWhenAMessageDies
            && let Some(consumer) = self.consumers.iter_mut().find(|consumer| consumer.number == number)
        {
            consumer.lost_places += 1;
        }
        let reason = reason.name();
        match self.habits.given_up {
            GivenUp::Dies => self.die(index, reason),
            GivenUp::DiesUnheardAtLeaseEnds if cause != Cause::LeaseEnd => self.die(index, reason),
            GivenUp::DiesUnheard | GivenUp::DiesUnheardAtLeaseEnds => {
                self.record(index, reason);
            }
            GivenUp::DiesTwice => {
                self.die(index, reason);
                self.record(index, reason);
            }
            GivenUp::DiesAndReturns => {
                self.die(index, reason);
                self.start_ttl(index);
                self.make_ready(index, self.habits.place_of_the_failed);
            }
            GivenUp::DiesWhenTakenAgain => {
                let attempt = self.messages[index].attempts.max(1);
                let ageless = unlimited(&PolicyFields {
                    max_message_age: 0.0,
                    ..*self.fields
                });
                if let NextDelay::Retry(delay) = (self.rules.next_delay)(self.rules, &ageless, attempt, None)? {
                    self.messages[index].doomed = Some(reason.to_owned());
                    self.come_back(index, cause, delay, None);
                }
            }
            GivenUp::LiesAround => {
                let place = self.next_place();
                let message = &mut self.messages[index];
                message.is_marked = true;
                message.state = State::Ready { place };
                message.use_by = None;
            }
            GivenUp::Vanishes => self.messages[index].state = State::Gone,
        }
        Ok(())
    }
}

/// The policy without a limit of attempts.
fn unlimited(fields: &PolicyFields) -> PolicyFields {
    PolicyFields {
        max_attempts: i64::from(MAX_ATTEMPTS),
        ..*fields
    }
}
