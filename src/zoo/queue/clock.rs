//! Time: what is due, and what happens at an instant.

use super::age::AgeChecked;
use super::fail::Cause;
use super::habits::Boundary;
use super::instants::{DeliveredAtOneGo, HandlerActs, Happening};
use super::leases::LeaseTimer;
use super::model::{Message, Queue, State};
use super::order::Place;
use super::ttl::{Expiry, TtlInDelay, TtlInLease, TtlNoticed, TtlOfTheDead};
use crate::millis::Millis;
use crate::zoo::rules::{Outcome, Stop};

impl Queue<'_> {
    /// Lets time pass, from one instant at which something is due to the next.
    pub(super) fn pass(&mut self, to: u64) -> Outcome<()> {
        while let Some(due) = self.next_due().filter(|&due| due <= to) {
            self.now = due;
            self.burn()?;
            self.settle()?;
        }
        self.now = self.now.max(to);
        Ok(())
    }

    /// Everything that happens at this instant.
    pub(super) fn settle(&mut self) -> Outcome<()> {
        let (mut may_deliver, mut may_expire) = (true, true);
        loop {
            let mut happened = None;
            for happening in self.habits.within_an_instant {
                let happens = match happening {
                    Happening::LeaseEnd => self.end_a_lease()?,
                    Happening::DelayEnd => self.end_a_delay(),
                    Happening::Delivery => may_deliver && self.deliver_one()?,
                    Happening::Expiry => may_expire && self.expire_one()?,
                };
                if happens {
                    happened = Some(happening);
                    break;
                }
            }
            if happened.is_none() && !self.handle_one()? {
                return Ok(());
            }
            match happened {
                Some(Happening::Delivery) => may_deliver = self.habits.delivered_at_one_go == DeliveredAtOneGo::All,
                Some(Happening::Expiry) => may_expire = self.habits.ttl_noticed != TtlNoticed::OneAtATime,
                Some(Happening::LeaseEnd | Happening::DelayEnd) | None => {}
            }
            self.burn()?;
        }
    }

    fn burn(&mut self) -> Outcome<()> {
        self.fuse = self.fuse.checked_sub(1).ok_or(Stop::Crashed("never ends"))?;
        Ok(())
    }

    /// The earliest instant after this one at which something happens by itself.
    fn next_due(&self) -> Option<u64> {
        let dues = self.messages.iter().flat_map(|message| {
            let timer = match message.state {
                State::Delayed { until, lease_end, .. } => [until, lease_end],
                State::Leased { .. } => [self.lease_end(message), None],
                State::Ready { .. } | State::Dead | State::Between | State::Gone => [None, None],
            };
            timer.into_iter().chain([self.ttl_end(message), self.age_end(message)])
        });
        dues.flatten().filter(|&due| due > self.now).min()
    }

    fn lease_end(&self, message: &Message) -> Option<u64> {
        let State::Leased { end, .. } = message.state else {
            return None;
        };
        let end = end.map(|end| end + past(self.habits.lease_boundary));
        let old_timers = message.old_timers.iter().copied();
        old_timers.filter(|&old| old > message.latest_delivery).chain(end).min()
    }

    fn end_a_lease(&mut self) -> Outcome<bool> {
        let now = self.now;
        // A delayed message that still has its lease comes back when that ends.
        let inside = self.first(self.habits.leases_end, |message| match message.state {
            State::Delayed { place, lease_end, .. } => Some(place).filter(|_| lease_end.is_some_and(|end| end <= now)),
            State::Ready { .. } | State::Leased { .. } | State::Dead | State::Between | State::Gone => None,
        });
        if let Some(index) = inside {
            self.make_ready(index, self.habits.place_of_the_delayed);
            return Ok(true);
        }
        let is_over = |message: &Message| self.lease_end(message).is_some_and(|end| end <= now);
        let ended = self.first(self.habits.leases_end, |message| {
            message.lease().filter(|_| is_over(message))
        });
        let Some(index) = ended else {
            return Ok(false);
        };
        let message = &mut self.messages[index];
        message.old_timers.retain(|&old| old > now);
        if self.habits.lease_timer == LeaseTimer::FiresAgain {
            message.old_timers.extend(self.ack_timeout.map(|timeout| now + timeout));
        }
        self.fail(index, Cause::LeaseEnd, None)?;
        Ok(true)
    }

    fn end_a_delay(&mut self) -> bool {
        let now = self.now;
        let ended = self.first(self.habits.delays_end, |message| match message.state {
            State::Delayed { place, until, .. } => Some(place).filter(|_| until.is_some_and(|until| until <= now)),
            State::Ready { .. } | State::Leased { .. } | State::Dead | State::Between | State::Gone => None,
        });
        let Some(index) = ended else {
            return false;
        };
        if self.habits.ttl_in_delay == TtlInDelay::RestartsAtItsEnd {
            self.start_ttl(index);
        }
        self.make_ready(index, self.habits.place_of_the_delayed);
        true
    }

    /// Starts the TTL clock afresh.
    pub(super) fn start_ttl(&mut self, index: usize) {
        let place = self.next_place();
        self.messages[index].use_by = self.message_ttl.map(|ttl| (self.now + ttl, place));
    }

    /// When the TTL runs out, if it runs.
    pub(super) fn ttl_end(&self, message: &Message) -> Option<u64> {
        let runs = match message.state {
            State::Ready { .. } => true,
            State::Delayed { .. } => self.habits.ttl_in_delay != TtlInDelay::NoticedAtItsEnd,
            State::Leased { .. } => self.habits.ttl_in_lease == TtlInLease::RunsOut,
            State::Dead => self.habits.ttl_of_the_dead == TtlOfTheDead::SweepsThemAway,
            State::Between | State::Gone => false,
        };
        let (end, _) = message.use_by.filter(|_| runs)?;
        Some(end + past(self.habits.ttl_boundary))
    }

    /// When its age kills a message that waits, where it does.
    fn age_end(&self, message: &Message) -> Option<u64> {
        let limit = self.fields.max_message_age;
        let kills = self.habits.age_checked == AgeChecked::AllTheTime && limit > 0.0 && message.is_waiting();
        let born = message.born.filter(|_| kills)?;
        Some(born + Millis::nearest(limit).count())
    }

    fn expire_one(&mut self) -> Outcome<bool> {
        let now = self.now;
        let too_old = |message: &Message| self.age_end(message).is_some_and(|end| end <= now);
        if let Some(index) = self.messages.iter().position(too_old) {
            self.die(index, "max_message_age");
            return Ok(true);
        }
        let is_over = |message: &Message| self.ttl_end(message).is_some_and(|end| end <= now);
        let expired = self.sorted(self.habits.ttls_run_out, |message| {
            message.use_by.map(|(_, place)| place).filter(|_| is_over(message))
        });
        let head = self.first_ready();
        let is_noticed = |index: &usize| match self.habits.ttl_noticed {
            TtlNoticed::AtItsInstant | TtlNoticed::OneAtATime => true,
            TtlNoticed::WhenTaken => !self.messages[*index].is_waiting(),
            TtlNoticed::AtTheHead => {
                head == Some(*index) || !matches!(self.messages[*index].state, State::Ready { .. })
            }
        };
        let Some(index) = expired.into_iter().find(is_noticed) else {
            return Ok(false);
        };
        self.expire(index)?;
        Ok(true)
    }

    /// The TTL of a message has run out.
    pub(super) fn expire(&mut self, index: usize) -> Outcome<()> {
        match (self.messages[index].state, self.habits.expiry) {
            (State::Dead, _) => {
                self.messages[index].state = State::Gone;
                self.letters.retain(|record| record.message != index);
            }
            (_, Expiry::Death) => self.die(index, "ttl_expired"),
            (_, Expiry::Vanishing) => self.messages[index].state = State::Gone,
            (_, Expiry::Failure) => self.fail(index, Cause::Expiry, None)?,
        }
        Ok(())
    }

    /// A handler acts that waited for the deliveries to be over.
    fn handle_one(&mut self) -> Outcome<bool> {
        if self.habits.handler_acts == HandlerActs::AtTheDelivery {
            return Ok(false);
        }
        let pending = self.first(self.habits.leases_end, |message| match message.state {
            State::Leased { place, is_pending, .. } => Some(place).filter(|_| is_pending),
            State::Ready { .. } | State::Delayed { .. } | State::Dead | State::Between | State::Gone => None,
        });
        let Some(index) = pending else {
            return Ok(false);
        };
        self.handle(index)?;
        Ok(true)
    }

    pub(super) fn placed(&mut self, place: Place) -> i64 {
        let next = self.next_place();
        match place {
            Place::Back => next,
            Place::Front => -next,
        }
    }
}

fn past(boundary: Boundary) -> u64 {
    match boundary {
        Boundary::Reached => 0,
        Boundary::Passed => 1,
    }
}
