//! Attempts: what counts as one, where the count is kept, and what limit it is held against.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// Which failures use up their attempt; the others put the message back as if nothing had been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailuresCount {
    All,
    NotLeaseEnds,
    NotRemovals,
    NotNacks,
}

/// When an attempt is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountedAt {
    Delivery,
    Failure,
}

/// Where the count is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountKept {
    WithTheMessage,
    WithTheMessageAndConsumer,
    WithTheQueue,
    Nowhere,
}

/// What the count is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AttemptLimit {
    AsGiven,
    OneMore,
    OneLess,
    NotAtLeaseEnds,
    AtRemovalsOnly,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-count-without-lease-ends",
        "A message whose lease ends is redelivered as the same attempt, for ever.",
        "https://github.com/celery/celery/issues/9082",
        &["Q-11", "Q-13"],
        Habits {
            failures_count: FailuresCount::NotLeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-without-removals",
        "A message whose consumer goes is redelivered as the same attempt, for ever.",
        "https://github.com/apache/pulsar/issues/5881",
        &["Q-12", "Q-13"],
        Habits {
            failures_count: FailuresCount::NotRemovals,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-without-nacks",
        "A nacked message is redelivered as the same attempt, and only lost leases and consumers count.",
        "https://github.com/benedictpaten/jobTree/issues/34",
        &["Q-9", "Q-13"],
        Habits {
            failures_count: FailuresCount::NotNacks,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-at-the-failure",
        "An attempt is counted when it has failed, so that the first delivery is attempt 0.",
        "https://github.com/taskforcesh/bullmq/issues/1002",
        &["Q-5"],
        Habits {
            counted_at: CountedAt::Failure,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-lost-with-the-consumer",
        "The consumer counts the attempts in its memory, and another one starts from nothing.",
        "https://github.com/MassTransit/MassTransit/issues/2076",
        &["Q-5", "Q-12"],
        Habits {
            count_kept: CountKept::WithTheMessageAndConsumer,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-survives-a-success",
        "The queue has one counter, which no success resets: the next message starts where the last one ended.",
        "https://github.com/microsoft/ALAppExtensions/issues/20495",
        &["Q-5", "Q-13"],
        Habits {
            count_kept: CountKept::WithTheQueue,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-lost-at-each-delivery",
        "Taking a message resets its attempts, and the limit is never reached.",
        "https://github.com/kapilt/mongoqueue/issues/11",
        &["Q-5"],
        Habits {
            count_kept: CountKept::Nowhere,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-limit-one-more",
        "The limit counts the requeues, so that one attempt more is made.",
        "https://github.com/dudleycarr/nsqjs/pull/204",
        &["Q-14"],
        Habits {
            attempt_limit: AttemptLimit::OneMore,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-limit-one-less",
        "A message is dead one failure before its limit.",
        "https://github.com/localstack/localstack/issues/5283",
        &["Q-13", "Q-14"],
        Habits {
            attempt_limit: AttemptLimit::OneLess,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-limit-not-at-lease-ends",
        "The limit is looked at when a message is nacked, but not when its lease ends.",
        "https://github.com/MassTransit/MassTransit/issues/646",
        &["Q-11", "Q-14"],
        Habits {
            attempt_limit: AttemptLimit::NotAtLeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-count-limit-at-removals-only",
        "The limit is looked at only when a consumer goes, and a message that fails is delivered for ever.",
        "https://github.com/PejmanNik/lazvard-message/issues/13",
        &["Q-14"],
        Habits {
            attempt_limit: AttemptLimit::AtRemovalsOnly,
            ..SPECIFIED
        },
    ),
];
