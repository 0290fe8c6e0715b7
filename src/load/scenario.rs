//! Queue scenarios: their rules in vectors (V-16), the places of what Q-33 forbids, and files that hold one alone.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;

use super::spot::Spot;
use super::{LoadError, Problem, VectorSet, sources};
use crate::millis::Millis;
use crate::question::{PolicyArgument, Question, QueueArguments, QueueQuestion, Real};
use crate::reference;
use crate::scenario::{RawStep, StepFault};
use crate::yaml::{self, Mark, Outline};

/// What a file with scenarios is.
#[derive(Debug)]
pub enum ScenarioFile {
    /// One scenario alone: `steps` with what belongs to them, or a list of steps.
    Scenario(QueueQuestion),
    /// A vector file.
    Vectors(VectorSet),
}

/// Reads a file with one scenario, or a vector file.
///
/// # Errors
///
/// [`LoadError`] when the file can't be read, is neither, or breaks the rules of vectors or the portable subset of YAML.
pub fn scenario_file(path: &Path) -> Result<ScenarioFile, LoadError> {
    let source = sources::read(path)?;
    let problems = |faults| LoadError::of_faults(&source.name, faults);
    let outline = yaml::outline(&source.text).map_err(problems)?;
    if outline.get("cases").is_some() {
        return VectorSet::from_paths(&[path.to_owned()]).map(ScenarioFile::Vectors);
    }
    let is_list = outline.get("steps").is_none() && !outline.items().is_empty();
    let alone = if is_list {
        let steps: Vec<RawStep> = yaml::read(&source.text).map_err(|fault| problems(vec![fault]))?;
        Alone {
            policy: PolicyArgument::default(),
            message_ttl: Real::default(),
            ack_timeout: Real::default(),
            steps,
        }
    } else {
        yaml::read(&source.text).map_err(|fault| problems(vec![fault]))?
    };
    let arguments = QueueArguments {
        policy: alone.policy,
        message_ttl: alone.message_ttl,
        ack_timeout: alone.ack_timeout,
        steps: alone.steps,
    };
    let steps = if is_list { Some(&outline) } else { outline.get("steps") };
    QueueQuestion::try_from(arguments)
        .map(ScenarioFile::Scenario)
        .map_err(|fault| {
            let step = steps.and_then(|steps| steps.items().get(fault.index));
            let mark = step.map_or(outline.mark, |step| step.key(fault.key));
            LoadError::Problems(vec![Problem::new(&source.name, mark, fault.text)])
        })
}

/// A scenario as its own file, in which only the steps must be there.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Scenario")]
pub(crate) struct Alone {
    /// The policy of the queue; the default one where it is not said.
    #[serde(default)]
    policy: PolicyArgument,
    /// How long a message may wait, in seconds; 0 for without end. Legal from 0 to 4294967296.
    #[serde(default)]
    message_ttl: Real,
    /// How long a lease lasts, in seconds; 0 for without end. Legal from 0 to 4294967296.
    #[serde(default)]
    ack_timeout: Real,
    /// What is done, in the order of time.
    steps: Vec<RawStep>,
}

/// The most events of a scenario (V-16).
const MAX_EVENTS: usize = 10_000;

/// The most attempts after which the policy's delays are looked at.
const MAX_DELAYS: usize = 10_000;

/// Where a step's fault stands.
pub(super) fn place(case: &Outline, fault: &StepFault) -> Mark {
    let steps = case.get("given").and_then(|given| given.get("steps"));
    let step = steps.and_then(|steps| steps.items().get(fault.index));
    step.map_or(case.mark, |step| step.key(fault.key))
}

/// Checks that the scenario has one answer in every language (V-16).
pub(super) fn check(spot: &mut Spot<'_>, question: &Question) {
    let Question::Queue(scenario) = question else { return };
    check_spelling(spot);
    for (key, limit) in [
        ("message_ttl", scenario.message_ttl.0),
        ("ack_timeout", scenario.ack_timeout.0),
    ] {
        if Millis::exactly(limit).is_none() {
            spot.problem_in(
                "given",
                key,
                format!("`{key}` of {limit:?} s, needed whole milliseconds"),
            );
        }
    }
    // What is not legal is for the expectation to say.
    let Ok(policy) = crate::Policy::new(scenario.policy.into()) else {
        return;
    };
    let delays = policy.schedule().runs().take(MAX_DELAYS).map(|(delay, _)| delay);
    if let Some(odd) = delays.into_iter().find(|&delay| Millis::exactly(delay).is_none()) {
        spot.problem(
            "given",
            format!("a policy with a delay of {odd:?} s, needed whole milliseconds"),
        );
    }
    let Ok(run) = reference::run(scenario) else { return };
    if run.had_choice {
        let text = "a delivery for which several consumers had room, needed one (the others can be given a prefetch)";
        spot.problem("given", text);
    }
    if run.is_cut_off || run.trace.len() > MAX_EVENTS {
        spot.problem(
            "given",
            format!("a scenario of more than {MAX_EVENTS} events, needed fewer"),
        );
    }
}

/// Times are read in any spelling of a number; in vectors they have a fraction (V-8).
fn check_spelling(spot: &mut Spot<'_>) {
    let outline = spot.outline;
    let list = |outer: &str, inner: &str| {
        let list = outline.get(outer).and_then(|outer| outer.get(inner));
        list.map_or(&[][..], Outline::items)
    };
    let trace = list("expect", "trace");
    let letters = trace
        .iter()
        .filter_map(|event| event.get("messages"))
        .flat_map(Outline::items);
    for item in list("given", "steps").iter().chain(trace).chain(letters) {
        for key in ["at", "until"] {
            if let Some(time) = item.get(key)
                && let Some(text) = time.text()
                && !text.contains('.')
            {
                spot.problem_at(time.mark, format!("time {text}, needed a fraction: {text}.0"));
            }
        }
    }
}
