//! Delays too large for the type, the timer or the calendar that they are handed to.

use super::delays::{
    MICROS, MILLIS, NANOS, TWO_TO_63, capped, capped_if_set, delayed, delayed_in, lower_i32, saturated_i64, uncapped,
    wrapped_i32,
};
use crate::wire::Resolution::{Microsecond, Millisecond, Nanosecond};
use crate::zoo::rules::Stop;
use crate::zoo::{Bug, specified};

/// The longest that a timer of 31 bits of milliseconds waits, in seconds.
const LONGEST_TIMER: f64 = 2_147_483.647;

/// The largest whole number below which a double holds all of them.
const LARGEST_SAFE: f64 = 9_007_199_254_740_991.0;

pub(super) const BUGS: &[Bug] = &[
    delayed_in(
        Nanosecond,
        "conversion-double-to-i64-negative",
        "A double out of range becomes the lowest 64-bit integer, and the cap, compared afterwards, does not hold it.",
        "https://github.com/qdrant/go-client/pull/153",
        &["B-6", "B-7"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            let cast = if delay * NANOS < TWO_TO_63 {
                delay
            } else {
                -TWO_TO_63 / NANOS
            };
            Ok(capped(fields, cast))
        },
    ),
    delayed_in(
        Nanosecond,
        "conversion-double-to-i64-saturates",
        "Without a cap a double out of range becomes the highest 64-bit integer, and the wait takes 292 years.",
        "https://github.com/temporalio/temporal/issues/11991",
        &["B-3", "B-7"],
        |fields, attempt| {
            let cast = uncapped(fields, attempt).min(TWO_TO_63 / NANOS);
            Ok(capped_if_set(fields, cast))
        },
    ),
    delayed_in(
        Millisecond,
        "conversion-double-to-i32-floored",
        "A large double cast to 32 bits is negative, and what is negative is no wait.",
        "https://github.com/Dixin/EnterpriseLibrary.TransientFaultHandling.Core/issues/2",
        &["B-6", "B-7"],
        |fields, attempt| {
            let millis = wrapped_i32((uncapped(fields, attempt) * MILLIS).round());
            Ok(capped(fields, f64::from(millis) / MILLIS).max(0.0))
        },
    ),
    delayed_in(
        Millisecond,
        "conversion-i64-to-i32-cut",
        "The capped milliseconds are cut to their lower 32 bits on the way out.",
        "https://github.com/aws/aws-sdk-java-v2/issues/1453",
        &["B-3", "B-4", "B-7"],
        |fields, attempt| {
            let millis = saturated_i64((specified::doubled(fields, attempt) * MILLIS).round());
            Ok(f64::from(lower_i32(millis)) / MILLIS)
        },
    ),
    delayed_in(
        Microsecond,
        "conversion-microseconds-cut-to-i32",
        "The sleep takes a 32-bit number of microseconds, which ends at 2147 seconds.",
        "https://github.com/SerenityOS/serenity/pull/19121",
        &["B-5", "B-7"],
        |fields, attempt| {
            let micros = saturated_i64((specified::doubled(fields, attempt) * MICROS).round());
            Ok(f64::from(lower_i32(micros)) / MICROS)
        },
    ),
    delayed_in(
        Millisecond,
        "conversion-sleep-refuses-more-than-31-bits",
        "A sleep of more than 2147483647 milliseconds throws.",
        "https://github.com/aws/aws-sdk-net/issues/286",
        &["B-3", "B-4", "B-7"],
        |fields, attempt| {
            let delay = specified::doubled(fields, attempt);
            if delay > LONGEST_TIMER {
                return Err(Stop::Crashed("number must be less than or equal to Int32.MaxValue"));
            }
            Ok(delay)
        },
    ),
    delayed(
        "conversion-timer-fires-after-a-millisecond",
        "A timer fires after 1 ms when it is given more than 2147483647 milliseconds.",
        "https://github.com/pathosDev/actor-ts/issues/771",
        &["B-5", "B-7"],
        |fields, attempt| {
            let delay = specified::doubled(fields, attempt);
            Ok(if delay > LONGEST_TIMER { 0.001 } else { delay })
        },
    ),
    delayed(
        "conversion-held-below-the-timer-limit",
        "Delays are held at 2000000 seconds, for the timer's sake.",
        "https://github.com/getsentry/sentry-electron/pull/441",
        &["B-3", "B-5"],
        |fields, attempt| Ok(specified::doubled(fields, attempt).min(2_000_000.0)),
    ),
    delayed(
        "conversion-power-raises",
        "The power of the multiplier alone is too large for a double, which raises an error although the cap is the answer.",
        "https://github.com/anthropics/anthropic-sdk-python/issues/1760",
        &["B-6", "B-7"],
        |fields, attempt| {
            let exponent = i32::try_from(attempt - 1).unwrap_or(i32::MAX);
            if fields.multiplier.powi(exponent).is_infinite() {
                return Err(Stop::Crashed("OverflowError: numerical result out of range"));
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    delayed_in(
        Microsecond,
        "conversion-duration-of-days-raises",
        "A duration of more than 999999999 days raises an error before the cap bounds it.",
        "https://github.com/codingjoe/threadmill/issues/47",
        &["B-6", "B-7"],
        |fields, attempt| {
            if uncapped(fields, attempt) >= 86_400_000_000_000.0 {
                return Err(Stop::Crashed("OverflowError: days must have magnitude <= 999999999"));
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    delayed_in(
        Microsecond,
        "conversion-date-out-of-range",
        "Without a cap, now and the delay make a date past the year 9999, which raises an error.",
        "https://github.com/procrastinate-org/procrastinate/issues/1462",
        &["B-3", "B-7"],
        |fields, attempt| {
            // From 2026 to 9999.
            if capped_if_set(fields, uncapped(fields, attempt)) >= 251_600_000_000.0 {
                return Err(Stop::Crashed("OverflowError: date value out of range"));
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    delayed(
        "conversion-zero-times-infinity",
        "Zero times an infinite power is not a number, and such a wait never ends.",
        "https://github.com/openclaw/fs-safe/pull/266",
        &["B-7"],
        |fields, attempt| {
            let exponent = i32::try_from(attempt - 1).unwrap_or(i32::MAX);
            if (fields.initial_delay * fields.multiplier.powi(exponent)).is_nan() {
                return Err(Stop::Crashed("waits for ever"));
            }
            Ok(specified::doubled(fields, attempt))
        },
    ),
    delayed(
        "conversion-fraction-is-no-safe-integer",
        "Milliseconds that are not a safe integer, so fractions too, are replaced by the largest safe integer.",
        "https://github.com/bastani-inc/atomic/pull/2956",
        &["B-3", "B-4", "B-5"],
        |fields, attempt| {
            let delay = uncapped(fields, attempt);
            let is_safe = (delay * MILLIS).fract() == 0.0 && delay * MILLIS <= LARGEST_SAFE;
            Ok(capped(fields, if is_safe { delay } else { LARGEST_SAFE / MILLIS }))
        },
    ),
];
