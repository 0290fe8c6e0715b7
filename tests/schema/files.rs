//! Configurations, ledgers and scenarios: those of this repository, and faults that loader and schema both refuse.

use samewait::gate::{Config, Ledger};
use samewait::load::scenario_file;

use super::*;

#[test]
fn configurations_keep_theirs() {
    let validator = validator(Name::Config);
    assert_valid(&validator, &yaml(Path::new("samewait.yaml")), "samewait.yaml");
    assert_eq!(examples_in_documents(&validator, "ports:"), 2);

    let port = |more: &str| format!("ports:\n  - name: java\n    command: [port]\n{more}");
    let reads = |path: &Path| Config::read(path).is_ok();
    assert_agree(&validator, &port("    timeout: 0.5\n"), reads, true);
    for fault in [
        "ports: []\n".to_owned(),
        "{}\n".to_owned(),
        "- name: java\n".to_owned(),
        "ports:\n  - name: java\n".to_owned(),
        "ports:\n  - command: [port]\n".to_owned(),
        "ports:\n  - name: java\n    command: port --quiet\n".to_owned(),
        "ports:\n  - name: java\n    command: []\n".to_owned(),
        "ports:\n  - name: ''\n    command: [port]\n".to_owned(),
        port("    timeout: 0\n"),
        port("    timeout: -1.5\n"),
        port("    timeout: long\n"),
        port("    environment: [TZ, UTC]\n"),
        port("    may_be_missing: 3\n"),
        port("    timout: 20\n"),
        port("kit: 1\n"),
    ] {
        assert_agree(&validator, &fault, reads, false);
    }
}

#[test]
fn ledgers_keep_theirs() {
    let validator = validator(Name::Ledger);
    assert_eq!(examples_in_documents(&validator, "known_failures:"), 1);

    // One of a port that fails in many ways.
    let directory = tempfile::tempdir().expect("a temporary directory");
    let ledger = directory.path().join("known.yaml");
    let path = ledger.to_str().expect("a path in UTF-8");
    let port = ["--", &PYTHON, "tests/fakes/fake_port.py", "wrong-answer"];
    let run = Run::of(&mut kit(["test", "--write-ledger", path].iter().chain(&port)));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let written = yaml(&ledger);
    assert!(
        written["known_failures"]
            .as_array()
            .is_some_and(|entries| entries.len() > 100)
    );
    assert_valid(&validator, &written, "a ledger that the kit wrote");

    let reads = |path: &Path| Ledger::read(path).is_ok();
    assert_agree(&validator, "known_failures: []\n", reads, true);
    for fault in [
        "{}\n",
        "known_failures: none\n",
        "known_failures:\n  - id: a\n",
        "known_failures:\n  - reason: because\n",
        "known_failures:\n  - id: a\n    reason: ' '\n",
        "known_failures:\n  - id: a\n    reason: because\n    got: [1]\n",
        "known_failures:\n  - id: a\n    reason: because\n    until: tomorrow\n",
    ] {
        assert_agree(&validator, fault, reads, false);
    }
}

#[test]
fn scenarios_keep_theirs() {
    let validator = validator(Name::Scenario);
    for name in ["backwards.yaml", "endless.yaml", "milk.yaml", "steps-alone.json"] {
        assert_valid(&validator, &yaml(&Path::new("tests/fakes/scenarios").join(name)), name);
    }
    let reads = |path: &Path| scenario_file(path).is_ok();
    let step = |step: &str| format!("steps:\n  - {step}\n");
    assert_agree(&validator, &step("{at: 0.0, do: put, message: a}"), reads, true);
    for fault in [
        "policy: {max_attempts: 3}\n".to_owned(),
        "steps: []\nasks: 1\n".to_owned(),
        "steps: []\npolicy: {attempts: 3}\n".to_owned(),
        "steps: []\nmessage_ttl: long\n".to_owned(),
        read(Path::new("tests/fakes/scenarios/unknown-step.yaml")),
        step("{at: 0.0, do: put}"),
        step("{at: 0.0, do: put, message: ''}"),
        step("{at: 0.0, do: put, message: a, consumer: w}"),
        step("{do: stats}"),
        step("{at: -1.0, do: stats}"),
        step("{at: 4294967297.0, do: stats}"),
        step("{at: 0.0, do: add_consumer, consumer: w, prefetch: 0}"),
        step("{at: 0.0, do: add_consumer, consumer: w, on_message: {nack: boom}}"),
        step("{at: 0.0, do: ack, message: a, delivery: 0}"),
    ] {
        assert_agree(&validator, &fault, reads, false);
    }
}

/// Loader and schema take, or refuse, the same text.
#[track_caller]
fn assert_agree(validator: &Validator, text: &str, loads: impl Fn(&Path) -> bool, is_good: bool) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("file.yaml");
    fs::write(&path, text).expect("a file");
    assert_eq!(loads(&path), is_good, "the loader: {text}");
    assert_eq!(validator.is_valid(&yaml(&path)), is_good, "the schema: {text}");
}

/// How many examples the documents have that begin with a key; all keep the schema.
fn examples_in_documents(validator: &Validator, key: &str) -> usize {
    let mut examples = 0;
    for document in ["README.md", "ports/README.md"] {
        let text = read(Path::new(document));
        // What stands in a list is indented.
        let blocks = text
            .split("```")
            .skip(1)
            .step_by(2)
            .filter_map(|block| block.strip_prefix("yaml\n"));
        for block in blocks.filter(|block| block.trim_start().starts_with(key)) {
            assert_valid(validator, &serde_yaml::from_str(block).expect("YAML"), block);
            examples += 1;
        }
    }
    examples
}
