//! Delays that are rounded to a unit, on the way or at the end.

use super::delays::{MICROS, MILLIS, NANOS, TICKS, capped, delayed, delayed_in, saturated_i64, uncapped};
use crate::policy::PolicyFields;
use crate::wire::Resolution::{Microsecond, Millisecond, Nanosecond, Tick};
use crate::zoo::rules::{Rules, Stop};
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed_in(
        Millisecond,
        "rounding-milliseconds-cut-at-each-step",
        "Each step is cut to whole milliseconds.",
        "https://github.com/spring-attic/spring-retry/issues/126",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, MILLIS, f64::floor)),
    ),
    delayed_in(
        Millisecond,
        "rounding-milliseconds-nearest-at-each-step",
        "Each step is rounded to the nearest millisecond, halves up.",
        "https://github.com/agenda/agenda/pull/1747",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, MILLIS, f64::round)),
    ),
    delayed_in(
        Millisecond,
        "rounding-milliseconds-up-at-each-step",
        "Each step is rounded up to whole milliseconds.",
        "https://github.com/yoomoney/db-queue-scheduler/pull/14",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, MILLIS, f64::ceil)),
    ),
    delayed_in(
        Microsecond,
        "rounding-microseconds-half-even-at-each-step",
        "Each step is a duration of whole microseconds, rounded half to even.",
        "https://github.com/flyteorg/flyte/issues/7990",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, MICROS, f64::round_ties_even)),
    ),
    delayed_in(
        Microsecond,
        "rounding-microseconds-cut-at-each-step",
        "Each step is cut to whole microseconds.",
        "https://github.com/stechstudio/backoff/pull/17",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, MICROS, f64::floor)),
    ),
    delayed_in(
        Tick,
        "rounding-ticks-cut-at-each-step",
        "Each step is cut to whole ticks of 100 ns.",
        "https://github.com/MicrosoftDocs/Contribute/issues/506",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, TICKS, f64::floor)),
    ),
    delayed_in(
        Nanosecond,
        "rounding-nanoseconds-cut-at-each-step",
        "Each step is cut to whole nanoseconds.",
        "https://github.com/arkade-os/emulator/pull/112",
        &["B-5"],
        |fields, attempt| Ok(stepped(fields, attempt, NANOS, f64::floor)),
    ),
    delayed(
        "rounding-milliseconds-and-back-at-each-step",
        "Each step takes the delay to milliseconds and back.",
        "https://github.com/microsoft/FluidFramework/pull/5883",
        &["B-5"],
        |fields, attempt| {
            let ceiling = specified::ceiling(fields);
            let mut delay = fields.initial_delay;
            for _ in 1..attempt {
                let next = delay * MILLIS * fields.multiplier / MILLIS;
                if delay >= ceiling || next.to_bits() == delay.to_bits() {
                    break;
                }
                delay = next;
            }
            Ok(capped(fields, delay))
        },
    ),
    delayed(
        "rounding-start-cut-to-seconds",
        "The initial delay is cut to whole seconds.",
        "https://github.com/temporalio/sdk-typescript/issues/441",
        &["P-3", "B-4"],
        |fields, attempt| Ok(started(fields, attempt, f64::floor)),
    ),
    delayed(
        "rounding-start-raised-to-a-second",
        "An initial delay below a second is raised to one.",
        "https://github.com/celery/celery/pull/8295",
        &["P-3", "B-4"],
        |fields, attempt| {
            Ok(started(fields, attempt, |initial| {
                if initial > 0.0 { initial.max(1.0) } else { initial }
            }))
        },
    ),
    delayed(
        "rounding-start-raised-to-a-millisecond",
        "An initial delay below a millisecond is raised to one.",
        "https://github.com/Azure/AppConfiguration-DotnetProvider/pull/507",
        &["P-3", "B-4"],
        |fields, attempt| {
            Ok(started(fields, attempt, |initial| {
                if initial > 0.0 { initial.max(0.001) } else { initial }
            }))
        },
    ),
    delayed(
        "rounding-answer-cut-to-seconds",
        "The answer is cut to whole seconds before it is scaled for the sleep.",
        "https://github.com/supabase/supabase-swift/pull/1125",
        &["P-3", "B-4"],
        |fields, attempt| Ok(answered(fields, attempt, 1.0, f64::floor)),
    ),
    delayed(
        "rounding-answer-nearest-second",
        "The answer is rounded to the nearest second before it is scaled for the sleep.",
        "https://github.com/wojtekmach/req/pull/464",
        &["P-3", "B-4"],
        |fields, attempt| Ok(answered(fields, attempt, 1.0, f64::round)),
    ),
    delayed(
        "rounding-answer-up-to-seconds",
        "The answer is rounded up to whole seconds.",
        "https://github.com/flamingo-run/django-cloud-tasks/pull/52",
        &["P-3", "B-4"],
        |fields, attempt| Ok(answered(fields, attempt, 1.0, f64::ceil)),
    ),
    delayed(
        "rounding-answer-cut-to-milliseconds",
        "The answer is cut to whole milliseconds.",
        "https://github.com/kestra-io/kestra/pull/17031",
        &["B-5"],
        |fields, attempt| Ok(answered(fields, attempt, MILLIS, f64::floor)),
    ),
    delayed(
        "rounding-answer-nearest-millisecond",
        "The answer is rounded to three decimal places.",
        "https://github.com/dotnet/runtime/issues/116477",
        &["B-5"],
        |fields, attempt| Ok(answered(fields, attempt, MILLIS, f64::round)),
    ),
    delayed(
        "rounding-answer-nearest-nanosecond",
        "The answer is seconds, and has been a whole number of nanoseconds.",
        "https://github.com/launchdarkly/eventsource/pull/21",
        &["B-5"],
        |fields, attempt| Ok(answered(fields, attempt, NANOS, f64::round)),
    ),
    delayed(
        "rounding-answer-of-fifteen-digits",
        "The answer is printed with fifteen digits, and looks like decimal arithmetic.",
        "https://github.com/nlohmann/json/issues/360",
        &["B-5"],
        |fields, attempt| {
            let printed = format!("{:.14e}", specified::doubled(fields, attempt));
            printed.parse().map_err(|_| Stop::Crashed("no number"))
        },
    ),
    Bug {
        name: "rounding-count-of-a-product",
        about: "Nanoseconds are counted by a product of doubles, which is many of them off where the count passes 53 bits.",
        source: "https://github.com/triggerdotdev/trigger.dev/pull/4107",
        clauses: &["B-4", "B-5"],
        resolution: Nanosecond,
        rules: Rules {
            count: |seconds, places| saturated_i64((seconds * specified::units_per_second(places)).round()),
            ..Rules::AS_SPECIFIED
        },
    },
];

/// Every product rounded to a unit. The initial delay is a whole number of them.
fn stepped(fields: &PolicyFields, attempt: u32, per_second: f64, round: fn(f64) -> f64) -> f64 {
    let ceiling = specified::ceiling(fields) * per_second;
    let mut units = (fields.initial_delay * per_second).round();
    for _ in 1..attempt {
        let next = round(units * fields.multiplier);
        if units >= ceiling || next.to_bits() == units.to_bits() {
            break;
        }
        units = next;
    }
    capped(fields, units / per_second)
}

fn started(fields: &PolicyFields, attempt: u32, round: fn(f64) -> f64) -> f64 {
    let rounded = PolicyFields {
        initial_delay: round(fields.initial_delay),
        ..*fields
    };
    capped(fields, uncapped(&rounded, attempt))
}

fn answered(fields: &PolicyFields, attempt: u32, per_second: f64, round: fn(f64) -> f64) -> f64 {
    round(specified::doubled(fields, attempt) * per_second) / per_second
}
