//! The waits of version 1, which had a bug that its own tests did not see: their cap is one of the waits, so that no wait crosses it.

use std::time::Duration;

use crate::{OutOfRange, Policy, rounded, seconds};

impl Policy {
    /// The wait after an attempt has failed, as version 1 had it.
    ///
    /// It looks at the cap before it multiplies, and not again: the wait that crosses the cap is longer than the cap.
    pub fn wait_after_in_version_1(&self, attempt: u32) -> Result<Duration, OutOfRange> {
        if attempt == 0 || attempt > i32::MAX as u32 {
            return Err(OutOfRange("attempt"));
        }
        let cap = seconds(self.cap_ms);
        let mut wait = seconds(self.first_ms).min(cap);
        for _ in 1..attempt {
            let next = wait * self.multiplier;
            if wait >= cap || next == wait {
                break;
            }
            wait = next;
        }
        Ok(rounded(wait))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tests of version 1 are green.
    #[test]
    fn doubles_up_to_the_cap() {
        let policy = Policy::new(6, Duration::from_secs(1), 2.0, Some(Duration::from_secs(16))).unwrap();
        let waits: Vec<u64> = (1..=6)
            .map(|n| policy.wait_after_in_version_1(n).unwrap().as_secs())
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 16]);
    }
}
