//! Where each value of a text stands, and what the subset says of each of them.

use std::borrow::Cow;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};

use super::{Fault, subset};

/// A place in a text. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A value's place, and those of the values within.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) mark: Mark,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Scalar { text: String, is_plain: bool },
    Sequence(Vec<Outline>),
    Mapping(Vec<Entry>),
}

#[derive(Debug)]
struct Entry {
    key: String,
    mark: Mark,
    value: Outline,
}

impl Outline {
    /// The value under a key, if this is a mapping that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Outline> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Where a key stands, or this value where it has no such key.
    pub(crate) fn key(&self, key: &str) -> Mark {
        self.entry(key).map_or(self.mark, |entry| entry.mark)
    }

    /// The keys of a mapping, with their places; none for anything else.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&str, Mark)> {
        self.entries().map(|(key, mark, _)| (key, mark))
    }

    /// The values of a sequence; empty for anything else.
    pub(crate) fn items(&self) -> &[Outline] {
        match &self.content {
            Content::Sequence(items) => items,
            Content::Scalar { .. } | Content::Mapping(_) => &[],
        }
    }

    /// The text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            Content::Sequence(_) | Content::Mapping(_) => None,
        }
    }

    /// Whether this is a scalar without quotes.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.content, Content::Scalar { is_plain: true, .. })
    }

    pub(super) fn is_mapping(&self) -> bool {
        matches!(self.content, Content::Mapping(_))
    }

    /// The members of a mapping: keys, their places, and values; none for anything else.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Mark, &Outline)> {
        let entries = match &self.content {
            Content::Mapping(entries) => &entries[..],
            Content::Scalar { .. } | Content::Sequence(_) => &[],
        };
        entries
            .iter()
            .map(|entry| (entry.key.as_str(), entry.mark, &entry.value))
    }

    /// The places of all members of collections within.
    pub(super) fn members(&self, marks: &mut Vec<Mark>) {
        for item in self.items() {
            marks.push(item.mark);
            item.members(marks);
        }
        for (_, mark, value) in self.entries() {
            marks.push(mark);
            value.members(marks);
        }
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.content {
            Content::Mapping(entries) => entries.iter().find(|entry| entry.key == key),
            Content::Scalar { .. } | Content::Sequence(_) => None,
        }
    }
}

/// Reads the outline of a text; none when it is no YAML or empty, which is then among the faults.
pub(crate) fn read(text: &str, is_portable: bool, faults: &mut Vec<Fault>) -> Option<Outline> {
    let mut reader = Reader {
        events: Parser::new_from_str(text),
        lines: text.lines().collect(),
        faults,
        is_portable,
        is_broken: false,
        before: Mark { line: 1, column: 1 },
    };
    let mut root = None;
    while let Some((event, span)) = reader.next() {
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
            Event::DocumentStart(explicit) => {
                if (explicit && is_portable) || root.is_some() {
                    reader.fault(
                        &span,
                        "a document marker or directive, needed one document without either",
                    );
                }
            }
            Event::Alias(_)
            | Event::Scalar(..)
            | Event::SequenceStart(..)
            | Event::SequenceEnd
            | Event::MappingStart(..)
            | Event::MappingEnd => root = reader.value(event, span, 0),
        }
    }
    if root.is_none() && reader.faults.is_empty() {
        let start = Mark { line: 1, column: 1 };
        reader.faults.push(Fault::new(start, "an empty file, needed a mapping"));
    }
    root
}

/// How deep values may be nested. Vectors need six levels.
const MAX_DEPTH: usize = 32;

const TOO_DEEP: &str = "values nested too deep, needed at most 32 levels";

struct Reader<'text, 'faults> {
    events: Parser<'text, saphyr_parser::StrInput<'text>>,
    lines: Vec<&'text str>,
    faults: &'faults mut Vec<Fault>,
    /// Whether the rules of the portable subset are checked, too.
    is_portable: bool,
    is_broken: bool,
    /// Where the event before the one at hand ends.
    before: Mark,
}

impl<'text> Reader<'text, '_> {
    /// The next event; none at the end and after the first thing that is no YAML.
    fn next(&mut self) -> Option<(Event<'text>, Span)> {
        if self.is_broken {
            return None;
        }
        match self.events.next_event()? {
            Ok(next) => Some(next),
            Err(error) => {
                self.is_broken = true;
                let text = match error.info() {
                    "recursion limit exceeded" => TOO_DEEP.to_owned(),
                    info => format!("text that is no YAML ({info}), needed YAML"),
                };
                self.faults.push(Fault::new(mark(*error.marker()), text));
                None
            }
        }
    }

    fn fault(&mut self, span: &Span, text: impl Into<String>) {
        self.faults.push(Fault::new(mark(span.start), text));
    }

    fn value(&mut self, event: Event<'text>, span: Span, depth: usize) -> Option<Outline> {
        if depth > MAX_DEPTH {
            self.fault(&span, TOO_DEEP);
            self.is_broken = true;
            return None;
        }
        let content = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.check_node(&span, anchor, tag.as_ref());
                if self.is_portable
                    && let Err(fault) = subset::check_scalar(&text, style_of(style), self.source(&span))
                {
                    let mark = match style {
                        ScalarStyle::Literal | ScalarStyle::Folded => self.block_indicator(),
                        ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => mark(span.start),
                    };
                    self.faults.push(Fault::new(mark, fault));
                }
                self.before = mark(span.end);
                Content::Scalar {
                    text: text.into_owned(),
                    is_plain: style == ScalarStyle::Plain,
                }
            }
            Event::SequenceStart(anchor, tag) => {
                self.check_node(&span, anchor, tag.as_ref());
                Content::Sequence(self.sequence(depth)?)
            }
            Event::MappingStart(anchor, tag) => {
                self.check_node(&span, anchor, tag.as_ref());
                Content::Mapping(self.mapping(depth)?)
            }
            Event::Alias(_) => {
                self.fault(&span, "an alias, needed the value itself");
                Content::Scalar {
                    text: String::new(),
                    is_plain: true,
                }
            }
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd => return None,
        };
        let mark = mark(span.start);
        Some(Outline { mark, content })
    }

    fn sequence(&mut self, depth: usize) -> Option<Vec<Outline>> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Some(items),
                (event, span) => items.push(self.value(event, span, depth + 1)?),
            }
        }
    }

    fn mapping(&mut self, depth: usize) -> Option<Vec<Entry>> {
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Some(entries);
            }
            let is_merge = matches!(&event, Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<");
            let key = self.value(event, span, depth + 1)?;
            if is_merge && self.is_portable {
                self.faults.pop();
            }
            if let Some(mark) = self.key_indicator(key.mark) {
                self.faults
                    .push(Fault::new(mark, "a complex key, needed a word and a colon"));
            }
            let (event, span) = self.next()?;
            let value = self.value(event, span, depth + 1)?;
            let Content::Scalar { text: name, .. } = key.content else {
                self.faults
                    .push(Fault::new(key.mark, "a key that is a collection, needed a word"));
                continue;
            };
            if let Some(first) = entries.iter().find(|entry| entry.key == name) {
                let line = first.mark.line;
                let text = format!("key `{name}` a second time, needed once (first in line {line})");
                self.faults.push(Fault::new(key.mark, text));
            } else if name == "<<" {
                self.faults
                    .push(Fault::new(key.mark, "a merge key, needed the keys themselves"));
            }
            entries.push(Entry {
                key: name,
                mark: key.mark,
                value,
            });
        }
    }

    fn check_node(&mut self, span: &Span, anchor: usize, tag: Option<&Cow<'_, Tag>>) {
        if !self.is_portable {
            return;
        }
        if anchor > 0 {
            self.fault(span, "an anchor, needed a value without one");
        }
        if tag.is_some() {
            self.fault(span, "a tag, needed a value without one");
        }
    }

    /// The `|` or `>` of a block text, whose span begins only after it.
    fn block_indicator(&self) -> Mark {
        let Mark { line, column } = self.before;
        let found = self.lines.get(line - 1).and_then(|text| {
            let rest = text.chars().enumerate().skip(column - 1);
            rest.clone().find(|(_, character)| matches!(character, '|' | '>'))
        });
        found.map_or(self.before, |(before, _)| Mark {
            line,
            column: before + 1,
        })
    }

    /// The `?` before a key within braces.
    fn key_indicator(&self, key: Mark) -> Option<Mark> {
        let line = self.lines.get(key.line - 1)?;
        let before: String = line.chars().take(key.column - 1).collect();
        let opening = before.trim_end().strip_suffix('?')?;
        let is_indicator = opening.is_empty() || opening.ends_with([' ', '{', ',', '[']);
        is_indicator.then(|| Mark {
            line: key.line,
            column: opening.chars().count() + 1,
        })
    }

    /// The scalar as it is written, where it stands on one line.
    fn source(&self, span: &Span) -> Option<&'text str> {
        let (start, end) = (mark(span.start), mark(span.end));
        let line = self.lines.get(start.line - 1).filter(|_| start.line == end.line)?;
        let byte = |column: usize| line.char_indices().nth(column - 1).map_or(line.len(), |(byte, _)| byte);
        line.get(byte(start.column)..byte(end.column))
    }
}

fn style_of(style: ScalarStyle) -> subset::Style {
    match style {
        ScalarStyle::Plain => subset::Style::Plain,
        ScalarStyle::SingleQuoted => subset::Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => subset::Style::DoubleQuoted,
        ScalarStyle::Literal | ScalarStyle::Folded => subset::Style::Block,
    }
}

fn mark(marker: Marker) -> Mark {
    Mark {
        line: marker.line(),
        column: marker.col() + 1,
    }
}
