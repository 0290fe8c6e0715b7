//! A whole test of one port.

use std::collections::VecDeque;

use super::fault::{Fault, FaultKind, Unusable};
use super::session::{Answered, Session};
use super::verdict::{CaseReport, verdict};
use super::{Command, blame, smoke};
use crate::case::Case;
use crate::judge::{Verdict, skip_for_resolution};
use crate::wire::Hello;

/// How many questions are open at a time.
const WINDOW: usize = 1024;

/// How often a port may fall silent before it is given up: each time costs two or three times the timeout.
const MAX_SILENCES: usize = 5;

/// How often a port may fail in any way before it is given up.
const MAX_FAULTS: usize = 200;

/// What is to be said of the port as a whole.
#[derive(Debug)]
pub struct PortReport {
    /// How it introduced itself; none when it never did.
    pub hello: Option<Hello>,
    /// How it broke the protocol.
    pub faults: Vec<FaultReport>,
    /// What is not as it should be, but no fault.
    pub warnings: Vec<String>,
    /// Why the test could not be made or not be finished.
    pub unusable: Option<Unusable>,
}

impl PortReport {
    fn add(&mut self, fault: Fault, blame: Blame) {
        self.faults.push(FaultReport { fault, blame });
    }
}

/// One fault, and who caused it.
#[derive(Debug)]
pub struct FaultReport {
    /// What happened.
    pub fault: Fault,
    /// Who caused it.
    pub blame: Blame,
}

/// Who caused a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blame {
    /// This case, by id: it causes a fault also when it is asked alone, or it was answered twice.
    Case(String),
    /// No case by itself: asked alone, each one that could be suspected is answered.
    Nobody,
    /// Unknown: the port could not be asked again.
    Unknown,
}

impl FaultReport {
    /// The guilty case, where there is one.
    #[must_use]
    pub fn guilty(&self) -> Option<&str> {
        match &self.blame {
            Blame::Case(id) => Some(id),
            Blame::Nobody | Blame::Unknown => None,
        }
    }
}

/// Puts the questions of `cases` to a port, and hands out one verdict for each of them, in the order in which they are known.
///
/// A case whose feature the port does not claim, or whose durations its resolution can't express, is skipped (W-15, W-17).
pub fn drive<'a>(
    command: &Command,
    cases: impl Iterator<Item = &'a Case>,
    on_verdict: &mut dyn FnMut(CaseReport<'a>),
) -> PortReport {
    let mut report = PortReport {
        hello: None,
        faults: Vec::new(),
        warnings: Vec::new(),
        unusable: None,
    };
    let opened = Session::open(command).and_then(|mut session| {
        smoke::check(&mut session)?;
        Ok(session)
    });
    let session = match opened {
        Ok(session) => session,
        Err(unusable) => {
            not_asked(cases, &unusable, on_verdict);
            report.unusable = Some(unusable);
            return report;
        }
    };
    let hello = session.hello.clone();
    report.hello = Some(hello.clone());
    for feature in &hello.unknown_features {
        report
            .warnings
            .push(format!("the port claims `{feature}`, which this kit does not test"));
    }
    let mut questions = Questions {
        again: VecDeque::new(),
        cases,
    };
    if let Err(unusable) = put_all(command, session, &hello, &mut questions, &mut report, on_verdict) {
        not_asked(
            questions.again.into_iter().chain(questions.cases),
            &unusable,
            on_verdict,
        );
        report.unusable = Some(unusable);
    }
    report
}

/// Cases still to be asked: first those that a fault left over.
struct Questions<'a, Cases> {
    again: VecDeque<&'a Case>,
    cases: Cases,
}

fn put_all<'a>(
    command: &Command,
    mut session: Session,
    hello: &Hello,
    questions: &mut Questions<'a, impl Iterator<Item = &'a Case>>,
    report: &mut PortReport,
    on_verdict: &mut dyn FnMut(CaseReport<'a>),
) -> Result<(), Unusable> {
    let mut answered = Answered::new();
    loop {
        // Skipped cases are told of while the others are fetched.
        let mut skipped = Vec::new();
        let asked = std::iter::from_fn(|| {
            loop {
                let case = questions.again.pop_front().or_else(|| questions.cases.next())?;
                match reason_to_skip(case, hello) {
                    None => return Some(case),
                    Some(reason) => skipped.push((case, reason)),
                }
            }
        });
        let write = |line: &mut Vec<u8>, id: &str, case: &Case| crate::wire::write_question(line, id, &case.question);
        let conversation = session.converse(asked, WINDOW, &mut answered, write, |case, body| {
            let verdict = verdict(case, body, hello.resolution);
            on_verdict(CaseReport { case, verdict });
        });
        for (case, reason) in skipped {
            let verdict = Verdict::Skipped(reason);
            on_verdict(CaseReport { case, verdict });
        }
        let Err(broken) = conversation else {
            return close(command, session, hello, &answered, report);
        };
        drop(session);
        let mut open = VecDeque::from(broken.open);
        let mut go_on = Ok(());
        if let Some(case) = answered.twice(&broken.fault) {
            // Guilty beyond doubt; its first answer stands.
            report.add(broken.fault, Blame::Case(case.id.clone()));
        } else {
            match blame::find(command, hello.resolution, &mut open, on_verdict) {
                Ok(Some((case, fault))) => {
                    let verdict = Verdict::Errored(fault.to_string());
                    on_verdict(CaseReport { case, verdict });
                    report.add(fault, Blame::Case(case.id.clone()));
                }
                Ok(None) => {
                    let suspect = answered.last();
                    go_on = blame_the_answered(command, suspect, hello, broken.fault, report);
                }
                Err(unusable) => {
                    report.add(broken.fault, Blame::Unknown);
                    go_on = Err(unusable);
                }
            }
        }
        open.append(&mut questions.again);
        questions.again = open;
        go_on?;
        give_up_on_a_hopeless_port(&report.faults)?;
        session = Session::open(command)?;
    }
}

fn close(
    command: &Command,
    session: Session,
    hello: &Hello,
    answered: &Answered<&Case>,
    report: &mut PortReport,
) -> Result<(), Unusable> {
    match session.close() {
        Ok(warning) => report.warnings.extend(warning),
        Err(fault) => {
            if let Some(case) = answered.twice(&fault) {
                report.add(fault, Blame::Case(case.id.clone()));
            } else {
                return blame_the_answered(command, answered.last(), hello, fault, report);
            }
        }
    }
    Ok(())
}

/// A fault that no open case causes may come after an answer, which itself stands: is it the last one's?
fn blame_the_answered(
    command: &Command,
    suspect: Option<&Case>,
    hello: &Hello,
    fault: Fault,
    report: &mut PortReport,
) -> Result<(), Unusable> {
    let heard = suspect.map(|case| (case, blame::alone(command, case, hello.resolution)));
    match heard {
        None | Some((_, Ok(Ok(_)))) => report.add(fault, Blame::Nobody),
        Some((case, Ok(Err(fault)))) => report.add(fault, Blame::Case(case.id.clone())),
        Some((_, Err(unusable))) => {
            report.add(fault, Blame::Unknown);
            return Err(unusable);
        }
    }
    Ok(())
}

fn give_up_on_a_hopeless_port(faults: &[FaultReport]) -> Result<(), Unusable> {
    let is_silence = |report: &&FaultReport| matches!(report.fault.kind, FaultKind::Silent { .. });
    let silences = faults.iter().filter(is_silence).count();
    if silences >= MAX_SILENCES || faults.len() >= MAX_FAULTS {
        let faults = faults.len();
        return Err(Unusable::GivenUp { faults });
    }
    Ok(())
}

fn not_asked<'a>(
    cases: impl Iterator<Item = &'a Case>,
    unusable: &Unusable,
    on_verdict: &mut dyn FnMut(CaseReport<'a>),
) {
    for case in cases {
        let verdict = Verdict::NotAsked(unusable.to_string());
        on_verdict(CaseReport { case, verdict });
    }
}

fn reason_to_skip(case: &Case, hello: &Hello) -> Option<String> {
    let ask = case.question.ask();
    if !hello.features.contains(&ask) {
        return Some(format!("the port does not claim `{}`", ask.name()));
    }
    skip_for_resolution(&case.question, hello.resolution)
}
