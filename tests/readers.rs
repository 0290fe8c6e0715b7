//! Every vector file is read alike, bit for bit, by the YAML readers of several languages (`ports/readers/`).
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_yaml::Value as Yaml;

/// The files that are read: all vectors, and legal spellings that look odd.
const BELOW: [&str; 2] = ["vectors", "tests/refused/accepted"];

#[test]
fn pyyaml() {
    reads_alike("PyYAML", || reader("python3", "read.py"));
}

#[test]
fn psych() {
    reads_alike("Psych", || reader("ruby", "read.rb"));
}

#[test]
fn js_yaml() {
    reads_alike("js-yaml", || {
        let mut node = reader("node", "read.js");
        node.env("NODE_PATH", "/usr/share/nodejs");
        node
    });
}

#[test]
fn go_yaml() {
    reads_alike("yaml.v3", || {
        let mut go = Command::new("go");
        // The package is Debian's: no module, no network.
        go.envs([("GO111MODULE", "off"), ("GOPATH", "/usr/share/gocode")]);
        go.args(["run", "ports/readers/read.go"]);
        go
    });
}

/// What the readers are compared by shows that they differ elsewhere: a number without a point, which some take for a text.
#[test]
fn outside_the_portable_subset_a_difference_shows() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("odd.yaml");
    fs::write(&path, "delay: 1e3\n").expect("a file");
    let name = path.to_str().expect("a path in UTF-8");
    let Some(theirs) = answer("PyYAML", reader("python3", "read.py"), &[name.to_owned()]) else {
        return;
    };
    assert_eq!(theirs, format!("{name}\n/delay t1e3\n"));
    assert_eq!(ours(name), format!("{name}\n/delay f408f400000000000\n"));
}

fn reader(program: &str, script: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(Path::new("ports/readers").join(script));
    command
}

fn reads_alike(name: &str, reader: impl FnOnce() -> Command) {
    let mut files = Vec::new();
    for directory in BELOW {
        collect(Path::new(directory), &mut files);
    }
    files.sort();
    assert!(files.len() >= 80, "{} files", files.len());
    let Some(theirs) = answer(name, reader(), &files) else {
        return;
    };
    let ours: String = files.iter().map(|file| ours(file)).collect();
    let mut file = "";
    for (our, their) in ours.lines().zip(theirs.lines()) {
        if !our.starts_with('/') {
            file = our;
        }
        assert_eq!(their, our, "{name} of {file}");
    }
    assert_eq!(theirs.lines().count(), ours.lines().count(), "lines of {name}");
}

/// What a reader makes of files; none where it is missing, which is a failure in CI.
fn answer(name: &str, mut reader: Command, files: &[String]) -> Option<String> {
    reader.args(files).current_dir(env!("CARGO_MANIFEST_DIR"));
    let missing = match reader.output() {
        Ok(Output { status, stdout, .. }) if status.success() => {
            return Some(String::from_utf8(stdout).expect("a reader writes UTF-8"));
        }
        Ok(Output { stderr, .. }) => String::from_utf8_lossy(&stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    let is_absent = [
        "No such file",
        "No module named",
        "Cannot find module",
        "cannot find package",
    ]
    .iter()
    .any(|text| missing.contains(text));
    let must = std::env::var_os("SAMEWAIT_REQUIRE_ALL").is_some();
    assert!(is_absent && !must, "{name}: {missing}");
    None // Not here; in CI it is.
}

fn collect(path: &Path, files: &mut Vec<String>) {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a directory");
    for entry in entries {
        let entry = entry.expect("an entry");
        let inner: PathBuf = path.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            collect(&inner, files);
        } else {
            files.push(inner.to_str().expect("a path in UTF-8").to_owned());
        }
    }
}

/// What the kit's own reader makes of a file, as the others write it.
fn ours(file: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a file");
    let mut lines = format!("{file}\n");
    show(&serde_yaml::from_str(&text).expect("YAML"), "", &mut lines);
    lines
}

fn show(value: &Yaml, path: &str, lines: &mut String) {
    let leaf = match value {
        Yaml::Mapping(entries) if !entries.is_empty() => {
            let mut entries: Vec<(&str, &Yaml)> = entries
                .iter()
                .map(|(key, value)| (key.as_str().expect("a key that is a text"), value))
                .collect();
            entries.sort_by_key(|&(key, _)| key);
            for (key, value) in entries {
                show(value, &format!("{path}/{key}"), lines);
            }
            return;
        }
        Yaml::Sequence(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                show(item, &format!("{path}/{index}"), lines);
            }
            return;
        }
        Yaml::Mapping(_) => "{}".to_owned(),
        Yaml::Sequence(_) => "[]".to_owned(),
        Yaml::Null => "null".to_owned(),
        Yaml::Bool(word) => word.to_string(),
        Yaml::String(text) => format!("t{text}"),
        Yaml::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => format!("f{:016x}", float.to_bits()),
            None => format!("i{number}"),
        },
        Yaml::Tagged(tagged) => format!("tagged {tagged:?}"),
    };
    writeln!(lines, "{path} {leaf}").expect("text");
}
