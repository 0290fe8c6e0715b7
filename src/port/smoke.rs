//! Is the port wired right, before it is asked whether it is right?

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use super::fault::Unusable;
use super::session::{Answered, Session};
use crate::answer::{Answer, Reply, Value};
use crate::judge::{Verdict, judge};
use crate::policy::PolicyFields;
use crate::question::{
    Ask, BackoffQuestion, JitterQuestion, JitterSamplesQuestion, LadderQuestion, Make, NextDelayQuestion, NoArguments,
    OneKey, PolicyArgument, PolicyQuestion, Question, QueueQuestion, Real, RungForQuestion, ScheduleQuestion,
};
use crate::scenario::Steps;
use crate::wire::{Body, read_value, write_question, write_unknown};

/// Asks a question that nobody knows, then an easy one of the port's features (W-5).
///
/// # Errors
///
/// When the first is not answered with `unsupported`, or the second not rightly.
pub(super) fn check(session: &mut Session) -> Result<(), Unusable> {
    check_unknown(session)?;
    let easy = session.hello.features.iter().next().map(|&ask| easy(ask));
    easy.map_or(Ok(()), |(question, expected)| check_easy(session, &question, &expected))
}

fn check_unknown(session: &mut Session) -> Result<(), Unusable> {
    // Not to be guessed by a port that answers what it has been told to answer.
    let ask = format!("unknown_{:016x}", RandomState::new().hash_one(0));
    let write = |line: &mut Vec<u8>, id: &str, ()| write_unknown(line, id, &ask);
    let mut got = String::new();
    let conversation = session.converse([()].into_iter(), 1, &mut Answered::new(), write, |(), body| {
        got = match body {
            Body::Unsupported(_) => String::new(),
            Body::Value(raw) => format!("value {}", raw.get()),
            Body::Rejected(refusal) => format!("rejected with {}", refusal.code),
            Body::Error(text) => format!("error: {text}"),
        }
    });
    let why = match conversation {
        Ok(()) if got.is_empty() => return Ok(()),
        Ok(()) => got,
        Err(broken) => broken.fault.to_string(),
    };
    badly_wired(
        session,
        format!("asked `{ask}`, which nobody knows, needed `unsupported`, got {why}"),
    )
}

fn check_easy(session: &mut Session, question: &Question, expected: &Answer) -> Result<(), Unusable> {
    let (ask, resolution) = (question.ask(), session.hello.resolution);
    let mut request = Vec::new();
    write_question(&mut request, "…", question);
    let request = String::from_utf8_lossy(&request).trim_end().to_owned();
    let write = |line: &mut Vec<u8>, id: &str, ()| write_question(line, id, question);
    let mut got = String::new();
    let conversation = session.converse([()].into_iter(), 1, &mut Answered::new(), write, |(), body| {
        let (shown, reply) = match body {
            Body::Value(raw) => (
                format!("value {}", raw.get()),
                read_value(raw, ask, resolution).map(Reply::Value),
            ),
            Body::Rejected(refusal) => (format!("rejected with {}", refusal.code), Ok(Reply::Rejected(refusal))),
            Body::Unsupported(why) => (format!("unsupported: {why}"), Ok(Reply::Unsupported(why))),
            Body::Error(text) => (format!("error: {text}"), Ok(Reply::Error(text))),
        };
        let is_right = reply.is_ok_and(|reply| judge(expected, &reply, resolution) == Verdict::Passed);
        got = if is_right { String::new() } else { shown };
    });
    let why = match conversation {
        Ok(()) if got.is_empty() => return Ok(()),
        Ok(()) => got,
        Err(broken) => broken.fault.to_string(),
    };
    let easy = "a question that any port answers rightly; look at the adapter before the arithmetic";
    badly_wired(session, format!("asked {request}, got {why}; this is {easy}"))
}

fn badly_wired(session: &Session, why: String) -> Result<(), Unusable> {
    let stderr = session.stderr();
    Err(Unusable::BadlyWired { why, stderr })
}

/// A question of each kind that leaves nothing to get wrong but the wiring.
fn easy(ask: Ask) -> (Question, Answer) {
    let one_second_twice = PolicyArgument::from(PolicyFields {
        max_attempts: 2,
        initial_delay: 1.0,
        multiplier: 1.0,
        ..PolicyFields::default()
    });
    let policy = one_second_twice;
    let (queue, exchange, threshold) = ("orders".to_owned(), "retry".to_owned(), Real(0.0));
    let (question, value) = match ask {
        Ask::Policy => {
            let make = OneKey(Make::None(NoArguments {}));
            let question = PolicyQuestion { make, then: vec![] };
            (Question::Policy(question), Value::Policy(PolicyFields::default()))
        }
        Ask::Schedule => (
            Question::Schedule(ScheduleQuestion { policy }),
            Value::Delays(vec![1.0]),
        ),
        Ask::Backoff => (
            Question::Backoff(BackoffQuestion { policy, attempt: 1 }),
            Value::Delay(1.0),
        ),
        Ask::NextDelay => {
            let question = NextDelayQuestion {
                policy,
                attempt: 1,
                message_age: None,
            };
            (Question::NextDelay(question), Value::Delay(1.0))
        }
        Ask::Jitter => {
            let (delay, draw) = (Real(1.0), Real(0.5));
            let question = JitterQuestion { policy, delay, draw };
            (Question::Jitter(question), Value::Delay(1.0))
        }
        Ask::JitterSamples => {
            // Without a jitter factor there is nothing random to judge.
            let (delay, count) = (Real(1.0), 2);
            let question = JitterSamplesQuestion { policy, delay, count };
            (Question::JitterSamples(question), Value::Delays(vec![1.0, 1.0]))
        }
        Ask::Ladder => {
            let question = LadderQuestion {
                policy,
                queue,
                exchange,
                threshold,
            };
            (Question::Ladder(question), Value::Rungs(vec![]))
        }
        Ask::RungFor => {
            let question = RungForQuestion {
                policy,
                queue,
                exchange,
                threshold,
                delay: Real(1.0),
            };
            (Question::RungFor(question), Value::Rung(None))
        }
        Ask::Queue => {
            let question = QueueQuestion {
                policy,
                message_ttl: Real(0.0),
                ack_timeout: Real(0.0),
                steps: Steps::default(),
            };
            (Question::Queue(question), Value::Trace(vec![]))
        }
    };
    (question, Answer::Value(value))
}
