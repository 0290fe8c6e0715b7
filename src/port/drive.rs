//! A whole test of one port.

use std::collections::VecDeque;

use super::fault::{Fault, FaultKind, Unusable};
use super::fresh::Verdicts;
use super::session::{Answered, Session};
use super::verdict::CaseReport;
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
    /// A warning that holds for several processes of the port is given once.
    fn warn(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

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
/// Where a library makes its own draws, two processes are asked the same, and must not draw the same (J-9).
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
    let mut verdicts = Verdicts::new(on_verdict);
    let session = match open(command) {
        Ok(session) => session,
        Err(unusable) => {
            not_asked(cases, &unusable, &mut verdicts);
            report.unusable = Some(unusable);
            return report;
        }
    };
    let hello = session.hello.clone();
    report.hello = Some(hello.clone());
    for feature in &hello.unknown_features {
        report.warn(format!("the port claims `{feature}`, which this kit does not test"));
    }
    let mut questions = Questions {
        again: VecDeque::new(),
        cases: cases.fuse(),
    };
    let mut end = put_all(command, session, &hello, &mut questions, &mut report, &mut verdicts);
    if end.is_ok() {
        questions.again = verdicts.start_again().into();
        if !questions.again.is_empty() {
            end = open(command)
                .and_then(|session| put_all(command, session, &hello, &mut questions, &mut report, &mut verdicts));
        }
    }
    if let Err(unusable) = end {
        let left = questions.again.into_iter().chain(questions.cases);
        not_asked(left.chain(verdicts.held_back()), &unusable, &mut verdicts);
        report.unusable = Some(unusable);
    }
    report
}

/// A process that has shown to be wired right. Each starts in the same way: a fixed seed then shows in what it draws.
fn open(command: &Command) -> Result<Session, Unusable> {
    let mut session = Session::open(command)?;
    smoke::check(&mut session)?;
    Ok(session)
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
    verdicts: &mut Verdicts<'a, '_>,
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
            let judged = verdicts.judge(case, body, hello.resolution);
            verdicts.believe(case, judged);
        });
        for (case, reason) in skipped {
            verdicts.tell(case, Verdict::Skipped(reason));
        }
        let Err(broken) = conversation else {
            return close(command, session, hello, &answered, report, verdicts);
        };
        drop(session);
        let mut open = VecDeque::from(broken.open);
        let mut go_on = Ok(());
        if let Some(case) = answered.twice(&broken.fault) {
            // Guilty beyond doubt; its first answer stands.
            report.add(broken.fault, Blame::Case(case.id.clone()));
        } else {
            match blame::find(command, hello.resolution, &mut open, verdicts) {
                Ok(Some((case, fault))) => {
                    verdicts.tell(case, Verdict::Errored(fault.to_string()));
                    report.add(fault, Blame::Case(case.id.clone()));
                }
                Ok(None) => {
                    let suspect = answered.last();
                    go_on = blame_the_answered(command, suspect, hello, broken.fault, report, verdicts);
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
    verdicts: &Verdicts<'_, '_>,
) -> Result<(), Unusable> {
    match session.close() {
        Ok(Some(warning)) => report.warn(warning),
        Ok(None) => {}
        Err(fault) => {
            if let Some(case) = answered.twice(&fault) {
                report.add(fault, Blame::Case(case.id.clone()));
            } else {
                return blame_the_answered(command, answered.last(), hello, fault, report, verdicts);
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
    verdicts: &Verdicts<'_, '_>,
) -> Result<(), Unusable> {
    let heard = suspect.map(|case| (case, blame::alone(command, case, hello.resolution, verdicts)));
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

fn not_asked<'a>(cases: impl Iterator<Item = &'a Case>, unusable: &Unusable, verdicts: &mut Verdicts<'a, '_>) {
    for case in cases {
        verdicts.tell(case, Verdict::NotAsked(unusable.to_string()));
    }
}

fn reason_to_skip(case: &Case, hello: &Hello) -> Option<String> {
    let ask = case.question.ask();
    if !hello.features.contains(&ask) {
        return Some(format!("the port does not claim `{}`", ask.name()));
    }
    skip_for_resolution(&case.question, hello.resolution)
}
