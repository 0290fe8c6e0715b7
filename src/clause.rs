//! The clauses of the specification, read from its text.

use std::sync::LazyLock;

const CHAPTERS: [&str; 9] = [
    include_str!("../spec/01-policy.md"),
    include_str!("../spec/02-backoff.md"),
    include_str!("../spec/03-next-delay.md"),
    include_str!("../spec/04-jitter.md"),
    include_str!("../spec/05-ladder.md"),
    include_str!("../spec/06-queue.md"),
    include_str!("../spec/07-vectors.md"),
    include_str!("../spec/08-port-protocol.md"),
    include_str!("../spec/09-versions.md"),
];

/// The heading of the table of clauses without cases, in the chapter on vectors.
const UNTESTABLE: &str = "## Clauses that no case tests";

static CLAUSES: LazyLock<Vec<Clause>> = LazyLock::new(|| CHAPTERS.into_iter().flat_map(clauses_of).collect());

/// A numbered rule of the specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Its number, such as `B-4`.
    pub number: &'static str,
    /// Its text on one line, a block of code in it on lines of its own.
    pub text: String,
}

/// Every clause, in the order of the text.
pub fn all() -> impl Iterator<Item = &'static Clause> {
    CLAUSES.iter()
}

/// The text of a clause such as `B-4`, or none when the specification has no such clause.
#[must_use]
pub fn text(number: &str) -> Option<&'static str> {
    let clause = CLAUSES.iter().find(|clause| clause.number == number)?;
    Some(&clause.text)
}

/// Why no case can test a clause, where none can.
#[must_use]
pub fn untestable(number: &str) -> Option<&'static str> {
    let (_, section) = CHAPTERS.iter().find_map(|chapter| chapter.split_once(UNTESTABLE))?;
    let rows = section
        .lines()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    // The head of the table and the line below it are no clauses.
    rows.skip(2)
        .filter_map(|row| row.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "))
        .find_map(|(clause, why)| (clause == number).then_some(why))
}

/// Why a clause has no case, where it is not meant to have one: it is untestable, or it binds the kit and not a library.
#[must_use]
pub fn why_no_case(number: &str) -> Option<&'static str> {
    let of_the_kit = number.starts_with(['V', 'W', 'R']);
    untestable(number).or(of_the_kit.then_some("it binds vectors, the wire or releases; the kit's own tests hold it"))
}

/// A clause is a paragraph that starts with its number in bold: `**[B-4]** The delay ...`. A block of code that follows it belongs to it.
fn clauses_of(chapter: &'static str) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut may_go_on = false;
    for paragraph in chapter.split("\n\n") {
        let clause = paragraph.strip_prefix("**[").and_then(|rest| rest.split_once("]**"));
        if let Some((number, text)) = clause {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            clauses.push(Clause { number, text });
        } else if let (true, Some(code), Some(clause)) = (may_go_on, code(paragraph), clauses.last_mut()) {
            clause.text.push('\n');
            clause.text.push_str(&code);
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
    fn knows_why_a_clause_has_no_case() {
        assert_eq!(
            untestable("Q-33"),
            Some("What makes no sense is no question, and vectors do not contain it.")
        );
        assert_eq!(untestable("B-4"), None);
        assert_eq!(untestable("clause"), None);
    }

    #[test]
    fn no_number_stands_twice() {
        let mut numbers: Vec<&str> = all().map(|clause| clause.number).collect();
        numbers.sort_unstable();
        let twice: Vec<_> = numbers.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
