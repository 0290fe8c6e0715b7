//! Libraries that count in units of their own: less than one unit is no difference, and one unit is.
//!
//! What fails is shrunk, and its seed is kept in `units.regressions` next to this file.

use std::time::Duration;

use samewait::arbitrary;
use samewait::laws::{self, Delay, Failure, Resolution};

use super::subject::{SOUND, Subject, sound};

/// Milliseconds, rounded at the edge of the library alone.
const MILLISECONDS: Subject = Subject {
    file: Some(file!()),
    resolution: Resolution::Millisecond,
    delay: |seconds| Duration::from_millis(samewait::Millis::nearest(seconds).count()).into(),
    ..SOUND
};

/// Durations of the standard library.
const NANOSECONDS: Subject = Subject {
    file: Some(file!()),
    resolution: Resolution::Nanosecond,
    delay: |seconds| Duration::from_secs_f64(seconds).into(),
    ..SOUND
};

fn check_all(subject: &Subject) -> Result<(), Failure> {
    laws::policy::check(subject)?;
    laws::fields::check(subject)?;
    laws::fields::check_copies(subject)?;
    laws::backoff::check(subject)?;
    laws::schedule::check(subject)?;
    laws::schedule::check_against_backoff(subject)?;
    laws::next_delay::check(subject)?;
    laws::next_delay::check_against_backoff(subject)?;
    laws::jitter::check(subject)?;
    laws::ladder::check(subject)?;
    laws::rung_for::check(subject)?;
    laws::queue::check(subject)
}

#[test]
fn milliseconds_rounded_at_the_edge_obey_every_law() -> Result<(), Failure> {
    check_all(&MILLISECONDS)
}

#[test]
fn durations_rounded_at_the_edge_obey_every_law() -> Result<(), Failure> {
    check_all(&NANOSECONDS)
}

#[test]
fn seconds_stand_for_the_nearest_count() -> Result<(), Failure> {
    let resolution = Resolution::Microsecond;
    check_all(&Subject {
        file: Some(file!()),
        resolution,
        ..SOUND
    })
}

#[test]
fn one_unit_is_a_difference() {
    let one_more = |seconds| Delay::Duration(Duration::from_millis(samewait::Millis::nearest(seconds).count() + 1));
    let subject = Subject {
        file: None,
        delay: one_more,
        ..MILLISECONDS
    };
    let failure = laws::backoff::check(&subject).expect_err("one unit too many");
    assert!(
        failure.of("backoff::the_first_is_the_initial_delay").is_some(),
        "{failure}"
    );
    assert!(failure.of("backoff::agrees").is_some(), "{failure}");
}

#[test]
fn products_rounded_on_the_way_are_found() {
    let subject = Subject {
        file: None,
        backoff: |fields, attempt| {
            let ceiling = sound(fields).ceiling();
            let mut delay = fields.initial_delay;
            for _ in 1..attempt.min(arbitrary::MANY.into()) {
                delay = samewait::Millis::nearest((delay * fields.multiplier).min(ceiling)).seconds();
            }
            Ok(delay.min(ceiling))
        },
        ..MILLISECONDS
    };
    let failure = laws::backoff::check(&subject).expect_err("rounded at every step");
    assert!(failure.of("backoff::agrees").is_some(), "{failure}");
}

#[test]
fn what_can_hardly_be_asked_fails() {
    struct Mute;

    impl laws::Subject for Mute {
        type Policy = ();

        fn resolution(&self) -> Resolution {
            Resolution::Exact
        }

        fn build(&self, _: &samewait::PolicyFields) -> Result<(), laws::Refused> {
            Err(laws::Refused::unsupported("it can do nothing"))
        }
    }

    let failure = laws::policy::check(&Mute).expect_err("nothing was checked");
    let message = failure.to_string();
    assert!(
        message.contains("was hardly checked") && message.contains("it can do nothing"),
        "{message}"
    );
}

#[test]
fn a_panic_is_told_with_the_law_and_the_input() {
    let subject = Subject {
        backoff: |fields, attempt| {
            assert!(attempt < 40, "attempt to multiply with overflow");
            (SOUND.backoff)(fields, attempt)
        },
        ..SOUND
    };
    let failure = laws::backoff::check(&subject).expect_err("it panics");
    let message = failure
        .of("backoff::never_falls")
        .expect("that law asks for large attempts");
    assert!(
        message.contains("attempt to multiply with overflow") && message.contains("PolicyFields"),
        "{message}"
    );
}
