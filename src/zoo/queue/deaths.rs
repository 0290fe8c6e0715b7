//! Giving up: what becomes of the message, and for which reason.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What becomes of a message that the policy gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenUp {
    Dies,
    DiesUnheard,
    DiesUnheardAtLeaseEnds,
    DiesTwice,
    DiesAndReturns,
    DiesWhenTakenAgain,
    LiesAround,
    Vanishes,
}

/// Which reason a death has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    FirstOfThePolicy,
    AgeBeforeAttempts,
    AlwaysAttempts,
    OverwrittenByTheText,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-death-unheard",
        "Nothing is said when a message dies; it is only in the list.",
        "https://github.com/MassTransit/MassTransit/issues/1037",
        &["Q-13", "Q-14"],
        Habits {
            given_up: GivenUp::DiesUnheard,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-unheard-at-lease-ends",
        "Nothing is said when a message dies because its last lease ended.",
        "https://github.com/OptimalBits/bull/issues/2041",
        &["Q-13", "Q-14"],
        Habits {
            given_up: GivenUp::DiesUnheardAtLeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-recorded-twice",
        "A dead message is put into the list by the worker, and once more by the queue.",
        "https://github.com/rq/django-rq/issues/243",
        &["Q-21", "Q-1"],
        Habits {
            given_up: GivenUp::DiesTwice,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-and-return",
        "A dead message is a dead letter, and is put back into the queue as well.",
        "https://github.com/rq/rq/pull/1336",
        &["Q-1", "Q-21"],
        Habits {
            given_up: GivenUp::DiesAndReturns,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-when-taken-again",
        "A retry past the limit is scheduled, and the message dies when a consumer would take it again.",
        "https://github.com/seatgeek/djjob/pull/14",
        &["Q-14"],
        Habits {
            given_up: GivenUp::DiesWhenTakenAgain,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-never",
        "After the last delivery the message stays in the queue, neither delivered again nor dead.",
        "https://github.com/nats-io/nats-server/issues/4956",
        &["Q-13", "Q-14"],
        Habits {
            given_up: GivenUp::LiesAround,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-is-a-drop",
        "A message that has used up its attempts is dropped, and is no dead letter.",
        "https://github.com/sonus21/rqueue/issues/29",
        &["Q-14", "Q-21"],
        Habits {
            given_up: GivenUp::Vanishes,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-reason-age-before-attempts",
        "A message that has reached both limits dies of its age.",
        "https://github.com/microsoft/SimpleRestClients/pull/55",
        &["Q-13", "N-5"],
        Habits {
            reason: Reason::AgeBeforeAttempts,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-reason-always-attempts",
        "Every death has the same reason.",
        "https://github.com/wultra/powerauth-webflow/issues/271",
        &["Q-14", "Q-18"],
        Habits {
            reason: Reason::AlwaysAttempts,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-death-reason-overwritten-by-the-text",
        "Reason and text are kept under one key, where the text overwrites the reason.",
        "https://github.com/spring-projects/spring-kafka/issues/2335",
        &["Q-14"],
        Habits {
            reason: Reason::OverwrittenByTheText,
            ..SPECIFIED
        },
    ),
];
