//! The reference as a port on a pair of pipes: what `samewait serve` runs.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::answer::{Answer, Value};
use crate::question::{Ask, Question};
use crate::reference;
use crate::scenario::MAX_OCCURRENCES;
use crate::wire::{HelloValue, Request, write_answer, write_error, write_unsupported, write_value};

/// Answers requests until the input ends. Implements chapter 8 for all features and resolution `exact`.
///
/// What the library draws itself (J-9) is taken from `draw`: two processes need two sources, as [`draws::of_the_system`](crate::draws::of_the_system) gives.
///
/// # Errors
///
/// When reading or writing fails.
pub fn serve(input: impl Read, mut output: impl Write, mut draw: impl FnMut() -> f64) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        respond(&line, &mut answers, &mut draw);
        // Answers are kept while more requests are at hand, and never while the port would wait for one (W-3).
        if input.buffer().is_empty() {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
}

fn respond(line: &[u8], answers: &mut Vec<u8>, draw: impl FnMut() -> f64) {
    let request = match Request::read(line) {
        Ok(request) => request,
        // There is no id to answer to.
        Err(why) => return write_error(answers, "", &why),
    };
    if request.ask == "hello" {
        return write_value(answers, &request.id, &HelloValue::of_reference());
    }
    let Some(ask) = Ask::named(&request.ask) else {
        let why = format!("the reference does not know the question `{}`", request.ask);
        return write_unsupported(answers, &request.id, &why);
    };
    match request.question(ask) {
        Ok(Question::Queue(question)) => match reference::run(&question) {
            Ok(run) if run.is_cut_off => {
                let why = format!("a scenario in which {MAX_OCCURRENCES} things happen; it was stopped");
                write_error(answers, &request.id, &why);
            }
            Ok(run) => write_answer(answers, &request.id, &Answer::Value(Value::Trace(run.trace))),
            Err(rejection) => write_answer(answers, &request.id, &Answer::Rejected((&rejection).into())),
        },
        Ok(question) => write_answer(answers, &request.id, &reference::answer(&question, draw)),
        Err(why) => write_error(answers, &request.id, &why),
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;
    use crate::draws;

    fn answers(requests: &str) -> String {
        let mut output = Vec::new();
        serve(requests.as_bytes(), &mut output, draws::seeded(1)).expect("pipes in memory do not fail");
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
            "{\"id\":\"a\",\"error\":\"no `policy`\"}\n{\"id\":\"b\",\"unsupported\":\"the reference does not know the question `tea`\"}\n"
        );
        assert!(answers("no json\n").contains("no JSON object"));
    }
}
