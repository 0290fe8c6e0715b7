//! JSON Schemas of everything that is read or written, generated from the types that read and write it.
//!
//! They are made for editors and for readers of reports. A schema sees values after they are parsed, so it can't hold the
//! rules about spelling (V-8 to V-13), nor those that compare one value with another; `samewait check` holds them all.

mod messages;
mod narrow;
mod vectors;

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value as Json;

use crate::gate::{RawConfig, RawLedger};
use crate::load::Alone;
use crate::report::{CaseList, CheckForm, GateForm, TestForm, ZooForm};
use crate::scenario::RawStep;
use crate::version::{FORMAT, PROTOCOL};

pub(crate) use narrow::{choose, narrowed, property};

/// Something that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// A vector file.
    Vectors,
    /// A line that the kit writes to a port.
    Requests,
    /// A line that a port writes.
    Answers,
    /// The ports of a family.
    Config,
    /// The known failures of a port.
    Ledger,
    /// A queue scenario alone.
    Scenario,
    /// What a run of one port showed.
    TestReport,
    /// What a run of a family showed.
    GateReport,
    /// What `samewait check` found.
    CheckReport,
    /// What the zoo showed.
    ZooReport,
    /// The cases, listed.
    ListReport,
}

impl Name {
    /// Everything that has a schema.
    pub const ALL: [Self; 11] = [
        Self::Vectors,
        Self::Requests,
        Self::Answers,
        Self::Config,
        Self::Ledger,
        Self::Scenario,
        Self::TestReport,
        Self::GateReport,
        Self::CheckReport,
        Self::ZooReport,
        Self::ListReport,
    ];

    /// The name on the command line and in the name of the file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Vectors => "vectors",
            Self::Requests => "requests",
            Self::Answers => "answers",
            Self::Config => "config",
            Self::Ledger => "ledger",
            Self::Scenario => "scenario",
            Self::TestReport => "test-report",
            Self::GateReport => "gate-report",
            Self::CheckReport => "check-report",
            Self::ZooReport => "zoo-report",
            Self::ListReport => "list-report",
        }
    }

    /// What has that name, if something has.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|schema| schema.name() == name)
    }

    /// What it is a schema of.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Vectors => "a vector file, vectors/<area>/<topic>.yaml",
            Self::Requests => "a request, each line that the kit writes to a port",
            Self::Answers => "an answer, each line that a port writes",
            Self::Config => "the ports of a family, samewait.yaml",
            Self::Ledger => "the known failures of a port",
            Self::Scenario => "a queue scenario for `samewait simulate`",
            Self::TestReport => "the report of one port, `samewait test --format json -- CMD`",
            Self::GateReport => "the report of a family, `samewait test --format json`",
            Self::CheckReport => "the report of `samewait check --format json`",
            Self::ZooReport => "the report of `samewait zoo --format json`",
            Self::ListReport => "the report of `samewait list --format json`",
        }
    }

    /// The name of the file in `spec/schema/`.
    #[must_use]
    pub fn file(self) -> String {
        format!("{}.schema.json", self.name())
    }

    /// The version of what it describes: that of the format or of the protocol, and else of the form itself.
    fn version(self) -> u32 {
        match self {
            Self::Vectors | Self::Scenario => FORMAT,
            Self::Requests | Self::Answers => PROTOCOL,
            Self::Config
            | Self::Ledger
            | Self::TestReport
            | Self::GateReport
            | Self::CheckReport
            | Self::ZooReport
            | Self::ListReport => 1,
        }
    }

    /// The schema.
    #[must_use]
    pub fn schema(self) -> Json {
        let read = SchemaSettings::draft2020_12().for_deserialize();
        let written = SchemaSettings::draft2020_12().for_serialize();
        match self {
            Self::Vectors => self.of(read, vectors::schema),
            Self::Requests => self.of(written, messages::request),
            Self::Answers => self.of(read, messages::answer),
            Self::Config => self.of(read, RawConfig::json_schema),
            Self::Ledger => self.of(read, RawLedger::json_schema),
            Self::Scenario => self.of(read, scenario),
            Self::TestReport => self.of(written, TestForm::json_schema),
            Self::GateReport => self.of(written, GateForm::json_schema),
            Self::CheckReport => self.of(written, CheckForm::json_schema),
            Self::ZooReport => self.of(written, ZooForm::json_schema),
            Self::ListReport => self.of(written, CaseList::json_schema),
        }
    }

    /// The schema as its file has it.
    #[must_use]
    pub fn text(self) -> String {
        format!("{:#}\n", self.schema())
    }

    /// Completes a schema: its identity, and the definitions that it refers to.
    fn of(self, settings: SchemaSettings, schema: impl FnOnce(&mut SchemaGenerator) -> Schema) -> Json {
        let mut generator = settings.into_generator();
        let mut schema = schema(&mut generator);
        let mut definitions = generator.take_definitions(true);
        for (name, definition) in &mut definitions {
            if let Some(definition) = definition.as_object_mut() {
                definition.entry("title").or_insert_with(|| in_words(name).into());
            }
        }
        schema.insert(
            "$schema".to_owned(),
            "https://json-schema.org/draft/2020-12/schema".into(),
        );
        schema.insert(
            "$id".to_owned(),
            format!("urn:samewait:schema:{}:{}", self.name(), self.version()).into(),
        );
        schema.insert("title".to_owned(), format!("samewait: {}", self.about()).into());
        if !definitions.is_empty() {
            schema.insert("$defs".to_owned(), definitions.into());
        }
        RecursiveTransform(tidy).transform(&mut schema);
        schema.to_value()
    }
}

/// A value that may be null under a key that must be there.
pub(crate) struct Nullable<T>(std::marker::PhantomData<T>);

impl<T: JsonSchema> JsonSchema for Nullable<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// Steps with what belongs to them, or a list of steps alone.
fn scenario(generator: &mut SchemaGenerator) -> Schema {
    let (alone, steps) = (
        generator.subschema_for::<Alone>(),
        generator.subschema_for::<Vec<RawStep>>(),
    );
    json_schema!({
        "description": "A queue scenario: `steps`, and optionally `policy`, `message_ttl` and `ack_timeout`; or a list of steps alone.",
        "anyOf": [alone, steps],
    })
}

/// What the types' documentation and defaults bring along, as editors show it best.
fn tidy(schema: &mut Schema) {
    // That an absent key has no value goes without saying, and null is not always legal in its place.
    if schema.get("default").is_some_and(Json::is_null) {
        schema.remove("default");
    }
    // Lines of source text end where they are full.
    if let Some(description) = schema.get("description").and_then(Json::as_str) {
        let paragraphs: Vec<String> = description.split("\n\n").map(|text| text.replace('\n', " ")).collect();
        schema.insert("description".to_owned(), paragraphs.join("\n\n").into());
    }
}

/// The name of a type or a definition in words: `RungForQuestion` and `rung_for_question` are both `rung for question`.
fn in_words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(if letter == '_' { ' ' } else { letter }.to_lowercase());
    }
    words
}
