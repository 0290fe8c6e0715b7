//! Laws that hold for the policy of any library that keeps to the specification, to be tried on random inputs. With the feature
//! `proptest`.
//!
//! The vectors ask a fixed set of questions of any language. The laws ask a Rust library whatever the strategies of
//! [`arbitrary`](crate::arbitrary) make, and shrink what they find.
//!
//! # In a few lines
//!
//! ```toml
//! [dev-dependencies]
//! samewait = { version = "0.1", features = ["proptest"] }
//! ```
//!
//! A test says how the library is asked. Each of the small `Has...` traits is one thing that a library can do; what it lacks is left out.
//!
//! ```
//! # mod acme_retry {
//! #     use std::time::Duration;
//! #     pub struct Policy { pub initial: Duration, pub multiplier: f64, pub cap: Option<Duration> }
//! #     impl Policy {
//! #         pub fn wait_after(&self, attempt: u32) -> Duration {
//! #             let cap = self.cap.map_or(4_294_967_296.0, seconds);
//! #             let mut wait = seconds(self.initial);
//! #             for _ in 1..attempt {
//! #                 let next = wait * self.multiplier;
//! #                 if wait >= cap || next <= wait { break }
//! #                 wait = next;
//! #             }
//! #             Duration::from_millis((wait.min(cap) * 1000.0).round() as u64)
//! #         }
//! #     }
//! #     fn seconds(duration: Duration) -> f64 { duration.as_millis() as f64 / 1000.0 }
//! # }
//! use proptest::prelude::*;
//! use samewait::{PolicyFields, arbitrary};
//! use samewait::laws::{self, Delay, HasBackoff, Refused, Resolution, Subject, duration};
//!
//! struct Acme;
//!
//! impl Subject for Acme {
//!     type Policy = acme_retry::Policy;
//!
//!     fn resolution(&self) -> Resolution {
//!         Resolution::Millisecond // durations of whole milliseconds
//!     }
//!
//!     fn build(&self, fields: &PolicyFields) -> Result<Self::Policy, Refused> {
//!         Ok(acme_retry::Policy {
//!             initial: duration(fields.initial_delay, self.resolution())?,
//!             multiplier: fields.multiplier,
//!             cap: match fields.max_delay {
//!                 0.0 => None,
//!                 cap => Some(duration(cap, self.resolution())?),
//!             },
//!         })
//!     }
//! }
//!
//! impl HasBackoff for Acme {
//!     fn backoff(&self, policy: &Self::Policy, attempt: u32) -> Result<Delay, Refused> {
//!         match attempt {
//!             1..=2_147_483_647 => Ok(policy.wait_after(attempt).into()),
//!             _ => Err(Refused::field("attempt")),
//!         }
//!     }
//! }
//!
//! // In a test: every law of the chapter.
//! laws::backoff::check(&Acme)?;
//!
//! // Or one law, with strategies of your own.
//! proptest!(|(fields in arbitrary::legal_policy_in(Resolution::Millisecond), attempt in 1_u32..50)| {
//!     laws::backoff::stays_under_the_ceiling(&Acme, fields, attempt)?;
//! });
//! # Ok::<(), laws::Failure>(())
//! ```
//!
//! `examples/acme-retry` in the repository is such a test, with a bug that the laws catch.
//!
//! # Which laws there are
//!
//! | module | laws of | needs |
//! |---|---|---|
//! | [`policy`] | what is accepted and refused (chapter 1) | [`Subject`] |
//! | [`fields`] | fields, and copies of a policy (chapter 1) | [`HasFields`], [`HasCopies`] |
//! | [`backoff`] | the delay after an attempt (chapter 2) | [`HasBackoff`] |
//! | [`schedule`] | all delays (chapter 2) | [`HasSchedule`], [`HasBackoff`] |
//! | [`next_delay`] | the delay, or the reason to give up (chapter 3) | [`HasNextDelay`], [`HasBackoff`] |
//! | [`jitter`] | jitter with a given draw (chapter 4) | [`HasJitter`] |
//! | [`ladder`], [`rung_for`] | broker queues (chapter 5) | [`HasLadder`] |
//! | [`queue`] | traces of queue scenarios (chapter 6) | a trace, or [`HasQueue`] |
//!
//! Most laws follow from the specification alone, without the reference: a delay never falls, jitter is symmetric. Each module also has a law
//! `agrees`: the answer is that of the reference, to the bit, or less than one unit of the library's [`Resolution`] away (W-16).
//!
//! # When a law does not hold
//!
//! The error names the law, what was asked, expected and found, what to look at, a command that shows what the reference makes of it, and
//! the clauses:
//!
//! ```text
//! backoff::stays_under_the_ceiling does not hold
//!
//!   asked     backoff(4) of a policy with max_attempts 1, initial_delay 0.001, max_delay 0.007
//!   expected  0 to 7 units of 1ms
//!   found     8 units of 1ms
//!   look at   where the cap is applied: to each product, not to the one before it, and also when the product overflows
//!   try       samewait schedule --max-attempts 5 --initial-delay 0.001 --max-delay 0.007
//!
//!   B-6: The ceiling MUST bound every delay, the first one included, ...
//! ```
//!
//! Laws return proptest's [`TestCaseResult`](proptest::test_runner::TestCaseResult), so that `?` works inside `proptest!`. An input that
//! can't be put to the library (a NaN that is to be a `Duration`) rejects the case; a law of which nearly all inputs are rejected fails.
#![expect(
    clippy::missing_errors_doc,
    reason = "every law has the same error, which is that it does not hold"
)]

mod ask;
pub mod backoff;
pub mod fields;
mod inputs;
pub mod jitter;
pub mod ladder;
mod law;
mod measure;
pub mod next_delay;
pub mod policy;
pub mod queue;
mod reference;
mod reply;
mod run;
pub mod rung_for;
pub mod schedule;
mod subject;

pub use crate::wire::Resolution;
pub use law::Law;
pub use reference::Reference;
pub use reply::{Decision, Delay, Refused, duration};
pub use run::{Broken, Failure};
pub use subject::{
    HasBackoff, HasCopies, HasFields, HasJitter, HasLadder, HasNextDelay, HasQueue, HasSchedule, LadderOf, Subject,
};

/// Every law there is, in the order of the specification.
pub fn all() -> impl Iterator<Item = &'static Law> {
    let modules = [
        policy::LAWS,
        fields::LAWS,
        backoff::LAWS,
        schedule::LAWS,
        next_delay::LAWS,
        jitter::LAWS,
        ladder::LAWS,
        rung_for::LAWS,
        queue::LAWS,
    ];
    modules.into_iter().flatten()
}
