//! What `samewait emit` writes: the same bytes each time, chosen as told, and held against what is on disk.
//!
//! That the tests pass and fail as they should in their languages is for `ports/emitted`.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{PYTHON, Run, kit};
use serde_json::Value as Json;

const FEW: [&str; 2] = ["--vectors", "tests/fakes/vectors"];

/// Every format, with its file.
const FORMATS: [(&str, &str); 8] = [
    ("json", "samewait.json"),
    ("requests", "samewait.requests.ndjson"),
    ("pytest", "test_samewait.py"),
    ("rspec", "samewait_spec.rb"),
    ("go", "samewait_test.go"),
    ("junit", "SamewaitTest.java"),
    ("node", "samewait.test.js"),
    ("xunit", "SamewaitTests.cs"),
];

fn emit(arguments: &[&str]) -> Run {
    Run::of(&mut kit([&["emit"], arguments, &FEW].concat()))
}

#[track_caller]
fn text(arguments: &[&str]) -> String {
    let run = emit(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

/// The same into a directory.
fn emit_into(directory: &Path, arguments: &[&str]) -> Run {
    let directory = directory.to_str().expect("a path in UTF-8");
    emit(&[arguments, &["--out", directory]].concat())
}

fn document(arguments: &[&str]) -> Json {
    serde_json::from_str(&text(arguments)).expect("a JSON document")
}

fn ids(document: &Json) -> Vec<&str> {
    let cases = document["cases"].as_array().expect("a list");
    cases.iter().filter_map(|case| case["id"].as_str()).collect()
}

#[test]
fn writes_every_format_as_it_is_meant() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        for (format, _) in FORMATS {
            insta::assert_snapshot!(format!("emit-{format}"), text(&[format]));
        }
        for format in ["pytest", "rspec", "go", "junit", "node", "xunit"] {
            let chosen = [format, "--resolution", "1ms", "--features", "schedule,backoff"];
            insta::assert_snapshot!(format!("emit-{format}-1ms"), text(&chosen));
        }
    });
}

#[test]
fn writes_the_same_bytes_to_a_file_each_time() {
    for (format, file) in FORMATS {
        let directory = tempfile::tempdir().expect("a directory");
        let inner = directory.path().join("made/on/the/way");
        assert_eq!(emit_into(&inner, &[format]).code, 0);
        let written = fs::read_to_string(inner.join(file)).expect("the file");
        assert_eq!(written, text(&[format]), "{format}");
    }
}

#[test]
fn writes_texts_and_numbers_that_python_reads_back() {
    // The embedded vectors have every odd text and number; `ports/emitted` runs them, this reads their literals.
    let run = Run::of(&mut kit(["emit", "pytest", "--features", "jitter,rung_for"]));
    assert_eq!(run.code, 0);
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("emitted.py");
    fs::write(&path, &run.stdout).expect("the file can be written");
    let count = "import ast, sys; print(sum(isinstance(node, ast.keyword) and node.arg == 'id' \
                 for node in ast.walk(ast.parse(open(sys.argv[1]).read()))))";
    let output = Command::new(PYTHON.as_str()).args(["-c", count]).arg(&path).output();
    let counted = String::from_utf8(output.expect("Python runs").stdout).expect("UTF-8");
    let run = Run::of(&mut kit(["emit", "json", "--features", "jitter,rung_for"]));
    let document: Json = serde_json::from_str(&run.stdout).expect("a JSON document");
    assert_eq!(counted.trim(), document["count"].to_string());
}

#[test]
fn tells_a_fresh_file_from_a_stale_and_a_missing_one() {
    for (format, file) in FORMATS {
        let directory = tempfile::tempdir().expect("a directory");
        let check = || emit_into(directory.path(), &[format, "--check"]);
        let path = directory.path().join(file);

        let missing = check();
        assert_eq!(missing.code, 1, "{format}");
        assert!(missing.stdout.contains("is missing"), "{}", missing.stdout);
        assert!(!path.exists(), "{format}: --check has written");

        assert_eq!(emit_into(directory.path(), &[format]).code, 0);
        let fresh = check();
        assert_eq!(fresh.code, 0, "{format}");
        assert!(fresh.stdout.contains("is fresh"), "{}", fresh.stdout);

        // One digit, of the delay of 46 seconds.
        let text = fs::read_to_string(&path).expect("the file");
        let mut stale = text.clone();
        let digit = text.rfind("46").expect("the delay") + 1;
        stale.replace_range(digit..=digit, "7");
        fs::write(&path, &stale).expect("the file can be written");
        let found = check();
        assert_eq!(found.code, 1, "{format}");
        let changed = |sign: char, number: &str| {
            let is_so = |line: &&str| line.starts_with(sign) && line.contains(number);
            found.stdout.lines().filter(is_so).count()
        };
        assert_eq!((changed('-', "47"), changed('+', "46")), (1, 1), "{}", found.stdout);
        assert_eq!(
            fs::read_to_string(&path).expect("the file"),
            stale,
            "--check has written"
        );
    }
}

#[test]
fn takes_what_is_chosen() {
    let all = document(&["json"]);
    assert_eq!(all["count"], 24);
    let chosen = document(&["json", "--features", "rung_for,jitter"]);
    assert_eq!(chosen["features"], serde_json::json!({"jitter": 3, "rung_for": 2}));
    assert_eq!(chosen["made_by"], "samewait emit json --features rung_for,jitter");
    assert_eq!(chosen["set"], all["set"], "the hash is that of the whole set");
    let filtered = document(&["json", "--filter", "*/few/first"]);
    assert_eq!(ids(&filtered), ["backoff/few/first"]);
    let requests = text(&["requests", "--features", "rung_for"]);
    let asked: Vec<Json> = requests
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let asks: Vec<_> = asked
        .iter()
        .map(|request| request["ask"].as_str().unwrap_or(""))
        .collect();
    assert_eq!(asks, ["hello", "rung_for", "rung_for"]);
    assert_eq!(asked[0]["id"], "hello");
    assert_eq!(asked[1]["id"], "ladder/fewer/longer-rung");
}

#[test]
fn heads_every_test_file_with_where_it_comes_from() {
    let all = document(&["json"]);
    let hash = all["set"].as_str().expect("a text");
    for format in ["pytest", "rspec", "go", "junit", "node", "xunit"] {
        let text = text(&[format, "--filter", "backoff/*"]);
        let head: Vec<&str> = text.lines().take(10).collect();
        let head = head.join("\n");
        assert!(
            head.contains(&format!("samewait emit {format} --filter 'backoff/*'")),
            "{head}"
        );
        assert!(head.contains(hash), "{head}");
        assert!(head.to_lowercase().contains("do not edit"), "{head}");
    }
}

#[test]
fn leaves_out_what_a_library_that_counts_cannot_be_asked() {
    let exact = text(&["pytest"]);
    let counted = text(&["pytest", "--resolution", "1ms"]);
    assert!(exact.contains("backoff/few/tiny"));
    // 50 us are no whole ms, and infinite seconds are none either.
    assert!(!counted.contains("backoff/few/tiny"));
    assert!(
        counted.contains("Left out: 2 cases with durations that are no whole counts of 1ms."),
        "{counted}"
    );
    // 1.00025 s is between 1000 and 1001 ms.
    assert!(counted.contains("Counts(1000, 1001)"));
    assert!(counted.contains("Counts(8000, 8000)"));
}

#[test]
fn refuses_what_makes_no_sense() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let refused = [
        (emit(&["cobol"]), "invalid value 'cobol'"),
        (emit(&["json", "--check"]), "--out"),
        (emit(&["json", "--features", "flux"]), "no feature of that name"),
        (emit(&["go", "--resolution", "1h"]), "no unit of that name"),
        (emit(&["json", "--resolution", "1ms"]), "needed a format of test files"),
        (emit_into(file.path(), &["json"]), "can't write"),
        (emit_into(file.path(), &["json", "--check"]), "can't read"),
    ];
    for (run, text) in refused {
        assert_eq!(run.code, 2, "{text}: {}", run.stderr);
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    assert_eq!(emit(&["json", "--filter", "nothing"]).code, 5);
    assert_eq!(emit(&["json", "--filter", "ladder/*", "--features", "backoff"]).code, 5);
}
