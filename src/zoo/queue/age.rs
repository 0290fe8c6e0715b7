//! The age of a message: what it is counted from and in, and when it is looked at.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What the age is counted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgeFrom {
    Put,
    FirstDelivery,
    LatestDelivery,
    LatestReturn,
    Start,
}

/// Until when the age is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgeUntil {
    Failure,
    NextAttempt,
}

/// Where the age limit is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgeChecked {
    AtFailures,
    AtFailuresButLeaseEnds,
    AtDeliveriesToo,
    AllTheTime,
}

/// What the age is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AgeUnit {
    Milliseconds,
    Wraps32,
    WholeSeconds,
    DifferenceOfSeconds,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-age-from-the-first-delivery",
        "The age is counted from the first delivery, so that the time in the queue before it is free.",
        "https://github.com/garrytan/gbrain/pull/1376",
        &["Q-13", "Q-2"],
        Habits {
            age_from: AgeFrom::FirstDelivery,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-from-the-latest-delivery",
        "The age is the time that the failed attempt took.",
        "https://github.com/rholder/retrying/issues/56",
        &["Q-13", "Q-20"],
        Habits {
            age_from: AgeFrom::LatestDelivery,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-restarts-with-a-retry",
        "Each return to the queue makes the message young again.",
        "https://github.com/softwaremill/elasticmq/issues/386",
        &["Q-20"],
        Habits {
            age_from: AgeFrom::LatestReturn,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-from-the-start",
        "All messages share one clock, which started with the queue.",
        "https://github.com/netbirdio/netbird/issues/143",
        &["Q-2", "Q-13"],
        Habits {
            age_from: AgeFrom::Start,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-includes-the-coming-delay",
        "The delay to come is added to the age before the limit is looked at.",
        "https://github.com/jd/tenacity/pull/423",
        &["Q-20"],
        Habits {
            age_until: AgeUntil::NextAttempt,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-ends-a-delivery",
        "A message that is too old dies when a consumer would take it, before it is tried.",
        "https://github.com/Bogdanp/dramatiq/pull/417",
        &["Q-20"],
        Habits {
            age_checked: AgeChecked::AtDeliveriesToo,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-ends-the-waiting",
        "A message that waits dies as soon as it is too old.",
        "https://github.com/langfuse/langfuse/pull/14511",
        &["Q-20"],
        Habits {
            age_checked: AgeChecked::AllTheTime,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-not-looked-at-when-a-lease-ends",
        "A lease that ends is retried however old the message is.",
        "https://github.com/MassTransit/MassTransit/issues/646",
        &["Q-11", "Q-13"],
        Habits {
            age_checked: AgeChecked::AtFailuresButLeaseEnds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-in-whole-seconds",
        "The age is cut to whole seconds before it is compared.",
        "https://github.com/caseyamcl/guzzle_retry_middleware/pull/23",
        &["Q-32", "N-3"],
        Habits {
            age_unit: AgeUnit::WholeSeconds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-is-a-difference-of-seconds",
        "The age is one binary64 time minus another, and a rounding error lets a message pass its limit.",
        "https://github.com/use-agent-os/agent-os/pull/1265",
        &["Q-32", "N-3"],
        Habits {
            age_unit: AgeUnit::DifferenceOfSeconds,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-age-wraps-at-32-bits",
        "The age in milliseconds is kept in 32 bits: after 50 days a message is new.",
        "https://github.com/aws/aws-sdk-java-v2/issues/1453",
        &["Q-13", "Q-32"],
        Habits {
            age_unit: AgeUnit::Wraps32,
            ..SPECIFIED
        },
    ),
];
