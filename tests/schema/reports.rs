//! Reports of real runs keep their schemas, and have no key that the schemas do not tell of.

use serde_json::json;

use super::*;

const FAKE: &str = "tests/fakes/fake_port.py";

/// Ports that fail in each way that a report has a form for.
#[test]
fn reports_of_one_port_keep_theirs() {
    let few: &[&str] = &["--vectors", "tests/fakes/vectors"];
    let (queue, samples) = (&["--filter", "queue/ttl/*"][..], &["--filter", "jitter/samples/*"][..]);
    let kit_itself = env!("CARGO_BIN_EXE_samewait");
    let mut seen = Vec::new();
    for (selection, port, outcome) in [
        (few, &[&PYTHON, FAKE, "honest"][..], "conforms"),
        (few, &[&PYTHON, FAKE, "coarse-1ms"], "conforms"),
        (few, &[&PYTHON, FAKE, "wrong-answer"], "does_not_conform"),
        (few, &[&PYTHON, FAKE, "wrong-refusal"], "does_not_conform"),
        (few, &[&PYTHON, FAKE, "error-answers"], "does_not_conform"),
        (few, &[&PYTHON, FAKE, "garbage-line"], "does_not_conform"),
        (few, &["no-such-program"], "unusable"),
        (
            queue,
            &[kit_itself, "serve", "--bug", "queue-ttl-dropped-on-a-retry"],
            "does_not_conform",
        ),
        (
            samples,
            &[kit_itself, "serve", "--bug", "samples-upwards-only"],
            "does_not_conform",
        ),
        (
            samples,
            &[kit_itself, "serve", "--bug", "samples-fixed-seed"],
            "does_not_conform",
        ),
    ] {
        let flags = ["test", "--format", "json"].iter().chain(selection).chain(&["--"]);
        let report = report(Name::TestReport, flags.chain(port));
        assert_eq!(report["outcome"], outcome, "{port:?}");
        seen.push(report);
    }
    let text = json!(seen).to_string();
    // What the schema describes has been there to be described.
    for key in [
        "histogram",
        "stderr",
        "unusable",
        "expected_hex",
        "reason",
        "differences",
        "features",
    ] {
        assert!(text.contains(&format!("\"{key}\":")), "no report has `{key}`");
    }

    let validator = validator(Name::TestReport);
    let wrong = &seen[2];
    let failed = |case: &Json| case["verdict"] == "failed";
    let place = wrong["cases"]
        .as_array()
        .and_then(|cases| cases.iter().position(failed))
        .expect("a failure");
    let case = format!("/cases/{place}");
    for refused in [
        without(wrong, "", "totals"),
        without(wrong, "/port", "command"),
        without(wrong, &case, "note"),
        without(wrong, &format!("{case}/differences/0"), "at"),
        with(wrong, &case, "verdict", json!("known")),
        with(wrong, &case, "differences", json!([])),
        with(wrong, "", "outcome", json!("green")),
        with(wrong, "/totals", "passed", json!(-1)),
        with(wrong, "", "warnings", json!("none")),
    ] {
        assert!(!validator.is_valid(&refused));
    }
}

#[test]
fn reports_of_a_family_keep_theirs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let config = directory.path().join("samewait.yaml");
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join(FAKE);
    let (python, fake) = (&*PYTHON, fake.display());
    let text = format!(
        "ports:\n  - name: good\n    command: ['{python}', '{fake}', honest]\n  \
         - name: bad\n    command: ['{python}', '{fake}', wrong-answer]\n    known_failures: known.yaml\n  \
         - name: gone\n    command: [no-such-program]\n    may_be_missing: true\n"
    );
    fs::write(&config, text).expect("a file");
    let known = "known_failures:\n  - id: backoff/few/*\n    reason: known\n  - id: gone/*\n    reason: stale\n";
    fs::write(directory.path().join("known.yaml"), known).expect("a file");
    let config = config.to_str().expect("a path in UTF-8");
    let flags = [
        "test",
        "--format",
        "json",
        "--vectors",
        "tests/fakes/vectors",
        "--config",
        config,
    ];
    let report = report(Name::GateReport, flags);
    let states: Vec<&Json> = report["ports"]
        .as_array()
        .expect("ports")
        .iter()
        .map(|port| &port["state"])
        .collect();
    assert_eq!(states, ["expected", "unexpected", "missing"]);
    for key in ["known", "ledger_problems"] {
        assert!(
            report["ports"][1][key]
                .as_array()
                .is_some_and(|lines| !lines.is_empty()),
            "{key}"
        );
    }

    let validator = validator(Name::GateReport);
    for refused in [
        without(&report, "", "ports"),
        with(&report, "/ports/0", "state", json!("green")),
        without(&report, "/ports/0/report", "cases"),
    ] {
        assert!(!validator.is_valid(&refused));
    }
}

#[test]
fn reports_of_the_other_commands_keep_theirs() {
    let check = ["check", "--format", "json"];
    for (flags, conforms) in [
        (&["vectors/backoff"][..], true),
        (&["tests/fakes/wrong-expectation"], false),
        (&["tests/fakes/broken-rules"], false),
    ] {
        let report = report(Name::CheckReport, check.iter().chain(flags));
        assert_eq!(report["conforms"], conforms, "{flags:?}");
    }
    let good = report(Name::CheckReport, ["check", "--format", "json", "vectors/backoff"]);
    let held = report(
        Name::CheckReport,
        ["check", "--format", "json", "vectors", "--index", "spec/index.txt"],
    );
    assert!(held["hash"].is_string());
    let schema = validator(Name::CheckReport);
    assert!(!schema.is_valid(&without(&good, "", "conforms")));
    assert!(!schema.is_valid(&without(&good, "", "cases")));

    let zoo = report(Name::ZooReport, ["zoo", "--bug", "overflow-*", "--format", "json"]);
    assert!(!validator(Name::ZooReport).is_valid(&without(&zoo, "/bugs/0", "killed_by")));
    let list = report(Name::ListReport, ["list", "--format", "json"]);
    assert!(!validator(Name::ListReport).is_valid(&with(&list, "/0", "ask", json!("sleep"))));
}

/// The report that a command writes, held against its schema, and against one in which no further key is legal.
#[track_caller]
fn report(name: Name, arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> Json {
    let run = Run::of(&mut kit(arguments));
    let report: Json = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    assert_valid(&validator(name), &report, name.name());
    let mut closed = name.schema();
    close(&mut closed);
    let closed = jsonschema::validator_for(&closed).expect("a schema");
    assert_valid(&closed, &report, "without further keys");
    report
}

/// Lets objects have only the keys that are described.
fn close(schema: &mut Json) {
    match schema {
        Json::Object(keys) => {
            if keys.get("type") == Some(&json!("object")) && keys.contains_key("properties") {
                keys.insert("additionalProperties".to_owned(), json!(false));
            }
            keys.values_mut().for_each(close);
        }
        Json::Array(items) => items.iter_mut().for_each(close),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}
