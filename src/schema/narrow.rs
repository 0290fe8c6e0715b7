//! Choices within objects: which keys an object has depends on one of its values.

use schemars::{Schema, json_schema};
use serde_json::{Map, Value as Json};

/// The schema of an object with only these of its keys; `true` for those that must be there.
pub(crate) fn narrowed(schema: &Schema, keys: &[(&str, bool)]) -> Schema {
    let all = schema.get("properties").and_then(Json::as_object);
    let properties: Map<String, Json> = keys
        .iter()
        .filter_map(|(key, _)| Some(((*key).to_owned(), all?.get(*key)?.clone())))
        .collect();
    let required: Vec<&str> = keys
        .iter()
        .filter_map(|(key, is_required)| is_required.then_some(*key))
        .collect();
    json_schema!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Replaces the schema of an object by those that it may have, exactly one of them.
pub(crate) fn choose(schema: &mut Schema, choices: impl IntoIterator<Item = Schema>) {
    for key in ["type", "properties", "required", "additionalProperties"] {
        schema.remove(key);
    }
    let choices: Json = choices.into_iter().map(Schema::to_value).collect();
    schema.insert("oneOf".to_owned(), choices);
}

/// The schema of the value under a key, to be changed.
pub(crate) fn property<'a>(schema: &'a mut Schema, key: &str) -> Option<&'a mut Json> {
    schema.get_mut("properties")?.get_mut(key)
}
