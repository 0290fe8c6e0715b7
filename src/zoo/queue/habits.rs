//! What queues do differently: one field for each decision, and what chapter 6 says of it.

use super::age::{AgeChecked, AgeFrom, AgeUnit, AgeUntil};
use super::consumers::{Duplicate, Removal, RemovedName, Room, UnknownRemoval};
use super::counting::{AttemptLimit, CountKept, CountedAt, FailuresCount};
use super::deaths::{GivenUp, Reason};
use super::delays::{DelayFrom, DelayGrowsWith, DelayOfZero, DelayRounding};
use super::instants::{Aftermath, ConsumerStarts, DeliveredAtOneGo, HandlerActs, Happening, TimePasses};
use super::leases::{LeaseEnd, LeaseFrom, LeaseTimer};
use super::letters::{Counted, LetterAt, LetterAttempts, Reading};
use super::limits::LimitsJudged;
use super::order::{Order, Place};
use super::replay::{Former, ReplayOf, Replayed, ReplayedClock, ReplayedCount};
use super::settling::{AckSettles, DeliveryNamed, LateAck, LateNack};
use super::texts::{OwnText, TextKept, TextOfTheDead, TextRead};
use super::timers::{DelayHolds, DelayLost, DelayTimer};
use super::ttl::{Expiry, TtlInDelay, TtlInLease, TtlNoticed, TtlOfTheDead, TtlOnReturn};

/// Whether a clock is over at its very instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Boundary {
    Reached,
    Passed,
}

/// What a limit of 0 is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    NoLimit,
    AtOnce,
}

/// What a limit is kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Milliseconds,
    Wraps32,
    OneAbove31Bits,
    Thousandths,
}

/// The decisions of a queue. The alternatives are written with the bugs they make, the specified one first.
#[derive(Debug, Clone, Copy)]
pub(in crate::zoo) struct Habits {
    pub(super) limits_judged: LimitsJudged,

    pub(super) ttl_on_return: TtlOnReturn,
    pub(super) ttl_in_delay: TtlInDelay,
    pub(super) ttl_in_lease: TtlInLease,
    pub(super) ttl_noticed: TtlNoticed,
    pub(super) ttl_boundary: Boundary,
    pub(super) ttl_zero: Zero,
    pub(super) ttl_unit: Unit,
    pub(super) ttl_of_the_dead: TtlOfTheDead,
    pub(super) expiry: Expiry,

    pub(super) age_from: AgeFrom,
    pub(super) age_until: AgeUntil,
    pub(super) age_checked: AgeChecked,
    pub(super) age_unit: AgeUnit,

    pub(super) delay_from: DelayFrom,
    pub(super) delay_grows_with: DelayGrowsWith,
    pub(super) delay_rounding: DelayRounding,
    pub(super) delay_of_zero: DelayOfZero,
    pub(super) delay_timer: DelayTimer,
    pub(super) delay_holds: DelayHolds,
    pub(super) delay_lost: DelayLost,

    pub(super) lease_boundary: Boundary,
    pub(super) lease_zero: Zero,
    pub(super) lease_unit: Unit,
    pub(super) lease_from: LeaseFrom,
    pub(super) lease_timer: LeaseTimer,
    pub(super) lease_end: LeaseEnd,

    pub(super) late_ack: LateAck,
    pub(super) late_nack: LateNack,
    pub(super) delivery_named: DeliveryNamed,
    pub(super) ack_settles: AckSettles,

    pub(super) failures_count: FailuresCount,
    pub(super) counted_at: CountedAt,
    pub(super) count_kept: CountKept,
    pub(super) attempt_limit: AttemptLimit,

    pub(super) given_up: GivenUp,
    pub(super) reason: Reason,
    pub(super) text_kept: TextKept,
    pub(super) text_read: TextRead,
    pub(super) own_text: OwnText,
    pub(super) text_of_the_dead: TextOfTheDead,

    pub(super) ready_order: Order,
    pub(super) place_of_the_failed: Place,
    pub(super) place_of_the_delayed: Place,
    pub(super) place_of_the_replayed: Place,
    pub(super) delays_end: Order,
    pub(super) leases_end: Order,
    pub(super) ttls_run_out: Order,
    pub(super) removed_leases: Order,

    pub(super) within_an_instant: [Happening; 4],
    pub(super) time_passes: TimePasses,
    pub(super) aftermath: Aftermath,
    pub(super) delivered_at_one_go: DeliveredAtOneGo,
    pub(super) handler_acts: HandlerActs,
    pub(super) consumer_starts: ConsumerStarts,

    pub(super) room: Room,
    pub(super) removal: Removal,
    pub(super) duplicate: Duplicate,
    pub(super) unknown_removal: UnknownRemoval,
    pub(super) removed_name: RemovedName,

    pub(super) letters: Order,
    pub(super) letter_attempts: LetterAttempts,
    pub(super) letter_at: LetterAt,
    pub(super) reading: Reading,
    pub(super) counted: Counted,

    pub(super) replay_of: ReplayOf,
    pub(super) replayed: Replayed,
    pub(super) replayed_count: ReplayedCount,
    pub(super) replayed_age: ReplayedClock,
    pub(super) replayed_ttl: ReplayedClock,
    pub(super) former_text: Former,
    pub(super) former_letter: Former,
}

impl Habits {
    /// Chapter 6.
    pub(in crate::zoo) const AS_SPECIFIED: Self = Self {
        limits_judged: LimitsJudged::TtlThenTimeout,

        ttl_on_return: TtlOnReturn::Restarts,
        ttl_in_delay: TtlInDelay::Counts,
        ttl_in_lease: TtlInLease::Stands,
        ttl_noticed: TtlNoticed::AtItsInstant,
        ttl_boundary: Boundary::Reached,
        ttl_zero: Zero::NoLimit,
        ttl_unit: Unit::Milliseconds,
        ttl_of_the_dead: TtlOfTheDead::None,
        expiry: Expiry::Death,

        age_from: AgeFrom::Put,
        age_until: AgeUntil::Failure,
        age_checked: AgeChecked::AtFailures,
        age_unit: AgeUnit::Milliseconds,

        delay_from: DelayFrom::Failure,
        delay_grows_with: DelayGrowsWith::Attempts,
        delay_rounding: DelayRounding::Nearest,
        delay_of_zero: DelayOfZero::None,
        delay_timer: DelayTimer::AtTheEnd,
        delay_holds: DelayHolds::Nothing,
        delay_lost: DelayLost::None,

        lease_boundary: Boundary::Reached,
        lease_zero: Zero::NoLimit,
        lease_unit: Unit::Milliseconds,
        lease_from: LeaseFrom::Delivery,
        lease_timer: LeaseTimer::StopsWithTheLease,
        lease_end: LeaseEnd::AFailure,

        late_ack: LateAck::Refused,
        late_nack: LateNack::Refused,
        delivery_named: DeliveryNamed::ThatDelivery,
        ack_settles: AckSettles::One,

        failures_count: FailuresCount::All,
        counted_at: CountedAt::Delivery,
        count_kept: CountKept::WithTheMessage,
        attempt_limit: AttemptLimit::AsGiven,

        given_up: GivenUp::Dies,
        reason: Reason::FirstOfThePolicy,
        text_kept: TextKept::Last,
        text_read: TextRead::AsGiven,
        own_text: OwnText::OfItsOwn,
        text_of_the_dead: TextOfTheDead::OfTheLastFailure,

        ready_order: Order::FirstCome,
        place_of_the_failed: Place::Back,
        place_of_the_delayed: Place::Back,
        place_of_the_replayed: Place::Back,
        delays_end: Order::FirstCome,
        leases_end: Order::FirstCome,
        ttls_run_out: Order::FirstCome,
        removed_leases: Order::FirstCome,

        within_an_instant: [
            Happening::LeaseEnd,
            Happening::DelayEnd,
            Happening::Delivery,
            Happening::Expiry,
        ],
        time_passes: TimePasses::FromInstantToInstant,
        aftermath: Aftermath::AtOnce,
        delivered_at_one_go: DeliveredAtOneGo::All,
        handler_acts: HandlerActs::AtTheDelivery,
        consumer_starts: ConsumerStarts::AtOnce,

        room: Room::BelowThePrefetch,
        removal: Removal::FailsThem,
        duplicate: Duplicate::Refused,
        unknown_removal: UnknownRemoval::Refused,
        removed_name: RemovedName::Free,

        letters: Order::FirstCome,
        letter_attempts: LetterAttempts::Used,
        letter_at: LetterAt::Death,
        reading: Reading::ChangesNothing,
        counted: Counted::WhereTheyAre,

        replay_of: ReplayOf::ADeadOne,
        replayed: Replayed::Ready,
        replayed_count: ReplayedCount::None,
        replayed_age: ReplayedClock::Fresh,
        replayed_ttl: ReplayedClock::Fresh,
        former_text: Former::Removed,
        former_letter: Former::Removed,
    };
}
