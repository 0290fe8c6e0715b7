//! Consumers: how many leases they hold, and what becomes of those when they go.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// When a consumer has room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    BelowThePrefetch,
    UpToThePrefetch,
    Always,
    BelowThePrefetchOverALifetime,
    BelowOneWithoutAPrefetch,
    LostWhenALeaseEnds,
    LostWhenAMessageDies,
    BelowThePrefetchIn32Bits,
}

/// What becomes of a removed consumer's leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Removal {
    FailsThem,
    FailsTheFirst,
    FailsOneByOne,
    LeavesThem,
    LosesThem,
    AcksThem,
    TakesNewOnes,
}

/// What becomes of a consumer whose name is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Duplicate {
    Refused,
    Replaces,
    Ignored,
}

/// What becomes of the removal of a consumer that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnknownRemoval {
    Refused,
    Ignored,
}

/// What a name is whose consumer has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RemovedName {
    Free,
    InUse,
    WithItsSettings,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-consumer-prefetch-one-more",
        "A consumer gets one message more than its prefetch.",
        "https://github.com/apache/pulsar/issues/11837",
        &["Q-4"],
        Habits {
            room: Room::UpToThePrefetch,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-ignored",
        "The prefetch is set, and gets lost on the way.",
        "https://github.com/pardahlman/RawRabbit/issues/207",
        &["Q-4"],
        Habits {
            room: Room::Always,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-over-a-lifetime",
        "Places are never given back: the prefetch is how many messages a consumer ever gets.",
        "https://github.com/wontlost-ltd/chrono-synth-os/issues/400",
        &["Q-4"],
        Habits {
            room: Room::BelowThePrefetchOverALifetime,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-none-is-one",
        "A consumer without a prefetch gets one message at a time.",
        "https://github.com/facile-it/rabbitmq-consumer/issues/7",
        &["Q-4"],
        Habits {
            room: Room::BelowOneWithoutAPrefetch,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-lost-when-a-lease-ends",
        "A lease that ends does not give its place back.",
        "https://github.com/triggerdotdev/trigger.dev/pull/2907",
        &["Q-4", "Q-11"],
        Habits {
            room: Room::LostWhenALeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-lost-when-a-message-dies",
        "A message that dies at its failure does not give its place back.",
        "https://github.com/apache/pulsar/pull/17326",
        &["Q-4", "Q-14"],
        Habits {
            room: Room::LostWhenAMessageDies,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-prefetch-wraps-at-32-bits",
        "The prefetch is kept in 32 bits.",
        "https://github.com/actinia-org/actinia-core/pull/447",
        &["Q-4"],
        Habits {
            room: Room::BelowThePrefetchIn32Bits,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-fails-the-first-only",
        "Only one of a removed consumer's leases fails; the others never come back.",
        "https://github.com/rails/solid_queue/issues/546",
        &["Q-12"],
        Habits {
            removal: Removal::FailsTheFirst,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-fails-one-by-one",
        "Each failed lease of a removed consumer is handed out before the next one fails.",
        "https://github.com/sinonjs/fake-timers/issues/250",
        &["Q-12", "Q-27"],
        Habits {
            removal: Removal::FailsOneByOne,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-waits-for-the-leases",
        "The leases of a removed consumer go on until they end.",
        "https://github.com/Azure/azure-service-bus/issues/410",
        &["Q-12"],
        Habits {
            removal: Removal::LeavesThem,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-loses-the-leases",
        "What a removed consumer held stays unacked for ever.",
        "https://github.com/fridujo/rabbitmq-mock/pull/121",
        &["Q-12"],
        Habits {
            removal: Removal::LosesThem,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-acks-the-leases",
        "What a consumer held when it went counts as done.",
        "https://github.com/apache/pulsar-client-go/issues/389",
        &["Q-12"],
        Habits {
            removal: Removal::AcksThem,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-does-not-stop-deliveries",
        "A removed consumer still gets messages, and nobody settles them.",
        "https://github.com/ruby-amqp/amqp/issues/198",
        &["Q-12"],
        Habits {
            removal: Removal::TakesNewOnes,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-duplicate-replaces",
        "A second consumer of a name takes the place of the first, without a word.",
        "https://github.com/micronaut-projects/micronaut-kafka/pull/864",
        &["Q-24"],
        Habits {
            duplicate: Duplicate::Replaces,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-duplicate-ignored",
        "Adding a consumer of a name in use succeeds, and does nothing.",
        "https://github.com/php-enqueue/enqueue-dev/issues/142",
        &["Q-24"],
        Habits {
            duplicate: Duplicate::Ignored,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-removal-of-nobody",
        "Removing a consumer that is not there succeeds.",
        "https://github.com/postwait/node-amqp/issues/447",
        &["Q-24"],
        Habits {
            unknown_removal: UnknownRemoval::Ignored,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-name-stays-in-use",
        "The name of a consumer that went is never free again.",
        "https://github.com/apache/pulsar/pull/14970",
        &["Q-24"],
        Habits {
            removed_name: RemovedName::InUse,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-consumer-name-keeps-its-settings",
        "A new consumer of an old name gets the handler and the prefetch of the old one.",
        "https://github.com/nats-io/nats-server/pull/4216",
        &["Q-24", "Q-4"],
        Habits {
            removed_name: RemovedName::WithItsSettings,
            ..SPECIFIED
        },
    ),
];
