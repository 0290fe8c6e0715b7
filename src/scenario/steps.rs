//! Steps of a scenario, checked: the table "Steps" of chapter 6, and Q-33.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use crate::millis::Millis;
use crate::policy::HORIZON;
use crate::printable::spelled;
use crate::schema::{choose, narrowed, property};
use crate::text::optional_text;

/// The steps of a scenario that makes sense.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Steps(Vec<Step>);

impl Steps {
    /// Checks each step, and what concerns more than one: time does not run backwards, and no message is put twice.
    ///
    /// # Errors
    ///
    /// The first step that makes no sense.
    pub fn new(raw: Vec<RawStep>) -> Result<Self, StepFault> {
        let mut put = HashSet::new();
        let mut now = Millis::default();
        let mut steps = Vec::new();
        for (index, raw) in raw.into_iter().enumerate() {
            let fault = |key, text| Err(StepFault { index, key, text });
            let step = match raw.check() {
                Ok(step) => step,
                Err((key, text)) => return fault(key, text),
            };
            if step.at < now {
                let (at, before) = (step.at.seconds(), now.seconds());
                return fault(
                    "at",
                    format!("time {at:?} after {before:?}, needed a time that does not run backwards"),
                );
            }
            now = step.at;
            if let Action::Put { message } = &step.action
                && !put.insert(message.clone())
            {
                return fault(
                    "message",
                    format!("message `{message}` put a second time, needed another name"),
                );
            }
            steps.push(step);
        }
        Ok(Self(steps))
    }

    /// The steps.
    pub fn iter(&self) -> impl Iterator<Item = &Step> {
        self.0.iter()
    }
}

/// A step that makes no sense where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFault {
    /// Which step, from 0.
    pub index: usize,
    /// The key that is at fault.
    pub key: &'static str,
    /// What was found, and what was needed.
    pub text: String,
}

impl fmt::Display for StepFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "steps[{}].{}: {}", self.index, self.key, self.text)
    }
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// When.
    pub at: Millis,
    /// What.
    pub action: Action,
}

/// What is done in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A new message.
    Put {
        /// Its name.
        message: String,
    },
    /// A new consumer.
    AddConsumer {
        /// Its name.
        consumer: String,
        /// What it does with a message.
        on_message: Handler,
        /// How many leases it holds at most.
        prefetch: Option<u64>,
    },
    /// A consumer goes.
    RemoveConsumer {
        /// Its name.
        consumer: String,
    },
    /// A delivery is settled.
    Ack {
        /// The message.
        message: String,
        /// Which of its deliveries, from 1; the latest where none is named.
        delivery: Option<u64>,
    },
    /// A delivery fails.
    Nack {
        /// The message.
        message: String,
        /// Which of its deliveries, from 1; the latest where none is named.
        delivery: Option<u64>,
        /// The error text.
        error: Option<String>,
    },
    /// A dead message goes back in.
    Replay {
        /// The message.
        message: String,
    },
    /// How many messages are in each state?
    Stats,
    /// Which messages are dead?
    DeadLetters,
    /// Time passes.
    Wait,
}

/// What a consumer does with a message at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Handler {
    /// `"hold"`
    #[default]
    Hold,
    /// `"ack"`
    Ack,
    /// `{"fail": text}`
    Fail(String),
}

/// The name of what a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Do {
    Put,
    AddConsumer,
    RemoveConsumer,
    Ack,
    Nack,
    Replay,
    Stats,
    DeadLetters,
    Wait,
}

impl Do {
    const ALL: [Self; 9] = [
        Self::Put,
        Self::AddConsumer,
        Self::RemoveConsumer,
        Self::Ack,
        Self::Nack,
        Self::Replay,
        Self::Stats,
        Self::DeadLetters,
        Self::Wait,
    ];

    /// The keys that such a step may have besides `at` and `do`.
    fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Put | Self::Replay => &["message"],
            Self::AddConsumer => &["consumer", "on_message", "prefetch"],
            Self::RemoveConsumer => &["consumer"],
            Self::Ack => &["message", "delivery"],
            Self::Nack => &["message", "delivery", "error"],
            Self::Stats | Self::DeadLetters | Self::Wait => &[],
        }
    }

    /// What such a step does, in words.
    fn effect(self) -> &'static str {
        match self {
            Self::Put => "A new message comes in, under a name not used before (Q-2).",
            Self::AddConsumer => "A new consumer comes (Q-3, Q-24).",
            Self::RemoveConsumer => "A consumer goes; its deliveries fail with the text `consumer removed` (Q-12).",
            Self::Ack => "A delivery is settled: the message is done (Q-8, Q-10).",
            Self::Nack => "A delivery fails (Q-9, Q-10).",
            Self::Replay => "A dead message goes back in and starts afresh (Q-22, Q-23).",
            Self::Stats => "Asks how many messages are in each state (Q-29).",
            Self::DeadLetters => "Asks which messages are dead (Q-21).",
            Self::Wait => "Nothing, but time passes.",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Put => "put",
            Self::AddConsumer => "add_consumer",
            Self::RemoveConsumer => "remove_consumer",
            Self::Ack => "ack",
            Self::Nack => "nack",
            Self::Replay => "replay",
            Self::Stats => "stats",
            Self::DeadLetters => "dead_letters",
            Self::Wait => "wait",
        }
    }
}

/// A step as written, not yet checked: every key that some step has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Step", transform = by_what_is_done)]
pub struct RawStep {
    /// When, in seconds since the start: a whole number of milliseconds from 0 to 4294967296, and not before the step above.
    at: Seconds,
    /// What is done.
    r#do: Do,
    /// The message's name.
    #[serde(default, deserialize_with = "optional_text", skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// The consumer's name.
    #[serde(default, deserialize_with = "optional_text", skip_serializing_if = "Option::is_none")]
    consumer: Option<String>,
    /// What the consumer does with each message at once; `hold` where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    on_message: Option<Handler>,
    /// How many messages the consumer holds at most, 1 or more; null or absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    prefetch: Option<u64>,
    /// Which delivery of the message, counted from 1; null or absent for the latest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    delivery: Option<u64>,
    /// The text of the failure; null or absent for none.
    #[serde(default, deserialize_with = "optional_text", skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Narrows the schema of a step: each `do` has keys of its own.
fn by_what_is_done(schema: &mut Schema) {
    let choices = Do::ALL.map(|what| {
        let mut keys = vec![("at", true), ("do", true)];
        keys.extend(
            what.keys()
                .iter()
                .map(|key| (*key, matches!(*key, "message" | "consumer"))),
        );
        let mut choice = narrowed(schema, &keys);
        for name in ["message", "consumer"] {
            if let Some(name) = property(&mut choice, name) {
                *name = json!({"type": "string", "minLength": 1, "description": name["description"]});
            }
        }
        if let Some(name) = property(&mut choice, "do") {
            *name = json!({"const": what.name(), "description": what.effect()});
        }
        choice.insert("title".to_owned(), what.name().into());
        choice.insert("description".to_owned(), what.effect().into());
        choice
    });
    choose(schema, choices);
}

impl RawStep {
    /// Every key that some step has.
    pub const KEYS: [&str; 8] = [
        "at",
        "do",
        "message",
        "consumer",
        "on_message",
        "prefetch",
        "delivery",
        "error",
    ];

    fn new(at: Millis, r#do: Do) -> Self {
        Self {
            at: Seconds(at.seconds()),
            r#do,
            message: None,
            consumer: None,
            on_message: None,
            prefetch: None,
            delivery: None,
            error: None,
        }
    }

    /// Refuses a key that the step does not have.
    fn check_keys(&self) -> Result<(), (&'static str, String)> {
        let legal = self.r#do.keys();
        let found = [
            ("message", self.message.is_some()),
            ("consumer", self.consumer.is_some()),
            ("on_message", self.on_message.is_some()),
            ("prefetch", self.prefetch.is_some()),
            ("delivery", self.delivery.is_some()),
            ("error", self.error.is_some()),
        ];
        match found.iter().find(|(key, is_there)| *is_there && !legal.contains(key)) {
            Some((key, _)) => {
                let needed: Vec<String> = legal.iter().map(|key| format!("`{key}`")).collect();
                let needed = if needed.is_empty() {
                    "none".to_owned()
                } else {
                    format!("only {}", needed.join(", "))
                };
                Err((
                    *key,
                    format!("`{key}`, which `{}` does not have, needed {needed}", self.r#do.name()),
                ))
            }
            None => Ok(()),
        }
    }

    /// Checks the step by itself; what is wrong comes with its key.
    fn check(self) -> Result<Step, (&'static str, String)> {
        self.check_keys()?;
        let seconds = self.at.0;
        let Some(at) = Millis::exactly(seconds).filter(|_| (0.0..=HORIZON).contains(&seconds)) else {
            let time = spelled(seconds);
            let text = format!("time {time}, needed a whole number of milliseconds from 0 to {HORIZON:?} s");
            return Err(("at", text));
        };
        for (key, number) in [("prefetch", self.prefetch), ("delivery", self.delivery)] {
            if number == Some(0) {
                return Err((key, format!("`{key}` 0, needed 1 or more")));
            }
        }
        let of = self.r#do.name();
        let text = |key: &'static str, text: Option<String>| match text {
            Some(text) if !text.is_empty() => Ok(text),
            Some(_) => Err((key, format!("an empty `{key}` in `{of}`, needed a name"))),
            None => Err((key, format!("no `{key}` in `{of}`, needed a name"))),
        };
        let message = |message| text("message", message);
        let consumer = |consumer| text("consumer", consumer);
        let action = match self.r#do {
            Do::Put => Action::Put {
                message: message(self.message)?,
            },
            Do::AddConsumer => Action::AddConsumer {
                consumer: consumer(self.consumer)?,
                on_message: self.on_message.unwrap_or_default(),
                prefetch: self.prefetch,
            },
            Do::RemoveConsumer => Action::RemoveConsumer {
                consumer: consumer(self.consumer)?,
            },
            Do::Ack => Action::Ack {
                message: message(self.message)?,
                delivery: self.delivery,
            },
            Do::Nack => Action::Nack {
                message: message(self.message)?,
                delivery: self.delivery,
                error: self.error,
            },
            Do::Replay => Action::Replay {
                message: message(self.message)?,
            },
            Do::Stats => Action::Stats,
            Do::DeadLetters => Action::DeadLetters,
            Do::Wait => Action::Wait,
        };
        Ok(Step { at, action })
    }
}

impl From<&Step> for RawStep {
    fn from(step: &Step) -> Self {
        let raw = |r#do| Self::new(step.at, r#do);
        match step.action.clone() {
            Action::Put { message } => Self {
                message: Some(message),
                ..raw(Do::Put)
            },
            Action::AddConsumer {
                consumer,
                on_message,
                prefetch,
            } => Self {
                consumer: Some(consumer),
                on_message: Some(on_message),
                prefetch,
                ..raw(Do::AddConsumer)
            },
            Action::RemoveConsumer { consumer } => Self {
                consumer: Some(consumer),
                ..raw(Do::RemoveConsumer)
            },
            Action::Ack { message, delivery } => Self {
                message: Some(message),
                delivery,
                ..raw(Do::Ack)
            },
            Action::Nack {
                message,
                delivery,
                error,
            } => Self {
                message: Some(message),
                delivery,
                error,
                ..raw(Do::Nack)
            },
            Action::Replay { message } => Self {
                message: Some(message),
                ..raw(Do::Replay)
            },
            Action::Stats => raw(Do::Stats),
            Action::DeadLetters => raw(Do::DeadLetters),
            Action::Wait => raw(Do::Wait),
        }
    }
}

/// A time as written, in any spelling of a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
struct Seconds(#[schemars(range(min = 0.0, max = HORIZON))] f64);

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawStep::from(self).serialize(serializer)
    }
}

impl JsonSchema for Handler {
    fn schema_name() -> Cow<'static, str> {
        "Handler".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a consumer does with a message at once (Q-7).",
            "oneOf": [
                {"const": "hold", "description": "Keeps it; a later step settles it."},
                {"const": "ack", "description": "Settles it at once."},
                {
                    "type": "object",
                    "description": "Fails it at once, with this text.",
                    "properties": {"fail": {"type": "string", "description": "The text of the failure."}},
                    "required": ["fail"],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

impl Serialize for Handler {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Hold => serializer.serialize_str("hold"),
            Self::Ack => serializer.serialize_str("ack"),
            Self::Fail(text) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("fail", text)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Handler {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HandlerVisitor;

        impl<'de> Visitor<'de> for HandlerVisitor {
            type Value = Handler;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`hold`, `ack`, or a mapping with the one key `fail`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Handler, E> {
                match text {
                    "hold" => Ok(Handler::Hold),
                    "ack" => Ok(Handler::Ack),
                    other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Handler, A::Error> {
                let entry: Option<(String, String)> = map.next_entry()?;
                match (entry, map.next_key::<de::IgnoredAny>()?) {
                    (Some((key, text)), None) if key == "fail" => Ok(Handler::Fail(text)),
                    _ => Err(de::Error::custom("another mapping, needed the one key `fail`")),
                }
            }
        }

        deserializer.deserialize_any(HandlerVisitor)
    }
}
