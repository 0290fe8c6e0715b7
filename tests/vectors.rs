//! One test for each embedded vector, named by its id: the reference answers, and the judge decides.
#![expect(clippy::panic, reason = "tests fail by panicking")]

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use samewait::answer::Reply;
use samewait::case::Case;
use samewait::draws;
use samewait::judge::{Difference, Mismatch, Shown, Verdict, judge};
use samewait::load::VectorSet;
use samewait::reference;
use samewait::scenario::TraceEvent;
use samewait::wire::Resolution;

fn main() -> ExitCode {
    let set = VectorSet::embedded().unwrap_or_else(|error| panic!("{error}"));
    assert!(
        !set.cases.is_empty(),
        "no vector is embedded, so that nothing would be tested"
    );
    let trials = set
        .cases
        .into_iter()
        .map(|case| Trial::test(case.id.clone(), move || check(&case)))
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The reference takes the road of any port: its answer is a reply, and only the judge sees the expectation.
fn check(case: &Case) -> Result<(), Failed> {
    let reply = Reply::from(reference::answer(&case.question, draws::seeded(1)));
    let verdict = judge(&case.expected, &reply, Resolution::Exact);
    if verdict == Verdict::Passed {
        return Ok(());
    }
    let why = if let Verdict::Failed(mismatch) = &verdict {
        describe(mismatch)
    } else {
        format!("{verdict:?}")
    };
    Err(Failed::from(format!("{}: {}\n{why}", case.place, case.note)))
}

fn describe(mismatch: &Mismatch) -> String {
    match mismatch {
        Mismatch::Kind { expected, got } => format!("  expected {expected}\n  got      {got}"),
        Mismatch::Unsupported(why) => format!("  unsupported: {why}"),
        Mismatch::Trace { expected, got, first } => {
            let event = |trace: &[TraceEvent]| trace.get(*first).map_or("nothing".to_owned(), ToString::to_string);
            format!(
                "  trace[{first}]\n    expected {}\n    got      {}",
                event(expected),
                event(got)
            )
        }
        Mismatch::Samples { expected, flaw } => format!("  expected {expected}\n  got      {flaw}\n{}", flaw.histogram),
        Mismatch::SameDraws(draws) => format!("  drawn twice: {draws:?}"),
        Mismatch::Content(differences) => differences.iter().map(line).collect::<Vec<_>>().join("\n"),
    }
}

fn line(Difference { at, expected, got }: &Difference) -> String {
    format!("  {at}\n    expected {}\n    got      {}", shown(expected), shown(got))
}

fn shown(shown: &Shown) -> String {
    match shown {
        Shown::Number(number) => number.to_string(),
        Shown::Text(text) => text.clone(),
        Shown::Absent => "nothing".to_owned(),
    }
}
