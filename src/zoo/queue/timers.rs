//! The timer of a delay: when it fires, what it holds meanwhile, and which are never set.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// When the timer of a delay fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayTimer {
    AtTheEnd,
    BehindEarlierOnes,
    AtOnceAbove31Bits,
    NeverAboveFifteenMinutes,
    WithinFiveMinutes,
    InWholeSeconds,
}

/// What a delayed message still has of the consumer that failed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayHolds {
    Nothing,
    ThePlace,
    TheLease,
}

/// Which delays are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayLost {
    None,
    AfterNacks,
    AfterLeaseEnds,
    TheSecondWithItsMessage,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-timer-behind-an-earlier-one",
        "All delays wait in one queue, where a short one stands behind a long one.",
        "https://github.com/shinyscorpion/task_bunny/issues/69",
        &["Q-16"],
        Habits {
            delay_timer: DelayTimer::BehindEarlierOnes,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-fires-at-once-above-31-bits",
        "A timer of more than 2^31 - 1 ms fires after 1 ms.",
        "https://github.com/pathosDev/actor-ts/issues/771",
        &["Q-16"],
        Habits {
            delay_timer: DelayTimer::AtOnceAbove31Bits,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-above-fifteen-minutes-never-ends",
        "The broker refuses a delay of more than 15 minutes, and the message stays where it is.",
        "https://github.com/MassTransit/MassTransit/issues/4037",
        &["Q-16"],
        Habits {
            delay_timer: DelayTimer::NeverAboveFifteenMinutes,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-within-five-minutes",
        "A default of the waiting queue ends every delay after 5 minutes.",
        "https://github.com/ITV/bucky/pull/65",
        &["Q-16"],
        Habits {
            delay_timer: DelayTimer::WithinFiveMinutes,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-ends-a-tick-early",
        "Delays are kept in ticks of a second, and end at the tick before their end.",
        "https://github.com/apache/pulsar/issues/14721",
        &["Q-16", "Q-32"],
        Habits {
            delay_timer: DelayTimer::InWholeSeconds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-keeps-its-place",
        "A consumer sleeps through the delay without settling, and the message keeps its place of the prefetch.",
        "https://github.com/gothunder/thunder/issues/126",
        &["Q-4", "Q-16"],
        Habits {
            delay_holds: DelayHolds::ThePlace,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-inside-a-lease",
        "A delayed message still has its lease, and comes back when that ends.",
        "https://github.com/celery/kombu/issues/337",
        &["Q-16", "Q-6"],
        Habits {
            delay_holds: DelayHolds::TheLease,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-lost-after-a-nack",
        "The backoff holds for leases that end only: a nacked message is ready at once.",
        "https://github.com/nats-io/nats-server/issues/4726",
        &["Q-16"],
        Habits {
            delay_lost: DelayLost::AfterNacks,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-lost-after-a-lease",
        "The delay holds for nacks only: a message whose lease ends is ready at once.",
        "https://github.com/HDT3213/delayqueue/issues/21",
        &["Q-16", "Q-11"],
        Habits {
            delay_lost: DelayLost::AfterLeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-timer-second-lap-lost",
        "The broker takes a second lap through the delay for a cycle, and drops the message.",
        "https://github.com/rabbitmq/rabbitmq-server/issues/737",
        &["Q-13", "Q-16"],
        Habits {
            delay_lost: DelayLost::TheSecondWithItsMessage,
            ..SPECIFIED
        },
    ),
];
