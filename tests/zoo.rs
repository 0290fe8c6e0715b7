//! The zoo and the vectors: every broken implementation is killed, by a case that knows why, and every case is worth something.

#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::time::Duration;

use samewait::case::Case;
use samewait::clause;
use samewait::judge::{Verdict, skip_for_resolution};
use samewait::load::VectorSet;
use samewait::port::{CaseReport, Command, drive};
use samewait::zoo::{self, Kills};

/// How many bugs there are at least.
const AT_LEAST: usize = 90;

/// What the note of a case begins its reason with, when it kills no bug and is no control, and stays all the same (V-18).
const KEPT: &str = "; kept because ";

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| VectorSet::embedded().expect("vectors").cases);

static KILLS: LazyLock<Kills<'static>> = LazyLock::new(|| Kills::of(&cases(), |_| true));

fn cases() -> Vec<&'static Case> {
    CASES.iter().collect()
}

#[test]
fn has_bugs_of_every_kind_and_each_says_what_it_is() {
    let mut names = BTreeSet::new();
    for kind in zoo::KINDS {
        assert!(!kind.bugs.is_empty(), "{} is empty", kind.name);
        assert!(kind.about.ends_with('.'), "{}: {}", kind.name, kind.about);
    }
    for bug in zoo::all() {
        let is_plain =
            |character: char| character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-';
        assert!(
            bug.name.chars().all(is_plain),
            "{}: lower-case words with hyphens",
            bug.name
        );
        assert!(names.insert(bug.name), "{} stands twice", bug.name);
        assert!(
            bug.about.ends_with('.') && bug.about.len() > 20,
            "{}: {}",
            bug.name,
            bug.about
        );
        assert!(bug.source.starts_with("https://"), "{}: {}", bug.name, bug.source);
        assert!(!bug.clauses.is_empty(), "{} breaks no clause", bug.name);
        for clause in bug.clauses {
            assert!(
                clause::text(clause).is_some(),
                "{} breaks {clause}, which is no clause",
                bug.name
            );
        }
    }
    assert!(names.len() >= AT_LEAST, "{} bugs, needed {AT_LEAST}", names.len());
}

#[test]
fn every_bug_is_killed_by_a_case_that_cites_it() {
    let is_open = |killed: &&zoo::KilledBug<'_>| killed.citing().next().is_none();
    let open: Vec<String> = KILLS
        .bugs
        .iter()
        .filter(is_open)
        .map(|killed| {
            format!(
                "{}: {} cases kill it, and none cites it",
                killed.bug.name,
                killed.cases.len()
            )
        })
        .collect();
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn no_case_is_useless() {
    let idle = KILLS.idle(&cases());
    let without_reason: Vec<&str> = idle
        .iter()
        .filter(|case| !case.note.contains(KEPT))
        .map(|case| case.id.as_str())
        .collect();
    assert!(
        without_reason.is_empty(),
        "these kill no bug, are the control of none, and don't say why they are kept:\n{}",
        without_reason.join("\n")
    );
}

#[test]
fn a_case_that_is_kept_for_a_reason_kills_nothing_else() {
    let idle: BTreeSet<&str> = KILLS.idle(&cases()).iter().map(|case| case.id.as_str()).collect();
    for case in cases().iter().filter(|case| case.note.contains(KEPT)) {
        assert!(
            idle.contains(case.id.as_str()),
            "{}: it needs no reason any more",
            case.id
        );
    }
}

/// How many cases that kill a bug, and how many that don't, are put to it over the wire.
const ON_THE_WIRE: usize = 4;

#[test]
fn a_bug_is_the_same_over_the_wire() {
    for killed in &KILLS.bugs {
        let bug = killed.bug;
        let dead_by: BTreeSet<&str> = killed.cases.iter().map(|case| case.id.as_str()).collect();
        let concerns = |case: &&&Case| skip_for_resolution(&case.question, bug.resolution).is_none();
        let harmless = CASES.iter().filter(|case| !dead_by.contains(case.id.as_str()));
        // Spread over all areas, and not the first few of the first one.
        let harmless: Vec<&Case> = harmless
            .collect::<Vec<_>>()
            .iter()
            .filter(concerns)
            .copied()
            .step_by(97)
            .collect();
        let asked = killed
            .citing()
            .take(ON_THE_WIRE)
            .chain(harmless.into_iter().take(ON_THE_WIRE));
        let command = Command {
            program: env!("CARGO_BIN_EXE_samewait").to_owned(),
            arguments: ["serve", "--bug", bug.name].map(str::to_owned).to_vec(),
            directory: None,
            environment: BTreeMap::new(),
            timeout: Duration::from_secs(60),
            guard: None,
        };
        let mut verdicts = Vec::new();
        let report = drive(&command, asked, &mut |report| verdicts.push(report));
        assert!(!verdicts.is_empty(), "{} was asked nothing", bug.name);
        if report.unusable.is_some() {
            // It fails the easy question that any port answers rightly.
            assert!(!dead_by.is_empty(), "{}: {:?}", bug.name, report.unusable);
            continue;
        }
        for CaseReport { case, verdict } in verdicts {
            let is_dead = dead_by.contains(case.id.as_str());
            assert_eq!(
                verdict == Verdict::Passed,
                !is_dead,
                "{} and {}: {verdict:?}",
                bug.name,
                case.id
            );
        }
    }
}
