//! Exit codes.

use std::process::ExitCode;

use crate::report::Outcome;

/// How a command of the kit ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    /// What was asked holds: the port, or the reference, conforms.
    Conforms = 0,
    /// It does not conform.
    DoesNotConform = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Vectors can't be read or break the rules of their format.
    BadVectors = 3,
    /// A port can't be started, does not introduce itself, is badly wired, or failed so often that it was given up.
    Unusable = 4,
    /// No case was selected, or all that were are skipped.
    NothingSelected = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        #[expect(clippy::as_conversions, reason = "the discriminants are the codes")]
        Self::from(exit as u8)
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Conforms => Self::Conforms,
            Outcome::DoesNotConform => Self::DoesNotConform,
            Outcome::Unusable => Self::Unusable,
            Outcome::NothingTested => Self::NothingSelected,
        }
    }
}
