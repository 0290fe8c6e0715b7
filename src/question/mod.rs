//! Questions a port is asked, as data: not yet checked, since many of them are there to be refused.
//!
//! The same types are read from vectors (closed: an unknown key is an error) and written to the wire (W-12).

mod one_key;
mod policy;
mod real;

pub use one_key::OneKey;
pub use policy::{PolicyArgument, PolicyValue};
pub use real::Real;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ladder::DEFAULT_THRESHOLD;
use crate::scenario::{RawStep, StepFault, Steps};
use crate::schema::Nullable;
use crate::text::text;

/// The question that is put. Its name is also that of the feature that a port claims (W-15).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Which policy do these calls make? (chapter 1)
    Policy,
    /// What are all delays of the policy? (chapter 2)
    Schedule,
    /// What is the delay after one attempt? (chapter 2)
    Backoff,
    /// What comes after a failed attempt: a delay, or giving up? (chapter 3)
    NextDelay,
    /// Where does a given draw move a delay? (chapter 4)
    Jitter,
    /// Where do the library's own draws move a delay? (chapter 4)
    JitterSamples,
    /// Which retry queues does the policy need? (chapter 5)
    Ladder,
    /// Which retry queue holds a delay? (chapter 5)
    RungFor,
    /// What happens in this scenario? (chapter 6)
    Queue,
}

impl Ask {
    /// Every question that vectors can put.
    pub const ALL: [Self; 9] = [
        Self::Policy,
        Self::Schedule,
        Self::Backoff,
        Self::NextDelay,
        Self::Jitter,
        Self::JitterSamples,
        Self::Ladder,
        Self::RungFor,
        Self::Queue,
    ];

    /// The order in which the author of a port meets them best.
    pub const EASIEST_FIRST: [Self; 9] = [
        Self::Backoff,
        Self::Schedule,
        Self::NextDelay,
        Self::Policy,
        Self::Jitter,
        Self::JitterSamples,
        Self::Ladder,
        Self::RungFor,
        Self::Queue,
    ];

    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Schedule => "schedule",
            Self::Backoff => "backoff",
            Self::NextDelay => "next_delay",
            Self::Jitter => "jitter",
            Self::JitterSamples => "jitter_samples",
            Self::Ladder => "ladder",
            Self::RungFor => "rung_for",
            Self::Queue => "queue",
        }
    }

    /// The question of that name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ask| ask.name() == name)
    }
}

/// One question with its arguments.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Question {
    /// See [`Ask::Policy`].
    Policy(PolicyQuestion),
    /// See [`Ask::Schedule`].
    Schedule(ScheduleQuestion),
    /// See [`Ask::Backoff`].
    Backoff(BackoffQuestion),
    /// See [`Ask::NextDelay`].
    NextDelay(NextDelayQuestion),
    /// See [`Ask::Jitter`].
    Jitter(JitterQuestion),
    /// See [`Ask::JitterSamples`].
    JitterSamples(JitterSamplesQuestion),
    /// See [`Ask::Ladder`].
    Ladder(LadderQuestion),
    /// See [`Ask::RungFor`].
    RungFor(RungForQuestion),
    /// See [`Ask::Queue`].
    Queue(QueueQuestion),
}

impl Question {
    /// Which kind of question this is.
    #[must_use]
    pub fn ask(&self) -> Ask {
        match self {
            Self::Policy(_) => Ask::Policy,
            Self::Schedule(_) => Ask::Schedule,
            Self::Backoff(_) => Ask::Backoff,
            Self::NextDelay(_) => Ask::NextDelay,
            Self::Jitter(_) => Ask::Jitter,
            Self::JitterSamples(_) => Ask::JitterSamples,
            Self::Ladder(_) => Ask::Ladder,
            Self::RungFor(_) => Ask::RungFor,
            Self::Queue(_) => Ask::Queue,
        }
    }

    /// The durations among the arguments, in seconds (W-17).
    #[must_use]
    pub fn durations(&self) -> Vec<f64> {
        let of_policy =
            |policy: &PolicyArgument| vec![policy.initial_delay.0, policy.max_delay.0, policy.max_message_age.0];
        match self {
            Self::Policy(question) => {
                let mut durations = match &question.make.0 {
                    Make::Fields(policy) => of_policy(policy),
                    Make::None(_) => vec![],
                    Make::Fixed(fixed) => vec![fixed.delay.0],
                    Make::Exponential(exponential) => vec![exponential.initial_delay.0, exponential.max_delay.0],
                };
                durations.extend(question.then.iter().filter_map(|step| match step.0 {
                    Then::GiveUpAfter(age) => Some(age.0),
                    Then::WithJitter(_) => None,
                }));
                durations
            }
            Self::Schedule(question) => of_policy(&question.policy),
            Self::Backoff(question) => of_policy(&question.policy),
            Self::NextDelay(question) => {
                let mut durations = of_policy(&question.policy);
                durations.extend(question.message_age.map(|age| age.0));
                durations
            }
            Self::Jitter(question) => [of_policy(&question.policy), vec![question.delay.0]].concat(),
            Self::JitterSamples(question) => [of_policy(&question.policy), vec![question.delay.0]].concat(),
            Self::Ladder(question) => [of_policy(&question.policy), vec![question.threshold.0]].concat(),
            Self::RungFor(question) => [
                of_policy(&question.policy),
                vec![question.threshold.0, question.delay.0],
            ]
            .concat(),
            Self::Queue(question) => {
                let mut durations = of_policy(&question.policy);
                durations.extend([question.message_ttl.0, question.ack_timeout.0]);
                durations.extend(question.steps.iter().map(|step| step.at.seconds()));
                durations
            }
        }
    }
}

/// Arguments of `policy` (W-13).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyQuestion {
    /// How the policy is made.
    pub make: OneKey<Make>,
    /// The copies made of it, in order.
    #[serde(default)]
    pub then: Vec<OneKey<Then>>,
}

/// How a policy is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Make {
    /// From its six fields.
    Fields(PolicyArgument),
    /// By the factory `none`.
    None(NoArguments),
    /// By the factory `fixed`.
    Fixed(FixedArguments),
    /// By the factory `exponential`.
    Exponential(ExponentialArguments),
}

/// A copy of a policy with one field changed (P-15).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// A copy with another age limit, in seconds. Legal from 0 to 4294967296; 0 for none.
    GiveUpAfter(Real),
    /// A copy with another jitter factor. Legal from 0 to 1.
    WithJitter(Real),
}

/// Arguments of a factory that has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

/// Arguments of `fixed`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FixedArguments {
    /// Deliveries in total, the first one included. Legal from 1 to 2147483647.
    pub max_attempts: i64,
    /// Seconds between two deliveries. Legal from 0 to 4294967296; refused as `initial_delay`.
    pub delay: Real,
}

/// Arguments of `exponential`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExponentialArguments {
    /// Deliveries in total, the first one included. Legal from 1 to 2147483647.
    pub max_attempts: i64,
    /// Seconds before the second delivery. Legal from 0 to 4294967296.
    pub initial_delay: Real,
    /// The cap in seconds, 0 for none. Legal from 0 to 4294967296.
    #[serde(default)]
    pub max_delay: Real,
}

/// Arguments of `schedule`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduleQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
}

/// Arguments of `backoff`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BackoffQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The attempt that failed, counted from 1 (the first delivery). Legal from 1 to 2147483647 (B-2).
    pub attempt: i64,
}

/// Arguments of `next_delay`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextDelayQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The attempt that failed, counted from 1 (the first delivery). Legal from 1 to 2147483647 (B-2).
    pub attempt: i64,
    /// The age of the message in seconds, null when it is unknown. The key itself must be there. NaN is refused (N-1).
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(with = "Nullable<Real>")]
    pub message_age: Option<Real>,
}

/// Arguments of `jitter`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JitterQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The delay to move, in seconds. Legal from 0 to 4294967296 (J-7).
    pub delay: Real,
    /// The draw that moves it. Legal from 0 up to, but not, 1 (J-7).
    pub draw: Real,
}

/// Arguments of `jitter_samples`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JitterSamplesQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The delay to move, in seconds. Legal from 0 to 4294967296 (J-7).
    pub delay: Real,
    /// How many delays are asked for, each with a draw of its own. Legal from 1 to 1000000 (J-11); a case that is not rejected
    /// asks for 1024 to 20000 (V-17).
    pub count: i64,
}

/// Arguments of `ladder`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LadderQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The name of the source queue, which must not be empty (L-12).
    #[serde(deserialize_with = "text")]
    pub queue: String,
    /// The name of the dead-letter exchange; empty for the default exchange (L-13).
    #[serde(deserialize_with = "text")]
    pub exchange: String,
    /// The delay in seconds from which waits go to the broker. Legal from 0 to 4294967296 (L-12).
    #[serde(default = "default_threshold")]
    pub threshold: Real,
}

/// Arguments of `rung_for`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RungForQuestion {
    /// The policy asked about.
    pub policy: PolicyArgument,
    /// The name of the source queue, which must not be empty (L-12).
    #[serde(deserialize_with = "text")]
    pub queue: String,
    /// The name of the dead-letter exchange; empty for the default exchange (L-13).
    #[serde(deserialize_with = "text")]
    pub exchange: String,
    /// The delay in seconds from which waits go to the broker. Legal from 0 to 4294967296 (L-12).
    #[serde(default = "default_threshold")]
    pub threshold: Real,
    /// The delay that looks for its rung, in seconds. Legal from 0 to 4294967296 (L-12).
    pub delay: Real,
}

/// Arguments of `queue`, with steps that make sense.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QueueQuestion {
    /// The policy of the queue.
    pub policy: PolicyArgument,
    /// How long a message may wait, in seconds; 0 for without end. Legal from 0 to 4294967296.
    pub message_ttl: Real,
    /// How long a lease lasts, in seconds; 0 for without end. Legal from 0 to 4294967296.
    pub ack_timeout: Real,
    /// What is done, in the order of time.
    #[schemars(with = "Vec<RawStep>")]
    pub steps: Steps,
}

/// Arguments of `queue` as written, before the steps are held against each other.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueueArguments {
    /// The policy of the queue.
    pub policy: PolicyArgument,
    /// How long a message may wait, in seconds; 0 for without end. Legal from 0 to 4294967296.
    #[serde(default)]
    pub message_ttl: Real,
    /// How long a lease lasts, in seconds; 0 for without end. Legal from 0 to 4294967296.
    #[serde(default)]
    pub ack_timeout: Real,
    /// What is done, in the order of time.
    pub steps: Vec<RawStep>,
}

impl TryFrom<QueueArguments> for QueueQuestion {
    type Error = StepFault;

    fn try_from(arguments: QueueArguments) -> Result<Self, StepFault> {
        Ok(Self {
            policy: arguments.policy,
            message_ttl: arguments.message_ttl,
            ack_timeout: arguments.ack_timeout,
            steps: Steps::new(arguments.steps)?,
        })
    }
}

fn default_threshold() -> Real {
    Real(DEFAULT_THRESHOLD)
}
