//! Where vector files come from: the binary, or a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::{LoadError, Source};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/vectors");

/// The vectors in the binary, by name.
pub(super) fn embedded() -> Vec<Source> {
    let mut sources: Vec<Source> = EMBEDDED
        .dirs()
        .flat_map(Dir::files)
        .filter_map(|file| {
            let name = format!("vectors/{}", file.path().display());
            let text = file.contents_utf8()?.to_owned();
            Some(Source { name, text })
        })
        .collect();
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources
}

/// The vectors below paths, each file once, by name.
pub(super) fn below(paths: &[PathBuf]) -> Result<Vec<Source>, LoadError> {
    let mut files = Vec::new();
    for path in paths {
        collect(path, &mut files)?;
    }
    files.sort();
    files.dedup();
    files.into_iter().map(read).collect()
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let unreadable = |source| LoadError::Io {
        path: path.to_owned(),
        source,
    };
    if fs::metadata(path).map_err(unreadable)?.is_dir() {
        let entries: io::Result<Vec<_>> = fs::read_dir(path).map_err(unreadable)?.collect();
        for entry in entries.map_err(unreadable)? {
            collect(&entry.path(), files)?;
        }
        Ok(())
    } else if path.extension().is_some_and(|extension| extension == "yaml") {
        files.push(path.to_owned());
        Ok(())
    } else {
        // A file that would be passed over in silence is a case that nobody runs.
        Err(LoadError::NoVectors { path: path.to_owned() })
    }
}

/// Reads one file.
pub(super) fn read(path: PathBuf) -> Result<Source, LoadError> {
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Source {
            name: path.display().to_string(),
            text,
        }),
        Err(source) => Err(LoadError::Io { path, source }),
    }
}
