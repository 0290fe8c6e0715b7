//! Values as text: one way to write each. Implements V-21 to V-24.

use super::node::{Document, Entry, Item, Layout, Node};
use super::subset;

/// How many characters a line has at most, but for a text or number that is longer by itself.
const WIDTH: usize = 140;

/// A whole text.
pub(crate) fn document(document: &Document) -> String {
    let body = joined(&document.root, 0);
    let lines = document.head.iter().chain(&body).chain(&document.foot);
    lines.flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// A value that is a member of a list, at an indentation.
pub(crate) fn list_item(value: Node, indent: usize) -> String {
    let comments = vec![];
    let block = item(&Item { comments, value }, indent);
    block.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// The shortest spelling of a finite number, as V-8 has it.
pub(crate) fn spelled(number: f64) -> String {
    let shortest = format!("{number:?}");
    let Some((mantissa, exponent)) = shortest.split_once('e') else {
        return shortest;
    };
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!("{mantissa}{point}e{sign}{exponent}")
}

/// Whether a text needs no quotes (V-11).
pub(super) fn is_unmistakable(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && subset::check_word(text).is_ok()
}

/// The lines of a member, and the comments that come before them.
struct Block {
    comments: Vec<String>,
    lines: Vec<String>,
}

/// The lines of an open collection.
fn joined(node: &Node, indent: usize) -> Vec<String> {
    let is_apart = matches!(node, Node::List(_, Layout::Apart) | Node::Map(_, Layout::Apart));
    let mut lines = Vec::new();
    for block in blocks(node, indent) {
        if is_apart && !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(block.comments.iter().map(|comment| blanks(indent) + comment));
        lines.extend(block.lines);
    }
    lines
}

fn blocks(node: &Node, indent: usize) -> Vec<Block> {
    match node {
        Node::Word(_) | Node::Text(_) => vec![],
        Node::List(items, _) => items.iter().map(|member| item(member, indent)).collect(),
        Node::Map(entries, _) => entries.iter().map(|member| entry(member, indent)).collect(),
    }
}

fn entry(entry: &Entry, indent: usize) -> Block {
    let head = format!("{}{}:", blanks(indent), one_line_text(&entry.key, true));
    let mut comments = entry.comments.clone();
    let column = head.chars().count() + 1;
    let lines = match shape(&entry.value, column, indent + 2) {
        Shape::Lines(lines) => {
            entry.value.comments(&mut comments);
            led(&format!("{head} "), lines)
        }
        Shape::Open => {
            let mut lines = vec![head];
            lines.extend(joined(&entry.value, indent + 2));
            lines
        }
    };
    Block { comments, lines }
}

fn item(item: &Item, indent: usize) -> Block {
    let head = blanks(indent) + "- ";
    let inner = indent + 2;
    let mut comments = item.comments.clone();
    let mut lines = match shape(&item.value, inner, inner) {
        Shape::Lines(lines) => {
            item.value.comments(&mut comments);
            return Block {
                comments,
                lines: led(&head, lines),
            };
        }
        Shape::Open => Vec::new(),
    };
    for block in blocks(&item.value, inner) {
        if lines.is_empty() {
            // Nothing can stand between the hyphen and the first member.
            comments.extend(block.comments);
            let mut first = block.lines;
            if let Some(line) = first.first_mut() {
                line.replace_range(..inner, &head);
            }
            lines = first;
        } else {
            lines.extend(block.comments.iter().map(|comment| blanks(inner) + comment));
            lines.extend(block.lines);
        }
    }
    Block { comments, lines }
}

/// How a value stands in its place.
enum Shape {
    /// On the line that is begun, and where numbers fill more than that, on further ones.
    Lines(Vec<String>),
    /// Each member on lines of its own.
    Open,
}

fn shape(node: &Node, column: usize, indent: usize) -> Shape {
    let Some(line) = one_line(node, false) else {
        return Shape::Open;
    };
    let is_scalar = matches!(node, Node::Word(_) | Node::Text(_));
    if is_scalar || line.len() == "[]".len() || column + line.chars().count() <= WIDTH {
        return Shape::Lines(vec![line]);
    }
    match node {
        Node::List(items, _) if items.iter().all(|item| matches!(item.value, Node::Word(_))) => {
            Shape::Lines(filled(items, column, indent))
        }
        Node::List(..) | Node::Map(..) | Node::Word(_) | Node::Text(_) => Shape::Open,
    }
}

/// A list of numbers, as many on each line as have room.
fn filled(items: &[Item], column: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = "[".to_owned();
    let mut width = column + 1;
    for (index, item) in items.iter().enumerate() {
        let Some(word) = one_line(&item.value, true) else {
            continue;
        };
        let end = if index + 1 == items.len() { "]" } else { "," };
        let is_first = line.ends_with([' ', '[']) || line.is_empty();
        let room = word.len() + end.len() + usize::from(!is_first);
        if width + room > WIDTH && !is_first {
            lines.push(line);
            line = blanks(indent);
            width = indent;
        } else if !is_first {
            line.push(' ');
            width += 1;
        }
        line.push_str(&word);
        line.push_str(end);
        width += word.len() + end.len();
    }
    lines.push(line);
    lines
}

/// A value on one line; none where a collection within is to be open.
fn one_line(node: &Node, is_within: bool) -> Option<String> {
    match node {
        Node::Word(word) => Some(match word.parse::<f64>() {
            Ok(number) if word.contains('.') => spelled(number),
            _ => word.clone(),
        }),
        Node::Text(text) => Some(one_line_text(text, is_within)),
        Node::List(items, layout) => {
            if !items.is_empty() && *layout != Layout::Fit {
                return None;
            }
            let items: Option<Vec<String>> = items.iter().map(|item| one_line(&item.value, true)).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        Node::Map(entries, layout) => {
            if !entries.is_empty() && *layout != Layout::Fit {
                return None;
            }
            let entry = |entry: &Entry| {
                let (key, value) = (one_line_text(&entry.key, true), one_line(&entry.value, true)?);
                Some(format!("{key}: {value}"))
            };
            let entries: Option<Vec<String>> = entries.iter().map(entry).collect();
            Some(format!("{{{}}}", entries?.join(", ")))
        }
    }
}

/// A text, in quotes where it needs them: within brackets and braces a comma does.
fn one_line_text(text: &str, is_within: bool) -> String {
    if is_unmistakable(text) && !(is_within && text.contains(',')) {
        text.to_owned()
    } else {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

fn led(head: &str, mut lines: Vec<String>) -> Vec<String> {
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, head);
    }
    lines
}

fn blanks(count: usize) -> String {
    " ".repeat(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_and_a_sign() {
        for (number, needed) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-5"),
            (1e15, "1000000000000000.0"),
            (1e16, "1.0e+16"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(spelled(number), needed);
        }
    }

    #[test]
    fn a_comma_needs_quotes_only_within() {
        assert_eq!(one_line_text("a, b", false), "a, b");
        assert_eq!(one_line_text("a, b", true), "\"a, b\"");
        assert_eq!(one_line_text("no", false), "\"no\"");
        assert_eq!(one_line_text("1.0", false), "\"1.0\"");
        assert_eq!(one_line_text("\\\"", false), "\"\\\\\\\"\"");
    }
}
