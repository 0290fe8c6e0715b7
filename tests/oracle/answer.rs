//! The oracle's answer to any question about numbers: all but the scenarios of chapter 6.

use samewait::PolicyFields;
use samewait::answer::{Answer, Refusal, Value};
use samewait::question::Question;

use super::ladder::Ladder;
use super::{delays, jitter, next_delay, policy};

/// What every draw of a library's own is, for the oracle and for the reference that is held against it.
pub(crate) const DRAW: f64 = 0.123_456_789;

/// Answers as the specification asks: the policy is judged first (P-11), then what its chapter says.
pub(crate) fn answer(question: &Question) -> Answer {
    match value(question) {
        Ok(value) => Answer::Value(value),
        Err(refusal) => Answer::Rejected(refusal),
    }
}

/// What a vector expects of the answer: of samples, the interval that they lie in.
pub(crate) fn expectation(question: &Question) -> Answer {
    match (question, answer(question)) {
        (Question::JitterSamples(asked), Answer::Value(_)) => {
            let policy = policy::given(&asked.policy).expect("the question is answered, so the policy is legal");
            Answer::Value(Value::Between(jitter::between(&policy, asked)))
        }
        (_, answer) => answer,
    }
}

fn value(question: &Question) -> Result<Value, Refusal> {
    match question {
        Question::Policy(asked) => {
            let made = policy::made(asked)?;
            Ok(Value::Policy(PolicyFields {
                max_attempts: made.max_attempts,
                initial_delay: made.initial_delay,
                multiplier: made.multiplier,
                max_delay: made.max_delay,
                jitter_factor: made.jitter_factor,
                max_message_age: made.max_message_age,
            }))
        }
        Question::Schedule(asked) => {
            let policy = policy::given(&asked.policy)?;
            Ok(Value::Delays(delays::schedule(&policy)))
        }
        Question::Backoff(asked) => {
            let policy = policy::given(&asked.policy)?;
            delays::backoff(&policy, asked.attempt).map(Value::Delay)
        }
        Question::NextDelay(asked) => {
            let policy = policy::given(&asked.policy)?;
            next_delay::next_delay(&policy, asked.attempt, asked.message_age.map(|age| age.0))
        }
        Question::Jitter(asked) => {
            let policy = policy::given(&asked.policy)?;
            jitter::jittered(&policy, asked.delay.0, asked.draw.0).map(Value::Delay)
        }
        Question::JitterSamples(asked) => {
            let policy = policy::given(&asked.policy)?;
            jitter::samples(&policy, asked.delay.0, asked.count, DRAW).map(Value::Delays)
        }
        Question::Ladder(asked) => {
            let policy = policy::given(&asked.policy)?;
            let ladder = Ladder::of(&policy, &asked.queue, &asked.exchange, asked.threshold.0)?;
            Ok(Value::Rungs(ladder.rungs()))
        }
        Question::RungFor(asked) => {
            let policy = policy::given(&asked.policy)?;
            let ladder = Ladder::of(&policy, &asked.queue, &asked.exchange, asked.threshold.0)?;
            ladder.rung_for(asked.delay.0).map(Value::Rung)
        }
        Question::Queue(_) => {
            unreachable!("scenarios have an oracle of their own, tests/queue/model.rs, and are not put to this one")
        }
    }
}
