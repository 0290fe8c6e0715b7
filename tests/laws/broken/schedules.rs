//! Schedules.

use samewait::{HORIZON, PolicyFields};

use super::Row;
use crate::laws::subject::{SOUND, Subject};

pub(super) const ROWS: &[Row] = &[
    (
        "schedule::has_one_delay_less_than_attempts",
        "attempts are retries",
        Subject {
            schedule: |fields| {
                let last = (SOUND.backoff)(fields, u32::try_from(fields.max_attempts).expect("an attempt"))?;
                Ok([(SOUND.schedule)(fields)?, vec![last]].concat())
            },
            ..SOUND
        },
    ),
    (
        "schedule::only_grows_at_its_end",
        "the last delay is doubled",
        Subject {
            schedule: |fields| {
                let mut delays = (SOUND.schedule)(fields)?;
                delays.last_mut().into_iter().for_each(|last| *last *= 2.0);
                Ok(delays)
            },
            ..SOUND
        },
    ),
    (
        "schedule::jitter_and_age_limit_do_not_count",
        "delays past the age limit are left at 0",
        Subject {
            schedule: |fields| {
                let limit = if fields.max_message_age > 0.0 {
                    fields.max_message_age
                } else {
                    HORIZON
                };
                let delays = (SOUND.schedule)(fields)?.into_iter();
                Ok(delays.map(|delay| if delay > limit { 0.0 } else { delay }).collect())
            },
            ..SOUND
        },
    ),
    (
        "schedule::agrees",
        "it begins with a delay of 0",
        Subject {
            schedule: |fields| {
                let mut delays = (SOUND.schedule)(fields)?;
                delays.rotate_right(1);
                delays.first_mut().into_iter().for_each(|first| *first = 0.0);
                Ok(delays)
            },
            ..SOUND
        },
    ),
    (
        "schedule::is_the_backoffs",
        "the cap is missing in the schedule alone",
        Subject {
            schedule: |fields| {
                (SOUND.schedule)(PolicyFields {
                    max_delay: 0.0,
                    ..fields
                })
            },
            ..SOUND
        },
    ),
];
