//! What happens at one instant, and before what.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// One kind of things that happen by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Happening {
    LeaseEnd,
    DelayEnd,
    Delivery,
    Expiry,
}

/// How time passes before a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimePasses {
    FromInstantToInstant,
    InOneStride,
    AfterTheStep,
}

/// When that happens which a step makes possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aftermath {
    AtOnce,
    WhenTimePasses,
    NotOfTheLastStep,
}

/// How many messages are delivered at one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveredAtOneGo {
    All,
    One,
}

/// When a handler does what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HandlerActs {
    AtTheDelivery,
    WhenNothingIsDelivered,
}

/// When a consumer starts to take messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsumerStarts {
    AtOnce,
    WhenAMessageBecomesReady,
}

use Happening::{DelayEnd, Delivery, Expiry, LeaseEnd};

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-instant-expiry-before-delivery",
        "A TTL that runs out at the instant at which a consumer has room wins.",
        "https://github.com/hornetq/hornetq/pull/876",
        &["Q-26"],
        Habits {
            within_an_instant: [LeaseEnd, DelayEnd, Expiry, Delivery],
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-expiry-first",
        "A TTL that runs out when the delay ends, or when room is made, wins over both.",
        "https://github.com/rabbitmq/rabbitmq-server/pull/8645",
        &["Q-26"],
        Habits {
            within_an_instant: [Expiry, LeaseEnd, DelayEnd, Delivery],
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-delay-before-lease",
        "Delays that end at one instant with a lease end before it.",
        "https://github.com/jestjs/jest/pull/16139",
        &["Q-26"],
        Habits {
            within_an_instant: [DelayEnd, LeaseEnd, Delivery, Expiry],
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-delivery-first",
        "A message is delivered as soon as a consumer has room, while other leases have still to end at that instant.",
        "https://github.com/sinonjs/fake-timers/issues/250",
        &["Q-26"],
        Habits {
            within_an_instant: [Delivery, LeaseEnd, DelayEnd, Expiry],
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-due-things-at-the-step",
        "What was due before a step happens at the step's time.",
        "https://github.com/dotnet/extensions/issues/3995",
        &["Q-25"],
        Habits {
            time_passes: TimePasses::InOneStride,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-step-first",
        "A step comes before what is due at its instant.",
        "https://github.com/apache/pulsar/pull/10078",
        &["Q-25"],
        Habits {
            time_passes: TimePasses::AfterTheStep,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-steps-taken-together",
        "The queue looks around only when time has passed, and takes the steps of an instant together.",
        "https://github.com/graphile/worker/issues/4",
        &["Q-27"],
        Habits {
            aftermath: Aftermath::WhenTimePasses,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-last-step-without-effect",
        "What the last step makes possible never happens.",
        "https://github.com/AndersCan/mantaq/issues/238",
        &["Q-28"],
        Habits {
            aftermath: Aftermath::NotOfTheLastStep,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-one-delivery-at-one-go",
        "A consumer that wakes takes one message, and leaves the rest until it is woken again.",
        "https://github.com/taskforcesh/bullmq/pull/1800",
        &["Q-3", "Q-26"],
        Habits {
            delivered_at_one_go: DeliveredAtOneGo::One,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-handlers-act-later",
        "Handlers act when all messages of the instant have been delivered.",
        "https://github.com/mpneuried/rsmq-worker/issues/9",
        &["Q-7"],
        Habits {
            handler_acts: HandlerActs::WhenNothingIsDelivered,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-instant-new-consumer-waits",
        "A new consumer is told of messages that become ready, and not of those that were ready before.",
        "https://github.com/cyberdelia/trunk/issues/1",
        &["Q-3", "Q-27"],
        Habits {
            consumer_starts: ConsumerStarts::WhenAMessageBecomesReady,
            ..SPECIFIED
        },
    ),
];
