//! Bugs of ports that answer binary64 seconds, with one rule of their own.

use crate::next_delay::NextDelay;
use crate::policy::PolicyFields;
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules};

/// A bug in how a policy is judged.
pub(super) const fn judging(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    check: fn(PolicyFields) -> Outcome<PolicyFields>,
) -> Bug {
    let rules = Rules {
        check,
        ..Rules::AS_SPECIFIED
    };
    Bug::exact(name, about, source, clauses, rules)
}

/// A bug in what is done after a failure.
pub(super) const fn answering(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    next_delay: fn(&Rules, &PolicyFields, u32, Option<f64>) -> Outcome<NextDelay>,
) -> Bug {
    let rules = Rules {
        next_delay,
        ..Rules::AS_SPECIFIED
    };
    Bug::exact(name, about, source, clauses, rules)
}

/// A bug in how a delay is moved by a draw.
pub(super) const fn jittering(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    jitter: fn(&PolicyFields, f64, f64) -> Outcome<f64>,
) -> Bug {
    let rules = Rules {
        jitter,
        ..Rules::AS_SPECIFIED
    };
    Bug::exact(name, about, source, clauses, rules)
}

/// A bug in whether and how long a delay waits in the broker.
pub(super) const fn waiting(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    ttl_ms: fn(f64, f64) -> Option<i64>,
) -> Bug {
    let rules = Rules {
        ttl_ms,
        ..Rules::AS_SPECIFIED
    };
    Bug::exact(name, about, source, clauses, rules)
}
