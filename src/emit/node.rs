//! Tests in JavaScript, for node:test. Laid out as Prettier leaves it.

use std::fmt::Write as _;

use super::Plan;
use super::layout::{Breaking, Piece, Style};
use super::quote::either;
use super::table::{Expected, Row, Table, Tables, is_default};
use super::tree::Tree;

const STYLE: Style = Style {
    width: 80,
    indent: 2,
    last_comma: true,
    comment: "//",
    text_below_key: true,
};

const HELPERS: &str = r#"//
// The library under test is called by a module `samewait.binding.js` beside this
// file, written once: functions named as the questions, with the arguments of the
// tests below. They throw its `Rejected`, with `code` and `field`, where the library
// refuses. `next_delay` returns a delay, or the reason to give up as a text; times
// are in seconds.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import * as binding from "./samewait.binding.js";

const DEFAULTS = {
  max_attempts: 1,
  initial_delay: 0,
  multiplier: 2,
  max_delay: 0,
  jitter_factor: 0,
  max_message_age: 0,
};

function withDefaults(policy) {
  return { ...DEFAULTS, ...policy };
}

function rejected(code, field = null) {
  return { rejected: { code, field } };
}

function answer(question) {
  try {
    return question();
  } catch (error) {
    if (!(error instanceof binding.Rejected)) throw error;
    return rejected(error.code, error.field);
  }
}

"#;

const CHECK: &str = r"// Numbers must be the same to the last bit: -0 is not 0.
function check(expected, question) {
  assert.deepStrictEqual(answer(question), expected);
}
";

const CHECK_COUNTS: &str = r#"class Counts {
  constructor(least, greatest) {
    this.least = least;
    this.greatest = greatest;
  }
}

// What is expected, with the count that was got where it is a right one.
function chosen(expected, got) {
  if (Array.isArray(expected)) {
    return expected.map((item, index) => chosen(item, got?.[index]));
  }
  if (!(expected instanceof Counts)) return expected;
  const { least, greatest } = expected;
  const isRight = typeof got === "bigint" && least <= got && got <= greatest;
  return isRight ? got : least;
}

function check(expected, question) {
  const got = answer(question);
  assert.deepStrictEqual(got, chosen(expected, got));
}
"#;

pub(super) fn write(plan: &Plan<'_>) -> String {
    let tables = Tables::of(plan);
    let mut out = String::from("// Retry schedules, as the vectors of samewait expect them.\n//\n");
    for line in &tables.header {
        let _ = writeln!(out, "// {line}");
    }
    out.push_str(HELPERS);
    out.push_str(if tables.are_counted() { CHECK_COUNTS } else { CHECK });
    for table in &tables.of_each_ask {
        write_table(&mut out, table);
    }
    out
}

fn write_table(out: &mut String, table: &Table<'_>) {
    let ask = table.ask.name();
    let name = ask.to_uppercase();
    let rows = table.rows.iter().map(row).collect();
    let rows = Piece::group("[", rows, "]").breaking(Breaking::Always);
    out.push('\n');
    STYLE.write(out, &Piece::after(format!("const {name} = "), rows), 0, 0, 1);
    let names: Vec<&str> = table.arguments().collect();
    let row: Vec<&str> = ["id"]
        .into_iter()
        .chain(names.iter().copied())
        .chain(["expected"])
        .collect();
    let row = row.into_iter().map(Piece::atom).collect();
    let given: Vec<String> = names
        .iter()
        .map(|name| {
            if *name == "policy" {
                "withDefaults(policy)".to_owned()
            } else {
                (*name).to_owned()
            }
        })
        .collect();
    let _ = write!(out, ";\n\ndescribe(\"{ask}\", () => {{\n  for (const ");
    STYLE.write(out, &Piece::group("{", row, "}").padded(), 1, 13, 7 + name.len());
    let _ = writeln!(out, " of {name}) {{");
    write_call(out, &format!("binding.{ask}"), &given);
    out.push_str("  }\n});\n");
}

/// A test, in the first of the three layouts that fits.
fn write_call(out: &mut String, function: &str, given: &[String]) {
    let (call, indent) = (format!("{function}({})", given.join(", ")), " ".repeat(4));
    let layouts = [
        format!("{indent}it(id, () => check(expected, () => {call}));\n"),
        format!("{indent}it(id, () =>\n{indent}  check(expected, () => {call}),\n{indent});\n"),
    ];
    let fits = |text: &&String| text.lines().all(|line| line.len() <= STYLE.width);
    if let Some(text) = layouts.iter().find(fits) {
        out.push_str(text);
        return;
    }
    let _ = write!(
        out,
        "{indent}it(id, () =>\n{indent}  check(expected, () =>\n{indent}    "
    );
    let given = given.iter().map(Piece::atom).collect();
    let call = Piece::after(function, Piece::group("(", given, ")"));
    STYLE.write(out, &call, 4, 8, 1);
    let _ = writeln!(out, ",\n{indent}  ),\n{indent});");
}

fn row(row: &Row<'_>) -> Piece {
    let mut items = vec![Piece::atom(format!("id: {}", either(row.id)))];
    for (key, value) in &row.arguments {
        items.push(entry(key, value));
    }
    let expected = match &row.expected {
        Expected::Value(_, value) => literal("", value),
        Expected::Rejected(refusal) => {
            let parts = std::iter::once(&refusal.code).chain(&refusal.field);
            Piece::group("rejected(", parts.map(|part| Piece::atom(either(part))).collect(), ")")
        }
    };
    items.push(Piece::after("expected: ", expected));
    Piece::noted(row.note, Piece::group("{", items, "}").padded())
}

fn entry(key: &str, value: &Tree) -> Piece {
    let is_name = key
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || character == '_');
    let front = if is_name { key.to_owned() } else { either(key) };
    Piece::after(format!("{front}: "), literal(key, value))
}

fn literal(key: &str, value: &Tree) -> Piece {
    match value {
        Tree::Null => Piece::atom("null"),
        Tree::Bool(value) => Piece::atom(value.to_string()),
        Tree::Integer(number) => Piece::atom(number.to_string()),
        Tree::Real(number) => Piece::atom(real(*number)),
        Tree::Counts(least, greatest) => Piece::atom(format!("new Counts({least}n, {greatest}n)")),
        Tree::Text(value) => Piece::atom(either(value)),
        Tree::List(items) => {
            let list = Piece::group("[", items.iter().map(|item| literal("", item)).collect(), "]");
            let have = |check: fn(&Tree) -> bool| items.len() > 1 && items.iter().all(check);
            if have(|item| matches!(item, Tree::Real(_))) {
                list.breaking(Breaking::Fill)
            } else if have(|item| item.entries().len() > 1) {
                list.breaking(Breaking::Always)
            } else {
                list
            }
        }
        Tree::Map(entries) => {
            let is_given = |(field, value): &&(String, Tree)| key != "policy" || !is_default(field, value);
            let given = entries.iter().filter(is_given);
            Piece::group("{", given.map(|(key, value)| entry(key, value)).collect(), "}").padded()
        }
    }
}

/// JavaScript reads decimals exactly.
fn real(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let decimal = format!("{number:?}");
    decimal.strip_suffix(".0").map(str::to_owned).unwrap_or(decimal)
}
