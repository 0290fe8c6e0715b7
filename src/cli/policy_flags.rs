//! The six fields of a policy as flags.

use clap::Args;

use crate::policy::PolicyFields;

#[derive(Debug, Args)]
#[command(next_help_heading = "Policy")]
pub(super) struct PolicyFlags {
    /// Deliveries in total, the first included [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_attempts: Option<i64>,
    /// Seconds before the second attempt [default: 0]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    initial_delay: Option<f64>,
    /// What the delay is multiplied by after each attempt [default: 2]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    multiplier: Option<f64>,
    /// The cap in seconds; 0 for none [default: 0]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    max_delay: Option<f64>,
    /// How far a delay may move to either side, 0 to 1 [default: 0]
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    jitter_factor: Option<f64>,
    /// Give up on messages of this age in seconds; 0 for never [default: 0]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    max_message_age: Option<f64>,
}

impl PolicyFlags {
    /// The fields that are given as flags, and the others as they are in `base`.
    pub(super) fn over(&self, base: PolicyFields) -> PolicyFields {
        PolicyFields {
            max_attempts: self.max_attempts.unwrap_or(base.max_attempts),
            initial_delay: self.initial_delay.unwrap_or(base.initial_delay),
            multiplier: self.multiplier.unwrap_or(base.multiplier),
            max_delay: self.max_delay.unwrap_or(base.max_delay),
            jitter_factor: self.jitter_factor.unwrap_or(base.jitter_factor),
            max_message_age: self.max_message_age.unwrap_or(base.max_message_age),
        }
    }
}
