//! A port's process: started in a group of its own, and gone when dropped.

use std::os::unix::process::CommandExt;
use std::process::{self, Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::guard::{Guard, kill_group};
use super::pipes::{Output, Tail, reader, writer};
use super::{Command, Unusable};

/// How long to wait for the end of a port that has closed its output.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// How often to look whether a silent port is still alive.
const GLANCE: Duration = Duration::from_millis(100);

pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    guard: Option<Arc<Guard>>,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Output>,
    stderr: Tail,
    is_reaped: bool,
}

impl Process {
    pub(super) fn start(command: &Command) -> Result<Self, Unusable> {
        let mut builder = process::Command::new(&command.program);
        if let Some(directory) = &command.directory {
            builder.current_dir(directory);
        }
        let mut child = builder
            .args(&command.arguments)
            .envs(&command.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|source| Unusable::NotStarted {
                command: command.line(),
                source,
            })?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        if let (Some(guard), Some(group)) = (&command.guard, group) {
            guard.watch(group);
        }
        // All three are there, since all three were asked for.
        let (input, output, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        Ok(Self {
            child,
            group,
            guard: command.guard.clone(),
            input: input.map(writer),
            output: output.map_or_else(|| std::sync::mpsc::channel().1, reader),
            stderr: stderr.map(Tail::of).unwrap_or_default(),
            is_reaped: false,
        })
    }

    /// Sends bytes to the port, which are written as it reads them.
    pub(super) fn send(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            // A writer that is gone has lost its port, which the reader sees.
            let _ = input.send(bytes);
        }
    }

    /// Ends the port's input, once all that was sent is written.
    pub(super) fn close_input(&mut self) {
        self.input = None;
    }

    /// How the port ended, if it does so within `patience`. What it has started ends with it.
    pub(super) fn status(&mut self, patience: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + patience;
        while !self.has_ended() {
            if Instant::now() >= end {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.kill()
    }

    /// How the port ended, after its output did.
    pub(super) fn last_status(&mut self) -> Option<ExitStatus> {
        self.status(LAST_BREATH)
    }

    /// What the port said on standard error, up to its end. It is killed for that.
    pub(super) fn last_words(&mut self) -> String {
        self.kill();
        self.stderr.last_text(LAST_BREATH)
    }

    /// What the port has said on standard error so far.
    pub(super) fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// The next output, within `patience`. A port that has ended gives its end, also when a process that it started holds its pipe open.
    pub(super) fn next_output(&self, patience: Duration) -> Option<Output> {
        let start = Instant::now();
        loop {
            let left = patience.saturating_sub(start.elapsed());
            let had_ended = self.has_ended();
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(output) => return Some(output),
                Err(RecvTimeoutError::Disconnected) => return Some(Output::End),
                Err(RecvTimeoutError::Timeout) if had_ended => return Some(Output::HeldOpen),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Whether the port has ended; it stays unreaped, so that its group's number can't become another's.
    fn has_ended(&self) -> bool {
        if self.is_reaped {
            return true;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.group
            .is_none_or(|group| !matches!(waitid(WaitId::Pid(group), options), Ok(None)))
    }

    /// Kills the whole group, and only then reaps its leader.
    fn kill(&mut self) -> Option<ExitStatus> {
        if !self.is_reaped {
            kill_group(self.group);
            self.is_reaped = true;
        }
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        if let (Some(guard), Some(group)) = (&self.guard, self.group) {
            guard.forget(group);
        }
    }
}
