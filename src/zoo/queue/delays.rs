//! The delay after a failure: what it is added to, what it grows with, and how it is rounded.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// The instant that the delay is added to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayFrom {
    Failure,
    Delivery,
    EndOfTheLease,
}

/// What the delay grows with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayGrowsWith {
    Attempts,
    FailuresOfTheConsumer,
    DeliveriesOfAllLives,
    Nothing,
}

/// How a delay becomes milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayRounding {
    Nearest,
    Down,
    Up,
    ToWholeSeconds,
}

/// What a delay of 0 is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DelayOfZero {
    None,
    ADelay,
    OneSecond,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-delay-from-the-delivery",
        "The delay is counted from the delivery, so that a long attempt uses it up.",
        "https://github.com/ruby-shoryuken/shoryuken/pull/73",
        &["Q-16"],
        Habits {
            delay_from: DelayFrom::Delivery,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-from-the-end-of-the-lease",
        "The delay is added to when the lease would have ended, however early the attempt failed.",
        "https://github.com/grantcarthew/node-rethinkdb-job-queue/issues/19",
        &["Q-16"],
        Habits {
            delay_from: DelayFrom::EndOfTheLease,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-grows-with-the-consumer",
        "The consumer counts the failures, and each failing message makes the delay of the next one longer.",
        "https://github.com/apache/activemq/pull/843",
        &["Q-13"],
        Habits {
            delay_grows_with: DelayGrowsWith::FailuresOfTheConsumer,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-goes-on-growing-after-a-replay",
        "A replay resets the attempts that the limit looks at, but not those that the delay grows with.",
        "https://github.com/taskforcesh/bullmq/pull/3442",
        &["Q-22", "Q-16"],
        Habits {
            delay_grows_with: DelayGrowsWith::DeliveriesOfAllLives,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-never-grows",
        "Each redelivery starts a new backoff, so that every delay is the initial one.",
        "https://github.com/spring-attic/spring-retry/pull/1",
        &["Q-13", "Q-16"],
        Habits {
            delay_grows_with: DelayGrowsWith::Nothing,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-cut-to-milliseconds",
        "A delay is truncated to milliseconds.",
        "https://github.com/MassTransit/MassTransit/issues/166",
        &["Q-32"],
        Habits {
            delay_rounding: DelayRounding::Down,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-rounded-up",
        "A delay is rounded up to milliseconds, and one that is nothing lasts one.",
        "https://github.com/NousResearch/hermes-agent/pull/113088",
        &["Q-32"],
        Habits {
            delay_rounding: DelayRounding::Up,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-cut-to-seconds",
        "A delay is truncated to whole seconds: half a second is none.",
        "https://github.com/temporalio/sdk-typescript/issues/441",
        &["Q-32", "Q-16"],
        Habits {
            delay_rounding: DelayRounding::ToWholeSeconds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-of-zero-is-a-default",
        "A delay of 0 is taken for none given, and a default is waited.",
        "https://github.com/sidekiq/sidekiq/issues/1464",
        &["Q-15"],
        Habits {
            delay_of_zero: DelayOfZero::OneSecond,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-delay-of-zero-is-a-delay",
        "A message with a delay of 0 goes through the delayed ones, and is ready after it.",
        "https://github.com/OptimalBits/bull/issues/1505",
        &["Q-15", "Q-13"],
        Habits {
            delay_of_zero: DelayOfZero::ADelay,
            ..SPECIFIED
        },
    ),
];
