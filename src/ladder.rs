//! Waits that the broker holds. Implements chapter 5 of the specification.

use crate::jitter::duration;
use crate::millis::Millis;
use crate::policy::Policy;
use crate::rejection::{Argument, Rejection};

/// The delay in seconds from which waits go to the broker, where nothing else is said (L-1).
pub const DEFAULT_THRESHOLD: f64 = 30.0;

/// The longest time to live a broker accepts: 3650 days in milliseconds (L-4).
pub const MAX_TTL_MS: u64 = 315_360_000_000;

const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// The broker queues that hold the long waits of one policy for one source queue. Implements L-1 to L-13.
///
/// ```
/// use samewait::{DEFAULT_THRESHOLD, Ladder, Policy};
///
/// let policy = Policy::exponential(11, 0.1, 3600.0)?;
/// let ladder = Ladder::new(&policy, "orders", "retry", DEFAULT_THRESHOLD)?;
/// assert_eq!(ladder.rungs()[0].name, "orders.retry.51200ms");
/// assert_eq!(ladder.rung_for(40.0)?.map(|rung| rung.ttl_ms), Some(51_200));
/// # Ok::<(), samewait::Rejection>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ladder {
    threshold: f64,
    rungs: Vec<Rung>,
}

/// A broker queue that holds messages for one delay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rung {
    /// The queue's name, `{queue}.retry.{label}` (L-6).
    pub name: String,
    /// How long a message stays, in milliseconds: 1 to [`MAX_TTL_MS`] (L-2). The argument `x-message-ttl`.
    pub ttl_ms: u64,
    /// Where a message goes then. The argument `x-dead-letter-exchange`.
    pub dead_letter_exchange: String,
    /// The source queue. The argument `x-dead-letter-routing-key`.
    pub dead_letter_routing_key: String,
}

impl Ladder {
    /// The rungs that `policy` needs for `queue`, with waits of `threshold` seconds and more held by the broker (0 for none).
    ///
    /// Costs as much as [`Policy::backoff`] of the last attempt, and memory for the rungs alone.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `queue` when it is empty, then `threshold` outside 0 to HORIZON;
    /// [`Rejection::RungTooLong`] when a rung would exceed [`MAX_TTL_MS`] (L-4, L-12).
    pub fn new(policy: &Policy, queue: &str, exchange: &str, threshold: f64) -> Result<Self, Rejection> {
        if queue.is_empty() {
            return Err(Rejection::argument(Argument::Queue, "empty"));
        }
        let threshold = duration(Argument::Threshold, threshold)?;
        let mut rungs: Vec<Rung> = Vec::new();
        for (delay, _) in policy.schedule().runs() {
            let Some(ttl_ms) = broker_ttl_ms(delay, threshold) else {
                continue;
            };
            if ttl_ms > MAX_TTL_MS {
                let most_ms = MAX_TTL_MS;
                return Err(Rejection::RungTooLong { ttl_ms, most_ms });
            }
            // A schedule never falls, so equal TTLs stand side by side.
            if rungs.last().is_none_or(|last| last.ttl_ms != ttl_ms) {
                rungs.push(Rung {
                    name: format!("{queue}.retry.{}", label(ttl_ms)),
                    ttl_ms,
                    dead_letter_exchange: exchange.to_owned(),
                    dead_letter_routing_key: queue.to_owned(),
                });
            }
        }
        Ok(Self { threshold, rungs })
    }

    /// The rungs, shortest first, one for each TTL (L-7).
    #[must_use]
    pub fn rungs(&self) -> &[Rung] {
        &self.rungs
    }

    /// The rung in which a delay waits: the shortest that is not shorter, else the longest; none for a delay that does not
    /// wait in the broker. Implements L-10 and L-11.
    ///
    /// # Errors
    ///
    /// [`Rejection::InvalidArgument`] with field `delay` outside 0 to HORIZON.
    pub fn rung_for(&self, delay: f64) -> Result<Option<&Rung>, Rejection> {
        let delay = duration(Argument::Delay, delay)?;
        let Some(ttl_ms) = broker_ttl_ms(delay, self.threshold) else {
            return Ok(None);
        };
        let at_least = self.rungs.iter().find(|rung| rung.ttl_ms >= ttl_ms);
        Ok(at_least.or(self.rungs.last()))
    }
}

/// The TTL with which a delay waits in the broker, or none when it does not. Implements L-1 and L-3.
pub(crate) fn broker_ttl_ms(delay: f64, threshold: f64) -> Option<u64> {
    let waits_in_broker = threshold > 0.0 && delay > 0.0 && delay >= threshold;
    Some(Millis::nearest(delay).count()).filter(|&ttl_ms| waits_in_broker && ttl_ms > 0)
}

/// A TTL in the largest unit that divides it. Implements L-5.
pub(crate) fn label(ttl_ms: u64) -> String {
    let (unit, length) = UNITS
        .into_iter()
        .find(|(_, length)| ttl_ms.is_multiple_of(*length))
        .unwrap_or(("ms", 1));
    format!("{}{unit}", ttl_ms / length)
}
