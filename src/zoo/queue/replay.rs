//! Replays: what a message keeps of its former life, and which messages can be replayed.

use super::habits::Habits;
use super::order::Place;
use super::{SPECIFIED, bug};
use crate::zoo::Bug;

/// What a replay does to the attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayedCount {
    None,
    Kept,
    OneLess,
}

/// What a replay does to the age, or to the TTL clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayedClock {
    Fresh,
    Kept,
    None,
}

/// What a replay does to the error text, or to the dead letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Former {
    Removed,
    Kept,
}

/// What a replayed message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replayed {
    Ready,
    NeverDelivered,
    Delayed,
}

/// What can be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayOf {
    ADeadOne,
    ADeadOneThatDidNotExpire,
    AWaitingOneToo,
    AnAckedOneToo,
    AnythingSilently,
    AllDeadOnes,
}

pub(in crate::zoo) const BUGS: &[Bug] = &[
    bug(
        "queue-replay-keeps-the-count",
        "A replayed message has used up its attempts, and dies at its next failure.",
        "https://github.com/stackkit/laravel-google-cloud-tasks-queue/pull/192",
        &["Q-22", "Q-5"],
        Habits {
            replayed_count: ReplayedCount::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-lowers-the-count-by-one",
        "A replay gives one attempt back.",
        "https://github.com/sidekiq/sidekiq/pull/5444",
        &["Q-22", "Q-5"],
        Habits {
            replayed_count: ReplayedCount::OneLess,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-keeps-the-age",
        "A replayed message is as old as it was, and dies of its age.",
        "https://github.com/garrytan/gbrain/issues/2783",
        &["Q-22", "Q-13"],
        Habits {
            replayed_age: ReplayedClock::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-ends-the-age",
        "A replayed message has no age any more, and never dies of it.",
        "https://github.com/celery/celery/issues/3297",
        &["Q-22", "Q-13"],
        Habits {
            replayed_age: ReplayedClock::None,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-keeps-the-use-by-date",
        "The use-by date of a replayed message stays in the past, and it expires at once.",
        "https://github.com/choria-io/asyncjobs/issues/66",
        &["Q-22", "Q-17"],
        Habits {
            replayed_ttl: ReplayedClock::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-ends-the-ttl",
        "A replayed message has no TTL any more, since the dead letter lost it.",
        "https://github.com/rabbitmq/rabbitmq-server/issues/18",
        &["Q-22", "Q-17"],
        Habits {
            replayed_ttl: ReplayedClock::None,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-keeps-the-text",
        "A replayed message that expires shows the text of a failure in its former life.",
        "https://github.com/Osmantic/ODS/pull/4855",
        &["Q-22", "Q-18"],
        Habits {
            former_text: Former::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-keeps-the-dead-letter",
        "A replayed message is still in the list of the dead.",
        "https://github.com/rq/django-rq/issues/31",
        &["Q-22", "Q-21"],
        Habits {
            former_letter: Former::Kept,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-to-the-front",
        "A replayed message goes before those that are ready already.",
        "https://github.com/JasperFx/wolverine/issues/986",
        &["Q-22", "Q-3"],
        Habits {
            place_of_the_replayed: Place::Front,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-leaves-a-mark",
        "A replayed message is ready, but a field still says that it is finished, and no consumer takes it.",
        "https://github.com/que-rb/que/issues/288",
        &["Q-22", "Q-3"],
        Habits {
            replayed: Replayed::NeverDelivered,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-waits-out-a-delay",
        "A replayed message waits out the delay of a first failure before it is ready.",
        "https://github.com/superstreamlabs/memphis/issues/1659",
        &["Q-22"],
        Habits {
            replayed: Replayed::Delayed,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-not-of-the-expired",
        "A message that expired can't be replayed.",
        "https://github.com/choria-io/asyncjobs/issues/66",
        &["Q-22"],
        Habits {
            replay_of: ReplayOf::ADeadOneThatDidNotExpire,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-of-the-waiting",
        "A message that waits can be replayed, and starts afresh.",
        "https://github.com/OptimalBits/bull/pull/318",
        &["Q-23"],
        Habits {
            replay_of: ReplayOf::AWaitingOneToo,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-of-the-acked",
        "A message that was acked can be replayed.",
        "https://github.com/oban-bg/oban/issues/926",
        &["Q-23", "Q-8"],
        Habits {
            replay_of: ReplayOf::AnAckedOneToo,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-of-nothing-succeeds",
        "A replay of what is not dead does nothing and says nothing.",
        "https://github.com/softwaremill/elasticmq/issues/324",
        &["Q-23"],
        Habits {
            replay_of: ReplayOf::AnythingSilently,
            ..SPECIFIED
        },
    ),
    bug(
        "queue-replay-of-all",
        "One replay puts back all dead letters.",
        "https://github.com/paolosalvatori/ServiceBusExplorer/pull/542",
        &["Q-22", "Q-21"],
        Habits {
            replay_of: ReplayOf::AllDeadOnes,
            ..SPECIFIED
        },
    ),
];
