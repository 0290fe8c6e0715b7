//! What the command line prints, where, and how it ends.
//!
//! The snapshots are sessions: a command, its standard output, its standard error behind a bar, and its exit code. Standard
//! input is empty and nothing is a terminal. They hold what is meant to be; read them before you accept a change.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fmt::Write as _;
use std::io;
use std::process::Command;

use common::{PYTHON, Run, kit};
use samewait::version::{FORMAT, KIT, PROTOCOL, SPEC};
use serde_json::{Value as Json, json};

/// The arguments of a command line without quotes, in which FEW, SAMPLES and FAKE are short for paths.
fn arguments(line: &str) -> Vec<String> {
    let line = in_full(line);
    let word = |word| if word == "python3" { PYTHON.as_str() } else { word };
    line.split_whitespace().map(word).map(str::to_owned).collect()
}

fn in_full(line: &str) -> String {
    line.replace("FEW", "tests/fakes/vectors")
        .replace("SAMPLES", "tests/fakes/samples")
        .replace("FAKE", "tests/fakes/fake_port.py")
}

fn run(line: &str) -> Run {
    Run::of(&mut kit(arguments(line)))
}

fn stdout(line: &str) -> String {
    run(line).stdout
}

#[track_caller]
fn json(line: &str) -> Json {
    let stdout = stdout(line);
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"))
}

/// What one would see of these commands, but for what depends on the machine.
fn session(lines: &[&str]) -> String {
    let mut session = String::new();
    for line in lines {
        let Run { code, stdout, stderr } = run(line);
        let stderr: Vec<String> = stderr.lines().map(|line| format!("| {line}\n")).collect();
        let (line, stderr) = (in_full(line), stderr.concat());
        write!(session, "$ samewait {line}\n{stdout}{stderr}exit code {code}\n\n").expect("a text can be written to");
    }
    session.replace(PYTHON.as_str(), "python3")
}

#[track_caller]
fn assert_session(name: &str, lines: &[&str]) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, session(lines));
    });
}

mod help {
    use super::*;

    #[test]
    fn tells_of_all_commands_and_exit_codes() {
        assert_session("help", &["--help"]);
    }

    #[test]
    fn tells_of_each_command() {
        assert_session("help-check", &["check --help"]);
        assert_session("help-test", &["test --help"]);
        assert_session("help-simulate", &["simulate --help"]);
        assert_session("help-port", &["port --help", "port new --help"]);
        assert_session("help-schedule", &["schedule --help"]);
        assert_session("help-list", &["list --help"]);
        assert_session("help-schema", &["schema --help"]);
        assert_session("help-serve", &["serve --help"]);
        assert_session("help-zoo", &["zoo --help"]);
    }

    #[test]
    fn hides_the_command_that_is_not_for_people() {
        assert!(!stdout("--help").contains("guard"));
    }

    #[test]
    fn comes_also_without_a_command_but_as_an_error() {
        let run = run("");
        assert_eq!(run.code, 2);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains("Usage: samewait <COMMAND>"), "{}", run.stderr);
    }

    #[test]
    fn has_the_version() {
        assert_eq!(
            stdout("--version"),
            format!("samewait {KIT}\nspecification {SPEC}\nformat {FORMAT}\nprotocol {PROTOCOL}\n")
        );
        assert_eq!(stdout("-V"), format!("samewait {KIT}\n"));
    }

    #[test]
    fn shows_examples_that_work() {
        for (command, examples) in [("check", 6), ("schedule", 2), ("list", 4), ("serve", 1), ("test", 1)] {
            assert_eq!(examples_work(command), examples, "{command}");
        }
    }

    #[test]
    fn of_simulate_shows_an_id_that_there_is() {
        let milk = stdout("simulate queue/seeds/return-keeps-the-first-use-by-date");
        assert!(stdout("simulate --help").contains("queue/seeds/return-keeps-the-first-use-by-date"));
        assert!(
            milk.contains("8 s  stats: ready 1, delayed 0, leased 0, dead 0"),
            "{milk}"
        );
        assert!(milk.contains("9 s  milk dead: ttl_expired"), "{milk}");
    }

    #[test]
    fn shows_an_id_that_there_is() {
        assert_session("help-explain", &["explain --help"]);
        assert_eq!(examples_work("explain"), 1);
    }

    /// Runs the examples of a command in a shell, and gives their number. One that needs a port of the reader is left out.
    fn examples_work(command: &str) -> usize {
        let help = stdout(&format!("{command} --help"));
        let (_, examples) = help.split_once("Example").expect("there are examples");
        // Those of a family need every language.
        let examples = examples.split("Without a command").next().unwrap_or("");
        let examples = examples
            .lines()
            .filter(|line| line.starts_with("  ") && !line.contains("./my-port"))
            .map(|line| line.trim_start().split("   ").next().unwrap_or(""));
        let mut count = 0;
        for example in examples {
            let script = format!(
                "samewait() {{ {}; }}; {example}",
                concat!(env!("CARGO_BIN_EXE_samewait"), r#" "$@""#)
            );
            let output = Command::new("sh")
                .args(["-c", &script])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .expect("there is a shell");
            assert!(
                output.status.success(),
                "{example}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            count += 1;
        }
        count
    }
}

mod schedule {
    use super::*;

    #[test]
    fn shows_each_wait_and_then_the_dead_letter() {
        assert_session(
            "schedule",
            &[
                "schedule --max-attempts 5 --initial-delay 1 --max-delay 10",
                "schedule --max-attempts 11 --initial-delay 0.1 --max-delay 3600",
                "schedule",
            ],
        );
    }

    #[test]
    fn shows_waits_that_repeat_in_one_row() {
        assert_session(
            "schedule-repeated",
            &[
                "schedule --max-attempts 20 --initial-delay 1 --max-delay 60 --queue orders",
                "schedule --max-attempts 2147483647 --initial-delay 0.5 --multiplier 1",
            ],
        );
    }

    #[test]
    fn shows_jitter_and_the_age_limit() {
        assert_session(
            "schedule-jitter",
            &["schedule --max-attempts 4 --initial-delay 20 --jitter-factor 0.25 --max-message-age 3600"],
        );
    }

    #[test]
    fn leaves_out_the_middle_of_a_long_table() {
        let table = stdout("schedule --max-attempts 200 --initial-delay 1 --multiplier 1.01 --threshold 0");
        let left_out: Vec<&str> = table.lines().filter(|line| line.contains("left out")).collect();
        assert_eq!(left_out.len(), 1, "{table}");
        assert!(
            left_out[0].ends_with("  (134 rows left out; --format json has all)"),
            "{table}"
        );
        // A head, 60 rows, the one above, five more, and the dead letter.
        assert_eq!(table.lines().count(), 68);
    }

    #[test]
    fn has_columns_that_line_up() {
        let table = stdout("schedule --max-attempts 40 --initial-delay 1 --multiplier 1.1 --threshold 0");
        let places: Vec<Option<usize>> = table
            .lines()
            .filter(|line| line.contains("consumer"))
            .map(|line| line.find("consumer"))
            .collect();
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]), "{table}");
    }

    #[test]
    fn has_the_doubling_table_of_the_issue() {
        let shown = json("schedule --max-attempts 5 --initial-delay 1 --max-delay 10 --format json");
        assert_eq!(shown["delays"], json!([1.0, 2.0, 4.0, 8.0]));
        assert_eq!(shown["rungs"], json!([]));
    }

    #[test]
    fn has_the_one_rung_of_the_issue() {
        let shown = json("schedule --max-attempts 11 --initial-delay 0.1 --max-delay 3600 --format json");
        let expected = json!({
            "policy": {
                "max_attempts": 11,
                "initial_delay": 0.1,
                "multiplier": 2.0,
                "max_delay": 3600.0,
                "jitter_factor": 0.0,
                "max_message_age": 0.0,
            },
            "delays": [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2],
            "rungs": [{
                "name": "queue.retry.51200ms",
                "ttl_ms": 51200,
                "arguments": {
                    "x-message-ttl": 51200,
                    "x-dead-letter-exchange": "",
                    "x-dead-letter-routing-key": "queue",
                },
            }],
        });
        assert_eq!(shown, expected);
    }

    #[test]
    fn names_rungs_after_the_queue_and_the_exchange() {
        let line =
            "schedule --max-attempts 3 --initial-delay 5 --queue orders --exchange back --threshold 7 --format json";
        let rungs = &json(line)["rungs"];
        assert_eq!(rungs.as_array().map(Vec::len), Some(1));
        assert_eq!(rungs[0]["name"], "orders.retry.10s");
        assert_eq!(rungs[0]["arguments"]["x-dead-letter-exchange"], "back");
    }

    #[test]
    fn refuses_flags_that_make_no_policy() {
        assert_session(
            "schedule-refused",
            &[
                "schedule --max-attempts 0",
                "schedule --max-attempts 1.5",
                "schedule --max-attempts 99999999999999999999",
                "schedule --initial-delay -1",
                "schedule --multiplier 0.99",
                "schedule --max-delay inf",
                "schedule --jitter-factor 1.01",
                "schedule --max-message-age nan",
                "schedule --format yaml",
                "schedule --attempts 5",
            ],
        );
    }

    #[test]
    fn refuses_flags_that_make_no_ladder() {
        for (flags, word) in [
            ("--threshold=-1", "threshold is -1.0"),
            ("--queue=", "queue is empty"),
            ("--max-attempts 2 --initial-delay 4e8", "400000000000 ms"),
        ] {
            let run = run(&format!("schedule {flags}"));
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{flags}");
            assert!(run.stderr.contains(word), "{flags}: {}", run.stderr);
        }
    }
}

mod explain {
    use super::*;

    #[test]
    fn shows_the_steps_to_each_kind_of_answer() {
        assert_session(
            "explain",
            &[
                "explain --vectors FEW policy/few/copy",
                "explain --vectors FEW schedule/few/doubling",
                "explain --vectors FEW backoff/few/fraction",
                "explain --vectors FEW next_delay/few/last",
                "explain --vectors FEW jitter/few/up",
                "explain --vectors SAMPLES jitter/drawn/short",
                "explain --vectors SAMPLES jitter/drawn/without-a-factor",
                "explain --vectors FEW ladder/few/two-rungs",
                "explain --vectors FEW ladder/fewer/longer-rung",
            ],
        );
    }

    #[test]
    fn shows_why_nothing_is_computed() {
        assert_session("explain-refused", &["explain --vectors FEW next_delay/few/refused"]);
    }

    #[test]
    fn leaves_out_the_middle_of_a_long_ramp() {
        let shown = stdout("explain backoff/doubling/loop-of-its-own-at-the-cap");
        let steps: Vec<&str> = shown.lines().filter(|line| line.contains("  attempt ")).collect();
        assert_eq!(steps.len(), 28, "{shown}");
        assert_eq!(steps[0], "  attempt 1: initial_delay 0.1 (0x1.999999999999ap-4)");
        assert_eq!(
            steps[1],
            "  attempt 2: 0.1 * 1.1 = 0.11000000000000001 (0x1.c28f5c28f5c2ap-4)"
        );
        assert_eq!(
            steps[27],
            "  attempt 69: 59.33485776104007 * 1.1 = 65.26834353714408 (0x1.0512c8a5f081dp+6), above the ceiling: 60.0"
        );
        assert!(shown.contains("\n  … 41 more multiplications …\n"), "{shown}");
        assert!(
            shown.ends_with("\n  the delay is the ceiling, 60.0 (0x1.ep+5)\nanswer: {\"delay\":60.0}\n"),
            "{shown}"
        );
    }

    #[test]
    fn stops_at_the_step_that_decides() {
        let shown = stdout("explain --vectors FEW next_delay/few/old");
        assert!(
            shown.contains("? yes\nanswer: {\"give_up\":\"max_message_age\"}\n"),
            "{shown}"
        );
    }

    #[test]
    fn shows_clauses_in_full() {
        let shown = stdout("explain --vectors FEW backoff/few/first");
        assert!(shown.contains("d * multiplier"), "{shown}");
    }

    #[test]
    fn suggests_an_id_for_an_unknown_one() {
        assert_session(
            "explain-unknown",
            &[
                "explain --vectors FEW backoff/few/frictoin",
                "explain --vectors FEW backof",
            ],
        );
    }
}

mod list {
    use super::*;

    #[test]
    fn shows_ids_clauses_and_notes() {
        assert_session(
            "list",
            &[
                "list --vectors FEW --filter backoff/*/f* --filter schedule/*",
                "list --vectors FEW --filter */few/two-rungs --format json",
            ],
        );
    }

    #[test]
    fn has_all_of_the_vectors_in_the_program() {
        let here = json("list --vectors vectors --format json");
        assert!(here.as_array().is_some_and(|cases| cases.len() > 500));
        let id = |list: &Json| {
            list.as_array()
                .into_iter()
                .flatten()
                .map(|case| case["id"].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(id(&json("list --format json")), id(&here));
    }

    #[test]
    fn tells_when_nothing_matches() {
        assert_session(
            "list-nothing",
            &[
                "list --filter nothing/* --filter backoff/nothing",
                "list --filter backoff/[",
            ],
        );
    }

    #[test]
    fn maps_clauses_to_cases() {
        assert_session("list-clauses", &["list --clauses --vectors FEW"]);
        let map = json("list --clauses --format json");
        let clause = |number: &str| {
            map.as_array()
                .into_iter()
                .flatten()
                .find(|row| row["clause"] == number)
                .cloned()
                .unwrap_or_default()
        };
        assert!(
            clause("B-4")["cases"].as_array().is_some_and(|cases| cases.len() > 10),
            "{map}"
        );
        assert_eq!(clause("Q-33")["cases"], json!([]));
        assert!(clause("Q-33")["no_case_because"].is_string());
    }
}

mod check {
    use super::*;

    #[test]
    fn accepts_good_vectors() {
        assert_session(
            "check",
            &[
                "check FEW",
                "check FEW/ladder FEW/backoff/few.yaml",
                "check --vectors FEW --filter jitter/*",
                "check FEW --format json",
            ],
        );
    }

    #[test]
    fn rewrites_what_is_not_in_canonical_form() {
        let root = tempfile::tempdir().expect("a directory");
        let folder = root.path().join("backoff");
        std::fs::create_dir(&folder).expect("a folder");
        let file = folder.join("few.yaml");
        let text = std::fs::read_to_string("tests/fakes/vectors/backoff/few.yaml").expect("a file");
        std::fs::write(&file, text.replace("note: ", "note:   ")).expect("a file");
        let run = |flag: &[&str]| {
            let path = file.to_str().expect("a path in UTF-8");
            Run::of(&mut kit([&["check"], flag, &[path]].concat()))
        };
        let stale = run(&[]);
        assert_eq!(stale.code, 3, "{}", stale.stdout);
        assert!(stale.stderr.contains("check --fix"), "{}", stale.stderr);
        let fixed = run(&["--fix"]);
        assert_eq!(
            (fixed.code, fixed.stdout),
            (0, format!("{}: rewritten\n", file.display()))
        );
        assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
        assert_eq!(run(&["--fix"]).stdout, "all are in canonical form\n");
        assert_eq!(run(&[]).code, 0);
    }

    #[test]
    fn accepts_the_vectors_in_the_program() {
        let summary = json("check --format json");
        assert_eq!(summary["conforms"], true);
        assert!(summary["cases"].as_u64() > Some(500), "{summary}");
    }

    #[test]
    fn shows_each_fault_of_bad_vectors_with_its_place() {
        assert_session("check-bad", &["check tests/fakes/broken-rules"]);
    }

    #[test]
    fn shows_where_vectors_and_reference_differ() {
        assert_session("check-different", &["check tests/fakes/wrong-expectation"]);
        let report = json("check tests/fakes/wrong-expectation --format json");
        assert_eq!(report["conforms"], false);
        assert_eq!(report["differences"].as_array().map(Vec::len), Some(2), "{report}");
        assert_eq!(report["differences"][0]["verdict"], "failed");
    }

    #[test]
    fn tells_of_files_that_are_no_vectors() {
        assert_session(
            "check-no-vectors",
            &[
                "check no/such/directory",
                "check Cargo.toml",
                "check tests/common",
                "check vectors --vectors vectors",
            ],
        );
    }
}

mod zoo {
    use super::*;

    #[test]
    fn shows_what_kills_each_bug() {
        assert_session(
            "zoo",
            &[
                "zoo --bug refusal-multiplier-* --bug cap-compared-with-the-wait-before --vectors FEW",
                "zoo --bug queue-text-trimmed --filter queue/deaths/* --all",
            ],
        );
    }

    #[test]
    fn ends_with_1_when_one_survives() {
        let run = run("zoo --bug queue-text-trimmed --filter backoff/cap/*");
        assert_eq!(run.code, 1);
        assert!(
            run.stdout
                .contains("survivors: 0 of 1 bug are killed, but not queue-text-trimmed"),
            "{}",
            run.stdout
        );
    }

    #[test]
    fn writes_all_of_it_for_machines() {
        let zoo = json("zoo --bug queue-text-* --filter queue/deaths/* --format json");
        let trimmed = zoo["bugs"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|bug| bug["name"] == "queue-text-trimmed");
        assert_eq!(trimmed.map(|bug| &bug["kind"]), Some(&json!("queue-text")), "{zoo}");
        assert_eq!(
            trimmed.map(|bug| &bug["killed_by"]),
            Some(&json!(["queue/deaths/text-trimmed"]))
        );
        let worth = zoo["cases"]
            .as_array()
            .into_iter()
            .flatten()
            .find(|case| case["id"] == "queue/deaths/text-trimmed");
        assert!(worth.is_some_and(|case| case["kills"].as_u64() > Some(0)), "{zoo}");
    }

    #[test]
    fn tells_of_bugs_that_are_not_there() {
        assert_session(
            "zoo-unknown",
            &[
                "zoo --bug nothing-*",
                "zoo --bug [",
                "serve --bug cap-compared-with-the-wait",
            ],
        );
    }

    #[test]
    fn a_bug_is_a_port() {
        let bug = format!(
            "test --filter backoff/cap/* -- {} serve --bug overflow-i32-milliseconds-throw",
            env!("CARGO_BIN_EXE_samewait")
        );
        assert_eq!(run(&bug).code, 1);
    }
}

mod stats {
    use super::*;

    #[test]
    fn counts_cases_and_kills() {
        assert_session(
            "check-stats",
            &[
                "check FEW --stats",
                "check --gate-report none.json",
                "check FEW --stats --gate-report Cargo.toml",
            ],
        );
        let stats = json("check FEW --stats --format json");
        assert_eq!(stats["areas"][0]["area"], "policy");
        assert!(stats["bugs"].as_u64() >= Some(90), "{stats}");
    }
}

mod test {
    use super::*;

    #[test]
    fn shows_what_was_expected_and_what_came() {
        assert_session(
            "test-wrong",
            &[
                "test --vectors FEW --filter backoff/few/fraction -- python3 FAKE wrong-answer",
                "test --vectors FEW --filter backoff/few/fraction -- python3 FAKE one-ulp-off",
                "test --vectors FEW --filter backoff/few/zero -- python3 FAKE negative-zero",
                "test --vectors FEW --filter schedule/few/doubling -- python3 FAKE wrong-answer",
                "test --vectors FEW --filter jitter/few/* -- python3 FAKE rejects-nothing",
                "test --vectors FEW --filter jitter/few/up -- python3 FAKE one-unit-off",
                "test --vectors FEW --filter ladder/* -- python3 FAKE claims-too-much",
            ],
        );
    }

    #[test]
    fn shows_what_is_wrong_with_samples() {
        assert_session(
            "test-samples",
            &[
                "test --vectors SAMPLES --filter jitter/drawn/hour -- python3 FAKE draws-fixed-seed",
                "test --vectors SAMPLES --filter jitter/drawn/short -- python3 FAKE draws-too-few",
                "test --vectors SAMPLES --filter jitter/drawn/hour -- python3 FAKE draws-nothing",
            ],
        );
    }

    #[test]
    fn shows_how_a_port_broke() {
        assert_session(
            "test-broken",
            &[
                "test --vectors FEW --filter next_delay/few/[lor]* -- python3 FAKE crash-as-rejection",
                "test --vectors FEW --filter next_delay/* -- python3 FAKE exit-code-3",
            ],
        );
    }

    #[test]
    fn shows_what_a_silent_port_says_to_standard_error() {
        let report = stdout("test --vectors FEW --timeout 1 -- python3 FAKE only-stderr");
        assert!(
            report.contains("\n  its standard error ends:\n    {\"id\": \"0\", \"value\": "),
            "{report}"
        );
    }

    #[test]
    fn shows_why_a_port_is_unusable() {
        assert_session(
            "test-unusable",
            &[
                "test --vectors FEW -- no-such-program --flag",
                "test --vectors FEW -- python3 FAKE hello-protocol",
                "test --vectors FEW --format human -- python3 FAKE rejects-everything",
            ],
        );
    }

    #[test]
    fn shows_what_was_skipped() {
        assert_session(
            "test-skipped",
            &[
                "test --vectors FEW -- python3 FAKE claims-little",
                "test --vectors FEW --filter backoff/* -- python3 FAKE coarse-1ms",
                "test --vectors FEW --filter ladder/* -- python3 FAKE claims-nothing",
            ],
        );
    }

    #[test]
    fn tests_the_reference_like_any_other_port() {
        let kit = env!("CARGO_BIN_EXE_samewait");
        let report = json(&format!("test --format json -- {kit} serve"));
        assert_eq!(report["outcome"], "conforms");
        assert_eq!(report["totals"]["passed"], report["totals"]["selected"]);
        assert_eq!(report["port"]["name"], "samewait");
    }

    #[test]
    fn has_a_report_for_machines() {
        let report = json("test --vectors FEW --format json -- python3 FAKE claims-too-much");
        let command = [PYTHON.as_str(), "tests/fakes/fake_port.py", "claims-too-much"].join(" ");
        let features = [
            "policy",
            "schedule",
            "backoff",
            "next_delay",
            "jitter",
            "ladder",
            "rung_for",
        ];
        assert_eq!(
            report["port"],
            json!({
                "command": command,
                "name": "claims-too-much",
                "version": "1",
                "language": "Python",
                "features": features,
                "resolution": "exact",
            })
        );
        let totals = json!({"passed": 22, "failed": 2, "errored": 0, "skipped": 0, "selected": 24});
        assert_eq!(report["totals"], totals);
        let cases = report["cases"].as_array().map_or(&[][..], Vec::as_slice);
        assert_eq!(cases.len(), 24);
        assert_eq!(cases[0], json!({"id": "backoff/few/first", "verdict": "passed"}));
        assert_eq!(
            cases[11],
            json!({
                "id": "ladder/few/refused",
                "verdict": "failed",
                "clauses": ["L-12"],
                "note": "A queue without a name has no rungs.",
                "differences": [{
                    "at": "answer",
                    "expected": "an answer, since the port claims the feature",
                    "got": "unsupported: no broker here",
                }],
            })
        );
        assert_eq!(report["faults"], json!([]));
        assert_eq!(report["warnings"], json!([]));
        assert_eq!(report["kit"], KIT);
        assert_eq!(report["spec"], SPEC);
    }

    #[test]
    fn shows_cases_in_the_order_of_the_vectors_whatever_the_order_of_the_answers() {
        let ids = |line: &str| {
            let report = json(line);
            let cases = report["cases"].as_array().cloned().unwrap_or_default();
            cases.iter().map(|case| case["id"].clone()).collect::<Vec<_>>()
        };
        let honest = ids("test --vectors FEW --format json -- python3 FAKE honest");
        assert_eq!(honest.len(), 24);
        assert_eq!(ids("test --vectors FEW --format json -- python3 FAKE reversed"), honest);
        assert_eq!(
            ids("test --vectors FEW --format json -- python3 FAKE crash-on-case"),
            honest
        );
    }

    #[test]
    fn lets_no_port_forge_a_report() {
        let mut kit = kit(arguments("test --vectors FEW -- python3 FAKE escape-codes"));
        let run = Run::of(kit.env("CLICOLOR_FORCE", "1"));
        assert!(!run.stdout.contains("\x1b[2J"), "{:?}", run.stdout);
        let is_forged = run.stdout.lines().any(|line| line.starts_with("conforms"));
        assert!(!is_forged, "{}", run.stdout);
    }

    #[test]
    fn gives_a_hint_that_works() {
        let report = stdout("test --vectors FEW --filter backoff/few/fraction -- python3 FAKE wrong-answer");
        let hint = report
            .lines()
            .find_map(|line| line.strip_prefix("  step by step: samewait "));
        let explained = run(hint.expect("there is a hint"));
        assert_eq!(explained.code, 0, "{}", explained.stderr);
    }

    #[test]
    fn refuses_flags_that_make_no_sense() {
        assert_session(
            "test-refused",
            &[
                "test --config no/such.yaml",
                "test --port ruby -- true",
                "test --known-failures known.yaml",
                "test python3 port.py",
                "test --timeout 0 -- true",
                "test --timeout soon -- true",
                "test --filter backoff/[ -- true",
                "test --filter nothing -- true",
                "test --vectors tests/fakes/none -- true",
            ],
        );
    }

    #[test]
    fn takes_any_patience() {
        let run = run("test --timeout 1e19 --vectors FEW -- python3 FAKE honest");
        assert_eq!(run.code, 0, "{}", run.stdout);
    }
}

mod exit_codes {
    use super::*;

    #[test]
    fn tell_how_a_command_ended() {
        for (code, line) in [
            (0, "test --vectors FEW -- python3 FAKE honest"),
            (0, "check FEW"),
            (1, "test --vectors FEW -- python3 FAKE wrong-answer"),
            (1, "test --vectors FEW -- python3 FAKE garbage-line"),
            (1, "check tests/fakes/wrong-expectation"),
            (2, "test --no-such-flag"),
            (2, "schedule --max-attempts 0"),
            (2, "explain no/such/case"),
            (3, "check tests/fakes/broken-rules"),
            (3, "test --vectors tests/fakes/broken-rules -- true"),
            (3, "list --vectors no/such/directory"),
            (4, "test --vectors FEW -- no-such-program"),
            (4, "test --vectors FEW -- python3 FAKE answers-unknown"),
            (5, "test --vectors FEW --filter nothing -- python3 FAKE honest"),
            (5, "test --vectors FEW -- python3 FAKE claims-nothing"),
            (5, "list --filter nothing"),
        ] {
            let run = run(line);
            assert_eq!(run.code, code, "{line}: {}{}", run.stdout, run.stderr);
        }
    }
}

mod output {
    use super::*;

    /// Both streams of these commands, one after the other.
    fn both(line: &str, environment: &[(&str, &str)]) -> String {
        let run = Run::of(kit(arguments(line)).envs(environment.iter().copied()));
        run.stdout + &run.stderr
    }

    const COLOURFUL: [&str; 4] = [
        "test --vectors FEW -- python3 FAKE wrong-answer",
        "test --vectors FEW -- no-such-program",
        "explain no/such/case",
        "--help",
    ];

    #[test]
    fn has_no_colours_when_it_is_no_terminal() {
        for line in COLOURFUL {
            assert!(!both(line, &[]).contains('\x1b'), "{line}");
        }
    }

    #[test]
    fn has_colours_when_they_are_wanted_unless_they_are_not() {
        for line in COLOURFUL {
            assert!(both(line, &[("CLICOLOR_FORCE", "1")]).contains('\x1b'), "{line}");
            assert!(
                !both(line, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\x1b'),
                "{line}"
            );
        }
    }

    #[test]
    fn has_results_on_one_stream_and_errors_on_the_other() {
        for (line, has_results) in [
            ("list --vectors FEW", true),
            ("check FEW", true),
            ("test --vectors FEW -- python3 FAKE wrong-answer", true),
            ("explain no/such/case", false),
            ("check tests/fakes/broken-rules", false),
            ("schedule --max-attempts 0", false),
        ] {
            let run = run(line);
            assert_eq!(
                (!run.stdout.is_empty(), run.stderr.is_empty()),
                (has_results, has_results),
                "{line}"
            );
        }
    }

    /// Runs a command with nobody at the other end of its standard output, as after `head`.
    fn unread(line: &str) -> Run {
        let (reader, writer) = io::pipe().expect("there is a pipe");
        drop(reader);
        Run::of(kit(arguments(line)).stdout(writer))
    }

    #[test]
    fn may_be_cut_off() {
        for line in [
            "--help",
            "list",
            "list --format json",
            "schedule --max-attempts 5 --initial-delay 1",
            "schedule --max-attempts 100000 --initial-delay 1 --max-delay 20 --format json",
            "explain --vectors FEW backoff/few/first",
            "check FEW",
            "test --vectors FEW -- python3 FAKE honest",
            "test --vectors FEW --format json -- python3 FAKE honest",
        ] {
            let run = unread(line);
            assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{line}");
        }
    }

    #[test]
    fn may_be_cut_off_but_a_failing_port_fails() {
        for (code, line) in [
            (1, "test --vectors FEW -- python3 FAKE wrong-answer"),
            (1, "test --vectors FEW --format json -- python3 FAKE wrong-answer"),
            (4, "test --vectors FEW -- no-such-program"),
            (1, "check tests/fakes/wrong-expectation"),
        ] {
            assert_eq!(unread(line).code, code, "{line}");
        }
    }
}

mod simulate {
    use super::*;

    const MILK: &str = "tests/fakes/scenarios/milk.yaml";

    #[test]
    fn draws_a_scenario_and_lists_its_events() {
        assert_session(
            "simulate",
            &[
                &format!("simulate {MILK}"),
                &format!("simulate {MILK} --scale 41 --message-ttl 0 --max-attempts 1"),
                "simulate tests/fakes/scenarios/steps-alone.json --max-attempts 3 --initial-delay 0.5",
                "explain queue/seeds/return-keeps-the-first-use-by-date",
            ],
        );
    }

    #[test]
    fn gives_the_trace_to_machines() {
        let object = json(&format!("simulate {MILK} --format json"));
        let events: Vec<&str> = object["trace"]
            .as_array()
            .expect("a trace")
            .iter()
            .filter_map(|event| event["event"].as_str())
            .collect();
        let expected = [
            "ready",
            "delivered",
            "failed",
            "delayed",
            "ready",
            "stats",
            "dead",
            "stats",
            "dead_letters",
        ];
        assert_eq!(events, expected);
    }

    #[test]
    fn draws_every_scenario_of_a_vector_file() {
        let drawn = stdout("simulate vectors/queue/seeds.yaml");
        assert_eq!(drawn.matches("- ready   . delayed   = leased").count(), 7, "{drawn}");
    }

    #[test]
    fn stops_a_scenario_without_end() {
        let run = run("simulate tests/fakes/scenarios/endless.yaml --format json");
        assert_eq!(run.code, 0);
        assert!(
            run.stderr.contains("warning: stopped after 100000 events"),
            "{}",
            run.stderr
        );
    }

    #[test]
    fn refuses_what_makes_no_sense_with_its_place() {
        assert_session(
            "simulate-refused",
            &[
                "simulate tests/fakes/scenarios/backwards.yaml",
                "simulate tests/fakes/scenarios/unknown-step.yaml",
                "simulate no-such-thing",
                "simulate backoff/cap/cap-one-ulp-below",
                "simulate vectors/backoff/cap.yaml",
                &format!("simulate {MILK} --message-ttl -1"),
                &format!("simulate {MILK} --scale 1"),
            ],
        );
    }
}
