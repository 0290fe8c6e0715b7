//! The retry policy of a small client library: durations in whole milliseconds.
//!
//! It stands for a library of yours. `tests/laws.rs` holds it against the laws of samewait, and then the waits of [`version_1`], which
//! had a bug.

pub mod version_1;

use std::fmt;
use std::time::Duration;

/// No wait is longer: 2^32 seconds, in milliseconds.
const LONGEST: u64 = 4_294_967_296_000;

/// When to try again, and when to stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    attempts: u32,
    first_ms: u64,
    multiplier: f64,
    cap_ms: u64,
}

/// Why there is no policy, or no wait: this argument is out of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange(pub &'static str);

impl Policy {
    /// So many attempts, the first included, with a first wait that grows by a multiplier up to a cap. Durations are cut off to
    /// milliseconds.
    pub fn new(attempts: u32, first: Duration, multiplier: f64, cap: Option<Duration>) -> Result<Self, OutOfRange> {
        if attempts == 0 || attempts > i32::MAX as u32 {
            return Err(OutOfRange("attempts"));
        }
        let first_ms = milliseconds(first).ok_or(OutOfRange("first"))?;
        if !(1.0..=f64::MAX).contains(&multiplier) {
            return Err(OutOfRange("multiplier"));
        }
        let cap_ms = cap.map_or(Some(LONGEST), milliseconds).ok_or(OutOfRange("cap"))?;
        Ok(Self {
            attempts,
            first_ms,
            multiplier,
            cap_ms,
        })
    }

    /// The wait after an attempt has failed.
    pub fn wait_after(&self, attempt: u32) -> Result<Duration, OutOfRange> {
        if attempt == 0 || attempt > i32::MAX as u32 {
            return Err(OutOfRange("attempt"));
        }
        // In seconds, as other languages have them; milliseconds again at the very end.
        let cap = seconds(self.cap_ms);
        let mut wait = seconds(self.first_ms);
        for _ in 1..attempt {
            let next = wait * self.multiplier;
            if wait >= cap || next == wait {
                break;
            }
            wait = next;
        }
        Ok(rounded(wait.min(cap)))
    }

    /// All waits.
    pub fn waits(&self) -> Vec<Duration> {
        (1..self.attempts)
            .filter_map(|attempt| self.wait_after(attempt).ok())
            .collect()
    }
}

fn milliseconds(duration: Duration) -> Option<u64> {
    u64::try_from(duration.as_millis()).ok().filter(|&ms| ms <= LONGEST)
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}

fn rounded(seconds: f64) -> Duration {
    Duration::from_millis((seconds * 1000.0).round() as u64)
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is out of range", self.0)
    }
}

impl std::error::Error for OutOfRange {}
