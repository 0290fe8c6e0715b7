//! What is put to the laws: a policy of another library, one small trait for each thing that it can do.

use proptest::strategy::{BoxedStrategy, Strategy};
use proptest::test_runner::Config;

use super::reply::{Decision, Delay, Refused};
use crate::arbitrary;
use crate::ladder::Rung;
use crate::policy::{MAX_ATTEMPTS, PolicyFields};
use crate::question::QueueQuestion;
use crate::rejection::PolicyField;
use crate::scenario::TraceEvent;
use crate::wire::Resolution;

/// A library whose policies are put to the laws.
///
/// Implement it for a type of the test, such as `struct Acme;`: the orphan rule does not let a test implement it for a type of the
/// library. Then say with the other traits of this module what the library can do, and leave out what it can't.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not yet a subject of the laws",
    note = "implement `samewait::laws::Subject`: how a policy is built from six fields, and what delays are counted in"
)]
pub trait Subject {
    /// The library's own policy.
    type Policy;

    /// What the library counts its delays in (W-16). A library of [`Duration`](std::time::Duration)s that multiplies in floating point counts in nanoseconds.
    ///
    /// It decides what the library is asked (durations in whole units, W-17) and how near its delays must be: the same bits, or less
    /// than one unit away.
    fn resolution(&self) -> Resolution;

    /// Builds a policy of six fields, which may be illegal: durations are seconds, and NaN, infinities and negative numbers are among
    /// them.
    ///
    /// # Errors
    ///
    /// [`Refused::Field`] and its siblings when the library refuses the fields; [`Refused::Unsupported`] when the test can't even put
    /// them to the library, as [`duration`](super::duration) says of a NaN.
    fn build(&self, fields: &PolicyFields) -> Result<Self::Policy, Refused>;

    /// Legal policies that the library can hold. Write it where the library can't hold all that the specification allows: change
    /// the fields that it does not have.
    fn policies(&self) -> BoxedStrategy<PolicyFields> {
        arbitrary::legal_policy_in(self.resolution())
    }

    /// Fields of the specification that the library does not have: its policies are built without looking at them, and no law asks it to
    /// refuse what stands there.
    fn lacks(&self) -> &[PolicyField] {
        &[]
    }

    /// How the laws are tried: as often as `PROPTEST_CASES` says, or 256 times each, with nothing kept in files. Write it to keep
    /// counterexamples, as proptest's own tests do (`Config::with_source_file(file!())`).
    fn config(&self) -> Config {
        Config {
            failure_persistence: None,
            ..Config::default()
        }
    }

    /// Attempts that the library can be asked about: 1 to 2147483647. Write it where the library counts in a smaller type.
    ///
    /// The laws skip what takes more than [`MANY`](arbitrary::MANY) multiplications. A library that goes on multiplying when the delay
    /// no longer changes (B-8) takes seconds for each of the large ones.
    fn attempts(&self) -> BoxedStrategy<u32> {
        arbitrary::attempt()
            .prop_map(|attempt| u32::try_from(attempt).unwrap_or(MAX_ATTEMPTS))
            .boxed()
    }
}

/// A library that tells the six fields of a policy.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how the fields of a policy are read: implement `samewait::laws::HasFields`"
)]
pub trait HasFields: Subject {
    /// The six fields (P-1).
    fn fields(&self, policy: &Self::Policy) -> PolicyFields;
}

/// A library that makes changed copies of a policy (P-15).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how a policy is copied: implement `samewait::laws::HasCopies`"
)]
pub trait HasCopies: HasFields {
    /// A copy with another age limit, in seconds.
    ///
    /// # Errors
    ///
    /// As [`Subject::build`].
    fn give_up_after(&self, policy: &Self::Policy, age: f64) -> Result<Self::Policy, Refused>;

    /// A copy with another jitter factor.
    ///
    /// # Errors
    ///
    /// As [`Subject::build`].
    fn with_jitter(&self, policy: &Self::Policy, factor: f64) -> Result<Self::Policy, Refused>;
}

/// A library that tells the delay after an attempt (chapter 2).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how long it waits after an attempt: implement `samewait::laws::HasBackoff`"
)]
pub trait HasBackoff: Subject {
    /// The delay after `attempt` has failed, without jitter, and whatever `max_attempts` says (B-1).
    ///
    /// # Errors
    ///
    /// As [`Subject::build`]; the laws ask for attempts outside 1 to 2147483647, too (B-2).
    fn backoff(&self, policy: &Self::Policy, attempt: u32) -> Result<Delay, Refused>;
}

/// A library that tells all delays of a policy (chapter 2).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what its schedule is: implement `samewait::laws::HasSchedule`"
)]
pub trait HasSchedule: Subject {
    /// All delays (B-9). The laws ask it of policies of at most [`MANY`](arbitrary::MANY) attempts.
    ///
    /// # Errors
    ///
    /// As [`Subject::build`].
    fn schedule(&self, policy: &Self::Policy) -> Result<Vec<Delay>, Refused>;
}

/// A library that decides what happens after a failure (chapter 3).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what happens after a failure: implement `samewait::laws::HasNextDelay`"
)]
pub trait HasNextDelay: Subject {
    /// The delay after `attempt` has failed, or the reason to give up. The age is in seconds; none when it is unknown (N-6).
    ///
    /// # Errors
    ///
    /// As [`Subject::build`]; the laws ask for an age that is NaN, too (N-1).
    fn next_delay(&self, policy: &Self::Policy, attempt: u32, message_age: Option<f64>) -> Result<Decision, Refused>;
}

/// A library whose jitter takes its draw as an argument (chapter 4).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how a draw moves a delay: implement `samewait::laws::HasJitter`"
)]
pub trait HasJitter: Subject {
    /// `delay` seconds, moved as the `draw` from [0, 1) says.
    ///
    /// # Errors
    ///
    /// As [`Subject::build`]; the laws ask for delays and draws out of range, too (J-7).
    fn jittered(&self, policy: &Self::Policy, delay: f64, draw: f64) -> Result<Delay, Refused>;
}

/// A library that names broker queues for the long delays (chapter 5).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what rungs it declares: implement `samewait::laws::HasLadder`"
)]
pub trait HasLadder: Subject {
    /// The rungs, in their order (L-7).
    ///
    /// # Errors
    ///
    /// As [`Subject::build`], and [`Refused::RungTooLong`] (L-4); the laws ask for arguments out of range, too (L-12).
    fn rungs(&self, policy: &Self::Policy, of: LadderOf<'_>) -> Result<Vec<Rung>, Refused>;

    /// The name of the rung in which a delay of so many seconds waits, if it does (L-10, L-11).
    ///
    /// # Errors
    ///
    /// As [`HasLadder::rungs`].
    fn rung_for(&self, policy: &Self::Policy, of: LadderOf<'_>, delay: f64) -> Result<Option<String>, Refused>;
}

/// A library with a queue that can be run in virtual time (chapter 6).
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say how a scenario is run: implement `samewait::laws::HasQueue`"
)]
pub trait HasQueue: Subject {
    /// What happens in a scenario. `policy` was built of the scenario's own.
    ///
    /// # Errors
    ///
    /// As [`Subject::build`].
    fn trace(&self, policy: &Self::Policy, scenario: &QueueQuestion) -> Result<Vec<TraceEvent>, Refused>;
}

/// What a ladder is made for, besides the policy (L-8).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LadderOf<'a> {
    /// The source queue.
    pub queue: &'a str,
    /// The dead-letter exchange.
    pub exchange: &'a str,
    /// The delay in seconds from which waits go to the broker; 0 for none.
    pub threshold: f64,
}
