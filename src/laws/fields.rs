//! The laws of a policy's fields and of its copies (chapter 1).

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;

use super::ask::Asked;
use super::law::Law;
use super::measure::is;
use super::policy::question;
use super::reply::{Delay, Refused};
use super::run::{Failure, Run};
use super::subject::{HasCopies, HasFields};
use crate::arbitrary::{any_real, duration_in, factor, in_units};
use crate::judge::Number;
use crate::policy::{Policy, PolicyFields};
use crate::question::{Make, OneKey, PolicyQuestion, Question, Real, Then};
use crate::rejection::PolicyField;

/// All of them.
pub const LAWS: &[Law] = &[KEPT, ZERO, COPY, ORIGINAL, ILLEGAL];

const KEPT: Law = Law {
    name: "fields::are_kept",
    clauses: &["P-1", "P-3"],
    advice: "fields that are rounded, swapped, or replaced by a default when the policy is built",
};

const ZERO: Law = Law {
    name: "fields::negative_zero_is_zero",
    clauses: &["P-7"],
    advice: "where numbers come in: `x + 0.0` makes a negative zero positive and leaves the rest alone",
};

const COPY: Law = Law {
    name: "fields::a_copy_differs_in_one_field",
    clauses: &["P-15"],
    advice: "the copy: it takes over every field but one",
};

const ORIGINAL: Law = Law {
    name: "fields::a_copy_leaves_the_original_alone",
    clauses: &["P-15"],
    advice: "fields that policy and copy share, or a copy that is the policy itself, changed",
};

const ILLEGAL: Law = Law {
    name: "fields::an_illegal_copy_is_refused",
    clauses: &["P-16"],
    advice: "copies that do not go through the checks of a new policy",
};

/// The laws of fields, on random policies.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: HasFields>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    run.law(&KEPT, &subject.policies(), |fields| are_kept(subject, fields));
    let with_zero = (subject.policies(), select(&PolicyField::ALL[..]));
    run.law(&ZERO, &with_zero, |(fields, field)| {
        negative_zero_is_zero(subject, fields, field)
    });
    run.outcome()
}

/// The laws of copies, on random policies.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check_copies<S: HasCopies>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    let legal = (subject.policies(), duration_in(subject.resolution()), factor());
    run.law(&COPY, &legal, |(fields, age, factor)| {
        a_copy_differs_in_one_field(subject, fields, age, factor)
    });
    run.law(&ORIGINAL, &legal, |(fields, age, factor)| {
        a_copy_leaves_the_original_alone(subject, fields, age, factor)
    });
    let resolution = subject.resolution();
    let odd = prop_oneof![
        any_real(duration_in(resolution)).prop_map(move |age| Then::GiveUpAfter(Real(in_units(age, resolution)))),
        any_real(factor()).prop_map(|factor| Then::WithJitter(Real(factor))),
    ];
    run.law(&ILLEGAL, &(subject.policies(), odd), |(fields, copy)| {
        an_illegal_copy_is_refused(subject, fields, copy)
    });
    run.outcome()
}

/// A policy has the fields that it was built of: P-1, P-3.
pub fn are_kept<S: HasFields>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let asked = Asked::new(&KEPT, subject, fields, question(fields))?;
    let found = subject.fields(&asked.policy(subject)?);
    same(&asked, &fields, &found)
}

/// A negative zero in one of the fields is read as zero: P-7. `max_attempts` and `multiplier` can't be zero, and are left.
pub fn negative_zero_is_zero<S: HasFields>(subject: &S, fields: PolicyFields, field: PolicyField) -> TestCaseResult {
    let with = |zero| match field {
        PolicyField::MaxAttempts | PolicyField::Multiplier => fields,
        PolicyField::InitialDelay => PolicyFields {
            initial_delay: zero,
            ..fields
        },
        PolicyField::MaxDelay => PolicyFields {
            max_delay: zero,
            ..fields
        },
        PolicyField::JitterFactor => PolicyFields {
            jitter_factor: zero,
            ..fields
        },
        PolicyField::MaxMessageAge => PolicyFields {
            max_message_age: zero,
            ..fields
        },
    };
    let asked = Asked::new(&ZERO, subject, with(-0.0), question(with(-0.0)))?;
    let found = subject.fields(&asked.policy(subject)?);
    let signs = [
        found.initial_delay,
        found.max_delay,
        found.jitter_factor,
        found.max_message_age,
    ];
    asked.holds(
        signs.iter().all(|number| number.is_sign_positive()),
        format_args!("{} 0.0", field.name()),
        format_args!("{found:?}"),
    )?;
    same(&asked, &with(0.0), &found)
}

/// A copy has the new age limit or the new factor, and is otherwise the same: P-15.
pub fn a_copy_differs_in_one_field<S: HasCopies>(
    subject: &S,
    fields: PolicyFields,
    age: f64,
    factor: f64,
) -> TestCaseResult {
    for copy in [Then::GiveUpAfter(Real(age)), Then::WithJitter(Real(factor))] {
        let asked = Asked::new(&COPY, subject, fields, copied(fields, copy))?;
        let policy = asked.policy(subject)?;
        let found = subject.fields(&asked.answered(make(subject, &policy, copy))?);
        same(&asked, &changed(subject.fields(&policy), copy), &found)?;
    }
    Ok(())
}

/// The policy that a copy is made of stays as it was: P-15.
pub fn a_copy_leaves_the_original_alone<S: HasCopies>(
    subject: &S,
    fields: PolicyFields,
    age: f64,
    factor: f64,
) -> TestCaseResult {
    for copy in [Then::GiveUpAfter(Real(age)), Then::WithJitter(Real(factor))] {
        let asked = Asked::new(&ORIGINAL, subject, fields, copied(fields, copy))?;
        let policy = asked.policy(subject)?;
        let before = subject.fields(&policy);
        asked.answered(make(subject, &policy, copy))?;
        same(&asked, &before, &subject.fields(&policy))?;
    }
    Ok(())
}

/// A copy with an illegal age limit or factor is refused, under the name of that field: P-16.
pub fn an_illegal_copy_is_refused<S: HasCopies>(subject: &S, fields: PolicyFields, copy: Then) -> TestCaseResult {
    let asked = Asked::new(&ILLEGAL, subject, fields, copied(fields, copy))?;
    let policy = asked.policy(subject)?;
    match Policy::new(changed(fields, copy)) {
        Ok(_) => Ok(()),
        Err(rejection) => asked
            .note(&rejection)
            .is_refused(make(subject, &policy, copy), &Refused::from(rejection)),
    }
}

fn copied(fields: PolicyFields, copy: Then) -> Question {
    Question::Policy(PolicyQuestion {
        make: OneKey(Make::Fields(fields.into())),
        then: vec![OneKey(copy)],
    })
}

fn make<S: HasCopies>(subject: &S, policy: &S::Policy, copy: Then) -> Result<S::Policy, Refused> {
    match copy {
        Then::GiveUpAfter(age) => subject.give_up_after(policy, age.0),
        Then::WithJitter(factor) => subject.with_jitter(policy, factor.0),
    }
}

fn changed(fields: PolicyFields, copy: Then) -> PolicyFields {
    match copy {
        Then::GiveUpAfter(age) => PolicyFields {
            max_message_age: age.0,
            ..fields
        },
        Then::WithJitter(factor) => PolicyFields {
            jitter_factor: factor.0,
            ..fields
        },
    }
}

/// Durations less than one unit apart, numbers to the bit.
fn same(asked: &Asked, expected: &PolicyFields, found: &PolicyFields) -> TestCaseResult {
    let attempts = expected.max_attempts == found.max_attempts;
    asked.holds(
        attempts,
        format_args!("max_attempts {}", expected.max_attempts),
        format_args!("max_attempts {}", found.max_attempts),
    )?;
    let duration = |seconds| asked.measured(Delay::Seconds(seconds));
    let numbers = [
        ("initial_delay", expected.initial_delay, duration(found.initial_delay)),
        ("multiplier", expected.multiplier, Number::Seconds(found.multiplier)),
        ("max_delay", expected.max_delay, duration(found.max_delay)),
        (
            "jitter_factor",
            expected.jitter_factor,
            Number::Seconds(found.jitter_factor),
        ),
        (
            "max_message_age",
            expected.max_message_age,
            duration(found.max_message_age),
        ),
    ];
    numbers.into_iter().try_for_each(|(name, expected, found)| {
        asked.holds(
            is(found, expected),
            format_args!("{name} {}", Number::Seconds(expected)),
            format_args!("{name} {found}"),
        )
    })
}
