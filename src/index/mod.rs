//! The index: every id that a case ever had, with what the case said or how it went.

mod hash;
mod parse;

pub use hash::{case_hash, set_hash};

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use crate::case::{Case, Place};
use crate::load::{self, LoadError, Problem};
use parse::{Entry, Line};

/// An index of ids, as its file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    file: String,
    text: String,
    lines: Vec<Line>,
}

/// A set of cases that break no promise of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The ids that the index does not have yet, with their content hashes.
    pub new: BTreeMap<String, String>,
    /// How many ids it has as gone.
    pub tombstones: usize,
}

impl Index {
    /// Reads the file of an index.
    ///
    /// # Errors
    ///
    /// [`LoadError::Io`] where it can't be read, else [`LoadError::Problems`] with each line that is none of an index.
    pub fn from_path(path: &Path) -> Result<Self, LoadError> {
        Self::from_text(&path.display().to_string(), &load::read_text(path)?)
    }

    /// Reads the text of an index. `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// [`LoadError::Problems`] with each line that is none of an index.
    pub fn from_text(file: &str, text: &str) -> Result<Self, LoadError> {
        let lines = parse::lines(file, text).map_err(LoadError::Problems)?;
        let (file, text) = (file.to_owned(), text.to_owned());
        Ok(Self { file, text, lines })
    }

    /// Holds a whole set of cases to the index.
    ///
    /// # Errors
    ///
    /// [`LoadError::Problems`] with each promise that is broken. A new id breaks none.
    pub fn hold(&self, cases: &[Case]) -> Result<Kept, LoadError> {
        let known: HashMap<&str, &Line> = self.lines.iter().map(|line| (line.id.as_str(), line)).collect();
        let present: HashMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), case)).collect();
        let mut new = BTreeMap::new();
        let mut problems = Vec::new();
        for case in cases {
            let hash = case_hash(case);
            match known.get(case.id.as_str()) {
                Some(line) => problems.extend(self.changed(case, &hash, line)),
                None => {
                    new.insert(case.id.clone(), hash);
                }
            }
            problems.extend(self.replaces_nothing(case, &known));
        }
        for line in &self.lines {
            problems.extend(self.gone(line, &known, &present));
        }
        if problems.is_empty() {
            let is_tombstone = |line: &&Line| !matches!(line.entry, Entry::Hash(_));
            let tombstones = self.lines.iter().filter(is_tombstone).count();
            Ok(Kept { new, tombstones })
        } else {
            problems.sort();
            Err(LoadError::Problems(problems))
        }
    }

    /// What is wrong with each new id for as long as the index does not have it.
    #[must_use]
    pub fn missing(&self, kept: &Kept, cases: &[Case]) -> Vec<Problem> {
        let file = &self.file;
        let problem = |case: &Case| Problem {
            place: case.place.clone(),
            text: format!(
                "id `{}`, which {file} does not have, needed it there (--write-index adds it)",
                case.id
            ),
        };
        cases
            .iter()
            .filter(|case| kept.new.contains_key(&case.id))
            .map(problem)
            .collect()
    }

    /// The text of the index with the new ids, each in its place. What stands in it stays as it is.
    #[must_use]
    pub fn with(&self, kept: &Kept) -> String {
        let mut new = kept
            .new
            .iter()
            .map(|(id, hash)| (id, format!("{id} {hash}")))
            .peekable();
        let mut entries = self.lines.iter().peekable();
        let mut lines: Vec<String> = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            if let Some(entry) = entries.next_if(|entry| entry.number == number) {
                while let Some((_, line)) = new.next_if(|&(id, _)| *id < entry.id) {
                    lines.push(line);
                }
            }
            lines.push(line.to_owned());
        }
        lines.extend(new.map(|(_, line)| line));
        lines.iter().flat_map(|line| [line, "\n"]).collect()
    }

    /// The case of an id that the index has says what it said.
    fn changed(&self, case: &Case, hash: &str, line: &Line) -> Option<Problem> {
        let (id, place) = (&case.id, line.place(&self.file));
        let text = match &line.entry {
            Entry::Hash(known) if known == hash => return None,
            Entry::Hash(known) => format!(
                "id `{id}` with another question or answer (hash {}, at {place} {}), needed a new id and `replaces: {id}`",
                &hash[..8],
                &known[..8]
            ),
            Entry::Removed | Entry::ReplacedBy(_) => {
                format!("id `{id}`, which was removed ({place}), needed a new id")
            }
        };
        let place = case.place.clone();
        Some(Problem { place, text })
    }

    /// What a case replaces has a tombstone that names the case.
    fn replaces_nothing(&self, case: &Case, known: &HashMap<&str, &Line>) -> Option<Problem> {
        let replaces = case.replaces.as_deref()?;
        let (id, file) = (&case.id, &self.file);
        let names_it = |line: &&Line| matches!(&line.entry, Entry::ReplacedBy(new) if new == id);
        if known.get(replaces).is_some_and(names_it) {
            return None;
        }
        let text = format!("replaces `{replaces}`, needed the line `{replaces} replaced-by {id}: REASON` in {file}");
        let place = case.place.clone();
        Some(Problem { place, text })
    }

    /// An id without a case has a tombstone, and one that was replaced names a case that says so.
    fn gone(&self, line: &Line, known: &HashMap<&str, &Line>, present: &HashMap<&str, &Case>) -> Option<Problem> {
        let id = &line.id;
        let text = match &line.entry {
            Entry::Hash(_) if present.contains_key(id.as_str()) => return None,
            Entry::Hash(_) => {
                format!("id `{id}` without a case, needed `{id} removed: REASON` or `{id} replaced-by NEW-ID: REASON`")
            }
            Entry::Removed => return None,
            Entry::ReplacedBy(new) => match present.get(new.as_str()) {
                Some(case) if case.replaces.as_ref() == Some(id) => return None,
                Some(case) => format!(
                    "id `{id}` replaced by `{new}`, needed `replaces: {id}` at {}",
                    case.place
                ),
                // The case that replaced it may be gone in its turn.
                None if known.get(new.as_str()).is_some_and(|other| other.id != *id) => return None,
                None => format!("id `{id}` replaced by `{new}`, needed the id of a case"),
            },
        };
        let place = line.place(&self.file);
        Some(Problem { place, text })
    }
}

impl Line {
    fn place(&self, file: &str) -> Place {
        let file = file.to_owned();
        let line = self.number;
        Place { file, line, column: 1 }
    }
}
