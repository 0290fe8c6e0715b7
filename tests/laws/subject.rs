//! A subject put together of functions, so that one of them can be broken.

use std::cell::Cell;
use std::rc::Rc;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};
use samewait::laws::{
    self, Decision, Delay, HasBackoff, HasCopies, HasFields, HasJitter, HasLadder, HasNextDelay, HasQueue, HasSchedule,
    LadderOf, Reference, Refused, Resolution,
};
use samewait::question::QueueQuestion;
use samewait::scenario::TraceEvent;
use samewait::{Attempt, NextDelay, Policy, PolicyFields, Rung, reference};

/// A policy that can be changed by whoever has it, as in some languages.
pub(crate) type Shared = Rc<Cell<PolicyFields>>;

/// Delays are seconds here; `delay` makes of them what the subject counts in.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) file: Option<&'static str>,
    pub(crate) resolution: Resolution,
    pub(crate) delay: fn(f64) -> Delay,
    pub(crate) build: fn(&PolicyFields) -> Result<PolicyFields, Refused>,
    pub(crate) give_up_after: fn(&Shared, f64) -> Result<Shared, Refused>,
    pub(crate) with_jitter: fn(&Shared, f64) -> Result<Shared, Refused>,
    pub(crate) backoff: fn(PolicyFields, u32) -> Result<f64, Refused>,
    pub(crate) schedule: fn(PolicyFields) -> Result<Vec<f64>, Refused>,
    pub(crate) next_delay: fn(PolicyFields, u32, Option<f64>) -> Result<NextDelay, Refused>,
    pub(crate) jittered: fn(PolicyFields, f64, f64) -> Result<f64, Refused>,
    pub(crate) rungs: fn(PolicyFields, LadderOf<'_>) -> Result<Vec<Rung>, Refused>,
    pub(crate) rung_for: fn(PolicyFields, LadderOf<'_>, f64) -> Result<Option<String>, Refused>,
    pub(crate) trace: fn(&QueueQuestion) -> Vec<TraceEvent>,
}

/// The reference, without a defect.
pub(crate) const SOUND: Subject = Subject {
    file: None,
    resolution: Resolution::Exact,
    delay: Delay::Seconds,
    build: |fields| Ok(Policy::new(*fields)?.fields()),
    give_up_after: |policy, age| Ok(shared(sound(policy.get()).give_up_after(age)?.fields())),
    with_jitter: |policy, factor| Ok(shared(sound(policy.get()).with_jitter(factor)?.fields())),
    backoff: |fields, attempt| Ok(sound(fields).backoff(Attempt::new(attempt.into())?)),
    schedule: |fields| Ok(sound(fields).schedule().collect()),
    next_delay: |fields, attempt, age| Ok(sound(fields).next_delay(Attempt::new(attempt.into())?, age)?),
    jittered: |fields, delay, draw| Ok(sound(fields).jittered(delay, draw)?),
    rungs: |fields, of| Reference.rungs(&sound(fields), of),
    rung_for: |fields, of, delay| Reference.rung_for(&sound(fields), of, delay),
    trace: |scenario| reference::run(scenario).expect("legal limits").trace,
};

/// The reference's policy.
pub(crate) fn sound(fields: PolicyFields) -> Policy {
    Policy::new(fields).expect("a legal policy")
}

pub(crate) fn shared(fields: PolicyFields) -> Shared {
    Rc::new(Cell::new(fields))
}

/// How properties of a file are tried.
pub(crate) fn config(file: &'static str) -> Config {
    Config {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        source_file: Some(file),
        ..Config::default()
    }
}

impl laws::Subject for Subject {
    type Policy = Shared;

    fn resolution(&self) -> Resolution {
        self.resolution
    }

    fn build(&self, fields: &PolicyFields) -> Result<Shared, Refused> {
        (self.build)(fields).map(shared)
    }

    fn config(&self) -> Config {
        // What is broken on purpose is no regression, and is found by the same inputs in every run.
        let on_purpose = || Config {
            rng_seed: RngSeed::Fixed(2),
            ..laws::Subject::config(&Reference)
        };
        self.file.map_or_else(on_purpose, config)
    }
}

impl HasFields for Subject {
    fn fields(&self, policy: &Shared) -> PolicyFields {
        policy.get()
    }
}

impl HasCopies for Subject {
    fn give_up_after(&self, policy: &Shared, age: f64) -> Result<Shared, Refused> {
        (self.give_up_after)(policy, age)
    }

    fn with_jitter(&self, policy: &Shared, factor: f64) -> Result<Shared, Refused> {
        (self.with_jitter)(policy, factor)
    }
}

impl HasBackoff for Subject {
    fn backoff(&self, policy: &Shared, attempt: u32) -> Result<Delay, Refused> {
        (self.backoff)(policy.get(), attempt).map(self.delay)
    }
}

impl HasSchedule for Subject {
    fn schedule(&self, policy: &Shared) -> Result<Vec<Delay>, Refused> {
        let delays = (self.schedule)(policy.get())?;
        Ok(delays.into_iter().map(self.delay).collect())
    }
}

impl HasNextDelay for Subject {
    fn next_delay(&self, policy: &Shared, attempt: u32, message_age: Option<f64>) -> Result<Decision, Refused> {
        Ok(match (self.next_delay)(policy.get(), attempt, message_age)? {
            NextDelay::Retry(delay) => Decision::Retry((self.delay)(delay)),
            NextDelay::GiveUp(reason) => Decision::GiveUp(Some(reason)),
        })
    }
}

impl HasJitter for Subject {
    fn jittered(&self, policy: &Shared, delay: f64, draw: f64) -> Result<Delay, Refused> {
        (self.jittered)(policy.get(), delay, draw).map(self.delay)
    }
}

impl HasLadder for Subject {
    fn rungs(&self, policy: &Shared, of: LadderOf<'_>) -> Result<Vec<Rung>, Refused> {
        (self.rungs)(policy.get(), of)
    }

    fn rung_for(&self, policy: &Shared, of: LadderOf<'_>, delay: f64) -> Result<Option<String>, Refused> {
        (self.rung_for)(policy.get(), of, delay)
    }
}

impl HasQueue for Subject {
    fn trace(&self, _: &Shared, scenario: &QueueQuestion) -> Result<Vec<TraceEvent>, Refused> {
        Ok((self.trace)(scenario))
    }
}
