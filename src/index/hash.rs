//! Hashes of what cases say. Implements R-9 and R-10.

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::answer::Reply;
use crate::case::Case;
use crate::wire::{write_question, write_reply};

/// The content hash of a case, in 64 hexadecimal digits: of its question and its expected answer, and of nothing else (R-9).
#[must_use]
pub fn case_hash(case: &Case) -> String {
    sha256(&content(case))
}

/// The hash of a set of cases, in 64 hexadecimal digits: of their ids and content hashes, in any order (R-10).
#[must_use]
pub fn set_hash<'a>(cases: impl IntoIterator<Item = &'a Case>) -> String {
    let mut lines: Vec<String> = cases
        .into_iter()
        .map(|case| format!("{} {}\n", case.id, case_hash(case)))
        .collect();
    lines.sort_unstable();
    sha256(&lines.concat())
}

/// The question and the answer as they would be on the wire, on one line that is the same for whoever writes it.
fn content(case: &Case) -> String {
    let (mut request, mut answer) = (Vec::new(), Vec::new());
    write_question(&mut request, "", &case.question);
    write_reply(&mut answer, "", &Reply::from(case.expected.clone()));
    format!(
        r#"{{"answer":{},"request":{}}}"#,
        canonical_line(&answer),
        canonical_line(&request)
    )
}

/// A line of the protocol in canonical form, without its `id`.
fn canonical_line(line: &[u8]) -> String {
    // The kit's own lines are JSON objects.
    let mut json: Json = serde_json::from_slice(line).unwrap_or_default();
    if let Some(keys) = json.as_object_mut() {
        keys.remove("id");
    }
    canonical(&json)
}

/// Keys sorted by their bytes, no blanks, and binary64 numbers as their bits: writers of decimals differ, bits don't.
fn canonical(json: &Json) -> String {
    match json {
        Json::Null | Json::Bool(_) | Json::String(_) => json.to_string(),
        Json::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(double) => format!(r#""0x{:016x}""#, double.to_bits()),
            None => number.to_string(),
        },
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Json::Object(keys) => {
            let mut keys: Vec<_> = keys.iter().collect();
            keys.sort_unstable_by_key(|&(key, _)| key);
            let keys: Vec<String> = keys
                .into_iter()
                .map(|(key, value)| format!("{}:{}", Json::from(key.as_str()), canonical(value)))
                .collect();
            format!("{{{}}}", keys.join(","))
        }
    }
}

fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sorts_keys_and_spells_doubles_by_their_bits() {
        let json = json!({"b": [1, 1.0, -0.0, 1e300], "a": {"y": null, "x": "é\"\n"}});
        let bits = r#"[1,"0x3ff0000000000000","0x8000000000000000","0x7e37e43c8800759c"]"#;
        assert_eq!(
            canonical(&json),
            format!(r#"{{"a":{{"x":"é\"\n","y":null}},"b":{bits}}}"#)
        );
    }

    #[test]
    fn is_sha256() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), expected); // The example of FIPS 180-2, appendix B.1.
    }
}
