//! Same policy, same wait, in every language: a conformance kit for retry schedules.
//!
//! The specification is in `spec/`, the golden vectors are in `vectors/`, and the command `samewait` drives ports in any
//! language. This library is what the command is made of.
//!
//! # The reference
//!
//! Pure arithmetic, without clocks, random numbers, files or processes: [`Policy`] with its
//! [`backoff`](Policy::backoff), [`schedule`](Policy::schedule), [`next_delay`](Policy::next_delay) and
//! [`jittered`](Policy::jittered), the [`Ladder`] of broker queues, and the work [`queue`] in virtual time. Each item names the
//! clauses it implements.
//!
//! ```
//! use samewait::{Attempt, GiveUp, NextDelay, Policy};
//!
//! let policy = Policy::exponential(5, 1.0, 10.0)?.give_up_after(3600.0)?;
//! assert_eq!(policy.schedule().collect::<Vec<_>>(), [1.0, 2.0, 4.0, 8.0]);
//! assert_eq!(policy.next_delay(Attempt::new(2)?, Some(60.0))?, NextDelay::Retry(2.0));
//! assert_eq!(policy.next_delay(Attempt::new(5)?, None)?, NextDelay::GiveUp(GiveUp::MaxAttempts));
//! # Ok::<(), samewait::Rejection>(())
//! ```
//!
//! # The kit
//!
//! Data goes one way: [`load`] reads vectors into [`case`]s; the [`question`] of a case goes to a [`port`], or to the
//! [`reference`](mod@reference), which sees no expectation; the [`judge`] holds the reply against the expected
//! [`answer`], and is the only place that decides; a [`report`] puts the verdicts into words and the outcome into an exit code.
//!
//! ```
//! use samewait::answer::Reply;
//! use samewait::draws;
//! use samewait::judge::{Verdict, judge};
//! use samewait::load::VectorSet;
//! use samewait::reference;
//! use samewait::wire::Resolution;
//!
//! for case in VectorSet::embedded()?.cases {
//!     let reply = Reply::from(reference::answer(&case.question, draws::seeded(1)));
//!     assert_eq!(judge(&case.expected, &reply, Resolution::Exact), Verdict::Passed);
//! }
//! # Ok::<(), samewait::load::LoadError>(())
//! ```

pub mod answer;
#[cfg(feature = "proptest")]
pub mod arbitrary;
mod backoff;
pub mod case;
pub mod clause;
pub mod cli;
pub mod draws;
pub mod emit;
pub mod explain;
pub mod gate;
pub mod index;
mod jitter;
pub mod judge;
mod ladder;
#[cfg(feature = "proptest")]
pub mod laws;
pub mod load;
mod millis;
mod next_delay;
mod policy;
pub mod port;
mod printable;
pub mod question;
pub mod queue;
pub mod reference;
mod rejection;
pub mod report;
pub mod scenario;
pub mod schema;
pub mod serve;
mod text;
pub mod timeline;
pub mod uniformity;
pub mod version;
pub mod wire;
mod yaml;
pub mod zoo;

pub use backoff::{Attempt, Schedule};
pub use ladder::{DEFAULT_THRESHOLD, Ladder, MAX_TTL_MS, Rung};
pub use millis::Millis;
pub use next_delay::{GiveUp, NextDelay};
pub use policy::{HORIZON, MAX_ATTEMPTS, Policy, PolicyFields};
pub use rejection::{Argument, PolicyField, Rejection};

/// The Rust example of the README, run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
