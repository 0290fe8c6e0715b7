//! The decisions as specified: each calls the reference. A defect replaces one of them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::queue::Habits;
use super::rules::{LadderOf, Outcome, Rules, Stop};
use super::samplers::healthy;
use crate::answer::RungValue;
use crate::backoff::Attempt;
use crate::jitter::duration;
use crate::ladder::{self, Ladder, MAX_TTL_MS};
use crate::next_delay::NextDelay;
use crate::policy::{HORIZON, MAX_ATTEMPTS, Policy, PolicyFields};
use crate::question::{Make, OneKey, PolicyQuestion, Then};
use crate::rejection::{Argument, Rejection};

/// How many delays a schedule is made of at most, as in vectors (V-15): a bug need not be as patient as the reference.
const LONGEST_SCHEDULE: u32 = 10_000;

impl Rules {
    /// No defect.
    pub(super) const AS_SPECIFIED: Self = Self {
        check: |fields| Ok(Policy::new(fields)?.fields()),
        make: factory,
        copy: changed,
        made,
        attempt: |number| Ok(Attempt::new(number)?.number()),
        backoff: |fields, attempt| Ok(doubled(fields, attempt)),
        schedule: each_backoff,
        next_delay,
        jitter: |fields, delay, draw| Ok(lenient(fields).jittered(delay, draw)?),
        sampler: healthy,
        ttl_ms: |delay, threshold| {
            ladder::broker_ttl_ms(delay, threshold).and_then(|ttl_ms| i64::try_from(ttl_ms).ok())
        },
        label: |ttl_ms, _| ladder::label(ttl_ms.unsigned_abs()),
        arguments,
        rungs,
        rung_for,
        habits: Habits::AS_SPECIFIED,
        count: nearest_count,
    };
}

/// The policy of six numbers that have been let through; where the reference would refuse them, the nearest that it accepts.
pub(super) fn lenient(fields: &PolicyFields) -> Policy {
    let within = |number: f64, low: f64, high: f64| if number.is_nan() { low } else { number.clamp(low, high) };
    let nearest = PolicyFields {
        max_attempts: fields.max_attempts.clamp(1, i64::from(MAX_ATTEMPTS)),
        initial_delay: within(fields.initial_delay, 0.0, HORIZON),
        multiplier: within(fields.multiplier, 1.0, f64::MAX),
        max_delay: within(fields.max_delay, 0.0, HORIZON),
        jitter_factor: within(fields.jitter_factor, 0.0, 1.0),
        max_message_age: within(fields.max_message_age, 0.0, HORIZON),
    };
    Policy::new(nearest).unwrap_or_else(|_| Policy::none())
}

/// The delay as specified; of a policy that should have been refused, what the same loop makes of its numbers.
pub(super) fn doubled(fields: &PolicyFields, attempt: u32) -> f64 {
    if let (Ok(policy), Ok(attempt)) = (Policy::new(*fields), Attempt::new(i64::from(attempt))) {
        return policy.backoff(attempt);
    }
    let ceiling = ceiling(fields);
    let mut delay = fields.initial_delay;
    for _ in 1..attempt.min(LONGEST_SCHEDULE) {
        if delay >= ceiling {
            break;
        }
        delay *= fields.multiplier;
    }
    delay.min(ceiling)
}

/// The cap where there is one, else the horizon (B-3).
pub(super) fn ceiling(fields: &PolicyFields) -> f64 {
    if fields.max_delay > 0.0 {
        fields.max_delay
    } else {
        HORIZON
    }
}

/// The backoff of each attempt but the last.
pub(super) fn each_backoff(rules: &Rules, fields: &PolicyFields) -> Outcome<Vec<f64>> {
    (1..attempts(fields))
        .map(|attempt| (rules.backoff)(fields, attempt))
        .collect()
}

/// How many attempts are asked about: those of the policy, and no more than a schedule is ever asked for (V-15).
pub(super) fn attempts(fields: &PolicyFields) -> u32 {
    u32::try_from(fields.max_attempts).unwrap_or(0).min(LONGEST_SCHEDULE)
}

fn factory(make: &Make) -> PolicyFields {
    match make {
        Make::Fields(fields) => (*fields).into(),
        Make::None(_) => Policy::none().fields(),
        Make::Fixed(fixed) => PolicyFields {
            max_attempts: fixed.max_attempts,
            initial_delay: fixed.delay.0,
            multiplier: 1.0,
            ..PolicyFields::default()
        },
        Make::Exponential(of) => PolicyFields {
            max_attempts: of.max_attempts,
            initial_delay: of.initial_delay.0,
            max_delay: of.max_delay.0,
            jitter_factor: 0.2,
            ..PolicyFields::default()
        },
    }
}

fn changed(fields: PolicyFields, then: &Then) -> PolicyFields {
    match then {
        Then::GiveUpAfter(age) => PolicyFields {
            max_message_age: age.0,
            ..fields
        },
        Then::WithJitter(factor) => PolicyFields {
            jitter_factor: factor.0,
            ..fields
        },
    }
}

fn made(rules: &Rules, question: &PolicyQuestion) -> Outcome<PolicyFields> {
    let made = (rules.check)((rules.make)(&question.make.0))?;
    let copy = |fields, then: &OneKey<Then>| (rules.check)((rules.copy)(fields, &then.0));
    question.then.iter().try_fold(made, copy)
}

/// The reference decides whether, and the rules how long.
pub(super) fn next_delay(rules: &Rules, fields: &PolicyFields, attempt: u32, age: Option<f64>) -> Outcome<NextDelay> {
    match lenient(fields).next_delay(Attempt::new(i64::from(attempt))?, age)? {
        NextDelay::Retry(_) => Ok(NextDelay::Retry((rules.backoff)(fields, attempt)?)),
        NextDelay::GiveUp(reason) => Ok(NextDelay::GiveUp(reason)),
    }
}

fn arguments(ttl_ms: i64, of: &LadderOf<'_>) -> BTreeMap<String, Json> {
    BTreeMap::from([
        ("x-message-ttl".to_owned(), Json::from(ttl_ms)),
        ("x-dead-letter-exchange".to_owned(), Json::from(of.exchange)),
        ("x-dead-letter-routing-key".to_owned(), Json::from(of.queue)),
    ])
}

/// The TTLs of a schedule, each once.
pub(super) fn ttls(rules: &Rules, fields: &PolicyFields, of: &LadderOf<'_>) -> Outcome<Vec<i64>> {
    // The reference judges the arguments, with a policy that has no rungs.
    Ladder::new(&Policy::none(), of.queue, of.exchange, of.threshold)?;
    let mut ttls = Vec::new();
    for delay in (rules.schedule)(rules, fields)? {
        let Some(ttl_ms) = (rules.ttl_ms)(delay, of.threshold) else {
            continue;
        };
        if ttl_ms.unsigned_abs() > MAX_TTL_MS {
            return Err(too_long(ttl_ms));
        }
        if ttls.last() != Some(&ttl_ms) {
            ttls.push(ttl_ms);
        }
    }
    Ok(ttls)
}

/// What a ladder with such a rung is refused with (L-4).
pub(super) fn too_long(ttl_ms: i64) -> Stop {
    Stop::Rejected(Rejection::RungTooLong {
        ttl_ms: ttl_ms.unsigned_abs(),
        most_ms: MAX_TTL_MS,
    })
}

pub(super) fn rungs(rules: &Rules, fields: &PolicyFields, of: &LadderOf<'_>) -> Outcome<Vec<RungValue>> {
    let ttls = ttls(rules, fields, of)?.into_iter().enumerate();
    Ok(ttls.map(|(place, ttl_ms)| rung(rules, of, place, ttl_ms)).collect())
}

/// The rung of a TTL.
pub(super) fn rung(rules: &Rules, of: &LadderOf<'_>, place: usize, ttl_ms: i64) -> RungValue {
    RungValue {
        name: format!("{}.retry.{}", of.queue, (rules.label)(ttl_ms, place)),
        ttl_ms: Json::from(ttl_ms),
        arguments: (rules.arguments)(ttl_ms, of),
    }
}

pub(super) fn rung_for(rules: &Rules, fields: &PolicyFields, of: &LadderOf<'_>, delay: f64) -> Outcome<Option<String>> {
    let rungs = (rules.rungs)(rules, fields, of)?;
    let delay = duration(Argument::Delay, delay)?;
    let Some(ttl_ms) = (rules.ttl_ms)(delay, of.threshold) else {
        return Ok(None);
    };
    let holds = |rung: &&RungValue| rung.ttl_ms.as_i64().is_some_and(|rung| rung >= ttl_ms);
    let found = rungs.iter().find(holds).or(rungs.last());
    Ok(found.map(|rung| rung.name.clone()))
}

/// Whole seconds and the rest apart, since the product of a long delay would be a good many nanoseconds off.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturates")]
fn nearest_count(seconds: f64, places: usize) -> i64 {
    let units = units_per_second(places);
    let whole = seconds.floor();
    let rest = ((seconds - whole) * units).round() as i64;
    (whole as i64).saturating_mul(units as i64).saturating_add(rest)
}

/// Ten to the number of decimal places.
pub(super) fn units_per_second(places: usize) -> f64 {
    std::iter::repeat_n(10.0, places).product()
}
