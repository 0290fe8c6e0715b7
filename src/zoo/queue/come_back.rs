//! The way back into the queue, at once or after a delay.

use super::delays::{DelayFrom, DelayOfZero, DelayRounding};
use super::fail::Cause;
use super::model::{Queue, State};
use super::timers::{DelayHolds, DelayLost, DelayTimer};
use super::ttl::TtlOnReturn;
use crate::millis::Millis;
use crate::scenario::{Time, TraceEvent};

impl Queue<'_> {
    /// Back into the queue, at once or after a delay.
    pub(super) fn come_back(&mut self, index: usize, cause: Cause, delay: f64, lease_end: Option<u64>) {
        self.messages[index].latest_return = self.now;
        match self.habits.ttl_on_return {
            TtlOnReturn::Restarts => self.start_ttl(index),
            TtlOnReturn::Kept => {}
            TtlOnReturn::GoesOnWhereItStopped => {
                let end = self.now + self.messages[index].ttl_left;
                let place = self.next_place();
                self.messages[index].use_by = self.message_ttl.map(|_| (end, place));
            }
            TtlOnReturn::Dropped => self.messages[index].use_by = None,
        }
        let is_lost = match self.habits.delay_lost {
            DelayLost::None | DelayLost::TheSecondWithItsMessage => false,
            DelayLost::AfterNacks => matches!(cause, Cause::Nack | Cause::Handler),
            DelayLost::AfterLeaseEnds => cause == Cause::LeaseEnd,
        };
        let delay = match (self.rounded(delay), self.habits.delay_of_zero) {
            _ if is_lost => None,
            (0, DelayOfZero::None) => None,
            (0, DelayOfZero::OneSecond) => Some(1000),
            (delay, DelayOfZero::None | DelayOfZero::OneSecond | DelayOfZero::ADelay) => Some(delay),
        };
        match delay {
            None => self.make_ready(index, self.habits.place_of_the_failed),
            Some(delay) => self.delay(index, delay, lease_end),
        }
    }

    fn rounded(&self, delay: f64) -> u64 {
        match self.habits.delay_rounding {
            DelayRounding::Nearest => Millis::nearest(delay).count(),
            DelayRounding::Down => Millis::nearest((delay * 1000.0).floor() / 1000.0).count(),
            DelayRounding::Up => Millis::nearest((delay * 1000.0).ceil() / 1000.0).count(),
            DelayRounding::ToWholeSeconds => Millis::nearest(delay.floor()).count(),
        }
    }

    /// Delays a message by so many milliseconds.
    pub(super) fn delay(&mut self, index: usize, delay: u64, lease_end: Option<u64>) {
        let message = &self.messages[index];
        let from = match self.habits.delay_from {
            DelayFrom::Failure => self.now,
            DelayFrom::Delivery => message.latest_delivery,
            DelayFrom::EndOfTheLease => lease_end.unwrap_or(self.now),
        };
        let until = (from + delay).max(self.now);
        let fires = self.fires(until);
        let place = self.next_place();
        let message = &mut self.messages[index];
        message.laps += 1;
        message.state = State::Delayed {
            place,
            until: fires,
            lease_end: lease_end.filter(|&end| self.habits.delay_holds == DelayHolds::TheLease && end > self.now),
        };
        if self.habits.delay_lost == DelayLost::TheSecondWithItsMessage && message.laps > 1 {
            message.state = State::Gone;
        }
        let message = message.name.clone();
        let (at, until) = (self.at(), Time(Millis::new(until)));
        self.trace.push(TraceEvent::Delayed { at, message, until });
    }

    /// When the timer fires of a delay that should end at an instant; none for never.
    fn fires(&self, until: u64) -> Option<u64> {
        const MINUTE: u64 = 60_000;
        const SIGNED_32_BITS: u64 = 0x7fff_ffff;
        let delay = until - self.now;
        match self.habits.delay_timer {
            DelayTimer::AtTheEnd => Some(until),
            DelayTimer::BehindEarlierOnes => {
                let earlier = self.messages.iter().filter_map(|message| match message.state {
                    State::Delayed { until, .. } => until,
                    State::Ready { .. } | State::Leased { .. } | State::Dead | State::Between | State::Gone => None,
                });
                earlier.chain([until]).max()
            }
            DelayTimer::AtOnceAbove31Bits => Some(if delay > SIGNED_32_BITS { self.now + 1 } else { until }),
            DelayTimer::NeverAboveFifteenMinutes => Some(until).filter(|_| delay <= 15 * MINUTE),
            DelayTimer::WithinFiveMinutes => Some(until.min(self.now + 5 * MINUTE)),
            DelayTimer::InWholeSeconds => Some((until / 1000 * 1000).max(self.now)),
        }
    }
}
