//! Leases: when they end, what ends them, and what that is.

use super::habits::{Boundary, Habits, Unit, Zero};
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What a lease is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaseFrom {
    Delivery,
    Put,
    LatestDeliveryToTheConsumer,
}

/// What becomes of the timer of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaseTimer {
    StopsWithTheLease,
    OutlivesANack,
    FiresAgain,
}

/// What a lease is that ends without being settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaseEnd {
    AFailure,
    Death,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-lease-must-be-passed",
        "A lease is live at the very instant of its end, and an ack then still counts.",
        "https://github.com/Azure/azure-service-bus/issues/155",
        &["Q-25", "Q-6"],
        Habits {
            lease_boundary: Boundary::Passed,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-of-zero-ends-at-once",
        "A timeout of 0 is no time at all instead of no limit.",
        "https://github.com/hazelcast/hazelcast-csharp-client/pull/633",
        &["Q-6"],
        Habits {
            lease_zero: Zero::AtOnce,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-from-the-put",
        "The lease has been running since the message was put, and is over when a consumer gets a message that waited.",
        "https://github.com/Azure/azure-sdk-for-python/issues/6178",
        &["Q-6"],
        Habits {
            lease_from: LeaseFrom::Put,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-extended-by-other-deliveries",
        "Each delivery to a consumer renews all the leases that it holds.",
        "https://github.com/bbc/sqs-consumer/pull/222",
        &["Q-6"],
        Habits {
            lease_from: LeaseFrom::LatestDeliveryToTheConsumer,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-timer-outlives-a-nack",
        "The timer of a nacked delivery goes on, and ends the next lease of the message.",
        "https://github.com/apache/pulsar/issues/6451",
        &["Q-6", "Q-11"],
        Habits {
            lease_timer: LeaseTimer::OutlivesANack,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-timer-fires-again",
        "A timer that has fired stays in its queue, and fires once more a timeout later.",
        "https://github.com/uber-archive/cherami-server/pull/28",
        &["Q-11", "Q-6"],
        Habits {
            lease_timer: LeaseTimer::FiresAgain,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-in-thousandths",
        "The timeout is written in a unit a thousand times too small: 20 s act as 20 ms.",
        "https://github.com/nats-io/nats.net/issues/244",
        &["Q-6"],
        Habits {
            lease_unit: Unit::Thousandths,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-ends-at-once-above-31-bits",
        "A timer of more than 2^31 - 1 ms fires after 1 ms, so that a lease of 30 days is none.",
        "https://github.com/stablemates/workhorse/pull/106",
        &["Q-6", "Q-11"],
        Habits {
            lease_unit: Unit::OneAbove31Bits,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-lease-end-is-death",
        "A lease that ends kills the message, though it has attempts left.",
        "https://github.com/contribsys/faktory/issues/409",
        &["Q-11", "Q-13"],
        Habits {
            lease_end: LeaseEnd::Death,
            ..SPECIFIED
        },
    ),
];
