//! Questions: the list of dead letters, and the numbers of messages.

use super::habits::Habits;
use super::order::Order;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What a dead letter says of the attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterAttempts {
    Used,
    One,
    TheLimit,
    OfAllLives,
}

/// What a dead letter says of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LetterAt {
    Death,
    Put,
    Reading,
}

/// What reading does to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    ChangesNothing,
    GoesOnFromTheLast,
}

/// Which messages the numbers leave out, or count elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    WhereTheyAre,
    DelayedAsReady,
    DelayedAsLeased,
    LeasedNowhere,
    DeadWithAllLives,
    GoneAsDead,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-answer-letters-newest-first",
        "The list of dead letters begins with the latest.",
        "https://github.com/contribsys/faktory/issues/245",
        &["Q-21"],
        Habits {
            letters: Order::LastCome,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-by-put",
        "The list of dead letters has the order of the puts.",
        "https://github.com/paolosalvatori/ServiceBusExplorer/issues/342",
        &["Q-21"],
        Habits {
            letters: Order::ByPut,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-by-name",
        "The list of dead letters is sorted by the ids of the messages.",
        "https://github.com/Automattic/kue/issues/987",
        &["Q-21"],
        Habits {
            letters: Order::ByName,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-say-one-attempt",
        "The count of a dead letter is that of its life as a dead letter: 1.",
        "https://github.com/Azure/azure-sdk-for-net/issues/53437",
        &["Q-14", "Q-21"],
        Habits {
            letter_attempts: LetterAttempts::One,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-say-the-limit",
        "The attempts of a dead letter are always the limit.",
        "https://github.com/apache/pulsar/pull/17287",
        &["Q-14", "Q-18"],
        Habits {
            letter_attempts: LetterAttempts::TheLimit,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-say-more-than-the-limit",
        "The attempts of a dead letter go on counting after a replay, as in attempt 4 of 3.",
        "https://github.com/garrytan/gbrain/issues/2783",
        &["Q-22", "Q-14"],
        Habits {
            letter_attempts: LetterAttempts::OfAllLives,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-dated-by-the-put",
        "A dead letter keeps the time at which its message was put.",
        "https://github.com/cloudamqp/lavinmq/pull/583",
        &["Q-21"],
        Habits {
            letter_at: LetterAt::Put,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-dated-when-read",
        "A dead letter is dated with the time of the question.",
        "https://github.com/jonboulle/clockwork/issues/46",
        &["Q-21"],
        Habits {
            letter_at: LetterAt::Reading,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-letters-read-once",
        "A second look at the dead letters goes on where the first one ended.",
        "https://github.com/Azure/azure-sdk-for-net/issues/17702",
        &["Q-21"],
        Habits {
            reading: Reading::GoesOnFromTheLast,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-stats-delayed-as-ready",
        "Delayed messages are counted among those that are ready.",
        "https://github.com/rabbitmq/rabbitmq-delayed-message-exchange/issues/258",
        &["Q-29"],
        Habits {
            counted: Counted::DelayedAsReady,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-stats-delayed-as-leased",
        "Delayed messages are counted among those that consumers have.",
        "https://github.com/floci-io/floci/pull/1285",
        &["Q-29"],
        Habits {
            counted: Counted::DelayedAsLeased,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-stats-without-the-leased",
        "Messages that consumers have are counted nowhere.",
        "https://github.com/apache/rocketmq/issues/5654",
        &["Q-29"],
        Habits {
            counted: Counted::LeasedNowhere,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-stats-dead-never-fall",
        "The number of the dead is a counter that a replay does not lower.",
        "https://github.com/nextgenhealthcare/connect/issues/704",
        &["Q-29", "Q-22"],
        Habits {
            counted: Counted::DeadWithAllLives,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-answer-stats-gone-as-dead",
        "Messages that have been acked are counted among the dead.",
        "https://github.com/lantins/resque-retry/issues/66",
        &["Q-29", "Q-8"],
        Habits {
            counted: Counted::GoneAsDead,
            ..SPECIFIED
        },
    ),
];
