//! A question that a law puts to a subject, and what comes back.

use std::fmt::Display;

use proptest::test_runner::{TestCaseError, TestCaseResult};

use super::law::{Finding, Law};
use super::measure::{is, measured};
use super::reply::{Delay, Refused};
use super::subject::Subject;
use crate::answer::{Answer, Refusal, Reply, Reported, Value};
use crate::judge::{Difference, Mismatch, Number, Shown, Verdict, judge, skip_for_resolution};
use crate::policy::PolicyFields;
use crate::question::Question;
use crate::reference;
use crate::wire::Resolution;

/// A question, for one law.
pub(super) struct Asked {
    law: &'static Law,
    fields: PolicyFields,
    question: Question,
    resolution: Resolution,
    notes: Vec<String>,
}

impl Asked {
    /// A question about a policy of these fields. It must be a whole number of units in every duration (W-17).
    pub(super) fn new<S: Subject>(
        law: &'static Law,
        subject: &S,
        fields: PolicyFields,
        question: Question,
    ) -> Result<Self, TestCaseError> {
        let resolution = subject.resolution();
        if let Some(why) = skip_for_resolution(&question, resolution) {
            return Err(TestCaseError::reject(why));
        }
        Ok(Self {
            law,
            fields,
            question,
            resolution,
            notes: Vec::new(),
        })
    }

    /// Adds something that is told when the law does not hold.
    pub(super) fn note(mut self, note: impl Display) -> Self {
        self.notes.push(note.to_string());
        self
    }

    /// The policy, which is legal.
    pub(super) fn policy<S: Subject>(&self, subject: &S) -> Result<S::Policy, TestCaseError> {
        self.answered(subject.build(&self.fields))
    }

    /// An answer, where the specification has one.
    pub(super) fn answered<T>(&self, answer: Result<T, Refused>) -> Result<T, TestCaseError> {
        answer.map_err(|refused| match refused {
            Refused::Unsupported(why) => TestCaseError::reject(why.into_owned()),
            Refused::Field(_) | Refused::Unnamed | Refused::RungTooLong => {
                self.broken("an answer: nothing here is out of range", described(&refused))
            }
        })
    }

    /// The law holds for an input that must be refused, and not for another reason.
    pub(super) fn is_refused<T>(&self, answer: Result<T, Refused>, expected: &Refused) -> TestCaseResult {
        match answer {
            Err(Refused::Unsupported(why)) => Err(TestCaseError::reject(why.into_owned())),
            Err(Refused::Unnamed) => Ok(()),
            Err(refused) => self.holds(refused == *expected, described(expected), described(&refused)),
            Ok(_) => Err(self.broken(described(expected), "an answer")),
        }
    }

    /// A delay in what the subject counts in.
    pub(super) fn measured(&self, delay: Delay) -> Number {
        measured(delay, self.resolution)
    }

    /// The law holds when the delay is this one: the same bits, or less than one unit away (W-16).
    pub(super) fn is(&self, found: Number, exact: f64) -> TestCaseResult {
        self.holds(is(found, exact), Number::Seconds(exact), found)
    }

    /// The law holds when the subject answers what the reference answers (W-6, W-16).
    pub(super) fn agrees(&self, answer: Result<Value<Reported>, Refused>) -> TestCaseResult {
        // No law asks for draws of a library's own.
        let expected = reference::answer(&self.question, || 0.5);
        let reply = match answer {
            Ok(value) => Reply::Value(value),
            Err(Refused::Unsupported(why)) => return Err(TestCaseError::reject(why.into_owned())),
            Err(Refused::Unnamed) if matches!(expected, Answer::Rejected(_)) => return Ok(()),
            Err(refused) => Reply::Rejected(self.refusal(&refused)),
        };
        match judge(&expected, &reply, self.resolution) {
            Verdict::Failed(mismatch) => {
                let (expected, found) = told(&mismatch);
                Err(self.broken(expected, found))
            }
            Verdict::Passed | Verdict::Errored(_) | Verdict::NotAsked(_) | Verdict::Skipped(_) => Ok(()),
        }
    }

    /// The law holds if so.
    pub(super) fn holds(&self, holds: bool, expected: impl Display, found: impl Display) -> TestCaseResult {
        if holds {
            Ok(())
        } else {
            Err(self.broken(expected, found))
        }
    }

    /// The law does not hold.
    pub(super) fn broken(&self, expected: impl Display, found: impl Display) -> TestCaseError {
        self.broken_by(self.law.clauses, expected, found)
    }

    /// The law does not hold, by these of its clauses.
    pub(super) fn broken_by(
        &self,
        clauses: &[&'static str],
        expected: impl Display,
        found: impl Display,
    ) -> TestCaseError {
        let finding = Finding {
            law: self.law,
            question: &self.question,
            expected: expected.to_string(),
            found: found.to_string(),
            notes: self.notes.clone(),
            clauses,
        };
        finding.into()
    }

    fn refusal(&self, refused: &Refused) -> Refusal {
        let field = match refused {
            Refused::Field(name) => Some(name.clone().into_owned()),
            Refused::Unnamed | Refused::RungTooLong | Refused::Unsupported(_) => None,
        };
        // The field that is wrong says whose fault it is: the policy's come first (P-11).
        let of_policy = crate::policy::Policy::new(self.fields).is_err();
        let code = match refused {
            Refused::RungTooLong => "rung_too_long",
            Refused::Field(_) | Refused::Unnamed | Refused::Unsupported(_) if of_policy => "invalid_policy",
            Refused::Field(_) | Refused::Unnamed | Refused::Unsupported(_) => "invalid_argument",
        };
        Refusal {
            code: code.to_owned(),
            field,
        }
    }
}

fn described(refused: &Refused) -> String {
    match refused {
        Refused::Field(name) => format!("refused: field {name}"),
        Refused::Unnamed => "refused".to_owned(),
        Refused::RungTooLong => "refused: rung_too_long".to_owned(),
        Refused::Unsupported(why) => format!("unsupported: {why}"),
    }
}

/// The first difference, in words: what was expected, what was found.
fn told(mismatch: &Mismatch) -> (String, String) {
    let shown = |shown: &Shown| match shown {
        Shown::Number(number) => number.to_string(),
        Shown::Text(text) => text.clone(),
        Shown::Absent => "nothing".to_owned(),
    };
    match mismatch {
        Mismatch::Kind { expected, got } => (expected.clone(), got.clone()),
        Mismatch::Content(differences) => differences.first().map_or_else(Default::default, |first| {
            let Difference { at, expected, got } = first;
            (format!("{at}: {}", shown(expected)), format!("{at}: {}", shown(got)))
        }),
        Mismatch::Trace { expected, got, first } => {
            let event = |trace: &[crate::scenario::TraceEvent]| {
                let event = trace.get(*first).map_or("nothing more".to_owned(), ToString::to_string);
                format!("event {first}: {event}")
            };
            (event(expected), event(got))
        }
        Mismatch::Samples { expected, flaw } => (expected.to_string(), flaw.to_string()),
        Mismatch::SameDraws(_) => ("draws of its own".to_owned(), "those of another process".to_owned()),
        Mismatch::Unsupported(why) => ("an answer".to_owned(), format!("unsupported: {why}")),
    }
}
