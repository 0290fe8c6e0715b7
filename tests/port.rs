//! Each broken port of `fakes/` is recognised for what it is, costs no more cases than it must, and leaves no process behind.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{self, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{PYTHON, Run, kit};
use serde_json::Value as Json;

const FAKES: &str = "tests/fakes/fake_port.py";

/// 24 cases of all areas, six of them rejections.
const FEW: &str = "tests/fakes/vectors";

/// Five cases that ask for samples: three with draws in them, one without, and a rejection.
const SAMPLES: &str = "tests/fakes/samples";

/// The one of them that most fakes stumble over.
const THIRTEENTH: &str = "backoff/few/thirteenth";

/// A patience that is long enough for an honest fake on a busy machine, for tests that wait until it ends.
const SHORT: &str = "1";

/// A test of a port that is to be made.
struct Trial {
    vectors: String,
    options: Vec<String>,
    command: Vec<String>,
    /// A word that only the processes of this port have among their arguments.
    mark: String,
}

fn fake(defect: &str) -> Trial {
    let mark = unique();
    let command = [&PYTHON, FAKES, defect, &mark].map(str::to_owned).to_vec();
    Trial { mark, ..port(command) }
}

fn port(command: impl IntoIterator<Item = impl Into<String>>) -> Trial {
    let command: Vec<String> = command.into_iter().map(Into::into).collect();
    let mark = command.join("\0");
    Trial {
        vectors: FEW.to_owned(),
        options: Vec::new(),
        command,
        mark,
    }
}

fn unique() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    format!("{}{:03}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Trial {
    fn filter(mut self, glob: &str) -> Self {
        self.options.extend(["--filter".to_owned(), glob.to_owned()]);
        self
    }

    fn timeout(mut self, seconds: &str) -> Self {
        self.options.extend(["--timeout".to_owned(), seconds.to_owned()]);
        self
    }

    fn vectors(mut self, directory: &Path) -> Self {
        self.vectors = directory.display().to_string();
        self
    }

    /// Adds an argument to the port's command.
    fn argument(mut self, argument: &Path) -> Self {
        self.command.insert(3, argument.display().to_string());
        self
    }

    fn kit(&self) -> Command {
        let mut kit = kit(["test", "--format", "json", "--vectors", &self.vectors]);
        kit.args(&self.options).arg("--").args(&self.command);
        kit
    }

    /// Has the kit test the port. Whatever the port did, the report must be whole, and no process left.
    fn run(self) -> Report {
        let run = Run::of(&mut self.kit());
        let json = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("no JSON: {error}: {run:?}"));
        let report = Report { code: run.code, json };
        report.check_shape();
        let is_unusable = report.code == 4;
        assert_eq!(!run.stderr.is_empty(), is_unusable, "standard error: {}", run.stderr);
        let mark = self.mark.as_bytes();
        wait_until("a process of the port is left", || {
            !processes().iter().any(|process| contains(&process.arguments, mark))
        });
        report
    }
}

/// What the kit says of a port. The assertions can be chained.
struct Report {
    code: i32,
    json: Json,
}

impl Report {
    fn check_shape(&self) {
        let outcome = match self.code {
            0 => "conforms",
            1 => "does_not_conform",
            4 => "unusable",
            5 => "nothing_tested",
            _ => "none that has this exit code",
        };
        assert_eq!(self.json["outcome"], outcome, "{self}");
        let counted: Vec<(&str, usize)> = ["passed", "failed", "errored", "skipped"]
            .map(|verdict| (verdict, self.cases().filter(|case| case["verdict"] == verdict).count()))
            .to_vec();
        for (verdict, count) in counted {
            assert_eq!(self.json["totals"][verdict], count, "{verdict}: {self}");
        }
        let mut ids: Vec<&str> = self.cases().map(|case| text(&case["id"])).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(
            self.json["totals"]["selected"],
            ids.len(),
            "a case is missing or twice: {self}"
        );
    }

    fn cases(&self) -> impl Iterator<Item = &Json> {
        self.json["cases"].as_array().into_iter().flatten()
    }

    fn faults(&self) -> Vec<(Option<&str>, &str)> {
        let faults = self.json["faults"].as_array().into_iter().flatten();
        faults
            .map(|fault| (fault["case"].as_str(), text(&fault["text"])))
            .collect()
    }

    /// The exit code, and the verdicts counted: `23 passed, 1 errored`.
    #[track_caller]
    fn ends(self, code: i32, counts: &str) -> Self {
        assert_eq!(self.code, code, "{self}");
        let mut words = Vec::new();
        for verdict in ["passed", "failed", "errored", "skipped"] {
            let count = &self.json["totals"][verdict];
            if count != 0 {
                words.push(format!("{count} {verdict}"));
            }
        }
        assert_eq!(words.join(", "), counts, "{self}");
        self
    }

    /// All that is to be said: nothing.
    #[track_caller]
    fn without_complaint(self) -> Self {
        assert!(self.faults().is_empty(), "{self}");
        assert_eq!(self.json["warnings"], Json::Array(vec![]), "{self}");
        assert_eq!(self.json["unusable"], Json::Null, "{self}");
        self
    }

    /// A single fault, and nobody guilty.
    #[track_caller]
    fn blames_nobody(self, fault: &str) -> Self {
        assert_eq!(self.faults(), [(None, fault)], "{self}");
        self
    }

    /// A single fault, and who is guilty.
    #[track_caller]
    fn blames(self, case: &str, fault: &str) -> Self {
        assert_eq!(self.faults(), [(Some(case), fault)], "{self}");
        self
    }

    /// A fault that costs its case and no other.
    #[track_caller]
    fn costs(self, case: &str, fault: &str) -> Self {
        let others = self.json["totals"]["selected"].as_u64().unwrap_or(0) - 1;
        self.ends(1, &format!("{others} passed, 1 errored"))
            .blames(case, fault)
            .says_of(case, "errored", fault)
    }

    /// A verdict, and what the report tells of the reasons.
    #[track_caller]
    fn says_of(self, id: &str, verdict: &str, words: &str) -> Self {
        let case = self.cases().find(|case| case["id"] == id);
        let case = case.unwrap_or_else(|| panic!("no case {id}: {self}"));
        assert_eq!(case["verdict"], verdict, "{self}");
        let told = format!("{}{}", case["differences"], text(&case["reason"]));
        assert!(told.contains(words), "{id}: {told}");
        self
    }

    #[track_caller]
    fn warns(self, warning: &str) -> Self {
        assert_eq!(self.json["warnings"], serde_json::json!([warning]), "{self}");
        self
    }

    /// A port that can't be tested, and the beginning of the reason.
    #[track_caller]
    fn unusable_because(self, why: &str) -> Self {
        assert_eq!(self.code, 4, "{self}");
        let text = text(&self.json["unusable"]["text"]);
        assert!(text.starts_with(why), "{text}");
        self
    }

    /// A port that can't be tested at all: no case was asked.
    #[track_caller]
    fn never_asked_because(self, why: &str) -> Self {
        let selected = &self.json["totals"]["selected"];
        let counts = format!("{selected} errored");
        self.ends(4, &counts).unusable_because(why)
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "exit code {}, {:#}", self.code, self.json)
    }
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or("")
}

/// A process of this machine.
struct Running {
    id: u32,
    parent: u32,
    /// Each ended by a zero byte; none once the process has ended.
    arguments: Vec<u8>,
}

fn processes() -> Vec<Running> {
    let entries = fs::read_dir("/proc").expect("these tests look for processes in /proc");
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    ids.filter_map(|id: u32| {
        // One that ends meanwhile is none.
        let arguments = fs::read(format!("/proc/{id}/cmdline")).ok()?;
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
        let parent = parent.trim().parse().ok()?;
        Some(Running { id, parent, arguments })
    })
    .collect()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

#[track_caller]
fn wait_until(complaint: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(10), "{complaint}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A directory of vectors with so many cases for attempts 1, 2, 3 and on.
fn many_vectors(count: usize) -> tempfile::TempDir {
    let mut yaml = "area: backoff\nask: backoff\nabout: More questions than a pipe holds.\ncases:\n".to_owned();
    for attempt in 1..=count {
        write!(
            yaml,
            "  - id: backoff/many/{attempt}\n    clauses: [B-4]\n    note: The wait is constant.\n    \
             given: {{policy: {{initial_delay: 1.5, multiplier: 1.0}}, attempt: {attempt}}}\n    expect: {{delay: 1.5}}\n"
        )
        .expect("a text can be written to");
    }
    let directory = tempfile::tempdir().expect("there is room for a directory");
    fs::create_dir(directory.path().join("backoff")).expect("the directory is new");
    fs::write(directory.path().join("backoff/many.yaml"), yaml).expect("there is room for a file");
    directory
}

#[test]
fn every_fake_is_put_to_the_test() {
    let output = Command::new(&*PYTHON).args([FAKES, "--list"]).output();
    let output = String::from_utf8(output.expect("the fakes start").stdout).expect("names in UTF-8");
    assert!(output.lines().count() > 40, "{output}");
    let untested: Vec<&str> = output
        .lines()
        .filter(|defect| !include_str!("port.rs").contains(&format!("(\"{defect}\")")))
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}

mod an_honest_port {
    use super::*;

    #[test]
    fn conforms() {
        fake("honest").run().ends(0, "24 passed").without_complaint();
    }

    #[test]
    fn conforms_with_more_questions_than_the_pipes_hold() {
        let many = many_vectors(5000);
        let report = fake("honest").vectors(many.path()).run();
        report.ends(0, "5000 passed").without_complaint();
    }

    #[test]
    fn may_answer_in_any_order() {
        let many = many_vectors(3000);
        let report = fake("reversed").vectors(many.path()).run();
        report.ends(0, "3000 passed").without_complaint();
    }

    #[test]
    fn may_take_longer_than_the_timeout_for_all_answers_together() {
        // 24 answers and three before them at 50 ms each.
        let report = fake("late-answers").timeout(SHORT).run();
        report.ends(0, "24 passed").without_complaint();
    }

    #[test]
    fn may_end_its_lines_like_windows() {
        fake("windows-lines").run().ends(0, "24 passed").without_complaint();
    }

    #[test]
    fn may_fill_its_standard_error() {
        fake("flood-stderr").run().ends(0, "24 passed").without_complaint();
    }

    #[test]
    fn may_support_little() {
        let report = fake("claims-little").run();
        report.ends(0, "7 passed, 17 skipped").without_complaint().says_of(
            "ladder/fewer/no-rung",
            "skipped",
            "the port does not claim `rung_for`",
        );
    }

    #[test]
    fn may_support_what_the_kit_does_not_know() {
        let report = fake("claims-unknown").run();
        report
            .ends(0, "24 passed")
            .warns("the port claims `teleport`, which this kit does not test");
    }

    #[test]
    fn that_supports_nothing_shows_nothing() {
        fake("claims-nothing").run().ends(5, "24 skipped");
    }
}

mod a_wrong_answer {
    use super::*;

    #[test]
    fn fails_each_case_that_it_is_wrong_for() {
        let report = fake("wrong-answer").run();
        report
            .ends(1, "14 passed, 10 failed")
            .without_complaint()
            .says_of("backoff/few/first", "failed", r#""expected":1.0"#)
            .says_of("backoff/few/first", "failed", r#""got":42.0"#)
            .says_of("schedule/few/doubling", "failed", r#""at":"delays[3]""#)
            .says_of("schedule/few/single-attempt", "passed", "");
    }

    #[test]
    fn is_one_also_when_it_is_the_neighbouring_number() {
        let report = fake("one-ulp-off").run();
        report
            .ends(1, "14 passed, 10 failed")
            .says_of("backoff/few/fraction", "failed", r#""ulps":1}"#);
    }

    #[test]
    fn of_the_neighbouring_attempt_is_one() {
        let report = fake("off-by-one").run();
        report
            .ends(1, "17 passed, 7 failed")
            .without_complaint()
            .says_of("backoff/few/fourth", "failed", r#""got":16.0"#)
            .says_of("next_delay/few/refused", "failed", "delay 1.0 s")
            .says_of("next_delay/few/last", "passed", "");
    }

    #[test]
    fn is_also_a_zero_with_the_wrong_sign() {
        let report = fake("negative-zero").run();
        report
            .ends(1, "23 passed, 1 failed")
            .says_of("backoff/few/zero", "failed", r#""got":-0.0"#)
            .says_of("backoff/few/zero", "failed", r#""ulps":0"#);
    }

    #[test]
    fn is_a_value_where_a_refusal_is_due() {
        let report = fake("rejects-nothing").run();
        report
            .ends(1, "18 passed, 3 failed, 3 errored")
            .without_complaint()
            .says_of(
                "backoff/few/refused",
                "failed",
                "rejected with invalid_policy, field multiplier",
            )
            .says_of("policy/few/refused", "errored", "the value is no answer to `policy`");
    }

    #[test]
    fn is_a_refusal_of_something_else() {
        let report = fake("wrong-refusal").run();
        report.ends(1, "19 passed, 5 failed").without_complaint().says_of(
            "jitter/few/refused",
            "failed",
            "rejected with invalid_policy, field max_attempts",
        );
    }

    #[test]
    fn is_no_answer_when_it_is_an_error_of_the_port() {
        let report = fake("error-answers").run();
        report.ends(1, "17 passed, 7 errored").without_complaint().says_of(
            "backoff/few/refused",
            "errored",
            "the library is not here",
        );
    }

    #[test]
    fn is_no_answer_when_it_has_no_number() {
        let report = fake("nan-as-null").run();
        report.ends(1, "23 passed, 1 errored").without_complaint().says_of(
            THIRTEENTH,
            "errored",
            "a delay is null, needed a number of seconds",
        );
    }

    #[test]
    fn is_a_claimed_feature_that_is_not_supported() {
        let report = fake("claims-too-much").run();
        report.ends(1, "22 passed, 2 failed").without_complaint().says_of(
            "ladder/few/refused",
            "failed",
            "unsupported: no broker here",
        );
    }

    #[test]
    fn shows_with_its_text_whatever_that_is() {
        let report = fake("escape-codes").run();
        report.ends(1, "23 passed, 1 errored").without_complaint().says_of(
            THIRTEENTH,
            "errored",
            "the port reports an error of its own: oh",
        );
    }
}

mod a_broken_line {
    use super::*;

    const NO_ANSWER: &str = "the port wrote a line that is no answer: ";

    #[test]
    fn costs_the_case_that_causes_it() {
        let fault = format!("{NO_ANSWER}expected value at line 1 column 1: `DEBUG attempt 13`");
        fake("garbage-on-case").run().costs(THIRTEENTH, &fault);
    }

    #[test]
    fn costs_no_case_when_none_causes_it() {
        let fault = format!("{NO_ANSWER}expected value at line 1 column 1: `DEBUG sixth request`");
        let report = fake("garbage-line").filter("backoff/*").run();
        report.ends(1, "7 passed").blames_nobody(&fault);
    }

    #[test]
    fn in_each_answer_leaves_no_port_to_test() {
        let report = fake("garbage-always").run();
        report.never_asked_because("the port did not answer `hello`: the port wrote a line that is no answer: ");
    }

    #[test]
    fn may_be_invisible() {
        let report = fake("byte-order-mark").run();
        report.never_asked_because("the port did not answer `hello`: the port wrote a line that is no answer: ");
    }

    #[test]
    fn may_be_empty() {
        let report = fake("blank-line").run().ends(1, "24 passed");
        let faults = report.faults();
        assert!(
            matches!(faults[..], [(_, fault)] if fault.starts_with(NO_ANSWER)),
            "{report}"
        );
    }

    #[test]
    fn is_blamed_on_the_answer_that_it_follows() {
        let report = fake("blank-line").run();
        assert_eq!(
            report.faults().first().and_then(|fault| fault.0),
            Some(THIRTEENTH),
            "{report}"
        );
    }

    #[test]
    fn is_one_in_another_encoding() {
        let why = "invalid unicode code point at line 1 column 26";
        let fault = format!("{NO_ANSWER}{why}: `{{\"id\": \"1\", \"error\": \"caf\u{fffd}\"}}`");
        fake("not-utf8").run().costs(THIRTEENTH, &fault);
    }

    #[test]
    fn is_one_with_a_number_that_json_does_not_have() {
        let fault = format!(
            "{NO_ANSWER}expected value at line 1 column 32: `{{\"id\": \"1\", \"value\": {{\"delay\": NaN}}}}`"
        );
        fake("nan").run().costs(THIRTEENTH, &fault);
    }

    #[test]
    fn is_one_with_a_key_that_no_answer_has() {
        let report = fake("extra-key").run();
        let fault = report.faults()[0].1.to_owned();
        assert!(fault.contains("unknown field `took_ms`"), "{report}");
        report.costs(THIRTEENTH, &fault);
    }

    #[test]
    fn is_one_with_an_id_that_is_no_text() {
        let fault = format!(
            "{NO_ANSWER}invalid type: integer `13`, expected a string at line 1 column 9: \
             `{{\"id\": 13, \"value\": {{\"delay\": 4096.0}}}}`"
        );
        fake("number-id").run().costs(THIRTEENTH, &fault);
    }

    #[test]
    fn is_one_that_says_two_things_or_nothing() {
        let needed = "needed exactly one of `value`, `rejected`, `unsupported` and `error`";
        for (port, line) in [
            (
                fake("two-bodies"),
                r#"{"id": "1", "value": {"delay": 4096.0}, "error": ""}"#,
            ),
            (fake("no-body"), r#"{"id": "1"}"#),
        ] {
            port.run().costs(THIRTEENTH, &format!("{NO_ANSWER}{needed}: `{line}`"));
        }
    }

    #[test]
    fn is_one_with_a_value_of_null() {
        let report = fake("value-null").run().ends(1, "23 passed, 1 errored");
        report.says_of(THIRTEENTH, "errored", "null");
    }

    #[test]
    fn is_one_with_three_nulls_beside_the_value() {
        let report = fake("null-bodies").run();
        report
            .ends(1, "23 passed, 1 errored")
            .says_of(THIRTEENTH, "errored", "exactly one of");
    }

    #[test]
    fn may_have_no_end() {
        let fault = "the port wrote a line of more than 16 MiB";
        fake("flood-line").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn may_be_followed_by_others_without_end() {
        let fault = format!("{NO_ANSWER}expected value at line 1 column 1: `DEBUG still here`");
        fake("flood-lines").run().costs(THIRTEENTH, &fault);
    }

    #[test]
    fn has_an_id_that_was_never_asked() {
        let fault = "the port answered id `thirteen`, which it was never asked";
        fake("unknown-id").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn repeats_an_answer_which_stands() {
        let report = fake("duplicate-answer").run();
        report
            .ends(1, "24 passed")
            .blames(THIRTEENTH, "the port answered id `5` twice");
    }

    #[test]
    fn repeats_the_last_answer_at_the_end() {
        let report = fake("duplicate-at-end").filter(THIRTEENTH).run();
        report
            .ends(1, "1 passed")
            .blames(THIRTEENTH, "the port answered id `3` twice");
    }
}

mod a_silent_port {
    use super::*;

    const SILENT: &str = "the port gave no answer for 1 s with a question open; does it flush its answers, and answer \
                          before its input ends? (--timeout sets the patience)";

    #[test]
    fn is_given_up_after_the_timeout() {
        let start = Instant::now();
        let report = fake("hang").timeout("0.5").run();
        report.never_asked_because("the port did not answer `hello`: the port gave no answer for 0.5 s");
        assert!(start.elapsed() > Duration::from_millis(500), "too early");
        assert!(start.elapsed() < Duration::from_secs(5), "too late");
    }

    #[test]
    fn may_not_even_read() {
        let report = fake("never-reads").timeout("0.5").run();
        report.never_asked_because("the port did not answer `hello`: the port gave no answer for 0.5 s");
    }

    #[test]
    fn may_wait_for_the_end_of_its_input() {
        let report = fake("waits-for-the-end").timeout(SHORT).run();
        report.never_asked_because(&format!("the port did not answer `hello`: {SILENT}"));
    }

    #[test]
    fn may_talk_to_standard_error() {
        let report = fake("only-stderr").timeout(SHORT).run();
        let stderr = text(&report.json["unusable"]["stderr"]).to_owned();
        assert!(stderr.starts_with(r#"{"id": "0", "value": "#), "{report}");
        report.never_asked_because(&format!("the port did not answer `hello`: {SILENT}"));
    }

    #[test]
    fn costs_the_case_that_it_is_silent_on() {
        fake("hang-on-case").timeout(SHORT).run().costs(THIRTEENTH, SILENT);
    }

    #[test]
    fn may_write_but_make_no_progress() {
        fake("slow-drip").timeout(SHORT).run().costs(THIRTEENTH, SILENT);
    }

    #[test]
    fn may_have_closed_its_output() {
        let fault = "the port ended (it closed its output, but runs on) with a question open";
        fake("closes-output").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn is_given_up_when_it_is_silent_again_and_again() {
        let many = many_vectors(3000);
        let report = fake("stops-reading").vectors(many.path()).timeout(SHORT).run();
        report
            .unusable_because("the port failed 5 times and was given up; the cases left were not asked")
            .says_of("backoff/many/1", "passed", "")
            .says_of(
                "backoff/many/3000",
                "errored",
                "not asked: the port failed 5 times and was given up",
            );
    }

    #[test]
    fn is_warned_of_when_it_does_not_end_with_its_input() {
        let report = fake("hang-at-end").timeout(SHORT).run();
        report
            .ends(0, "24 passed")
            .warns("the port did not end with its input; it was killed");
    }
}

mod a_dying_port {
    use super::*;

    #[test]
    fn can_be_dead_from_the_start() {
        let report = fake("exits-at-once").run();
        report.never_asked_because(
            "the port did not answer `hello`: the port ended (exit status: 0) with a question open",
        );
    }

    #[test]
    fn costs_the_case_that_it_dies_of() {
        let fault = "the port ended (exit status: 7) with a question open";
        fake("crash-on-case").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn is_heard_to_the_end() {
        let threads: Vec<_> = (0..10)
            .map(|_| thread::spawn(|| fake("crash-on-case").filter(THIRTEENTH).run()))
            .collect();
        for thread in threads {
            let report = thread.join().expect("the kit runs");
            let stderr = &report.json["faults"][0]["stderr"];
            assert_eq!(stderr, "attempt 13 brings bad luck\n", "{report}");
        }
    }

    #[test]
    fn costs_one_case_of_many() {
        let many = many_vectors(3000);
        let report = fake("crash-on-case").vectors(many.path()).run();
        report.costs(
            "backoff/many/13",
            "the port ended (exit status: 7) with a question open",
        );
    }

    #[test]
    fn can_die_of_a_signal() {
        let fault = "the port ended (signal: 9 (SIGKILL)) with a question open";
        fake("crash-by-signal").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn costs_no_case_when_it_dies_at_a_certain_time() {
        let report = fake("crash-on-kth").filter("backoff/*").run();
        report
            .ends(1, "7 passed")
            .blames_nobody("the port ended (exit status: 1) with 7 questions open");
    }

    #[test]
    fn never_refuses_by_dying() {
        let report = fake("crash-as-rejection").run().ends(1, "18 passed, 6 errored");
        let guilty: Vec<Option<&str>> = report.faults().iter().map(|(guilty, _)| *guilty).collect();
        let refused = ["backoff", "jitter", "ladder", "next_delay", "policy", "schedule"]
            .map(|area| format!("{area}/few/refused"));
        assert_eq!(guilty, refused.iter().map(|id| Some(id.as_str())).collect::<Vec<_>>());
        for id in &refused {
            let case = report.cases().find(|case| case["id"] == **id);
            assert_eq!(case.map(|case| text(&case["verdict"])), Some("errored"), "{report}");
        }
    }

    #[test]
    fn can_leave_half_a_line() {
        let fault = "the port ended (exit status: 1) in the middle of a line: `{\"id\": \"1\", \"value\":`";
        fake("dies-mid-line").run().costs(THIRTEENTH, fault);
    }

    #[test]
    fn can_leave_a_process_that_holds_its_pipes() {
        let report = fake("crash-with-grandchild").timeout(SHORT).run();
        let fault = report.faults()[0].1.to_owned();
        report.costs(THIRTEENTH, &fault);
    }

    #[test]
    fn is_dead_also_when_its_pipes_are_held_open() {
        let report = fake("crash-with-grandchild").timeout(SHORT).run();
        report.costs(THIRTEENTH, "the port ended (exit status: 1) with a question open");
    }

    #[test]
    fn loses_no_case_when_it_can_not_be_started_again() {
        let directory = tempfile::tempdir().expect("there is room for a directory");
        let starts = directory.path().join("starts");
        let report = fake("starts-twice").argument(&starts).run();
        report
            .ends(4, "1 passed, 23 errored")
            .blames_nobody("the port ended (exit status: 7) with 24 questions open")
            .unusable_because("the port did not answer `hello`: the port ended (exit status: 1) with a question open")
            .says_of("backoff/few/first", "passed", "")
            .says_of("schedule/few/refused", "errored", "not asked: ");
    }

    #[test]
    fn is_warned_of_when_it_answers_everything_and_ends_badly() {
        let report = fake("exit-code-3").run();
        report
            .ends(0, "24 passed")
            .warns("the port answered everything and then ended with exit status: 3");
    }
}

mod an_introduction {
    use super::*;

    const UNUSABLE: &str = "the port's answer to `hello` is unusable: ";

    #[test]
    fn is_needed() {
        fake("no-hello")
            .run()
            .never_asked_because(&format!("{UNUSABLE}unsupported: what?"));
    }

    #[test]
    fn names_the_version_of_the_protocol() {
        let report = fake("hello-protocol").run();
        report.never_asked_because(&format!("{UNUSABLE}protocol 2, needed 1"));
    }

    #[test]
    fn is_whole() {
        let report = fake("hello-key").run();
        report.never_asked_because(&format!("{UNUSABLE}missing field `resolution`"));
    }

    #[test]
    fn names_a_resolution_that_there_is() {
        let report = fake("hello-resolution").run();
        report.never_asked_because(&format!(
            "{UNUSABLE}unknown variant `1h`, expected one of `exact`, `1ns`"
        ));
    }
}

mod a_badly_wired_port {
    use super::*;

    #[test]
    fn answers_questions_that_nobody_knows() {
        let report = fake("answers-unknown").run();
        let text = text(&report.json["unusable"]["text"]).to_owned();
        assert!(
            text.contains("needed `unsupported`, got value {\"delay\": 1.0}"),
            "{text}"
        );
        report.never_asked_because("the port is badly wired: asked `unknown_");
    }

    #[test]
    fn dies_of_questions_that_nobody_knows() {
        let report = fake("dies-of-unknown").run();
        report.never_asked_because("the port is badly wired: asked `unknown_");
    }

    #[test]
    fn fails_a_question_that_any_port_answers() {
        let report = fake("wrong-easy-answer").run();
        let text = text(&report.json["unusable"]["text"]).to_owned();
        assert!(text.contains(r#"got value {"policy": {"max_attempts": 2, "#), "{text}");
        report.never_asked_because(r#"the port is badly wired: asked {"ask":"policy","#);
    }

    #[test]
    fn refuses_a_policy_that_any_port_takes() {
        let report = fake("rejects-everything").run();
        let text = text(&report.json["unusable"]["text"]).to_owned();
        assert!(text.contains("got rejected with invalid_policy"), "{text}");
        report.never_asked_because(r#"the port is badly wired: asked {"ask":"policy","#);
    }
}

mod samples {
    use super::*;

    const SHORT_ONE: &str = "jitter/drawn/short";
    const HOUR: &str = "jitter/drawn/hour";
    const THIRTEEN: &str = "jitter/drawn/thirteen";
    const WITHOUT_A_FACTOR: &str = "jitter/drawn/without-a-factor";

    fn of(defect: &str) -> Trial {
        fake(defect).vectors(Path::new(SAMPLES))
    }

    /// A file in which the fake counts its processes, and the directory that it is in.
    fn counted(trial: Trial) -> Report {
        let directory = tempfile::tempdir().expect("there is room for a directory");
        trial.argument(&directory.path().join("starts")).run()
    }

    fn three_fail(report: Report, words: &str) -> Report {
        let report = report.ends(1, "2 passed, 3 failed").without_complaint();
        [SHORT_ONE, HOUR, THIRTEEN]
            .into_iter()
            .fold(report, |report, id| report.says_of(id, "failed", words))
    }

    #[test]
    fn of_an_honest_port_pass() {
        of("draws").run().ends(0, "5 passed").without_complaint();
    }

    #[test]
    fn of_the_reference_pass() {
        let report = port([env!("CARGO_BIN_EXE_samewait"), "serve"])
            .vectors(Path::new(SAMPLES))
            .run();
        report.ends(0, "5 passed").without_complaint();
    }

    #[test]
    fn may_be_counted_in_a_unit() {
        of("draws-coarse").run().ends(0, "5 passed").without_complaint();
    }

    #[test]
    fn are_skipped_for_a_port_that_does_not_claim_them() {
        let report = of("honest").run().ends(5, "5 skipped");
        report.says_of(HOUR, "skipped", "the port does not claim `jitter_samples`");
    }

    #[test]
    fn all_alike_are_no_samples() {
        three_fail(of("draws-nothing").run(), r#""check":"both sides"#);
    }

    #[test]
    fn on_one_side_are_told_with_check_statistic_bound_and_histogram() {
        let report = three_fail(of("draws-upwards").run(), r#""check":"both sides"#);
        let case = report.cases().find(|case| case["id"] == HOUR).expect("the case");
        let difference = &case["differences"][0];
        assert_eq!(difference["at"], "delays", "{report}");
        assert_eq!(
            difference["expected"], "5000 delays between 1800.0 and 5400.0 s",
            "{report}"
        );
        let [statistic, bound] = ["statistic", "bound"].map(|key| difference[key].as_f64().expect("a number"));
        assert!(statistic > 0.49 && bound < 0.1, "{report}");
        let histogram = difference["histogram"].as_array().expect("lines");
        assert!(histogram.len() > 4, "{report}");
    }

    #[test]
    fn of_whole_milliseconds_are_on_a_lattice_or_come_again() {
        let report = of("draws-milliseconds").run();
        let report = three_fail(report, "");
        // Which of the two is seen first hangs on what is drawn.
        for case in report.cases().filter(|case| case["verdict"] == "failed") {
            let check = text(&case["differences"][0]["check"]);
            assert!(["lattice", "repeated values"].contains(&check), "{report}");
        }
    }

    #[test]
    fn of_a_fixed_seed_are_those_of_the_second_process() {
        three_fail(of("draws-fixed-seed").run(), r#""check":"two fresh processes""#);
    }

    #[test]
    fn must_be_as_many_as_asked_for() {
        let report = of("draws-too-few").run().ends(1, "1 passed, 4 failed");
        let differences = r#""expected":"5000 delays","got":"4999 delays""#;
        report.without_complaint().says_of(HOUR, "failed", differences);
    }

    #[test]
    fn must_all_be_within_bounds() {
        let report = of("draws-one-outside")
            .run()
            .ends(1, "2 passed, 3 failed")
            .without_complaint();
        report
            .says_of(SHORT_ONE, "failed", r#""check":"bounds""#)
            .says_of(SHORT_ONE, "failed", r#""bound":12.0"#)
            .says_of(SHORT_ONE, "failed", r#""statistic":20.0"#)
            .says_of(WITHOUT_A_FACTOR, "failed", r#"{"at":"delays[2]","expected":10.0"#);
    }

    #[test]
    fn must_not_differ_without_a_factor() {
        let report = of("draws-without-a-factor").run().ends(1, "4 passed, 1 failed");
        report
            .without_complaint()
            .says_of(WITHOUT_A_FACTOR, "failed", r#"{"at":"delays[1023]","expected":10.0"#);
    }

    #[test]
    fn must_be_numbers() {
        let report = of("draws-text")
            .run()
            .ends(1, "1 passed, 4 errored")
            .without_complaint();
        report.says_of(HOUR, "errored", "needed a number of seconds");
        let report = of("draws-nan").run().ends(1, "1 passed, 4 errored");
        let guilty: Vec<Option<&str>> = report.faults().iter().map(|(guilty, _)| *guilty).collect();
        assert_eq!(
            guilty,
            [SHORT_ONE, HOUR, THIRTEEN, WITHOUT_A_FACTOR].map(Some),
            "{report}"
        );
    }

    #[test]
    fn of_other_cases_stand_when_the_port_dies_of_one() {
        let fault = "the port ended (exit status: 7) with a question open";
        of("draws-and-dies").run().costs(THIRTEEN, fault);
    }

    #[test]
    fn are_asked_again_of_a_fresh_process_whose_faults_count() {
        let report = counted(of("draws-once")).ends(1, "2 passed, 3 errored");
        let fault = "the port ended (exit status: 7) with a question open";
        let expected = [SHORT_ONE, HOUR, THIRTEEN].map(|id| (Some(id), fault));
        assert_eq!(report.faults(), expected, "{report}");
    }

    #[test]
    fn are_asked_again_of_a_fresh_process_whose_answers_count() {
        three_fail(counted(of("draws-once-only")), "unsupported: only once");
    }

    #[test]
    fn are_not_judged_when_there_is_no_second_process() {
        let report = counted(of("draws-and-starts-once")).ends(4, "2 passed, 3 errored");
        report
            .unusable_because("the port did not answer `hello`: the port ended (exit status: 1) with a question open")
            .says_of(HOUR, "errored", "not asked: ")
            .says_of(WITHOUT_A_FACTOR, "passed", "");
    }

    #[test]
    fn are_asked_again_only_where_there_are_draws() {
        let filter = |trial: Trial| trial.filter(WITHOUT_A_FACTOR).filter("jitter/drawn/refused");
        counted(filter(of("draws-and-starts-once"))).ends(0, "2 passed");
    }
}

mod a_coarse_resolution {
    use super::*;

    #[test]
    fn of_milliseconds_skips_what_it_can_not_express() {
        let report = fake("coarse-1ms").run();
        report.ends(0, "22 passed, 2 skipped").without_complaint().says_of(
            "backoff/few/tiny",
            "skipped",
            "5e-5 s is not a whole number of units of 1ms",
        );
    }

    #[test]
    fn of_less_skips_only_what_is_not_finite() {
        for port in [
            fake("coarse-1us"),
            fake("coarse-100ns"),
            fake("coarse-1ns"),
            fake("coarse-text"),
        ] {
            port.run().ends(0, "23 passed, 1 skipped").without_complaint().says_of(
                "policy/few/refused",
                "skipped",
                "is not a whole number of units",
            );
        }
    }

    #[test]
    fn allows_less_than_one_unit() {
        let report = fake("one-unit-off").run();
        report
            .ends(1, "14 passed, 8 failed, 2 skipped")
            .without_complaint()
            .says_of("backoff/few/first", "failed", r#""got":1001"#)
            .says_of("backoff/few/zero", "failed", r#""got":1"#)
            .says_of("backoff/few/fraction", "passed", "");
    }
}

mod a_program_that_is_no_port {
    use super::*;

    #[test]
    fn may_not_exist() {
        let report = port(["no-such-program", "--flag"]).run();
        report.never_asked_because("can't start `no-such-program --flag`: No such file or directory");
    }

    #[test]
    fn may_be_a_directory() {
        let report = port(["./tests".to_owned(), unique()]).run();
        let why = text(&report.json["unusable"]["text"]).to_owned();
        assert!(why.ends_with(": Permission denied (os error 13)"), "{why}");
        report.never_asked_because("can't start `./tests ");
    }

    #[test]
    fn may_say_nothing() {
        let report = port(["true".to_owned(), unique()]).run();
        report.never_asked_because(
            "the port did not answer `hello`: the port ended (exit status: 0) with a question open",
        );
        let report = port(["false".to_owned(), unique()]).run();
        report.never_asked_because(
            "the port did not answer `hello`: the port ended (exit status: 1) with a question open",
        );
    }

    #[test]
    fn may_echo_the_questions() {
        let report = port(["cat", "-u", "-"]).run();
        report.never_asked_because(
            "the port did not answer `hello`: the port wrote a line that is no answer: unknown field `ask`",
        );
    }

    #[test]
    fn may_say_the_same_for_ever() {
        let report = port(["yes".to_owned(), unique()]).run();
        report.never_asked_because("the port did not answer `hello`: the port wrote a line that is no answer: ");
    }

    #[test]
    fn may_sleep() {
        let report = port(["sleep".to_owned(), format!("100.{}", unique())])
            .timeout("0.5")
            .run();
        report.never_asked_because("the port did not answer `hello`: the port gave no answer for 0.5 s");
    }
}

mod no_process_is_left {
    use super::*;

    #[test]
    fn of_those_that_the_port_has_started() {
        let report = fake("grandchild").timeout(SHORT).run();
        assert_eq!(report.json["warnings"].as_array().map(Vec::len), Some(1), "{report}");
        report.ends(0, "24 passed");
    }

    #[test]
    fn when_the_kit_is_killed() {
        for signal in ["KILL", "TERM", "INT"] {
            let trial = fake("hang").timeout("60");
            assert_eq!(outlive_the_kit(&trial, signal), Vec::<u32>::new(), "{signal}");
        }
    }

    #[test]
    fn of_those_that_the_port_has_started_when_the_kit_is_killed() {
        let trial = fake("hang-with-grandchild").timeout("60");
        assert_eq!(outlive_the_kit(&trial, "KILL"), Vec::<u32>::new());
    }

    /// Starts the kit and kills it while the port runs. Gives those below it that are still there after a while.
    fn outlive_the_kit(trial: &Trial, signal: &str) -> Vec<u32> {
        let mut kit = trial.kit().spawn().expect("the kit starts");
        wait_until("the port was not started", || {
            let is_port = |process: &Running| {
                process.arguments.starts_with(PYTHON.as_bytes()) && contains(&process.arguments, trial.mark.as_bytes())
            };
            processes().iter().any(is_port)
        });
        // Whatever starts something has done so by then.
        thread::sleep(Duration::from_millis(500));
        let below = below(kit.id());
        assert!(below.len() >= 2, "the port and the guard: {below:?}");
        let is_sent = Command::new("kill")
            .args(["-s", signal, &kit.id().to_string()])
            .status();
        assert!(is_sent.is_ok_and(|status| status.success()), "kill -s {signal}");
        kit.wait().expect("the kit can be waited for");
        let left = || {
            let is_left =
                |id: &u32| fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|arguments| !arguments.is_empty());
            below.iter().copied().filter(is_left).collect::<Vec<u32>>()
        };
        let start = Instant::now();
        while !left().is_empty() && start.elapsed() < Duration::from_secs(5) {
            thread::sleep(Duration::from_millis(10));
        }
        left()
    }

    /// The processes that this one has started, and those that they have.
    fn below(id: u32) -> Vec<u32> {
        let all = processes();
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&parent) = found.get(next) {
            found.extend(
                all.iter()
                    .filter(|process| process.parent == parent)
                    .map(|process| process.id),
            );
            next += 1;
        }
        found.split_off(1)
    }
}
