//! A port on a pair of pipes: what `samewait serve` runs.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::answer::{Answer, Refusal, Reply, Value};
use crate::question::{Ask, Question};
use crate::reference;
use crate::scenario::MAX_OCCURRENCES;
use crate::wire::{Hello, HelloValue, Request, write_reply, write_value};

/// Who answers the questions.
pub trait Respondent {
    /// Introduces itself (W-15).
    fn hello(&self) -> Hello;

    /// Answers a question.
    fn reply(&mut self, question: &Question) -> Reply;
}

/// The reference, for all features and resolution `exact`.
///
/// What the library draws itself (J-9) is taken from the source given: two processes need two sources, as
/// [`draws::of_the_system`](crate::draws::of_the_system) gives.
pub struct Reference<Draw>(pub Draw);

impl<Draw: FnMut() -> f64> Respondent for Reference<Draw> {
    fn hello(&self) -> Hello {
        Hello::of_reference()
    }

    fn reply(&mut self, question: &Question) -> Reply {
        let Question::Queue(question) = question else {
            return Reply::from(reference::answer(question, &mut self.0));
        };
        match reference::run(question) {
            Ok(run) if run.is_cut_off => Reply::Error(format!(
                "a scenario in which {MAX_OCCURRENCES} things happen; it was stopped"
            )),
            Ok(run) => Reply::from(Answer::Value(Value::Trace(run.trace))),
            Err(rejection) => Reply::Rejected(Refusal::from(&rejection)),
        }
    }
}

/// Reads requests and writes answers until the input ends. Implements chapter 8.
///
/// # Errors
///
/// When reading or writing fails.
pub fn serve(input: impl Read, mut output: impl Write, respondent: &mut impl Respondent) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        respond(&line, &mut answers, respondent);
        // Answers are kept while more requests are at hand, and never while the port would wait for one (W-3).
        if input.buffer().is_empty() {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
}

fn respond(line: &[u8], answers: &mut Vec<u8>, respondent: &mut impl Respondent) {
    let request = match Request::read(line) {
        Ok(request) => request,
        // There is no id to answer to.
        Err(why) => return write_reply(answers, "", &Reply::Error(why)),
    };
    if request.ask == "hello" {
        return write_value(answers, &request.id, &HelloValue::of(respondent.hello()));
    }
    let reply = match Ask::named(&request.ask).map(|ask| request.question(ask)) {
        Some(Ok(question)) => respondent.reply(&question),
        Some(Err(why)) => Reply::Error(why),
        None => {
            let name = respondent.hello().name;
            Reply::Unsupported(format!("{name} does not know the question `{}`", request.ask))
        }
    };
    write_reply(answers, &request.id, &reply);
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::draws;

    fn answers(requests: &str) -> String {
        let mut output = Vec::new();
        serve(requests.as_bytes(), &mut output, &mut Reference(draws::seeded(1))).expect("pipes in memory do not fail");
        String::from_utf8(output).expect("answers are UTF-8")
    }

    #[test]
    fn ignores_keys_it_does_not_know_and_reads_any_spelling_of_a_number() {
        let policy = r#"{"max_attempts":5,"initial_delay":1,"multiplier":2e0,"max_delay":0,"jitter_factor":0.0,"max_message_age":0,"more":1}"#;
        let request = format!(r#"{{"id":"a","ask":"backoff","policy":{policy},"attempt":3,"hint":null}}"#);
        assert_eq!(answers(&request), "{\"id\":\"a\",\"value\":{\"delay\":4.0}}\n");
    }

    #[test]
    fn does_not_pass_a_part_of_an_endless_scenario_for_the_whole() {
        let policy = r#"{"max_attempts":2147483647,"initial_delay":0.0,"multiplier":2.0,"max_delay":0.0,"jitter_factor":0.0,"max_message_age":0.0}"#;
        let steps = r#"[{"at":0,"do":"add_consumer","consumer":"w","on_message":{"fail":"x"}},{"at":0,"do":"put","message":"a"}]"#;
        let request = format!(
            r#"{{"id":"a","ask":"queue","policy":{policy},"message_ttl":0.0,"ack_timeout":0.0,"steps":{steps}}}"#
        );
        let answer = answers(&request);
        assert!(
            answer.starts_with(r#"{"id":"a","error":"a scenario in which 100000 things happen"#),
            "{answer}"
        );
    }

    #[test]
    fn tells_what_is_wrong_with_a_request() {
        assert_eq!(
            answers("{\"id\":\"a\",\"ask\":\"backoff\"}\n{\"id\":\"b\",\"ask\":\"tea\"}\n"),
            "{\"id\":\"a\",\"error\":\"no `policy`\"}\n{\"id\":\"b\",\"unsupported\":\"samewait does not know the question `tea`\"}\n"
        );
        assert!(answers("no json\n").contains("no JSON object"));
    }
}
