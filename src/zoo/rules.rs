//! The decisions of an implementation, one function each, and the answers they come to.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::queue::{self, Habits};
use super::samplers::{Draws, Setting, Start};
use super::specified::lenient;
use crate::answer::{RungValue, Value};
use crate::next_delay::NextDelay;
use crate::policy::PolicyFields;
use crate::question::{Make, PolicyQuestion, Question, Real, Then};
use crate::rejection::Rejection;

/// Why a question has no value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stop {
    /// The input is refused.
    Rejected(Rejection),
    /// The implementation fails: it panics, throws, or never ends.
    Crashed(&'static str),
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

pub(super) type Outcome<T> = Result<T, Stop>;

/// What an implementation decides. Policies are six numbers here, since a defect may let any number through.
///
/// A function that stands for a whole answer is given the rules themselves, so that it follows a defect in another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Reads six fields, or refuses them (P-1 to P-11).
    pub(super) check: fn(PolicyFields) -> Outcome<PolicyFields>,
    /// The fields that a factory hands to `check` (P-12 to P-14).
    pub(super) make: fn(&Make) -> PolicyFields,
    /// The fields that a copy hands to `check` (P-15).
    pub(super) copy: fn(PolicyFields, &Then) -> PolicyFields,
    /// A policy as it is made, and the copies of it in their order, each checked (P-16).
    pub(super) made: fn(&Rules, &PolicyQuestion) -> Outcome<PolicyFields>,
    /// Reads an attempt, or refuses it (B-1, B-2).
    pub(super) attempt: fn(i64) -> Outcome<u32>,
    /// The delay after an attempt (B-3 to B-8).
    pub(super) backoff: fn(&PolicyFields, u32) -> Outcome<f64>,
    /// All delays (B-9 to B-11).
    pub(super) schedule: fn(&Rules, &PolicyFields) -> Outcome<Vec<f64>>,
    /// The delay or the reason to give up, after the attempt was read (N-1 to N-8).
    pub(super) next_delay: fn(&Rules, &PolicyFields, u32, Option<f64>) -> Outcome<NextDelay>,
    /// A delay moved by a draw (J-1 to J-7).
    pub(super) jitter: fn(&PolicyFields, f64, f64) -> Outcome<f64>,
    /// How draws of its own become jittered delays (J-9, J-10).
    pub(super) sampler: Start,
    /// The TTL in milliseconds with which a delay waits in the broker, if it does (L-1 to L-3).
    pub(super) ttl_ms: fn(delay: f64, threshold: f64) -> Option<i64>,
    /// The rung's label, given its TTL and its place among the rungs, from 0 (L-5, L-6).
    pub(super) label: fn(ttl_ms: i64, place: usize) -> String,
    /// The arguments that a rung is declared with (L-8).
    pub(super) arguments: fn(ttl_ms: i64, &LadderOf<'_>) -> BTreeMap<String, Json>,
    /// The rungs (L-4, L-7 to L-9).
    pub(super) rungs: fn(&Rules, &PolicyFields, &LadderOf<'_>) -> Outcome<Vec<RungValue>>,
    /// The rung for a delay (L-10, L-11).
    pub(super) rung_for: fn(&Rules, &PolicyFields, &LadderOf<'_>, f64) -> Outcome<Option<String>>,
    /// What a queue does (chapter 6).
    pub(super) habits: Habits,
    /// A delay in units of so many decimal places of a second (W-16).
    pub(super) count: fn(seconds: f64, places: usize) -> i64,
}

/// What a ladder is made for, besides the policy.
#[derive(Debug, Clone, Copy)]
pub(super) struct LadderOf<'a> {
    pub(super) queue: &'a str,
    pub(super) exchange: &'a str,
    pub(super) threshold: f64,
}

impl Rules {
    /// The value of the answer to a question, or why there is none.
    pub(super) fn value(&self, question: &Question, draw: Draws<'_>) -> Outcome<Value> {
        Ok(match question {
            Question::Policy(question) => Value::Policy((self.made)(self, question)?),
            Question::Schedule(question) => {
                let policy = (self.check)(question.policy.into())?;
                Value::Delays((self.schedule)(self, &policy)?)
            }
            Question::Backoff(question) => {
                let policy = (self.check)(question.policy.into())?;
                Value::Delay((self.backoff)(&policy, (self.attempt)(question.attempt)?)?)
            }
            Question::NextDelay(question) => {
                let policy = (self.check)(question.policy.into())?;
                let attempt = (self.attempt)(question.attempt)?;
                let age = question.message_age.map(|age| age.0);
                match (self.next_delay)(self, &policy, attempt, age)? {
                    NextDelay::Retry(delay) => Value::Delay(delay),
                    NextDelay::GiveUp(reason) => Value::GiveUp(reason.name().to_owned()),
                }
            }
            Question::Jitter(question) => {
                let policy = (self.check)(question.policy.into())?;
                Value::Delay((self.jitter)(&policy, question.delay.0, question.draw.0)?)
            }
            Question::JitterSamples(question) => {
                let policy = (self.check)(question.policy.into())?;
                Value::Delays(self.samples(&policy, question.delay.0, question.count, draw)?)
            }
            Question::Ladder(question) => {
                let policy = (self.check)(question.policy.into())?;
                let of = LadderOf::new(&question.queue, &question.exchange, question.threshold);
                Value::Rungs((self.rungs)(self, &policy, &of)?)
            }
            Question::RungFor(question) => {
                let policy = (self.check)(question.policy.into())?;
                let of = LadderOf::new(&question.queue, &question.exchange, question.threshold);
                Value::Rung((self.rung_for)(self, &policy, &of, question.delay.0)?)
            }
            Question::Queue(question) => Value::Trace(queue::run(self, question)?),
        })
    }

    fn samples(&self, fields: &PolicyFields, delay: f64, count: i64, draw: Draws<'_>) -> Outcome<Vec<f64>> {
        let policy = lenient(fields);
        // The reference judges the arguments, and says how many samples there are.
        let unmoved = policy.jitter_samples(delay, count, || 0.5)?;
        if policy.jitter_factor() == 0.0 || delay == 0.0 {
            return Ok(unmoved);
        }
        let mut samples = (self.sampler)(Setting { policy, delay });
        Ok(unmoved.iter().map(|_| samples(draw)).collect())
    }
}

impl<'a> LadderOf<'a> {
    fn new(queue: &'a str, exchange: &'a str, threshold: Real) -> Self {
        Self {
            queue,
            exchange,
            threshold: threshold.0,
        }
    }
}
