//! Every rule that a port can break has a number, and every number a case.

use std::collections::BTreeSet;

use samewait::clause;
use samewait::load::VectorSet;

use crate::chapters;

/// The clauses of the chapters that say what a port does, in the order of the text.
fn clauses_of_ports() -> Vec<&'static str> {
    clause::all()
        .map(|clause| clause.number)
        .filter(|number| !number.starts_with(['V', 'W', 'R']))
        .collect()
}

fn cited() -> BTreeSet<String> {
    let set = VectorSet::embedded().expect("vectors");
    set.cases.into_iter().flat_map(|case| case.clauses).collect()
}

#[test]
fn every_clause_has_a_case_or_a_reason() {
    let cited = cited();
    let is_open = |number: &&str| !cited.contains(*number) && clause::untestable(number).is_none();
    let open: Vec<&str> = clauses_of_ports().into_iter().filter(is_open).collect();
    assert!(open.is_empty(), "clauses without a case: {open:?}");
}

#[test]
fn no_clause_with_a_case_is_called_untestable() {
    let both: Vec<String> = cited()
        .into_iter()
        .filter(|number| clause::untestable(number).is_some())
        .collect();
    assert!(
        both.is_empty(),
        "clauses with a case and with a reason for having none: {both:?}"
    );
}

#[test]
fn every_case_cites_clauses_that_are_there() {
    let unknown: Vec<String> = cited()
        .into_iter()
        .filter(|number| clause::text(number).is_none())
        .collect();
    assert!(unknown.is_empty(), "cited, and not in the specification: {unknown:?}");
}

#[test]
fn no_number_is_missing() {
    let mut last: Option<(&str, u32)> = None;
    for number in clauses_of_ports() {
        let (letter, count) = number.split_once('-').expect("a letter and a number");
        let count: u32 = count.parse().expect("a number");
        let expected = match last {
            Some((before, last)) if before == letter => last + 1,
            _ => 1,
        };
        assert_eq!(count, expected, "{number}");
        last = Some((letter, count));
    }
}

#[test]
fn nothing_binds_without_a_number() {
    for (chapter, text) in chapters() {
        for paragraph in text.split("\n\n").filter(|paragraph| paragraph.contains("MUST")) {
            assert!(
                paragraph.starts_with("**["),
                "{chapter}: a MUST without a number:\n{paragraph}"
            );
        }
    }
}
