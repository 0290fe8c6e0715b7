//! `samewait schedule`: what a policy does.

use std::collections::VecDeque;
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
use crate::rejection::Rejection;

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
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_THRESHOLD, allow_negative_numbers = true)]
    threshold: f64,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    policy: PolicyFlags,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let policy = Policy::new(arguments.policy.over(PolicyFields::default()))?;
    let ladder = Ladder::new(&policy, &arguments.queue, &arguments.exchange, arguments.threshold);
    let ladder = ladder.map_err(|rejection| match rejection {
        Rejection::RungTooLong { .. } => Error::Usage(format!(
            "{rejection}; set --max-delay, or --threshold 0 to keep every wait in the consumer"
        )),
        Rejection::InvalidPolicy { .. } | Rejection::InvalidArgument { .. } => rejection.into(),
    })?;
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

/// One row: attempts that failed, the wait that follows, and what there is to say of it.
struct Row([String; 5]);

const HEAD: [&str; 5] = ["attempt failed", "wait", "after", "with jitter", "where it waits"];

/// The rows are made one by one, and kept only as far as they are shown.
fn write_table(policy: &Policy, ladder: &Ladder, output: &mut dyn Write) -> Result<(), Error> {
    let (mut first, mut last, mut left_out) = (Vec::new(), VecDeque::new(), 0_u64);
    let (mut attempt, mut passed) = (1_u32, 0.0);
    for (delay, count) in policy.schedule().runs() {
        passed += delay * f64::from(count);
        let row = (attempt, count, delay, passed);
        attempt = attempt.saturating_add(count);
        if first.len() < SHOWN {
            first.push(row);
        } else {
            last.push_back(row);
            if last.len() > SHOWN_AT_END {
                last.pop_front();
                left_out += 1;
            }
        }
    }
    let row = |(attempt, count, delay, passed): (u32, u32, f64, f64)| {
        let attempts = if count == 1 {
            attempt.to_string()
        } else {
            format!("{attempt} to {}", attempt + (count - 1))
        };
        let jitter = if policy.jitter_factor() > 0.0 && delay > 0.0 {
            let (low, high) = policy.jitter_range(delay);
            format!("{} to {} s", rounded(low), rounded(high))
        } else {
            "none".to_owned()
        };
        let place = ladder.rung_for(delay)?.map_or("consumer", |rung| rung.name.as_str());
        let (wait, after) = (format!("{} s", exact(delay)), format!("{} s", rounded(passed)));
        Ok(Row([attempts, wait, after, jitter, place.to_owned()]))
    };
    let mut rows: Vec<Row> = first.into_iter().map(row).collect::<Result<_, Error>>()?;
    if left_out > 0 {
        let note = format!("({left_out} rows left out; --format json has all)");
        rows.push(Row(["…".to_owned(), String::new(), String::new(), String::new(), note]));
    }
    rows.extend(last.into_iter().map(row).collect::<Result<Vec<_>, Error>>()?);
    let end = |text: &str| {
        Row([
            policy.max_attempts().to_string(),
            text.to_owned(),
            String::new(),
            String::new(),
            String::new(),
        ])
    };
    rows.insert(0, Row(HEAD.map(str::to_owned)));
    rows.push(end("none"));
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.0.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let [attempts, waits, afters, jitters] = [width(0), width(1), width(2), width(3)];
    let last_row = rows.len() - 1;
    for (index, Row([attempt, wait, after, jitter, place])) in rows.iter().enumerate() {
        let place = if index == last_row { "dead letter" } else { place };
        writeln!(
            output,
            "{attempt:>attempts$}  {wait:>waits$}  {after:>afters$}  {jitter:>jitters$}  {place}"
        )?;
    }
    if policy.max_message_age() > 0.0 {
        let age = exact(policy.max_message_age());
        writeln!(
            output,
            "a message that is {age} s old when it fails is given up earlier"
        )?;
    }
    Ok(())
}

/// A duration to the last digit, very short ones with an exponent.
fn exact(seconds: f64) -> String {
    if seconds > 0.0 && seconds < 1e-6 {
        format!("{seconds:e}")
    } else {
        seconds.to_string()
    }
}

/// A duration for people, to a microsecond.
fn rounded(seconds: f64) -> String {
    let text = format!("{seconds:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "0" && seconds > 0.0 {
        format!("{seconds:.2e}")
    } else {
        text.to_owned()
    }
}
