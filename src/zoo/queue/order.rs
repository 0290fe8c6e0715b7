//! Which message comes first: of those that are ready, and of those for which something happens at one instant.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// Who comes first of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    FirstCome,
    LastCome,
    ByPut,
    ByName,
    FewestAttempts,
}

/// Where a message goes that becomes ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Back,
    Front,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-order-last-in-first-out",
        "The message that became ready last is delivered first.",
        "https://github.com/HangfireIO/Hangfire/issues/2480",
        &["Q-2", "Q-3"],
        Habits {
            ready_order: Order::LastCome,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-by-name",
        "Ready messages are sorted by their ids.",
        "https://github.com/Automattic/kue/issues/987",
        &["Q-3"],
        Habits {
            ready_order: Order::ByName,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-by-put",
        "Ready messages are sorted by when they were put, so that a retry overtakes those that waited.",
        "https://github.com/cofin/litestar-queues/issues/105",
        &["Q-3", "Q-15"],
        Habits {
            ready_order: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-fewest-attempts-first",
        "New messages go before those that have failed already.",
        "https://github.com/path/android-priority-jobqueue/issues/1",
        &["Q-3"],
        Habits {
            ready_order: Order::FewestAttempts,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-failed-to-the-front",
        "A message that comes back at once goes to the front, and is delivered again and again before the others.",
        "https://github.com/amqp-node/amqplib/issues/488",
        &["Q-15", "Q-3"],
        Habits {
            place_of_the_failed: Place::Front,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-delayed-to-the-front",
        "A message whose delay is over goes before those that are ready already.",
        "https://github.com/OptimalBits/bull/issues/2128",
        &["Q-16", "Q-3"],
        Habits {
            place_of_the_delayed: Place::Front,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-delays-reversed",
        "Of delays that end together the one that began last ends first.",
        "https://github.com/StackStorm/st2/issues/2797",
        &["Q-26"],
        Habits {
            delays_end: Order::LastCome,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-delays-by-put",
        "Of delays that end together the one of the oldest message ends first, since a timer that is set again keeps its place.",
        "https://github.com/jestjs/jest/pull/16139",
        &["Q-26"],
        Habits {
            delays_end: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-leases-by-put",
        "Of leases that end together the one of the oldest message ends first.",
        "https://github.com/kaeawc/auto-mobile/issues/4188",
        &["Q-26"],
        Habits {
            leases_end: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-leases-by-name",
        "Of leases that end together the first by name ends first, as in a sorted set of equal scores.",
        "https://github.com/Automattic/kue/issues/987",
        &["Q-26"],
        Habits {
            leases_end: Order::ByName,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-expiries-by-put",
        "Of clocks that run out together the one of the oldest message runs out first, though it started last.",
        "https://github.com/jestjs/jest/pull/16139",
        &["Q-26"],
        Habits {
            ttls_run_out: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-removed-leases-by-put",
        "The leases of a removed consumer fail in the order of the puts.",
        "https://github.com/rabbitmq/rabbitmq-server/pull/3620",
        &["Q-12"],
        Habits {
            removed_leases: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-order-removed-leases-reversed",
        "The leases of a removed consumer fail from the last to the first.",
        "https://github.com/rabbitmq/rabbitmq-server/pull/3620",
        &["Q-12"],
        Habits {
            removed_leases: Order::LastCome,
            ..SPECIFIED
        },
    ),
];
