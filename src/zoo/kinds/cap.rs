//! Caps that come early, late, or not at all.

use super::delays::{NANOS, TWO_TO_63, capped, capped_if_set, delayed, uncapped};
use crate::policy::PolicyFields;
use crate::wire::Resolution;
use crate::zoo::rules::Rules;
use crate::zoo::specified::{attempts, doubled};
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "cap-compared-with-the-wait-before",
        "The wait before is compared with the cap: one wait passes it, and after the cap every second one.",
        "https://github.com/apache/thrift/pull/393",
        &["B-6"],
        |fields, attempt| Ok(compared_with_the_wait_before(fields, attempt)),
    ),
    delayed(
        "cap-before-the-product",
        "The wait before is capped, and multiplied afterwards.",
        "https://github.com/Xuanwo/backon/issues/231",
        &["B-4", "B-6"],
        |fields, attempt| {
            if attempt == 1 || fields.max_delay == 0.0 {
                return Ok(doubled(fields, attempt));
            }
            Ok((doubled(fields, attempt - 1) * fields.multiplier).min(f64::MAX))
        },
    ),
    delayed(
        "cap-missing-on-the-first-wait",
        "The first wait is the initial delay, even when that is above the cap.",
        "https://github.com/Xuanwo/backon/pull/240",
        &["P-8", "B-6"],
        |fields, attempt| {
            Ok(if attempt == 1 {
                fields.initial_delay
            } else {
                doubled(fields, attempt)
            })
        },
    ),
    Bug {
        name: "cap-missing-in-the-schedule",
        about: "A second loop multiplies without a cap.",
        source: "https://github.com/redis/memtier_benchmark/pull/433",
        clauses: &["B-6", "B-9", "B-10"],
        resolution: Resolution::Exact,
        rules: Rules {
            schedule: |_, fields| {
                Ok((1..attempts(fields))
                    .map(|attempt| uncapped(fields, attempt).min(f64::MAX))
                    .collect())
            },
            ..Rules::AS_SPECIFIED
        },
    },
    Bug {
        name: "cap-missing-outside-the-schedule",
        about: "The schedule is capped, and the single delay is not.",
        source: "https://github.com/mofa-org/mofa/issues/1171",
        clauses: &["B-6", "B-10"],
        resolution: Resolution::Exact,
        rules: Rules {
            backoff: |fields, attempt| Ok(uncapped(fields, attempt).min(f64::MAX)),
            schedule: |_, fields| Ok((1..attempts(fields)).map(|attempt| doubled(fields, attempt)).collect()),
            ..Rules::AS_SPECIFIED
        },
    },
    delayed(
        "cap-not-used",
        "The cap is stored and never looked at.",
        "https://github.com/failsafe-lib/failsafe/pull/152",
        &["B-3", "B-6"],
        |fields, attempt| {
            let max_delay = 0.0;
            Ok(doubled(&PolicyFields { max_delay, ..*fields }, attempt))
        },
    ),
    delayed(
        "cap-used-on-overflow-only",
        "The cap is used only where the product does not fit 64 bits of nanoseconds.",
        "https://github.com/slack-go/slack/pull/1586",
        &["B-6"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            let fits = delay * NANOS < TWO_TO_63;
            Ok(if fits { delay } else { capped(fields, delay) })
        },
    ),
    delayed(
        "cap-on-the-exponent",
        "The cap is turned into the largest exponent that stays below it, so that the cap itself is never waited for.",
        "https://github.com/awslabs/aws-c-io/pull/584",
        &["B-6"],
        |fields, attempt| Ok(on_the_exponent(fields, attempt)),
    ),
    delayed(
        "cap-hidden-half-minute",
        "Without a cap there is one of 30 seconds.",
        "https://github.com/spring-attic/spring-retry/issues/425",
        &["P-4", "B-3"],
        |fields, attempt| Ok(defaulted(fields, attempt, 30.0)),
    ),
    delayed(
        "cap-hidden-minute",
        "Without a cap there is one of a minute.",
        "https://github.com/GameAnalytics/current/pull/6",
        &["P-4", "B-3"],
        |fields, attempt| Ok(defaulted(fields, attempt, 60.0)),
    ),
    delayed(
        "cap-hidden-hour",
        "Without a cap there is one of an hour.",
        "https://github.com/zio-archive/zio-webhooks/issues/46",
        &["P-4", "B-3"],
        |fields, attempt| Ok(defaulted(fields, attempt, 3600.0)),
    ),
    delayed(
        "cap-never-above-half-a-minute",
        "No delay is longer than 30 seconds, not even under a higher cap.",
        "https://github.com/BaryoDev/Carom/issues/35",
        &["B-3", "B-6"],
        |fields, attempt| Ok(doubled(fields, attempt).min(30.0)),
    ),
    delayed(
        "cap-none-without-an-end",
        "Without a cap the delay grows for ever.",
        "https://github.com/interledgerjs/ilp-protocol-stream/issues/41",
        &["B-3", "B-7"],
        |fields, attempt| Ok(capped_if_set(fields, uncapped(fields, attempt)).min(f64::MAX)),
    ),
    delayed(
        "cap-none-ends-at-31-bits",
        "Without a cap the delay ends at the seconds that a signed 32-bit integer holds.",
        "https://github.com/Alluxio/alluxio/pull/566",
        &["B-3", "B-7"],
        |fields, attempt| Ok(defaulted(fields, attempt, 2_147_483_647.0)),
    ),
    delayed(
        "cap-none-without-growth",
        "Without a cap the delay does not grow at all.",
        "https://github.com/edgeware/python-circuit/issues/10",
        &["P-4", "B-3", "B-4"],
        |fields, attempt| Ok(doubled(fields, if fields.max_delay > 0.0 { attempt } else { 1 })),
    ),
    delayed(
        "cap-larger-of-the-two",
        "The larger of delay and cap is taken.",
        "https://github.com/sunng87/diehard/pull/40",
        &["B-4", "B-6"],
        |fields, attempt| Ok(uncapped(fields, attempt).max(fields.max_delay).min(f64::MAX)),
    ),
    delayed(
        "cap-added",
        "The cap is added to the delay.",
        "https://github.com/microsoft/kiota-python/pull/729",
        &["B-4", "B-6"],
        |fields, attempt| Ok(doubled(fields, attempt) + fields.max_delay),
    ),
    delayed(
        "cap-times-the-attempt",
        "The capped delay is multiplied by the number of the attempt.",
        "https://github.com/disgoorg/disgo/pull/586",
        &["B-4", "B-6"],
        |fields, attempt| Ok(doubled(fields, attempt) * f64::from(attempt)),
    ),
    delayed(
        "cap-starts-again",
        "After the cap the delays start again.",
        "https://github.com/istio/istio/pull/31864",
        &["B-6"],
        |fields, attempt| Ok(starts_again(fields, attempt)),
    ),
];

fn compared_with_the_wait_before(fields: &PolicyFields, attempt: u32) -> f64 {
    let cap = specified::ceiling(fields);
    let mut delay = fields.initial_delay;
    for left in (1..attempt).rev() {
        if delay.to_bits() == cap.to_bits() {
            // From here on the cap and its product take turns.
            return if left % 2 == 0 {
                cap
            } else {
                (cap * fields.multiplier).min(f64::MAX)
            };
        }
        let next = if delay > cap { cap } else { delay * fields.multiplier };
        if next.to_bits() == delay.to_bits() {
            break;
        }
        delay = next;
    }
    delay.min(f64::MAX)
}

fn on_the_exponent(fields: &PolicyFields, attempt: u32) -> f64 {
    let ceiling = specified::ceiling(fields);
    let mut delay = doubled(fields, 1);
    for _ in 1..attempt {
        let next = delay * fields.multiplier;
        if next > ceiling || next.to_bits() == delay.to_bits() {
            break;
        }
        delay = next;
    }
    delay
}

fn defaulted(fields: &PolicyFields, attempt: u32, default: f64) -> f64 {
    let max_delay = if fields.max_delay > 0.0 {
        fields.max_delay
    } else {
        default
    };
    doubled(&PolicyFields { max_delay, ..*fields }, attempt)
}

fn starts_again(fields: &PolicyFields, attempt: u32) -> f64 {
    let ceiling = specified::ceiling(fields);
    let mut delay = fields.initial_delay;
    let mut attempts_to_the_cap = 1;
    while delay < ceiling {
        let next = delay * fields.multiplier;
        if next.to_bits() == delay.to_bits() || attempts_to_the_cap >= attempt {
            return doubled(fields, attempt);
        }
        delay = next;
        attempts_to_the_cap += 1;
    }
    doubled(fields, (attempt - 1) % attempts_to_the_cap + 1)
}
