//! Vectors: from YAML text to checked cases.
//!
//! A [`VectorSet`] in hand keeps every rule of chapter 7 of the specification. Its expectations are not compared with the
//! reference here: that is the judge's work, and the reference's road is that of any port.

pub mod canonical;
mod expect;
mod file;
mod lint;
mod scenario;
mod sources;
mod spot;

pub(crate) use expect::{Expect, legal_answers, legal_refusals};
pub(crate) use file::{File, RawCase};
pub(crate) use lint::MAX_SCHEDULED_ATTEMPTS;
pub(crate) use scenario::Alone;
pub use scenario::{ScenarioFile, scenario_file};

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::de::DeserializeOwned;

use crate::case::{Case, Place};
use crate::yaml::{self, Fault, Mark, Outline};

/// A set of cases that keep the rules of the vector format.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorSet {
    /// The cases, in the order of their files' names and then of the files.
    pub cases: Vec<Case>,
    /// How many files they come from.
    pub files: usize,
}

impl VectorSet {
    /// The vectors that are part of this crate.
    ///
    /// # Errors
    ///
    /// [`LoadError::Problems`], which the tests of this crate exclude.
    pub fn embedded() -> Result<Self, LoadError> {
        Self::from_sources(&sources::embedded())
    }

    /// The vectors below paths: each a YAML file or a directory of the form `<area>/<topic>.yaml`.
    ///
    /// # Errors
    ///
    /// [`LoadError::Io`] where something can't be read, else [`LoadError::Problems`] with all that breaks a rule.
    pub fn from_paths(paths: &[PathBuf]) -> Result<Self, LoadError> {
        Self::from_sources(&sources::below(paths)?)
    }

    fn from_sources(sources: &[Source]) -> Result<Self, LoadError> {
        let mut cases = Vec::new();
        let mut problems = Vec::new();
        for source in sources {
            match file::read(source) {
                Ok(read) => cases.extend(read),
                Err(found) => problems.extend(found),
            }
        }
        problems.extend(lint::unique_ids(&cases));
        problems.extend(lint::replaced_ids(&cases));
        problems.extend(lint::few_samples(&cases));
        if problems.is_empty() {
            let files = sources.len();
            Ok(Self { cases, files })
        } else {
            problems.sort();
            Err(LoadError::Problems(problems))
        }
    }
}

/// Why there is no vector set.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or directory can't be read.
    #[error("can't read {}", path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file can't be written.
    #[error("can't write {}", path.display())]
    Unwritable {
        /// Which one.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something that is neither a YAML file nor a directory of them.
    #[error("{} is no vector file, needed <area>/<topic>.yaml or a directory of such files", path.display())]
    NoVectors {
        /// Which one.
        path: PathBuf,
    },
    /// A directory without any vector file.
    #[error("{} has no vector file, needed <area>/<topic>.yaml in it", path.display())]
    Empty {
        /// Which one.
        path: PathBuf,
    },
    /// Files that break rules of the vector format.
    #[error("{}", Listed(.0))]
    Problems(Vec<Problem>),
}

impl LoadError {
    /// What is wrong with the text of one file.
    pub(crate) fn of_faults(file: &str, faults: Vec<Fault>) -> Self {
        Self::Problems(Problem::from_faults(file, faults))
    }

    fn unreadable(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Io { path, source }
    }
}

/// Reads the text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String, LoadError> {
    fs::read_to_string(path).map_err(|source| LoadError::unreadable(path, source))
}

/// Reads a YAML text that is no vector file, with the places of its values.
pub(crate) fn typed<T: DeserializeOwned>(file: &str, text: &str) -> Result<(T, Outline), LoadError> {
    let outline = yaml::places(text).map_err(|faults| LoadError::of_faults(file, faults))?;
    let value = yaml::read(text).map_err(|fault| LoadError::of_faults(file, vec![fault]))?;
    Ok((value, outline))
}

/// A rule broken at a place, as `file:line:column: what was found, what was needed`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What was found and what was needed.
    pub text: String,
}

impl Problem {
    fn new(file: &str, mark: Mark, text: impl Into<String>) -> Self {
        let (line, column) = (mark.line, mark.column);
        let file = file.to_owned();
        Self {
            place: Place { file, line, column },
            text: text.into(),
        }
    }

    fn from_fault(file: &str, fault: Fault) -> Self {
        Self::new(file, fault.mark, fault.text)
    }

    fn from_faults(file: &str, faults: Vec<Fault>) -> Vec<Self> {
        let problem = |fault| Self::from_fault(file, fault);
        faults.into_iter().map(problem).collect()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// A vector file.
struct Source {
    /// As it was named.
    name: String,
    /// Where it really is.
    path: PathBuf,
    text: String,
}

impl Source {
    /// The folder and the stem of the name: what the area and the topic must be.
    fn area_and_topic(&self) -> Option<(&str, &str)> {
        let area = self.path.parent()?.file_name()?.to_str()?;
        Some((area, self.path.file_stem()?.to_str()?))
    }
}

struct Listed<'a>(&'a [Problem]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{problem}")?;
        }
        Ok(())
    }
}
