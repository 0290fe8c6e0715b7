//! Zeros that are kept, and taken for something else where they are used.

use super::age;
use super::delays::delayed;
use super::one_rule::{answering, waiting};
use super::zero::or;
use crate::ladder::{DEFAULT_THRESHOLD, broker_ttl_ms};
use crate::next_delay::{GiveUp, NextDelay};
use crate::policy::PolicyFields;
use crate::zoo::Bug;
use crate::zoo::rules::Rules;
use crate::zoo::specified::{self, next_delay};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "zero-cap-caps-to-zero",
        "Every delay is the smaller of itself and a cap of 0.",
        "https://github.com/hazelcast/hazelcast-csharp-client/pull/633",
        &["P-4", "B-3"],
        |fields, attempt| Ok(specified::doubled(fields, attempt).min(fields.max_delay)),
    ),
    delayed(
        "zero-delay-is-a-millisecond",
        "No delay is shorter than a millisecond, not even one of 0.",
        "https://github.com/judwhite/NsqSharp/pull/74",
        &["P-6", "B-7"],
        |fields, attempt| Ok(specified::doubled(fields, attempt).max(0.001)),
    ),
    delayed(
        "zero-delay-is-a-poll",
        "A delay of 0 lasts until the next poll, 15 seconds later.",
        "https://github.com/sidekiq/sidekiq/issues/1464",
        &["P-6"],
        |fields, attempt| Ok(or(specified::doubled(fields, attempt), 15.0)),
    ),
    answering(
        "zero-delay-is-the-end",
        "A delay of 0 is the value that means stop.",
        "https://github.com/concourse/concourse/pull/3474",
        &["P-6", "N-4"],
        |rules, fields, attempt, message_age| {
            let next = next_delay(rules, fields, attempt, message_age)?;
            let is_stop = next == NextDelay::Retry(0.0);
            Ok(if is_stop {
                NextDelay::GiveUp(GiveUp::MaxAttempts)
            } else {
                next
            })
        },
    ),
    answering(
        "zero-age-limit-reached-at-once",
        "An age limit of 0 is reached by every message.",
        "https://github.com/cenkalti/backoff/issues/156",
        &["P-5"],
        |rules, fields, attempt, message_age| {
            let is_old = message_age.is_some_and(|age| age.max(0.0) >= fields.max_message_age);
            age::judged(rules, fields, attempt, message_age, is_old)
        },
    ),
    answering(
        "zero-retries-for-ever",
        "No retry is taken for no limit of retries.",
        "https://github.com/cenkalti/backoff/issues/80",
        &["P-2", "N-2"],
        |rules, fields, attempt, message_age| {
            let max_attempts = if fields.max_attempts == 1 {
                i64::MAX
            } else {
                fields.max_attempts
            };
            next_delay(
                rules,
                &PolicyFields {
                    max_attempts,
                    ..*fields
                },
                attempt,
                message_age,
            )
        },
    ),
    waiting(
        "zero-threshold-is-half-a-minute",
        "A threshold of 0 is falsy, and the default of 30 seconds wins.",
        "https://github.com/jonbern/fetch-retry/pull/19",
        &["L-1"],
        |delay, threshold| (SPECIFIED.ttl_ms)(delay, or(threshold, DEFAULT_THRESHOLD)),
    ),
    waiting(
        "zero-threshold-sends-everything",
        "Every delay is as long as a threshold of 0, and waits in the broker.",
        "https://github.com/atomist/automation-client/pull/634",
        &["L-1"],
        |delay, threshold| broker_ttl_ms(delay, or(threshold, delay)).and_then(|ttl_ms| i64::try_from(ttl_ms).ok()),
    ),
];
