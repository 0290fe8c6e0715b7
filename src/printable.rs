//! Texts from elsewhere, made safe to print.

/// A text of a port on one line: no control character plays with a terminal, no line break forges a line of a report, and no byte order mark hides.
pub(crate) fn printable_line(text: &str) -> String {
    let is_plain = |character: char| !character.is_control() && character != '\u{feff}';
    text.chars()
        .map(|character| if is_plain(character) { character } else { '\u{fffd}' })
        .collect()
}

/// So many things, in words: `1 case`, `2 cases`.
pub(crate) fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// A number as the specification spells it: the shortest decimal, or `NaN`, `Infinity`, `-Infinity` (W-9).
pub(crate) fn spelled(number: f64) -> String {
    if number.is_infinite() {
        let sign = if number < 0.0 { "-" } else { "" };
        format!("{sign}Infinity")
    } else {
        format!("{number:?}")
    }
}
