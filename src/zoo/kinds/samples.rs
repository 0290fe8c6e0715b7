//! Draws of a library's own that are not what J-9 asks for: the samplers that real libraries had, as ports.

use crate::wire::Resolution;
use crate::zoo::samplers::{ALL, Sampler};
use crate::zoo::{Bug, Rules};

pub(super) const BUGS: &[Bug] = &[
    bug("samples-upwards-only", &["J-4", "J-13"]),
    bug("samples-downwards-only", &["J-4", "J-13"]),
    bug("samples-clamped-at-the-cap", &["J-5", "J-13"]),
    bug("samples-full-jitter", &["J-1", "J-12"]),
    bug("samples-full-jitter-doubled", &["J-1", "J-12"]),
    bug("samples-equal-jitter", &["J-1", "J-12"]),
    bug("samples-no-jitter", &["J-10", "J-13"]),
    bug("samples-collapsed", &["J-9", "J-13"]),
    bug("samples-off-at-multiplier-1", &["J-1", "J-13"]),
    bug("samples-width-of-the-initial-delay", &["J-5", "J-12"]),
    bug("samples-compounding", &["J-6", "J-12"]),
    bug("samples-whole-seconds", &["J-2", "J-18"]),
    bug("samples-clock-seeded", &["J-9", "J-17"]),
    bug("samples-fixed-seed", &["J-9", "J-20"]),
];

/// The sampler of that name, without the `samples-` in front, as a port.
const fn bug(name: &'static str, clauses: &'static [&'static str]) -> Bug {
    let sampler = find(name.as_bytes());
    let source = match sampler.report {
        Some(report) => report,
        None => "",
    };
    Bug {
        name,
        about: sampler.about,
        source,
        clauses,
        resolution: Resolution::Exact,
        rules: Rules {
            sampler: sampler.start,
            ..Rules::AS_SPECIFIED
        },
    }
}

/// The sampler that a name ends in. It is looked for while this crate is compiled.
#[expect(clippy::panic, reason = "an error of the compiler, as it is meant to be")]
const fn find(name: &[u8]) -> Sampler {
    let mut list = 0;
    while list < ALL.len() {
        let mut place = 0;
        while place < ALL[list].len() {
            let sampler = ALL[list][place];
            if is_same(name.split_at("samples-".len()).1, sampler.name.as_bytes()) {
                return sampler;
            }
            place += 1;
        }
        list += 1;
    }
    panic!("no sampler of that name")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut place = 0;
    while place < one.len() && place < other.len() && one[place] == other[place] {
        place += 1;
    }
    place == one.len() && place == other.len()
}
