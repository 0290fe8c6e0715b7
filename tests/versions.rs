//! The promises of chapter 9: what an id said once it says for good, and each version has one place.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[expect(dead_code, reason = "no port in Python is run here")]
mod common;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Run, kit};
use samewait::index::{Index, case_hash, set_hash};
use samewait::load::VectorSet;
use samewait::version::{FORMAT, KIT, PROTOCOL, SPEC};
use serde_json::Value as Json;
use tempfile::TempDir;

const INDEX: &str = "spec/index.txt";

/// Two cases, as their file says them.
const CASES: &str = "\
area: backoff
ask: backoff
about: Two cases.
cases:
  - id: backoff/few/first
    clauses: [B-4]
    note: The first wait.
    given: {policy: {initial_delay: 1.0}, attempt: 1}
    expect: {delay: 1.0}

  - id: backoff/few/second
    clauses: [B-4]
    note: The second wait.
    given: {policy: {initial_delay: 1.0}, attempt: 2}
    expect: {delay: 2.0}
";

mod repository {
    use super::*;

    #[test]
    fn keeps_what_its_index_says() {
        let set = VectorSet::embedded().expect("vectors");
        let index = Index::from_path(INDEX.as_ref()).unwrap_or_else(|error| panic!("{error}"));
        match index.hold(&set.cases) {
            Err(error) => panic!("{error}"),
            Ok(kept) => {
                let new: Vec<&String> = kept.new.keys().collect();
                assert!(
                    new.is_empty(),
                    "ids to be added by `check vectors --index {INDEX} --write-index`: {new:?}"
                );
            }
        }
    }

    #[test]
    fn has_each_version_of_the_chapter() {
        let chapter = fs::read_to_string("spec/09-versions.md").expect("the chapter");
        for (what, version) in [
            ("specification", SPEC),
            ("format", &FORMAT.to_string()),
            ("protocol", &PROTOCOL.to_string()),
            ("kit", KIT),
        ] {
            let row = format!("\n| {what} | {version} |");
            assert!(chapter.contains(&row), "needed the row `{}`", row.trim());
        }
        let readme = fs::read_to_string("spec/README.md").expect("the specification");
        assert!(
            readme.contains(&format!("\nVersion {SPEC}. ")),
            "spec/README.md: needed {SPEC}"
        );
        let protocol = fs::read_to_string("spec/08-port-protocol.md").expect("the protocol");
        assert!(
            protocol.contains(&format!("\nProtocol version {PROTOCOL}. ")),
            "chapter 8: needed {PROTOCOL}"
        );
    }
}

mod history {
    use super::*;

    /// What the tests of the present can't see: a hash that was changed together with its case.
    #[test]
    fn of_the_index_loses_and_changes_no_line() {
        let now = fs::read_to_string(INDEX).expect("the index");
        if !Path::new(".git").exists() {
            return; // A copy without a history.
        }
        let commits = git(&["log", "--format=%h", "--diff-filter=AM", "--", INDEX]);
        assert!(!commits.is_empty(), "no commit has {INDEX}");
        for commit in commits.lines() {
            let before = git(&["show", &format!("{commit}:{INDEX}")]);
            let lost = lost(&before, &now);
            assert!(
                lost.is_empty(),
                "{INDEX} since {commit}, lines changed or gone: {lost:#?}"
            );
        }
    }

    #[test]
    fn is_kept_by_new_ids_and_tombstones_alone() {
        let before = "# A comment.\na/b/c 01\na/b/d removed: Wrong.\n";
        for now in [
            before,
            "a/b/a 02\na/b/c 01\na/b/d removed: Wrong.\n",
            "a/b/c removed: Wrong.\na/b/d removed: A better reason.\n",
            "a/b/c replaced-by a/b/e: Wrong.\na/b/d removed: Wrong.\na/b/e 03\n",
        ] {
            assert_eq!(lost(before, now), Vec::<&str>::new(), "{now}");
        }
        for now in [
            "a/b/c 02\na/b/d removed: Wrong.\n",
            "a/b/d removed: Wrong.\n",
            "a/b/cc 01\na/b/d removed: Wrong.\n",
        ] {
            assert_eq!(lost(before, now), ["a/b/c 01"], "{now}");
        }
        for now in ["a/b/c 01\n", "a/b/c 01\na/b/d 02\n"] {
            assert_eq!(lost(before, now), ["a/b/d removed: Wrong."], "{now}");
        }
    }

    /// The lines of an index that a later one has neither as they were nor as a tombstone.
    fn lost<'a>(before: &'a str, now: &str) -> Vec<&'a str> {
        let now: HashMap<&str, &str> = now.lines().filter_map(|line| line.split_once(' ')).collect();
        let is_kept = |line: &str| {
            let (id, entry) = line.split_once(' ').expect("an id and more");
            now.get(id).is_some_and(|now| *now == entry || now.contains(": "))
        };
        let lines = before.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.filter(|line| !is_kept(line)).collect()
    }

    fn git(arguments: &[&str]) -> String {
        let output = Command::new("git").args(arguments).output().expect("git");
        assert!(
            output.status.success(),
            "git: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

mod hashes {
    use super::*;

    /// The content hashes of a file with these cases.
    fn of(text: &str) -> Vec<String> {
        let vectors = Vectors::new(text);
        vectors.set().cases.iter().map(case_hash).collect()
    }

    #[test]
    fn are_those_of_the_lines_that_the_chapter_describes() {
        // By Python's hashlib, of lines written from the chapter; this is the first:
        // {"answer":{"value":{"delay":"0x3ff0000000000000"}},"request":{"ask":"backoff","attempt":1,"policy":{"initial_delay":
        // "0x3ff0000000000000","jitter_factor":"0x0000000000000000","max_attempts":1,"max_delay":"0x0000000000000000",
        // "max_message_age":"0x0000000000000000","multiplier":"0x4000000000000000"}}}
        let first = "e9c4d2a2103beb6ad22f81a9d45a68666a7d22774be1b21c0b2458d74474d82f";
        let second = "1c3fd10581a941496aa0e0fdff220f9b9471fadd2cde1ac8dd1b4206cb780e59";
        assert_eq!(of(CASES), [first, second]);
        let set = "62d21937f28bc23dff91db359a6a4cbab7c874e3ba76c3654df55ab013c0797c";
        let cases = Vectors::new(CASES).set().cases;
        assert_eq!(set_hash(&cases), set);
        assert_eq!(set_hash(cases.iter().rev()), set, "in another order");
    }

    #[test]
    fn take_nothing_but_the_question_and_the_answer() {
        for (from, to) in [
            ("The first wait.", "Another sentence."),
            ("[B-4]", "[B-3, B-4]"),
            ("backoff/few/first", "backoff/few/renamed"),
            (
                "    given: {policy: {initial_delay: 1.0}",
                "    source: \"https://example.org/\"\n    given: {policy: {initial_delay: 1.0}",
            ),
            (
                "{initial_delay: 1.0}, attempt: 1",
                "{multiplier: 2.0, initial_delay: 1.0}, attempt: 1",
            ),
            (
                "{policy: {initial_delay: 1.0}, attempt: 1}",
                "{attempt: 1, policy: {initial_delay: 10.0e-1}}",
            ),
            ("cases:\n", "# A comment.\ncases:\n"),
        ] {
            assert_eq!(of(&with(CASES, from, to)), of(CASES), "{to}");
        }
    }

    #[test]
    fn see_each_bit_of_them() {
        for (from, to) in [
            ("expect: {delay: 1.0}", "expect: {delay: 1.0000000000000002}"),
            ("expect: {delay: 1.0}", "expect: {delay: 0.0}"),
            ("attempt: 1", "attempt: 3"),
            (
                "{initial_delay: 1.0}, attempt: 1",
                "{initial_delay: 0.9999999999999999}, attempt: 1",
            ),
            (
                "{initial_delay: 1.0}, attempt: 1",
                "{initial_delay: 1.0, max_delay: 5.0e-324}, attempt: 1",
            ),
            (
                "{initial_delay: 1.0}, attempt: 1",
                "{initial_delay: 1.0, max_delay: -0.0}, attempt: 1",
            ),
        ] {
            let (changed, before) = (of(&with(CASES, from, to)), of(CASES));
            assert_ne!(changed[0], before[0], "{to}");
            assert_eq!(changed[1], before[1], "{to}");
        }
    }
}

mod index {
    use super::*;

    #[test]
    fn is_begun_and_then_kept() {
        let vectors = Vectors::new(CASES);
        let begun = vectors.check(&["--write-index"]);
        assert_eq!(begun.code, 0, "{}", begun.stderr);
        let set = vectors.set();
        assert_eq!(
            begun.stdout,
            format!(
                "1 file, 2 cases: all keep the rules, and the reference answers as they expect\n\
                 {}: every id says what it said, 0 tombstones, 2 ids added\nhash of the set: {}\n",
                vectors.index().display(),
                set_hash(&set.cases)
            )
        );
        let hashes: Vec<String> = set.cases.iter().map(case_hash).collect();
        let expected = format!("backoff/few/first {}\nbackoff/few/second {}\n", hashes[0], hashes[1]);
        assert_eq!(vectors.index_text(), expected);
        let kept = vectors.check(&[]);
        assert_eq!(
            (kept.code, kept.stdout.contains("added")),
            (0, false),
            "{}",
            kept.stderr
        );
    }

    #[test]
    fn gains_new_ids_in_their_places_and_keeps_every_line() {
        let vectors = Vectors::begun();
        let with_tombstone = format!(
            "# A comment.\n\nbackoff/few/b removed: Asked nothing.\n{}# The last line, without an end",
            vectors.index_text()
        );
        vectors.write_index(&with_tombstone);
        let mut more = CASES.to_owned();
        for (id, attempt, delay) in [("a", 1, "1.0"), ("sec", 2, "2.0"), ("z", 3, "4.0")] {
            more += &case(id, attempt, delay);
        }
        vectors.write(&more);
        let run = vectors.check(&["--write-index", "--format", "json"]);
        let report: Json = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(
            report["index"]["added"],
            serde_json::json!(["backoff/few/a", "backoff/few/sec", "backoff/few/z"])
        );
        assert_eq!(report["index"]["tombstones"], 1);
        let text = vectors.index_text();
        let ids: Vec<&str> = text.lines().map(|line| line.split(' ').next().unwrap_or("")).collect();
        let first = |name: &str| format!("backoff/few/{name}");
        let [a, b, one, sec, two, z] = ["a", "b", "first", "sec", "second", "z"].map(first);
        assert_eq!(ids, ["#", "", &a, &b, &one, &sec, &two, "#", &z]);
        for line in with_tombstone.lines() {
            assert!(text.lines().any(|kept| kept == line), "gone: {line}");
        }
        assert_eq!(vectors.check(&["--write-index"]).code, 0);
        assert_eq!(vectors.index_text(), text, "nothing to add, and yet it changed");
    }

    #[test]
    fn is_not_written_where_a_promise_is_broken_or_the_reference_differs() {
        let [wrong, right] = ["5.0", "4.0"].map(|delay| case("third", 3, delay));
        let changed = with(
            CASES,
            "attempt: 1}\n    expect: {delay: 1.0}",
            "attempt: 3}\n    expect: {delay: 4.0}",
        );
        for (code, text) in [(1, format!("{CASES}{wrong}")), (3, format!("{changed}{right}"))] {
            let vectors = Vectors::begun();
            let before = vectors.index_text();
            vectors.write(&text);
            assert_eq!(vectors.check(&["--write-index"]).code, code);
            assert_eq!(vectors.index_text(), before);
        }
    }
}

mod broken_promises {
    use super::*;

    const CORRECTED: &str = "id: backoff/few/first-wait\n    replaces: backoff/few/first";

    /// What `check` says of cases and an index of which one thing has changed since both agreed.
    fn problems(cases: impl Fn(&str) -> String, index: impl Fn(&str) -> String) -> String {
        let vectors = Vectors::begun();
        vectors.write(&cases(CASES));
        vectors.write_index(&index(&vectors.index_text()));
        let run = vectors.check(&[]);
        assert!(matches!(run.code, 0 | 3), "{}", run.stderr);
        assert_eq!(run.code == 0, run.stderr.is_empty(), "{}", run.stderr);
        run.stderr
            .replace(&vectors.directory.path().display().to_string(), "DIR")
    }

    fn same(text: &str) -> String {
        text.to_owned()
    }

    /// The index with another line for `backoff/few/first`; none where it is empty.
    fn first_line(line: &'static str) -> impl Fn(&str) -> String {
        move |index| {
            let (first, rest) = index.split_once('\n').expect("lines");
            assert!(first.starts_with("backoff/few/first "));
            format!("{line}{rest}")
        }
    }

    fn assert_found(found: &str, needed: &[&str]) {
        for needed in needed {
            assert!(found.contains(needed), "needed `{needed}` in:\n{found}");
        }
        assert_eq!(found.lines().count(), needed.len(), "{found}");
    }

    #[test]
    fn nothing_changed() {
        assert_eq!(problems(same, same), "");
    }

    #[test]
    fn another_answer_under_an_old_id() {
        let found = problems(
            |cases| {
                with(
                    cases,
                    "initial_delay: 1.0}, attempt: 1}\n    expect: {delay: 1.0}",
                    "initial_delay: 2.0}, attempt: 1}\n    expect: {delay: 2.0}",
                )
            },
            same,
        );
        assert_found(
            &found,
            &["few.yaml:5:5: id `backoff/few/first` with another question or answer (hash "],
        );
        assert!(
            found.contains("needed a new id and `replaces: backoff/few/first`"),
            "{found}"
        );
    }

    #[test]
    fn an_id_that_is_gone() {
        let found = problems(
            |cases| with(cases, "id: backoff/few/first", "id: backoff/few/one"),
            same,
        );
        let expected = "DIR/index.txt:1:1: id `backoff/few/first` without a case, needed `backoff/few/first removed: REASON` \
                        or `backoff/few/first replaced-by NEW-ID: REASON`";
        assert_found(&found, &[expected]);
    }

    #[test]
    fn an_id_of_a_tombstone_again() {
        for line in [
            "backoff/few/first removed: Wrong.\n",
            "backoff/few/first replaced-by backoff/few/second: Wrong.\n",
        ] {
            let found = problems(same, first_line(line));
            assert!(
                found.contains(
                    "few.yaml:5:5: id `backoff/few/first`, which was removed (DIR/index.txt:1:1), needed a new id"
                ),
                "{found}"
            );
        }
    }

    #[test]
    fn a_new_id_that_the_index_does_not_have() {
        let found = problems(same, first_line(""));
        let expected = "few.yaml:5:5: id `backoff/few/first`, which DIR/index.txt does not have, needed it there (--write-index adds it)";
        assert_found(&found, &[expected]);
    }

    #[test]
    fn a_case_that_says_it_replaces_one_and_the_index_does_not() {
        let corrected = |cases: &str| with(cases, "id: backoff/few/first", CORRECTED);
        let expected = "few.yaml:5:5: replaces `backoff/few/first`, \
                        needed the line `backoff/few/first replaced-by backoff/few/first-wait: REASON` in DIR/index.txt";
        for line in ["backoff/few/first removed: Wrong.\n", ""] {
            assert_found(&problems(corrected, first_line(line)), &[expected]);
        }
    }

    #[test]
    fn a_tombstone_that_names_a_case_which_does_not_name_it() {
        let renamed = |cases: &str| with(cases, "id: backoff/few/first", "id: backoff/few/first-wait");
        let found = problems(
            renamed,
            first_line("backoff/few/first replaced-by backoff/few/first-wait: Wrong.\n"),
        );
        assert_found(
            &found,
            &[
                "DIR/index.txt:1:1: id `backoff/few/first` replaced by `backoff/few/first-wait`, needed `replaces: backoff/few/first` at DIR/backoff/few.yaml:5:5",
            ],
        );
    }

    #[test]
    fn a_tombstone_that_names_no_case() {
        let renamed = |cases: &str| with(cases, "id: backoff/few/first", "id: backoff/few/first-wait");
        for new in ["backoff/few/third", "backoff/few/first"] {
            let line: &'static str = format!("backoff/few/first replaced-by {new}: Wrong.\n").leak();
            let found = problems(renamed, first_line(line));
            assert_found(
                &found,
                &[&format!(
                    "DIR/index.txt:1:1: id `backoff/few/first` replaced by `{new}`, needed the id of a case"
                )],
            );
        }
    }

    #[test]
    fn a_case_that_is_corrected_keeps_them() {
        let vectors = Vectors::begun();
        vectors.write(&with(CASES, "id: backoff/few/first", CORRECTED));
        let tombstone = first_line("backoff/few/first replaced-by backoff/few/first-wait: Wrong.\n");
        vectors.write_index(&tombstone(&vectors.index_text()));
        assert_eq!(vectors.check(&["--write-index"]).code, 0);
        let kept = vectors.check(&[]);
        assert_eq!(kept.code, 0, "{}", kept.stderr);
        assert!(kept.stdout.contains("1 tombstone\n"), "{}", kept.stdout);
        // And when the new case is removed in its turn.
        vectors.write(&with(CASES, "id: backoff/few/first", "id: backoff/few/again"));
        let index = vectors.index_text();
        let (line, _) = index.split_once("\nbackoff/few/second").expect("the second case");
        let line = line.lines().last().expect("the corrected case");
        vectors.write_index(&with(&index, line, "backoff/few/first-wait removed: Wrong too."));
        let kept = vectors.check(&["--write-index"]);
        assert_eq!(kept.code, 0, "{}", kept.stderr);
        assert!(kept.stdout.contains("2 tombstones, 1 id added\n"), "{}", kept.stdout);
    }

    #[test]
    fn lines_that_are_none() {
        for line in [
            "backoff/few/first\n",
            "backoff/few/first 0123\n",
            "backoff/few/first removed:\n",
            "backoff/few/first removed: \n",
            "backoff/few/first removed\n",
            "backoff/few/first gone: Wrong.\n",
            "backoff/few/first replaced-by: Wrong.\n",
            "backoff/few/first replaced-by second: Wrong.\n",
            "few/first removed: Wrong.\n",
            " backoff/few/first removed: Wrong.\n",
        ] {
            let found = problems(same, first_line(line));
            let text = line.trim_end_matches('\n');
            let needed = "needed `ID HASH`, `ID removed: REASON` or `ID replaced-by NEW-ID: REASON`";
            assert_found(&found, &[&format!("DIR/index.txt:1:1: `{text}`, {needed}")]);
        }
        let upper = |index: &str| {
            let (id, hash) = index.split_once(' ').expect("a line");
            format!("{id} {}", hash.to_uppercase())
        };
        assert!(problems(same, upper).contains("DIR/index.txt:1:1: `backoff/few/first "));
    }

    #[test]
    fn lines_out_of_order() {
        let twice = |index: &str| format!("{}\n{index}", index.lines().next().expect("a line"));
        assert_found(
            &problems(same, twice),
            &["DIR/index.txt:2:1: id `backoff/few/first` a second time, needed once"],
        );
        let turned = |index: &str| index.lines().rev().collect::<Vec<_>>().join("\n");
        let expected = "DIR/index.txt:2:1: id `backoff/few/first` after `backoff/few/second`, needed the ids in the order of their bytes";
        assert_found(&problems(same, turned), &[expected]);
    }

    #[test]
    fn are_told_to_machines() {
        let vectors = Vectors::begun();
        vectors.write_index("");
        let run = vectors.check(&["--format", "json"]);
        let report: Json = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!((run.code, &report["conforms"]), (3, &Json::from(false)));
        assert_eq!(report["problems"].as_array().map(Vec::len), Some(2), "{report}");
    }

    #[test]
    fn an_index_that_is_not_there() {
        let vectors = Vectors::new(CASES);
        let run = vectors.check(&[]);
        assert_eq!(run.code, 3);
        assert!(run.stderr.contains("can't read "), "{}", run.stderr);
        assert!(!vectors.index().exists());
    }

    #[test]
    fn are_looked_for_in_the_whole_set_only() {
        for flags in [&["--filter", "backoff/*"][..], &["--stats"]] {
            assert_eq!(Vectors::begun().check(flags).code, 2);
        }
        assert_eq!(Run::of(&mut kit(["check", "--write-index"])).code, 2);
    }
}

/// A directory of one vector file, and beside it an index.
struct Vectors {
    directory: TempDir,
}

impl Vectors {
    fn new(text: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join("backoff")).expect("a folder");
        let vectors = Self { directory };
        vectors.write(text);
        vectors
    }

    /// [`CASES`], and the index of them.
    fn begun() -> Self {
        let vectors = Self::new(CASES);
        let run = vectors.check(&["--write-index"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        vectors
    }

    fn folder(&self) -> PathBuf {
        self.directory.path().join("backoff")
    }

    fn index(&self) -> PathBuf {
        self.directory.path().join("index.txt")
    }

    fn write(&self, text: &str) {
        let path = self.folder().join("few.yaml");
        fs::write(&path, text).expect("a file");
        // In canonical form, so that `check` finds nothing but what is tested.
        let run = Run::of(kit(["check", "--fix"]).arg(path));
        assert_eq!(run.code, 0, "{}", run.stderr);
    }

    fn write_index(&self, text: &str) {
        fs::write(self.index(), text).expect("a file");
    }

    fn index_text(&self) -> String {
        fs::read_to_string(self.index()).expect("an index")
    }

    fn set(&self) -> VectorSet {
        VectorSet::from_paths(&[self.folder()]).unwrap_or_else(|error| panic!("{error}"))
    }

    fn check(&self, flags: &[&str]) -> Run {
        let mut command = kit(["check"]);
        command.arg(self.folder()).arg("--index").arg(self.index()).args(flags);
        Run::of(&mut command)
    }
}

/// One more case.
fn case(id: &str, attempt: u32, delay: &str) -> String {
    format!(
        "  - id: backoff/few/{id}\n    clauses: [B-4]\n    note: One more.\n    \
         given: {{policy: {{initial_delay: 1.0}}, attempt: {attempt}}}\n    expect: {{delay: {delay}}}\n"
    )
}

/// The text with one stretch of it, which it must have, written otherwise wherever it stands.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "no `{from}` in:\n{text}");
    text.replace(from, to)
}
