//! The reference as a port on a pair of pipes: what `samewait serve` runs.

use std::io::{self, BufRead, BufReader, Read, Write};

use crate::question::Ask;
use crate::reference;
use crate::wire::{HelloValue, Request, write_answer, write_error, write_unsupported, write_value};

/// Answers requests until the input ends. Implements chapter 8 for all features and resolution `exact`.
///
/// # Errors
///
/// When reading or writing fails.
pub fn serve(input: impl Read, mut output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let (mut line, mut answers) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return output.flush();
        }
        respond(&line, &mut answers);
        // Answers are kept while more requests are at hand, and never while the port would wait for one (W-3).
        if input.buffer().is_empty() {
            output.write_all(&answers)?;
            output.flush()?;
            answers.clear();
        }
    }
}

fn respond(line: &[u8], answers: &mut Vec<u8>) {
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
        Ok(question) => write_answer(answers, &request.id, &reference::answer(&question)),
        Err(why) => write_error(answers, &request.id, &why),
    }
}

#[cfg(test)]
#[expect(clippy::expect_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    fn answers(requests: &str) -> String {
        let mut output = Vec::new();
        serve(requests.as_bytes(), &mut output).expect("pipes in memory do not fail");
        String::from_utf8(output).expect("answers are UTF-8")
    }

    #[test]
    fn ignores_keys_it_does_not_know_and_reads_any_spelling_of_a_number() {
        let policy = r#"{"max_attempts":5,"initial_delay":1,"multiplier":2e0,"max_delay":0,"jitter_factor":0.0,"max_message_age":0,"more":1}"#;
        let request = format!(r#"{{"id":"a","ask":"backoff","policy":{policy},"attempt":3,"hint":null}}"#);
        assert_eq!(answers(&request), "{\"id\":\"a\",\"value\":{\"delay\":4.0}}\n");
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
