//! Which question broke the port? The open ones are put one by one, and a suspect alone in a process of its own.

use std::collections::VecDeque;

use super::Command;
use super::fault::{Fault, Unusable};
use super::fresh::{Judged, Verdicts};
use super::session::{Answered, Session};
use crate::case::Case;
use crate::wire::{Resolution, write_question};

/// Finds the guilty one of the cases that were open when the port failed, and takes it out of them.
///
/// Cases that are answered on the way get their verdicts and are taken out, too; what stays in `open` is to be asked again. When no case is
/// guilty, the fault depends on what came before.
///
/// # Errors
///
/// When the port can't be started any more; `open` then has what is left without a verdict.
pub(super) fn find<'a>(
    command: &Command,
    resolution: Resolution,
    open: &mut VecDeque<&'a Case>,
    verdicts: &mut Verdicts<'a, '_>,
) -> Result<Option<(&'a Case, Fault)>, Unusable> {
    let mut session = Session::open(command)?;
    let mut is_fresh = true;
    // The verdict on the first open case. It is believed when the next case is answered: its port may have added something.
    let mut last: Option<Judged> = None;
    let suspects = loop {
        let Some(&case) = open.get(usize::from(last.is_some())) else {
            // Nothing is left to ask. The last answer is good if nothing came after it.
            let is_good = session.close().is_ok();
            if let (true, Some(judged)) = (is_good, last.take()) {
                believe(open, judged, verdicts);
            }
            break open.len();
        };
        match single(&mut session, case, resolution, verdicts) {
            Ok(judged) => {
                if let Some(judged) = last.replace(judged) {
                    believe(open, judged, verdicts);
                }
            }
            Err(fault) if is_fresh => return Ok(open.pop_front().map(|case| (case, fault))),
            Err(_) => {
                drop(session);
                break usize::from(last.is_some()) + 1;
            }
        }
        is_fresh = false;
    };
    for _ in 0..suspects {
        let Some(&suspect) = open.front() else { break };
        match alone(command, suspect, resolution, verdicts)? {
            Ok(judged) => believe(open, judged, verdicts),
            Err(fault) => return Ok(open.pop_front().map(|case| (case, fault))),
        }
    }
    Ok(None)
}

fn believe<'a>(open: &mut VecDeque<&'a Case>, judged: Judged, verdicts: &mut Verdicts<'a, '_>) {
    if let Some(case) = open.pop_front() {
        verdicts.believe(case, judged);
    }
}

/// One question to a process that may have answered others.
fn single(
    session: &mut Session,
    case: &Case,
    resolution: Resolution,
    verdicts: &Verdicts<'_, '_>,
) -> Result<Judged, Fault> {
    let mut answer = None;
    let write = |line: &mut Vec<u8>, id: &str, case: &Case| write_question(line, id, &case.question);
    let conversation = session.converse([case].into_iter(), 1, &mut Answered::new(), write, |case, body| {
        answer = Some(verdicts.judge(case, body, resolution));
    });
    match conversation {
        // A conversation that did not break has answered its only question.
        Ok(()) => Ok(answer.unwrap_or_else(Judged::missing)),
        Err(broken) => Err(broken.fault),
    }
}

/// One question to a process of its own, from start to end.
pub(super) fn alone(
    command: &Command,
    case: &Case,
    resolution: Resolution,
    verdicts: &Verdicts<'_, '_>,
) -> Result<Result<Judged, Fault>, Unusable> {
    let mut session = Session::open(command)?;
    Ok(single(&mut session, case, resolution, verdicts).and_then(|judged| session.close().map(|_| judged)))
}
