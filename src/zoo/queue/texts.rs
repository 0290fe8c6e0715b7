//! Error texts: which one is kept, and what is made of it.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// Which text of several failures a message keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextKept {
    Last,
    First,
    AllJoined,
    LastThereWas,
}

/// What is made of the text of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextRead {
    AsGiven,
    NoneWhenEmpty,
    EmptyWhenNone,
    Trimmed,
    CutAfterAHundred,
}

/// The text of a failure that nobody wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnText {
    OfItsOwn,
    None,
    OneForBoth,
}

/// Which text a dead letter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextOfTheDead {
    OfTheLastFailure,
    NoneAfterAnExpiry,
    NoneAfterAnAgeDeath,
    TheReason,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-text-first-kept",
        "The text of the first failure stays, whatever fails later.",
        "https://github.com/Osmantic/ODS/pull/4855",
        &["Q-14", "Q-18"],
        Habits {
            text_kept: TextKept::First,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-piles-up",
        "Each failure adds its text to those before it, until the message is too large.",
        "https://github.com/spring-projects/spring-kafka/pull/1996",
        &["Q-14", "Q-18"],
        Habits {
            text_kept: TextKept::AllJoined,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-stands-in-for-a-missing-one",
        "A failure without a text shows that of an earlier one.",
        "https://github.com/Osmantic/ODS/pull/4855",
        &["Q-14", "Q-18"],
        Habits {
            text_kept: TextKept::LastThereWas,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-empty-is-none",
        "The empty text is falsy, and taken for none.",
        "https://github.com/Bogdanp/dramatiq/issues/388",
        &["Q-9"],
        Habits {
            text_read: TextRead::NoneWhenEmpty,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-none-is-empty",
        "A column that can't be null makes an empty text of none.",
        "https://github.com/datajoint/datajoint-python/pull/266",
        &["Q-9", "Q-14"],
        Habits {
            text_read: TextRead::EmptyWhenNone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-trimmed",
        "White space around a text is lost.",
        "https://github.com/jcward/ascsh/pull/11",
        &["Q-14", "Q-9"],
        Habits {
            text_read: TextRead::Trimmed,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-cut-after-a-hundred",
        "A text of more than a hundred characters is cut.",
        "https://github.com/NVIDIA/cudf-spark-tools/issues/1132",
        &["Q-9", "Q-14"],
        Habits {
            text_read: TextRead::CutAfterAHundred,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-none-of-its-own",
        "A lease that ends and a consumer that goes leave no text.",
        "https://github.com/taskforcesh/bullmq/issues/10",
        &["Q-11", "Q-12"],
        Habits {
            own_text: OwnText::None,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-one-for-both",
        "A removed consumer is told as a lease that ended, since both wait for the same timer.",
        "https://github.com/Azure/azure-service-bus/issues/410",
        &["Q-12"],
        Habits {
            own_text: OwnText::OneForBoth,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-lost-by-an-expiry",
        "A message that expires loses the text of its last failure.",
        "https://github.com/spring-projects/spring-amqp/pull/3616",
        &["Q-18"],
        Habits {
            text_of_the_dead: TextOfTheDead::NoneAfterAnExpiry,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-lost-by-an-age-death",
        "A message that dies of its age loses the text of its last failure.",
        "https://github.com/garrytan/gbrain/pull/1376",
        &["Q-14"],
        Habits {
            text_of_the_dead: TextOfTheDead::NoneAfterAnAgeDeath,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-text-is-the-reason",
        "The error of a message that ran out of retries is that it ran out of retries.",
        "https://github.com/GameAnalytics/current/pull/20",
        &["Q-14"],
        Habits {
            text_of_the_dead: TextOfTheDead::TheReason,
            ..SPECIFIED
        },
    ),
];
