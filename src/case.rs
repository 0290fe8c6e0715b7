//! A case: one question, its right answer, and why it is asked.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::question::{Ask, Question};

/// One case of the vectors (V-2).
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Path-like and stable: `backoff/cap/first-delay-above-cap` (V-3).
    pub id: String,
    /// The group it belongs to.
    pub area: Area,
    /// The clauses it tests, such as `B-6` (V-4).
    pub clauses: Vec<String>,
    /// What it is about, in one sentence.
    pub note: String,
    /// A public report whose fault it would have caught.
    pub source: Option<String>,
    /// The accepted case that differs from this one in one value (V-5).
    pub control: Option<String>,
    /// The id of the case that this one corrects.
    pub replaces: Option<String>,
    /// What a port is asked.
    pub question: Question,
    /// What a port must answer. Never sent to it.
    pub expected: Answer,
    /// Where it stands.
    pub place: Place,
}

/// Whether a text has the form of an id: area, topic and name (V-3).
pub(crate) fn is_id(text: &str) -> bool {
    let mut parts = text.split('/');
    let area = parts.next().and_then(Area::named);
    let (topic, name) = (parts.next(), parts.next());
    area.is_some() && topic.is_some_and(is_plain) && name.is_some_and(is_plain) && parts.next().is_none()
}

/// Whether a text is a topic or a name in an id: lower-case letters, digits and hyphens, at least one (V-3).
pub(crate) fn is_plain(text: &str) -> bool {
    let byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(byte)
}

/// A group of cases: the folder of their files and the first part of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Making and checking policies (chapter 1).
    Policy,
    /// Whole schedules (chapter 2).
    Schedule,
    /// Single delays (chapter 2).
    Backoff,
    /// What comes after a failed attempt (chapter 3).
    NextDelay,
    /// Jittered delays (chapter 4).
    Jitter,
    /// Ladders of retry queues (chapter 5).
    Ladder,
    /// The work queue in virtual time (chapter 6).
    Queue,
}

impl Area {
    /// Every area, in the order of the specification.
    pub const ALL: [Self; 7] = [
        Self::Policy,
        Self::Schedule,
        Self::Backoff,
        Self::NextDelay,
        Self::Jitter,
        Self::Ladder,
        Self::Queue,
    ];

    /// The area's name: the folder of its vectors and the first part of their ids.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Schedule => "schedule",
            Self::Backoff => "backoff",
            Self::NextDelay => "next_delay",
            Self::Jitter => "jitter",
            Self::Ladder => "ladder",
            Self::Queue => "queue",
        }
    }

    /// The area of that name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|area| area.name() == name)
    }

    /// The area whose cases put that question (V-7).
    #[must_use]
    pub fn of(ask: Ask) -> Self {
        match ask {
            Ask::Policy => Self::Policy,
            Ask::Schedule => Self::Schedule,
            Ask::Backoff => Self::Backoff,
            Ask::NextDelay => Self::NextDelay,
            Ask::Jitter | Ask::JitterSamples => Self::Jitter,
            Ask::Ladder | Ask::RungFor => Self::Ladder,
            Ask::Queue => Self::Queue,
        }
    }
}

/// A place in a file. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, as it was named.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
