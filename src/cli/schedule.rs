//! `samewait schedule`: what a policy does.

use std::io::{self, Write};

use clap::Args;
use serde::ser::{Serialize, Serializer};

use super::exit::Exit;
use super::policy_flags::PolicyFlags;
use super::{Error, Format};
use crate::answer::RungValue;
use crate::ladder::{DEFAULT_THRESHOLD, Ladder};
use crate::policy::{Policy, PolicyFields};
use crate::question::PolicyArgument;

/// How many rows of the table are shown before the middle is left out.
const SHOWN: usize = 60;

/// How many rows at the end are shown then.
const SHOWN_AT_END: usize = 5;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait schedule --max-attempts 5 --initial-delay 1 --max-delay 10\n  \
    samewait schedule --max-attempts 11 --initial-delay 0.1 --max-delay 3600 --format json\n\n\
    Durations are in seconds. Flags that are not given take the defaults of the policy.")]
pub(super) struct Arguments {
    /// The source queue that the rungs are named after
    #[arg(long, value_name = "NAME", default_value = "queue")]
    queue: String,
    /// The exchange that returns messages from the rungs
    #[arg(long, value_name = "NAME", default_value = "")]
    exchange: String,
    /// The delay in seconds from which the broker holds a message; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_THRESHOLD)]
    threshold: f64,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    policy: PolicyFlags,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let policy = Policy::new(arguments.policy.over(PolicyFields::default()))?;
    let ladder = Ladder::new(&policy, &arguments.queue, &arguments.exchange, arguments.threshold)?;
    match arguments.format {
        Format::Human => write_table(&policy, &ladder, output)?,
        Format::Json => write_object(&policy, &ladder, output)?,
    }
    Ok(Exit::Conforms)
}

/// The delays are written as they are made, so that a long schedule needs no memory.
fn write_object(policy: &Policy, ladder: &Ladder, output: &mut dyn Write) -> io::Result<()> {
    struct Delays<'a>(&'a Policy);

    impl Serialize for Delays<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq(self.0.schedule())
        }
    }

    #[derive(serde::Serialize)]
    struct Object<'a> {
        policy: PolicyArgument,
        delays: Delays<'a>,
        rungs: Vec<RungValue>,
    }

    let object = Object {
        policy: policy.fields().into(),
        delays: Delays(policy),
        rungs: ladder.rungs().iter().map(RungValue::from).collect(),
    };
    serde_json::to_writer(&mut *output, &object)?;
    writeln!(output)
}

fn write_table(policy: &Policy, ladder: &Ladder, output: &mut dyn Write) -> Result<(), Error> {
    let runs: Vec<(f64, u32)> = policy.schedule().runs().collect();
    writeln!(
        output,
        "{:>16}  {:>14}  {:>16}  {:>25}  where it waits",
        "attempt failed", "wait", "after", "with jitter"
    )?;
    let (mut attempt, mut passed) = (1_u32, 0.0);
    let left_out = runs.len().saturating_sub(SHOWN_AT_END);
    for (index, &(delay, count)) in runs.iter().enumerate() {
        let last = attempt + (count - 1);
        passed += delay * f64::from(count);
        if index < SHOWN || index >= left_out {
            let attempts = if count == 1 {
                attempt.to_string()
            } else {
                format!("{attempt} to {last}")
            };
            let range = if policy.jitter_factor() > 0.0 && delay > 0.0 {
                let (low, high) = policy.jitter_range(delay);
                format!("{} to {} s", rounded(low), rounded(high))
            } else {
                "none".to_owned()
            };
            let place = ladder.rung_for(delay)?.map_or("consumer", |rung| rung.name.as_str());
            let (wait, after) = (format!("{delay} s"), format!("{} s", rounded(passed)));
            writeln!(output, "{attempts:>16}  {wait:>14}  {after:>16}  {range:>25}  {place}")?;
        } else if index == SHOWN {
            writeln!(
                output,
                "{:>16}  ({} rows left out; --format json has all)",
                "…",
                left_out - SHOWN
            )?;
        }
        attempt = last.saturating_add(1);
    }
    writeln!(output, "{:>16}  {:>14}", policy.max_attempts(), "none: dead letter")?;
    if policy.max_message_age() > 0.0 {
        writeln!(
            output,
            "a message of {} s or more is given up earlier",
            policy.max_message_age()
        )?;
    }
    Ok(())
}

/// A duration for people, to a microsecond.
fn rounded(seconds: f64) -> String {
    let text = format!("{seconds:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "0" && seconds > 0.0 {
        format!("{seconds:e}")
    } else {
        text.to_owned()
    }
}
