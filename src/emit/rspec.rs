//! Tests in Ruby, for `RSpec`. Laid out as the defaults of `RuboCop` have it, but for the length of what can't be broken.

use std::fmt::Write as _;

use super::Plan;
use super::layout::{Breaking, Piece, Style};
use super::quote::double;
use super::table::{Expected, Row, Table, Tables, is_default};
use super::tree::Tree;

const STYLE: Style = Style {
    width: 120,
    indent: 2,
    last_comma: false,
    comment: "#",
    text_below_key: false,
};

const HELPERS: &str = r#"#
# The library under test is called by a module SamewaitBinding, written once: methods named as the questions, with the
# arguments of the tests below. They raise SamewaitBinding::Rejected, with code and field, where the library refuses.
# next_delay returns a delay, or the reason to give up as a text; times are in seconds.

require "samewait_binding"

RSpec.describe SamewaitBinding do
  def self.rejected(code, field = nil) = { rejected: { code: code, field: field } }

  def with_defaults(policy)
    { max_attempts: 1, initial_delay: 0.0, multiplier: 2.0, max_delay: 0.0, jitter_factor: 0.0, max_message_age: 0.0,
      **policy }
  end

  def check(expected)
    got =
      begin
        yield
      rescue SamewaitBinding::Rejected => e
        self.class.rejected(e.code, e.field)
      end
    expect(got).to(satisfy("be #{expected}") { same?(got, expected) })
  end

  # Whether an answer is right to the last bit: -0.0 is not 0.0.
  def same?(got, expected)
    case expected
    when Hash
      got.is_a?(Hash) && got.size == expected.size &&
        expected.all? { |key, value| got.key?(key) && same?(got[key], value) }
    when Array
      got.is_a?(Array) && got.size == expected.size && got.zip(expected).all? { |pair| same?(*pair) }
    when Float
      got.is_a?(Numeric) && format("%a", got) == format("%a", expected)
"#;

const SAME_COUNT: &str = r"    when Range
      got.is_a?(Integer) && expected.cover?(got)
";

const SAME_ELSE: &str = r"    else
      got.eql?(expected)
    end
  end
";

pub(super) fn write(plan: &Plan<'_>) -> String {
    let tables = Tables::of(plan);
    let mut out = String::from(
        "# frozen_string_literal: true\n\n# Retry schedules, as the vectors of samewait expect them.\n#\n",
    );
    for line in &tables.header {
        let _ = writeln!(out, "# {line}");
    }
    out.push_str(HELPERS);
    out.push_str(if tables.are_counted() { SAME_COUNT } else { "" });
    out.push_str(SAME_ELSE);
    for table in &tables.of_each_ask {
        write_table(&mut out, table);
    }
    out.push_str("end\n");
    out
}

fn write_table(out: &mut String, table: &Table<'_>) {
    let ask = table.ask.name();
    let rows = table.rows.iter().map(row).collect();
    let rows = Piece::group("[", rows, "]").breaking(Breaking::Always);
    let _ = write!(out, "\n  describe \".{ask}\" do\n    ");
    STYLE.write(out, &rows, 2, 4, 0);
    // `then` is a word of Ruby's own.
    let name = |name| if name == "then" { "copies" } else { name };
    let names: Vec<&str> = table.arguments().map(name).collect();
    let names = names.join(", ");
    let given = names.replacen("policy", "with_defaults(policy)", 1);
    let lines = [
        format!(".each do |id, {names}, expected|"),
        "      it id do".to_owned(),
        format!("        check(expected) {{ described_class.{ask}({given}) }}"),
        "      end\n    end\n  end\n".to_owned(),
    ];
    out.push_str(&lines.join("\n"));
}

fn row(row: &Row<'_>) -> Piece {
    let mut items = vec![Piece::atom(text(row.id))];
    for (key, value) in &row.arguments {
        items.push(literal(key, value));
    }
    items.push(match &row.expected {
        Expected::Value(_, value) => literal("", value),
        Expected::Rejected(refusal) => {
            let parts = std::iter::once(&refusal.code).chain(&refusal.field);
            Piece::group("rejected(", parts.map(|part| Piece::atom(text(part))).collect(), ")")
        }
    });
    Piece::noted(row.note, Piece::group("[", items, "]"))
}

fn literal(key: &str, value: &Tree) -> Piece {
    match value {
        Tree::Null => Piece::atom("nil"),
        Tree::Bool(value) => Piece::atom(value.to_string()),
        Tree::Integer(number) => Piece::atom(number.to_string()),
        Tree::Real(number) => Piece::atom(real(*number)),
        Tree::Counts(least, greatest) => Piece::atom(format!("{least}..{greatest}")),
        Tree::Text(value) => Piece::atom(text(value)),
        Tree::List(items) => Piece::group("[", items.iter().map(|item| literal("", item)).collect(), "]"),
        Tree::Map(entries) => {
            let is_given = |(field, value): &&(String, Tree)| key != "policy" || !is_default(field, value);
            let given = entries.iter().filter(is_given);
            Piece::group("{", given.map(|(key, value)| entry(key, value)).collect(), "}").padded()
        }
    }
}

/// What is named by the specification has a symbol for a key, what a broker sees has a text.
fn entry(key: &str, value: &Tree) -> Piece {
    let is_name = key
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || character == '_');
    let front = if is_name {
        format!("{key}: ")
    } else {
        format!("{} => ", text(key))
    };
    Piece::after(front, literal(key, value))
}

/// Ruby reads decimals exactly.
fn real(number: f64) -> String {
    if number.is_nan() {
        "Float::NAN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Float::INFINITY"
        } else {
            "-Float::INFINITY"
        }
        .to_owned()
    } else {
        format!("{number:?}")
    }
}

fn text(text: &str) -> String {
    double(text, "#")
}
