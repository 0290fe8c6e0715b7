//! The laws of building a policy (chapter 1).

use proptest::strategy::Strategy;
use proptest::test_runner::{TestCaseError, TestCaseResult};

use super::ask::Asked;
use super::law::Law;
use super::reply::Refused;
use super::run::{Failure, Run};
use super::subject::Subject;
use crate::arbitrary::with_odd_fields;
use crate::policy::{Policy, PolicyFields};
use crate::question::{Make, OneKey, PolicyQuestion, Question};
use crate::rejection::PolicyField;

/// All of them.
pub const LAWS: &[Law] = &[LEGAL, ILLEGAL];

const LEGAL: Law = Law {
    name: "policy::legal_fields_are_accepted",
    clauses: &["P-8", "P-9"],
    advice: "checks that refuse the ends of a range, an initial delay above the cap, or a zero that means none",
};

const ILLEGAL: Law = Law {
    name: "policy::the_first_illegal_field_is_refused",
    clauses: &["P-9", "P-10"],
    advice: "comparisons that let a NaN through (`x < 0.0` is false for it), and the order of the checks: that of the policy table",
};

/// Every law of this module, on random policies.
///
/// # Errors
///
/// The laws that do not hold.
pub fn check<S: Subject>(subject: &S) -> Result<(), Failure> {
    let mut run = Run::new(subject.config());
    run.law(&LEGAL, &subject.policies(), |fields| {
        legal_fields_are_accepted(subject, fields)
    });
    let odd = with_odd_fields(subject.policies(), subject.resolution());
    let odd = odd.prop_map(|fields| subject.lacks().iter().copied().fold(fields, without));
    run.law(&ILLEGAL, &odd, |fields| {
        the_first_illegal_field_is_refused(subject, fields)
    });
    run.outcome()
}

/// A policy of legal fields is built: P-8, P-9.
pub fn legal_fields_are_accepted<S: Subject>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    asked(&LEGAL, subject, fields)?.policy(subject).map(drop)
}

/// A policy with illegal fields is refused, under the name of the first of them: P-9, P-10.
pub fn the_first_illegal_field_is_refused<S: Subject>(subject: &S, fields: PolicyFields) -> TestCaseResult {
    let asked = asked(&ILLEGAL, subject, fields)?;
    match Policy::new(fields) {
        Ok(_) => Ok(()),
        Err(rejection) => asked
            .note(&rejection)
            .is_refused(subject.build(&fields), &Refused::from(rejection)),
    }
}

/// These fields with the default in the place of one.
fn without(fields: PolicyFields, field: PolicyField) -> PolicyFields {
    let usual = PolicyFields::default();
    match field {
        PolicyField::MaxAttempts => PolicyFields {
            max_attempts: usual.max_attempts,
            ..fields
        },
        PolicyField::InitialDelay => PolicyFields {
            initial_delay: usual.initial_delay,
            ..fields
        },
        PolicyField::Multiplier => PolicyFields {
            multiplier: usual.multiplier,
            ..fields
        },
        PolicyField::MaxDelay => PolicyFields {
            max_delay: usual.max_delay,
            ..fields
        },
        PolicyField::JitterFactor => PolicyFields {
            jitter_factor: usual.jitter_factor,
            ..fields
        },
        PolicyField::MaxMessageAge => PolicyFields {
            max_message_age: usual.max_message_age,
            ..fields
        },
    }
}

fn asked<S: Subject>(law: &'static Law, subject: &S, fields: PolicyFields) -> Result<Asked, TestCaseError> {
    Asked::new(law, subject, fields, question(fields))
}

/// What is asked: the fields of a policy that is built of fields.
pub(super) fn question(fields: PolicyFields) -> Question {
    Question::Policy(PolicyQuestion {
        make: OneKey(Make::Fields(fields.into())),
        then: Vec::new(),
    })
}
