//! Fixtures: vectors as data for other programs, and as test files of other languages. Pure: cases in, texts out.
//!
//! Everything here is deterministic to the byte: the same cases and flags give the same text on every machine.

mod document;
mod go;
mod junit;
mod layout;
mod node;
mod pytest;
mod quote;
mod rspec;
mod table;
mod tree;
mod xunit;

use serde_json::value::RawValue;

use crate::answer::{Answer, Reply};
use crate::case::Case;
use crate::wire::{Resolution, write_hello, write_question, write_reply};

/// What can be emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One document with questions and expected answers
    Json,
    /// The lines that a port is sent
    Requests,
    /// Tests in Python, for pytest
    Pytest,
    /// Tests in Ruby, for `RSpec`
    Rspec,
    /// Tests in Go, for go test
    Go,
    /// Tests in Java, for `JUnit` 5
    Junit,
    /// Tests in JavaScript, for node:test
    Node,
    /// Tests in C#, for `xUnit`
    Xunit,
}

impl Format {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Requests => "requests",
            Self::Pytest => "pytest",
            Self::Rspec => "rspec",
            Self::Go => "go",
            Self::Junit => "junit",
            Self::Node => "node",
            Self::Xunit => "xunit",
        }
    }

    /// The name of the file.
    #[must_use]
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Json => "samewait.json",
            Self::Requests => "samewait.requests.ndjson",
            Self::Pytest => "test_samewait.py",
            Self::Rspec => "samewait_spec.rb",
            Self::Go => "samewait_test.go",
            Self::Junit => "SamewaitTest.java",
            Self::Node => "samewait.test.js",
            Self::Xunit => "SamewaitTests.cs",
        }
    }

    /// Whether the file is a test file, which compares delays by itself.
    #[must_use]
    pub fn is_test(self) -> bool {
        match self {
            Self::Json | Self::Requests => false,
            Self::Pytest | Self::Rspec | Self::Go | Self::Junit | Self::Node | Self::Xunit => true,
        }
    }
}

/// What to emit.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The form.
    pub format: Format,
    /// The selected cases, in the order of the set.
    pub cases: &'a [&'a Case],
    /// The hash of the whole set they are taken from (R-10).
    pub set_hash: &'a str,
    /// What delays are counted in by the library that a test file is for.
    pub resolution: Resolution,
    /// The command line that makes the same text again, without places on a disk.
    pub command: &'a str,
}

/// The text of the file.
#[must_use]
pub fn emit(plan: &Plan<'_>) -> String {
    match plan.format {
        Format::Json => document::write(plan),
        Format::Requests => requests(plan.cases),
        Format::Pytest => pytest::write(plan),
        Format::Rspec => rspec::write(plan),
        Format::Go => go::write(plan),
        Format::Junit => junit::write(plan),
        Format::Node => node::write(plan),
        Format::Xunit => xunit::write(plan),
    }
}

/// The lines that a port is sent: the id of a question is that of its case.
fn requests(cases: &[&Case]) -> String {
    let mut lines = Vec::new();
    write_hello(&mut lines, "hello");
    for case in cases {
        write_question(&mut lines, &case.id, &case.question);
    }
    text(lines)
}

/// The expected answer as the wire has it, without an id: `{"value":...}` or `{"rejected":...}`.
fn expected(answer: &Answer) -> Box<RawValue> {
    let mut line = Vec::new();
    write_reply(&mut line, "", &Reply::from(answer.clone()));
    let line = text(line);
    let body = line
        .trim_end()
        .strip_prefix(r#"{"id":"","#)
        .map(|rest| format!("{{{rest}"));
    // What the wire writes is JSON.
    RawValue::from_string(body.unwrap_or_default()).unwrap_or_default()
}

/// What the wire writes is UTF-8.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}
