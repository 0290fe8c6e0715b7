//! Tests in Java, for `JUnit` 5: a nested class for each question, a parameterized test in it.
//!
//! Java allows 64 KiB of code in a method and of text in a literal, so tables are cut into several methods, and what is long (schedules,
//! ladders, traces) is text, which needs no code.

use std::fmt::Write as _;

use super::Plan;
use super::layout::{Breaking, Piece, Style};
use super::quote::double;
use super::table::{Expected, Row, Table, Tables};
use super::tree::Tree;
use crate::question::Ask;

const STYLE: Style = Style {
    width: 120,
    indent: 4,
    last_comma: false,
    comment: "//",
    text_below_key: false,
};

/// How long the source of a method's rows may get, and a literal: far below what Java allows for either.
const LONGEST: usize = 12_000;

const HELPERS: &str = include_str!("junit/helpers.java");

pub(super) fn write(plan: &Plan<'_>) -> String {
    let tables = Tables::of(plan);
    let mut out = String::from("// Retry schedules, as the vectors of samewait expect them.\n//\n");
    for line in &tables.header {
        let _ = writeln!(out, "// {line}");
    }
    let number = if tables.are_counted() { "Long" } else { "Double" };
    out.push_str(&HELPERS.replace("NUMBER", number));
    for table in &tables.of_each_ask {
        write_table(&mut out, table);
    }
    out.push_str("}\n");
    out
}

fn write_table(out: &mut String, table: &Table<'_>) {
    let ask = table.ask.name();
    let class = pascal(ask);
    let parts = parts(&table.rows);
    let names: Vec<String> = (1..=parts.len()).map(|part| format!("part{part}()")).collect();
    let _ = write!(
        out,
        "\n    @Nested\n    class {class}Cases {{\n        static Stream<Arguments> cases() {{\n            return Stream.of({}).flatMap(part -> part);\n        }}\n",
        names.join(", ")
    );
    for (name, rows) in names.iter().zip(parts) {
        let _ = write!(
            out,
            "\n        private static Stream<Arguments> {name} {{\n            return "
        );
        let rows = Piece::group("Stream.of(", rows, ")").breaking(Breaking::Always);
        STYLE.write(out, &rows, 3, 0, 0);
        out.push_str(";\n        }\n");
    }
    let parameters: Vec<String> = table
        .arguments()
        .map(|name| format!("{} {}", kind(name), camel(name)))
        .collect();
    let given: Vec<String> = table.arguments().map(camel).collect();
    let check = if has_lines(table.ask) { "checkLines" } else { "check" };
    let _ = write!(
        out,
        r#"
        @ParameterizedTest(name = "{{0}}")
        @MethodSource("cases")
        void {}(String id, {}, Object expected) throws Exception {{
            {check}(expected, () -> BINDING.{}({}));
        }}
    }}
"#,
        camel(ask),
        parameters.join(", "),
        camel(ask),
        given.join(", ")
    );
}

/// The rows of a table, cut where a method would get too long.
fn parts(rows: &[Row<'_>]) -> Vec<Vec<Piece>> {
    let mut parts: Vec<Vec<Piece>> = vec![vec![]];
    let mut length = 0;
    for row in rows {
        let piece = self::row(row);
        let mut source = String::new();
        STYLE.write(&mut source, &piece, 4, 0, 0);
        if length > 0 && length + source.len() > LONGEST {
            parts.push(vec![]);
            length = 0;
        }
        length += source.len();
        if let Some(part) = parts.last_mut() {
            part.push(piece);
        }
    }
    parts
}

fn row(row: &Row<'_>) -> Piece {
    let mut items = vec![Piece::atom(double(row.id, ""))];
    items.extend(row.arguments.iter().map(|(key, value)| literal(key, value)));
    items.push(match &row.expected {
        Expected::Value(key, value) => literal(key, value),
        Expected::Rejected(refusal) => {
            let field = refusal
                .field
                .as_ref()
                .map_or("null".to_owned(), |field| double(field, ""));
            Piece::atom(format!("new Rejected({}, {field})", double(&refusal.code, "")))
        }
    });
    Piece::noted(row.note, Piece::group("arguments(", items, ")"))
}

fn literal(key: &str, value: &Tree) -> Piece {
    Piece::atom(match (key, value) {
        ("policy", fields) => policy(fields),
        ("make", make) => {
            let from =
                |(factory, given): &(String, Tree)| format!("new Make({}, {})", double(factory, ""), policy(given));
            make.entries().first().map(from).unwrap_or_default()
        }
        ("then", Tree::List(steps)) => {
            let copies = steps.iter().flat_map(Tree::entries);
            let copies: Vec<String> = copies
                .map(|(change, value)| format!("new Copy({}, {})", double(change, ""), number(value)))
                .collect();
            format!("List.of({})", copies.join(", "))
        }
        ("delays", Tree::List(delays)) => {
            let delays: Vec<String> = delays.iter().map(spelled).collect();
            return texts("delays(", &delays);
        }
        ("steps" | "trace" | "rungs", Tree::List(items)) => {
            let lines: Vec<String> = items.iter().map(Tree::json).collect();
            return texts("lines(", &lines);
        }
        (_, Tree::Null) => "null".to_owned(),
        (_, Tree::Text(text)) => double(text, ""),
        (_, value) => number(value),
    })
}

/// A call with lines of text: blocks that are short enough for a literal.
fn texts(call: &'static str, lines: &[String]) -> Piece {
    let mut blocks: Vec<String> = Vec::new();
    for line in lines {
        let line = format!("{}{}\n", " ".repeat(20), line.replace('\\', "\\\\"));
        match blocks.last_mut() {
            Some(block) if block.len() + line.len() <= LONGEST => block.push_str(&line),
            _ => blocks.push(line),
        }
    }
    let block = |block: &String| Piece::atom(format!("\"\"\"\n{block}{}\"\"\"", " ".repeat(20)));
    Piece::group(call, blocks.iter().map(block).collect(), ")")
}

/// A delay as a line: a number, or the least and the greatest count.
fn spelled(delay: &Tree) -> String {
    match delay {
        Tree::Counts(least, greatest) => format!("{least} {greatest}"),
        Tree::Null
        | Tree::Bool(_)
        | Tree::Integer(_)
        | Tree::Real(_)
        | Tree::Text(_)
        | Tree::List(_)
        | Tree::Map(_) => number(delay),
    }
}

/// Java reads decimals exactly.
fn number(value: &Tree) -> String {
    match value {
        Tree::Integer(number) => format!("{number}L"),
        Tree::Counts(least, greatest) => format!("new Counts({least}L, {greatest}L)"),
        Tree::Real(number) if number.is_nan() => "Double.NaN".to_owned(),
        Tree::Real(number) if *number == f64::INFINITY => "Double.POSITIVE_INFINITY".to_owned(),
        Tree::Real(number) if *number == f64::NEG_INFINITY => "Double.NEGATIVE_INFINITY".to_owned(),
        Tree::Real(number) => format!("{number:?}"),
        Tree::Bool(value) => value.to_string(),
        Tree::Null | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => String::new(),
    }
}

/// All six fields in their order; a factory that takes fewer gets zeros for the others.
fn policy(fields: &Tree) -> String {
    let field = |name: &str| {
        let is_it = |(key, _): &&(String, Tree)| key == name || (key == "delay" && name == "initial_delay");
        let zero = if name == "max_attempts" { "0L" } else { "0.0" };
        let found = fields.entries().iter().find(is_it);
        found.map_or(zero.to_owned(), |(_, value)| number(value))
    };
    let fields = [
        "max_attempts",
        "initial_delay",
        "multiplier",
        "max_delay",
        "jitter_factor",
        "max_message_age",
    ];
    format!("new Policy({})", fields.map(field).join(", "))
}

fn kind(name: &str) -> &'static str {
    match name {
        "make" => "Make",
        "then" => "List<Copy>",
        "policy" => "Policy",
        "attempt" => "long",
        "message_age" => "Double",
        "queue" | "exchange" => "String",
        "steps" => "List<Map<String, Object>>",
        _ => "double",
    }
}

fn has_lines(ask: Ask) -> bool {
    matches!(ask, Ask::Ladder | Ask::Queue)
}

/// `message_ttl` as `messageTtl`.
fn camel(name: &str) -> String {
    let pascal = pascal(name);
    let (first, rest) = pascal.split_at(1);
    format!("{}{rest}", first.to_lowercase())
}

/// `message_ttl` as `MessageTtl`.
fn pascal(name: &str) -> String {
    let part = |part: &str| {
        let (first, rest) = part.split_at(1);
        format!("{}{rest}", first.to_uppercase())
    };
    name.split('_').map(part).collect()
}
