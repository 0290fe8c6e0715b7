//! From an answer on the wire to a verdict.

use crate::answer::Reply;
use crate::case::Case;
use crate::judge::{Verdict, judge};
use crate::wire::{Body, Resolution, read_value};

/// The verdict on one case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport<'a> {
    /// The case.
    pub case: &'a Case,
    /// What the kit says of it.
    pub verdict: Verdict,
}

/// The verdict on an answer: what can't be read as an answer to the question is the port's error.
pub(super) fn verdict(case: &Case, body: Body<'_>, resolution: Resolution) -> Verdict {
    let reply = match body {
        Body::Value(raw) => match read_value(raw, case.question.ask(), resolution) {
            Ok(value) => Reply::Value(value),
            Err(why) => {
                return Verdict::Errored(format!(
                    "the value is no answer to `{}`: {why}",
                    case.question.ask().name()
                ));
            }
        },
        Body::Rejected(refusal) => Reply::Rejected(refusal),
        Body::Unsupported(why) => Reply::Unsupported(why),
        Body::Error(text) => Reply::Error(text),
    };
    judge(&case.expected, &reply, resolution)
}
