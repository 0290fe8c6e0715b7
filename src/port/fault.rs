//! What can go wrong with a port, apart from wrong answers.

use std::fmt;
use std::io;
use std::process::ExitStatus;

/// A port that broke off or broke the protocol.
#[derive(Debug)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The last of what the port wrote to standard error; for people only (W-4).
    pub stderr: String,
}

/// What a faulty port did.
#[derive(Debug, thiserror::Error)]
pub enum FaultKind {
    /// It ended while questions were open.
    #[error("the port ended ({}) with {}", Status(*status), Open(*open))]
    Ended {
        /// How it ended; none when it closed its output and lives on.
        status: Option<ExitStatus>,
        /// How many questions it left.
        open: usize,
    },
    /// It ended within a line.
    #[error("the port ended ({}) in the middle of a line: `{line}`", Status(*status))]
    EndedInLine {
        /// How it ended; none when it closed its output and lives on.
        status: Option<ExitStatus>,
        /// The beginning of the line.
        line: String,
    },
    /// It gave no acceptable answer in time.
    #[error(
        "the port gave no answer for {seconds} s with {}; does it flush its answers, and answer before its input ends? \
         (--timeout sets the patience)",
        Open(*open)
    )]
    Silent {
        /// The time allowed.
        seconds: f64,
        /// How many questions were open.
        open: usize,
    },
    /// It wrote something that is no answer.
    #[error("the port wrote a line that is no answer: {why}: `{line}`")]
    Garbage {
        /// The beginning of the line.
        line: String,
        /// Why it is none.
        why: String,
    },
    /// It answered something that was never asked.
    #[error("the port answered id `{id}`, which it was never asked")]
    UnknownId {
        /// The id.
        id: String,
    },
    /// It answered the same question again.
    #[error("the port answered id `{id}` twice")]
    DuplicateAnswer {
        /// The id.
        id: String,
    },
    /// It wrote a line without end.
    #[error("the port wrote a line of more than {} MiB", limit >> 20)]
    Flood {
        /// The longest line allowed, in bytes.
        limit: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)
    }
}

/// Why a port can't be tested.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// Its program can't be started.
    #[error("can't start `{command}`: {source}")]
    NotStarted {
        /// The command.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// It failed before it had introduced itself.
    #[error("the port did not answer `hello`: {fault}")]
    NoHello {
        /// How it failed.
        fault: Fault,
    },
    /// Its introduction makes no sense.
    #[error("the port's answer to `hello` is unusable: {why}")]
    BadHello {
        /// What was found, and what was needed.
        why: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// It is badly wired: it fails what any port passes.
    #[error("the port is badly wired: {why}")]
    BadlyWired {
        /// What was found, and what was needed.
        why: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// It failed so often that the rest of the cases was not put to it.
    #[error("the port failed {faults} times and was given up; the cases left were not asked")]
    GivenUp {
        /// How often it failed.
        faults: usize,
    },
}

impl Unusable {
    /// The end of the port's standard error, where there is any.
    #[must_use]
    pub fn stderr(&self) -> &str {
        match self {
            Self::NotStarted { .. } | Self::GivenUp { .. } => "",
            Self::NoHello { fault } => &fault.stderr,
            Self::BadHello { stderr, .. } | Self::BadlyWired { stderr, .. } => stderr,
        }
    }
}

struct Open(usize);

impl FaultKind {
    /// The id under which a question was answered again, if that is the fault.
    pub(super) fn id_answered_twice(&self) -> Option<&str> {
        match self {
            Self::DuplicateAnswer { id } => Some(id),
            Self::Ended { .. }
            | Self::EndedInLine { .. }
            | Self::Silent { .. }
            | Self::Garbage { .. }
            | Self::UnknownId { .. }
            | Self::Flood { .. } => None,
        }
    }
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("a question open"),
            count => write!(f, "{count} questions open"),
        }
    }
}

struct Status(Option<ExitStatus>);

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(status) => status.fmt(f),
            None => f.write_str("it closed its output, but runs on"),
        }
    }
}
