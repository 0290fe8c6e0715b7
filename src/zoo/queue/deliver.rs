//! Deliveries: who has room, who comes first, and what the handler does.

use super::age::AgeChecked;
use super::consumers::Room;
use super::counting::{CountKept, CountedAt};
use super::fail::Cause;
use super::instants::HandlerActs;
use super::leases::LeaseFrom;
use super::model::{Consumer, Message, Queue, State};
use super::order::Place;
use super::timers::DelayHolds;
use super::ttl::TtlNoticed;
use crate::scenario::{Handler, TraceEvent};
use crate::zoo::rules::Outcome;

impl Queue<'_> {
    pub(super) fn first_ready(&self) -> Option<usize> {
        self.first(self.habits.ready_order, |message| match message.state {
            State::Ready { place } => Some(place).filter(|_| !message.is_marked),
            State::Delayed { .. } | State::Leased { .. } | State::Dead | State::Between | State::Gone => None,
        })
    }

    pub(super) fn make_ready(&mut self, index: usize, place: Place) {
        let place = self.placed(place);
        let message = &mut self.messages[index];
        message.state = State::Ready { place };
        let message = message.name.clone();
        self.trace.push(TraceEvent::Ready { at: self.at(), message });
        for consumer in &mut self.consumers {
            consumer.is_awake = true;
        }
    }

    /// Delivers the first message that is ready, if a consumer has room. Of several consumers it is the one that was added first.
    pub(super) fn deliver_one(&mut self) -> Outcome<bool> {
        let with_room = (0..self.consumers.len()).find(|&index| self.has_room(&self.consumers[index]));
        let (Some(consumer), Some(index)) = (with_room, self.first_ready()) else {
            return Ok(false);
        };
        if let Some(reason) = self.messages[index].doomed.take() {
            self.die(index, &reason);
            return Ok(true);
        }
        if self.habits.age_checked == AgeChecked::AtDeliveriesToo && self.is_too_old(index) {
            self.die(index, "max_message_age");
            return Ok(true);
        }
        let is_over = self.ttl_end(&self.messages[index]).is_some_and(|end| end <= self.now);
        if self.habits.ttl_noticed == TtlNoticed::WhenTaken && is_over {
            self.expire(index)?;
            return Ok(true);
        }
        self.deliver(index, consumer)?;
        Ok(true)
    }

    fn has_room(&self, consumer: &Consumer) -> bool {
        const BITS_32: u64 = 1 << 32;
        if !consumer.is_awake {
            return false;
        }
        let is_held = |message: &&Message| {
            let holds = match message.state {
                State::Leased { .. } => true,
                State::Delayed { .. } => self.habits.delay_holds == DelayHolds::ThePlace,
                State::Ready { .. } | State::Dead | State::Between | State::Gone => false,
            };
            holds && message.consumer == consumer.number
        };
        let held = self.messages.iter().filter(is_held).count();
        let held = i128::from(u64::try_from(held).unwrap_or(u64::MAX)) + i128::from(consumer.lost_places);
        let below = |prefetch: Option<u64>| prefetch.is_none_or(|prefetch| held < i128::from(prefetch));
        match self.habits.room {
            Room::BelowThePrefetch | Room::LostWhenALeaseEnds | Room::LostWhenAMessageDies => below(consumer.prefetch),
            Room::UpToThePrefetch => below(consumer.prefetch.map(|prefetch| prefetch.saturating_add(1))),
            Room::Always => true,
            Room::BelowThePrefetchOverALifetime => consumer.prefetch.is_none_or(|prefetch| consumer.taken < prefetch),
            Room::BelowOneWithoutAPrefetch => below(consumer.prefetch.or(Some(1))),
            Room::BelowThePrefetchIn32Bits => below(consumer.prefetch.map(|prefetch| prefetch % BITS_32)),
        }
    }

    ///
    fn deliver(&mut self, index: usize, consumer: usize) -> Outcome<()> {
        let (now, place) = (self.now, self.next_place());
        let end = self.ack_timeout.map(|timeout| match self.habits.lease_from {
            LeaseFrom::Delivery | LeaseFrom::LatestDeliveryToTheConsumer => now + timeout,
            LeaseFrom::Put => self.messages[index].put + timeout,
        });
        let consumer = &mut self.consumers[consumer];
        consumer.taken += 1;
        let (number, name) = (consumer.number, consumer.name.clone());
        if self.habits.lease_from == LeaseFrom::LatestDeliveryToTheConsumer {
            self.renew_leases(number, end);
        }
        self.count_delivery(index, number);
        let message = &mut self.messages[index];
        message.deliveries += 1;
        message.first_delivery.get_or_insert(now);
        message.latest_delivery = now;
        message.consumer = number;
        message.ttl_left = message.use_by.map_or(0, |(end, _)| end.saturating_sub(now));
        message.old_timers.retain(|&old| old > now);
        message.state = State::Leased {
            place,
            end,
            is_pending: true,
        };
        let delivered = TraceEvent::Delivered {
            at: self.at(),
            message: self.messages[index].name.clone(),
            attempt: self.messages[index].attempts,
            consumer: name,
        };
        self.trace.push(delivered);
        if self.habits.handler_acts == HandlerActs::AtTheDelivery {
            self.handle(index)?;
        }
        Ok(())
    }

    fn count_delivery(&mut self, index: usize, consumer: u64) {
        let message = &mut self.messages[index];
        match self.habits.count_kept {
            CountKept::WithTheMessage => {}
            CountKept::WithTheMessageAndConsumer if message.consumer == consumer => {}
            CountKept::WithTheMessageAndConsumer | CountKept::Nowhere => message.attempts = 0,
            CountKept::WithTheQueue => message.attempts = self.attempts,
        }
        if self.habits.counted_at == CountedAt::Delivery {
            message.attempts = message.attempts.saturating_add(1);
        }
        self.attempts = message.attempts;
    }

    fn renew_leases(&mut self, consumer: u64, until: Option<u64>) {
        for message in self.messages.iter_mut().filter(|message| message.consumer == consumer) {
            if let State::Leased { end, .. } = &mut message.state {
                *end = until;
            }
        }
    }

    /// What the handler does with a message that it has.
    pub(super) fn handle(&mut self, index: usize) -> Outcome<()> {
        if let State::Leased { is_pending, .. } = &mut self.messages[index].state {
            *is_pending = false;
        }
        let number = self.messages[index].consumer;
        let consumer = self.consumers.iter().find(|consumer| consumer.number == number);
        match consumer.map(|consumer| consumer.on_message.clone()) {
            Some(Handler::Ack) => self.ack(index),
            Some(Handler::Fail(text)) => self.fail(index, Cause::Handler, Some(text))?,
            Some(Handler::Hold) | None => {}
        }
        Ok(())
    }

    /// The message is gone for good.
    pub(super) fn ack(&mut self, index: usize) {
        self.messages[index].state = State::Gone;
        self.tell_acked(index);
    }
}
