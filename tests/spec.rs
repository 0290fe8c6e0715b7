//! The specification against the vectors and the reference: what binds has a number, each number has a case, each example runs.

#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;

mod spec {
    mod clauses;
    mod examples;
    mod labels;
}

/// The chapters, each with its file's name.
fn chapters() -> Vec<(String, &'static str)> {
    let mut paths: Vec<_> = fs::read_dir("spec")
        .expect("the specification")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with('0'))
        })
        .collect();
    paths.sort();
    assert!(paths.len() >= 9, "chapters: {paths:?}");
    let chapter = |path: &std::path::PathBuf| {
        let text: &'static str = fs::read_to_string(path).expect("a chapter").leak();
        (path.display().to_string(), text)
    };
    paths.iter().map(chapter).collect()
}
