//! Every example in the specification is run.

use std::fs;

use samewait::answer::Reply;
use samewait::case::{Area, Case};
use samewait::draws;
use samewait::judge::{Verdict, judge};
use samewait::load::VectorSet;
use samewait::question::Ask;
use samewait::reference;
use samewait::serve::{Reference, serve};
use samewait::wire::Resolution;
use serde_json::Value as Json;

use crate::chapters;

/// The fenced blocks of a chapter, each with the word that follows the fence.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').expect("a block")).collect()
}

#[test]
fn every_block_is_run_or_is_plain_text() {
    for (chapter, text) in chapters() {
        for (language, block) in blocks(text) {
            match language {
                "yaml" if block.starts_with("area:") => agree(&chapter, &loaded(&chapter, file_of(block))),
                "yaml" => examples(block).iter().for_each(|(ask, example)| {
                    agree(&chapter, &loaded(&chapter, wrapped(ask, example)));
                }),
                "jsonl" => dialogue(&chapter, block),
                "text" => {}
                other => panic!("{chapter}: a block of `{other}`, which is not run"),
            }
        }
    }
}

/// A whole vector file: its area, its topic and its text.
fn file_of(block: &str) -> (String, String, String) {
    let id = block
        .split_once("id: ")
        .expect("an id")
        .1
        .lines()
        .next()
        .expect("a line");
    let mut parts = id.split('/');
    let (area, topic) = (parts.next().expect("an area"), parts.next().expect("a topic"));
    (area.to_owned(), topic.to_owned(), format!("{block}\n"))
}

/// The items of a list of examples, each with its question.
fn examples(block: &str) -> Vec<(&str, &str)> {
    let items = block
        .strip_prefix("- ask: ")
        .expect("a list of examples")
        .split("\n- ask: ");
    items
        .map(|item| item.split_once('\n').expect("more than a question"))
        .collect()
}

/// An example as a vector file of its own.
fn wrapped(ask: &str, example: &str) -> (String, String, String) {
    let area = Area::of(Ask::named(ask).unwrap_or_else(|| panic!("a question `{ask}`"))).name();
    let lines: Vec<String> = example.lines().map(|line| format!("  {line}")).collect();
    let head = format!("area: {area}\nask: {ask}\nabout: An example.\ncases:\n");
    let case = format!("  - id: {area}/example/one\n    clauses: [P-1]\n    note: An example.\n");
    (
        area.to_owned(),
        "example".to_owned(),
        format!("{head}{case}{}\n", lines.join("\n")),
    )
}

fn loaded(chapter: &str, (area, topic, text): (String, String, String)) -> Vec<Case> {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = directory.path().join(area);
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join(format!("{topic}.yaml")), &text).expect("a file");
    match VectorSet::from_paths(&[directory.path().to_owned()]) {
        Ok(set) => set.cases,
        Err(error) => panic!("{chapter}: an example breaks the rules of vectors\n{error}\n{text}"),
    }
}

fn agree(chapter: &str, cases: &[Case]) {
    for case in cases {
        let reply = Reply::from(reference::answer(&case.question, draws::seeded(1)));
        let verdict = judge(&case.expected, &reply, Resolution::Exact);
        assert_eq!(verdict, Verdict::Passed, "{chapter}: {:?}", case.question);
    }
}

/// Lines of the protocol: `->` to a port, `<-` from it. What a port says of itself is its own.
fn dialogue(chapter: &str, block: &str) {
    let lines = |arrow: &str| -> Vec<String> {
        let lines = block.lines().filter_map(|line| line.strip_prefix(arrow));
        lines.map(|line| line.trim().to_owned()).collect()
    };
    let (requests, expected) = (lines("->"), lines("<-"));
    assert_eq!(requests.len(), expected.len(), "{chapter}: a request without an answer");
    let mut output = Vec::new();
    serve(
        requests.join("\n").as_bytes(),
        &mut output,
        &mut Reference(draws::seeded(1)),
    )
    .expect("pipes in memory do not fail");
    let answers = String::from_utf8(output).expect("UTF-8");
    assert_eq!(answers.lines().count(), expected.len(), "{chapter}: {answers}");
    for ((request, expected), answer) in requests.iter().zip(&expected).zip(answers.lines()) {
        let read = |text: &str| -> Json { serde_json::from_str(text).expect("a line of JSON") };
        let (mut expected, mut answer) = (read(expected), read(answer));
        if read(request)["ask"] == "hello" {
            let keys =
                |line: &Json| -> Vec<String> { line["value"].as_object().expect("a value").keys().cloned().collect() };
            assert_eq!(keys(&expected), keys(&answer), "{chapter}: {request}");
            (expected, answer) = (Json::Null, Json::Null);
        }
        assert_eq!(answer, expected, "{chapter}: {request}");
    }
}
