//! The lines of an index.

use crate::case::{Place, is_id};
use crate::load::Problem;

/// A line about an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// The line's number, from 1.
    pub(super) number: usize,
    pub(super) id: String,
    pub(super) entry: Entry,
}

/// What the index says of an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// The content hash of its case.
    Hash(String),
    /// A tombstone.
    Removed,
    /// The tombstone of a case that another one corrects.
    ReplacedBy(String),
}

/// Reads each line that is neither empty nor a comment.
pub(super) fn lines(file: &str, text: &str) -> Result<Vec<Line>, Vec<Problem>> {
    let mut lines: Vec<Line> = Vec::new();
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let read = read(number, line).and_then(|line| match lines.last() {
            Some(last) if last.id == line.id => Err(format!("id `{}` a second time, needed once", line.id)),
            Some(last) if last.id > line.id => Err(format!(
                "id `{}` after `{}`, needed the ids in the order of their bytes",
                line.id, last.id
            )),
            Some(_) | None => Ok(line),
        });
        match read {
            Ok(line) => lines.push(line),
            Err(text) => {
                let file = file.to_owned();
                let (line, column) = (number, 1);
                let place = Place { file, line, column };
                problems.push(Problem { place, text });
            }
        }
    }
    if problems.is_empty() { Ok(lines) } else { Err(problems) }
}

fn read(number: usize, line: &str) -> Result<Line, String> {
    let needed = "needed `ID HASH`, `ID removed: REASON` or `ID replaced-by NEW-ID: REASON`";
    let found = || format!("`{line}`, {needed}");
    let (id, rest) = line.split_once(' ').filter(|(id, _)| is_id(id)).ok_or_else(found)?;
    let entry = if is_hash(rest) {
        Entry::Hash(rest.to_owned())
    } else {
        let (what, reason) = rest.split_once(": ").ok_or_else(found)?;
        if reason.trim().is_empty() {
            return Err(found());
        }
        match what.split_once(' ') {
            None if what == "removed" => Entry::Removed,
            Some(("replaced-by", new)) if is_id(new) => Entry::ReplacedBy(new.to_owned()),
            Some(_) | None => return Err(found()),
        }
    };
    let id = id.to_owned();
    Ok(Line { number, id, entry })
}

fn is_hash(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 64 && text.bytes().all(is_digit)
}
