//! The specification and the vectors: every rule that a port can break has a case.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;
use std::fs;

use samewait::load::VectorSet;

/// Clauses of chapters 1 to 6 that no case can test, and why.
const UNTESTABLE: [(&str, &str); 2] = [
    (
        "J-9",
        "a library's own draws differ from run to run; cases hand the draw in",
    ),
    (
        "Q-33",
        "what makes no sense is no question, and vectors do not contain it",
    ),
];

/// The clauses of the chapters that say what a port does, in the order of the text.
fn clauses() -> Vec<String> {
    let mut chapters: Vec<_> = fs::read_dir("spec")
        .expect("the specification")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            ("01".."07").contains(&name.get(..2).unwrap_or(""))
        })
        .collect();
    chapters.sort();
    assert_eq!(chapters.len(), 6, "chapters: {chapters:?}");
    let texts = chapters.iter().map(|path| fs::read_to_string(path).expect("a chapter"));
    texts
        .flat_map(|text| {
            let numbers = text.lines().filter_map(|line| {
                let (number, _) = line.strip_prefix("**[")?.split_once("]**")?;
                Some(number.to_owned())
            });
            numbers.collect::<Vec<_>>()
        })
        .collect()
}

fn cited() -> BTreeSet<String> {
    let set = VectorSet::embedded().expect("vectors");
    set.cases.into_iter().flat_map(|case| case.clauses).collect()
}

#[test]
fn every_clause_has_a_case_or_a_reason() {
    let cited = cited();
    let is_open = |clause: &String| !cited.contains(clause) && UNTESTABLE.iter().all(|(known, _)| known != clause);
    let open: Vec<String> = clauses().into_iter().filter(is_open).collect();
    assert!(open.is_empty(), "clauses without a case: {open:?}");
}

#[test]
fn no_clause_with_a_case_is_called_untestable() {
    let cited = cited();
    for (clause, reason) in UNTESTABLE {
        assert!(!cited.contains(clause), "{clause} has a case, though: {reason}");
        assert!(clauses().iter().any(|known| known == clause), "{clause} is no clause");
    }
}

#[test]
fn no_number_stands_twice_and_none_is_missing() {
    let mut last: Option<(String, u32)> = None;
    for clause in clauses() {
        let (letter, number) = clause.split_once('-').expect("a letter and a number");
        let number: u32 = number.parse().expect("a number");
        let expected = match &last {
            Some((before, last)) if before == letter => last + 1,
            _ => 1,
        };
        assert_eq!(number, expected, "{clause}");
        last = Some((letter.to_owned(), number));
    }
}
