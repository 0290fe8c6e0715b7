//! Choices, written as a mapping with one key.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A key where none may be: refused as it is read, so that the place is its own.
struct NoKey;

impl<'de> Deserialize<'de> for NoKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NoKeyVisitor;

        impl Visitor<'_> for NoKeyVisitor {
            type Value = NoKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("no key")
            }

            fn visit_str<E: de::Error>(self, _: &str) -> Result<NoKey, E> {
                Err(E::custom("a second key, needed exactly one"))
            }
        }

        deserializer.deserialize_str(NoKeyVisitor)
    }
}

/// A choice written as a mapping with exactly one key, the choice's name.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct OneKey<T>(pub T);

impl<T: JsonSchema> JsonSchema for OneKey<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator);
        schema.insert("maxProperties".to_owned(), 1.into());
        schema
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneKey<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneKeyVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneKeyVisitor<T> {
            type Value = OneKey<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping with exactly one key")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OneKey<T>, A::Error> {
                let choice = T::deserialize(MapAccessDeserializer::new(&mut map))?;
                match map.next_key::<NoKey>()? {
                    None => Ok(OneKey(choice)),
                    Some(NoKey) => Err(de::Error::custom("a second key, needed exactly one")),
                }
            }
        }

        deserializer.deserialize_map(OneKeyVisitor(PhantomData))
    }
}
