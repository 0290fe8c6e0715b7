//! What the schema of vector files refuses of the files that the loader must refuse, and why it can't refuse the others.

use super::*;

/// Beginnings or parts of what the loader says of files that keep the schema, by the reason why a schema can't see the fault.
const UNSEEN: [(&str, &[&str]); 4] = [
    (
        "a value's spelling is gone when it is read",
        &[
            "needed an integer",
            "needed a number with a fraction",
            "needed a fraction",
            "number or text `",
            "unquoted text `",
            "escape `",
            "a text over several lines",
            "a block text",
            "an empty value",
            "needed one that binary64 can hold",
            "needed one that fits 64 bits",
        ],
    ),
    (
        "YAML's own means are gone when it is read",
        &[
            "an anchor",
            "a tag",
            "a directive",
            "a document marker",
            "a complex key",
            "a second time, needed once",
        ],
    ),
    (
        "a schema does not compare values with each other, nor with the name of the file",
        &[
            "control `",
            "a second time, needed a new one",
            "which is still there",
            "needed `backoff/another-topic/`",
            "needed another name",
            "needed a time that does not run backwards",
            "needed the lower one first",
        ],
    ),
    (
        "a schema does not calculate",
        &[
            "needed whole milliseconds",
            "needed a whole number of milliseconds",
            "several consumers had room",
            "a scenario of more than",
        ],
    ),
];

/// How many files of the corpus the schema refuses at least.
const AT_LEAST: usize = 380;

#[test]
fn the_schema_of_vectors_refuses_what_a_schema_can_see() {
    let validator = validator(Name::Vectors);
    let mut refused = 0;
    let mut seen = Vec::new();
    let mut told: Vec<&str> = Vec::new();
    for file in files_below("tests/refused") {
        let is_yaml = file.extension().is_some_and(|extension| extension == "yaml");
        if !is_yaml || file.starts_with("tests/refused/accepted") {
            continue;
        }
        let text = read(&file);
        // What is no YAML, or has no form in JSON, comes to no schema.
        let Ok(value) = serde_yaml::from_str::<Json>(&text) else {
            continue;
        };
        if !validator.is_valid(&value) {
            refused += 1;
            continue;
        }
        let declared: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("# refused: "))
            .collect();
        let parts = UNSEEN.iter().flat_map(|(_, parts)| parts.iter().copied());
        let unseen: Vec<&str> = parts
            .filter(|part| declared.iter().any(|line| line.contains(part)))
            .collect();
        if unseen.is_empty() {
            seen.push(format!("{}: {}", file.display(), declared.join(" ")));
        }
        told.extend(unseen);
    }
    assert!(seen.is_empty(), "accepted, though a schema can see it: {seen:#?}");
    assert!(refused >= AT_LEAST, "{refused} refused, needed {AT_LEAST}");
    for (reason, parts) in UNSEEN {
        for part in parts {
            assert!(told.contains(part), "no file is said to have `{part}` ({reason})");
        }
    }
}
