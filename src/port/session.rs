//! A conversation with one process of a port: requests ahead, answers in any order.

use std::collections::{BTreeMap, VecDeque};
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
}

/// What was answered last, so that a fault that comes after an answer can be laid at its door.
pub(super) struct Answered<T>(VecDeque<(u64, T)>);

impl<T: Copy> Answered<T> {
    pub(super) fn new() -> Self {
        Self(VecDeque::new())
    }

    fn push(&mut self, id: u64, question: T) {
        self.0.push_back((id, question));
        if self.0.len() > REMEMBERED {
            self.0.pop_front();
        }
    }

    /// The question that was answered twice, if that is the fault and it is not too long ago.
    pub(super) fn twice(&self, fault: &Fault) -> Option<T> {
        let id = fault.kind.id_answered_twice()?;
        let (_, question) = self.0.iter().rev().find(|(answered, _)| answered.to_string() == id)?;
        Some(*question)
    }

    /// The question that was answered last.
    pub(super) fn last(&self) -> Option<T> {
        self.0.back().map(|(_, question)| *question)
    }
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
            &mut Answered::new(),
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
        answered: &mut Answered<T>,
        write: impl Fn(&mut Vec<u8>, &str, T),
        mut on_answer: impl FnMut(T, Body<'_>),
    ) -> Result<(), Broken<T>> {
        let mut open = BTreeMap::new();
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
            let kind = match self.process.next_output(patience) {
                Some(Output::Lines(lines)) => {
                    let mut accept = |reply: ReplyLine<'_>| match take(&mut open, &reply.id) {
                        Some((id, question)) => {
                            answered.push(id, question);
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
                Some(Output::Unfinished(line)) => FaultKind::EndedInLine {
                    status: self.process.last_status(),
                    line: excerpt(&line),
                },
                Some(Output::TooLong) => FaultKind::Flood { limit: MAX_LINE },
                Some(Output::End | Output::HeldOpen) => FaultKind::Ended {
                    status: self.process.last_status(),
                    open: open.len(),
                },
                None => FaultKind::Silent {
                    seconds: self.timeout.as_secs_f64(),
                    open: open.len(),
                },
            };
            return Err(Broken {
                fault: self.fault(kind),
                open: open.into_values().collect(),
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
        let start = Instant::now();
        loop {
            let kind = match self.process.next_output(self.timeout.saturating_sub(start.elapsed())) {
                Some(Output::Lines(lines)) => match self.accept_lines(&lines, &mut |_| false) {
                    Ok(()) => continue,
                    Err(kind) => kind,
                },
                Some(Output::Unfinished(line)) => FaultKind::Garbage {
                    line: excerpt(&line),
                    why: "nothing was asked".to_owned(),
                },
                Some(Output::TooLong) => FaultKind::Flood { limit: MAX_LINE },
                Some(Output::End) => {
                    return Ok(match self.process.last_status() {
                        Some(status) if status.success() => None,
                        Some(status) => Some(format!("the port answered everything and then ended with {status}")),
                        None => {
                            let text = "the port closed its output, but did not end with its input; it was killed";
                            Some(text.to_owned())
                        }
                    });
                }
                Some(Output::HeldOpen) => {
                    let text = "the port ended, but a process that it had started held its output open; it was killed";
                    return Ok(Some(text.to_owned()));
                }
                None => return Ok(Some("the port did not end with its input; it was killed".to_owned())),
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
            let garbage = |why| FaultKind::Garbage {
                line: excerpt(line),
                why,
            };
            if line.trim_ascii().is_empty() {
                return Err(garbage("it is empty".to_owned()));
            }
            let reply = ReplyLine::read(line).map_err(garbage)?;
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
        let stderr = self.process.last_words();
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
