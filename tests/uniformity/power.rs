//! How many samples show which defect: measured, and held against the tables in the specification.
//!
//! `SAMEWAIT_WRITE_TABLES=1 cargo test --release --test uniformity power` writes them anew. Without optimisation only the columns of small
//! samples are measured.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use samewait::uniformity::{are_same_draws, examine};
use samewait::zoo::samplers::{self, Sampler, Setting, Sign};
use samewait::{Policy, PolicyFields};

use super::draws::{Bits, Jitter, Rounding, Source};

const CHAPTER: &str = "spec/statistics.md";

const SIZES: [usize; 5] = [1024, 2000, 5000, 10_000, 20_000];

/// Runs for each defect and size.
const RUNS: u32 = 20;

/// A constant delay at its cap, other than the initial one: the setting in which every defect of the zoo shows.
fn setting() -> Setting {
    let fields = PolicyFields {
        initial_delay: 1.0,
        multiplier: 1.0,
        max_delay: 10.0,
        jitter_factor: 0.2,
        ..PolicyFields::default()
    };
    Setting {
        policy: Policy::new(fields).expect("a policy"),
        delay: 10.0,
    }
}

fn jitter(unit: Option<f64>) -> Jitter {
    Jitter {
        delay: 10.0,
        factor: 0.2,
        unit,
    }
}

/// The samples of a fresh process.
fn samples(sampler: &Sampler, unit: Option<f64>, count: usize, seed: u64) -> Vec<f64> {
    let mut source = Source::new(seed);
    let mut next = sampler.start(setting());
    let jitter = jitter(unit);
    let mut sample = || jitter.in_units(next(&mut || source.draw(Bits::Double)), Rounding::Nearest);
    (0..count).map(|_| sample()).collect()
}

/// How often an alarm was raised, and which first.
#[derive(Default)]
struct Power {
    alarms: u32,
    first: BTreeMap<String, u32>,
}

fn power(sampler: &Sampler, unit: Option<f64>, count: usize) -> Power {
    let mut power = Power::default();
    for run in 0..RUNS {
        if let Some(check) = alarm(sampler, unit, count, u64::from(run)) {
            power.alarms += 1;
            *power.first.entry(check).or_default() += 1;
        }
    }
    power
}

fn alarm(sampler: &Sampler, unit: Option<f64>, count: usize, seed: u64) -> Option<String> {
    let first = samples(sampler, unit, count, seed);
    if let Err(flaw) = examine(&first, &jitter(unit).interval()) {
        return Some(flaw.check.to_string());
    }
    let second = samples(sampler, unit, count, seed + 1_000_000);
    are_same_draws(&first, &second).then(|| "two processes".to_owned())
}

/// One row for each defect: the share of runs with an alarm at each of the first `columns` sizes, and the check that was mostly the first at
/// the smallest size with an alarm.
fn table(unit: Option<f64>, columns: usize) -> String {
    let sizes = SIZES.map(|size| size.to_string()).join(" | ");
    let mut text = format!("| defect | {sizes} | first alarm |\n|---|---|---|---|---|---|---|\n");
    for sampler in samplers::all() {
        let powers: Vec<Power> = SIZES[..columns]
            .iter()
            .map(|&size| power(&sampler, unit, size))
            .collect();
        let shares: Vec<String> = powers
            .iter()
            .map(|power| format!("{} %", power.alarms * 100 / RUNS))
            .collect();
        let first = powers
            .iter()
            .find_map(|power| power.first.iter().max_by_key(|(_, count)| **count));
        let first = first.map_or("-", |(check, _)| check.as_str());
        writeln!(text, "| `{}` | {} | {first} |", sampler.name, shares.join(" | ")).expect("a string");
    }
    text
}

/// What each defect is, and its report.
fn defects() -> String {
    let mut text = "| defect | what is wrong | report |\n|---|---|---|\n".to_owned();
    for sampler in samplers::all() {
        let report = sampler.report.unwrap_or("-");
        writeln!(text, "| `{}` | {} | {report} |", sampler.name, sampler.about).expect("a string");
    }
    text
}

/// Where the marks of a generated part end and begin in the chapter.
fn marks(name: &str) -> (String, String) {
    (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"))
}

fn written(name: &str) -> String {
    let chapter = fs::read_to_string(CHAPTER).expect("the chapter");
    let (begin, end) = marks(name);
    let (_, rest) = chapter.split_once(&begin).expect("the begin mark");
    let (found, _) = rest.split_once(&end).expect("the end mark");
    found.to_owned()
}

/// What is written is what was generated now, or becomes it.
fn hold(name: &str, generated: &str) {
    let found = written(name);
    if std::env::var_os("SAMEWAIT_WRITE_TABLES").is_some() {
        let chapter = fs::read_to_string(CHAPTER).expect("the chapter");
        let (begin, end) = marks(name);
        let (found, generated) = (format!("{begin}{found}{end}"), format!("{begin}{generated}{end}"));
        fs::write(CHAPTER, chapter.replace(&found, &generated)).expect("the chapter is written");
    } else {
        assert_eq!(found, generated, "{STALE}");
    }
}

const STALE: &str = "stale: run SAMEWAIT_WRITE_TABLES=1 cargo test --release --test uniformity power";

#[test]
#[cfg_attr(debug_assertions, ignore = "takes a minute without optimisation")]
fn the_tables_are_what_is_measured() {
    hold("defects", &defects());
    hold("power, exact", &table(None, SIZES.len()));
    hold("power, 1ms", &table(Some(1e-3), SIZES.len()));
}

#[test]
fn the_columns_of_small_samples_are_what_is_measured() {
    if std::env::var_os("SAMEWAIT_WRITE_TABLES").is_some() {
        return;
    }
    assert_eq!(written("defects"), defects(), "{STALE}");
    for (name, unit) in [("power, exact", None), ("power, 1ms", Some(1e-3))] {
        assert_eq!(beginnings(&written(name)), beginnings(&table(unit, SMALL)), "{STALE}");
    }
}

/// The columns that are measured without optimisation.
const SMALL: usize = 2;

/// Of each row the defect's name and the small columns.
fn beginnings(table: &str) -> Vec<Vec<&str>> {
    let rows = table.lines().skip(2);
    rows.map(|row| row.split(" | ").take(SMALL + 1).collect()).collect()
}

#[test]
fn each_defect_shows_as_it_says() {
    for sampler in samplers::all() {
        let first = samples(&sampler, None, 10_000, 7);
        let second = samples(&sampler, None, 10_000, 8);
        let found = (
            examine(&first, &jitter(None).interval()).is_err(),
            are_same_draws(&first, &second),
        );
        match sampler.sign {
            Sign::Samples => assert!(found.0, "{}", sampler.name),
            Sign::Processes => assert_eq!(found, (false, true), "{}", sampler.name),
            Sign::Hidden => assert_eq!(found, (false, false), "{}", sampler.name),
        }
    }
}

#[test]
fn names_are_unique() {
    let all = samplers::all();
    let names: BTreeSet<&str> = all.iter().map(|sampler| sampler.name).collect();
    assert_eq!(names.len(), all.len());
}
