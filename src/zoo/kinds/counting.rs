//! Exponents off by one, and growth that is not a power of the multiplier.

use super::delays::{MILLIS, capped, delayed, uncapped};
use crate::backoff::Attempt;
use crate::wire::Resolution;
use crate::zoo::rules::Rules;
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed(
        "counting-first-wait-doubled",
        "The multiplier is applied before the first wait.",
        "https://github.com/failsafe-lib/failsafe/issues/97",
        &["B-4"],
        |fields, attempt| Ok(capped(fields, uncapped(fields, attempt.saturating_add(1)))),
    ),
    delayed(
        "counting-first-wait-zero",
        "The first retry comes at once, and the second waits twice the initial delay.",
        "https://github.com/urllib3/urllib3/issues/847",
        &["B-4"],
        |fields, attempt| {
            Ok(if attempt == 1 {
                0.0
            } else {
                specified::doubled(fields, attempt)
            })
        },
    ),
    delayed(
        "counting-all-waits-one-late",
        "The first retry comes at once, and only the second waits for the initial delay.",
        "https://github.com/avast/retry-go/issues/17",
        &["B-4"],
        |fields, attempt| {
            Ok(if attempt == 1 {
                0.0
            } else {
                specified::doubled(fields, attempt - 1)
            })
        },
    ),
    delayed(
        "counting-power-less-one",
        "The factor is a power less 1, so that the first retry comes at once.",
        "https://github.com/elennick/retry4j/issues/36",
        &["B-4"],
        |fields, attempt| Ok(capped(fields, uncapped(fields, attempt) - fields.initial_delay)),
    ),
    delayed(
        "counting-half-the-power-less-one",
        "The factor is half of a power less 1: 0.5, 1.5, 3.5.",
        "https://github.com/JustinBeckwith/retry-axios/issues/197",
        &["B-4"],
        |fields, attempt| {
            let next = uncapped(fields, attempt.saturating_add(1));
            Ok(capped(fields, (next - fields.initial_delay) / 2.0))
        },
    ),
    delayed(
        "counting-one-more-than-doubled",
        "Each wait is the one before, multiplied, and one millisecond more.",
        "https://github.com/microsoft/FluidFramework/pull/5506",
        &["B-4"],
        |fields, attempt| {
            let ceiling = specified::ceiling(fields);
            let mut delay = fields.initial_delay;
            // A millisecond more each time need not be added two thousand million times to be wrong.
            for _ in 1..attempt.min(10_000) {
                let next = delay * fields.multiplier + 1.0 / MILLIS;
                if delay >= ceiling || next.to_bits() == delay.to_bits() {
                    break;
                }
                delay = next;
            }
            Ok(capped(fields, delay))
        },
    ),
    delayed(
        "counting-initial-delay-times-attempt",
        "The initial delay is multiplied by the number of the attempt.",
        "https://github.com/lxl0928/retrying-async/pull/3",
        &["B-4"],
        |fields, attempt| Ok(capped(fields, fields.initial_delay * f64::from(attempt))),
    ),
    delayed(
        "counting-multiplier-times-attempt",
        "The delay is the initial one times the multiplier times the number of retries so far: nothing at first, then linear.",
        "https://github.com/kestra-io/kestra/pull/17031",
        &["B-4"],
        |fields, attempt| {
            let retries = f64::from(attempt - 1);
            Ok(capped(fields, fields.initial_delay * fields.multiplier * retries))
        },
    ),
    delayed(
        "counting-attempt-to-a-power",
        "The attempt is raised to the multiplier, not the multiplier to the attempt.",
        "https://github.com/hashicorp/consul-terraform-sync/pull/235",
        &["B-4"],
        |fields, attempt| {
            if fields.initial_delay == 0.0 {
                return Ok(0.0);
            }
            Ok(capped(
                fields,
                fields.initial_delay * f64::from(attempt).powf(fields.multiplier),
            ))
        },
    ),
    delayed(
        "counting-delay-to-a-power",
        "The initial delay in milliseconds is raised to the number of the attempt.",
        "https://github.com/yigit/android-priority-jobqueue/issues/33",
        &["B-4"],
        |fields, attempt| {
            if attempt == 1 {
                return Ok(specified::doubled(fields, attempt));
            }
            let millis = (fields.initial_delay * MILLIS).powf(f64::from(attempt));
            Ok(capped(fields, millis / MILLIS))
        },
    ),
    delayed(
        "counting-delay-to-the-power-of-a-power",
        "The initial delay in milliseconds is raised to a power of the multiplier.",
        "https://github.com/mickhansen/retry-as-promised/issues/25",
        &["B-4"],
        |fields, attempt| {
            if attempt == 1 {
                return Ok(specified::doubled(fields, attempt));
            }
            let exponent = fields.multiplier.powf(f64::from(attempt - 1));
            Ok(capped(fields, (fields.initial_delay * MILLIS).powf(exponent) / MILLIS))
        },
    ),
    delayed(
        "counting-power-added",
        "The power of the multiplier is added to the initial delay.",
        "https://github.com/Zio-Net/Sagaway/issues/91",
        &["B-4"],
        |fields, attempt| {
            let power = fields.multiplier.powf(f64::from(attempt - 1));
            Ok(capped(fields, fields.initial_delay + power))
        },
    ),
    delayed(
        "counting-times-the-square-of-the-attempt",
        "Each wait is the one before times the square of the number of the attempt.",
        "https://github.com/dehora/nakadi-java/pull/318",
        &["B-4"],
        |fields, attempt| {
            let ceiling = specified::ceiling(fields);
            let mut delay = fields.initial_delay;
            for retry in 2..=attempt {
                if delay >= ceiling || delay == 0.0 {
                    break;
                }
                delay *= f64::from(retry).powi(2);
            }
            Ok(capped(fields, delay))
        },
    ),
    delayed(
        "counting-never-grows",
        "Every delivery starts with a new context, so that the wait is the initial delay each time.",
        "https://github.com/spring-attic/spring-retry/pull/1",
        &["B-4"],
        |fields, _| Ok(specified::doubled(fields, 1)),
    ),
    delayed(
        "counting-grows-only-once",
        "The wait is multiplied once, and stays there.",
        "https://github.com/handarbeit/fabrik/issues/487",
        &["B-4"],
        |fields, attempt| Ok(specified::doubled(fields, attempt.min(2))),
    ),
    Bug {
        name: "counting-attempts-below-one-are-one",
        about: "An attempt below 1 is raised to 1.",
        source: "https://github.com/apache/cassandra/pull/4549",
        clauses: &["B-2"],
        resolution: Resolution::Exact,
        rules: Rules {
            attempt: |number| Ok(Attempt::new(number.max(1))?.number()),
            ..Rules::AS_SPECIFIED
        },
    },
];
