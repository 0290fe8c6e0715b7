//! Ports must not outlive the kit, however it ends.
//!
//! The kit kills its ports when it ends by itself. Against its own sudden death there is a second process, the guard, that
//! knows every port's process group and waits for the end of its own standard input, which comes when the kit is gone.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The process that kills ports when this one is gone.
#[derive(Debug)]
pub struct Guard {
    child: Child,
    input: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts the guard: a command that calls [`stand_guard`].
    ///
    /// # Errors
    ///
    /// When it can't be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Out of reach of the interrupt key, which ends the kit.
            .process_group(0)
            .spawn()?;
        let input = Mutex::new(child.stdin.take());
        Ok(Self { child, input })
    }

    pub(super) fn watch(&self, group: Pid) {
        self.tell('+', group);
    }

    pub(super) fn forget(&self, group: Pid) {
        self.tell('-', group);
    }

    /// A guard that is gone can't be told anything; ports are then killed only by a kit that ends by itself.
    fn tell(&self, sign: char, group: Pid) {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipe) = input.as_mut()
            && writeln!(pipe, "{sign}{}", group.as_raw_nonzero()).is_err()
        {
            *input = None;
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        *self.input.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // It ends with its input; nothing is left to do about one that does not.
        let _ = self.child.wait();
    }
}

/// What the guard does: keeps the list of process groups that arrives on its standard input, and kills what is on it at the end.
///
/// # Errors
///
/// When the input can't be read.
pub fn stand_guard(input: impl BufRead) -> io::Result<()> {
    let mut groups = BTreeSet::new();
    for line in input.lines() {
        let line = line?;
        let group = |text: &str| text.parse().ok().and_then(Pid::from_raw);
        if let Some(group) = line.strip_prefix('+').and_then(group) {
            groups.insert(group.as_raw_nonzero());
        } else if let Some(group) = line.strip_prefix('-').and_then(group) {
            groups.remove(&group.as_raw_nonzero());
        }
    }
    for group in groups {
        kill_group(Pid::from_raw(group.get()));
    }
    Ok(())
}

/// Kills a process group; one that is gone already is as well.
pub(super) fn kill_group(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}
