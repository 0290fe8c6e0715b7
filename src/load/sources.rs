//! Where vector files come from: the binary, or a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::{LoadError, Source, read_text};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/vectors");

/// The vectors in the binary, by name.
pub(super) fn embedded() -> Vec<Source> {
    let mut sources: Vec<Source> = EMBEDDED
        .dirs()
        .flat_map(Dir::files)
        .filter_map(|file| {
            let path = Path::new("vectors").join(file.path());
            Some(Source {
                name: path.display().to_string(),
                path,
                text: file.contents_utf8()?.to_owned(),
            })
        })
        .collect();
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    sources
}

/// The vectors below paths, each file once, by name.
pub(super) fn below(paths: &[PathBuf]) -> Result<Vec<Source>, LoadError> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        collect(path, &mut files)?;
        if files.len() == before {
            return Err(LoadError::Empty { path: path.clone() });
        }
    }
    files.sort();
    let mut sources: Vec<Source> = Vec::new();
    for file in files {
        let source = read(&file)?;
        // One file may have been named in two ways.
        if sources.iter().all(|known| known.path != source.path) {
            sources.push(source);
        }
    }
    Ok(sources)
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), LoadError> {
    let unreadable = |source| LoadError::unreadable(path, source);
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
pub(super) fn read(file: &Path) -> Result<Source, LoadError> {
    Ok(Source {
        name: file.display().to_string(),
        path: fs::canonicalize(file).map_err(|source| LoadError::unreadable(file, source))?,
        text: read_text(file)?,
    })
}
