//! Ladders, and how a delay finds its rung.

use samewait::laws::{LadderOf, Refused};
use samewait::{PolicyFields, Rung};

use super::Row;
use crate::laws::subject::{SOUND, Subject};

pub(super) const ROWS: &[Row] = &[
    (
        "ladder::rungs_ascend",
        "a rung is declared twice",
        Subject {
            rungs: |fields, of| {
                let rungs = (SOUND.rungs)(fields, of)?;
                Ok(rungs.into_iter().flat_map(|rung| [rung.clone(), rung]).collect())
            },
            ..SOUND
        },
    ),
    (
        "ladder::names_say_their_ttl",
        "every label is in milliseconds",
        Subject {
            rungs: |fields, of| {
                let name = |rung: Rung| Rung {
                    name: format!("{}.retry.{}ms", of.queue, rung.ttl_ms),
                    ..rung
                };
                Ok((SOUND.rungs)(fields, of)?.into_iter().map(name).collect())
            },
            ..SOUND
        },
    ),
    (
        "ladder::rungs_return_to_their_queue",
        "messages return to the rung",
        Subject {
            rungs: |fields, of| {
                let back = |rung: Rung| Rung {
                    dead_letter_routing_key: rung.name.clone(),
                    ..rung
                };
                Ok((SOUND.rungs)(fields, of)?.into_iter().map(back).collect())
            },
            ..SOUND
        },
    ),
    (
        "ladder::a_rung_too_long_refuses_the_ladder",
        "a ladder that is too long is empty",
        Subject {
            rungs: |fields, of| {
                (SOUND.rungs)(fields, of).or_else(|refused| match refused {
                    Refused::RungTooLong => Ok(Vec::new()),
                    refused @ (Refused::Field(_) | Refused::Unnamed | Refused::Unsupported(_)) => Err(refused),
                })
            },
            ..SOUND
        },
    ),
    (
        "ladder::agrees",
        "TTLs are a millisecond too short",
        Subject {
            rungs: a_millisecond_less,
            ..SOUND
        },
    ),
    (
        "rung_for::each_broker_wait_has_its_own_rung",
        "`>` is written for `>=`",
        Subject {
            rung_for: |fields, of, delay| {
                let found = (SOUND.rung_for)(fields, of, delay)?;
                Ok(found.filter(|_| delay > of.threshold))
            },
            ..SOUND
        },
    ),
    (
        "rung_for::a_longer_delay_finds_no_shorter_rung",
        "what is longer than all finds the first rung",
        Subject {
            rung_for: |fields, of, delay| {
                let found = (SOUND.rung_for)(fields, of, delay)?;
                let rungs = (SOUND.rungs)(fields, of)?;
                let is_longer = rungs
                    .last()
                    .is_some_and(|last| samewait::Millis::nearest(delay).count() > last.ttl_ms);
                Ok(if is_longer {
                    rungs.into_iter().next().map(|rung| rung.name)
                } else {
                    found
                })
            },
            ..SOUND
        },
    ),
    (
        "rung_for::odd_arguments_are_refused",
        "a queue without a name is a queue",
        Subject {
            rung_for: |fields, of, delay| {
                let queue = if of.queue.is_empty() { "x" } else { of.queue };
                (SOUND.rung_for)(fields, LadderOf { queue, ..of }, delay)
            },
            ..SOUND
        },
    ),
    (
        "rung_for::agrees",
        "what is longer than all finds no rung",
        Subject {
            rung_for: |fields, of, delay| {
                let found = (SOUND.rung_for)(fields, of, delay)?;
                let last = (SOUND.rungs)(fields, of)?.last().map(|rung| rung.ttl_ms);
                Ok(found.filter(|_| Some(samewait::Millis::nearest(delay).count()) <= last))
            },
            ..SOUND
        },
    ),
];

fn a_millisecond_less(fields: PolicyFields, of: LadderOf<'_>) -> Result<Vec<Rung>, Refused> {
    let mut rungs = (SOUND.rungs)(fields, of)?;
    for rung in &mut rungs {
        rung.ttl_ms = (rung.ttl_ms - 1).max(1);
    }
    Ok(rungs)
}
