//! The reference as a subject.

use super::reply::{Decision, Delay, Refused};
use super::subject::{
    HasBackoff, HasCopies, HasFields, HasJitter, HasLadder, HasNextDelay, HasQueue, HasSchedule, LadderOf, Subject,
};
use crate::backoff::Attempt;
use crate::ladder::{Ladder, Rung};
use crate::next_delay::NextDelay;
use crate::policy::{Policy, PolicyFields};
use crate::question::QueueQuestion;
use crate::reference;
use crate::scenario::TraceEvent;
use crate::wire::Resolution;

/// The [`Policy`] of this crate. It obeys every law; a test can put its own subject on top of it.
///
/// ```
/// use samewait::laws::{self, Reference};
///
/// laws::backoff::check(&Reference)?;
/// # Ok::<(), laws::Failure>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Reference;

impl Subject for Reference {
    type Policy = Policy;

    fn resolution(&self) -> Resolution {
        Resolution::Exact
    }

    fn build(&self, fields: &PolicyFields) -> Result<Policy, Refused> {
        Ok(Policy::new(*fields)?)
    }
}

impl HasFields for Reference {
    fn fields(&self, policy: &Policy) -> PolicyFields {
        policy.fields()
    }
}

impl HasCopies for Reference {
    fn give_up_after(&self, policy: &Policy, age: f64) -> Result<Policy, Refused> {
        Ok(policy.give_up_after(age)?)
    }

    fn with_jitter(&self, policy: &Policy, factor: f64) -> Result<Policy, Refused> {
        Ok(policy.with_jitter(factor)?)
    }
}

impl HasBackoff for Reference {
    fn backoff(&self, policy: &Policy, attempt: u32) -> Result<Delay, Refused> {
        Ok(policy.backoff(Attempt::new(attempt.into())?).into())
    }
}

impl HasSchedule for Reference {
    fn schedule(&self, policy: &Policy) -> Result<Vec<Delay>, Refused> {
        Ok(policy.schedule().map(Delay::Seconds).collect())
    }
}

impl HasNextDelay for Reference {
    fn next_delay(&self, policy: &Policy, attempt: u32, message_age: Option<f64>) -> Result<Decision, Refused> {
        Ok(match policy.next_delay(Attempt::new(attempt.into())?, message_age)? {
            NextDelay::Retry(delay) => Decision::Retry(delay.into()),
            NextDelay::GiveUp(reason) => Decision::GiveUp(Some(reason)),
        })
    }
}

impl HasJitter for Reference {
    fn jittered(&self, policy: &Policy, delay: f64, draw: f64) -> Result<Delay, Refused> {
        Ok(policy.jittered(delay, draw)?.into())
    }
}

impl HasLadder for Reference {
    fn rungs(&self, policy: &Policy, of: LadderOf<'_>) -> Result<Vec<Rung>, Refused> {
        let ladder = Ladder::new(policy, of.queue, of.exchange, of.threshold)?;
        Ok(ladder.rungs().to_vec())
    }

    fn rung_for(&self, policy: &Policy, of: LadderOf<'_>, delay: f64) -> Result<Option<String>, Refused> {
        let ladder = Ladder::new(policy, of.queue, of.exchange, of.threshold)?;
        Ok(ladder.rung_for(delay)?.map(|rung| rung.name.clone()))
    }
}

impl HasQueue for Reference {
    fn trace(&self, _: &Policy, scenario: &QueueQuestion) -> Result<Vec<TraceEvent>, Refused> {
        Ok(reference::run(scenario)?.trace)
    }
}
