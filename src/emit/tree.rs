//! Questions and answers as plain data, in the order of the wire, for writers of other languages.

use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::question::Real;

/// Plain data. Unlike a JSON value it keeps the order of keys, and holds numbers that JSON has none for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Integer(i64),
    Real(f64),
    /// A delay of a library that counts: the least and the greatest count that is right.
    Counts(i64, i64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

/// The arguments that are binary64 numbers, at any depth, and so may be one of the three texts of W-9.
const REALS: [&str; 13] = [
    "initial_delay",
    "multiplier",
    "max_delay",
    "jitter_factor",
    "max_message_age",
    "message_age",
    "delay",
    "draw",
    "threshold",
    "give_up_after",
    "with_jitter",
    "message_ttl",
    "ack_timeout",
];

impl Tree {
    /// Reads what the wire has written.
    pub(super) fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or(Self::Null)
    }

    /// The same with the texts of W-9 as the numbers they stand for.
    pub(super) fn with_numbers(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::with_numbers).collect()),
            Self::Map(entries) => {
                let number = |key: &str, value: &Self| match value {
                    Self::Text(text) if REALS.contains(&key) => Real::from_text(text).map(|real| Self::Real(real.0)),
                    Self::Null
                    | Self::Bool(_)
                    | Self::Integer(_)
                    | Self::Real(_)
                    | Self::Counts(..)
                    | Self::Text(_)
                    | Self::List(_)
                    | Self::Map(_) => None,
                };
                let entry = |(key, value): (String, Self)| {
                    let number = number(&key, &value);
                    (key, number.unwrap_or_else(|| value.with_numbers()))
                };
                Self::Map(entries.into_iter().map(entry).collect())
            }
            other @ (Self::Null
            | Self::Bool(_)
            | Self::Integer(_)
            | Self::Real(_)
            | Self::Counts(..)
            | Self::Text(_)) => other,
        }
    }

    /// The entries of a map; of anything else, none.
    pub(super) fn entries(&self) -> &[(String, Self)] {
        if let Self::Map(entries) = self { entries } else { &[] }
    }

    /// As a line of JSON, which has neither of the counts and numbers that JSON has none for.
    pub(super) fn json(&self) -> String {
        match self {
            Self::Null | Self::Counts(..) => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => serde_json::Value::from(*number).to_string(),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Self::json).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Map(entries) => {
                let entry = |(key, value): &(String, Self)| {
                    format!("{}: {}", serde_json::Value::from(key.as_str()), value.json())
                };
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// Whether this, or something in it, is NaN or infinite.
    pub(super) fn has_non_finite(&self) -> bool {
        match self {
            Self::Real(number) => !number.is_finite(),
            Self::List(items) => items.iter().any(Self::has_non_finite),
            Self::Map(entries) => entries.iter().any(|(_, value)| value.has_non_finite()),
            Self::Null | Self::Bool(_) | Self::Integer(_) | Self::Counts(..) | Self::Text(_) => false,
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Tree, E> {
        i64::try_from(value).map(Tree::Integer).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Real(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }
}
