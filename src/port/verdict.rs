//! A verdict, and the answer that it is on.

use crate::answer::Reply;
use crate::case::Case;
use crate::judge::Verdict;
use crate::wire::{Body, Resolution, read_value};

/// The verdict on one case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport<'a> {
    /// The case.
    pub case: &'a Case,
    /// What the kit says of it.
    pub verdict: Verdict,
}

/// What an answer says.
///
/// # Errors
///
/// When it can't be read as an answer to the question, which is an error of the port.
pub(super) fn reply(case: &Case, body: Body<'_>, resolution: Resolution) -> Result<Reply, String> {
    let ask = case.question.ask();
    Ok(match body {
        Body::Value(raw) => {
            let value = read_value(raw, ask, resolution);
            Reply::Value(value.map_err(|why| format!("the value is no answer to `{}`: {why}", ask.name()))?)
        }
        Body::Rejected(refusal) => Reply::Rejected(refusal),
        Body::Unsupported(why) => Reply::Unsupported(why),
        Body::Error(text) => Reply::Error(text),
    })
}
