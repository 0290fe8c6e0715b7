//! The canonical form of vector files (V-20 to V-25): every file of the repository has it, and however a file is written
//! otherwise, `check --fix` finds the way back without losing a comment.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use samewait::case::Area;
use samewait::load::canonical::{self, deviations, fix};
use samewait::load::{LoadError, VectorSet};
use samewait::question::Ask;
use serde_json::json;
use serde_yaml::Value as Yaml;
use tempfile::TempDir;

#[test]
fn every_vector_file_is_canonical() {
    for directory in [
        "vectors",
        "tests/fakes/vectors",
        "tests/fakes/samples",
        "tests/fakes/wrong-expectation",
    ] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let found = deviations(&[root]).expect("vectors");
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, Vec::<String>::new());
    }
}

/// Keys in any order, in braces or not, with any indentation, in any quotes, numbers in any spelling, comments everywhere.
#[test]
fn files_written_otherwise_become_what_they_were() {
    for (seed, (name, text)) in (1..).zip(files_below("vectors")) {
        let copy = Copy::new(&name, &text);
        copy.fix();
        let canonical = copy.text();
        let mut author = Author::new(seed);
        let disturbed = author.write(&serde_yaml::from_str(&text).expect("YAML"));
        copy.write(&disturbed);
        assert_eq!(copy.fix(), 1, "{name}");
        let fixed = copy.text();
        let (comments, values) = parted(&fixed);
        assert_eq!(values, parted(&canonical).1, "{name}");
        assert_eq!(sorted(comments), sorted(author.comments), "{name}");
        assert_eq!(copy.fix(), 0, "{name} a second time");
    }
}

/// The same for what other files hold: legal spellings that look odd, with comments.
#[test]
fn cases_and_comments_of_odd_files_stay() {
    for (name, text) in files_below("tests/refused/accepted") {
        let copy = Copy::new(&name, &text);
        let before = copy.cases();
        copy.fix();
        assert_eq!(copy.cases(), before, "{name}");
        assert_eq!(copy.text().matches('#').count(), text.matches('#').count(), "{name}");
        assert_eq!(copy.fix(), 0, "{name} a second time");
    }
}

const COMMENTED: &str = r#"# At the top.

# Below it.
ask: "backoff" # of ask
area: backoff
about: 'Where # is no comment.'
# of cases
cases: # also of cases
   # of the case

   - note: One is one. # of note, the first line of a case
     # of id
     id: backoff/one/doubled-twice
     clauses: [B-3,   # within
       B-4]
     # of given
     given: {policy: {
          # deep within
          multiplier: 2.00, initial_delay: 10.0e-1}, attempt: 1} # after given
     expect: {delay: 1.0e+0}
   # at the end
"#;

const FIXED: &str = r#"# At the top.
# Below it.
area: backoff
# of ask
ask: backoff
about: "Where # is no comment."
# of cases
# also of cases
cases:
  # of the case
  # of note, the first line of a case
  # of id
  - id: backoff/one/doubled-twice
    # within
    clauses: [B-3, B-4]
    note: One is one.
    # of given
    # deep within
    # after given
    given: {policy: {initial_delay: 1.0, multiplier: 2.0}, attempt: 1}
    expect: {delay: 1.0}
# at the end
"#;

#[test]
fn comments_go_with_what_they_are_about() {
    let copy = Copy::new("backoff/one.yaml", COMMENTED);
    assert_eq!(copy.fix(), 1);
    assert_eq!(copy.text(), FIXED);
    assert_eq!(copy.fix(), 0);
}

#[test]
fn a_deviation_has_its_place_and_the_way_out() {
    let copy = Copy::new(
        "backoff/one.yaml",
        &FIXED.replace("multiplier: 2.0", "multiplier: 2.00"),
    );
    let found = deviations(slice::from_ref(&copy.path)).expect("a vector file");
    let name = copy.path.display();
    let needed = "`given: {policy: {initial_delay: 1.0, multiplier: 2.0}, attempt: 1}`";
    assert_eq!(
        found.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [format!(
            "{name}:20:57: not in canonical form, needed {needed}; `samewait check --fix {name}` rewrites the file"
        )]
    );
}

#[test]
fn where_a_file_breaks_a_rule_nothing_is_written() {
    let good = Copy::new("backoff/one.yaml", COMMENTED);
    let bad = Copy::new("backoff/one.yaml", &COMMENTED.replace("One is one.", "no sentence"));
    let fixed = fix(&[good.path.clone(), bad.path.clone()]);
    assert!(matches!(fixed, Err(LoadError::Problems(_))), "{fixed:?}");
    assert_eq!(good.text(), COMMENTED);
    let beside = fs::read_dir(bad.path.parent().expect("a folder"))
        .expect("a folder")
        .count();
    assert_eq!(beside, 1);
}

#[test]
fn a_file_made_of_data_is_canonical() {
    let case = |name: &str, delay: f64| {
        canonical::case(&json!({
            "id": format!("backoff/made/{name}"), "note": "A delay is kept: it is the first.", "clauses": ["B-4"],
            "expect": {"delay": delay}, "given": {"attempt": 1, "policy": {"initial_delay": delay}},
        }))
    };
    let head = canonical::head(Area::Backoff, Ask::Backoff, "Delays, made of data.");
    let text = format!("{head}{}\n{}", case("small", 1e-7), case("whole", 3.0));
    let copy = Copy::new("backoff/made.yaml", &text);
    assert_eq!(copy.fix(), 0, "{text}");
    assert!(
        text.contains("given: {policy: {initial_delay: 1.0e-7}, attempt: 1}"),
        "{text}"
    );
}

/// A vector file in a directory of its own.
struct Copy {
    path: PathBuf,
    _directory: TempDir,
}

impl Copy {
    fn new(name: &str, text: &str) -> Self {
        let directory = TempDir::new().expect("a directory");
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        Self {
            path,
            _directory: directory,
        }
    }

    fn write(&self, text: &str) {
        fs::write(&self.path, text).expect("a file");
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).expect("a file")
    }

    /// How many files were rewritten.
    fn fix(&self) -> usize {
        match fix(slice::from_ref(&self.path)) {
            Ok(rewritten) => rewritten.len(),
            Err(error) => panic!("{error}\n{}", self.text()),
        }
    }

    /// The cases without their places.
    fn cases(&self) -> Vec<String> {
        let set = VectorSet::from_paths(slice::from_ref(&self.path)).expect("vectors");
        let case = |case: &samewait::case::Case| {
            let about = (&case.id, &case.clauses, &case.note, &case.source, &case.control);
            format!("{about:?} {:?} {:?}", case.question, case.expected)
        };
        set.cases.iter().map(case).collect()
    }
}

/// The files of a directory of the repository, as `<area>/<topic>.yaml`, with their texts.
fn files_below(directory: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    let mut files = Vec::new();
    for area in fs::read_dir(root).expect("a directory") {
        let area = area.expect("an entry");
        for file in fs::read_dir(area.path()).expect("a folder") {
            let file = file.expect("an entry");
            let name = Path::new(&area.file_name()).join(file.file_name());
            let text = fs::read_to_string(file.path()).expect("a file");
            files.push((name.to_str().expect("a name in UTF-8").to_owned(), text));
        }
    }
    files.sort();
    assert!(files.len() >= 20, "{} files", files.len());
    files
}

/// The comments of a text in canonical form, and its other lines.
fn parted(text: &str) -> (Vec<String>, Vec<String>) {
    let lines = text.lines().map(str::to_owned);
    let (comments, values): (Vec<String>, Vec<String>) = lines.partition(|line| line.trim_start().starts_with('#'));
    (
        comments.iter().map(|line| line.trim_start().to_owned()).collect(),
        values,
    )
}

fn sorted(mut lines: Vec<String>) -> Vec<String> {
    lines.sort();
    lines
}

/// Somebody who writes the same values in another way.
struct Author {
    draws: Pcg64Mcg,
    comments: Vec<String>,
    text: String,
}

impl Author {
    fn new(seed: u32) -> Self {
        Self {
            draws: Pcg64Mcg::new((u128::from(seed) << 64) | 0x9e37_79b9_7f4a_7c15),
            comments: Vec::new(),
            text: String::new(),
        }
    }

    fn write(&mut self, file: &Yaml) -> String {
        self.block(file, 0, true);
        std::mem::take(&mut self.text)
    }

    /// Whether a thing happens that does once in so many times.
    fn once_in(&mut self, times: u32) -> bool {
        self.draws.next_u32().is_multiple_of(times)
    }

    fn comment(&mut self) -> String {
        let comment = format!("# {{note}}: [{}] '#'", self.comments.len());
        self.comments.push(comment.clone());
        comment
    }

    /// The members of a collection on lines of their own; the first goes on in a line that is begun.
    fn block(&mut self, value: &Yaml, indent: usize, is_fresh: bool) {
        let mut is_first = !is_fresh;
        let members = self.members(value).unwrap_or_default();
        for (key, value) in members {
            if !std::mem::take(&mut is_first) {
                if self.once_in(9) {
                    let comment = self.comment();
                    let aside = " ".repeat(if self.once_in(2) { indent } else { 0 });
                    writeln!(self.text, "{aside}{comment}\n").expect("text");
                }
                self.text.push_str(&" ".repeat(indent));
            }
            let deeper = indent + if self.once_in(2) { 2 } else { 5 };
            match key {
                Some(key) => {
                    let key = self.key(key);
                    write!(self.text, "{key}:").expect("text");
                }
                None => self.text.push('-'),
            }
            let is_open = matches!(value, Yaml::Mapping(members) if !members.is_empty())
                || matches!(value, Yaml::Sequence(items) if !items.is_empty());
            if is_open && (key.is_some_and(|key| key == "cases") || !self.once_in(2)) {
                if key.is_some() {
                    if self.once_in(9) {
                        let comment = self.comment();
                        write!(self.text, " {comment}").expect("text");
                    }
                    self.text.push('\n');
                } else {
                    self.text.push_str(&" ".repeat(deeper - indent - 1));
                }
                self.block(value, deeper, key.is_some());
            } else {
                self.text.push(' ');
                self.flow(value, deeper);
                if self.once_in(9) {
                    let comment = self.comment();
                    write!(self.text, "  {comment}").expect("text");
                }
                self.text.push('\n');
            }
        }
    }

    /// A value in brackets and braces, over several lines.
    fn flow(&mut self, value: &Yaml, indent: usize) {
        let Some(members) = self.members(value) else {
            return self.scalar(value);
        };
        let (open, close) = if value.is_mapping() { ('{', '}') } else { ('[', ']') };
        self.text.push(open);
        for (index, (key, value)) in members.into_iter().enumerate() {
            if index > 0 {
                self.text.push_str(", ");
            }
            if self.once_in(12) {
                let comment = self.comment();
                let aside = " ".repeat(indent);
                write!(self.text, " {comment}\n\n{aside}").expect("text");
            } else if self.once_in(8) {
                write!(self.text, "\n{}", " ".repeat(indent)).expect("text");
            }
            if let Some(key) = key {
                let key = self.key(key);
                write!(self.text, "{key}: ").expect("text");
            }
            self.flow(value, indent);
        }
        self.text.push(close);
    }

    /// The members of a collection with their keys, in any order where they have keys.
    fn members<'a>(&mut self, value: &'a Yaml) -> Option<Vec<(Option<&'a Yaml>, &'a Yaml)>> {
        match value {
            Yaml::Mapping(entries) => {
                let mut members: Vec<_> = entries.iter().map(|(key, value)| (Some(key), value)).collect();
                self.shuffle(&mut members);
                Some(members)
            }
            Yaml::Sequence(items) => Some(items.iter().map(|item| (None, item)).collect()),
            Yaml::Null | Yaml::Bool(_) | Yaml::Number(_) | Yaml::String(_) | Yaml::Tagged(_) => None,
        }
    }

    fn key(&mut self, key: &Yaml) -> String {
        let key = key.as_str().expect("a key that is a text").to_owned();
        if self.once_in(4) { self.quoted(&key) } else { key }
    }

    fn scalar(&mut self, value: &Yaml) {
        let text = match value {
            Yaml::Number(number) if number.is_f64() => self.number(number.as_f64().expect("a float")),
            Yaml::String(text) => self.quoted(text),
            Yaml::Number(number) => number.to_string(),
            Yaml::Bool(word) => word.to_string(),
            Yaml::Null | Yaml::Sequence(_) | Yaml::Mapping(_) | Yaml::Tagged(_) => "null".to_owned(),
        };
        self.text.push_str(&text);
    }

    fn quoted(&mut self, text: &str) -> String {
        if self.once_in(2) {
            format!("'{}'", text.replace('\'', "''"))
        } else {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
    }

    fn number(&mut self, number: f64) -> String {
        let spelled = if self.once_in(2) {
            format!("{number:e}")
        } else {
            format!("{number:?}")
        };
        let (mantissa, exponent) = match spelled.split_once('e') {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (spelled.as_str(), None),
        };
        let point = if mantissa.contains('.') { "" } else { ".0" };
        let zeros = "0".repeat(usize::from(self.once_in(3)) * 3);
        let exponent = exponent.map_or(String::new(), |exponent| {
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("e{sign}{exponent}")
        });
        format!("{mantissa}{point}{zeros}{exponent}")
    }

    fn shuffle<T>(&mut self, members: &mut [T]) {
        for index in (1..members.len()).rev() {
            let other = usize::try_from(self.draws.next_u32()).expect("an index") % (index + 1);
            members.swap(index, other);
        }
    }
}
