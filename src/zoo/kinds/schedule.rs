//! Schedules that are too long, too short, or not what the delays are.

use super::delays::{capped, delayed};
use crate::next_delay::{GiveUp, NextDelay};
use crate::policy::PolicyFields;
use crate::wire::Resolution;
use crate::zoo::rules::{Outcome, Rules, Stop};
use crate::zoo::specified::{attempts, ceiling, doubled, each_backoff};
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    listed(
        "schedule-waits-after-the-last-attempt",
        "There is a wait after the last attempt, too.",
        "https://github.com/apache/pinot/pull/9158",
        &["B-9"],
        |rules, fields| {
            (1..=attempts(fields))
                .map(|attempt| (rules.backoff)(fields, attempt))
                .collect()
        },
    ),
    listed(
        "schedule-one-wait-short",
        "There is one wait less than there are retries.",
        "https://github.com/dudleycarr/nsqjs/pull/204",
        &["B-9"],
        |rules, fields| {
            let mut delays = each_backoff(rules, fields)?;
            delays.pop();
            Ok(delays)
        },
    ),
    listed(
        "schedule-counter-advanced-twice",
        "The loop raises its counter twice, and makes half of the retries.",
        "https://github.com/near/near-api-js/pull/558",
        &["B-9"],
        |rules, fields| {
            let retries = (1..attempts(fields)).step_by(2);
            let half = retries.zip(1..).map(|(_, attempt)| (rules.backoff)(fields, attempt));
            half.collect()
        },
    ),
    listed(
        "schedule-ends-at-the-cap",
        "Reaching the cap sets the remaining steps to zero, and the cap itself is never waited for.",
        "https://github.com/kubernetes/kubernetes/issues/131122",
        &["B-6", "B-9"],
        |rules, fields| {
            let mut delays = each_backoff(rules, fields)?;
            delays.retain(|&delay| delay < ceiling(fields));
            Ok(delays)
        },
    ),
    listed(
        "schedule-lists-equal-waits-once",
        "Waits that are equal to the one before are left out.",
        "https://github.com/spring-projects/spring-kafka/issues/2496",
        &["B-6", "B-9"],
        |rules, fields| {
            let mut delays = each_backoff(rules, fields)?;
            delays.dedup();
            Ok(delays)
        },
    ),
    listed(
        "schedule-ends-after-32",
        "There are 32 retries at most.",
        "https://github.com/jhuckaby/Cronicle/issues/191",
        &["B-9"],
        |rules, fields| {
            let mut delays = each_backoff(rules, fields)?;
            delays.truncate(32);
            Ok(delays)
        },
    ),
    listed(
        "schedule-has-a-formula-of-its-own",
        "The schedule is made with a power, and each delay with products.",
        "https://github.com/Offline-Protocol/offline-protocol-sdk/pull/129",
        &["B-5", "B-10"],
        |_, fields| {
            let delay = |attempt: u32| fields.initial_delay * fields.multiplier.powf(f64::from(attempt - 1));
            let delay_or_zero = |attempt| {
                if fields.initial_delay > 0.0 {
                    delay(attempt)
                } else {
                    0.0
                }
            };
            Ok((1..attempts(fields))
                .map(|attempt| capped(fields, delay_or_zero(attempt)))
                .collect())
        },
    ),
    listed(
        "schedule-jumps-to-the-cap-at-its-end",
        "The last wait is the cap, wherever the others have got to.",
        "https://github.com/livepeer/studio/pull/1908",
        &["B-9", "B-10"],
        |rules, fields| {
            let mut delays = each_backoff(rules, fields)?;
            if let Some(last) = delays.last_mut().filter(|_| fields.max_delay > 0.0) {
                *last = fields.max_delay;
            }
            Ok(delays)
        },
    ),
    Bug {
        name: "schedule-counts-retries",
        about: "The maximum counts re-runs, so that there is one attempt more.",
        source: "https://github.com/takezoe/scala-retry/issues/1",
        clauses: &["P-2", "B-9", "N-2"],
        resolution: Resolution::Exact,
        rules: Rules {
            schedule: |rules, fields| each_backoff(rules, &one_more(fields)),
            next_delay: |rules, fields, attempt, age| {
                let found = specified::next_delay(rules, &one_more(fields), attempt, age)?;
                // The largest maximum has no number above it.
                let is_last = i64::from(attempt) > fields.max_attempts;
                Ok(if is_last {
                    NextDelay::GiveUp(GiveUp::MaxAttempts)
                } else {
                    found
                })
            },
            ..Rules::AS_SPECIFIED
        },
    },
    delayed(
        "schedule-table-of-all-waits",
        "A table of all waits is made before one is answered, and the memory runs out.",
        "https://github.com/tim-kos/node-retry/issues/84",
        &["B-8", "B-11"],
        |fields, attempt| {
            if fields.max_attempts > 100_000_000 {
                return Err(Stop::Crashed("JavaScript heap out of memory"));
            }
            Ok(doubled(fields, attempt))
        },
    ),
    delayed(
        "schedule-last-wait-repeated",
        "Past the end of the list of waits the last one is answered again.",
        "https://github.com/minfrin/retry/pull/9",
        &["B-1"],
        |fields, attempt| Ok(doubled(fields, attempt.min(retries(fields)).max(1))),
    ),
    delayed(
        "schedule-no-wait-past-its-end",
        "Past the end of the list of waits there is none, and the access fails.",
        "https://github.com/nats-io/nats-server/pull/2812",
        &["B-1"],
        |fields, attempt| {
            if attempt > retries(fields) {
                return Err(Stop::Crashed("index out of range"));
            }
            Ok(doubled(fields, attempt))
        },
    ),
];

const fn listed(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    schedule: fn(&Rules, &PolicyFields) -> Outcome<Vec<f64>>,
) -> Bug {
    let rules = Rules {
        schedule,
        ..Rules::AS_SPECIFIED
    };
    Bug {
        name,
        about,
        source,
        clauses,
        resolution: Resolution::Exact,
        rules,
    }
}

fn one_more(fields: &PolicyFields) -> PolicyFields {
    PolicyFields {
        max_attempts: fields.max_attempts.saturating_add(1),
        ..*fields
    }
}

fn retries(fields: &PolicyFields) -> u32 {
    u32::try_from(fields.max_attempts - 1).unwrap_or(0)
}
