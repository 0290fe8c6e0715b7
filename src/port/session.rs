//! A conversation with one process of a port: requests ahead, answers in any order.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use super::Command;
use super::fault::{Fault, FaultKind, Unusable};
use super::pipes::{Output, printable};
use super::process::Process;
use crate::wire::{Body, Hello, HelloValue, MAX_LINE, ReplyLine, write_hello};

/// How much of a line is shown when it is garbage, in characters.
const EXCERPT: usize = 200;

/// How many answered questions are remembered, to say which of them was answered twice.
const REMEMBERED: usize = 4096;

/// A port's process that has introduced itself.
pub(super) struct Session {
    process: Process,
    timeout: Duration,
    next_id: u64,
    pub(super) hello: Hello,
}

/// A conversation that broke off.
pub(super) struct Broken<T> {
    pub(super) fault: Fault,
    /// What had been asked and not answered, in the order of asking.
    pub(super) open: Vec<T>,
    /// What was answered twice, if that is the fault and it is not too long ago.
    pub(super) answered_twice: Option<T>,
}

impl Session {
    /// Starts a process and has it introduce itself.
    pub(super) fn open(command: &Command) -> Result<Self, Unusable> {
        let mut session = Self {
            process: Process::start(command)?,
            timeout: command.timeout,
            next_id: 0,
            hello: Hello::of_reference(),
        };
        let mut hello = Err("it was not answered".to_owned());
        let conversation = session.converse(
            [()].into_iter(),
            1,
            |line, id, ()| write_hello(line, id),
            |(), body| {
                hello = match body {
                    Body::Value(raw) => serde_json::from_str::<HelloValue>(raw.get())
                        .map_err(|error| error.to_string())
                        .and_then(HelloValue::check),
                    Body::Rejected(_) => Err("rejected".to_owned()),
                    Body::Unsupported(why) => Err(format!("unsupported: {why}")),
                    Body::Error(text) => Err(format!("error: {text}")),
                }
            },
        );
        if let Err(broken) = conversation {
            return Err(Unusable::NoHello { fault: broken.fault });
        }
        session.hello = hello.map_err(|why| Unusable::BadHello {
            why,
            stderr: session.stderr(),
        })?;
        Ok(session)
    }

    /// Puts questions, at most `window` of them open at a time, and hands out the answers as they come.
    pub(super) fn converse<T: Copy>(
        &mut self,
        mut questions: impl Iterator<Item = T>,
        window: usize,
        write: impl Fn(&mut Vec<u8>, &str, T),
        mut on_answer: impl FnMut(T, Body<'_>),
    ) -> Result<(), Broken<T>> {
        let mut open = BTreeMap::new();
        let mut answered = VecDeque::new();
        let mut are_more = true;
        let mut progress = Instant::now();
        loop {
            // Half the window at a time: a port that is woken for each line spends its time on waking.
            if are_more && open.len() <= window / 2 {
                let mut batch = Vec::new();
                while are_more && open.len() < window {
                    match questions.next() {
                        Some(question) => {
                            write(&mut batch, &self.next_id.to_string(), question);
                            open.insert(self.next_id, question);
                            self.next_id += 1;
                        }
                        None => are_more = false,
                    }
                }
                self.process.send(batch);
            }
            if open.is_empty() {
                return Ok(());
            }
            let patience = self.timeout.saturating_sub(progress.elapsed());
            let kind = match self.process.output.recv_timeout(patience) {
                Ok(Output::Lines(lines)) => {
                    let mut accept = |reply: ReplyLine<'_>| match take(&mut open, &reply.id) {
                        Some((id, question)) => {
                            answered.push_back((id, question));
                            if answered.len() > REMEMBERED {
                                answered.pop_front();
                            }
                            on_answer(question, reply.body);
                            true
                        }
                        None => false,
                    };
                    match self.accept_lines(&lines, &mut accept) {
                        Ok(()) => {
                            progress = Instant::now();
                            continue;
                        }
                        Err(kind) => kind,
                    }
                }
                Ok(Output::Unfinished(line)) => FaultKind::Garbage {
                    line: excerpt(&line),
                    why: "the output ended before the line did".to_owned(),
                },
                Ok(Output::TooLong) => FaultKind::Flood { limit: MAX_LINE },
                Ok(Output::End) | Err(RecvTimeoutError::Disconnected) => FaultKind::Ended {
                    status: self.process.last_status(),
                    open: open.len(),
                },
                Err(RecvTimeoutError::Timeout) => FaultKind::Silent {
                    seconds: self.timeout.as_secs_f64(),
                    open: open.len(),
                },
            };
            let answered_twice = match &kind {
                FaultKind::DuplicateAnswer { id } => {
                    let of_id = |(answered, _): &&(u64, T)| answered.to_string() == *id;
                    answered.iter().find(of_id).map(|(_, question)| *question)
                }
                FaultKind::Ended { .. }
                | FaultKind::Silent { .. }
                | FaultKind::Garbage { .. }
                | FaultKind::UnknownId { .. }
                | FaultKind::Flood { .. } => None,
            };
            return Err(Broken {
                fault: self.fault(kind),
                open: open.into_values().collect(),
                answered_twice,
            });
        }
    }

    /// Ends the conversation and waits for the port to end; tells of anything it still wrote.
    ///
    /// # Errors
    ///
    /// What it wrote that nobody asked for.
    pub(super) fn close(mut self) -> Result<Option<String>, Fault> {
        self.process.close_input();
        let end = Instant::now() + self.timeout;
        loop {
            let patience = end.saturating_duration_since(Instant::now());
            let kind = match self.process.output.recv_timeout(patience) {
                Ok(Output::Lines(lines)) => match self.accept_lines(&lines, &mut |_| false) {
                    Ok(()) => continue,
                    Err(kind) => kind,
                },
                Ok(Output::Unfinished(line)) => FaultKind::Garbage {
                    line: excerpt(&line),
                    why: "nothing was asked".to_owned(),
                },
                Ok(Output::TooLong) => FaultKind::Flood { limit: MAX_LINE },
                Ok(Output::End) | Err(RecvTimeoutError::Disconnected) => {
                    return Ok(match self.process.last_status() {
                        Some(status) if status.success() => None,
                        Some(status) => Some(format!("the port answered everything and then ended with {status}")),
                        None => {
                            Some("the port closed its output, but did not end with its input; it was killed".to_owned())
                        }
                    });
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Ok(Some("the port did not end with its input; it was killed".to_owned()));
                }
            };
            return Err(self.fault(kind));
        }
    }

    /// The end of the port's standard error so far.
    pub(super) fn stderr(&self) -> String {
        self.process.stderr()
    }

    /// Hands lines to `accept`, which says whether the answer was to an open question.
    fn accept_lines(&self, lines: &[u8], accept: &mut dyn FnMut(ReplyLine<'_>) -> bool) -> Result<(), FaultKind> {
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let reply = ReplyLine::read(line).map_err(|why| FaultKind::Garbage {
                line: excerpt(line),
                why,
            })?;
            let id = excerpt(reply.id.as_bytes());
            if !accept(reply) {
                let was_asked = number(&id).is_some_and(|id| id < self.next_id);
                return Err(if was_asked {
                    FaultKind::DuplicateAnswer { id }
                } else {
                    FaultKind::UnknownId { id }
                });
            }
        }
        Ok(())
    }

    fn fault(&mut self, kind: FaultKind) -> Fault {
        // What it says about its own end is on its way when its output has ended.
        let stderr = self.stderr();
        Fault { kind, stderr }
    }
}

fn take<T>(open: &mut BTreeMap<u64, T>, id: &str) -> Option<(u64, T)> {
    let id = number(id)?;
    open.remove(&id).map(|question| (id, question))
}

/// The number in an id, if it is spelled as the kit spells it.
fn number(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number: &u64| number.to_string() == id)
}

fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    let mut excerpt: String = printable(text).chars().take(EXCERPT).collect();
    if text.chars().nth(EXCERPT).is_some() {
        excerpt.push('…');
    }
    excerpt
}
