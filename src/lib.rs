//! Same policy, same wait, in every language.
pub mod answer;
mod backoff;
pub mod case;
pub mod clause;
pub mod cli;
pub mod explain;
mod jitter;
pub mod judge;
mod ladder;
pub mod load;
mod next_delay;
mod policy;
pub mod port;
pub mod question;
pub mod reference;
mod rejection;
pub mod report;
pub mod serve;
pub mod wire;
mod yaml;

pub use backoff::{Attempt, Schedule};
pub use ladder::{DEFAULT_THRESHOLD, Ladder, MAX_TTL_MS, Rung};
pub use next_delay::{GiveUp, NextDelay};
pub use policy::{HORIZON, MAX_ATTEMPTS, Policy, PolicyField, PolicyFields};
pub use rejection::{Argument, Rejection};
