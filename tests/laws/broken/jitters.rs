//! Jitter.

use samewait::PolicyFields;

use super::Row;
use crate::laws::subject::{SOUND, Subject, sound};

pub(super) const ROWS: &[Row] = &[
    (
        "jitter::stays_in_its_range",
        "the factor is taken twice",
        Subject {
            jittered: |fields, delay, draw| {
                (SOUND.jittered)(fields, delay, draw)?;
                Ok(delay * (1.0 + (draw * 2.0 - 1.0) * (2.0 * fields.jitter_factor)))
            },
            ..SOUND
        },
    ),
    (
        "jitter::the_draws_0_and_a_half",
        "delays are only added to",
        Subject {
            jittered: |fields, delay, draw| (SOUND.jittered)(fields, delay, draw).map(|jittered| jittered.max(delay)),
            ..SOUND
        },
    ),
    (
        "jitter::is_symmetric",
        "the upper half is cut off",
        Subject {
            jittered: |fields, delay, draw| (SOUND.jittered)(fields, delay, draw).map(|jittered| jittered.min(delay)),
            ..SOUND
        },
    ),
    (
        "jitter::a_higher_draw_waits_no_shorter",
        "the draw is turned round",
        Subject {
            jittered: |fields, delay, draw| {
                (SOUND.jittered)(fields, delay, draw)?;
                (SOUND.jittered)(fields, delay, (1.0 - draw).min(1.0_f64.next_down()))
            },
            ..SOUND
        },
    ),
    (
        "jitter::without_a_factor_nothing_moves",
        "no factor is a factor of 0.2",
        Subject {
            jittered: |fields, delay, draw| {
                let given = fields.jitter_factor;
                let jitter_factor = if given == 0.0 { 0.2 } else { given };
                (SOUND.jittered)(
                    PolicyFields {
                        jitter_factor,
                        ..fields
                    },
                    delay,
                    draw,
                )
            },
            ..SOUND
        },
    ),
    (
        "jitter::only_the_factor_counts",
        "the jittered delay is cut back to the cap",
        Subject {
            jittered: |fields, delay, draw| {
                (SOUND.jittered)(fields, delay, draw).map(|jittered| jittered.min(sound(fields).ceiling()))
            },
            ..SOUND
        },
    ),
    (
        "jitter::odd_arguments_are_refused",
        "a draw of 1 is a draw",
        Subject {
            jittered: |fields, delay, draw| (SOUND.jittered)(fields, delay, draw.min(1.0_f64.next_down())),
            ..SOUND
        },
    ),
    (
        "jitter::agrees",
        "the sum is multiplied out",
        Subject {
            jittered: |fields, delay, draw| {
                (SOUND.jittered)(fields, delay, draw)?;
                Ok(delay + delay * ((draw * 2.0 - 1.0) * fields.jitter_factor))
            },
            ..SOUND
        },
    ),
];
