//! Messages of serde in the words of the specification.

/// serde's words for YAML, and Rust's names of types, in the words of the specification.
pub(crate) fn in_our_words(text: &str) -> String {
    let (found, needed) = match text.split_once(", expected ") {
        Some((found, needed)) => (found.to_owned(), Some(needed)),
        None => (text.to_owned(), None),
    };
    let mut found = found.replace("invalid type: ", "").replace("invalid value: ", "");
    for (theirs, ours) in [("unit value", "null"), ("sequence", "a list"), ("map", "a mapping")] {
        if let Some(path) = found.strip_suffix(theirs)
            && (path.is_empty() || path.ends_with(": "))
        {
            found = format!("{path}{ours}");
        }
    }
    for (theirs, ours) in [
        ("floating point `", "number `"),
        ("string \"", "text \""),
        ("unknown field `", "unknown key `"),
        ("unknown variant `", "unknown name `"),
        ("missing field `", "no key `"),
    ] {
        found = found.replacen(theirs, ours, 1);
    }
    let needed = match needed {
        None if found.contains("no key `") => "it",
        None => {
            return found.replace(", there are no fields", ", needed none");
        }
        Some("i64") => "an integer",
        Some("u32" | "u64" | "usize") => "an integer of 0 or more",
        Some("f64") => "a number",
        Some("a string" | "a YAML tag starting with '!'") => "a text",
        Some("a sequence") => "a list",
        Some("a map") => "a mapping",
        Some("enum") => return found.replace("a mapping", "no key, needed exactly one"),
        Some(needed) if needed.starts_with("struct ") => "a mapping",
        Some(needed) => needed,
    };
    format!("{found}, needed {needed}")
}
