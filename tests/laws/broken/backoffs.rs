//! Delays after an attempt.

use samewait::PolicyFields;
use samewait::laws::Refused;

use super::Row;
use crate::laws::subject::{SOUND, Subject, sound};

pub(super) const ROWS: &[Row] = &[
    (
        "backoff::the_first_is_the_initial_delay",
        "the first delay is multiplied already",
        Subject {
            backoff: |fields, attempt| (SOUND.backoff)(fields, attempt.saturating_add(1)),
            ..SOUND
        },
    ),
    (
        "backoff::stays_under_the_ceiling",
        "the cap is compared with the delay before",
        Subject {
            backoff: |fields, attempt| {
                let last = (SOUND.backoff)(fields, attempt)?;
                let before = (SOUND.backoff)(fields, attempt.saturating_sub(1).max(1))?;
                let is_growing = attempt > 1 && before < sound(fields).ceiling();
                Ok(if is_growing { before * fields.multiplier } else { last })
            },
            ..SOUND
        },
    ),
    (
        "backoff::never_falls",
        "the exponent wraps at 32",
        Subject {
            backoff: |fields, attempt| {
                (SOUND.backoff)(fields, attempt)?;
                (SOUND.backoff)(fields, (attempt - 1) % 32 + 1)
            },
            ..SOUND
        },
    ),
    (
        "backoff::stays_at_the_ceiling",
        "what is far above the cap begins anew",
        Subject {
            backoff: |fields, attempt| {
                let delay = (SOUND.backoff)(fields, attempt)?;
                Ok(if attempt > 40 {
                    fields.initial_delay.min(delay)
                } else {
                    delay
                })
            },
            ..SOUND
        },
    ),
    (
        "backoff::is_the_one_before_times_the_multiplier",
        "a power function is used",
        Subject {
            backoff: power,
            ..SOUND
        },
    ),
    (
        "backoff::does_not_ask_max_attempts",
        "past the last attempt the delay is 0",
        Subject {
            backoff: |fields, attempt| {
                let delay = (SOUND.backoff)(fields, attempt)?;
                Ok(if i64::from(attempt) >= fields.max_attempts {
                    0.0
                } else {
                    delay
                })
            },
            ..SOUND
        },
    ),
    (
        "backoff::jitter_and_age_limit_do_not_count",
        "the delay is stretched by the factor",
        Subject {
            backoff: |fields, attempt| Ok((SOUND.backoff)(fields, attempt)? * (1.0 + fields.jitter_factor)),
            ..SOUND
        },
    ),
    (
        "backoff::attempts_out_of_range_are_refused",
        "attempt 0 is attempt 1",
        Subject {
            backoff: |fields, attempt| (SOUND.backoff)(fields, attempt.max(1)),
            ..SOUND
        },
    ),
    (
        "backoff::agrees",
        "a power function is used",
        Subject {
            backoff: power,
            ..SOUND
        },
    ),
];

/// A power is rounded in other places.
fn power(fields: PolicyFields, attempt: u32) -> Result<f64, Refused> {
    (SOUND.backoff)(fields, attempt)?;
    let exponent = i32::try_from(attempt - 1).unwrap_or(i32::MAX);
    let product = fields.initial_delay * fields.multiplier.powi(exponent);
    // 0 times infinity is no number, which is not the defect here.
    Ok(if fields.initial_delay == 0.0 {
        0.0
    } else {
        product.min(sound(fields).ceiling())
    })
}
