//! `samewait simulate`: a queue scenario's timeline.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::exit::Exit;
use super::policy_flags::PolicyFlags;
use super::{Error, Format};
use crate::load::{ScenarioFile, VectorSet, scenario_file};
use crate::question::{PolicyArgument, Question, QueueQuestion, Real};
use crate::reference;
use crate::scenario::{MAX_OCCURRENCES, Run};
use crate::timeline::{self, Axis};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait simulate queue/seeds/return-keeps-the-first-use-by-date\n  \
    samewait simulate vectors/queue/replay.yaml\n  \
    samewait simulate my-scenario.yaml --max-attempts 3 --message-ttl 5 --scale 80\n\n\
    A scenario file has `steps`, and optionally `policy`, `message_ttl` and `ack_timeout`; it may also be a list of steps alone:\n\n  \
    steps:\n    \
    - {at: 0.0, do: put, message: milk}\n    \
    - {at: 4.0, do: add_consumer, consumer: worker}\n    \
    - {at: 10.0, do: stats}\n\n\
    Steps and events are described in spec/06-queue.md.")]
pub(super) struct Arguments {
    /// A scenario file, a vector file of the area queue, or the id of a case of that area
    file: PathBuf,
    /// How long a message may wait, in seconds, whatever the file says; 0 for without end
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    message_ttl: Option<f64>,
    /// How long a lease lasts, in seconds, whatever the file says; 0 for without end
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    ack_timeout: Option<f64>,
    /// Draw the time axis to scale, so many columns wide
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(2..))]
    scale: Option<u16>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    policy: PolicyFlags,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let mut runs = Vec::new();
    for (id, mut question) in scenarios(arguments)? {
        question.policy = PolicyArgument::from(arguments.policy.over(question.policy.into()));
        question.message_ttl = arguments.message_ttl.map_or(question.message_ttl, Real);
        question.ack_timeout = arguments.ack_timeout.map_or(question.ack_timeout, Real);
        let run = reference::run(&question)?;
        if run.is_cut_off {
            let text = format!("warning: stopped after {MAX_OCCURRENCES} events; the rest is not shown");
            writeln!(anstream::stderr(), "{text}")?;
        }
        runs.push((id, run));
    }
    match arguments.format {
        Format::Human => {
            let axis = arguments
                .scale
                .map_or(Axis::Compressed, |columns| Axis::Scaled(columns.into()));
            for (index, (id, run)) in runs.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n" };
                write!(output, "{gap}")?;
                draw(id.as_deref(), run, axis, output)?;
            }
        }
        Format::Json => {
            let mut objects = runs.iter().map(|(id, run)| json!({"id": id, "trace": run.trace}));
            let value = match (objects.len(), objects.next()) {
                (1, Some(only)) => only,
                (_, first) => first.into_iter().chain(objects).collect(),
            };
            serde_json::to_writer_pretty(&mut *output, &value).map_err(io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(Exit::Conforms)
}

fn draw(id: Option<&str>, run: &Run, axis: Axis, output: &mut dyn Write) -> io::Result<()> {
    if let Some(id) = id {
        writeln!(output, "{id}\n")?;
    }
    for line in timeline::with_events(&run.trace, axis) {
        writeln!(output, "{line}")?;
    }
    if run.had_choice {
        writeln!(
            output,
            "\nseveral consumers had room for a message; another library may choose another one (Q-4)"
        )?;
    }
    Ok(())
}

/// The scenarios that the argument names, those of cases with their ids.
fn scenarios(arguments: &Arguments) -> Result<Vec<(Option<String>, QueueQuestion)>, Error> {
    let name = arguments.file.display().to_string();
    if !arguments.file.exists() {
        let set = VectorSet::embedded()?;
        return match set.cases.iter().find(|case| case.id == name).map(|case| &case.question) {
            Some(Question::Queue(question)) => Ok(vec![(Some(name), question.clone())]),
            Some(_) => Err(Error::Usage(format!(
                "case `{name}` is no queue scenario; `samewait explain` shows it"
            ))),
            None => Err(Error::Usage(format!("`{name}` is neither a file nor the id of a case"))),
        };
    }
    match scenario_file(&arguments.file)? {
        ScenarioFile::Scenario(question) => Ok(vec![(None, question)]),
        ScenarioFile::Vectors(set) => {
            let scenarios = set.cases.into_iter().filter_map(|case| match case.question {
                Question::Queue(question) => Some((Some(case.id), question)),
                Question::Policy(_)
                | Question::Schedule(_)
                | Question::Backoff(_)
                | Question::NextDelay(_)
                | Question::Jitter(_)
                | Question::JitterSamples(_)
                | Question::Ladder(_)
                | Question::RungFor(_) => None,
            });
            // Cases that are there to be refused have nothing to draw.
            let scenarios: Vec<_> = scenarios
                .filter(|(_, question)| reference::run(question).is_ok())
                .collect();
            if scenarios.is_empty() {
                return Err(Error::Usage(format!("{name} has no queue scenarios")));
            }
            Ok(scenarios)
        }
    }
}
