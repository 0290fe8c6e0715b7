//! The comments of a text, which no reader of values tells of.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::Mark;

/// A comment, from its `#` to the end of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) mark: Mark,
    pub(crate) text: String,
    /// Whether nothing else stands on its line.
    pub(crate) is_alone: bool,
}

/// The comments of a text of the portable subset, in which every scalar stands on one line.
pub(crate) fn comments(text: &str) -> Vec<Comment> {
    let scalars = scalars(text);
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let within = scalars.get(&(index + 1)).map_or(&[][..], Vec::as_slice);
        let sign = line.char_indices().enumerate().find(|&(column, (_, character))| {
            character == '#' && within.iter().all(|&(start, end)| column < start || end <= column)
        });
        if let Some((column, (byte, _))) = sign {
            let (before, comment) = line.split_at(byte);
            found.push(Comment {
                mark: Mark {
                    line: index + 1,
                    column: column + 1,
                },
                text: comment.trim_end().to_owned(),
                is_alone: before.trim().is_empty(),
            });
        }
    }
    found
}

/// For each line, where its scalars begin and end, in characters from 0.
fn scalars(text: &str) -> BTreeMap<usize, Vec<(usize, usize)>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    let mut events = Parser::new_from_str(text);
    while let Some(Ok((event, span))) = events.next_event() {
        if let Event::Scalar(value, style, ..) = event {
            let (line, start) = (span.start.line(), span.start.col());
            let source = lines.get(line - 1).map_or("", |line| line);
            let width = match style {
                ScalarStyle::SingleQuoted => quoted_width(source, start, '\''),
                ScalarStyle::DoubleQuoted => quoted_width(source, start, '\\'),
                ScalarStyle::Plain | ScalarStyle::Literal | ScalarStyle::Folded => value.chars().count(),
            };
            found.entry(line).or_default().push((start, start + width));
        }
    }
    found
}

/// How wide a quoted text is, its quotes included. (To the parser, a comment that follows is part of it.)
fn quoted_width(line: &str, start: usize, escape: char) -> usize {
    let mut characters = line.chars().skip(start).peekable();
    let quote = characters.next();
    let mut width = 1;
    while let Some(character) = characters.next() {
        width += 1;
        let is_doubled = Some(escape) == quote && characters.peek() == Some(&escape);
        if character == escape && (Some(escape) != quote || is_doubled) {
            characters.next();
            width += 1;
        } else if Some(character) == quote {
            break;
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_within_a_text_is_no_comment() {
        let text = "# a\nb: \"# ö\\\"\" # c\nd:\n    # e \n  - {f: '#''#', g: h} #i\n";
        let all = comments(text);
        let found: Vec<(usize, usize, &str, bool)> = all
            .iter()
            .map(|comment| {
                let Mark { line, column } = comment.mark;
                (line, column, comment.text.as_str(), comment.is_alone)
            })
            .collect();
        assert_eq!(
            found,
            [
                (1, 1, "# a", true),
                (2, 12, "# c", false),
                (4, 5, "# e", true),
                (5, 23, "#i", false)
            ]
        );
    }
}
