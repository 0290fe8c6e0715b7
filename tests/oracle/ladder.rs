//! Chapter 5: which delays the broker holds, and what their rungs are called.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;
use samewait::answer::{Refusal, RungValue};
use serde_json::Value as Json;

use super::delays::changing;
use super::exact::Exact;
use super::policy::{HORIZON, Policy, invalid_argument, is_within, refusal};
use super::rounding::nearest;

/// 3650 days in milliseconds (L-4).
const LONGEST_TTL: u64 = 3650 * 24 * 60 * 60 * 1000;

/// The rungs of a policy for one source queue.
pub(crate) struct Ladder<'a> {
    queue: &'a str,
    exchange: &'a str,
    threshold: f64,
    /// In the order of the schedule, each TTL once.
    ttls: Vec<u64>,
}

impl<'a> Ladder<'a> {
    /// L-1 to L-4, L-7 and L-12.
    pub(crate) fn of(policy: &Policy, queue: &'a str, exchange: &'a str, threshold: f64) -> Result<Self, Refusal> {
        if queue.is_empty() {
            return Err(invalid_argument("queue"));
        }
        if !is_within(threshold, 0.0, HORIZON) {
            return Err(invalid_argument("threshold"));
        }
        let waits = usize::try_from(policy.max_attempts - 1).expect("neither negative nor above 2^31");
        let mut ttls = Vec::new();
        // Delays that only repeat the one before add no TTL.
        for delay in changing(policy).take(waits) {
            let ttl = ttl_ms(delay);
            if !waits_in_broker(delay, threshold) || ttl == 0 {
                continue;
            }
            if ttl > LONGEST_TTL {
                return Err(refusal("rung_too_long", None));
            }
            if !ttls.contains(&ttl) {
                ttls.push(ttl);
            }
        }
        Ok(Self {
            queue,
            exchange,
            threshold,
            ttls,
        })
    }

    /// L-8.
    pub(crate) fn rungs(&self) -> Vec<RungValue> {
        let rung = |&ttl: &u64| RungValue {
            name: self.name(ttl),
            ttl_ms: Json::from(ttl),
            arguments: BTreeMap::from([
                ("x-message-ttl".to_owned(), Json::from(ttl)),
                ("x-dead-letter-exchange".to_owned(), Json::from(self.exchange)),
                ("x-dead-letter-routing-key".to_owned(), Json::from(self.queue)),
            ]),
        };
        self.ttls.iter().map(rung).collect()
    }

    /// L-10 and L-11.
    pub(crate) fn rung_for(&self, delay: f64) -> Result<Option<String>, Refusal> {
        if !is_within(delay, 0.0, HORIZON) {
            return Err(invalid_argument("delay"));
        }
        let needed = ttl_ms(delay);
        if !waits_in_broker(delay, self.threshold) || needed == 0 {
            return Ok(None);
        }
        let long_enough = self.ttls.iter().filter(|&&ttl| ttl >= needed).min();
        let found = long_enough.or(self.ttls.iter().max());
        Ok(found.map(|&ttl| self.name(ttl)))
    }

    /// L-6.
    fn name(&self, ttl: u64) -> String {
        format!("{}.retry.{}", self.queue, label(ttl))
    }
}

/// L-1.
fn waits_in_broker(delay: f64, threshold: f64) -> bool {
    threshold > 0.0 && delay > 0.0 && delay >= threshold
}

/// L-2: one product, rounded to binary64, and then to the whole number nearest to that, from the middle upwards.
fn ttl_ms(delay: f64) -> u64 {
    let milliseconds = nearest(&(&Exact::from(delay) * &Exact::from(1000.0)));
    // No delay is negative, so that away from zero is up.
    let rounded = (&Exact::from(milliseconds) + &Exact::from(0.5)).floor();
    rounded.to_u64().expect("at most 2^42")
}

/// L-5.
fn label(ttl: u64) -> String {
    const SECOND: u64 = 1000;
    const MINUTE: u64 = 60 * SECOND;
    const HOUR: u64 = 60 * MINUTE;
    if ttl.is_multiple_of(HOUR) {
        format!("{}h", ttl / HOUR)
    } else if ttl.is_multiple_of(MINUTE) {
        format!("{}m", ttl / MINUTE)
    } else if ttl.is_multiple_of(SECOND) {
        format!("{}s", ttl / SECOND)
    } else {
        format!("{ttl}ms")
    }
}
