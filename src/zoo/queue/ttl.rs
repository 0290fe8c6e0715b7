//! The use-by clock: when it starts, stops and is looked at, and what follows when it runs out.

use super::habits::{Boundary, Habits, Unit, Zero};
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What a failure does to the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TtlOnReturn {
    Restarts,
    Kept,
    GoesOnWhereItStopped,
    Dropped,
}

/// What a delay is to the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TtlInDelay {
    Counts,
    RestartsAtItsEnd,
    NoticedAtItsEnd,
}

/// What a lease is to the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TtlInLease {
    Stands,
    RunsOut,
    DecidesTheFailure,
}

/// Who notices that the clock has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TtlNoticed {
    AtItsInstant,
    WhenTaken,
    AtTheHead,
    OneAtATime,
}

/// What follows when the clock has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expiry {
    Death,
    Vanishing,
    Failure,
}

/// What the clock is to a dead message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TtlOfTheDead {
    None,
    SweepsThemAway,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-ttl-kept-on-return",
        "A message that comes back keeps the use-by date of its first put, so that it dies at once after a long lease.",
        "https://github.com/cloudamqp/lavinmq/pull/583",
        &["Q-17"],
        Habits {
            ttl_on_return: TtlOnReturn::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-goes-on-where-it-stopped",
        "A message that comes back has only the time left that it had when it was taken.",
        "https://github.com/microsoft/AzureStorageExplorer/issues/3112",
        &["Q-17"],
        Habits {
            ttl_on_return: TtlOnReturn::GoesOnWhereItStopped,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-dropped-on-a-retry",
        "Only the first attempt has a use-by date: a retried message waits for ever.",
        "https://github.com/celery/celery/issues/3297",
        &["Q-17", "Q-18"],
        Habits {
            ttl_on_return: TtlOnReturn::Dropped,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-restarts-when-a-delay-ends",
        "The clock starts once more when a delay ends, since the message then enters the work queue anew.",
        "https://github.com/rabbitmq/rabbitmq-server/issues/18",
        &["Q-17"],
        Habits {
            ttl_in_delay: TtlInDelay::RestartsAtItsEnd,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-noticed-when-a-delay-ends",
        "A message that outlives its use-by date in a delay stays delayed until the delay is over, and dies only then.",
        "https://github.com/cylc/cylc-flow/issues/6717",
        &["Q-18"],
        Habits {
            ttl_in_delay: TtlInDelay::NoticedAtItsEnd,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-runs-out-during-a-lease",
        "The clock runs on while a consumer has the message, and the message dies in the consumer's hands.",
        "https://github.com/Azure/go-shuttle/issues/17",
        &["Q-19"],
        Habits {
            ttl_in_lease: TtlInLease::RunsOut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-decides-a-failure",
        "A failure after the use-by date is a death by the TTL, whatever the policy says.",
        "https://github.com/rabbitmq/rabbitmq-website/pull/2207",
        &["Q-17", "Q-19"],
        Habits {
            ttl_in_lease: TtlInLease::DecidesTheFailure,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-noticed-when-taken",
        "A message past its use-by date stays in the queue until a consumer would take it.",
        "https://github.com/rabbitmq/rabbitmq-server/issues/10692",
        &["Q-18"],
        Habits {
            ttl_noticed: TtlNoticed::WhenTaken,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-noticed-at-the-head",
        "A ready message past its use-by date dies only when no other is ahead of it.",
        "https://github.com/rabbitmq/rabbitmq-server/issues/2074",
        &["Q-18"],
        Habits {
            ttl_noticed: TtlNoticed::AtTheHead,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-expires-one-at-a-time",
        "The check that removes expired messages removes one, and the others wait for the next check.",
        "https://github.com/apache/pulsar/issues/9082",
        &["Q-18", "Q-26"],
        Habits {
            ttl_noticed: TtlNoticed::OneAtATime,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-must-be-passed",
        "A message lives at the very instant of its use-by date, and dies a millisecond after it.",
        "https://github.com/camunda/camunda-docs/pull/1764",
        &["Q-18", "Q-25"],
        Habits {
            ttl_boundary: Boundary::Passed,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-of-zero-expires-at-once",
        "A TTL of 0 lets a message die at once unless a consumer takes it.",
        "https://github.com/pardahlman/RawRabbit/issues/345",
        &["Q-18"],
        Habits {
            ttl_zero: Zero::AtOnce,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-expired-message-vanishes",
        "A message whose TTL runs out is dropped, and is no dead letter.",
        "https://github.com/apache/qpid-broker-j/pull/12",
        &["Q-18", "Q-21"],
        Habits {
            expiry: Expiry::Vanishing,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-expired-message-is-retried",
        "A message whose TTL runs out fails and is retried.",
        "https://github.com/cylc/cylc-flow/issues/6284",
        &["Q-18"],
        Habits {
            expiry: Expiry::Failure,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-sweeps-dead-letters-away",
        "A dead message keeps its TTL, and is gone when that has run out.",
        "https://github.com/MassTransit/MassTransit/issues/649",
        &["Q-21"],
        Habits {
            ttl_of_the_dead: TtlOfTheDead::SweepsThemAway,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-ttl-wraps-at-32-bits",
        "The TTL in milliseconds is kept in 32 bits: 50 days are less than a day.",
        "https://github.com/RichardKnop/machinery/issues/94",
        &["Q-18"],
        Habits {
            ttl_unit: Unit::Wraps32,
            ..SPECIFIED
        },
    ),
];
