//! One unit taken for another.

use super::delays::{MICROS, MILLIS, capped, delayed, saturated_i64, uncapped};
use crate::policy::PolicyFields;
use crate::wire::Resolution;
use crate::zoo::rules::Rules;
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "units-converted-at-each-step",
        "Seconds are taken to milliseconds again at each step.",
        "https://github.com/dehora/nakadi-java/issues/315",
        &["B-4", "B-5"],
        |fields, attempt| {
            let multiplier = fields.multiplier * MILLIS;
            Ok(capped(
                fields,
                uncapped(&PolicyFields { multiplier, ..*fields }, attempt),
            ))
        },
    ),
    delayed(
        "units-converted-twice",
        "Seconds are taken to milliseconds twice, and the cap is reached at once.",
        "https://github.com/mastra-ai/mastra/pull/14160",
        &["B-4", "B-6"],
        |fields, attempt| Ok(capped(fields, uncapped(fields, attempt) * MILLIS)),
    ),
    delayed(
        "units-milliseconds-slept-as-seconds",
        "The delay is tracked in milliseconds and handed to a sleep that takes seconds, the cap included.",
        "https://github.com/grammyjs/grammY/issues/961",
        &["B-4", "B-6"],
        |fields, attempt| Ok(specified::doubled(fields, attempt) * MILLIS),
    ),
    delayed(
        "units-milliseconds-slept-as-microseconds",
        "The delay is tracked in milliseconds and handed to a sleep that takes microseconds.",
        "https://github.com/php-http/client-common/pull/86",
        &["B-4", "B-6"],
        |fields, attempt| Ok(specified::doubled(fields, attempt) / MILLIS),
    ),
    delayed(
        "units-seconds-of-the-minute",
        "The seconds are those that the time span shows after its minutes.",
        "https://github.com/pnp/pnpcore/issues/1590",
        &["B-4", "B-6"],
        |fields, attempt| Ok(specified::doubled(fields, attempt) % 60.0),
    ),
    delayed(
        "units-milliseconds-of-the-second",
        "The milliseconds are those that the time span shows after its seconds.",
        "https://github.com/FoundatioFx/Foundatio/pull/123",
        &["B-4", "B-6"],
        |fields, attempt| Ok(specified::doubled(fields, attempt).fract()),
    ),
    delayed(
        "units-cap-in-milliseconds",
        "The numbers of delay and cap are compared, and their units are not.",
        "https://github.com/jhalterman/lyra/pull/47",
        &["B-3", "B-6"],
        |fields, attempt| {
            let max_delay = fields.max_delay / MILLIS;
            Ok(specified::doubled(&PolicyFields { max_delay, ..*fields }, attempt))
        },
    ),
    delayed(
        "units-initial-delay-in-milliseconds",
        "The initial delay is milliseconds, whatever the unit of the cap is.",
        "https://github.com/rholder/guava-retrying/issues/93",
        &["P-3", "B-4"],
        |fields, attempt| {
            let initial_delay = fields.initial_delay / MILLIS;
            Ok(specified::doubled(
                &PolicyFields {
                    initial_delay,
                    ..*fields
                },
                attempt,
            ))
        },
    ),
    Bug {
        name: "units-microseconds-counted-as-nanoseconds",
        about: "Microseconds are written into a field of nanoseconds.",
        source: "https://github.com/nats-io/nats.net/issues/244",
        clauses: &["P-3", "B-4"],
        resolution: Resolution::Nanosecond,
        rules: Rules {
            count: |seconds, _| saturated_i64((seconds * MICROS).round()),
            ..Rules::AS_SPECIFIED
        },
    },
];
