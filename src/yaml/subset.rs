//! The portable subset of YAML, as rules about the source text. Implements V-8 to V-13.

use super::{Fault, Mark};

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Block,
}

/// Plain words that some reader takes for something else than text (V-11).
const TREACHEROUS: [&str; 12] = [
    "true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity",
];

/// Checks what can be seen line by line (V-12, V-13).
pub(super) fn check_lines(text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut has_carriage_return = false;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let mut fault = |before: usize, text: String| {
            let mark = Mark {
                line: index + 1,
                column: before + 1,
            };
            faults.push(Fault::new(mark, text));
        };
        let content = line.strip_suffix('\n').unwrap_or(line);
        if content.len() == line.len() {
            let width = content.chars().count();
            fault(width, "a last line without an end, needed a line feed".to_owned());
        }
        let mut has_tab = false;
        for (before, character) in content.chars().enumerate() {
            match character {
                '\t' if !has_tab => {
                    has_tab = true;
                    fault(before, "a tab, needed blanks".to_owned());
                }
                // A file from another system has one on every line.
                '\r' if !has_carriage_return => {
                    has_carriage_return = true;
                    let text = "a carriage return, needed lines that end in a line feed";
                    fault(before, text.to_owned());
                }
                '\t' | '\r' => {}
                '\u{feff}' => fault(before, "a byte order mark, needed none".to_owned()),
                '\u{85}' | '\u{2028}' | '\u{2029}' => {
                    let code = u32::from(character);
                    let text = format!("a line break U+{code:04X}, needed lines that end in a line feed");
                    fault(before, text);
                }
                control if control.is_control() => {
                    let code = u32::from(control);
                    fault(before, format!("a control character U+{code:04X}, needed none"));
                }
                _ => {}
            }
        }
        if content.starts_with('%') {
            fault(0, "a directive, needed a file without one".to_owned());
        }
        if ["---", "..."].iter().any(|marker| {
            content
                .strip_prefix(marker)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        }) {
            fault(0, "a document marker, needed a file without one".to_owned());
        }
        let key = content.trim_start_matches([' ', '-']);
        let is_item = content[..content.len() - key.len()]
            .trim_start()
            .chars()
            .all(|c| c == ' ' || c == '-');
        if is_item && (key.starts_with("? ") || key.trim_end() == "?") {
            let before = content.chars().count() - key.chars().count();
            fault(before, "a complex key, needed a word and a colon".to_owned());
        }
    }
    faults
}

/// Checks one scalar: its value, its style, and its source text where that is on one line.
///
/// # Errors
///
/// What was found, and what was needed.
pub(super) fn check_scalar(value: &str, style: Style, source: Option<&str>) -> Result<(), String> {
    if style == Style::Block {
        return Err("a block text, needed a quoted text on one line".to_owned());
    }
    let Some(source) = source else {
        return Err("a text over several lines, needed one line".to_owned());
    };
    match style {
        Style::Plain => check_plain(value),
        Style::DoubleQuoted => check_escapes(source),
        Style::SingleQuoted | Style::Block => Ok(()),
    }
}

fn check_plain(value: &str) -> Result<(), String> {
    if value.is_empty() {
        return Err("an empty value, needed null or a value".to_owned());
    }
    if matches!(value, "true" | "false" | "null") {
        return Ok(());
    }
    if value == "~" || (value.eq_ignore_ascii_case("null")) {
        return Err(format!(
            "unquoted text `{value}`, needed `null` or quotes around a text"
        ));
    }
    if value.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return check_word(value);
    }
    if value.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.')) {
        return check_number(value);
    }
    Err(format!("unquoted text `{value}`, needed quotes around it"))
}

pub(super) fn check_word(value: &str) -> Result<(), String> {
    let unmistakable = value
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || " _-.,;/()'".contains(character));
    let treacherous = TREACHEROUS.contains(&value.to_ascii_lowercase().as_str());
    if unmistakable && !treacherous && !value.ends_with(' ') {
        Ok(())
    } else {
        Err(format!("unquoted text `{value}`, needed quotes around it"))
    }
}

fn check_number(value: &str) -> Result<(), String> {
    if is_integer(value) {
        return match value.parse::<i64>() {
            Ok(_) => Ok(()),
            Err(_) => Err(format!("integer {value}, needed one that fits 64 bits with a sign")),
        };
    }
    if !is_float(value) {
        return Err(format!(
            "number or text `{value}`, needed an integer, a float such as 1.0 or 1.0e-3, or quotes around a text"
        ));
    }
    match value.parse::<f64>() {
        Ok(number) if number.is_finite() && (number != 0.0 || is_zero(value)) => Ok(()),
        _ => Err(format!("number {value}, needed one that binary64 can hold")),
    }
}

/// `-?(0|[1-9][0-9]*)`, but not -0.
fn is_integer(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    is_digits(digits) && (!digits.starts_with('0') || value == "0")
}

/// `-?digits.digits([e][+-]digits)?`, the exponent of one to three digits without a needless zero.
fn is_float(value: &str) -> bool {
    let unsigned = value.strip_prefix('-').unwrap_or(value);
    let (mantissa, exponent) = match unsigned.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let Some((whole, fraction)) = mantissa.split_once('.') else {
        return false;
    };
    let plain_whole = is_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let plain_exponent = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or("");
        is_digits(digits) && digits.len() <= 3 && (digits == "0" || !digits.starts_with('0'))
    });
    plain_whole && is_digits(fraction) && plain_exponent
}

/// Whether a float is written as zero, and not just too small for anything else.
fn is_zero(value: &str) -> bool {
    let mantissa = value.split('e').next().unwrap_or(value);
    mantissa.chars().all(|character| "-0.".contains(character))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn check_escapes(source: &str) -> Result<(), String> {
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            continue;
        }
        match characters.next() {
            Some('"' | '\\') => {}
            other => {
                let escape: String = other.into_iter().collect();
                return Err(format!("escape `\\{escape}`, needed only `\\\"` and `\\\\`"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(value: &str) -> Result<(), String> {
        check_scalar(value, Style::Plain, Some(value))
    }

    #[test]
    fn accepts_what_all_readers_agree_on() {
        for value in [
            "1.0",
            "-1.5",
            "0.5",
            "1.0e-3",
            "5.0e-324",
            "1.7976931348623157e+308",
            "-0.0",
            "0",
            "-7",
            "true",
            "null",
            "orders.retry.30s",
            "x-message-ttl",
            "First a, then b; (c) it's 5.0",
        ] {
            assert_eq!(plain(value), Ok(()), "{value}");
        }
    }

    #[test]
    fn refuses_what_readers_disagree_on() {
        for value in [
            "1e3",
            "5e-324",
            "1.0e3",
            ".5",
            "1.",
            "-.5",
            "-0",
            "+1",
            "1_000",
            "0o17",
            "017",
            "08",
            "0x1F",
            "1:30",
            "yes",
            "No",
            "ON",
            "off",
            "y",
            "N",
            "NaN",
            "inf",
            ".nan",
            ".inf",
            "2026-01-01",
            "1.0e+400",
            "9223372036854775808",
            "=",
            "~",
            "",
            "TRUE",
            "Null",
            "01.5",
            "1.0e+05",
            "1.0e+0400",
            "a: b",
            "a #b",
            "1s",
        ] {
            assert!(plain(value).is_err(), "{value}");
        }
    }
}
