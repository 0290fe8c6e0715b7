//! The laws of jitter (chapter 4), for a library that takes its draw as an argument.
//!
//! A library that makes its draws itself can answer [`HasJitter`] with whatever it draws, and put itself to
//! [`stays_in_its_range`] and [`without_a_factor_nothing_moves`] alone.

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::law::Law;
use super::measure::{at_most, reported, same, seconds, unit};
use super::reply::Refused;
use super::run::{Failure, Run};
use super::subject::HasJitter;
use crate::answer::Value;
use crate::arbitrary::{any_real, between, draw, duration_in, in_units};
use crate::judge::Number;
use crate::policy::{Policy, PolicyFields};
use crate::question::{JitterQuestion, Question, Real};

/// All of them.
pub const LAWS: &[Law] = &[RANGE, ENDS, SYMMETRIC, RISES, NONE, CAP, REFUSED, AGREES];

const RANGE: Law = Law {
    name: "jitter::stays_in_its_range",
    clauses: &["J-1", "J-5"],
    advice: "the width of the jitter: the factor is how far a delay moves to either side, not the whole width",
};

const ENDS: Law = Law {
    name: "jitter::the_draws_0_and_a_half",
    clauses: &["J-1", "J-4"],
    advice: "where draws are put: 0 is the lower end, one half is the delay itself",
};

const SYMMETRIC: Law = Law {
    name: "jitter::is_symmetric",
    clauses: &["J-4"],
    advice: "jitter that only adds, only takes away, or is cut off at one end",
};

const RISES: Law = Law {
    name: "jitter::a_higher_draw_waits_no_shorter",
    clauses: &["J-1"],
    advice: "the sign of the draw, and draws that are rounded or hashed",
};

const NONE: Law = Law {
    name: "jitter::without_a_factor_nothing_moves",
    clauses: &["J-3", "P-6"],
    advice: "a factor of 0 that is read as not given, and replaced by a default",
};

const CAP: Law = Law {
    name: "jitter::only_the_factor_counts",
    clauses: &["J-5"],
    advice: "a cap that is applied to the jittered delay, or to the delay before it is jittered",
};

const REFUSED: Law = Law {
    name: "jitter::odd_arguments_are_refused",
    clauses: &["J-7"],
    advice: "the checks: first the delay (0 to HORIZON), then the draw (0 or more, less than 1), also when nothing moves",
};

const AGREES: Law = Law {
    name: "jitter::agrees",
    clauses: &["J-1", "J-2"],
    advice: "the order of the operations of J-1, each rounded on its own",
};

/// Every law of this module, on random policies, delays and draws.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasJitter>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let resolution = subject.resolution();
    let asked = || (subject.policies(), duration_in(resolution));
    let one = (asked(), draw());
    run.law(&RANGE, &one, |((fields, delay), draw)| {
        stays_in_its_range(subject, fields, delay, draw)
    });
    run.law(&ENDS, &asked(), |(fields, delay)| {
        the_draws_0_and_a_half(subject, fields, delay)
    });
    // Such a draw can be taken from 1 without rounding: it is a whole number of 2^-52.
    let whole_steps = between(1.0_f64.next_up(), 2.0_f64.next_down()).prop_map(|number| number - 1.0);
    run.law(&SYMMETRIC, &(asked(), whole_steps), |((fields, delay), draw)| {
        is_symmetric(subject, fields, delay, draw)
    });
    run.law(&RISES, &(asked(), draw(), draw()), |((fields, delay), one, other)| {
        a_higher_draw_waits_no_shorter(subject, fields, delay, one, other)
    });
    run.law(&NONE, &one, |((fields, delay), draw)| {
        without_a_factor_nothing_moves(subject, fields, delay, draw)
    });
    run.law(
        &CAP,
        &(asked(), draw(), subject.policies()),
        |((fields, delay), draw, other)| only_the_factor_counts(subject, fields, delay, draw, other),
    );
    let odd_delay = any_real(duration_in(resolution)).prop_map(move |delay| in_units(delay, resolution));
    let odd = (subject.policies(), odd_delay, any_real(draw()));
    run.law(&REFUSED, &odd, |(fields, delay, draw)| {
        odd_arguments_are_refused(subject, fields, delay, draw)
    });
    run.law(&AGREES, &one, |((fields, delay), draw)| {
        agrees(subject, fields, delay, draw)
    });
    run.outcome()
}

/// The jittered delay is within the factor of the delay, to either side, and never negative: J-1, J-5.
pub fn stays_in_its_range<S: HasJitter>(subject: &S, fields: PolicyFields, delay: f64, draw: f64) -> TestCaseResult {
    let (asked, jittered) = ask(&RANGE, subject, fields, delay, draw)?;
    let low = delay * (1.0 - fields.jitter_factor);
    let high = delay * (1.0 + fields.jitter_factor);
    let slack = slack(delay) + unit(jittered);
    let found = seconds(jittered);
    let is_inside = (low - slack..=high + slack).contains(&found) && found.is_sign_positive();
    asked.holds(is_inside, format_args!("{low:?} s to {high:?} s"), jittered)
}

/// A draw of 0 gives the lower end, a draw of one half the delay itself: J-1, J-4.
pub fn the_draws_0_and_a_half<S: HasJitter>(subject: &S, fields: PolicyFields, delay: f64) -> TestCaseResult {
    let (asked, lowest) = ask(&ENDS, subject, fields, delay, 0.0)?;
    asked.is(lowest, delay * (1.0 - fields.jitter_factor))?;
    let (asked, middle) = ask(&ENDS, subject, fields, delay, 0.5)?;
    asked.is(middle, delay)
}

/// A draw and its opposite move the delay equally far, to either side: J-4. Best asked with draws that are whole numbers of 2^-52.
pub fn is_symmetric<S: HasJitter>(subject: &S, fields: PolicyFields, delay: f64, draw: f64) -> TestCaseResult {
    let (_, below) = ask(&SYMMETRIC, subject, fields, delay, draw)?;
    let (asked, above) = ask(&SYMMETRIC, subject, fields, delay, 1.0 - draw)?;
    let off = (seconds(below) + seconds(above) - 2.0 * delay).abs();
    let expected = format!("as far from {delay:?} s as {below}, the delay for a draw of {draw:?}");
    asked.holds(off <= 2.0 * (slack(delay) + unit(above)), expected, above)
}

/// The delay does not fall where the draw rises: J-1.
pub fn a_higher_draw_waits_no_shorter<S: HasJitter>(
    subject: &S,
    fields: PolicyFields,
    delay: f64,
    one: f64,
    other: f64,
) -> TestCaseResult {
    let (low, high) = (one.min(other), one.max(other));
    let (_, shorter) = ask(&RISES, subject, fields, delay, low)?;
    let (asked, longer) = ask(&RISES, subject, fields, delay, high)?;
    let rises = at_most(shorter, longer);
    asked.holds(
        rises,
        format_args!("at least {shorter}, the delay for a draw of {low:?}"),
        longer,
    )
}

/// Without a jitter factor the delay is answered as it is, and so is a delay of 0: J-3, P-6.
pub fn without_a_factor_nothing_moves<S: HasJitter>(
    subject: &S,
    fields: PolicyFields,
    delay: f64,
    draw: f64,
) -> TestCaseResult {
    let without = PolicyFields {
        jitter_factor: 0.0,
        ..fields
    };
    for (fields, delay) in [(without, delay), (fields, 0.0)] {
        let (asked, jittered) = ask(&NONE, subject, fields, delay, draw)?;
        asked.is(jittered, delay)?;
    }
    Ok(())
}

/// Any other policy with the same factor moves the delay to the same place: no cap cuts it back: J-5.
pub fn only_the_factor_counts<S: HasJitter>(
    subject: &S,
    fields: PolicyFields,
    delay: f64,
    draw: f64,
    other: PolicyFields,
) -> TestCaseResult {
    let other = PolicyFields {
        jitter_factor: fields.jitter_factor,
        ..other
    };
    let (_, expected) = ask(&CAP, subject, fields, delay, draw)?;
    let (asked, found) = ask(&CAP, subject, other, delay, draw)?;
    asked.holds(
        same(expected, found),
        format_args!("{expected}, as of {fields:?}"),
        found,
    )
}

/// A delay outside 0 to HORIZON is refused, then a draw outside [0, 1): J-7. Of arguments in range nothing is said.
pub fn odd_arguments_are_refused<S: HasJitter>(
    subject: &S,
    fields: PolicyFields,
    delay: f64,
    draw: f64,
) -> TestCaseResult {
    let asked = Asked::new(&REFUSED, subject, fields, question(fields, delay, draw))?;
    let policy = asked.policy(subject)?;
    match Policy::none().jittered(delay, draw) {
        Ok(_) => Ok(()),
        Err(rejection) => asked
            .note(&rejection)
            .is_refused(subject.jittered(&policy, delay, draw), &Refused::from(rejection)),
    }
}

/// The jittered delay is the reference's: to the bit, or less than one unit away.
pub fn agrees<S: HasJitter>(subject: &S, fields: PolicyFields, delay: f64, draw: f64) -> TestCaseResult {
    let (asked, jittered) = ask(&AGREES, subject, fields, delay, draw)?;
    asked.agrees(Ok(Value::Delay(reported(jittered))))
}

/// Five roundings, each of half a unit in the last place of something at most twice the delay.
fn slack(delay: f64) -> f64 {
    delay * (8.0 * f64::EPSILON) + f64::from_bits(1)
}

fn ask<S: HasJitter>(
    law: &'static Law,
    subject: &S,
    fields: PolicyFields,
    delay: f64,
    draw: f64,
) -> Result<(Asked, Number), TestCaseError> {
    let asked = Asked::new(law, subject, fields, question(fields, delay, draw))?;
    let policy = asked.policy(subject)?;
    let jittered = asked.answered(subject.jittered(&policy, delay, draw))?;
    let jittered = asked.measured(jittered);
    Ok((asked, jittered))
}

fn question(fields: PolicyFields, delay: f64, draw: f64) -> Question {
    Question::Jitter(JitterQuestion {
        policy: fields.into(),
        delay: Real(delay),
        draw: Real(draw),
    })
}
