//! Requests: written for ports, and read by the reference when it serves as one.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the kinds of JSON are all there will ever be"
)]

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use crate::question::{
    Ask, BackoffQuestion, ExponentialArguments, FixedArguments, JitterQuestion, JitterSamplesQuestion, LadderQuestion,
    Make, NextDelayQuestion, NoArguments, OneKey, PolicyArgument, PolicyQuestion, Question, QueueArguments,
    QueueQuestion, Real, RungForQuestion, ScheduleQuestion, Then,
};
use crate::scenario::RawStep;
use crate::version::{KIT, PROTOCOL};

/// The first request, which introduces the kit (W-15).
#[derive(Serialize, JsonSchema)]
pub(crate) struct HelloRequest<'a> {
    /// Always `hello`.
    #[schemars(extend("const" = "hello"))]
    ask: &'a str,
    /// What the answer is to be given under: a text without a meaning.
    id: &'a str,
    /// The version of the kit.
    kit: &'a str,
    /// The version of the protocol.
    #[schemars(extend("const" = PROTOCOL))]
    protocol: u32,
}

/// Appends the line that introduces the kit.
pub(crate) fn write_hello(line: &mut Vec<u8>, id: &str) {
    let hello = HelloRequest {
        ask: "hello",
        id,
        kit: KIT,
        protocol: PROTOCOL,
    };
    // Plain data with text keys: writing it can't fail.
    line.extend(serde_json::to_vec(&hello).unwrap_or_default());
    line.push(b'\n');
}

/// Appends the line of a question that nobody knows (W-5).
pub(crate) fn write_unknown(line: &mut Vec<u8>, id: &str, ask: &str) {
    line.extend_from_slice(json!({"id": id, "ask": ask}).to_string().as_bytes());
    line.push(b'\n');
}

/// Appends the line of a question (W-12). Its expected answer is not known here.
pub(crate) fn write_question(line: &mut Vec<u8>, id: &str, question: &Question) {
    let head = json!({"id": id, "ask": question.ask().name()}).to_string();
    line.extend_from_slice(head.trim_end_matches('}').as_bytes());
    line.push(b',');
    // Plain data with text keys: writing it can't fail. Its object goes on where the head's was left open.
    let arguments = serde_json::to_vec(question).unwrap_or_default();
    line.extend_from_slice(arguments.strip_prefix(b"{").unwrap_or(&arguments));
    line.push(b'\n');
}

/// A request, as far as a port needs to look at it before it knows the question.
pub(crate) struct Request {
    pub(crate) id: String,
    pub(crate) ask: String,
    arguments: Map<String, Json>,
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// What is wrong, when it is no request at all.
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        let mut arguments: Map<String, Json> =
            serde_json::from_slice(line).map_err(|error| format!("no JSON object: {error}"))?;
        let mut take = |key: &str| match arguments.remove(key) {
            Some(Json::String(text)) => Ok(text),
            Some(other) => Err(format!("`{key}` is {other}, needed a text")),
            None => Err(format!("no `{key}`")),
        };
        let (id, ask) = (take("id")?, take("ask")?);
        Ok(Self { id, ask, arguments })
    }

    /// The question asked. Keys that it does not have are ignored (W-1).
    ///
    /// # Errors
    ///
    /// The argument that is missing or of the wrong type.
    pub(crate) fn question(&self, ask: Ask) -> Result<Question, String> {
        let arguments = Arguments(&self.arguments);
        Ok(match ask {
            Ask::Policy => Question::Policy(PolicyQuestion {
                make: OneKey(arguments.make()?),
                then: arguments.then()?,
            }),
            Ask::Schedule => Question::Schedule(ScheduleQuestion {
                policy: arguments.policy("policy")?,
            }),
            Ask::Backoff => Question::Backoff(BackoffQuestion {
                policy: arguments.policy("policy")?,
                attempt: arguments.integer("attempt")?,
            }),
            Ask::NextDelay => Question::NextDelay(NextDelayQuestion {
                policy: arguments.policy("policy")?,
                attempt: arguments.integer("attempt")?,
                message_age: match arguments.get("message_age")? {
                    Json::Null => None,
                    _ => Some(arguments.real("message_age")?),
                },
            }),
            Ask::Jitter => Question::Jitter(JitterQuestion {
                policy: arguments.policy("policy")?,
                delay: arguments.real("delay")?,
                draw: arguments.real("draw")?,
            }),
            Ask::JitterSamples => Question::JitterSamples(JitterSamplesQuestion {
                policy: arguments.policy("policy")?,
                delay: arguments.real("delay")?,
                count: arguments.integer("count")?,
            }),
            Ask::Ladder => Question::Ladder(LadderQuestion {
                policy: arguments.policy("policy")?,
                queue: arguments.text("queue")?,
                exchange: arguments.text("exchange")?,
                threshold: arguments.real("threshold")?,
            }),
            Ask::RungFor => Question::RungFor(RungForQuestion {
                policy: arguments.policy("policy")?,
                queue: arguments.text("queue")?,
                exchange: arguments.text("exchange")?,
                threshold: arguments.real("threshold")?,
                delay: arguments.real("delay")?,
            }),
            Ask::Queue => {
                let arguments = QueueArguments {
                    policy: arguments.policy("policy")?,
                    message_ttl: arguments.real("message_ttl")?,
                    ack_timeout: arguments.real("ack_timeout")?,
                    steps: arguments.steps()?,
                };
                Question::Queue(QueueQuestion::try_from(arguments).map_err(|fault| fault.to_string())?)
            }
        })
    }
}

/// Arguments by name.
struct Arguments<'a>(&'a Map<String, Json>);

impl<'a> Arguments<'a> {
    fn get(&self, key: &str) -> Result<&'a Json, String> {
        self.0.get(key).ok_or_else(|| format!("no `{key}`"))
    }

    fn object(&self, key: &str) -> Result<Arguments<'a>, String> {
        match self.get(key)? {
            Json::Object(object) => Ok(Arguments(object)),
            other => Err(format!("`{key}` is {other}, needed an object")),
        }
    }

    fn text(&self, key: &str) -> Result<String, String> {
        match self.get(key)? {
            Json::String(text) => Ok(text.clone()),
            other => Err(format!("`{key}` is {other}, needed a text")),
        }
    }

    fn integer(&self, key: &str) -> Result<i64, String> {
        let found = self.get(key)?;
        found
            .as_i64()
            .ok_or_else(|| format!("`{key}` is {found}, needed an integer"))
    }

    fn real(&self, key: &str) -> Result<Real, String> {
        let found = self.get(key)?;
        let real = match found {
            Json::String(text) => Real::from_text(text),
            other => other.as_f64().map(Real),
        };
        real.ok_or_else(|| format!("`{key}` is {found}, needed a number"))
    }

    fn policy(&self, key: &str) -> Result<PolicyArgument, String> {
        let fields = self.object(key)?;
        Ok(PolicyArgument {
            max_attempts: fields.integer("max_attempts")?,
            initial_delay: fields.real("initial_delay")?,
            multiplier: fields.real("multiplier")?,
            max_delay: fields.real("max_delay")?,
            jitter_factor: fields.real("jitter_factor")?,
            max_message_age: fields.real("max_message_age")?,
        })
    }

    fn make(&self) -> Result<Make, String> {
        let make = self.object("make")?;
        match make.only_key()? {
            "fields" => Ok(Make::Fields(make.policy("fields")?)),
            "none" => Ok(Make::None(NoArguments {})),
            "fixed" => {
                let fixed = make.object("fixed")?;
                Ok(Make::Fixed(FixedArguments {
                    max_attempts: fixed.integer("max_attempts")?,
                    delay: fixed.real("delay")?,
                }))
            }
            "exponential" => {
                let exponential = make.object("exponential")?;
                Ok(Make::Exponential(ExponentialArguments {
                    max_attempts: exponential.integer("max_attempts")?,
                    initial_delay: exponential.real("initial_delay")?,
                    max_delay: exponential.real("max_delay")?,
                }))
            }
            other => Err(format!(
                "`make` has `{other}`, needed `fields`, `none`, `fixed` or `exponential`"
            )),
        }
    }

    fn then(&self) -> Result<Vec<OneKey<Then>>, String> {
        let Json::Array(steps) = self.get("then")? else {
            return Err("`then` is no list".to_owned());
        };
        let step = |step: &Json| {
            let step = match step {
                Json::Object(step) => Arguments(step),
                other => return Err(format!("`then` has {other}, needed an object")),
            };
            match step.only_key()? {
                "give_up_after" => Ok(OneKey(Then::GiveUpAfter(step.real("give_up_after")?))),
                "with_jitter" => Ok(OneKey(Then::WithJitter(step.real("with_jitter")?))),
                other => Err(format!("`then` has `{other}`, needed `give_up_after` or `with_jitter`")),
            }
        };
        steps.iter().map(step).collect()
    }

    fn steps(&self) -> Result<Vec<RawStep>, String> {
        let Json::Array(steps) = self.get("steps")? else {
            return Err("`steps` is no list".to_owned());
        };
        let step = |(index, step): (usize, &Json)| {
            let mut step = step.clone();
            if let Json::Object(keys) = &mut step {
                keys.retain(|key, _| RawStep::KEYS.contains(&key.as_str()));
            }
            serde_json::from_value(step).map_err(|error| format!("steps[{index}]: {error}"))
        };
        steps.iter().enumerate().map(step).collect()
    }

    fn only_key(&self) -> Result<&'a str, String> {
        let mut keys = self.0.keys();
        match (keys.next(), keys.next()) {
            (Some(key), None) => Ok(key),
            _ => Err(format!("{} keys, needed exactly one", self.0.len())),
        }
    }
}
