//! The schema of vector files: `ask` decides what the cases hold (V-7).

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value as Json, json};

use super::{choose, narrowed, property};
use crate::case::Area;
use crate::clause;
use crate::load::{Expect, File, MAX_SCHEDULED_ATTEMPTS, RawCase, legal_answers, legal_refusals};
use crate::question::{
    Ask, BackoffQuestion, JitterQuestion, JitterSamplesQuestion, LadderQuestion, NextDelayQuestion, PolicyQuestion,
    QueueArguments, RungForQuestion, ScheduleQuestion,
};
use crate::uniformity::SAMPLES;

/// The schema of a vector file.
pub(super) fn schema(generator: &mut SchemaGenerator) -> Schema {
    let numbers: Vec<&str> = clause::all().map(|clause| clause.number).collect();
    let clause = json!({"description": "The number of a clause of the specification.", "enum": numbers});
    generator.definitions_mut().insert("Clause".to_owned(), clause);
    let mut file = File::<Json>::json_schema(generator);
    if let Some(cases) = property(&mut file, "cases") {
        // What a case is, each ask says below.
        cases["items"] = json!({"type": "object"});
    }
    let rules: Json = Ask::ALL
        .into_iter()
        .map(|ask| {
            let case = case(ask, generator);
            json!({
                "if": {"properties": {"ask": {"const": ask.name()}}, "required": ["ask"]},
                "then": {"properties": {"area": {"const": Area::of(ask).name()}, "cases": {"items": case}}},
            })
        })
        .collect();
    file.insert("allOf".to_owned(), rules);
    file.insert(
        "description".to_owned(),
        "Golden vectors of one topic (chapter 7 of the specification). A schema sees values and not how they are spelled: \
         that a duration is written with a fraction and a count without one (V-8), and the portable subset of YAML (V-9 to \
         V-13), are for `samewait check` to tell, and so are rules that compare values, such as those of controls (V-5)."
            .into(),
    );
    file
}

/// A reference to the definition of the cases that put a question.
fn case(ask: Ask, generator: &mut SchemaGenerator) -> Json {
    let name = ask.name();
    let mut case = RawCase::<Json>::json_schema(generator);
    let area = Area::of(ask).name();
    for key in ["id", "control"] {
        if let Some(id) = property(&mut case, key) {
            id["pattern"] = format!("^{area}/[a-z0-9-]+/[a-z0-9-]+$").into();
        }
    }
    if let Some(replaces) = property(&mut case, "replaces") {
        let areas = Area::ALL.map(Area::name).join("|");
        replaces["pattern"] = format!("^({areas})/[a-z0-9-]+/[a-z0-9-]+$").into();
    }
    if let Some(clauses) = property(&mut case, "clauses") {
        clauses["items"] = json!({"$ref": "#/$defs/Clause"});
    }
    let described = |mut schema: Schema, description: Option<&Json>| {
        if let Some(description) = description {
            schema.insert("description".to_owned(), description.clone());
        }
        schema.to_value()
    };
    let expectation = expectation(ask, generator);
    for (key, schema) in [("given", given(ask, generator)), ("expect", expectation)] {
        if let Some(value) = property(&mut case, key) {
            *value = described(schema, value.get("description"));
        }
    }
    case.insert(
        "description".to_owned(),
        format!("A case that asks `{name}` (V-2).").into(),
    );
    case.insert("allOf".to_owned(), rules(ask));
    let definition = format!("{name}_case");
    let reference = json!({"$ref": format!("#/$defs/{definition}")});
    generator.definitions_mut().insert(definition, case.to_value());
    reference
}

/// The arguments of a question.
fn given(ask: Ask, generator: &mut SchemaGenerator) -> Schema {
    match ask {
        Ask::Policy => generator.subschema_for::<PolicyQuestion>(),
        Ask::Schedule => generator.subschema_for::<ScheduleQuestion>(),
        Ask::Backoff => generator.subschema_for::<BackoffQuestion>(),
        Ask::NextDelay => generator.subschema_for::<NextDelayQuestion>(),
        Ask::Jitter => generator.subschema_for::<JitterQuestion>(),
        Ask::JitterSamples => generator.subschema_for::<JitterSamplesQuestion>(),
        Ask::Ladder => generator.subschema_for::<LadderQuestion>(),
        Ask::RungFor => generator.subschema_for::<RungForQuestion>(),
        Ask::Queue => generator.subschema_for::<QueueArguments>(),
    }
}

/// One of the answers that a question has (V-7).
fn expectation(ask: Ask, generator: &mut SchemaGenerator) -> Schema {
    let mut expect = Expect::json_schema(generator);
    let choices: Vec<Schema> = legal_answers(ask)
        .iter()
        .map(|key| {
            let mut choice = narrowed(&expect, &[(*key, true)]);
            if *key == "rejected"
                && let Some(rejected) = property(&mut choice, key)
            {
                narrow_refusal(ask, rejected);
            }
            choice.insert("title".to_owned(), (*key).into());
            choice
        })
        .collect();
    choose(&mut expect, choices);
    expect
}

/// Each code with the fields that it names (W-14).
fn narrow_refusal(ask: Ask, rejected: &mut Json) {
    let Ok(mut refusal) = Schema::try_from(rejected.clone()) else {
        return;
    };
    let choices: Vec<Schema> = legal_refusals(ask)
        .into_iter()
        .map(|(code, fields)| {
            let keys = [("code", true), ("field", true)];
            let mut choice = narrowed(&refusal, if fields.is_empty() { &keys[..1] } else { &keys });
            if let Some(value) = property(&mut choice, "code") {
                value["const"] = code.into();
            }
            if let Some(value) = property(&mut choice, "field") {
                value["enum"] = fields.into();
            }
            choice.insert("title".to_owned(), code.into());
            choice
        })
        .collect();
    choose(&mut refusal, choices);
    *rejected = refusal.to_value();
}

/// What a case holds depends on its expectation.
fn rules(ask: Ask) -> Json {
    let expects = |key: &str| json!({"properties": {"expect": {"required": [key]}}, "required": ["expect"]});
    // A rejection has a control, and nothing else has (V-5).
    let control = json!({
        "if": expects("rejected"),
        "then": {"required": ["control"]},
        "else": {"properties": {"control": false}},
    });
    let limit =
        |key: &str, given: Json| json!({"if": expects(key), "then": {"properties": {"given": {"properties": given}}}});
    match ask {
        Ask::Schedule => {
            let policy = json_schema!({"properties": {"max_attempts": {"maximum": MAX_SCHEDULED_ATTEMPTS}}});
            json!([control, limit("delays", json!({"policy": policy}))])
        }
        Ask::JitterSamples => {
            let count = json!({"minimum": SAMPLES.start(), "maximum": SAMPLES.end()});
            json!([control, limit("between", json!({"count": count}))])
        }
        Ask::Policy | Ask::Backoff | Ask::NextDelay | Ask::Jitter | Ask::Ladder | Ask::RungFor | Ask::Queue => {
            json!([control])
        }
    }
}
