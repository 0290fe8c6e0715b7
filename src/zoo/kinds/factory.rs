//! Factories with other fields than they should have.

use crate::policy::PolicyFields;
use crate::question::Make;
use crate::zoo::Bug;
use crate::zoo::rules::Rules;

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    makes(
        "factory-none-tries-twice",
        "The policy without retries makes one.",
        "https://github.com/envoyproxy/envoy/issues/9552",
        &["P-12"],
        |make| PolicyFields {
            max_attempts: if matches!(make, Make::None(_)) {
                2
            } else {
                made(make).max_attempts
            },
            ..made(make)
        },
    ),
    makes(
        "factory-none-never-tries",
        "The policy without retries has no attempt at all.",
        "https://github.com/vercel/workflow/issues/592",
        &["P-12"],
        |make| PolicyFields {
            max_attempts: if matches!(make, Make::None(_)) {
                0
            } else {
                made(make).max_attempts
            },
            ..made(make)
        },
    ),
    makes(
        "factory-fixed-doubles",
        "A fixed wait has the default multiplier of 2.",
        "https://github.com/microprofile/microprofile-fault-tolerance/pull/241",
        &["P-13"],
        |make| PolicyFields {
            multiplier: if matches!(make, Make::Fixed(_)) {
                2.0
            } else {
                made(make).multiplier
            },
            ..made(make)
        },
    ),
    makes(
        "factory-fixed-jitters",
        "A fixed wait can't be had without jitter.",
        "https://github.com/apple/servicetalk/pull/1692",
        &["P-13"],
        |make| PolicyFields {
            jitter_factor: if matches!(make, Make::Fixed(_)) {
                0.2
            } else {
                made(make).jitter_factor
            },
            ..made(make)
        },
    ),
    makes(
        "factory-exponential-does-not-grow",
        "The exponential policy has a multiplier of 1.",
        "https://github.com/neo4j/neo4j-java-driver/pull/1622",
        &["P-14"],
        |make| PolicyFields {
            multiplier: if matches!(make, Make::Exponential(_)) {
                1.0
            } else {
                made(make).multiplier
            },
            ..made(make)
        },
    ),
    makes(
        "factory-exponential-without-jitter",
        "The exponential policy has no jitter by default.",
        "https://github.com/wojtekmach/req/issues/473",
        &["P-14"],
        |make| PolicyFields {
            jitter_factor: if matches!(make, Make::Exponential(_)) {
                0.0
            } else {
                made(make).jitter_factor
            },
            ..made(make)
        },
    ),
    makes(
        "factory-exponential-without-a-cap",
        "The exponential policy has no use for a cap.",
        "https://github.com/App-vNext/Polly/issues/1605",
        &["P-14"],
        |make| PolicyFields {
            max_delay: if matches!(make, Make::Exponential(_)) {
                0.0
            } else {
                made(make).max_delay
            },
            ..made(make)
        },
    ),
    makes(
        "factory-exponential-ages",
        "The exponential policy gives up after 15 minutes.",
        "https://github.com/comit-network/xmr-btc-swap/pull/305",
        &["P-14"],
        |make| PolicyFields {
            max_message_age: if matches!(make, Make::Exponential(_)) {
                900.0
            } else {
                made(make).max_message_age
            },
            ..made(make)
        },
    ),
    makes(
        "factory-exponential-starts-at-the-cap",
        "An initial delay above the cap is lowered when the policy is made.",
        "https://github.com/BaryoDev/Carom/issues/35",
        &["P-14"],
        |make| match make {
            Make::Exponential(of) if of.max_delay.0 > 0.0 => PolicyFields {
                initial_delay: of.initial_delay.0.min(of.max_delay.0),
                ..made(make)
            },
            Make::Fields(_) | Make::None(_) | Make::Fixed(_) | Make::Exponential(_) => made(make),
        },
    ),
    makes(
        "factory-exponential-swaps-its-durations",
        "The shortest delay is written where the longest belongs, and the other way round.",
        "https://github.com/failsafe-lib/failsafe/issues/216",
        &["P-14"],
        |make| match make {
            Make::Exponential(of) => PolicyFields {
                initial_delay: of.max_delay.0,
                max_delay: of.initial_delay.0,
                ..made(make)
            },
            Make::Fields(_) | Make::None(_) | Make::Fixed(_) => made(make),
        },
    ),
    makes(
        "factory-fixed-counts-retries",
        "The number given to a fixed wait counts retries, so that there is one attempt more.",
        "https://github.com/takezoe/scala-retry/issues/1",
        &["P-13"],
        |make| match make {
            Make::Fixed(of) => PolicyFields {
                max_attempts: of.max_attempts.saturating_add(1),
                ..made(make)
            },
            Make::Fields(_) | Make::None(_) | Make::Exponential(_) => made(make),
        },
    ),
];

const fn makes(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    make: fn(&Make) -> PolicyFields,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { make, ..SPECIFIED })
}

/// What a factory makes as specified.
fn made(make: &Make) -> PolicyFields {
    (SPECIFIED.make)(make)
}
