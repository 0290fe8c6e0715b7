//! Which case kills which bug.

use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use super::{Bug, KINDS, Kind, without_defect};
use crate::answer::Reply;
use crate::case::Case;
use crate::draws;
use crate::judge::{Verdict, judge, judge_again, needs_a_second_process, skip_for_resolution};

/// What a bug draws itself is the same in every run of the zoo; a second process draws with the seed after it.
const SEED: u64 = 1;

/// Every bug of the zoo, with the cases that kill it.
#[derive(Debug)]
pub struct Kills<'a> {
    /// The bugs, in the order of the zoo.
    pub bugs: Vec<KilledBug<'a>>,
}

/// One bug and what kills it.
#[derive(Debug)]
pub struct KilledBug<'a> {
    /// The kind it belongs to.
    pub kind: &'static Kind,
    /// The bug.
    pub bug: &'static Bug,
    /// The cases it answers wrongly, in their order; empty when it survives.
    pub cases: Vec<&'a Case>,
}

impl<'a> Kills<'a> {
    /// Puts every case to every bug that is wanted.
    #[must_use]
    pub fn of(cases: &[&'a Case], is_wanted: impl Fn(&Bug) -> bool) -> Self {
        let bugs = KINDS
            .iter()
            .flat_map(|kind| kind.bugs.iter().map(move |bug| (kind, bug)));
        let bugs: Vec<_> = bugs.filter(|(_, bug)| is_wanted(bug)).collect();
        let right = |case: &&Case| without_defect(&case.question, &mut draws::seeded(SEED));
        let right: Vec<Reply> = cases.iter().map(right).collect();
        let killed = |&(kind, bug): &(&'static Kind, &'static Bug)| {
            let asked = cases.iter().zip(&right);
            let killers = asked.filter(|(case, right)| bug.is_killed(case, Some(right)));
            let cases = killers.map(|(case, _)| *case).collect();
            KilledBug { kind, bug, cases }
        };
        // Every second bug, say, to each of two threads: neighbours cost alike.
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let shares = thread::scope(|scope| {
            let share = |first: usize| bugs.iter().skip(first).step_by(threads).map(killed).collect::<Vec<_>>();
            let workers: Vec<_> = (0..threads).map(|first| scope.spawn(move || share(first))).collect();
            let joined = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            joined.map(Vec::into_iter).collect::<Vec<_>>()
        });
        Self { bugs: in_turn(shares) }
    }

    /// The bugs that no case kills.
    pub fn survivors(&self) -> impl Iterator<Item = &'static Bug> {
        self.bugs
            .iter()
            .filter(|killed| killed.cases.is_empty())
            .map(|killed| killed.bug)
    }

    /// The bugs that one case alone kills, each with that case.
    pub fn by_one_alone(&self) -> impl Iterator<Item = (&'static Bug, &'a Case)> {
        self.bugs.iter().filter_map(|killed| match killed.cases[..] {
            [case] => Some((killed.bug, case)),
            _ => None,
        })
    }

    /// How many bugs each case kills, by id; those that kill none are not there.
    #[must_use]
    pub fn by_case(&self) -> HashMap<&'a str, usize> {
        let mut counts = HashMap::new();
        for case in self.bugs.iter().flat_map(|killed| &killed.cases) {
            *counts.entry(case.id.as_str()).or_insert(0) += 1;
        }
        counts
    }

    /// The cases that kill nothing, and are not the control of another either.
    #[must_use]
    pub fn idle(&self, cases: &[&'a Case]) -> Vec<&'a Case> {
        let counts = self.by_case();
        let controls: HashSet<&str> = cases.iter().filter_map(|case| case.control.as_deref()).collect();
        let is_idle = |case: &&&Case| !counts.contains_key(case.id.as_str()) && !controls.contains(case.id.as_str());
        cases.iter().filter(is_idle).copied().collect()
    }
}

impl KilledBug<'_> {
    /// Those of the cases that cite the bug's report or one of its clauses.
    pub fn citing(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().copied().filter(|case| self.bug.is_cited_by(case))
    }
}

impl Bug {
    /// Whether the bug answers the case wrongly. A case that would be skipped for its resolution (W-17) kills nothing.
    #[must_use]
    pub fn is_killed_by(&self, case: &Case) -> bool {
        self.is_killed(case, None)
    }

    /// The same, where the reply of a port without a defect may be known. Samples that are drawn as it does need not be examined.
    fn is_killed(&self, case: &Case, right: Option<&Reply>) -> bool {
        if skip_for_resolution(&case.question, self.resolution).is_some() {
            return false;
        }
        let reply = |seed| self.reply(&case.question, &mut draws::seeded(seed));
        let (first, is_random) = (reply(SEED), needs_a_second_process(&case.expected));
        if is_random && right == Some(&first) {
            return false;
        }
        let mut verdict = judge(&case.expected, &first, self.resolution);
        if verdict == Verdict::Passed && is_random {
            verdict = judge_again(&case.expected, &first, &reply(SEED + 1), self.resolution);
        }
        verdict != Verdict::Passed
    }

    /// Whether the case names the bug's report, or a clause that the bug breaks.
    #[must_use]
    pub fn is_cited_by(&self, case: &Case) -> bool {
        let breaks = |clause: &String| self.clauses.contains(&clause.as_str());
        case.source.as_deref() == Some(self.source) || case.clauses.iter().any(breaks)
    }
}

/// Takes one from each in turn, until there are none.
fn in_turn<T>(mut shares: Vec<impl Iterator<Item = T>>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        let before = all.len();
        all.extend(shares.iter_mut().filter_map(Iterator::next));
        if all.len() == before {
            return all;
        }
    }
}
