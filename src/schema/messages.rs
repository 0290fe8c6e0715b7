//! The schemas of the port protocol (chapter 8).

use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value as Json, json};

use crate::question::{
    Ask, BackoffQuestion, JitterQuestion, JitterSamplesQuestion, LadderQuestion, NextDelayQuestion, PolicyQuestion,
    QueueQuestion, RungForQuestion, ScheduleQuestion,
};
use crate::wire::{HelloRequest, RawReply};

/// The schema of one request.
pub(super) fn request(generator: &mut SchemaGenerator) -> Schema {
    let mut choices = vec![HelloRequest::json_schema(generator)];
    choices.extend(Ask::ALL.map(|ask| question(ask, generator)));
    choices.push(unknown());
    let mut schema = Schema::default();
    schema.insert(
        "description".to_owned(),
        "One line that the kit writes to a port. A port must ignore keys that it does not know, at any depth (W-1), so \
         that none is refused here."
            .into(),
    );
    let choices: Json = choices.into_iter().map(Schema::to_value).collect();
    schema.insert("oneOf".to_owned(), choices);
    let mut open = RecursiveTransform(open);
    for definition in generator.definitions_mut().values_mut() {
        if let Ok(definition) = definition.try_into() {
            schemars::transform::Transform::transform(&mut open, definition);
        }
    }
    schemars::transform::Transform::transform(&mut open, &mut schema);
    schema
}

/// The schema of one answer.
pub(super) fn answer(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = RawReply::json_schema(generator);
    schema.insert(
        "description".to_owned(),
        "One line that a port writes: the id of the request, and exactly one of `value`, `rejected`, `unsupported` and \
         `error` (W-2). Which value it may be depends on the question, and how delays are counted on the port's resolution."
            .into(),
    );
    schema
}

/// A question with its id.
fn question(ask: Ask, generator: &mut SchemaGenerator) -> Schema {
    let mut question = match ask {
        Ask::Policy => PolicyQuestion::json_schema(generator),
        Ask::Schedule => ScheduleQuestion::json_schema(generator),
        Ask::Backoff => BackoffQuestion::json_schema(generator),
        Ask::NextDelay => NextDelayQuestion::json_schema(generator),
        Ask::Jitter => JitterQuestion::json_schema(generator),
        Ask::JitterSamples => JitterSamplesQuestion::json_schema(generator),
        Ask::Ladder => LadderQuestion::json_schema(generator),
        Ask::RungFor => RungForQuestion::json_schema(generator),
        Ask::Queue => QueueQuestion::json_schema(generator),
    };
    question.insert("title".to_owned(), ask.name().into());
    if let Some(properties) = question.get_mut("properties") {
        properties["id"] = id();
        properties["ask"] = json!({"const": ask.name(), "description": "The question."});
    }
    if let Some(required) = question.get_mut("required").and_then(Json::as_array_mut) {
        required.extend(["id".into(), "ask".into()]);
    }
    question
}

/// A question that nobody knows, which a port must answer with `unsupported`.
fn unknown() -> Schema {
    let known: Vec<&str> = Ask::ALL.into_iter().map(Ask::name).chain(["hello"]).collect();
    schemars::json_schema!({
        "title": "unknown",
        "description": "A question that no port knows, to be answered with `unsupported` (W-5).",
        "type": "object",
        "properties": {
            "id": id(),
            "ask": {"type": "string", "not": {"enum": known}, "description": "A name that is no question's."},
        },
        "required": ["id", "ask"],
    })
}

fn id() -> Json {
    json!({"type": "string", "description": "What the answer is to be given under: a text without a meaning."})
}

/// Lets an object have further keys.
fn open(schema: &mut Schema) {
    if schema.get("additionalProperties") == Some(&Json::Bool(false)) {
        schema.remove("additionalProperties");
    }
}
