//! A law, and what is said when it does not hold.

use std::fmt::{self, Display, Write};

use proptest::test_runner::TestCaseError;

use crate::backoff::Attempt;
use crate::clause;
use crate::ladder::MAX_TTL_MS;
use crate::millis::Millis;
use crate::policy::PolicyFields;
use crate::printable::spelled;
use crate::question::Question;
use crate::wire::write_question;

/// Something that holds for every library that keeps to the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// The path of the function that checks it, such as `backoff::stays_under_the_ceiling`.
    pub name: &'static str,
    /// The clauses it follows from.
    pub clauses: &'static [&'static str],
    /// What to look at in a library that breaks it.
    pub advice: &'static str,
}

/// One instance in which a law does not hold.
pub(super) struct Finding<'a> {
    pub(super) law: &'static Law,
    pub(super) question: &'a Question,
    pub(super) expected: String,
    pub(super) found: String,
    /// What is true of this instance alone.
    pub(super) notes: Vec<String>,
    /// Where a law rests on many clauses, those that this instance breaks.
    pub(super) clauses: &'a [&'static str],
}

impl From<Finding<'_>> for TestCaseError {
    fn from(finding: Finding<'_>) -> Self {
        Self::fail(finding.to_string())
    }
}

impl Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} does not hold\n", self.law.name)?;
        let mut line = |label: &str, text: &str| {
            // The lines of a longer text stand under each other.
            writeln!(f, "  {label:<9} {}", text.replace('\n', "\n            "))
        };
        line("asked", &asked(self.question))?;
        line("expected", &self.expected)?;
        line("found", &self.found)?;
        for note in &self.notes {
            line("note", note)?;
        }
        line("look at", self.law.advice)?;
        line("try", &command(self.question))?;
        for number in self.clauses {
            let text = clause::text(number).unwrap_or("(no such clause)");
            write!(f, "\n  {number}: {}\n", text.replace('\n', "\n  "))?;
        }
        Ok(())
    }
}

/// The question in a line or two, without what is as usual.
fn asked(question: &Question) -> String {
    let policy = |policy: PolicyFields| {
        let fields = flags(&policy).map(|(name, value)| format!("{name} {value}"));
        format!("a policy with {}", fields.collect::<Vec<_>>().join(", "))
    };
    match question {
        Question::Policy(of) => serde_json::to_string(of).unwrap_or_default(),
        Question::Schedule(of) => format!("the schedule of {}", policy(of.policy.into())),
        Question::Backoff(of) => format!("backoff({}) of {}", of.attempt, policy(of.policy.into())),
        Question::NextDelay(of) => {
            let age = of
                .message_age
                .map_or("unknown age".to_owned(), |age| format!("age {} s", spelled(age.0)));
            format!("next_delay({}, {age}) of {}", of.attempt, policy(of.policy.into()))
        }
        Question::Jitter(of) => {
            let (delay, draw) = (spelled(of.delay.0), spelled(of.draw.0));
            format!(
                "{delay} s, jittered by a draw of {draw}, of {}",
                policy(of.policy.into())
            )
        }
        Question::JitterSamples(of) => {
            let (count, delay) = (of.count, spelled(of.delay.0));
            format!(
                "{count} samples of {delay} s, jittered, of {}",
                policy(of.policy.into())
            )
        }
        Question::Ladder(of) => {
            let threshold = spelled(of.threshold.0);
            let policy = policy(of.policy.into());
            format!(
                "the ladder of queue {:?}, threshold {threshold} s, and {policy}",
                of.queue
            )
        }
        Question::RungFor(of) => {
            let (delay, threshold) = (spelled(of.delay.0), spelled(of.threshold.0));
            let policy = policy(of.policy.into());
            format!(
                "the rung for {delay} s of queue {:?}, threshold {threshold} s, and {policy}",
                of.queue
            )
        }
        Question::Queue(of) => {
            let (ttl, timeout) = (spelled(of.message_ttl.0), spelled(of.ack_timeout.0));
            let policy = policy(of.policy.into());
            let mut text = format!("what happens with message_ttl {ttl} s, ack_timeout {timeout} s, and {policy}, in");
            for step in of.steps.iter() {
                let step = serde_json::to_string(step).unwrap_or_default();
                // A text takes all that is written to it.
                let _ = write!(text, "\n{step}");
            }
            text
        }
    }
}

/// The fields that differ from their defaults, and `max_attempts` in any case.
fn flags(policy: &PolicyFields) -> impl Iterator<Item = (&'static str, String)> {
    let usual = PolicyFields::default();
    let reals = [
        ("initial_delay", policy.initial_delay, usual.initial_delay),
        ("multiplier", policy.multiplier, usual.multiplier),
        ("max_delay", policy.max_delay, usual.max_delay),
        ("jitter_factor", policy.jitter_factor, usual.jitter_factor),
        ("max_message_age", policy.max_message_age, usual.max_message_age),
    ];
    let reals = reals
        .into_iter()
        .filter(|(_, value, usual)| value.to_bits() != usual.to_bits());
    std::iter::once(("max_attempts", policy.max_attempts.to_string()))
        .chain(reals.map(|(name, value, _)| (name, spelled(value))))
}

/// A command that shows what the reference makes of the question.
fn command(question: &Question) -> String {
    let schedule = |policy: PolicyFields| {
        let flags = flags(&policy).map(|(name, value)| format!(" --{} {value}", name.replace('_', "-")));
        // Without it, the command also looks for rungs that are too long.
        let is_capped = policy.max_delay > 0.0 && Millis::nearest(policy.max_delay).count() <= MAX_TTL_MS;
        let threshold = if is_capped { "" } else { " --threshold 0" };
        format!("samewait schedule{}{threshold}", flags.collect::<String>())
    };
    match question {
        Question::Schedule(of) => schedule(of.policy.into()),
        Question::Backoff(of) => {
            // A schedule that is long enough to show that attempt.
            let last = Attempt::new(of.attempt).map(Attempt::next);
            let max_attempts = last.map_or(of.policy.max_attempts, |last| i64::from(last.number()));
            let policy = PolicyFields::from(of.policy);
            schedule(PolicyFields { max_attempts, ..policy })
        }
        Question::Queue(of) => {
            let scenario = serde_json::to_string(of).unwrap_or_default();
            format!("samewait simulate scenario.json, with this in scenario.json:\n{scenario}")
        }
        Question::Policy(_)
        | Question::NextDelay(_)
        | Question::Jitter(_)
        | Question::JitterSamples(_)
        | Question::Ladder(_)
        | Question::RungFor(_) => {
            let mut line = Vec::new();
            write_question(&mut line, "1", question);
            let line = String::from_utf8_lossy(&line);
            format!("echo '{}' | samewait serve", line.trim_end().replace('\'', r"'\''"))
        }
    }
}
