//! Steps: what is put, settled, replayed, added, removed and asked.

use super::consumers::UnknownRemoval;
use super::fail::Cause;
use super::model::{Message, Queue, State};
use super::order::{Order, Place};
use super::replay::{Former, ReplayOf, Replayed, ReplayedClock, ReplayedCount};
use super::settling::{AckSettles, DeliveryNamed, LateAck, LateNack};
use crate::millis::Millis;
use crate::next_delay::NextDelay;
use crate::scenario::Action;
use crate::zoo::rules::Outcome;

impl Queue<'_> {
    /// The table of steps.
    pub(super) fn act(&mut self, action: &Action) -> Outcome<()> {
        match action {
            Action::Put { message } => {
                self.messages.push(Message::new(message, self.now));
                let index = self.messages.len() - 1;
                self.start_ttl(index);
                self.make_ready(index, Place::Back);
            }
            Action::AddConsumer {
                consumer,
                on_message,
                prefetch,
            } => self.add_consumer(consumer, on_message, *prefetch)?,
            Action::RemoveConsumer { consumer } => match (self.consumer_named(consumer), self.habits.unknown_removal) {
                (Some(index), _) => self.remove_consumer(index)?,
                (None, UnknownRemoval::Refused) => {
                    self.refuse("remove_consumer", None, Some(consumer), "unknown_consumer");
                }
                (None, UnknownRemoval::Ignored) => {}
            },
            Action::Ack { message, delivery } => match self.live_lease(message, *delivery) {
                Some(index) => self.settle_by_ack(index),
                None => self.late_ack(message)?,
            },
            Action::Nack {
                message,
                delivery,
                error,
            } => match self.live_lease(message, *delivery) {
                Some(index) => self.fail(index, Cause::Nack, error.clone())?,
                None => self.late_nack(message, error.clone())?,
            },
            Action::Replay { message } => self.replay(message)?,
            Action::Stats => self.tell_stats(),
            Action::DeadLetters => self.tell_letters(),
            Action::Wait => {}
        }
        Ok(())
    }

    /// The message, if the lease of that delivery is live.
    fn live_lease(&self, name: &str, delivery: Option<u64>) -> Option<usize> {
        let index = self.named(name)?;
        let message = &self.messages[index];
        message.lease()?;
        let is_named = delivery.is_none_or(|number| match self.habits.delivery_named {
            DeliveryNamed::ThatDelivery => number == message.deliveries,
            DeliveryNamed::TheMessage => true,
            DeliveryNamed::TheAttempt => number == u64::from(message.attempts),
            DeliveryNamed::ThatDeliveryIn32Bits => number % (1 << 32) == message.deliveries,
        });
        Some(index).filter(|_| is_named)
    }

    fn settle_by_ack(&mut self, index: usize) {
        let (consumer, place) = (self.messages[index].consumer, self.messages[index].lease());
        if self.habits.ack_settles == AckSettles::AllBefore {
            let before = self.sorted(Order::FirstCome, |message| {
                message
                    .lease()
                    .filter(|&lease| message.consumer == consumer && Some(lease) < place)
            });
            for index in before {
                self.ack(index);
            }
        }
        self.ack(index);
    }

    fn late_ack(&mut self, name: &str) -> Outcome<()> {
        let found = self.named(name).map(|index| (index, self.messages[index].state));
        match (self.habits.late_ack, found) {
            (LateAck::Accepted, Some((index, State::Leased { .. } | State::Ready { .. } | State::Delayed { .. })))
            | (LateAck::AcceptedUntilTaken, Some((index, State::Ready { .. } | State::Delayed { .. }))) => {
                self.ack(index);
                return Ok(());
            }
            (LateAck::AcceptedOfTheDead, Some((index, State::Dead))) => {
                self.tell_acked(index);
                return Ok(());
            }
            (LateAck::SilentlyDropped, Some((_, state))) if !matches!(state, State::Gone) => return Ok(()),
            (LateAck::SilentlyDroppedWhenGone, Some((_, State::Gone)))
            | (LateAck::SilentlyDroppedWhenUnknown, None) => {
                return Ok(());
            }
            (_, _) => self.refuse("ack", Some(name), None, "unknown_delivery"),
        }
        let number = found.map(|(index, _)| self.messages[index].consumer);
        let holder = self
            .consumers
            .iter()
            .position(|consumer| Some(consumer.number) == number);
        match (self.habits.late_ack, holder) {
            (LateAck::MakesRoom, Some(index)) => self.consumers[index].lost_places -= 1,
            (LateAck::StopsTheConsumer, Some(index)) => self.remove_consumer(index)?,
            (_, _) => {}
        }
        Ok(())
    }

    fn late_nack(&mut self, name: &str, text: Option<String>) -> Outcome<()> {
        let found = self.named(name).map(|index| (index, self.messages[index].state));
        match (self.habits.late_nack, found) {
            (LateNack::UsesAnAttempt, Some((index, _))) => self.messages[index].attempts += 1,
            (LateNack::LeavesItsText, Some((index, _))) => self.messages[index].error = text,
            (LateNack::FailsTheWaiting, Some((index, State::Ready { .. } | State::Delayed { .. }))) => {
                return self.fail(index, Cause::Nack, text);
            }
            (LateNack::BringsBackTheGone, Some((index, State::Gone))) => {
                self.start_ttl(index);
                self.make_ready(index, Place::Back);
                return Ok(());
            }
            (_, _) => {}
        }
        self.refuse("nack", Some(name), None, "unknown_delivery");
        Ok(())
    }

    ///
    fn replay(&mut self, name: &str) -> Outcome<()> {
        let found = self.named(name).map(|index| (index, self.messages[index].state));
        let expired = |index| self.letters.iter().rfind(|record| record.message == index);
        let expired = |index| expired(index).is_some_and(|record| record.letter.reason == "ttl_expired");
        match (self.habits.replay_of, found) {
            (ReplayOf::ADeadOneThatDidNotExpire, Some((index, State::Dead))) if expired(index) => {}
            (ReplayOf::AllDeadOnes, Some((_, State::Dead))) => {
                let mut dead: Vec<usize> = self.letters.iter().map(|record| record.message).collect();
                dead.dedup();
                for index in dead {
                    self.begin_again(index)?;
                }
                return Ok(());
            }
            (_, Some((index, State::Dead)))
            | (ReplayOf::AWaitingOneToo, Some((index, State::Ready { .. } | State::Delayed { .. })))
            | (ReplayOf::AnAckedOneToo, Some((index, State::Gone))) => return self.begin_again(index),
            (ReplayOf::AnythingSilently, _) => return Ok(()),
            (_, _) => {}
        }
        self.refuse("replay", Some(name), None, "not_dead");
        Ok(())
    }

    fn begin_again(&mut self, index: usize) -> Outcome<()> {
        let now = self.now;
        let message = &mut self.messages[index];
        match self.habits.replayed_count {
            ReplayedCount::None => message.attempts = 0,
            ReplayedCount::Kept => {}
            ReplayedCount::OneLess => message.attempts = message.attempts.saturating_sub(1),
        }
        match self.habits.replayed_age {
            ReplayedClock::Fresh => message.born = Some(now),
            ReplayedClock::Kept => {}
            ReplayedClock::None => message.born = None,
        }
        message.put = now;
        message.first_delivery = None;
        message.latest_return = now;
        if self.habits.former_text == Former::Removed {
            message.error = None;
        }
        match self.habits.replayed_ttl {
            ReplayedClock::Fresh => self.start_ttl(index),
            ReplayedClock::Kept => {}
            ReplayedClock::None => self.messages[index].use_by = None,
        }
        if self.habits.former_letter == Former::Removed {
            self.letters.retain(|record| record.message != index);
        }
        self.messages[index].is_marked = self.habits.replayed == Replayed::NeverDelivered;
        if self.habits.replayed == Replayed::Delayed
            && let NextDelay::Retry(delay) = (self.rules.next_delay)(self.rules, self.fields, 1, None)?
        {
            self.delay(index, Millis::nearest(delay).count(), None);
            return Ok(());
        }
        self.make_ready(index, self.habits.place_of_the_replayed);
        Ok(())
    }
}
