//! Broken implementations, kept to measure the vectors: each is the reference with one defect that a real library had.
//!
//! A kit is worth what it catches. [`all`] gives every [`Bug`] there is, each with the public report it comes from; a bug answers
//! questions as a port would, in this process through [`Bug::reply`] or on a pair of pipes through `samewait serve --bug NAME`.
//!
//! # Design
//!
//! The reference itself knows nothing of bugs. The private `Rules` are the decisions an implementation makes, one function for each;
//! as specified, each function calls the reference. A bug replaces one of them. What is made of the decisions (a schedule of
//! backoffs, a ladder of the schedule, a queue of `next_delay`) follows the defect, as it does in a library.

mod kills;
mod kinds;
mod queue;
mod rules;
pub mod samplers;
mod specified;

use crate::answer::{Refusal, Reply, Reported, Value};
use crate::question::Question;
use crate::serve::Respondent;
use crate::wire::{Hello, Resolution};
pub use kills::{KilledBug, Kills};
pub use kinds::{KINDS, Kind};
use rules::{Rules, Stop};
use samplers::Draws;

/// One broken implementation.
#[derive(Debug, Clone, Copy)]
pub struct Bug {
    /// Its name: lower-case words with hyphens, unique in the zoo.
    pub name: &'static str,
    /// What it does wrong, in one sentence.
    pub about: &'static str,
    /// A public report of a library that did so.
    pub source: &'static str,
    /// The clauses it breaks; at least one.
    pub clauses: &'static [&'static str],
    /// What its delays are counted in (W-16).
    pub resolution: Resolution,
    rules: Rules,
}

/// Every bug, kind by kind.
pub fn all() -> impl Iterator<Item = &'static Bug> {
    KINDS.iter().flat_map(|kind| kind.bugs)
}

/// The bug of that name, if there is one.
#[must_use]
pub fn named(name: &str) -> Option<&'static Bug> {
    all().find(|bug| bug.name == name)
}

/// What the zoo makes of a question where nothing is broken: the reference's reply, found by the zoo's own means.
#[must_use]
pub fn without_defect(question: &Question, draw: Draws<'_>) -> Reply {
    reply(&Rules::AS_SPECIFIED, Resolution::Exact, question, draw)
}

impl Bug {
    /// A bug of a port that answers binary64 seconds, where only the rules are its own.
    const fn exact(
        name: &'static str,
        about: &'static str,
        source: &'static str,
        clauses: &'static [&'static str],
        rules: Rules,
    ) -> Self {
        Self {
            name,
            about,
            source,
            clauses,
            resolution: Resolution::Exact,
            rules,
        }
    }

    /// What it makes of a question; where it draws itself (J-9), it takes the draws from `draw`.
    #[must_use]
    pub fn reply(&self, question: &Question, draw: Draws<'_>) -> Reply {
        reply(&self.rules, self.resolution, question, draw)
    }

    /// The bug as a port, with the draws of its own taken from `draw`.
    pub fn port<Draw: FnMut() -> f64>(&'static self, draw: Draw) -> BugPort<Draw> {
        BugPort { bug: self, draw }
    }
}

/// A bug as a port. Made by [`Bug::port`].
#[derive(Debug)]
pub struct BugPort<Draw> {
    bug: &'static Bug,
    draw: Draw,
}

impl<Draw: FnMut() -> f64> Respondent for BugPort<Draw> {
    fn hello(&self) -> Hello {
        Hello {
            name: self.bug.name.to_owned(),
            resolution: self.bug.resolution,
            ..Hello::of_reference()
        }
    }

    fn reply(&mut self, question: &Question) -> Reply {
        self.bug.reply(question, &mut self.draw)
    }
}

fn reply(rules: &Rules, resolution: Resolution, question: &Question, draw: Draws<'_>) -> Reply {
    match rules.value(question, draw) {
        Ok(value) => Reply::Value(counted(rules, resolution, value)),
        Err(Stop::Rejected(rejection)) => Reply::Rejected(Refusal::from(&rejection)),
        Err(Stop::Crashed(text)) => Reply::Error(text.to_owned()),
    }
}

/// Delays in what the port counts in: the conversion at the edge of its API.
fn counted(rules: &Rules, resolution: Resolution, value: Value) -> Value<Reported> {
    value.reported(|seconds| match resolution.places() {
        None => Reported::Seconds(seconds),
        Some(places) => Reported::Count((rules.count)(seconds, places)),
    })
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::draws;
    use crate::judge::{Verdict, judge, skip_for_resolution};
    use crate::load::VectorSet;
    use crate::reference;

    #[test]
    fn without_a_defect_it_is_the_reference() {
        for case in VectorSet::embedded().expect("vectors").cases {
            let expected = Reply::from(reference::answer(&case.question, draws::seeded(1)));
            let found = reply(
                &Rules::AS_SPECIFIED,
                Resolution::Exact,
                &case.question,
                &mut draws::seeded(1),
            );
            assert_eq!(found, expected, "{}", case.id);
        }
    }

    #[test]
    fn without_a_defect_it_passes_in_every_unit() {
        for resolution in [
            Resolution::Nanosecond,
            Resolution::Tick,
            Resolution::Microsecond,
            Resolution::Millisecond,
        ] {
            for case in VectorSet::embedded().expect("vectors").cases {
                if skip_for_resolution(&case.question, resolution).is_none() {
                    let found = reply(&Rules::AS_SPECIFIED, resolution, &case.question, &mut draws::seeded(1));
                    let verdict = judge(&case.expected, &found, resolution);
                    assert_eq!(verdict, Verdict::Passed, "{} in {resolution}", case.id);
                }
            }
        }
    }
}
