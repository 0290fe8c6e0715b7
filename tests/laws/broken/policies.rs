//! Policies and copies.

use samewait::PolicyFields;
use samewait::laws::Refused;

use super::Row;
use crate::laws::subject::{SOUND, Subject, shared};

pub(super) const ROWS: &[Row] = &[
    (
        "policy::legal_fields_are_accepted",
        "an initial delay above the cap is refused",
        Subject {
            build: |fields| {
                let is_above = fields.max_delay > 0.0 && fields.initial_delay > fields.max_delay;
                if is_above {
                    Err(Refused::field("initial_delay"))
                } else {
                    (SOUND.build)(fields)
                }
            },
            ..SOUND
        },
    ),
    (
        "policy::the_first_illegal_field_is_refused",
        "NaN slips through",
        Subject {
            build: accepts_nan,
            ..SOUND
        },
    ),
    (
        "policy::the_first_illegal_field_is_refused",
        "the last illegal field is named",
        Subject {
            build: |fields| {
                let alone = PolicyFields {
                    max_message_age: fields.max_message_age,
                    ..PolicyFields::default()
                };
                (SOUND.build)(&alone)?;
                (SOUND.build)(fields)
            },
            ..SOUND
        },
    ),
    (
        "fields::are_kept",
        "the initial delay is rounded to milliseconds",
        Subject {
            build: |fields| {
                let initial_delay = (fields.initial_delay * 1000.0).round() / 1000.0;
                (SOUND.build)(&PolicyFields {
                    initial_delay,
                    ..*fields
                })
            },
            ..SOUND
        },
    ),
    (
        "fields::negative_zero_is_zero",
        "numbers are kept as they come",
        Subject {
            build: |fields| (SOUND.build)(fields).map(|_| *fields),
            ..SOUND
        },
    ),
    (
        "fields::a_copy_differs_in_one_field",
        "the age limit is lost with a new factor",
        Subject {
            with_jitter: |policy, factor| {
                let copy = (SOUND.with_jitter)(policy, factor)?.get();
                Ok(shared(PolicyFields {
                    max_message_age: 0.0,
                    ..copy
                }))
            },
            ..SOUND
        },
    ),
    (
        "fields::a_copy_leaves_the_original_alone",
        "the copy is the policy itself",
        Subject {
            give_up_after: |policy, age| {
                policy.set((SOUND.give_up_after)(policy, age)?.get());
                Ok(policy.clone())
            },
            ..SOUND
        },
    ),
    (
        "fields::an_illegal_copy_is_refused",
        "a factor is not checked",
        Subject {
            with_jitter: |policy, jitter_factor| {
                Ok(shared(PolicyFields {
                    jitter_factor,
                    ..policy.get()
                }))
            },
            ..SOUND
        },
    ),
];

fn accepts_nan(fields: &PolicyFields) -> Result<PolicyFields, Refused> {
    let is_nan = fields.initial_delay.is_nan();
    let initial_delay = if is_nan { 0.0 } else { fields.initial_delay };
    let checked = PolicyFields {
        initial_delay,
        ..*fields
    };
    (SOUND.build)(&checked).map(|_| *fields)
}
