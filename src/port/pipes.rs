//! The threads at a port's three pipes. They move bytes in bulk and end with the pipe.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::printable::printable_line;
use crate::wire::MAX_LINE;

/// What comes out of a port's standard output.
#[derive(Debug)]
pub(super) enum Output {
    /// Whole lines, each with its line feed.
    Lines(Vec<u8>),
    /// The output ended within a line, of which this is the beginning.
    Unfinished(Vec<u8>),
    /// A line longer than any answer.
    TooLong,
    /// The output ended.
    End,
    /// The port ended, but a process that it started holds its output open.
    HeldOpen,
}

const CHUNK: usize = 64 << 10;

/// How many chunks wait for the kit before the port is made to wait.
const WAITING_CHUNKS: usize = 16;

/// How much of the end of standard error is kept, in bytes.
const STDERR_TAIL: usize = 8 << 10;

/// Writes what it is sent, until the sender is gone or the port reads no more.
pub(super) fn writer(mut pipe: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for bytes in receiver {
            // A port that no longer reads is noticed by its silence or its end.
            if pipe.write_all(&bytes).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reads whole lines, many at a time.
pub(super) fn reader(pipe: ChildStdout) -> Receiver<Output> {
    let (sender, receiver) = mpsc::sync_channel(WAITING_CHUNKS);
    thread::spawn(move || read_lines(pipe, &sender));
    receiver
}

fn read_lines(mut pipe: impl Read, sender: &SyncSender<Output>) {
    let mut buffer = vec![0; CHUNK];
    let mut line = Vec::new();
    loop {
        // An error of reading is the end of the output.
        let length = pipe.read(&mut buffer).unwrap_or(0);
        let chunk = &buffer[..length];
        let output = if length == 0 {
            if !line.is_empty() && sender.send(Output::Unfinished(std::mem::take(&mut line))).is_err() {
                return;
            }
            Output::End
        } else if let Some(last) = chunk.iter().rposition(|&byte| byte == b'\n') {
            line.extend_from_slice(&chunk[..=last]);
            let lines = std::mem::replace(&mut line, chunk[last + 1..].to_vec());
            Output::Lines(lines)
        } else {
            line.extend_from_slice(chunk);
            if line.len() <= MAX_LINE {
                continue;
            }
            Output::TooLong
        };
        let is_last = matches!(output, Output::End | Output::TooLong);
        if sender.send(output).is_err() || is_last {
            return;
        }
    }
}

/// The end of a port's standard error.
#[derive(Debug, Clone, Default)]
pub(super) struct Tail(Arc<(Mutex<Kept>, Condvar)>);

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    has_ended: bool,
}

impl Tail {
    pub(super) fn of(mut pipe: ChildStderr) -> Self {
        let tail = Self::default();
        let kept = tail.clone();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = pipe.read(&mut buffer) {
                kept.push(&buffer[..length]);
            }
            kept.end();
        });
        tail
    }

    fn push(&self, bytes: &[u8]) {
        let kept = &mut *self.lock();
        kept.bytes.extend(bytes);
        let excess = kept.bytes.len().saturating_sub(STDERR_TAIL);
        kept.bytes.drain(..excess);
    }

    fn end(&self) {
        self.lock().has_ended = true;
        self.0.1.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text once it has ended, or after `patience`: a process that the port started may hold the pipe open.
    pub(super) fn last_text(&self, patience: Duration) -> String {
        let waited = self
            .0
            .1
            .wait_timeout_while(self.lock(), patience, |kept| !kept.has_ended);
        drop(waited);
        self.text()
    }

    /// The text, without control characters that would play with a terminal.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = self.lock().bytes.iter().copied().collect();
        printable(&String::from_utf8_lossy(&bytes))
    }
}

/// A text of a port with its lines, safe to print.
pub(super) fn printable(text: &str) -> String {
    text.split('\n').map(printable_line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs(text: &[u8]) -> Vec<Output> {
        let (sender, receiver) = mpsc::sync_channel(1000);
        read_lines(text, &sender);
        receiver.try_iter().collect()
    }

    #[test]
    fn hands_out_whole_lines_and_what_is_left() {
        assert!(matches!(
            &outputs(b"a\nb\nc")[..],
            [Output::Lines(lines), Output::Unfinished(rest), Output::End] if lines == b"a\nb\n" && rest == b"c"
        ));
        assert!(matches!(&outputs(b"")[..], [Output::End]));
    }

    #[test]
    fn stops_at_a_line_without_end() {
        let flood = vec![b'x'; MAX_LINE + CHUNK];
        assert!(matches!(&outputs(&flood)[..], [Output::TooLong]));
    }

    #[test]
    fn keeps_the_end_of_standard_error() {
        let tail = Tail::default();
        tail.push(&[b'a'; STDERR_TAIL]);
        tail.push(b"the end\x1b[2J");
        assert_eq!(tail.text().len(), STDERR_TAIL + 2);
        assert!(tail.text().ends_with("the end\u{fffd}[2J"));
    }
}
