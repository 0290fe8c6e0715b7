//! What a port says of itself. Implements W-15 and W-16.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::question::Ask;
use crate::version::{KIT, PROTOCOL};

/// A port's introduction, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// The library's name.
    pub name: String,
    /// The library's version.
    pub version: String,
    /// The language, with its version.
    pub language: String,
    /// The questions the port answers.
    pub features: BTreeSet<Ask>,
    /// Features that this kit does not know, and so does not test.
    pub unknown_features: Vec<String>,
    /// What its delays are counted in.
    pub resolution: Resolution,
}

impl Hello {
    /// The reference port's introduction.
    #[must_use]
    pub fn of_reference() -> Self {
        Self {
            name: "samewait".to_owned(),
            version: KIT.to_owned(),
            language: "Rust".to_owned(),
            features: Ask::ALL.into_iter().collect(),
            unknown_features: Vec::new(),
            resolution: Resolution::Exact,
        }
    }
}

/// What a port's delays are counted in (W-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Resolution {
    /// Binary64 seconds.
    #[serde(rename = "exact")]
    Exact,
    /// Nanoseconds.
    #[serde(rename = "1ns")]
    Nanosecond,
    /// Ticks of 100 nanoseconds.
    #[serde(rename = "100ns")]
    Tick,
    /// Microseconds.
    #[serde(rename = "1us")]
    Microsecond,
    /// Milliseconds.
    #[serde(rename = "1ms")]
    Millisecond,
}

impl Resolution {
    /// All of them, the finest first.
    pub const ALL: [Self; 5] = [
        Self::Exact,
        Self::Nanosecond,
        Self::Tick,
        Self::Microsecond,
        Self::Millisecond,
    ];

    /// How many decimal places of a second the unit is; none for exact seconds.
    #[must_use]
    pub fn places(self) -> Option<usize> {
        match self {
            Self::Exact => None,
            Self::Millisecond => Some(3),
            Self::Microsecond => Some(6),
            Self::Tick => Some(7),
            Self::Nanosecond => Some(9),
        }
    }

    /// The length of the unit in seconds; none for exact seconds.
    #[must_use]
    pub fn unit(self) -> Option<f64> {
        match self {
            Self::Exact => None,
            Self::Millisecond => Some(1.0e-3),
            Self::Microsecond => Some(1.0e-6),
            Self::Tick => Some(1.0e-7),
            Self::Nanosecond => Some(1.0e-9),
        }
    }

    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Nanosecond => "1ns",
            Self::Tick => "100ns",
            Self::Microsecond => "1us",
            Self::Millisecond => "1ms",
        }
    }
}

impl fmt::Display for Resolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value of an answer to `hello`, as written.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Hello")]
pub(crate) struct HelloValue {
    /// The version of the protocol that the port speaks.
    #[schemars(extend("const" = PROTOCOL))]
    protocol: u32,
    /// The library's name.
    name: String,
    /// The library's version.
    version: String,
    /// The language, with its version.
    language: String,
    /// The questions that the port answers, such as `backoff`; what the kit does not know is ignored.
    features: Vec<String>,
    /// What the port's delays are counted in.
    resolution: Resolution,
}

impl HelloValue {
    pub(crate) fn of(hello: Hello) -> Self {
        let Hello {
            name,
            version,
            language,
            features,
            unknown_features: _,
            resolution,
        } = hello;
        Self {
            protocol: PROTOCOL,
            name,
            version,
            language,
            features: features.into_iter().map(|ask| ask.name().to_owned()).collect(),
            resolution,
        }
    }

    /// Checks the introduction.
    ///
    /// # Errors
    ///
    /// What was found, and what was needed.
    pub(crate) fn check(self) -> Result<Hello, String> {
        if self.protocol != PROTOCOL {
            return Err(format!("protocol {}, needed {PROTOCOL}", self.protocol));
        }
        let (known, unknown): (Vec<_>, Vec<_>) = self
            .features
            .into_iter()
            .partition(|feature| Ask::named(feature).is_some());
        Ok(Hello {
            name: self.name,
            version: self.version,
            language: self.language,
            features: known.iter().filter_map(|feature| Ask::named(feature)).collect(),
            unknown_features: unknown,
            resolution: self.resolution,
        })
    }
}
