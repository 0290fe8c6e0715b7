//! Values to be written, with the comments that stand before them.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::comments::Comment;
use super::{Mark, Outline, write};

/// A value, and how it is laid out where that is not a matter of room.
#[derive(Debug)]
pub(crate) enum Node {
    /// A number, `true`, `false` or `null`, as it is written.
    Word(String),
    Text(String),
    List(Vec<Item>, Layout),
    Map(Vec<Entry>, Layout),
}

/// How a collection is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// On one line, where it has room there.
    Fit,
    /// Each member on lines of its own.
    Open,
    /// The same, with an empty line between two members.
    Apart,
}

/// A member of a list.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) comments: Vec<String>,
    pub(crate) value: Node,
}

/// A member of a mapping.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) comments: Vec<String>,
    pub(crate) key: String,
    pub(crate) value: Node,
}

/// A whole text: its value, and the comments above and below it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) head: Vec<String>,
    pub(crate) root: Node,
    pub(crate) foot: Vec<String>,
}

impl Document {
    /// What a text holds. A comment on a line of its own belongs to what follows; one at the end of a line, to what begins
    /// first on that line, or last before it.
    pub(crate) fn of(outline: &Outline, comments: Vec<Comment>) -> Self {
        let mut marks = Vec::new();
        outline.members(&mut marks);
        marks.sort();
        let mut before: BTreeMap<Mark, Vec<String>> = BTreeMap::new();
        let (mut head, mut foot) = (Vec::new(), Vec::new());
        for Comment { mark, text, is_alone } in comments {
            let owner = if is_alone {
                marks.get(marks.partition_point(|&member| member < mark))
            } else {
                let last = marks[..marks.partition_point(|&member| member < mark)].last();
                last.and_then(|last| marks.iter().find(|member| member.line == last.line))
            };
            match owner {
                Some(first) if is_alone && Some(first) == marks.first() => head.push(text),
                Some(&member) => before.entry(member).or_default().push(text),
                None => foot.push(text),
            }
        }
        let root = Node::of(outline, &mut before);
        Self { head, root, foot }
    }
}

impl Node {
    fn of(outline: &Outline, before: &mut BTreeMap<Mark, Vec<String>>) -> Self {
        if let Some(text) = outline.text() {
            return if outline.is_plain() && !write::is_unmistakable(text) {
                Self::Word(text.to_owned())
            } else {
                Self::Text(text.to_owned())
            };
        }
        if outline.is_mapping() {
            let entry = |(key, mark, value): (&str, Mark, &Outline)| Entry {
                comments: before.remove(&mark).unwrap_or_default(),
                key: key.to_owned(),
                value: Self::of(value, before),
            };
            return Self::Map(outline.entries().map(entry).collect(), Layout::Fit);
        }
        let item = |value: &Outline| Item {
            comments: before.remove(&value.mark).unwrap_or_default(),
            value: Self::of(value, before),
        };
        Self::List(outline.items().iter().map(item).collect(), Layout::Fit)
    }

    /// All comments within.
    pub(crate) fn comments(&self, found: &mut Vec<String>) {
        match self {
            Self::Word(_) | Self::Text(_) => {}
            Self::List(items, _) => {
                for item in items {
                    found.extend_from_slice(&item.comments);
                    item.value.comments(found);
                }
            }
            Self::Map(entries, _) => {
                for entry in entries {
                    found.extend_from_slice(&entry.comments);
                    entry.value.comments(found);
                }
            }
        }
    }
}

impl From<&Json> for Node {
    fn from(json: &Json) -> Self {
        match json {
            Json::Null | Json::Bool(_) => Self::Word(json.to_string()),
            Json::Number(number) => Self::Word(match number.as_f64().filter(|_| number.is_f64()) {
                Some(float) => write::spelled(float),
                None => number.to_string(),
            }),
            Json::String(text) => Self::Text(text.clone()),
            Json::Array(items) => {
                let item = |value| Item {
                    comments: vec![],
                    value: Self::from(value),
                };
                Self::List(items.iter().map(item).collect(), Layout::Fit)
            }
            Json::Object(entries) => {
                let entry = |(key, value): (&String, &Json)| Entry {
                    comments: vec![],
                    key: key.clone(),
                    value: Self::from(value),
                };
                Self::Map(entries.iter().map(entry).collect(), Layout::Fit)
            }
        }
    }
}
