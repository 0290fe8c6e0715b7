//! The canonical form of vector files: one way to write each. Implements V-20 to V-25.
//!
//! What numbers, texts and collections look like is for the writer of YAML; here are the order of keys and the lists that are
//! never on one line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{LoadError, Problem, Source, VectorSet, file, sources};
use crate::case::{Area, Case};
use crate::question::Ask;
use crate::yaml::{self, Document, Layout, Mark, Node};

/// Rewrites the vector files below paths into canonical form, and says which of them were not in it. Each is replaced as a
/// whole or not at all, and its cases stay what they are.
///
/// # Errors
///
/// [`LoadError`] where something can't be read or written, and where a file breaks another rule of vectors: nothing is
/// written then.
pub fn fix(paths: &[PathBuf]) -> Result<Vec<String>, LoadError> {
    let sources = sources::below(paths)?;
    VectorSet::from_sources(&sources)?;
    let mut stale = Vec::new();
    let mut problems = Vec::new();
    for source in &sources {
        match rewritten(source) {
            Ok(text) if text == source.text => {}
            Ok(text) => stale.push((source, text)),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(LoadError::Problems(problems));
    }
    let write = |(source, text): (&Source, String)| {
        replace(&source.path, &text).map_err(|error| LoadError::Unwritable {
            path: source.path.clone(),
            source: error,
        })?;
        Ok(source.name.clone())
    };
    stale.into_iter().map(write).collect()
}

/// The first line of each vector file below paths that is not in canonical form; without any path, of those in the program.
///
/// # Errors
///
/// [`LoadError`] where something can't be read, or breaks another rule of vectors.
pub fn deviations(paths: &[PathBuf]) -> Result<Vec<Problem>, LoadError> {
    let sources = if paths.is_empty() {
        sources::embedded()
    } else {
        sources::below(paths)?
    };
    let mut problems = Vec::new();
    for source in &sources {
        let text = text(source).map_err(LoadError::Problems)?;
        problems.extend(deviation(source, &text));
    }
    Ok(problems)
}

/// The lines that begin a new vector file, in canonical form.
#[must_use]
pub fn head(area: Area, ask: Ask, about: &str) -> String {
    let mut root = Node::from(&json!({"area": area.name(), "ask": ask.name(), "about": about, "cases": []}));
    arrange(&mut root, "");
    let document = Document {
        head: vec![],
        root,
        foot: vec![],
    };
    yaml::write(&document).replace("cases: []\n", "cases:\n")
}

/// The lines of one case of a vector file, in canonical form: a JSON object with the keys of a case (V-2). An empty line stands
/// between two cases.
#[must_use]
pub fn case(case: &Json) -> String {
    let mut node = Node::from(case);
    arrange(&mut node, "");
    yaml::list_item(node, 2)
}

/// A file's text in canonical form, if that changes nothing in its cases and loses no comment.
fn rewritten(source: &Source) -> Result<String, Vec<Problem>> {
    let text = text(source)?;
    let anew = Source {
        name: source.name.clone(),
        path: source.path.clone(),
        text: text.clone(),
    };
    let signs = |text: &str| text.matches('#').count();
    let is_same = content(&file::read(source)?) == content(&file::read(&anew)?);
    if is_same && signs(&source.text) == signs(&text) {
        Ok(text)
    } else {
        let problem = "cases or comments that rewriting would change, needed the canonical form written by hand";
        Err(vec![Problem::new(&source.name, Mark { line: 1, column: 1 }, problem)])
    }
}

/// A file's text in canonical form.
fn text(source: &Source) -> Result<String, Vec<Problem>> {
    let outline = yaml::outline(&source.text).map_err(|faults| Problem::from_faults(&source.name, faults))?;
    let mut document = yaml::to_write(&source.text, &outline);
    arrange(&mut document.root, "");
    Ok(yaml::write(&document))
}

/// All of the cases but their places, so that a NaN is equal to itself and -0.0 is not 0.0.
fn content(cases: &[Case]) -> Vec<String> {
    let content = |case: &Case| {
        let about = (
            &case.id,
            case.area,
            &case.clauses,
            &case.note,
            &case.source,
            &case.control,
        );
        format!("{about:?} {:?} {:?}", case.question, case.expected)
    };
    cases.iter().map(content).collect()
}

fn deviation(source: &Source, canonical: &str) -> Option<Problem> {
    if source.text == canonical {
        return None;
    }
    let mut lines = canonical.lines();
    let mut count = 0;
    for line in source.text.lines() {
        count += 1;
        let needed = lines.next();
        if needed != Some(line) {
            return Some(problem(source, count, line, needed));
        }
    }
    Some(problem(source, count + 1, "", lines.next()))
}

fn problem(source: &Source, line: usize, found: &str, needed: Option<&str>) -> Problem {
    let same = found
        .chars()
        .zip(needed.unwrap_or("").chars())
        .take_while(|(one, other)| one == other);
    let mark = Mark {
        line,
        column: same.count() + 1,
    };
    let needed = match needed.map(str::trim_start) {
        None => "no further line".to_owned(),
        Some("") => "an empty line".to_owned(),
        Some(needed) if needed.chars().count() > SHOWN => {
            let start: String = needed.chars().take(SHOWN).collect();
            format!("`{start}…`")
        }
        Some(needed) => format!("`{needed}`"),
    };
    let name = &source.name;
    let text = format!("not in canonical form, needed {needed}; `samewait check --fix {name}` rewrites the file");
    Problem::new(name, mark, text)
}

/// Writes a file beside the old one and puts it in its place.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = path.with_extension(format!("yaml.{}", std::process::id()));
    let replaced = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(path)?.permissions()))
        .and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // What went wrong before is what is told.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

/// How much of a line is shown.
const SHOWN: usize = 80;

/// The order of keys (V-20).
const ORDER: [&str; 46] = [
    "area",
    "ask",
    "about",
    "cases",
    "id",
    "clauses",
    "note",
    "source",
    "control",
    "replaces",
    "given",
    "expect",
    "make",
    "then",
    "policy",
    "queue",
    "exchange",
    "threshold",
    "attempt",
    "message_age",
    "max_attempts",
    "initial_delay",
    "multiplier",
    "max_delay",
    "jitter_factor",
    "max_message_age",
    "delay",
    "draw",
    "count",
    "message_ttl",
    "ack_timeout",
    "steps",
    "delays",
    "give_up",
    "between",
    "rungs",
    "rung",
    "trace",
    "code",
    "field",
    "name",
    "ttl_ms",
    "arguments",
    "x-message-ttl",
    "x-dead-letter-exchange",
    "x-dead-letter-routing-key",
];

/// The order of keys in steps and events.
const ORDER_IN_TIME: [&str; 20] = [
    "at",
    "event",
    "do",
    "message",
    "attempt",
    "consumer",
    "on_message",
    "prefetch",
    "delivery",
    "reason",
    "error",
    "attempts",
    "until",
    "code",
    "ready",
    "delayed",
    "leased",
    "dead",
    "messages",
    "fail",
];

/// The order of keys in a dead letter.
const ORDER_IN_LETTERS: [&str; 5] = ["message", "reason", "error", "attempts", "at"];

/// Puts keys in order, and opens what is always open, in the value of a key; the whole file, or a case, has none.
fn arrange(node: &mut Node, key: &str) {
    match node {
        Node::Word(_) | Node::Text(_) => {}
        Node::List(items, layout) => {
            *layout = match key {
                "cases" => Layout::Apart,
                "steps" | "trace" => Layout::Open,
                _ => Layout::Fit,
            };
            for item in items {
                arrange(&mut item.value, key);
            }
        }
        Node::Map(entries, layout) => {
            let order: &[&str] = match key {
                "steps" | "trace" => &ORDER_IN_TIME,
                "messages" => &ORDER_IN_LETTERS,
                _ => &ORDER,
            };
            let place = |key: &str| order.iter().position(|known| *known == key).unwrap_or(order.len());
            entries.sort_by_key(|entry| place(&entry.key));
            if matches!(key, "" | "cases") {
                *layout = Layout::Open;
            }
            for entry in entries {
                arrange(&mut entry.value, &entry.key);
            }
        }
    }
}
