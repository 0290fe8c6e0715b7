//! The reference as a port: it answers questions with the library of this crate, and sees no expectation.
//!
//! It has no source of random numbers: the draws of `jitter_samples` come in as an argument, as from [`draws`](crate::draws).

use crate::answer::{Answer, Between, Refusal, RungValue, Value};
use crate::backoff::Attempt;
use crate::ladder::Ladder;
use crate::next_delay::NextDelay;
use crate::policy::Policy;
use crate::question::{
    JitterSamplesQuestion, Make, PolicyArgument, PolicyQuestion, Question, QueueQuestion, Real, Then,
};
use crate::queue::QueueConfig;
use crate::rejection::Rejection;
use crate::scenario::{self, Run};

/// Answers a question; where it asks for the library's own draws (J-9), they are taken from `draw`.
#[must_use]
pub fn answer(question: &Question, draw: impl FnMut() -> f64) -> Answer {
    match value(question, draw) {
        Ok(value) => Answer::Value(value),
        Err(rejection) => Answer::Rejected(Refusal::from(&rejection)),
    }
}

/// The value of the answer. The policy is built before other arguments are looked at (P-11).
///
/// # Errors
///
/// The rejection that the specification asks for.
pub fn value(question: &Question, draw: impl FnMut() -> f64) -> Result<Value, Rejection> {
    Ok(match question {
        Question::Policy(question) => Value::Policy(make(question)?.fields()),
        Question::Schedule(question) => Value::Delays(policy(&question.policy)?.schedule().collect()),
        Question::Backoff(question) => {
            let policy = policy(&question.policy)?;
            Value::Delay(policy.backoff(Attempt::new(question.attempt)?))
        }
        Question::NextDelay(question) => {
            let policy = policy(&question.policy)?;
            let attempt = Attempt::new(question.attempt)?;
            match policy.next_delay(attempt, question.message_age.map(|age| age.0))? {
                NextDelay::Retry(delay) => Value::Delay(delay),
                NextDelay::GiveUp(reason) => Value::GiveUp(reason.name().to_owned()),
            }
        }
        Question::Jitter(question) => {
            let policy = policy(&question.policy)?;
            Value::Delay(policy.jittered(question.delay.0, question.draw.0)?)
        }
        Question::JitterSamples(question) => {
            let policy = policy(&question.policy)?;
            Value::Delays(policy.jitter_samples(question.delay.0, question.count, draw)?)
        }
        Question::Ladder(question) => {
            let ladder = ladder(
                &question.policy,
                &question.queue,
                &question.exchange,
                question.threshold,
            )?;
            Value::Rungs(ladder.rungs().iter().map(RungValue::from).collect())
        }
        Question::RungFor(question) => {
            let ladder = ladder(
                &question.policy,
                &question.queue,
                &question.exchange,
                question.threshold,
            )?;
            Value::Rung(ladder.rung_for(question.delay.0)?.map(|rung| rung.name.clone()))
        }
        Question::Queue(question) => Value::Trace(run(question)?.trace),
    })
}

/// Runs a scenario, and tells more of it than its trace.
///
/// # Errors
///
/// The rejection of its policy or its limits.
pub fn run(question: &QueueQuestion) -> Result<Run, Rejection> {
    let policy = policy(&question.policy)?;
    let config = QueueConfig::new(policy, question.message_ttl.0, question.ack_timeout.0)?;
    Ok(scenario::run(config, &question.steps))
}

/// What the samples of a question lie between, whatever is drawn (J-4).
///
/// # Errors
///
/// The rejection of the question.
pub fn between(question: &JitterSamplesQuestion) -> Result<Between, Rejection> {
    let policy = policy(&question.policy)?;
    let samples = policy.jitter_samples(question.delay.0, question.count, || 0.5)?;
    let (low, high) = policy.jitter_range(question.delay.0);
    let count = samples.len();
    Ok(Between { count, low, high })
}

fn policy(argument: &PolicyArgument) -> Result<Policy, Rejection> {
    Policy::new((*argument).into())
}

fn make(question: &PolicyQuestion) -> Result<Policy, Rejection> {
    let made = match &question.make.0 {
        Make::Fields(fields) => policy(fields)?,
        Make::None(_) => Policy::none(),
        Make::Fixed(fixed) => Policy::fixed(fixed.max_attempts, fixed.delay.0)?,
        Make::Exponential(of) => Policy::exponential(of.max_attempts, of.initial_delay.0, of.max_delay.0)?,
    };
    question.then.iter().try_fold(made, |policy, step| match step.0 {
        Then::GiveUpAfter(age) => policy.give_up_after(age.0),
        Then::WithJitter(factor) => policy.with_jitter(factor.0),
    })
}

fn ladder(policy_argument: &PolicyArgument, queue: &str, exchange: &str, threshold: Real) -> Result<Ladder, Rejection> {
    Ladder::new(&policy(policy_argument)?, queue, exchange, threshold.0)
}
