//! Problems, put where they stand in the text.

use super::Problem;
use crate::yaml::{Mark, Outline};

/// Where problems of one value go.
pub(super) struct Spot<'a> {
    file: &'a str,
    pub(super) outline: &'a Outline,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Spot<'a> {
    pub(super) fn new(file: &'a str, outline: &'a Outline, problems: &'a mut Vec<Problem>) -> Self {
        Self {
            file,
            outline,
            problems,
        }
    }

    /// The spot of a value within this one.
    pub(super) fn within(&mut self, path: &[&str]) -> Spot<'_> {
        let step = |outline: &'a Outline, key: &&str| outline.get(key).unwrap_or(outline);
        Spot {
            file: self.file,
            outline: path.iter().fold(self.outline, step),
            problems: self.problems,
        }
    }

    /// A problem with the value under a key.
    pub(super) fn problem(&mut self, key: &str, text: impl Into<String>) {
        let mark = self.outline.key(key);
        self.problems.push(Problem::new(self.file, mark, text));
    }

    /// A problem at a place.
    pub(super) fn problem_at(&mut self, mark: Mark, text: impl Into<String>) {
        self.problems.push(Problem::new(self.file, mark, text));
    }

    /// A problem with a key within the value under another key.
    pub(super) fn problem_in(&mut self, key: &str, inner: &str, text: impl Into<String>) {
        let mark = self
            .outline
            .get(key)
            .map_or(self.outline.mark, |outline| outline.key(inner));
        self.problems.push(Problem::new(self.file, mark, text));
    }
}

/// The names to choose from, as serde lists them.
pub(super) fn one_of(names: &[&str]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        names => format!("one of `{}`", names.join("`, `")),
    }
}
