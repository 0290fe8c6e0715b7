//! Tests in Python, for pytest. Laid out as Black leaves it.

use std::fmt::Write as _;

use super::Plan;
use super::layout::{Breaking, Piece, Style};
use super::quote::either;
use super::table::{Expected, Row, Table, Tables, is_default};
use super::tree::Tree;

const STYLE: Style = Style {
    width: 88,
    indent: 4,
    last_comma: true,
    comment: "#",
    text_below_key: false,
};

const BINDING: &str = r#"
The library under test is called by a module `samewait_binding`, written once: functions
named as the questions, with the arguments of the tests below. They raise
`samewait_binding.Rejected`, with `code` and `field`, where the library refuses.
`next_delay` returns a delay, or the reason to give up as a text; `policy` a dict of the
six fields; times are in seconds.
"""
"#;

const HELPERS: &str = r#"
import pytest
import samewait_binding as binding


class Policy(NamedTuple):
    """The six fields, with their defaults."""

    max_attempts: int = 1
    initial_delay: float = 0.0
    multiplier: float = 2.0
    max_delay: float = 0.0
    jitter_factor: float = 0.0
    max_message_age: float = 0.0


class Rejected(NamedTuple):
    code: str
    field: Optional[str] = None


"#;

const COUNTS: &str = r"class Counts(NamedTuple):
    least: int
    greatest: int


";

const CHECK: &str = r#"def check(expected, question, *arguments):
    try:
        got = question(*arguments)
    except binding.Rejected as refusal:
        got = Rejected(refusal.code, refusal.field)
    if not same(got, expected):
        pytest.fail(f"got {got!r}, expected {expected!r}", pytrace=False)


def same(got, expected):
    """Whether an answer is right to the last bit: -0.0 is not 0.0."""
"#;

const SAME_COUNT: &str = r"    if isinstance(expected, Counts):
        return isinstance(got, int) and expected.least <= got <= expected.greatest
";

const SAME: &str = r"    if isinstance(expected, Policy):
        expected = expected._asdict()
    if isinstance(expected, dict):
        return (
            isinstance(got, dict)
            and got.keys() == expected.keys()
            and all(same(got[key], expected[key]) for key in expected)
        )
    if isinstance(expected, list):
        return (
            isinstance(got, list)
            and len(got) == len(expected)
            and all(map(same, got, expected))
        )
    if isinstance(expected, float):
        return isinstance(got, (int, float)) and float(got).hex() == expected.hex()
    return type(got) is type(expected) and got == expected
";

pub(super) fn write(plan: &Plan<'_>) -> String {
    let tables = Tables::of(plan);
    let counted = |text: &'static str| if tables.are_counted() { text } else { "" };
    let mut out = String::from("\"\"\"Retry schedules, as the vectors of samewait expect them.\n\n");
    for line in &tables.header {
        out.push_str(line);
        out.push('\n');
    }
    out.push_str(BINDING);
    out.push_str(if tables.have_non_finite() { "\nimport math" } else { "" });
    out.push_str("\nfrom typing import NamedTuple, Optional\n");
    for part in [HELPERS, counted(COUNTS), CHECK, counted(SAME_COUNT), SAME] {
        out.push_str(part);
    }
    for table in &tables.of_each_ask {
        write_table(&mut out, table);
    }
    out
}

fn write_table(out: &mut String, table: &Table<'_>) {
    let ask = table.ask.name();
    let name = ask.to_uppercase();
    let mut arguments: Vec<&str> = table.arguments().collect();
    let rows = table.rows.iter().map(row).collect();
    let rows = Piece::group("[", rows, "]").breaking(Breaking::Always);
    out.push_str("\n\n");
    STYLE.write(out, &Piece::after(format!("{name} = "), rows), 0, 0, 0);
    let call = format!("    check(expected, binding.{ask}, {})\n", arguments.join(", "));
    arguments.push("expected");
    let names = arguments.join(", ");
    let parametrized = vec![Piece::atom(either(&names)), Piece::atom(name)];
    out.push_str("\n\n\n");
    STYLE.write(
        out,
        &Piece::group("@pytest.mark.parametrize(", parametrized, ")"),
        0,
        0,
        0,
    );
    let _ = write!(out, "\ndef test_{ask}({names}):\n{call}");
}

fn row(row: &Row<'_>) -> Piece {
    let mut items: Vec<Piece> = row.arguments.iter().map(|(key, value)| literal(key, value)).collect();
    items.push(match &row.expected {
        Expected::Value(key, value) => literal(key, value),
        Expected::Rejected(refusal) => {
            let parts = std::iter::once(&refusal.code).chain(&refusal.field);
            Piece::group("Rejected(", parts.map(|part| Piece::atom(either(part))).collect(), ")")
        }
    });
    items.push(Piece::atom(format!("id={}", either(row.id))));
    Piece::noted(row.note, Piece::group("pytest.param(", items, ")"))
}

/// The value of a key, which tells policies from other maps.
fn literal(key: &str, value: &Tree) -> Piece {
    match value {
        Tree::Null => Piece::atom("None"),
        Tree::Bool(value) => Piece::atom(if *value { "True" } else { "False" }),
        Tree::Integer(number) => Piece::atom(number.to_string()),
        Tree::Real(number) => Piece::atom(real(*number)),
        Tree::Counts(least, greatest) => Piece::atom(format!("Counts({least}, {greatest})")),
        Tree::Text(value) => Piece::atom(either(value)),
        Tree::List(items) => Piece::group("[", items.iter().map(|item| literal("", item)).collect(), "]"),
        Tree::Map(entries) if key == "policy" || key == "fields" => {
            let given = entries.iter().filter(|(key, value)| !is_default(key, value));
            let field = |(key, value): &(String, Tree)| Piece::after(format!("{key}="), literal(key, value));
            Piece::group("Policy(", given.map(field).collect(), ")")
        }
        Tree::Map(entries) => {
            let entry = |(key, value): &(String, Tree)| Piece::after(format!("{}: ", either(key)), literal(key, value));
            Piece::group("{", entries.iter().map(entry).collect(), "}")
        }
    }
}

/// Python reads decimals exactly.
fn real(number: f64) -> String {
    if number.is_nan() {
        "math.nan".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "math.inf" } else { "-math.inf" }.to_owned()
    } else {
        format!("{number:?}")
    }
}
