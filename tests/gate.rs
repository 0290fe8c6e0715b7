//! A family of ports at once: the matrix, the ledgers, and what turns the gate red.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::{PYTHON, Run, kit};
use tempfile::TempDir;

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/fake_port.py");
const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/vectors");

/// A directory with a configuration, and perhaps a ledger.
struct Family(TempDir);

impl Family {
    /// Ports by name and defect.
    fn of(ports: &[(&str, &str)]) -> Self {
        let port = |(name, defect): &(&str, &str)| {
            format!("  - name: {name}\n    command: ['{}', '{FAKE}', {defect}]\n", *PYTHON)
        };
        let ports: Vec<String> = ports.iter().map(port).collect();
        let config = format!("ports:\n{}", ports.concat());
        Self::with(&config)
    }

    fn with(config: &str) -> Self {
        let directory = TempDir::new().expect("a directory");
        fs::write(directory.path().join("samewait.yaml"), config).expect("a file");
        Self(directory)
    }

    /// One port that gives 42 for each wait, with a ledger.
    fn with_ledger(ledger: &str) -> Self {
        let family = Self::of(&[("wrong", "wrong-answer")]);
        let path = family.path("samewait.yaml");
        let config = fs::read_to_string(&path).expect("a file") + "    known_failures: known.yaml\n";
        fs::write(path, config).expect("a file");
        fs::write(family.path("known.yaml"), ledger).expect("a file");
        family
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn test(&self, flags: &[&str]) -> Run {
        let config = self.path("samewait.yaml");
        let config = config.to_str().expect("a path in UTF-8");
        let mut arguments = vec!["test", "--vectors", VECTORS, "--config", config];
        arguments.extend(flags);
        Run::of(&mut kit(arguments))
    }

    /// The ledger of all that fails today.
    fn todays_ledger() -> String {
        let family = Self::of(&[("wrong", "wrong-answer")]);
        let path = family.path("today.yaml");
        let run = family.test(&["--write-ledger", path.to_str().expect("a path in UTF-8")]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        fs::read_to_string(path).expect("a ledger")
    }
}

#[track_caller]
fn assert_says(run: &Run, code: i32, texts: &[&str]) {
    assert_eq!(run.code, code, "{}\n{}", run.stdout, run.stderr);
    for text in texts {
        assert!(
            run.stdout.contains(text) || run.stderr.contains(text),
            "no `{text}` in:\n{}\n{}",
            run.stdout,
            run.stderr
        );
    }
}

mod a_report {
    use super::*;

    /// In which languages the figures of `check --stats` say that the area has passed.
    fn passed_in(family: &Family, area: &str) -> serde_json::Value {
        let report = family.path("report.json");
        fs::write(&report, family.test(&["--format", "json"]).stdout).expect("a file");
        let report = report.to_str().expect("a path in UTF-8");
        let stats = Run::of(&mut kit([
            "check",
            VECTORS,
            "--stats",
            "--format",
            "json",
            "--gate-report",
            report,
        ]));
        let stats: serde_json::Value = serde_json::from_str(&stats.stdout).expect("JSON");
        let mut areas = stats["areas"].as_array().expect("areas").iter();
        let found = areas.find(|found| found["area"] == area).expect("the area");
        found["passed_in"].clone()
    }

    #[test]
    fn tells_in_which_languages_an_area_has_passed() {
        let (good, bad) = (("good", "honest"), ("bad", "wrong-answer"));
        assert_eq!(
            passed_in(&Family::of(&[good]), "backoff"),
            serde_json::json!(["Python"])
        );
        assert_eq!(passed_in(&Family::of(&[good, bad]), "backoff"), serde_json::json!([]));
        assert_eq!(
            passed_in(&Family::of(&[good, bad]), "ladder"),
            serde_json::json!(["Python"])
        );
    }
}

mod a_matrix {
    use super::*;

    #[test]
    fn shows_ports_and_areas_and_nothing_below_when_all_is_as_expected() {
        let run = Family::of(&[("one", "honest"), ("two", "coarse-1ms")]).test(&[]);
        assert_says(
            &run,
            0,
            &[
                "one ",
                "two ",
                "as expected",
                "1ms",
                "conforms: 2 ports, 24 cases, nothing unexpected",
            ],
        );
        assert!(!run.stdout.contains("=="), "{}", run.stdout);
    }

    #[test]
    fn is_red_when_one_port_is_broken_and_names_it_and_the_cases() {
        let run = Family::of(&[("good", "honest"), ("bad", "wrong-answer")]).test(&[]);
        assert_says(
            &run,
            1,
            &[
                "UNEXPECTED",
                "== bad",
                "failed backoff/few/",
                "does not conform: look at bad",
            ],
        );
        assert!(!run.stdout.contains("== good"), "{}", run.stdout);
    }

    #[test]
    fn gives_hints_that_work() {
        let run = Family::of(&[("bad", "wrong-answer")]).test(&["--filter", "backoff/few/fraction"]);
        let hint = run
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("  step by step: samewait "));
        let words = hint.expect("there is a hint").split(' ');
        assert_says(&Run::of(&mut kit(words)), 0, &["backoff/few/fraction"]);
    }

    #[test]
    fn can_be_of_one_port_alone() {
        let family = Family::of(&[("good", "honest"), ("bad", "wrong-answer")]);
        assert_says(&family.test(&["--port", "good"]), 0, &["conforms: 1 port, 24 cases"]);
        assert_says(
            &family.test(&["--port", "ugly"]),
            2,
            &["no port `ugly`, needed one of good, bad"],
        );
    }

    #[test]
    fn tells_of_cases_that_no_port_answers() {
        let run = Family::of(&[("one", "claims-little"), ("two", "claims-little")]).test(&[]);
        assert_says(&run, 0, &["answered by no port: 17 cases: "]);
    }

    #[test]
    fn is_one_object_for_machines() {
        let run = Family::of(&[("good", "honest"), ("bad", "wrong-answer")]).test(&["--format", "json"]);
        let object: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(object["ports"][0]["state"], "expected");
        assert_eq!(object["ports"][1]["state"], "unexpected");
        assert_eq!(object["ports"][1]["report"]["totals"]["failed"], 10);
    }
}

mod a_port_whose_toolchain_is_absent {
    use super::*;

    const ABSENT: &str = "ports:\n  - name: absent\n    command: [no-such-language]\n";

    fn with_another(config: &str) -> Family {
        let other = format!("  - name: good\n    command: ['{}', '{FAKE}', honest]\n", *PYTHON);
        Family::with(&(config.to_owned() + &other))
    }

    #[test]
    fn fails_the_gate_and_says_what_to_do() {
        let run = with_another(ABSENT).test(&[]);
        assert_says(
            &run,
            4,
            &[
                "NOT RUN",
                "absent was not run",
                "--allow-missing",
                "unusable: look at absent",
            ],
        );
    }

    #[test]
    fn may_be_missing_when_somebody_says_so() {
        assert_says(
            &with_another(ABSENT).test(&["--allow-missing"]),
            0,
            &["not run (may be missing)"],
        );
        let config = ABSENT.to_owned() + "    may_be_missing: true\n";
        assert_says(&with_another(&config).test(&[]), 0, &["not run (may be missing)"]);
    }

    #[test]
    fn is_also_one_whose_launcher_misses_something() {
        let config = ABSENT.replace("[no-such-language]", "[sh, '-c', no-such-language]");
        assert_says(&with_another(&config).test(&[]), 4, &["absent was not run"]);
    }

    #[test]
    fn shows_nothing_when_it_is_the_only_one() {
        assert_says(&Family::with(ABSENT).test(&["--allow-missing"]), 5, &["nothing tested"]);
    }
}

mod a_ledger {
    use super::*;

    #[test]
    fn of_today_makes_the_gate_green() {
        let run = Family::with_ledger(&Family::todays_ledger()).test(&[]);
        assert_says(&run, 0, &["+", "as expected"]);
    }

    #[test]
    fn with_a_line_removed_makes_it_red_and_names_the_case() {
        let ledger = Family::todays_ledger();
        let at = ledger.find("  - id: backoff/few/fraction").expect("a line");
        let end = ledger[at + 1..]
            .find("  - id:")
            .map_or(ledger.len(), |end| at + 1 + end);
        let run = Family::with_ledger(&(ledger[..at].to_owned() + &ledger[end..])).test(&[]);
        assert_says(&run, 1, &["failed backoff/few/fraction", "!1"]);
    }

    #[test]
    fn with_a_case_that_passes_makes_it_red() {
        let stale = Family::todays_ledger() + "  - id: ladder/few/two-rungs\n    reason: it once failed\n";
        let run = Family::with_ledger(&stale).test(&[]);
        assert_says(
            &run,
            1,
            &["known.yaml:", "ladder/few/two-rungs passes now: remove the line"],
        );
    }

    #[test]
    fn with_a_line_that_matches_nothing_makes_it_red() {
        let unmatched = Family::todays_ledger() + "  - id: backoff/gone/*\n    reason: it once failed\n";
        let run = Family::with_ledger(&unmatched).test(&[]);
        assert_says(
            &run,
            1,
            &["`backoff/gone/*` matches no case: correct the id, or remove the line"],
        );
    }

    #[test]
    fn with_a_wildcard_for_too_much_makes_it_red() {
        let run = Family::with_ledger("known_failures:\n  - id: '*'\n    reason: everything fails\n").test(&[]);
        assert_says(
            &run,
            1,
            &["`*` matches 24 cases, at most 20 may be known at once: name them more closely"],
        );
    }

    #[test]
    fn with_another_wrong_answer_makes_it_red() {
        let other = Family::todays_ledger().replacen("delay 42.0", "delay 41.0", 1);
        let run = Family::with_ledger(&other).test(&[]);
        assert_says(
            &run,
            1,
            &["fails in another way: `delay 42.0`, known is `delay 41.0`: look again, then correct `got`"],
        );
    }

    #[test]
    fn keeps_comments_and_reasons_when_it_is_written_again() {
        let family = Family::of(&[("wrong", "wrong-answer")]);
        let path = family.path("known.yaml");
        let old = "# Ours.\nknown_failures:\n  # Since the spring.\n  - id: backoff/few/fraction\n    reason: rounds\n\
                   \x20   link: \"https://example.org/1\"\n  # Gone.\n  - id: ladder/few/two-rungs\n    reason: mended\n";
        fs::write(&path, old).expect("a file");
        let run = family.test(&["--write-ledger", path.to_str().expect("a path in UTF-8")]);
        assert_says(&run, 0, &["10 failures; give each a reason"]);
        let new = fs::read_to_string(&path).expect("a ledger");
        assert!(
            new.starts_with(
                "# Ours.\nknown_failures:\n  # Since the spring.\n  - id: backoff/few/fraction\n    reason: rounds\n"
            ),
            "{new}"
        );
        assert!(!new.contains("two-rungs") && !new.contains("Gone"), "{new}");
        assert_eq!(new.matches("- id:").count(), 10, "{new}");
        assert_says(&Family::with_ledger(&new).test(&[]), 0, &["as expected"]);
    }

    #[test]
    fn that_is_none_is_refused_with_its_place_and_never_overwritten() {
        let family = Family::of(&[("wrong", "wrong-answer")]);
        let path = family.path("known.yaml");
        fs::write(&path, "known_failures:\n  - id: a\n    because: b\n").expect("a file");
        let run = family.test(&["--write-ledger", path.to_str().expect("a path in UTF-8")]);
        assert_says(&run, 3, &["known.yaml:3:5: known_failures[0]: unknown key `because`"]);
        assert!(fs::read_to_string(path).expect("a file").contains("because"));
    }

    #[test]
    fn serves_a_single_port_too() {
        let family = Family::with_ledger(&Family::todays_ledger());
        let known = family.path("known.yaml");
        let known = known.to_str().expect("a path in UTF-8");
        let run = Run::of(&mut kit([
            "test",
            "--vectors",
            VECTORS,
            "--known-failures",
            known,
            "--",
            &PYTHON,
            FAKE,
            "wrong-answer",
        ]));
        assert_says(&run, 0, &["as expected"]);
    }
}

mod a_configuration {
    use super::*;

    #[track_caller]
    fn refused(config: &str, text: &str) {
        assert_says(&Family::with(config).test(&[]), 3, &[text]);
    }

    #[test]
    fn that_makes_no_sense_is_refused_with_its_place() {
        refused("ports: []\n", "samewait.yaml:1:1: no ports, needed at least one");
        refused(
            "ports:\n  - name: a\n    command: []\n",
            "samewait.yaml:3:5: an empty command, needed a program and its arguments",
        );
        refused(
            "ports:\n  - name: a\n    comand: [a]\n",
            "samewait.yaml:3:5: ports[0]: unknown key `comand`",
        );
        refused(
            "ports:\n  - {name: a, command: [a]}\n  - {name: a, command: [b]}\n",
            "samewait.yaml:3:6: name `a`, needed one of its own",
        );
        refused(
            "ports:\n  - {name: a, command: [a], timeout: 0}\n",
            "samewait.yaml:2:29: timeout 0.0, needed a number of seconds above 0",
        );
        refused(
            "ports:\n  - {name: a, command: [a], directory: nowhere}\n",
            "samewait.yaml:2:29: no directory ",
        );
        refused(
            "ports:\n  - {name: a, command: [a], known_failures: none.yaml}\n",
            "none.yaml",
        );
    }

    #[test]
    fn that_is_not_there_is_told_together_with_the_other_way() {
        let run = Run::of(&mut kit(["test", "--config", "no/such.yaml"]));
        assert_says(&run, 2, &["no command after -- and no no/such.yaml"]);
    }

    #[test]
    fn sets_directory_and_environment() {
        let config = format!(
            "ports:\n  - name: there\n    command: [sh, '-c', 'test \"$WHERE\" = here && test -f marker && exec \"{}\" \"{FAKE}\" honest']\n    \
             directory: sub\n    environment: {{WHERE: here}}\n",
            *PYTHON
        );
        let family = Family::with(&config);
        fs::create_dir(family.path("sub")).expect("a directory");
        fs::write(family.path("sub/marker"), "").expect("a file");
        assert_says(&family.test(&[]), 0, &["as expected"]);
    }
}

mod a_skeleton {
    use super::*;

    /// Makes the skeleton, builds it as its README says, and puts the vectors to it.
    fn works(language: &str, toolchain: &[&str], build: &[&str], command: &[&str]) {
        if let Some(absent) = toolchain.iter().find(|tool| !is_there(tool)) {
            let must = std::env::var_os("SAMEWAIT_REQUIRE_ALL").is_some();
            assert!(!must, "{language}: no {absent}");
            return; // Not here; in CI it is.
        }
        let directory = TempDir::new().expect("a directory");
        let port = directory.path().join("port");
        let path = port.to_str().expect("a path in UTF-8");
        assert_says(
            &Run::of(&mut kit(["port", "new", language, path])),
            0,
            &["README.md says how to build and try it"],
        );
        if let Some((program, arguments)) = build.split_first() {
            let output = std::process::Command::new(port.join(program))
                .args(arguments)
                .current_dir(&port)
                .output();
            let output = output.expect("the build starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let command: Vec<String> = command.iter().map(|word| word.replace("PORT", path)).collect();
        let mut arguments = vec!["test".to_owned(), "--".to_owned()];
        arguments.extend(command);
        let run = Run::of(&mut kit(arguments));
        assert_says(
            &run,
            0,
            &[
                "next: answer `schedule` and claim it in `hello`",
                "conforms: 211 of 1197 cases passed",
            ],
        );
    }

    fn is_there(tool: &str) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Path::new(tool).is_file() || std::env::split_paths(&path).any(|folder| folder.join(tool).is_file())
    }

    #[test]
    fn in_python_works_as_it_is() {
        works("python", &["python3"], &[], &["python3", "PORT/port.py"]);
    }

    #[test]
    fn in_ruby_works_as_it_is() {
        works("ruby", &["ruby"], &[], &["ruby", "PORT/port.rb"]);
    }

    #[test]
    fn in_javascript_works_as_it_is() {
        works("javascript", &["node"], &[], &["node", "PORT/port.mjs"]);
    }

    #[test]
    fn in_go_works_once_built() {
        works("go", &["go"], &["build"], &["PORT/port"]);
    }

    #[test]
    fn in_java_works_once_built() {
        works(
            "java",
            &["javac", "/usr/share/java/gson.jar"],
            &["build"],
            &["PORT/port"],
        );
    }

    #[test]
    fn in_dotnet_works_once_built() {
        works("dotnet", &["mcs", "python3"], &["build"], &["PORT/port"]);
    }

    #[test]
    fn overwrites_nothing() {
        let directory = TempDir::new().expect("a directory");
        fs::write(directory.path().join("mine"), "").expect("a file");
        let path = directory.path().to_str().expect("a path in UTF-8");
        assert_says(
            &Run::of(&mut kit(["port", "new", "ruby", path])),
            2,
            &["is not empty, needed a new directory"],
        );
    }

    #[test]
    fn in_an_unknown_language_names_those_there_are() {
        let run = Run::of(&mut kit(["port", "new", "cobol", "there"]));
        assert_says(
            &run,
            2,
            &["no skeleton for `cobol`, needed one of dotnet, go, java, javascript, python, ruby"],
        );
    }
}
