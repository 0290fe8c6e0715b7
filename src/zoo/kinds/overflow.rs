//! Products and shifts that outgrow their integer before the cap is looked at.

use super::delays::{
    MILLIS, NANOS, TICKS, TWO_TO_63, TWO_TO_64, capped, delayed, delayed_in, doubling, lower_i32, lower_u32,
    saturated_i64, uncapped,
};
use crate::wire::Resolution::{Millisecond, Nanosecond, Tick};
use crate::zoo::rules::Stop;
use crate::zoo::{Bug, specified};

pub(super) const BUGS: &[Bug] = &[
    delayed_in(
        Millisecond,
        "overflow-i32-milliseconds-throw",
        "The base in milliseconds is shifted in 32 bits before the cap is looked at, and a sleep of less than nothing throws.",
        "https://github.com/aws/aws-sdk-java/issues/874",
        &["B-4", "B-6"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, MILLIS, |base, exponent| {
                let shifted = 1_i32.wrapping_shl(exponent).wrapping_mul(lower_i32(base));
                u32::try_from(shifted).map_or(Err(Stop::Crashed("the timeout value is negative")), |it| Ok(it.into()))
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Millisecond,
        "overflow-i32-factor-negative",
        "The factor is a 1 shifted in 32 bits: negative at 31, and 1 again at 32.",
        "https://github.com/open-workflow-specification/sdk-java/pull/1519",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, MILLIS, |base, exponent| {
                Ok(base.saturating_mul(1_i32.wrapping_shl(exponent).into()))
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-u32-power-wraps-to-zero",
        "Two to the 32 wraps to 0 in 32 bits, and the retries spin.",
        "https://github.com/theelderbeever/mulligan/issues/31",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, NANOS, |base, exponent| {
                Ok(base.saturating_mul(2_u32.wrapping_pow(exponent).into()))
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-u32-shift-panics",
        "A shift of 32 bits by 32 panics.",
        "https://github.com/graphprotocol/graph-node/issues/4420",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, NANOS, |base, exponent| {
                let factor = 1_u32.checked_shl(exponent);
                factor.map_or(Err(Stop::Crashed("attempt to shift left with overflow")), |factor| {
                    Ok(base.saturating_mul(factor.into()))
                })
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed(
        "overflow-u32-seconds-wrap",
        "A base of whole seconds is multiplied in unsigned 32 bits, which wrap.",
        "https://github.com/Lora-net/SWL2001/issues/126",
        &["B-5", "B-7"],
        |fields, attempt| {
            if fields.initial_delay.fract() > 0.0 {
                return Ok(specified::doubled(fields, attempt));
            }
            let delay = doubling(fields, attempt, 1.0, |base, exponent| {
                let factor = 1_u32.checked_shl(exponent).unwrap_or(0);
                Ok(factor.wrapping_mul(lower_u32(base)).into())
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-i64-nanoseconds-skip-the-sleep",
        "The product wraps below 0, the smaller of it and the cap is taken, and what is not above 0 is not slept.",
        "https://github.com/dragonflyoss/dragonfly/pull/4852",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, NANOS, |base, exponent| {
                Ok(1_i64.checked_shl(exponent).unwrap_or(0).wrapping_mul(base))
            });
            Ok(capped(fields, delay?).max(0.0))
        },
    ),
    delayed_in(
        Millisecond,
        "overflow-i64-milliseconds-restart",
        "The base is shifted in 64 bits: a negative one dodges the cap, and past 63 the count wraps and the delays start again.",
        "https://github.com/apache/kafka/pull/23212",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(
                fields,
                attempt,
                MILLIS,
                |base, exponent| Ok(base.wrapping_shl(exponent)),
            );
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-u64-power-wraps-to-zero",
        "Two to the 64 wraps to 0 in 64 bits, and retries come at once.",
        "https://github.com/tidewave-ai/mcp_proxy_rust/pull/9",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, NANOS, |base, exponent| {
                let product = u128::from(2_u64.wrapping_pow(exponent)) * u128::from(base.unsigned_abs());
                Ok(i64::try_from(product).unwrap_or(i64::MAX))
            });
            Ok(capped(fields, delay?))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-u64-nanoseconds-trap",
        "A product of more than 64 bits of nanoseconds ends the process.",
        "https://github.com/space-code/typhoon/pull/43",
        &["B-3", "B-6", "B-7"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            if delay * NANOS >= TWO_TO_64 {
                return Err(Stop::Crashed("arithmetic overflow"));
            }
            Ok(capped(fields, delay))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-hidden-accumulator-panics",
        "The cap bounds what is slept, and the value behind it goes on growing until a duration can't hold it.",
        "https://github.com/EmbarkStudios/tryhard/issues/24",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            if delay >= TWO_TO_64 {
                return Err(Stop::Crashed("overflow when multiplying duration by scalar"));
            }
            Ok(capped(fields, delay))
        },
    ),
    delayed_in(
        Tick,
        "overflow-ticks-largest-time-span",
        "Where the ticks overflow the delay is the largest time span, whatever the cap says.",
        "https://github.com/App-vNext/Polly/issues/1866",
        &["B-6", "B-7"],
        |fields, attempt| {
            if uncapped(fields, attempt) * TICKS >= TWO_TO_63 {
                return Ok(922_337_203_685.477_6);
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    delayed_in(
        Tick,
        "overflow-ticks-jump-between-bounds",
        "The ticks wrap, and are then raised to the initial delay or held at the cap.",
        "https://github.com/Azure/azure-functions-host/pull/5209",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = doubling(fields, attempt, TICKS, |base, exponent| {
                Ok(1_i64.checked_shl(exponent).unwrap_or(0).wrapping_mul(base))
            });
            Ok(capped(fields, delay?.max(fields.initial_delay)))
        },
    ),
    delayed_in(
        Nanosecond,
        "overflow-nanoseconds-clamped-to-zero",
        "A product that does not fit 64 bits of nanoseconds is taken for 0 instead of the maximum.",
        "https://github.com/temporalio/temporal/pull/11225",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            let fits = delay * NANOS < TWO_TO_63;
            Ok(if fits { capped(fields, delay) } else { 0.0 })
        },
    ),
    delayed_in(
        Tick,
        "overflow-ticks-start-again",
        "Where the ticks overflow the delay is the first one again.",
        "https://github.com/FantasticFiasco/serilog-sinks-http/pull/98",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            let fits = delay * TICKS < TWO_TO_63;
            Ok(capped(fields, if fits { delay } else { fields.initial_delay }))
        },
    ),
    delayed_in(
        Millisecond,
        "overflow-does-not-fit-32-bits",
        "A delay of more milliseconds than 32 bits hold is none, since the conversion falls back to its default.",
        "https://github.com/cloudflare/daphne/pull/360",
        &["B-3", "B-4", "B-7"],
        |fields, attempt| {
            let delay = specified::doubled(fields, attempt);
            let fits = u32::try_from(saturated_i64((delay * MILLIS).round())).is_ok();
            Ok(if fits { delay } else { 0.0 })
        },
    ),
];
