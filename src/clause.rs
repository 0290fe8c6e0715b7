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
    LazyLock::new(|| CHAPTERS.into_iter().flat_map(clauses_of).collect());

/// The text of a clause such as `B-4`, a block of code in it on lines of its own, or none when the specification has no such clause.
#[must_use]
pub fn text(number: &str) -> Option<&'static str> {
    CLAUSES.get(number).map(String::as_str)
}

/// A clause is a paragraph that starts with its number in bold: `**[B-4]** The delay ...`. A block of code that follows it belongs to it.
fn clauses_of(chapter: &'static str) -> Vec<(&'static str, String)> {
    let mut clauses: Vec<(&'static str, String)> = Vec::new();
    let mut may_go_on = false;
    for paragraph in chapter.split("\n\n") {
        let clause = paragraph.strip_prefix("**[").and_then(|rest| rest.split_once("]**"));
        if let Some((number, text)) = clause {
            clauses.push((number, text.split_whitespace().collect::<Vec<_>>().join(" ")));
        } else if let (true, Some(code), Some((_, text))) = (may_go_on, code(paragraph), clauses.last_mut()) {
            text.push('\n');
            text.push_str(&code);
        }
        may_go_on = clause.is_some();
    }
    clauses
}

/// The lines of a fenced block, indented.
fn code(paragraph: &str) -> Option<String> {
    let fenced = paragraph.trim_end().strip_prefix("```")?.strip_suffix("```")?;
    let (_, code) = fenced.split_once('\n')?;
    let lines: Vec<String> = code.lines().map(|line| format!("    {line}")).collect();
    Some(lines.join("\n"))
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
    fn a_block_of_code_belongs_to_its_clause() {
        assert!(text("J-1").is_some_and(|text| text.ends_with("\n    delay * (1 + ((u * 2 - 1) * f))")));
        assert!(text("B-4").is_some_and(|text| text.ends_with("\n    the delay is the smaller of d and ceiling")));
    }

    #[test]
    fn no_number_stands_twice() {
        let all = CHAPTERS.into_iter().flat_map(clauses_of).count();
        assert_eq!(all, CLAUSES.len());
    }
}
