//! Policies in questions and answers: six numbers, not checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Real;
use crate::policy::PolicyFields;

/// The six fields of a policy as a question gives them. Absent ones take their defaults in vectors (V-6); the wire carries all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Policy")]
pub struct PolicyArgument {
    /// Deliveries in total, the first one included. Legal from 1 to 2147483647.
    pub max_attempts: i64,
    /// Seconds before the second delivery. Legal from 0 to 4294967296.
    pub initial_delay: Real,
    /// What the delay is multiplied by after each further attempt. Legal: finite, 1 or more.
    pub multiplier: Real,
    /// The cap in seconds, 0 for none. Legal from 0 to 4294967296.
    pub max_delay: Real,
    /// How far a delay may move to either side, as a share of it. Legal from 0 to 1.
    pub jitter_factor: Real,
    /// The age in seconds from which a message is given up, 0 for none. Legal from 0 to 4294967296.
    pub max_message_age: Real,
}

impl Default for PolicyArgument {
    fn default() -> Self {
        PolicyFields::default().into()
    }
}

impl From<PolicyFields> for PolicyArgument {
    fn from(fields: PolicyFields) -> Self {
        Self {
            max_attempts: fields.max_attempts,
            initial_delay: Real(fields.initial_delay),
            multiplier: Real(fields.multiplier),
            max_delay: Real(fields.max_delay),
            jitter_factor: Real(fields.jitter_factor),
            max_message_age: Real(fields.max_message_age),
        }
    }
}

impl From<PolicyArgument> for PolicyFields {
    fn from(argument: PolicyArgument) -> Self {
        Self {
            max_attempts: argument.max_attempts,
            initial_delay: argument.initial_delay.0,
            multiplier: argument.multiplier.0,
            max_delay: argument.max_delay.0,
            jitter_factor: argument.jitter_factor.0,
            max_message_age: argument.max_message_age.0,
        }
    }
}

/// The six fields of a policy in an answer, where none may be absent. `Number` is how durations and factors are read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyValue<Number = f64> {
    /// Deliveries in total, the first one included. Legal from 1 to 2147483647.
    max_attempts: i64,
    /// Seconds before the second delivery. Legal from 0 to 4294967296.
    initial_delay: Number,
    /// What the delay is multiplied by after each further attempt. Legal: finite, 1 or more.
    multiplier: Number,
    /// The cap in seconds, 0 for none. Legal from 0 to 4294967296.
    max_delay: Number,
    /// How far a delay may move to either side, as a share of it. Legal from 0 to 1.
    jitter_factor: Number,
    /// The age in seconds from which a message is given up, 0 for none. Legal from 0 to 4294967296.
    max_message_age: Number,
}

impl<Number: Into<f64>> From<PolicyValue<Number>> for PolicyFields {
    fn from(value: PolicyValue<Number>) -> Self {
        Self {
            max_attempts: value.max_attempts,
            initial_delay: value.initial_delay.into(),
            multiplier: value.multiplier.into(),
            max_delay: value.max_delay.into(),
            jitter_factor: value.jitter_factor.into(),
            max_message_age: value.max_message_age.into(),
        }
    }
}
