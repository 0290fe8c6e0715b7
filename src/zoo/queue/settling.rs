//! Acks and nacks that come late, twice, or for another delivery.

use super::habits::Habits;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What an ack is that is not of a live lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LateAck {
    Refused,
    Accepted,
    AcceptedUntilTaken,
    AcceptedOfTheDead,
    SilentlyDropped,
    SilentlyDroppedWhenGone,
    SilentlyDroppedWhenUnknown,
    MakesRoom,
    StopsTheConsumer,
}

/// What a nack is that is not of a live lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LateNack {
    Refused,
    UsesAnAttempt,
    LeavesItsText,
    FailsTheWaiting,
    BringsBackTheGone,
}

/// Which lease the number of a delivery names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DeliveryNamed {
    ThatDelivery,
    TheMessage,
    TheAttempt,
    ThatDeliveryIn32Bits,
}

/// How many leases an ack settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AckSettles {
    One,
    AllBefore,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-settle-late-ack-accepted",
        "A late ack removes the message wherever it is, also from under the next consumer.",
        "https://github.com/OptimalBits/bull/issues/2059",
        &["Q-10"],
        Habits {
            late_ack: LateAck::Accepted,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-ack-accepted-until-taken",
        "A late ack works as long as nobody else has taken the message.",
        "https://github.com/Azure/azure-storage-net/issues/285",
        &["Q-10", "Q-11"],
        Habits {
            late_ack: LateAck::AcceptedUntilTaken,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-dead-message-acked",
        "A dead message can be acked, and is recorded both as failed and as completed.",
        "https://github.com/OptimalBits/bull/pull/311",
        &["Q-10", "Q-21"],
        Habits {
            late_ack: LateAck::AcceptedOfTheDead,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-ack-dropped",
        "A late ack does nothing and says nothing, so that the handler never learns of it.",
        "https://github.com/gkinsman/AlmostServiceBus/pull/20",
        &["Q-10"],
        Habits {
            late_ack: LateAck::SilentlyDropped,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-second-ack-dropped",
        "The second ack of a message that is gone is taken for a success.",
        "https://github.com/apache/rocketmq-clients/pull/47",
        &["Q-10"],
        Habits {
            late_ack: LateAck::SilentlyDroppedWhenGone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-unknown-ack-dropped",
        "An ack of a message that was never put succeeds.",
        "https://github.com/softwaremill/elasticmq/issues/324",
        &["Q-10"],
        Habits {
            late_ack: LateAck::SilentlyDroppedWhenUnknown,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-refused-ack-makes-room",
        "A refused ack gives back a place that it never had, and its consumer gets one message too many.",
        "https://github.com/chrisguidry/docket/pull/223",
        &["Q-4", "Q-10"],
        Habits {
            late_ack: LateAck::MakesRoom,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-ack-stops-the-consumer",
        "The exception of a late settle stops the consumer that had the message.",
        "https://github.com/BrighterCommand/Brighter/pull/4040",
        &["Q-10", "Q-3"],
        Habits {
            late_ack: LateAck::StopsTheConsumer,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-nack-uses-an-attempt",
        "A nack after the end of its lease counts once more, so that the counter skips a number.",
        "https://github.com/apache/pulsar/issues/6451",
        &["Q-10", "Q-5"],
        Habits {
            late_nack: LateNack::UsesAnAttempt,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-nack-leaves-its-text",
        "A nack that is refused overwrites the error text of the message.",
        "https://github.com/OptimalBits/bull/issues/2059",
        &["Q-10", "Q-14"],
        Habits {
            late_nack: LateNack::LeavesItsText,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-late-nack-fails-again",
        "A nack of a message that waits for its retry fails it once more.",
        "https://github.com/judwhite/NsqSharp/issues/90",
        &["Q-10", "Q-13"],
        Habits {
            late_nack: LateNack::FailsTheWaiting,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-nack-brings-back-the-acked",
        "A nack after the ack puts the message back into the queue.",
        "https://github.com/nats-io/nats-streaming-server/issues/1138",
        &["Q-8", "Q-10"],
        Habits {
            late_nack: LateNack::BringsBackTheGone,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-by-message",
        "The handle of a delivery is the message's id, so that an old consumer settles the lease of a new one.",
        "https://github.com/softwaremill/elasticmq/issues/2",
        &["Q-10"],
        Habits {
            delivery_named: DeliveryNamed::TheMessage,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-by-attempt",
        "The number of a delivery is compared with the attempt, which a replay resets.",
        "https://github.com/laravel/framework/issues/39976",
        &["Q-10", "Q-22"],
        Habits {
            delivery_named: DeliveryNamed::TheAttempt,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-numbers-wrap-at-32-bits",
        "The number of a delivery is cut to 32 bits: 2^32 + 1 is the first.",
        "https://github.com/net-amqp-rabbitmq/net-amqp-rabbitmq/issues/30",
        &["Q-10"],
        Habits {
            delivery_named: DeliveryNamed::ThatDeliveryIn32Bits,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-settle-ack-is-cumulative",
        "An ack settles all earlier deliveries to its consumer too.",
        "https://github.com/apache/pulsar/issues/4931",
        &["Q-8"],
        Habits {
            ack_settles: AckSettles::AllBefore,
            ..SPECIFIED
        },
    ),
];
