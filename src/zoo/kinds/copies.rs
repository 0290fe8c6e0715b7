//! Copies that lose a field, or mistake one.

use crate::policy::PolicyFields;
use crate::question::Then;
use crate::zoo::Bug;
use crate::zoo::rules::Rules;

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    bug(
        "copy-jitter-forgets-the-age",
        "A copy with another jitter factor is built anew, and the age limit is not carried over.",
        "https://github.com/failsafe-lib/failsafe/pull/191",
        &["P-15"],
        |fields, then| match then {
            Then::WithJitter(factor) => PolicyFields {
                jitter_factor: factor.0,
                max_message_age: 0.0,
                ..fields
            },
            Then::GiveUpAfter(_) => (SPECIFIED.copy)(fields, then),
        },
    ),
    bug(
        "copy-age-forgets-the-cap",
        "A copy with an age limit is built anew, and the cap is dropped on the way.",
        "https://github.com/jwage/phpamqplib-messenger/pull/147",
        &["P-15"],
        |fields, then| match then {
            Then::GiveUpAfter(age) => PolicyFields {
                max_message_age: age.0,
                max_delay: 0.0,
                ..fields
            },
            Then::WithJitter(_) => (SPECIFIED.copy)(fields, then),
        },
    ),
    bug(
        "copy-age-in-minutes",
        "The unit of the age limit is not the one that was asked for.",
        "https://github.com/rholder/guava-retrying/issues/93",
        &["P-15"],
        |fields, then| match then {
            Then::GiveUpAfter(age) => PolicyFields {
                max_message_age: age.0 * 60.0,
                ..fields
            },
            Then::WithJitter(_) => (SPECIFIED.copy)(fields, then),
        },
    ),
    bug(
        "copy-jitter-clamped",
        "A copy rounds a jitter factor beyond its limits to the limit.",
        "https://github.com/zerofox-oss/go-aws-msg/pull/18",
        &["P-16"],
        |fields, then| match then {
            Then::WithJitter(factor) => PolicyFields {
                jitter_factor: factor.0.clamp(0.0, 1.0),
                ..fields
            },
            Then::GiveUpAfter(_) => (SPECIFIED.copy)(fields, then),
        },
    ),
    bug(
        "copy-factors-multiplied",
        "Jitter that was set before and jitter set now are combined.",
        "https://github.com/failsafe-lib/failsafe/issues/224",
        &["P-15"],
        |fields, then| match then {
            Then::WithJitter(factor) if fields.jitter_factor > 0.0 => PolicyFields {
                jitter_factor: fields.jitter_factor * factor.0,
                ..fields
            },
            Then::WithJitter(_) | Then::GiveUpAfter(_) => (SPECIFIED.copy)(fields, then),
        },
    ),
];

const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    copy: fn(PolicyFields, &Then) -> PolicyFields,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { copy, ..SPECIFIED })
}
