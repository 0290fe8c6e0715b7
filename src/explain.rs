//! The arithmetic of one case, step by step.
//!
//! The steps and the answer come from the reference; this module finds words for them, and decides nothing. What it repeats for the eye (a
//! comparison, a product) stands beside what the reference made of it.

use crate::answer::{Answer, Reply, Value};
use crate::backoff::Attempt;
use crate::case::Case;
use crate::clause;
use crate::jitter::JitterSteps;
use crate::judge::hex_float;
use crate::ladder::{MAX_TTL_MS, broker_ttl_ms, label};
use crate::next_delay::NextDelay;
use crate::policy::{HORIZON, Policy};
use crate::printable::{counted, spelled};
use crate::question::{Ask, JitterSamplesQuestion, Make, PolicyArgument, Question, Then};
use crate::reference;
use crate::rejection::Rejection;
use crate::timeline::{self, Axis};

/// How many steps are shown before the middle is left out.
const SHOWN: usize = 24;

/// How many steps at the end are shown then.
const SHOWN_AT_END: usize = 4;

/// The lines that explain a case: the question, the clauses it tests, and each step to the answer.
#[must_use]
pub fn explain(case: &Case) -> Vec<String> {
    let mut lines = vec![case.id.clone(), format!("  {}", case.note)];
    lines.extend(case.source.iter().map(|source| format!("  reported as {source}")));
    lines.extend(case.control.iter().map(|control| format!("  control: {control}")));
    lines.push(format!("  written at {}", case.place));
    lines.push(String::new());
    for number in &case.clauses {
        lines.push(format!("[{number}] {}", clause::text(number).unwrap_or("")));
    }
    lines.push(String::new());
    lines.extend(steps(&case.question));
    lines
}

fn steps(question: &Question) -> Vec<String> {
    let mut lines = Vec::new();
    let answered = match question {
        Question::Policy(question) => {
            lines.push(match &question.make.0 {
                Make::Fields(policy) => fields(policy),
                Make::None(_) => "none()".to_owned(),
                Make::Fixed(fixed) => format!("fixed({}, {:?})", fixed.max_attempts, fixed.delay.0),
                Make::Exponential(of) => {
                    let (initial, max) = (of.initial_delay.0, of.max_delay.0);
                    format!("exponential({}, {initial:?}, {max:?})", of.max_attempts)
                }
            });
            lines.extend(question.then.iter().map(|step| match step.0 {
                Then::GiveUpAfter(age) => format!("  .give_up_after({:?})", age.0),
                Then::WithJitter(factor) => format!("  .with_jitter({:?})", factor.0),
            }));
            Ok(())
        }
        Question::Schedule(question) => policy(&question.policy, &mut lines).map(|policy| {
            let attempts = usize::try_from(policy.max_attempts() - 1).unwrap_or(usize::MAX);
            lines.push(format!("{attempts} delays, after each attempt but the last:"));
            ramp(&policy, attempts, &mut lines);
        }),
        Question::Backoff(question) => policy(&question.policy, &mut lines).and_then(|policy| {
            let attempt = Attempt::new(question.attempt)?;
            backoff(&policy, attempt, &mut lines);
            Ok(())
        }),
        Question::NextDelay(question) => policy(&question.policy, &mut lines).and_then(|policy| {
            let attempt = Attempt::new(question.attempt)?;
            next_delay(&policy, attempt, question.message_age.map(|age| age.0), &mut lines);
            Ok(())
        }),
        Question::Jitter(question) => policy(&question.policy, &mut lines).map(|policy| {
            jitter(&policy, question.delay.0, question.draw.0, &mut lines);
        }),
        Question::JitterSamples(question) => {
            policy(&question.policy, &mut lines).map(|_| samples(question, &mut lines))
        }
        Question::Ladder(question) => {
            policy(&question.policy, &mut lines).map(|policy| ladder(&policy, question.threshold.0, &mut lines))
        }
        Question::RungFor(question) => policy(&question.policy, &mut lines).map(|policy| {
            let threshold = question.threshold.0;
            ladder(&policy, threshold, &mut lines);
            lines.push("the delay that looks for its rung:".to_owned());
            lines.push(rung(question.delay.0, threshold));
        }),
        Question::Queue(question) => policy(&question.policy, &mut lines).and_then(|_| {
            let run = reference::run(question)?;
            lines.push(format!(
                "message_ttl {:?} s, ack_timeout {:?} s",
                question.message_ttl.0, question.ack_timeout.0
            ));
            lines.extend(timeline::with_events(&run.trace, Axis::Compressed));
            // The trace is the answer, and has been told.
            Ok(())
        }),
    };
    if answered.is_ok() && question.ask() == Ask::Queue {
        return lines;
    }
    // What stops the steps is what the whole question says again, in its answer.
    if answered.is_err() {
        lines.push("nothing is computed:".to_owned());
    }
    lines.extend(conclusion(question));
    lines
}

/// The policy, named; its rejection is left to the conclusion.
fn policy(argument: &PolicyArgument, lines: &mut Vec<String>) -> Result<Policy, Rejection> {
    lines.push(fields(argument));
    Policy::new((*argument).into())
}

fn fields(policy: &PolicyArgument) -> String {
    format!(
        "policy: max_attempts {}, initial_delay {:?}, multiplier {:?}, max_delay {:?}, jitter_factor {:?}, max_message_age {:?}",
        policy.max_attempts,
        policy.initial_delay.0,
        policy.multiplier.0,
        policy.max_delay.0,
        policy.jitter_factor.0,
        policy.max_message_age.0
    )
}

fn backoff(policy: &Policy, attempt: Attempt, lines: &mut Vec<String>) {
    let number = attempt.number();
    let most = counted(usize::try_from(number - 1).unwrap_or(usize::MAX), "multiplication");
    lines.push(format!("attempt {number}: {most} at most"));
    ramp(policy, usize::try_from(number).unwrap_or(usize::MAX), lines);
    if policy.backoff(attempt) >= policy.ceiling() {
        lines.push(format!("  the delay is the ceiling, {}", exact(policy.ceiling())));
    }
}

/// Each multiplication of B-4 for so many attempts, the middle left out where it is long.
fn ramp(policy: &Policy, attempts: usize, lines: &mut Vec<String>) {
    let (ceiling, multiplier) = (policy.ceiling(), policy.multiplier());
    let origin = if policy.max_delay() > 0.0 {
        "max_delay"
    } else {
        "no max_delay: HORIZON"
    };
    lines.push(format!("  ceiling {} ({origin})", exact(ceiling)));
    let products: Vec<f64> = policy.products().take(attempts.min(MOST_STEPS)).collect();
    let mut before = None;
    for (index, &product) in products.iter().enumerate() {
        let step = match before {
            None => format!("  attempt 1: initial_delay {}", exact(product)),
            Some(before) => format!(
                "  attempt {}: {before:?} * {multiplier:?} = {}",
                index + 1,
                exact(product)
            ),
        };
        let bound = if product > ceiling {
            format!(", above the ceiling: {ceiling:?}")
        } else {
            String::new()
        };
        before = Some(product);
        let left_out = products.len().saturating_sub(SHOWN_AT_END);
        if index < SHOWN || index >= left_out {
            lines.push(step + &bound);
        } else if index == SHOWN {
            lines.push(format!("  … {} more multiplications …", left_out - SHOWN));
        }
    }
    if products.len() < attempts {
        let why = if products.len() == MOST_STEPS {
            "goes on so"
        } else {
            "no longer changes"
        };
        lines.push(format!("  the delay {why} up to attempt {attempts}"));
    }
}

/// More multiplications than this are not listed.
const MOST_STEPS: usize = 100_000;

fn next_delay(policy: &Policy, attempt: Attempt, age: Option<f64>, lines: &mut Vec<String>) {
    let (number, most) = (attempt.number(), policy.max_attempts());
    lines.push(format!(
        "attempt {number} >= max_attempts {most}? {}",
        yes(number >= most)
    ));
    let limit = policy.max_message_age();
    let comparison = match age {
        _ if limit == 0.0 => "no age limit".to_owned(),
        None => "the age is unknown: young enough".to_owned(),
        Some(age) => format!(
            "age {} >= max_message_age {}? {}",
            exact(age),
            exact(limit),
            yes(age >= limit)
        ),
    };
    lines.push(comparison);
    if matches!(policy.next_delay(attempt, age), Ok(NextDelay::Retry(_))) {
        backoff(policy, attempt, lines);
    }
}

fn jitter(policy: &Policy, delay: f64, draw: f64, lines: &mut Vec<String>) {
    lines.push(format!("delay {}, draw {}", exact(delay), exact(draw)));
    let factor = policy.jitter_factor();
    if factor == 0.0 || delay == 0.0 {
        lines.push("the factor or the delay is 0: unchanged".to_owned());
        return;
    }
    if policy.jittered(delay, draw).is_ok() {
        let steps = JitterSteps::new(delay, draw, factor);
        lines.push(format!("  {draw:?} * 2 = {}", exact(steps.doubled)));
        lines.push(format!("  {:?} - 1 = {}", steps.doubled, exact(steps.centred)));
        lines.push(format!("  {:?} * {factor:?} = {}", steps.centred, exact(steps.scaled)));
        lines.push(format!("  1 + {:?} = {}", steps.scaled, exact(steps.factor)));
        lines.push(format!("  {delay:?} * {:?} = {}", steps.factor, exact(steps.jittered)));
    }
}

fn samples(question: &JitterSamplesQuestion, lines: &mut Vec<String>) {
    let (delay, factor) = (question.delay.0, question.policy.jitter_factor.0);
    lines.push(format!(
        "delay {}, jittered {} times with draws of the library's own",
        exact(delay),
        question.count
    ));
    let Ok(between) = reference::between(question) else {
        return;
    };
    if !between.is_random() {
        lines.push("the factor or the delay is 0: unchanged, whatever is drawn".to_owned());
        return;
    }
    let ends = [
        ("draw 0", "-", 1.0 - factor, between.low),
        ("draws below 1", "+", 1.0 + factor, between.high),
    ];
    for (draw, sign, times, end) in ends {
        lines.push(format!(
            "  {draw}: {delay:?} * (1 {sign} {factor:?}) = {delay:?} * {times:?} = {}",
            exact(end)
        ));
    }
    lines.push("  between the two, every delay is as likely as any other; another process draws others".to_owned());
}

fn ladder(policy: &Policy, threshold: f64, lines: &mut Vec<String>) {
    lines.push(format!("threshold {threshold:?} s; delays of the schedule:"));
    let runs: Vec<(f64, u32)> = policy.schedule().runs().take(MOST_STEPS).collect();
    for (index, (delay, count)) in runs.iter().enumerate() {
        let left_out = runs.len().saturating_sub(SHOWN_AT_END);
        if index < SHOWN || index >= left_out {
            let times = if *count > 1 {
                format!(" ({count} times)")
            } else {
                String::new()
            };
            lines.push(rung(*delay, threshold) + &times);
        } else if index == SHOWN {
            lines.push(format!("  … {} more …", left_out - SHOWN));
        }
    }
}

/// Where one delay waits, and why.
fn rung(delay: f64, threshold: f64) -> String {
    if !(0.0..=HORIZON).contains(&delay) {
        return format!("  {delay:?} s is no delay");
    }
    match broker_ttl_ms(delay, threshold) {
        None if threshold > 0.0 && delay >= threshold => format!("  {delay:?} s is 0 ms: no rung"),
        None => format!("  {delay:?} s waits in the consumer: below the threshold, or there is none"),
        Some(ttl) if ttl > MAX_TTL_MS => {
            format!("  {delay:?} s is {ttl} ms, above {MAX_TTL_MS}: refused by the broker")
        }
        Some(ttl) => {
            let product = delay * 1000.0;
            format!(
                "  {delay:?} s * 1000 = {product:?}, rounded {ttl} ms: label {}",
                label(ttl)
            )
        }
    }
}

/// The reference's answer to the whole question.
fn conclusion(question: &Question) -> Vec<String> {
    match answered(question) {
        Ok(Value::Between(between)) => vec![format!("answer: {between}")],
        Ok(value) => {
            let mut line = Vec::new();
            crate::wire::write_reply(&mut line, "", &Reply::from(Answer::Value(value)));
            let line = String::from_utf8_lossy(&line);
            let value = line.trim_end().trim_start_matches(r#"{"id":"","value":"#);
            vec![format!("answer: {}", value.strip_suffix('}').unwrap_or(value))]
        }
        Err(rejection) => {
            let field = rejection
                .field()
                .map(|field| format!(", field {field}"))
                .unwrap_or_default();
            vec![
                format!("refused: {rejection}"),
                format!("answer: rejected with {}{field}", rejection.code()),
            ]
        }
    }
}

/// The value of the answer; of samples, which nobody can foretell, what they lie between.
fn answered(question: &Question) -> Result<Value, Rejection> {
    if let Question::JitterSamples(question) = question {
        return reference::between(question).map(Value::Between);
    }
    // No other question draws.
    reference::value(question, || 0.5)
}

fn exact(number: f64) -> String {
    format!("{} ({})", spelled(number), hex_float(number))
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
