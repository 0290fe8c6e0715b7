//! Decisions after a failure.

use samewait::{GiveUp, NextDelay, PolicyFields};

use super::Row;
use crate::laws::subject::{SOUND, Subject};

pub(super) const ROWS: &[Row] = &[
    (
        "next_delay::gives_up_after_the_last_attempt",
        "`>` is written for `>=`",
        Subject {
            next_delay: |fields, attempt, age| {
                let max_attempts = (fields.max_attempts + 1).min(i64::from(samewait::MAX_ATTEMPTS));
                (SOUND.next_delay)(PolicyFields { max_attempts, ..fields }, attempt, age)
            },
            ..SOUND
        },
    ),
    (
        "next_delay::gives_up_after_the_last_attempt",
        "the age is looked at first",
        Subject {
            next_delay: |fields, attempt, age| {
                let decision = (SOUND.next_delay)(fields, attempt, age)?;
                let is_too_old = fields.max_message_age > 0.0 && age >= Some(fields.max_message_age);
                Ok(if is_too_old {
                    NextDelay::GiveUp(GiveUp::MaxMessageAge)
                } else {
                    decision
                })
            },
            ..SOUND
        },
    ),
    (
        "next_delay::gives_up_at_the_age_limit",
        "`>` is written for `>=`",
        Subject {
            next_delay: |fields, attempt, age| (SOUND.next_delay)(fields, attempt, age.map(f64::next_down)),
            ..SOUND
        },
    ),
    (
        "next_delay::gives_up_at_the_age_limit",
        "the delay is added to the age",
        Subject {
            next_delay: |fields, attempt, age| {
                let delay = (SOUND.backoff)(fields, attempt)?;
                (SOUND.next_delay)(fields, attempt, age.map(|age| age + delay))
            },
            ..SOUND
        },
    ),
    (
        "next_delay::unknown_and_negative_ages_are_young",
        "an unknown age is read as very old",
        Subject {
            next_delay: |fields, attempt, age| (SOUND.next_delay)(fields, attempt, Some(age.unwrap_or(1.0e18))),
            ..SOUND
        },
    ),
    (
        "next_delay::unknown_and_negative_ages_are_young",
        "the sign of an age is lost",
        Subject {
            next_delay: |fields, attempt, age| (SOUND.next_delay)(fields, attempt, age.map(f64::abs)),
            ..SOUND
        },
    ),
    (
        "next_delay::an_age_that_is_no_number_is_refused",
        "NaN is an unknown age",
        Subject {
            next_delay: |fields, attempt, age| (SOUND.next_delay)(fields, attempt, age.filter(|age| !age.is_nan())),
            ..SOUND
        },
    ),
    (
        "next_delay::agrees",
        "the attempt is counted from 0",
        Subject {
            next_delay: |fields, attempt, age| (SOUND.next_delay)(fields, (attempt - 1).max(1), age),
            ..SOUND
        },
    ),
    (
        "next_delay::waits_the_backoff",
        "the delay is jittered",
        Subject {
            next_delay: |fields, attempt, age| {
                Ok(match (SOUND.next_delay)(fields, attempt, age)? {
                    NextDelay::Retry(delay) => NextDelay::Retry((SOUND.jittered)(fields, delay, 0.75)?),
                    give_up @ NextDelay::GiveUp(_) => give_up,
                })
            },
            ..SOUND
        },
    ),
];
