//! What is wrong with an event.

use std::fmt::Display;

/// Something that a queue said and may not say, or did not say and must.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct Fault {
    /// The clauses that it breaks.
    pub clauses: &'static [&'static str],
    /// What the clauses ask for.
    pub expected: String,
    /// What was said instead.
    pub found: String,
}

impl Fault {
    pub(super) fn new(clauses: &'static [&'static str], expected: impl Display, found: impl Display) -> Self {
        Self {
            clauses,
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}

/// Nothing is wrong if so. The texts are made when something is.
pub(super) fn ensure(
    holds: bool,
    clauses: &'static [&'static str],
    expected: impl Display,
    found: impl Display,
) -> Result<(), Fault> {
    if holds {
        Ok(())
    } else {
        Err(Fault::new(clauses, expected, found))
    }
}
