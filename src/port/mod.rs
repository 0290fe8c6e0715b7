//! Driving a port: a program of any language that answers questions line by line.
//!
//! A port is hostile by assumption: it may hang, crash, flood, lie or answer garbage. What it does is told apart as
//!
//! * a wrong answer: a [`Verdict`](crate::judge::Verdict), of the judge;
//! * a [`Fault`]: the port broke the protocol or died, which costs at most the cases that cause it;
//! * [`Unusable`]: the port can't be tested at all.
//!
//! The data path: [`drive()`] takes cases, puts their questions through a session with a process, and hands out one verdict for each.

mod blame;
mod drive;
mod fault;
mod fresh;
mod guard;
mod pipes;
mod process;
mod session;
mod smoke;
mod verdict;

pub use drive::{Blame, FaultReport, PortReport, drive};
pub use fault::{Fault, FaultKind, Unusable};
pub use guard::{Guard, stand_guard};
pub use verdict::CaseReport;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How to start a port, and how long to be patient with it.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; here where nothing is said.
    pub directory: Option<PathBuf>,
    /// What is added to its environment.
    pub environment: BTreeMap<String, String>,
    /// How long the port may make no progress: no acceptable answer while a question is open.
    pub timeout: Duration,
    /// Kills the port's processes should this one be killed.
    pub guard: Option<Arc<Guard>>,
}

impl Command {
    /// The command as one would type it, without care for quotes.
    #[must_use]
    pub fn line(&self) -> String {
        let mut words = vec![self.program.as_str()];
        words.extend(self.arguments.iter().map(String::as_str));
        words.join(" ")
    }
}
