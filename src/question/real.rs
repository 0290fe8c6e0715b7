//! Numbers of questions, which need not be finite.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A binary64 number that may also be one of the three values JSON has no number for (W-9).
///
/// Read strictly, as vectors are: with a fraction (V-8), or as one of the texts `NaN`, `Infinity` and `-Infinity`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Real(pub f64);

impl Real {
    /// The value that one of the three texts stands for.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        match text {
            "NaN" => Some(Self(f64::NAN)),
            "Infinity" => Some(Self(f64::INFINITY)),
            "-Infinity" => Some(Self(f64::NEG_INFINITY)),
            _ => None,
        }
    }
}

impl JsonSchema for Real {
    fn schema_name() -> Cow<'static, str> {
        "Real".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A binary64 number. In vectors it is written with a fraction, such as `1.0` or `2.5e-3` (V-8), which a \
                schema can't see once the number is read; what is not finite is one of three quoted texts (V-9).",
            "anyOf": [{"type": "number"}, {"enum": ["NaN", "Infinity", "-Infinity"]}],
            "examples": [1.0, 0.25, "Infinity"],
        })
    }
}

impl From<Real> for f64 {
    fn from(real: Real) -> Self {
        real.0
    }
}

impl Serialize for Real {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else if self.0.is_nan() {
            serializer.serialize_str("NaN")
        } else if self.0 > 0.0 {
            serializer.serialize_str("Infinity")
        } else {
            serializer.serialize_str("-Infinity")
        }
    }
}

impl<'de> Deserialize<'de> for Real {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RealVisitor;

        impl Visitor<'_> for RealVisitor {
            type Value = Real;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number with a fraction such as 1.0, or \"NaN\", \"Infinity\" or \"-Infinity\"")
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Real, E> {
                Ok(Real(number))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Real, E> {
                Real::from_text(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(RealVisitor)
    }
}
