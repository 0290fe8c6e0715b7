//! Random numbers, policies and questions, with a bias to where implementations break.
//!
//! Boxed where they are built of many parts: side by side on the stack, these are too much for the thread of a test.

use proptest::prelude::*;
use samewait::question::{
    BackoffQuestion, ExponentialArguments, FixedArguments, JitterQuestion, JitterSamplesQuestion, LadderQuestion, Make,
    NextDelayQuestion, NoArguments, OneKey, PolicyQuestion, Question, Real, RungForQuestion, ScheduleQuestion, Then,
};
use samewait::{DEFAULT_THRESHOLD, HORIZON, MAX_ATTEMPTS, PolicyFields};

/// How many multiplications one question may cost, and how many delays a schedule may have.
///
/// A multiplier just above 1 lets the delay change with each of 2^31 attempts, which takes seconds (B-8).
pub(crate) const MANY: u16 = 1200;

/// All doubles between two that are not negative, each binade as likely as the next.
pub(crate) fn between(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.to_bits()..=high.to_bits()).prop_map(f64::from_bits)
}

/// A duration that a policy may hold.
pub(crate) fn duration() -> BoxedStrategy<f64> {
    prop_oneof![
        3 => (0_u32..=100_000).prop_map(|milliseconds| f64::from(milliseconds) / 1000.0),
        // Where a TTL is rounded.
        2 => (0_u32..=100_000).prop_map(|milliseconds| (f64::from(milliseconds) + 0.5) / 1000.0),
        2 => (0_u32..=1_000_000).prop_map(f64::from),
        2 => prop::sample::select(vec![
            0.0,
            f64::from_bits(1),
            f64::MIN_POSITIVE.next_down(),
            f64::MIN_POSITIVE,
            1.0_f64.next_down(),
            1.0,
            1.0_f64.next_up(),
            30.0_f64.next_down(),
            30.0,
            315_360_000.0,
            315_360_000.000_5,
            315_360_000.001,
            HORIZON.next_down(),
            HORIZON,
        ]),
        1 => between(0.0, f64::MIN_POSITIVE),
        2 => between(0.0, HORIZON),
        1 => 0.0..=HORIZON,
    ]
    .boxed()
}

fn multiplier() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => Just(2.0),
        3 => (0_u32..=900).prop_map(|hundredths| f64::from(100 + hundredths) / 100.0),
        2 => prop::sample::select(vec![
            1.0,
            1.0_f64.next_up(),
            1.000_000_1,
            1.5_f64.next_down(),
            1.5,
            2.0_f64.next_down(),
            2.0_f64.next_up(),
            1.0e154,
            f64::MAX,
        ]),
        1 => 1.0..2.0,
        1 => between(1.0, f64::MAX),
    ]
}

/// A number from 0 to 1, both included.
fn factor() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => (0_u32..=100).prop_map(|hundredths| f64::from(hundredths) / 100.0),
        1 => prop::sample::select(vec![0.0, f64::from_bits(1), f64::EPSILON / 2.0, 1.0_f64.next_down(), 1.0]),
        1 => 0.0..=1.0,
    ]
}

/// A draw from [0, 1).
pub(crate) fn draw() -> impl Strategy<Value = f64> {
    let at_most = 1.0_f64.next_down();
    factor().prop_map(move |draw| draw.min(at_most))
}

/// An attempt or a number of attempts.
pub(crate) fn attempts() -> impl Strategy<Value = i64> {
    prop_oneof![
        2 => prop::sample::select(vec![1, 2, i64::from(MAX_ATTEMPTS) - 1, i64::from(MAX_ATTEMPTS)]),
        4 => 1_i64..=70,
        1 => 1..=i64::from(MAX_ATTEMPTS),
    ]
}

/// The six numbers of a legal policy.
pub(crate) fn legal_policy() -> BoxedStrategy<PolicyFields> {
    let age_limit = prop_oneof![Just(0.0), duration()];
    (attempts(), initial_and_max(), multiplier(), factor(), age_limit)
        .prop_map(
            |(max_attempts, (initial_delay, max_delay), multiplier, jitter_factor, max_message_age)| PolicyFields {
                max_attempts,
                initial_delay,
                multiplier,
                max_delay,
                jitter_factor,
                max_message_age,
            },
        )
        .boxed()
}

/// An initial delay and a cap, mostly so that the delays have somewhere to grow to.
fn initial_and_max() -> impl Strategy<Value = (f64, f64)> {
    prop_oneof![
        2 => (duration(), Just(0.0)),
        2 => (duration(), duration()).prop_map(|(one, other)| (one.min(other), one.max(other))),
        1 => (duration(), duration()),
    ]
}

/// A question of any kind, most of them legal.
pub(crate) fn question() -> BoxedStrategy<Question> {
    prop_oneof![
        policy_question().prop_map(Question::Policy),
        policy().prop_map(|fields| {
            // W-18: no schedule of more than 10000 attempts is asked for.
            let max_attempts = fields.max_attempts.min(i64::from(MANY));
            let policy = PolicyFields { max_attempts, ..fields }.into();
            Question::Schedule(ScheduleQuestion { policy })
        }),
        (policy(), attempt()).prop_map(|(fields, attempt)| {
            let attempt = affordable(&fields, attempt);
            let policy = fields.into();
            Question::Backoff(BackoffQuestion { policy, attempt })
        }),
        next_delay_question().prop_map(Question::NextDelay),
        (policy(), real(duration()), real(draw())).prop_map(|(fields, delay, draw)| {
            let policy = fields.into();
            Question::Jitter(JitterQuestion { policy, delay, draw })
        }),
        (policy(), real(duration()), count()).prop_map(|(fields, delay, count)| {
            let policy = fields.into();
            Question::JitterSamples(JitterSamplesQuestion { policy, delay, count })
        }),
        ladder_question().prop_map(Question::Ladder),
        rung_for_question().prop_map(Question::RungFor),
    ]
    .boxed()
}

/// The attempt, or an early one where its delay would take more than [`MANY`] multiplications.
pub(crate) fn affordable(policy: &PolicyFields, attempt: i64) -> i64 {
    let ceiling = if policy.max_delay > 0.0 {
        policy.max_delay
    } else {
        HORIZON
    };
    let mut delay = policy.initial_delay;
    for _ in 0..MANY {
        let next = delay * policy.multiplier;
        let changes = delay < ceiling && next > delay;
        if !changes {
            return attempt;
        }
        delay = next;
    }
    attempt.min(i64::from(MANY))
}

fn next_delay_question() -> BoxedStrategy<NextDelayQuestion> {
    let age = prop::option::of(prop_oneof![8 => real(duration()), 1 => Just(Real(f64::NAN))]);
    (policy(), attempt(), age, prop::bool::weighted(0.2))
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
    let threshold = prop_oneof![
        2 => Just(0.001),
        2 => Just(DEFAULT_THRESHOLD),
        1 => duration(),
    ];
    (policy(), queue, "[a-z]{0,3}", real(threshold))
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
        policy().prop_map(|fields| Make::Fields(fields.into())),
        Just(Make::None(NoArguments {})),
        (attempt(), real(duration()))
            .prop_map(|(max_attempts, delay)| { Make::Fixed(FixedArguments { max_attempts, delay }) }),
        (attempt(), real(duration()), real(duration())).prop_map(|(max_attempts, initial_delay, max_delay)| {
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

/// A policy in which a field or two may be illegal.
fn policy() -> BoxedStrategy<PolicyFields> {
    let odd_fields = prop_oneof![
        8 => Just(vec![]),
        2 => prop::collection::vec((0..6, odd_integer(), odd_real()), 1..=2),
    ];
    (legal_policy(), odd_fields)
        .prop_map(|(mut fields, odd_fields)| {
            for (field, integer, real) in odd_fields {
                match field {
                    0 => fields.max_attempts = integer,
                    1 => fields.initial_delay = real,
                    2 => fields.multiplier = real,
                    3 => fields.max_delay = real,
                    4 => fields.jitter_factor = real,
                    _ => fields.max_message_age = real,
                }
            }
            fields
        })
        .boxed()
}

/// A number of samples, most of them few.
fn count() -> impl Strategy<Value = i64> {
    prop_oneof![9 => 1_i64..=20, 1 => prop::sample::select(vec![0, -1, 1_000_001, (1 << 32) + 1, i64::MIN, i64::MAX])]
}

fn attempt() -> impl Strategy<Value = i64> {
    prop_oneof![9 => attempts(), 1 => odd_integer()]
}

fn real(usual: impl Strategy<Value = f64> + 'static) -> BoxedStrategy<Real> {
    prop_oneof![9 => usual, 1 => odd_real()].prop_map(Real).boxed()
}

/// An integer on the far side of some limit.
fn odd_integer() -> impl Strategy<Value = i64> {
    let past_the_last = i64::from(MAX_ATTEMPTS) + 1;
    prop::sample::select(vec![0, -1, past_the_last, (1 << 32) + 1, i64::MIN, i64::MAX])
}

/// A number that some argument does not allow.
fn odd_real() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        -f64::from_bits(1),
        -1.0,
        1.0_f64.next_down(),
        1.0,
        1.0_f64.next_up(),
        HORIZON.next_up(),
        f64::MAX,
    ])
}
