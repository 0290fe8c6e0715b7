//! Texts of YAML files that are texts.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a text and nothing that merely could be read as one: YAML readers disagree about what a number looks like as a text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    struct TextVisitor;

    impl Visitor<'_> for TextVisitor {
        type Value = String;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
    }

    deserializer.deserialize_any(TextVisitor)
}

/// The same for a key that may be absent or null.
pub(crate) fn optional_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text: Option<Text> = Option::deserialize(deserializer)?;
    Ok(text.map(|text| text.0))
}

/// A text, and nothing else that could be read as one.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub(crate) struct Text(#[serde(deserialize_with = "text")] pub(crate) String);
