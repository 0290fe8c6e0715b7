//! Random policies, attempts, ages, draws, questions and queue scenarios, for property tests. With the feature `proptest`.
//!
//! Uniform numbers find nothing: a library breaks at its limits. So everything here is biased to where implementations of the
//! specification break: the ends of each range and the neighbours of these ends, halves of a millisecond, multipliers just above 1
//! or near the largest number, delays that reach the cap exactly, attempts at 2147483647. What is found is shrunk to something small.
//!
//! | strategy | makes |
//! |---|---|
//! | [`legal_policy`], [`legal_policy_in`] | six fields that a policy may hold (P-1), in whole units of a resolution (W-17) |
//! | [`any_policy`] | six fields, of which one or two may be illegal (P-9) |
//! | [`attempt`], [`any_attempt`] | attempts from 1 to 2147483647; sometimes others (B-1, B-2) |
//! | [`duration`], [`duration_in`], [`any_real`] | seconds from 0 to HORIZON; sometimes NaN, infinities, negative numbers |
//! | [`age`] | the age of a message, also unknown, negative or infinite (N-6, N-7) |
//! | [`draw`] | draws from [0, 1) (J-1) |
//! | [`threshold`] | from which delay waits go to the broker (L-1) |
//! | [`question()`] | any question that vectors can put, but the queue's |
//! | [`scenario()`], [`any_scenario`] | a queue scenario in which everything happens at once |
//!
//! The laws that these are for are in [`laws`](crate::laws).
//!
//! ```
//! use proptest::prelude::*;
//! use samewait::{Attempt, Policy, arbitrary};
//!
//! // In a test.
//! proptest!(|(fields in arbitrary::legal_policy(), number in arbitrary::attempt())| {
//!     let policy = Policy::new(fields)?;
//!     // Some policies take seconds for their last attempt.
//!     let number = arbitrary::affordable(&fields, number);
//!     prop_assert!(policy.backoff(Attempt::new(number)?) <= policy.ceiling());
//! });
//! ```

mod number;
mod policy;
mod question;
mod scenario;
mod setup;

pub use number::{age, any_real, between, draw, duration, duration_in, factor, in_units, multiplier, threshold};
pub(crate) use policy::with_odd_fields;
pub use policy::{MANY, affordable, any_attempt, any_policy, attempt, legal_policy, legal_policy_in};
pub use question::question;
pub use scenario::{any_scenario, consumer, error, handler, pause, prefetch, scenario};
pub use setup::{Setup, setup};
