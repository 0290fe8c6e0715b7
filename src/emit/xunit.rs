//! Tests in C#, for `xUnit`: a theory for each question.

use std::fmt::Write as _;

use super::Plan;
use super::layout::{Breaking, Piece, Style};
use super::quote::double;
use super::table::{Expected, Row, Table, Tables};
use super::tree::Tree;

const STYLE: Style = Style {
    width: 120,
    indent: 4,
    last_comma: false,
    comment: "//",
    text_below_key: false,
};

const HELPERS: &str = include_str!("xunit/helpers.cs");

pub(super) fn write(plan: &Plan<'_>) -> String {
    let tables = Tables::of(plan);
    let mut out = String::from("// Retry schedules, as the vectors of samewait expect them.\n//\n");
    for line in &tables.header {
        let _ = writeln!(out, "// {line}");
    }
    let number = if tables.are_counted() { "long" } else { "double" };
    out.push_str(&HELPERS.replace("NUMBER", number));
    for table in &tables.of_each_ask {
        write_table(&mut out, table);
    }
    out.push_str("    }\n}\n");
    out
}

fn write_table(out: &mut String, table: &Table<'_>) {
    let name = pascal(table.ask.name());
    let _ = write!(
        out,
        "\n        public static IEnumerable<object[]> {name}Cases => new[]\n        "
    );
    let rows = table.rows.iter().map(row).collect();
    let rows = Piece::group("{", rows, "}").breaking(Breaking::Always);
    STYLE.write(out, &rows, 2, 0, 0);
    let parameters: Vec<String> = table
        .arguments()
        .map(|name| format!("{} {}", kind(name), camel(name)))
        .collect();
    let given: Vec<String> = table.arguments().map(camel).collect();
    let _ = write!(
        out,
        r";

        [Theory]
        [MemberData(nameof({name}Cases))]
        public void {name}(string id, {}, object expected)
        {{
            Check(id, expected, () => Binding.{name}({}));
        }}
",
        parameters.join(", "),
        given.join(", ")
    );
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
    Piece::noted(row.note, Piece::group("new object[] {", items, "}").padded())
}

fn literal(key: &str, value: &Tree) -> Piece {
    match (key, value) {
        ("policy", fields) => Piece::atom(policy(fields)),
        ("make", make) => {
            let from =
                |(factory, given): &(String, Tree)| format!("new Make({}, {})", double(factory, ""), policy(given));
            Piece::atom(make.entries().first().map(from).unwrap_or_default())
        }
        ("then", Tree::List(steps)) => {
            let copies = steps.iter().flat_map(Tree::entries);
            let copy = |(change, value): &(String, Tree)| {
                Piece::atom(format!("new Copy({}, {})", double(change, ""), number(value)))
            };
            Piece::group("new Copy[] {", copies.map(copy).collect(), "}").padded()
        }
        ("delays", Tree::List(delays)) => {
            let delays = delays.iter().map(|delay| Piece::atom(number(delay))).collect();
            Piece::group("new object[] {", delays, "}").padded()
        }
        ("steps" | "trace" | "rungs", Tree::List(items)) => {
            let lines = items.iter().map(|item| Piece::atom(json_line(item))).collect();
            Piece::after("Lines", Piece::group("(", lines, ")"))
        }
        (_, Tree::Null) => Piece::atom("null"),
        (_, Tree::Text(text)) => Piece::atom(double(text, "")),
        (_, value) => Piece::atom(number(value)),
    }
}

/// A line of JSON as a verbatim string, in which ' stands for the quotes of JSON.
fn json_line(item: &Tree) -> String {
    let line = item.json().replace('\'', "\\u0027");
    // An escaped quote is part of a text, any other one delimits it.
    let line = line.replace("\\\"", "\\u0022").replace('"', "'");
    format!("@\"{line}\"")
}

/// Whole numbers as they are, and all others by their bits: not every C# compiler reads decimals exactly.
fn number(value: &Tree) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Tree::Integer(number) if *number == i64::MIN => "long.MinValue".to_owned(),
        Tree::Integer(number) => format!("{number}L"),
        Tree::Counts(least, greatest) => format!("new Counts({least}L, {greatest}L)"),
        Tree::Real(number) if number.is_nan() => "double.NaN".to_owned(),
        Tree::Real(number) if *number == f64::INFINITY => "double.PositiveInfinity".to_owned(),
        Tree::Real(number) if *number == f64::NEG_INFINITY => "double.NegativeInfinity".to_owned(),
        Tree::Real(number) if number.to_bits() == 0 => "0.0".to_owned(),
        Tree::Real(number) if *number != 0.0 && number.fract() == 0.0 && number.abs() < EXACT => format!("{number:.1}"),
        Tree::Real(number) => format!("Bits(0x{:016x}) /* {number:?} */", number.to_bits()),
        Tree::Bool(value) => value.to_string(),
        Tree::Null | Tree::Text(_) | Tree::List(_) | Tree::Map(_) => String::new(),
    }
}

/// What is not written takes its default, and a factory does not look at it.
fn policy(fields: &Tree) -> String {
    let field = |(key, value): &(String, Tree)| {
        let key = if key == "delay" { "initial_delay" } else { key };
        format!("{}: {}", camel(key), number(value))
    };
    let is_given = |(key, value): &&(String, Tree)| !super::table::is_default(key, value);
    let fields: Vec<String> = fields.entries().iter().filter(is_given).map(field).collect();
    format!("new Policy({})", fields.join(", "))
}

fn kind(name: &str) -> &'static str {
    match name {
        "make" => "Make",
        "then" => "Copy[]",
        "policy" => "Policy",
        "attempt" => "long",
        "message_age" => "double?",
        "queue" | "exchange" => "string",
        "steps" => "JsonElement",
        _ => "double",
    }
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
