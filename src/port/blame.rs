//! Which question broke the port? The open ones are put one by one, and a suspect alone in a process of its own.

use super::Command;
use super::drive::{CaseReport, FaultReport, verdict};
use super::fault::{Fault, Unusable};
use super::session::Session;
use crate::case::Case;
use crate::judge::Verdict;
use crate::wire::{Resolution, write_question};

/// Finds the guilty one of the cases that were open when the port failed.
///
/// Cases that are answered on the way get their verdicts, and the guilty one an error. Those after it are handed back, to be
/// asked again. When no case is guilty, the fault depends on what came before; it is reported without one.
pub(super) fn find<'a>(
    command: &Command,
    fault: Fault,
    open: Vec<&'a Case>,
    resolution: Resolution,
    faults: &mut Vec<FaultReport>,
    on_verdict: &mut dyn FnMut(CaseReport<'a>),
) -> Result<Vec<&'a Case>, Unusable> {
    let mut open = open.into_iter();
    let mut shared: Option<Session> = None;
    // The last answer is held back: its port may yet turn out to have added something to it.
    let mut held: Option<CaseReport<'a>> = None;
    let mut unexplained = Some(fault);
    while let Some(case) = open.next() {
        let is_alone = shared.is_none();
        let mut session = match shared.take() {
            Some(session) => session,
            None => Session::open(command)?,
        };
        let suspects = match single(&mut session, case, resolution) {
            Ok(verdict) => {
                if let Some(report) = held.replace(CaseReport { case, verdict }) {
                    on_verdict(report);
                }
                shared = Some(session);
                continue;
            }
            Err(fault) if is_alone => {
                unexplained = None;
                accuse(case, fault, faults, on_verdict);
                break;
            }
            Err(_) => [Some(case), held.take().map(|report| report.case)],
        };
        drop(session);
        let mut is_found = false;
        for suspect in suspects.into_iter().flatten() {
            match alone(command, suspect, resolution)? {
                Ok(verdict) => on_verdict(CaseReport { case: suspect, verdict }),
                Err(fault) => {
                    is_found = true;
                    accuse(suspect, fault, faults, on_verdict);
                }
            }
        }
        if is_found {
            unexplained = None;
            break;
        }
    }
    if let Some(session) = shared
        && let Some(report) = held.take()
    {
        // The last one answered: its process must also end well, or else it is heard alone.
        match session.close() {
            Ok(_) => on_verdict(report),
            Err(_) => match alone(command, report.case, resolution)? {
                Ok(verdict) => on_verdict(CaseReport {
                    case: report.case,
                    verdict,
                }),
                Err(fault) => {
                    unexplained = None;
                    accuse(report.case, fault, faults, on_verdict);
                }
            },
        }
    }
    if let Some(report) = held {
        on_verdict(report);
    }
    faults.extend(unexplained.map(|fault| FaultReport { fault, guilty: None }));
    Ok(open.collect())
}

/// One question to a process that may have answered others.
fn single(session: &mut Session, case: &Case, resolution: Resolution) -> Result<Verdict, Fault> {
    let mut answer = None;
    let write = |line: &mut Vec<u8>, id: &str, case: &Case| write_question(line, id, &case.question);
    session
        .converse([case].into_iter(), 1, write, |case, body| {
            answer = Some(verdict(case, body, resolution))
        })
        .map_err(|broken| broken.fault)?;
    // A conversation that did not break has answered its only question.
    Ok(answer.unwrap_or_else(|| Verdict::Errored("no answer".to_owned())))
}

/// One question to a process of its own, from start to end.
fn alone(command: &Command, case: &Case, resolution: Resolution) -> Result<Result<Verdict, Fault>, Unusable> {
    let mut session = Session::open(command)?;
    Ok(single(&mut session, case, resolution).and_then(|verdict| session.close().map(|_| verdict)))
}

fn accuse<'a>(case: &'a Case, fault: Fault, faults: &mut Vec<FaultReport>, on_verdict: &mut dyn FnMut(CaseReport<'a>)) {
    let verdict = Verdict::Errored(fault.to_string());
    on_verdict(CaseReport { case, verdict });
    faults.push(FaultReport {
        fault,
        guilty: Some(case.id.clone()),
    });
}
