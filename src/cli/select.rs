//! Which cases a command is about.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::{Error, Selection};
use crate::case::Case;
use crate::load::VectorSet;

/// The vectors that the flags name.
pub(super) fn load(selection: &Selection) -> Result<VectorSet, Error> {
    Ok(match &selection.vectors {
        Some(directory) => VectorSet::from_paths(std::slice::from_ref(directory))?,
        None => VectorSet::embedded()?,
    })
}

/// What `explain` needs to find the same vectors.
pub(super) fn hint(selection: &Selection) -> String {
    let directory = selection.vectors.as_ref();
    directory.map_or(String::new(), |directory| format!(" --vectors {}", directory.display()))
}

/// The cases that match the filters; all where there are none.
pub(super) fn filter<'a>(set: &'a VectorSet, selection: &Selection) -> Result<Vec<&'a Case>, Error> {
    let globs = globs("--filter", &selection.filter)?;
    let is_selected = |case: &&Case| selection.filter.is_empty() || globs.is_match(&case.id);
    let cases: Vec<&Case> = set.cases.iter().filter(is_selected).collect();
    if cases.is_empty() {
        let filter = selection.filter.join(" or ");
        return Err(Error::NothingSelected { filter });
    }
    Ok(cases)
}

/// The name that shares the longest beginning with what was typed, if that is more than its first part.
pub(super) fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    let shared = |name: &str| name.bytes().zip(typed.bytes()).take_while(|(a, b)| a == b).count();
    let nearest = names.max_by_key(|name| shared(name))?;
    let first_part = nearest.find(['/', '-'])? + 1;
    (shared(nearest) > first_part).then(|| nearest.to_owned())
}

/// A `*` also matches `/`, so that `backoff/*` and `*cap*` select what they seem to.
pub(super) fn globs(flag: &str, globs: &[String]) -> Result<GlobSet, Error> {
    let mut set = GlobSetBuilder::new();
    for text in globs {
        let glob = GlobBuilder::new(text)
            .build()
            .map_err(|error| Error::Usage(format!("{flag} {text}: {}", error.kind())))?;
        set.add(glob);
    }
    set.build().map_err(|error| Error::Usage(format!("{flag}: {error}")))
}
