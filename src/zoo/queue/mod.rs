//! A queue whose decisions are data: each bug changes one of them.
//!
//! # Design
//!
//! The simulation is as plain as it can be: one list of messages, where everything is found by looking at all of them. At each turn it
//! asks the `Habits`, whose first alternatives are chapter 6. What a policy decides it asks of the rules, so that a broken
//! backoff shows in the queue as well.
//!
//! The modules are of two kinds. The private ones are the simulation. Each of the others has the alternatives of one concern, and next to
//! them the bugs that they make.

mod act;
pub(super) mod age;
mod clock;
mod come_and_go;
mod come_back;
pub(super) mod consumers;
pub(super) mod counting;
pub(super) mod deaths;
pub(super) mod delays;
mod deliver;
mod fail;
mod habits;
pub(super) mod instants;
pub(super) mod leases;
pub(super) mod letters;
pub(super) mod limits;
mod model;
pub(super) mod order;
pub(super) mod replay;
mod report;
pub(super) mod settling;
pub(super) mod texts;
pub(super) mod timers;
pub(super) mod ttl;

use super::Bug;
use super::rules::{Outcome, Rules};
use crate::question::QueueQuestion;
use crate::scenario::TraceEvent;
pub(super) use habits::Habits;
use instants::{Aftermath, TimePasses};
use limits::LimitsJudged;
use model::Queue;

const SPECIFIED: Habits = Habits::AS_SPECIFIED;

/// A bug of the queue, which has one habit that is not as specified.
const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    habits: Habits,
) -> Bug {
    let rules = Rules {
        habits,
        ..Rules::AS_SPECIFIED
    };
    Bug::exact(name, about, source, clauses, rules)
}

/// What happens in a scenario (chapter 6).
pub(super) fn run(rules: &Rules, question: &QueueQuestion) -> Outcome<Vec<TraceEvent>> {
    if rules.habits.limits_judged == LimitsJudged::BeforeThePolicy {
        limits::judged(&rules.habits, question)?;
    }
    let fields = (rules.check)(question.policy.into())?;
    let (message_ttl, ack_timeout) = limits::judged(&rules.habits, question)?;
    let mut queue = Queue::new(rules, &fields, message_ttl, ack_timeout);
    let last = question.steps.iter().count();
    for (index, step) in question.steps.iter().enumerate() {
        let at = step.at.count();
        if rules.habits.aftermath == Aftermath::WhenTimePasses && at > queue.now {
            queue.settle()?;
        }
        match rules.habits.time_passes {
            TimePasses::FromInstantToInstant => queue.pass(at)?,
            TimePasses::InOneStride => {
                queue.now = at;
                queue.settle()?;
            }
            TimePasses::AfterTheStep => {
                if at > queue.now {
                    queue.pass(at - 1)?;
                }
                queue.now = at;
            }
        }
        queue.act(&step.action)?;
        let is_last = index + 1 == last;
        let settles = match rules.habits.aftermath {
            Aftermath::AtOnce => true,
            Aftermath::WhenTimePasses => is_last,
            Aftermath::NotOfTheLastStep => !is_last,
        };
        if settles {
            queue.settle()?;
        }
    }
    Ok(queue.trace)
}
