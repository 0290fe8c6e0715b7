//! Faults of a policy repaired in silence, or reported as others.

use super::one_rule::judging;
use super::refusal::invalid;
use super::validation::checked;
use crate::policy::PolicyFields;
use crate::rejection::{Argument, PolicyField, Rejection};
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Stop};

pub(super) const BUGS: &[Bug] = &[
    judging(
        "fault-invalid-multiplier-replaced",
        "An invalid multiplier is replaced by the default.",
        "https://github.com/openworkflowdev/openworkflow/pull/306",
        &["P-9"],
        |fields| {
            let is_valid = (1.0..=f64::MAX).contains(&fields.multiplier);
            checked(PolicyFields {
                multiplier: if is_valid { fields.multiplier } else { 2.0 },
                ..fields
            })
        },
    ),
    judging(
        "fault-endless-delay-is-none",
        "An initial delay that is no finite number becomes 0.",
        "https://github.com/elizaOS/eliza/pull/27936",
        &["P-9"],
        |fields| {
            let is_finite = fields.initial_delay.is_finite();
            checked(PolicyFields {
                initial_delay: if is_finite { fields.initial_delay } else { 0.0 },
                ..fields
            })
        },
    ),
    judging(
        "fault-negative-delay-raised",
        "A negative initial delay is raised to 0.",
        "https://github.com/FoundatioFx/Foundatio.AWS/pull/322",
        &["P-9"],
        |fields| {
            let is_negative = fields.initial_delay < 0.0;
            checked(PolicyFields {
                initial_delay: if is_negative { 0.0 } else { fields.initial_delay },
                ..fields
            })
        },
    ),
    judging(
        "fault-cap-named-initial-delay",
        "A cap out of range is reported under the name of the initial delay.",
        "https://github.com/failsafe-lib/failsafe/issues/216",
        &["P-10"],
        |fields| checked(fields).map_err(|stop| renamed(stop, PolicyField::MaxDelay, PolicyField::InitialDelay)),
    ),
    judging(
        "fault-factory-argument-named",
        "An initial delay out of range is reported as an argument of another name, not as the field of the policy.",
        "https://github.com/elastic/elasticsearch/pull/33648",
        &["P-9", "P-16"],
        |fields| {
            checked(fields).map_err(|stop| match stop {
                Stop::Rejected(Rejection::InvalidPolicy {
                    field: PolicyField::InitialDelay,
                    found,
                }) => Stop::Rejected(Rejection::argument(Argument::Delay, found)),
                other @ (Stop::Rejected(_) | Stop::Crashed(_)) => other,
            })
        },
    ),
    judging(
        "fault-last-fault-reported",
        "All fields are judged, each fault overwrites the one before, and the last is reported.",
        "https://github.com/arman-jalili/rigorix-oss/pull/120",
        &["P-10"],
        last_fault,
    ),
    judging(
        "fault-nan-judged-first",
        "A first pass looks for NaN and a second one for what is out of range.",
        "https://github.com/lace-ai/gai/pull/134",
        &["P-10"],
        |fields| {
            checked(nan_alone(fields))?;
            checked(fields)
        },
    ),
];

fn renamed(stop: Stop, from: PolicyField, to: PolicyField) -> Stop {
    match stop {
        Stop::Rejected(Rejection::InvalidPolicy { field, found }) if field == from => invalid(to, &found),
        other @ (Stop::Rejected(_) | Stop::Crashed(_)) => other,
    }
}

fn last_fault(fields: PolicyFields) -> Outcome<PolicyFields> {
    let legal = PolicyFields::default();
    // Each field alone, the others legal.
    let alone = [
        PolicyFields {
            max_attempts: fields.max_attempts,
            ..legal
        },
        PolicyFields {
            initial_delay: fields.initial_delay,
            ..legal
        },
        PolicyFields {
            multiplier: fields.multiplier,
            ..legal
        },
        PolicyFields {
            max_delay: fields.max_delay,
            ..legal
        },
        PolicyFields {
            jitter_factor: fields.jitter_factor,
            ..legal
        },
        PolicyFields {
            max_message_age: fields.max_message_age,
            ..legal
        },
    ];
    let fault = alone.into_iter().rev().find_map(|fields| checked(fields).err());
    fault.map_or_else(|| checked(fields), Err)
}

/// The NaNs of a policy, everything else legal.
fn nan_alone(fields: PolicyFields) -> PolicyFields {
    let nan_or_one = |number: f64| if number.is_nan() { number } else { 1.0 };
    PolicyFields {
        max_attempts: 1,
        initial_delay: nan_or_one(fields.initial_delay),
        multiplier: nan_or_one(fields.multiplier),
        max_delay: nan_or_one(fields.max_delay),
        jitter_factor: nan_or_one(fields.jitter_factor),
        max_message_age: nan_or_one(fields.max_message_age),
    }
}
