//! The schemas in `spec/schema/`, and every file of the repository that they are about.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, and files that can't be read fail all of them"
)]

use std::fs;
use std::path::{Path, PathBuf};

use common::{PYTHON, Run, kit};
use jsonschema::Validator;
use samewait::schema::Name;
use serde_json::Value as Json;

mod common;
#[path = "schema/files.rs"]
mod files;
#[path = "schema/messages.rs"]
mod messages;
#[path = "schema/refused.rs"]
mod refused;
#[path = "schema/reports.rs"]
mod reports;

const DIRECTORY: &str = "spec/schema";

/// `samewait schema --out spec/schema` writes them.
#[test]
fn files_are_as_the_types_are() {
    let mut names: Vec<String> = Name::ALL.map(Name::file).to_vec();
    names.sort();
    let files: Vec<String> = files_below(DIRECTORY).iter().map(|path| file_name(path)).collect();
    assert_eq!(files, names);
    for name in Name::ALL {
        let text = read(&Path::new(DIRECTORY).join(name.file()));
        assert!(
            text == name.text(),
            "{} is stale: samewait schema --out {DIRECTORY}",
            name.file()
        );
    }
}

#[test]
fn each_is_a_schema_that_says_what_it_is() {
    for name in Name::ALL {
        let schema = name.schema();
        if let Err(error) = jsonschema::meta::validate(&schema) {
            panic!("{}: {error}", name.name());
        }
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$id"], format!("urn:samewait:schema:{}:1", name.name()));
        assert!(schema["description"].is_string(), "{} has no description", name.name());
        let bare = undescribed(&schema, name.name());
        assert!(bare.is_empty(), "without a description: {bare:#?}");
    }
}

#[test]
fn vector_files_keep_theirs() {
    let validator = validator(Name::Vectors);
    let directories = [
        "vectors",
        "tests/refused/accepted",
        "tests/fakes/vectors",
        "tests/fakes/samples",
    ];
    let files: Vec<PathBuf> = directories.into_iter().flat_map(files_below).collect();
    assert!(files.len() > 80, "{} files", files.len());
    for file in files {
        assert_valid(&validator, &yaml(&file), &file.display().to_string());
    }
}

/// The first line is the one by which an editor finds the schema.
#[test]
fn files_name_their_schemas() {
    let mut files: Vec<(PathBuf, Name)> = vec![(PathBuf::from("samewait.yaml"), Name::Config)];
    files.extend(files_below("vectors").into_iter().map(|file| (file, Name::Vectors)));
    for (file, name) in files {
        let text = read(&file);
        let first = text.lines().next().unwrap_or("");
        let schema = first.strip_prefix("# yaml-language-server: $schema=");
        let schema = schema.unwrap_or_else(|| panic!("{}: `{first}`, needed the schema", file.display()));
        let found = fs::canonicalize(file.parent().expect("a folder").join(schema)).expect("a schema that is there");
        let needed = fs::canonicalize(Path::new(DIRECTORY).join(name.file())).expect("the schema");
        assert_eq!(found, needed, "{}", file.display());
    }
}

#[test]
fn the_command_lists_prints_and_writes_them() {
    let names = Run::of(&mut kit(["schema"]));
    assert_eq!(names.code, 0);
    let listed: Vec<&str> = names
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(listed, Name::ALL.map(Name::name));

    let one = Run::of(&mut kit(["schema", "vectors"]));
    assert_eq!((one.code, one.stdout), (0, Name::Vectors.text()));

    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path().join("new");
    let path = out.to_str().expect("a path in UTF-8");
    assert_eq!(Run::of(&mut kit(["schema", "vectors", "--out", path])).code, 0);
    assert_eq!(files_below(&out), [out.join("vectors.schema.json")]);
    assert_eq!(Run::of(&mut kit(["schema", "--out", path])).code, 0);
    for name in Name::ALL {
        assert_eq!(read(&out.join(name.file())), name.text());
    }

    let unknown = Run::of(&mut kit(["schema", "vector"]));
    assert_eq!(unknown.code, 2);
    for name in Name::ALL {
        assert!(unknown.stderr.contains(name.name()), "{}", unknown.stderr);
    }
}

/// Every property, and every definition, that an editor would show without a word.
fn undescribed(schema: &Json, path: &str) -> Vec<String> {
    let mut bare = Vec::new();
    match schema {
        Json::Object(keys) => {
            for (key, value) in keys {
                let path = format!("{path}/{key}");
                if key == "properties" && !path.contains("/if/") && !path.contains("/then/") && !path.contains("/else/")
                {
                    let properties = value.as_object().expect("properties");
                    // A choice with one key is described itself.
                    let is_choice = properties.len() == 1 && keys.contains_key("description");
                    for (name, property) in properties.iter().filter(|_| !is_choice) {
                        if property.get("description").is_none() && property.get("const").is_none() {
                            bare.push(format!("{path}/{name}"));
                        }
                    }
                }
                bare.extend(undescribed(value, &path));
            }
        }
        Json::Array(items) => bare.extend(items.iter().flat_map(|item| undescribed(item, path))),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
    bare
}

/// A value in which one thing is otherwise, below a JSON pointer.
fn with(value: &Json, pointer: &str, key: &str, other: Json) -> Json {
    let mut value = value.clone();
    value.pointer_mut(pointer).expect("a value")[key] = other;
    value
}

/// A value in which one thing is missing, below a JSON pointer.
fn without(value: &Json, pointer: &str, key: &str) -> Json {
    let mut value = value.clone();
    let object = value
        .pointer_mut(pointer)
        .and_then(Json::as_object_mut)
        .expect("an object");
    object.remove(key).expect("the key");
    value
}

fn validator(name: Name) -> Validator {
    jsonschema::validator_for(&name.schema()).expect("a schema")
}

fn assert_valid(validator: &Validator, value: &Json, what: &str) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

fn yaml(path: &Path) -> Json {
    serde_yaml::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below a directory, by name.
fn files_below(directory: impl AsRef<Path>) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory that can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry that can be read").path())
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
        .collect();
    files.sort();
    files
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
