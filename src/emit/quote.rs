//! Texts as literals.

/// Between the quotes that need fewer escapes, double ones where both are as good: for Python and JavaScript.
pub(super) fn either(text: &str) -> String {
    let count = |quote| text.chars().filter(|&character| character == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    between(quote, text, "")
}

/// Between double quotes, with a backslash before each of these characters: for languages in which they mean something.
pub(super) fn double(text: &str, special: &str) -> String {
    between('"', text, special)
}

fn between(quote: char, text: &str, special: &str) -> String {
    let mut literal = String::from(quote);
    for character in text.chars() {
        match character {
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            control if control.is_control() => {
                let _ = write!(literal, "\\u{:04x}", u32::from(control));
            }
            plain => {
                if plain == quote || special.contains(plain) {
                    literal.push('\\');
                }
                literal.push(plain);
            }
        }
    }
    literal.push(quote);
    literal
}

use std::fmt::Write as _;
