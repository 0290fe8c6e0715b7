//! The clauses of the specification, read from its text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const CHAPTERS: [&str; 8] = [
    include_str!("../spec/01-policy.md"),
    include_str!("../spec/02-backoff.md"),
    include_str!("../spec/03-next-delay.md"),
    include_str!("../spec/04-jitter.md"),
    include_str!("../spec/05-ladder.md"),
    include_str!("../spec/06-queue.md"),
    include_str!("../spec/07-vectors.md"),
    include_str!("../spec/08-port-protocol.md"),
];

static CLAUSES: LazyLock<BTreeMap<&'static str, String>> =
    LazyLock::new(|| CHAPTERS.iter().flat_map(|chapter| clauses_of(chapter)).collect());

/// The text of a clause such as `B-4` on one line, or none when the specification has no such clause.
#[must_use]
pub fn text(number: &str) -> Option<&'static str> {
    CLAUSES.get(number).map(String::as_str)
}

/// A clause is a paragraph that starts with its number in bold: `**[B-4]** The delay ...`.
fn clauses_of(chapter: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    chapter.split("\n\n").filter_map(|paragraph| {
        let (number, text) = paragraph.strip_prefix("**[")?.split_once("]**")?;
        Some((number, text.split_whitespace().collect::<Vec<_>>().join(" ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_and_the_last_clause_of_a_chapter() {
        assert!(text("B-1").is_some_and(|text| text.starts_with("`backoff` MUST be answered")));
        assert!(text("L-13").is_some_and(|text| text.ends_with("default exchange.")));
        assert_eq!(text("B-99"), None);
    }

    #[test]
    fn no_number_stands_twice() {
        let all = CHAPTERS.iter().flat_map(|chapter| clauses_of(chapter)).count();
        assert_eq!(all, CLAUSES.len());
    }
}
