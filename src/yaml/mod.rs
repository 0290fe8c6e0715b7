//! Everything this crate knows of YAML: reading typed values, places in the text, the portable subset, and one way to write it.
//!
//! Nothing outside this module names a YAML library.

mod comments;
mod node;
mod outline;
mod subset;
mod words;
mod write;

use serde::de::DeserializeOwned;

pub(crate) use node::{Document, Layout, Node};
pub(crate) use outline::{Mark, Outline};
pub(crate) use words::in_our_words;
pub(crate) use write::{document as write, list_item};

/// Something wrong at a place of a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fault {
    pub(crate) mark: Mark,
    /// What was found and what was needed.
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(mark: Mark, text: impl Into<String>) -> Self {
        Self {
            mark,
            text: text.into(),
        }
    }
}

/// Checks a text against the portable subset (V-8 to V-13), and says where each of its values stands.
///
/// # Errors
///
/// Every deviation from the subset, in the order of the text.
pub(crate) fn outline(text: &str) -> Result<Outline, Vec<Fault>> {
    let mut faults = subset::check_lines(text);
    if !faults.is_empty() {
        // What the parser makes of such lines would only repeat it in other words.
        return Err(faults);
    }
    match outline::read(text, true, &mut faults) {
        Some(outline) if faults.is_empty() => Ok(outline),
        _ => {
            faults.sort();
            faults.dedup();
            Err(faults)
        }
    }
}

/// What a text of the portable subset holds, with its comments, to be written anew.
pub(crate) fn to_write(text: &str, outline: &Outline) -> Document {
    Document::of(outline, comments::comments(text))
}

/// Says where each value of a text stands, whatever way of YAML it is written in: for files that no other language reads.
///
/// # Errors
///
/// What is no YAML, and keys that stand twice.
pub(crate) fn places(text: &str) -> Result<Outline, Vec<Fault>> {
    let mut faults = Vec::new();
    match outline::read(text, false, &mut faults) {
        Some(outline) if faults.is_empty() => Ok(outline),
        _ => Err(faults),
    }
}

/// Reads a typed value.
///
/// # Errors
///
/// The first thing that does not fit the type.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Fault> {
    serde_yaml::from_str(text).map_err(|error| {
        let mark = error.location().map_or(Mark { line: 1, column: 1 }, |location| Mark {
            line: location.line(),
            column: location.column(),
        });
        let text = error.to_string();
        let place = format!(" at line {} column {}", mark.line, mark.column);
        // The path of a value within a list at the top begins with a dot.
        let text = text.replace(&place, "");
        Fault::new(mark, in_our_words(text.trim_start_matches('.')))
    })
}
