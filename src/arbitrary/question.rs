//! Questions of every kind but the queue's.

use proptest::prelude::*;

use super::number::{any_real, draw, duration, factor, threshold};
use super::policy::{MANY, affordable, any_attempt, any_policy};
use crate::policy::PolicyFields;
use crate::question::{
    BackoffQuestion, ExponentialArguments, FixedArguments, JitterQuestion, JitterSamplesQuestion, LadderQuestion, Make,
    NextDelayQuestion, NoArguments, OneKey, PolicyQuestion, Question, Real, RungForQuestion, ScheduleQuestion, Then,
};

/// A question of any kind but the queue's, most of them legal, none of more than [`MANY`] multiplications.
pub fn question() -> BoxedStrategy<Question> {
    prop_oneof![
        policy_question().prop_map(Question::Policy),
        any_policy().prop_map(|fields| {
            // W-18: no schedule of more than 10000 attempts is asked for.
            let max_attempts = fields.max_attempts.min(i64::from(MANY));
            let policy = PolicyFields { max_attempts, ..fields }.into();
            Question::Schedule(ScheduleQuestion { policy })
        }),
        (any_policy(), any_attempt()).prop_map(|(fields, attempt)| {
            let attempt = affordable(&fields, attempt);
            let policy = fields.into();
            Question::Backoff(BackoffQuestion { policy, attempt })
        }),
        next_delay_question().prop_map(Question::NextDelay),
        (any_policy(), real(duration()), real(draw())).prop_map(|(fields, delay, draw)| {
            let policy = fields.into();
            Question::Jitter(JitterQuestion { policy, delay, draw })
        }),
        (any_policy(), real(duration()), count()).prop_map(|(fields, delay, count)| {
            let policy = fields.into();
            Question::JitterSamples(JitterSamplesQuestion { policy, delay, count })
        }),
        ladder_question().prop_map(Question::Ladder),
        rung_for_question().prop_map(Question::RungFor),
    ]
    .boxed()
}

/// A number of samples, most of them few.
fn count() -> impl Strategy<Value = i64> {
    prop_oneof![9 => 1_i64..=20, 1 => prop::sample::select(vec![0, -1, 1_000_001, (1 << 32) + 1, i64::MIN, i64::MAX])]
}

fn next_delay_question() -> BoxedStrategy<NextDelayQuestion> {
    let age = prop::option::of(prop_oneof![8 => real(duration()), 1 => Just(Real(f64::NAN))]);
    (any_policy(), any_attempt(), age, prop::bool::weighted(0.2))
        .prop_map(|(fields, attempt, age, is_at_limit)| NextDelayQuestion {
            policy: fields.into(),
            attempt: affordable(&fields, attempt),
            message_age: age.map(|age| if is_at_limit { Real(fields.max_message_age) } else { age }),
        })
        .boxed()
}

fn rung_for_question() -> BoxedStrategy<RungForQuestion> {
    (ladder_question(), real(duration()), prop::bool::weighted(0.3))
        .prop_map(|(of, delay, is_first)| RungForQuestion {
            policy: of.policy,
            queue: of.queue,
            exchange: of.exchange,
            threshold: of.threshold,
            delay: if is_first { of.policy.initial_delay } else { delay },
        })
        .boxed()
}

fn ladder_question() -> BoxedStrategy<LadderQuestion> {
    let queue = prop_oneof![9 => "[a-z.\"é]{1,9}", 1 => Just(String::new())];
    (any_policy(), queue, "[a-z]{0,3}", real(threshold()))
        .prop_map(|(fields, queue, exchange, threshold)| {
            let max_attempts = affordable(&fields, fields.max_attempts);
            LadderQuestion {
                policy: PolicyFields { max_attempts, ..fields }.into(),
                queue,
                exchange,
                threshold,
            }
        })
        .boxed()
}

fn policy_question() -> BoxedStrategy<PolicyQuestion> {
    let make = prop_oneof![
        any_policy().prop_map(|fields| Make::Fields(fields.into())),
        Just(Make::None(NoArguments {})),
        (any_attempt(), real(duration()))
            .prop_map(|(max_attempts, delay)| { Make::Fixed(FixedArguments { max_attempts, delay }) }),
        (any_attempt(), real(duration()), real(duration())).prop_map(|(max_attempts, initial_delay, max_delay)| {
            Make::Exponential(ExponentialArguments {
                max_attempts,
                initial_delay,
                max_delay,
            })
        }),
    ];
    let then = prop_oneof![
        real(duration()).prop_map(Then::GiveUpAfter),
        real(factor()).prop_map(Then::WithJitter),
    ];
    (make, prop::collection::vec(then.prop_map(OneKey), 0..3))
        .prop_map(|(make, then)| PolicyQuestion {
            make: OneKey(make),
            then,
        })
        .boxed()
}

fn real(usual: BoxedStrategy<f64>) -> BoxedStrategy<Real> {
    any_real(usual).prop_map(Real).boxed()
}
