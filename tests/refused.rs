//! Files that the loader must refuse, each at the place and for the reason that it declares (`tests/refused/README.md`).
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking, and a corpus that can't be read fails all of them"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io, slice};

use samewait::load::{LoadError, VectorSet};

const CORPUS: &str = "tests/refused";
const ACCEPTED: &str = "tests/refused/accepted";

/// How many files the corpus has at least: one that goes must be noticed.
const AT_LEAST: usize = 598;

/// How many lines of its control a refused file may leave out or write otherwise: all cases, at most.
const LONGEST_STRETCH: usize = 7;

/// One test for each folder of the corpus.
macro_rules! folders {
    ($($test:ident: $folder:literal,)*) => {
        const FOLDERS: &[&str] = &[$($folder),*];

        $(
            #[test]
            fn $test() {
                let deviations: Vec<String> = refused_in($folder).iter().filter_map(Refused::deviation).collect();
                assert_none(&deviations);
            }
        )*
    };
}

folders! {
    v01_top_level: "v01-top-level",
    v02_keys: "v02-keys",
    v03_ids: "v03-ids",
    v04_clauses_note_source: "v04-clauses-note-source",
    v05_controls: "v05-controls",
    v06_given: "v06-given",
    v07_expect: "v07-expect",
    v08_numbers: "v08-numbers",
    v09_not_finite: "v09-not-finite",
    v10_words: "v10-words",
    v11_texts: "v11-texts",
    v12_plain_yaml: "v12-plain-yaml",
    v15_long_schedules: "v15-long-schedules",
    v16_queue: "v16-queue",
    v17_samples: "v17-samples",
}

#[test]
fn controls_are_accepted() {
    match VectorSet::from_paths(&[PathBuf::from(ACCEPTED)]) {
        Ok(set) => assert_eq!(set.files, files_below(Path::new(ACCEPTED)).len()),
        Err(error) => panic!("{error}"),
    }
}

/// What is refused is the fault alone: without it, the file is its control.
#[test]
fn files_differ_from_their_controls_in_one_stretch() {
    let deviations: Vec<String> = corpus()
        .iter()
        .filter_map(|refused| {
            let control = refused.control()?;
            let text = read(&control.path);
            let stretch = lines_rewritten(&text, &refused.text_with_ids_of(&control));
            let path = refused.path.display();
            match stretch {
                0 if refused.text_with_ids_of(&control) == text => Some(format!("{path}: no fault")),
                0..=LONGEST_STRETCH => None,
                _ => Some(format!(
                    "{path}: {stretch} lines of {} rewritten",
                    control.path.display()
                )),
            }
        })
        .collect();
    assert_none(&deviations);
}

#[test]
fn census() {
    let corpus = corpus();
    assert!(corpus.len() >= AT_LEAST, "{} files, needed {AT_LEAST}", corpus.len());

    let folders: BTreeSet<String> = corpus.iter().map(Refused::folder).collect();
    let tested: BTreeSet<String> = FOLDERS.iter().map(|&folder| folder.to_owned()).collect();
    assert_eq!(folders, tested, "folders, and those that have a test");

    let mut deviations = Vec::new();
    let mut texts: BTreeMap<String, PathBuf> = BTreeMap::new();
    for refused in corpus {
        let path = refused.path.display();
        if refused.declared.is_empty() {
            deviations.push(format!("{path}: nothing declared"));
        }
        let text = match refused.control() {
            Some(control) if !control.path.is_file() => {
                deviations.push(format!("{path}: no control {}", control.path.display()));
                continue;
            }
            Some(control) => refused.text_with_ids_of(&control),
            None => refused.text.clone(),
        };
        if let Some(twin) = texts.insert(text, refused.path.clone()) {
            deviations.push(format!("{path}: the same as {}", twin.display()));
        }
    }
    assert_none(&deviations);
}

/// One file with a fault does not hide the next.
#[test]
fn a_directory_reports_what_each_of_its_files_does() {
    for folder in FOLDERS {
        let one_by_one: Vec<String> = refused_in(folder)
            .iter()
            .flat_map(|refused| {
                let file = refused.path.display().to_string();
                let located = move |problem| format!("{file}:{problem}").replace("{file}", &file);
                problems(&refused.path).into_iter().map(located)
            })
            .collect();
        let at_once = match VectorSet::from_paths(&[Path::new(CORPUS).join(folder)]) {
            Err(LoadError::Problems(problems)) => problems.iter().map(ToString::to_string).collect(),
            Err(error) => vec![error.to_string()],
            Ok(_) => vec![],
        };
        assert_eq!(at_once, one_by_one, "{folder}");
    }
}

#[test]
fn v12_tabs() {
    let faults = [
        ("    note:", "\tnote:", "7:1"),
        ("    note:", "   \tnote:", "7:4"),
        ("    note:", "\t\n    note:", "7:1"),
        ("    note:", "    # The\tthird.\n    note:", "7:10"),
        ("note: ", "note:\t", "7:10"),
        ("third wait", "third\twait", "7:20"),
        ("twice.\n", "twice.\t\n", "7:57"),
        ("public/", "public\t/", "8:44"),
        ("B-3, ", "B-3,\t", "6:19"),
        ("[B-3, B-4]", "[B-3,\tB-4\t]", "6:19"),
    ];
    assert_refused(&faults.map(|(old, new, place)| (old, new, format!("{place}: a tab, needed blanks"))));
}

#[test]
fn v13_line_ends() {
    let carriage_return = |place| format!("{place}: a carriage return, needed lines that end in a line feed");
    let line_break = |place, code| format!("{place}: a line break {code}, needed lines that end in a line feed");
    let not_ended = "10:25: a last line without an end, needed a line feed";
    assert_refused(&[
        ("ask: backoff\n", "ask: backoff\r\n", carriage_return("2:13")),
        ("ask: backoff\n", "ask: backoff\r", carriage_return("2:13")),
        ("public/", "public\r/", carriage_return("8:44")),
        ("public/", "public\u{85}/", line_break("8:44", "U+0085")),
        ("public/", "public\u{2028}/", line_break("8:44", "U+2028")),
        ("public/", "public\u{2029}/", line_break("8:44", "U+2029")),
        // Some readers take what follows for the next line: a key that others never see.
        (
            "    note:",
            "    # So\u{2028}    skip: true\n    note:",
            line_break("7:9", "U+2028"),
        ),
        ("4.0}\n", "4.0}", not_ended.to_owned()),
    ]);
}

/// One problem for the file, not one for each of its lines.
#[test]
fn v13_a_file_from_another_system() {
    let directory = Directory::new();
    let path = directory.write("backoff/one.yaml", control().replace('\n', "\r\n"));
    let needed = "1:14: a carriage return, needed lines that end in a line feed";
    assert_eq!(problems(&path), [needed]);
}

#[test]
fn v13_characters() {
    let byte_order_mark = |place| format!("{place}: a byte order mark, needed none");
    let control_character = |place, code| format!("{place}: a control character {code}, needed none");
    assert_refused(&[
        ("area:", "\u{feff}area:", byte_order_mark("1:1")),
        ("ask:", "\u{feff}ask:", byte_order_mark("2:1")),
        ("public/", "public\u{feff}/", byte_order_mark("8:44")),
        ("public/", "public\0/", control_character("8:44", "U+0000")),
        ("public/", "public\u{7}/", control_character("8:44", "U+0007")),
        ("public/", "public\u{1b}/", control_character("8:44", "U+001B")),
        ("public/", "public\u{7f}/", control_character("8:44", "U+007F")),
        ("public/", "public\u{90}/", control_character("8:44", "U+0090")),
        ("    note:", "    #\0\n    note:", control_character("7:6", "U+0000")),
        ("    note:", "    #\u{c}\n    note:", control_character("7:6", "U+000C")),
    ]);
}

#[test]
fn bytes_that_are_no_utf_8() {
    let control = control();
    let utf_16 = format!("\u{feff}{control}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin_1 = [control.as_bytes(), b"# caf\xe9\n"].concat();
    let cut_off = [control.as_bytes(), b"# caf\xc3"].concat();
    let surrogate = [control.as_bytes(), b"# \xed\xa0\x80\n"].concat();
    for bytes in [utf_16, latin_1, cut_off, surrogate] {
        let directory = Directory::new();
        let path = directory.write("backoff/one.yaml", bytes);
        match VectorSet::from_paths(slice::from_ref(&path)) {
            Err(LoadError::Io { path: named, source }) => {
                assert_eq!(named, path);
                assert_eq!(source.kind(), io::ErrorKind::InvalidData);
            }
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("accepted"),
        }
    }
}

#[test]
fn files_with_nothing_in_them() {
    for text in ["", "\n", "  \n  \n", "# area: backoff\n"] {
        let directory = Directory::new();
        let path = directory.write("backoff/one.yaml", text);
        assert_eq!(problems(&path), ["1:1: an empty file, needed a mapping"], "{text:?}");
    }
}

/// The file's own name, as far as the rules go.
#[test]
fn v01_v03_names() {
    let control = control();
    let folder_needed = |folder| format!("1:1: area `backoff` in folder `{folder}`, needed the folder's name");
    let topic_needed =
        |topic| format!("1:1: topic `{topic}` in the file's name, needed lower-case letters, digits and hyphens");
    let names = [
        ("jitter", "one", folder_needed("jitter")),
        ("Backoff", "one", folder_needed("Backoff")),
        ("next-delay", "one", folder_needed("next-delay")),
        ("backoff/deeper", "one", folder_needed("deeper")),
        ("backoff", "One", topic_needed("One")),
        ("backoff", "the_one", topic_needed("the_one")),
        ("backoff", "the one", topic_needed("the one")),
        ("backoff", "one.two", topic_needed("one.two")),
        ("backoff", ".yaml", topic_needed(".yaml")),
    ];
    let directory = Directory::new();
    let deviations: Vec<String> = names
        .iter()
        .filter_map(|(folder, topic, needed)| {
            // The ids follow the name, so that nothing else is wrong.
            let area = folder.rsplit('/').next()?;
            let text = control.replace("backoff/one/", &format!("{area}/{topic}/"));
            let path = directory.write(&format!("{folder}/{topic}.yaml"), text);
            deviation(&format!("{folder}/{topic}"), slice::from_ref(needed), &problems(&path))
        })
        .collect();
    assert_none(&deviations);
}

#[test]
fn v03_an_id_in_several_files() {
    let text = control();
    let directory = Directory::new();
    let paths: Vec<PathBuf> = ["first", "second", "third"]
        .iter()
        .map(|root| directory.write(&format!("{root}/backoff/one.yaml"), text.clone()))
        .collect();
    let [first, second, third] = &paths[..] else {
        panic!("three files")
    };
    let id = "id `backoff/one/doubled-twice` a second time, needed a new one";
    let needed = [second, third].map(|again| {
        let (again, first) = (again.display(), first.display());
        format!("{again}:5:5: {id} (first at {first}:5:5)")
    });

    // Files are judged in the order of their names, whatever the order of the paths.
    for order in [[first, second, third], [third, first, second]] {
        let paths: Vec<PathBuf> = order.into_iter().cloned().collect();
        match VectorSet::from_paths(&paths) {
            Err(LoadError::Problems(found)) => {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                assert_eq!(found, needed);
            }
            Err(error) => panic!("{error}"),
            Ok(set) => panic!("accepted, with {} cases", set.cases.len()),
        }
    }
}

#[test]
fn a_file_named_twice_is_read_once() {
    let file = Path::new(ACCEPTED).join("backoff/one.yaml");
    let folder = Path::new(ACCEPTED).join("backoff");
    let files = files_below(&folder).len();
    let set = VectorSet::from_paths(&[file.clone(), folder, file]).expect("accepted files");
    assert_eq!(set.files, files);
}

#[test]
fn v15_the_longest_schedule_is_accepted() {
    let text = read(&Path::new(ACCEPTED).join("schedule/one.yaml"));
    let directory = Directory::new();
    let path = directory.write(
        "schedule/one.yaml",
        text.replace("max_attempts: 3", "max_attempts: 10000"),
    );
    assert_eq!(problems(&path), Vec::<String>::new());
}

#[test]
fn v17_the_longest_samples_are_accepted() {
    let text = read(&Path::new(ACCEPTED).join("jitter/sampled.yaml"));
    let directory = Directory::new();
    let path = directory.write("jitter/sampled.yaml", text.replace("count: 1024", "count: 20000"));
    assert_eq!(problems(&path), Vec::<String>::new());
}

/// The rate of false alarms is that of a whole run.
#[test]
fn v17_sixteen_cases_with_samples_are_accepted_and_no_more_in_all_files_together() {
    let file = |topic: &str, cases: usize| {
        let control = read(&Path::new(ACCEPTED).join("jitter/sampled.yaml"));
        let (head, rest) = control.split_once("  - id").expect("a first case");
        let (case, _) = rest.split_once("  - id").expect("a second case");
        let cases = (1..=cases).map(|number| format!("  - id{}", case.replace("a-fifth", &number.to_string())));
        [head.to_owned(), cases.collect()]
            .concat()
            .replace("/sampled/", &format!("/{topic}/"))
    };
    let directory = Directory::new();
    let first = directory.write("jitter/first.yaml", file("first", 16));
    assert_eq!(problems(&first), Vec::<String>::new());
    let second = directory.write("jitter/second.yaml", file("second", 2));
    let found = VectorSet::from_paths(&[first, second.clone()]).map(|set| set.cases.len());
    let needed = "18 cases that expect samples, needed at most 16 in all files together";
    match found {
        Err(error) => assert_eq!(error.to_string(), format!("{}:5:5: {needed}", second.display())),
        Ok(cases) => panic!("accepted, with {cases} cases"),
    }
}

/// A file that would be passed over in silence is a case that nobody runs.
#[test]
fn what_is_no_vector_file() {
    for name in [
        "README.md",
        "one.yml",
        "one.YAML",
        "one",
        "one.yaml~",
        ".hidden",
        "one.json",
    ] {
        let directory = Directory::new();
        let control = control();
        directory.write("backoff/one.yaml", control.clone());
        let path = directory.write(&format!("backoff/{name}"), control);
        let needed = format!(
            "{} is no vector file, needed <area>/<topic>.yaml or a directory of such files",
            path.display()
        );
        for paths in [directory.path(), path] {
            match VectorSet::from_paths(&[paths]) {
                Err(error @ LoadError::NoVectors { .. }) => assert_eq!(error.to_string(), needed),
                Err(error) => panic!("{name}: {error}"),
                Ok(_) => panic!("{name}: accepted"),
            }
        }
    }
}

#[test]
fn what_is_not_there() {
    let directory = Directory::new();
    for name in ["backoff", "backoff/one.yaml"] {
        let path = directory.path().join(name);
        match VectorSet::from_paths(&[PathBuf::from(ACCEPTED), path.clone()]) {
            Err(LoadError::Io { path: named, source }) => {
                assert_eq!(named, path);
                assert_eq!(source.kind(), io::ErrorKind::NotFound);
            }
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("accepted"),
        }
    }
}

/// A file of the corpus.
struct Refused {
    path: PathBuf,
    /// The problems it declares, as `line:column: text`.
    declared: Vec<String>,
    /// The control it names, as `area/topic`, or `nothing`.
    otherwise: String,
    /// What follows the declarations.
    text: String,
}

/// The accepted file that a refused one is otherwise equal to.
struct Control {
    path: PathBuf,
    /// What its ids start with.
    prefix: String,
}

impl Refused {
    fn read(path: PathBuf) -> Self {
        let text = read(&path);
        let mut rest = text.as_str();
        let mut declarations = |prefix| {
            let mut found = Vec::new();
            while let Some((declared, after)) = rest.strip_prefix(prefix).and_then(|after| after.split_once('\n')) {
                found.push(declared.to_owned());
                rest = after;
            }
            found
        };
        let declared = declarations("# refused: ");
        let otherwise = declarations("# otherwise: ").concat();
        Self {
            declared,
            otherwise,
            text: rest.to_owned(),
            path,
        }
    }

    fn folder(&self) -> String {
        let below = self.path.strip_prefix(CORPUS).expect("a path in the corpus");
        let folder = below.iter().next().expect("a folder");
        folder.to_string_lossy().into_owned()
    }

    fn control(&self) -> Option<Control> {
        (self.otherwise != "nothing").then(|| Control {
            path: Path::new(ACCEPTED).join(&self.otherwise).with_extension("yaml"),
            prefix: format!("{}/", self.otherwise),
        })
    }

    fn text_with_ids_of(&self, control: &Control) -> String {
        let name = self.path.with_extension("");
        let names: Vec<_> = name.iter().map(|name| name.to_string_lossy()).collect();
        let [.., area, topic] = &names[..] else {
            panic!("{} is in no area", self.path.display())
        };
        self.text.replace(&format!("{area}/{topic}/"), &control.prefix)
    }

    fn deviation(&self) -> Option<String> {
        deviation(&self.path.display().to_string(), &self.declared, &problems(&self.path))
    }
}

/// A directory that goes when the test ends.
struct Directory(tempfile::TempDir);

impl Directory {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary directory"))
    }

    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        let folder = path.parent().expect("a folder");
        fs::create_dir_all(folder).expect("a folder can be made");
        fs::write(&path, content).expect("a file can be written");
        path
    }
}

/// The problems of one file, as `line:column: text`; none when it is accepted.
fn problems(path: &Path) -> Vec<String> {
    let file = path.display().to_string();
    match VectorSet::from_paths(&[path.to_owned()]) {
        Ok(_) => vec![],
        Err(LoadError::Problems(problems)) => problems
            .iter()
            .map(|problem| {
                assert_eq!(problem.place.file, file, "{problem}");
                let (line, column) = (problem.place.line, problem.place.column);
                format!("{line}:{column}: {}", problem.text.replace(&file, "{file}"))
            })
            .collect(),
        Err(error) => vec![error.to_string()],
    }
}

/// What is not as declared, if something is not.
fn deviation(name: &str, declared: &[String], found: &[String]) -> Option<String> {
    let is_declared = |(found, declared): (&String, &String)| match declared.split_once('…') {
        None => found == declared,
        Some((before, after)) => {
            found.len() >= before.len() + after.len() && found.starts_with(before) && found.ends_with(after)
        }
    };
    if found.len() == declared.len() && found.iter().zip(declared).all(is_declared) {
        return None;
    }
    let listed = |problems: &[String]| match problems {
        [] => "nothing: the file is accepted".to_owned(),
        problems => problems.join("\n            "),
    };
    Some(format!(
        "{name}\n  declared  {}\n  found     {}",
        listed(declared),
        listed(found)
    ))
}

/// The accepted file that the faults in this file are put into.
fn control() -> String {
    read(&Path::new(ACCEPTED).join("backoff/one.yaml"))
}

/// Writes one thing in the control otherwise, and then needs this one problem: `(old, new, problem)`.
fn assert_refused(faults: &[(&str, &str, String)]) {
    let control = control();
    let deviations: Vec<String> = faults
        .iter()
        .filter_map(|(old, new, needed)| {
            assert_eq!(control.matches(old).count(), 1, "{old}");
            let directory = Directory::new();
            let path = directory.write("backoff/one.yaml", control.replace(old, new));
            let name = format!("{new:?} instead of {old:?}");
            deviation(&name, slice::from_ref(needed), &problems(&path))
        })
        .collect();
    assert_none(&deviations);
}

fn assert_none(deviations: &[String]) {
    assert!(
        deviations.is_empty(),
        "{} deviations:\n\n{}\n",
        deviations.len(),
        deviations.join("\n\n")
    );
}

/// How many lines of `before` are left out or written otherwise in `after`, if that is done in one stretch.
fn lines_rewritten(before: &str, after: &str) -> usize {
    let before: Vec<&str> = before.lines().collect();
    let after: Vec<&str> = after.lines().collect();
    let shorter = before.len().min(after.len());
    let head = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
    let tails = before.iter().rev().zip(after.iter().rev()).take(shorter - head);
    before.len() - head - tails.take_while(|(a, b)| a == b).count()
}

fn corpus() -> Vec<Refused> {
    files_below(Path::new(CORPUS))
        .into_iter()
        .filter(|path| !path.starts_with(ACCEPTED) && path.extension().is_some_and(|extension| extension == "yaml"))
        .map(Refused::read)
        .collect()
}

fn refused_in(folder: &str) -> Vec<Refused> {
    corpus()
        .into_iter()
        .filter(|refused| refused.folder() == folder)
        .collect()
}

/// Every file below a directory, by name.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory that can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry that can be read").path())
        .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
        .collect();
    files.sort();
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
