//! From answers to verdicts, and the fresh process that some verdicts wait for.
//!
//! Whether a library's own draws are another sequence in another process (J-9) shows only when two processes are asked the same. The
//! verdict on an answer that hangs on it is held back until a second process has answered, too.

use super::verdict::{CaseReport, reply};
use crate::answer::Reply;
use crate::case::Case;
use crate::judge::{Verdict, judge, judge_again, needs_a_second_process};
use crate::wire::{Body, Resolution};

/// Hands out one verdict for each case, when it is final.
pub(super) struct Verdicts<'a, 'f> {
    on_verdict: &'f mut dyn FnMut(CaseReport<'a>),
    /// Right answers that a second process has still to be held against.
    held: Vec<(&'a Case, Reply)>,
    /// What the first process answered, while the second one is asked.
    first: Vec<(&'a Case, Reply)>,
}

/// An answer that has been judged and is not yet believed: what its port writes next may show that it broke.
pub(super) struct Judged {
    verdict: Verdict,
    /// The answer, if a second process must be held against it.
    held: Option<Reply>,
}

impl Judged {
    /// What can't be: a conversation that went well, and no answer.
    pub(super) fn missing() -> Self {
        let verdict = Verdict::Errored("no answer".to_owned());
        Self { verdict, held: None }
    }
}

impl<'a, 'f> Verdicts<'a, 'f> {
    pub(super) fn new(on_verdict: &'f mut dyn FnMut(CaseReport<'a>)) -> Self {
        Self {
            on_verdict,
            held: Vec::new(),
            first: Vec::new(),
        }
    }

    /// Judges an answer. It changes nothing until the verdict is believed.
    pub(super) fn judge(&self, case: &Case, body: Body<'_>, resolution: Resolution) -> Judged {
        let reply = match reply(case, body, resolution) {
            Ok(reply) => reply,
            Err(why) => {
                let verdict = Verdict::Errored(why);
                return Judged { verdict, held: None };
            }
        };
        if let Some((_, first)) = self.first.iter().find(|(asked, _)| asked.id == case.id) {
            let verdict = judge_again(&case.expected, first, &reply, resolution);
            return Judged { verdict, held: None };
        }
        let verdict = judge(&case.expected, &reply, resolution);
        let is_held = verdict == Verdict::Passed && needs_a_second_process(&case.expected);
        let held = is_held.then_some(reply);
        Judged { verdict, held }
    }

    /// Takes a verdict for final, or for the first half of it.
    pub(super) fn believe(&mut self, case: &'a Case, judged: Judged) {
        match judged.held {
            Some(reply) => self.held.push((case, reply)),
            None => self.tell(case, judged.verdict),
        }
    }

    /// Hands out a verdict that hangs on no answer.
    pub(super) fn tell(&mut self, case: &'a Case, verdict: Verdict) {
        (self.on_verdict)(CaseReport { case, verdict });
    }

    /// From here on answers are those of a second process. Gives the cases that it must be asked, in the order of the vectors: so a fixed
    /// seed makes the same draws for each of them again.
    pub(super) fn start_again(&mut self) -> Vec<&'a Case> {
        self.first = std::mem::take(&mut self.held);
        self.first.sort_by(|(one, _), (other, _)| one.place.cmp(&other.place));
        self.first.iter().map(|(case, _)| *case).collect()
    }

    /// The cases whose verdict is still held back.
    pub(super) fn held_back(&mut self) -> Vec<&'a Case> {
        std::mem::take(&mut self.held)
            .into_iter()
            .map(|(case, _)| case)
            .collect()
    }
}
