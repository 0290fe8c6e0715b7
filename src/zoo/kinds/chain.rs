//! Chains of copies in another order than written, and policies that are made without being judged.

use super::validation::checked;
use crate::policy::PolicyFields;
use crate::question::{Make, PolicyQuestion, Then};
use crate::zoo::Bug;
use crate::zoo::rules::{Outcome, Rules, Stop};

const SPECIFIED: Rules = Rules::AS_SPECIFIED;

pub(super) const BUGS: &[Bug] = &[
    bug(
        "chain-first-copy-alone",
        "What has been set once is not set again, so that the first of two copies wins.",
        "https://github.com/failsafe-lib/failsafe/issues/254",
        &["P-15"],
        |rules, question| {
            let mut seen = Vec::new();
            let is_first = |then: &Then| {
                let kind = std::mem::discriminant(then);
                let is_first = !seen.contains(&kind);
                seen.push(kind);
                is_first
            };
            copied(
                rules,
                question,
                question.then.iter().map(|then| then.0).filter(is_first),
            )
        },
    ),
    bug(
        "chain-set-twice-throws",
        "A second copy of the same field is a mistake of the caller.",
        "https://github.com/failsafe-lib/failsafe/issues/251",
        &["P-15"],
        |rules, question| {
            let ages = question
                .then
                .iter()
                .filter(|then| matches!(then.0, Then::GiveUpAfter(_)));
            if ages.count() > 1 {
                return Err(Stop::Crashed(
                    "IllegalStateException: the age limit has already been set",
                ));
            }
            (SPECIFIED.made)(rules, question)
        },
    ),
    bug(
        "chain-last-copy-alone",
        "Each copy is made of the policy that the chain began with, so that the last copy alone counts.",
        "https://github.com/failsafe-lib/failsafe/issues/310",
        &["P-15"],
        |rules, question| copied(rules, question, question.then.last().map(|then| then.0)),
    ),
    bug(
        "chain-judged-at-its-end",
        "A policy is judged when it is first used, and what was repaired on the way is not seen.",
        "https://github.com/resilience4j/resilience4j/issues/1909",
        &["P-16"],
        |rules, question| {
            let fields = question
                .then
                .iter()
                .fold((rules.make)(&question.make.0), |fields, then| {
                    (rules.copy)(fields, &then.0)
                });
            (rules.check)(fields)
        },
    ),
    bug(
        "chain-copies-not-judged",
        "The policy is judged when it is made, and its copies are not.",
        "https://github.com/microsoft/kiota-dotnet/issues/802",
        &["P-16"],
        |rules, question| {
            let made = (rules.check)((rules.make)(&question.make.0))?;
            Ok(question
                .then
                .iter()
                .fold(made, |fields, then| (rules.copy)(fields, &then.0)))
        },
    ),
    bug(
        "chain-factories-not-judged",
        "The constructor judges its numbers, and the factories go round it.",
        "https://github.com/elennick/retry4j/issues/15",
        &["P-16"],
        |rules, question| match question.make.0 {
            Make::Fixed(_) | Make::Exponential(_) if question.then.is_empty() => Ok((rules.make)(&question.make.0)),
            Make::Fields(_) | Make::None(_) | Make::Fixed(_) | Make::Exponential(_) => {
                (SPECIFIED.made)(rules, question)
            }
        },
    ),
    Bug::exact(
        "fields-cut-to-seconds",
        "Durations are kept in whole seconds.",
        "https://github.com/temporalio/sdk-typescript/issues/441",
        &["P-3"],
        Rules {
            check: |fields| {
                let PolicyFields {
                    initial_delay,
                    max_delay,
                    max_message_age,
                    ..
                } = checked(fields)?;
                Ok(PolicyFields {
                    initial_delay: initial_delay.floor(),
                    max_delay: max_delay.floor(),
                    max_message_age: max_message_age.floor(),
                    ..fields
                })
            },
            ..SPECIFIED
        },
    ),
];

const fn bug(
    name: &'static str,
    about: &'static str,
    source: &'static str,
    clauses: &'static [&'static str],
    made: fn(&Rules, &PolicyQuestion) -> Outcome<PolicyFields>,
) -> Bug {
    Bug::exact(name, about, source, clauses, Rules { made, ..SPECIFIED })
}

/// The policy as it is made, and these copies.
fn copied(rules: &Rules, question: &PolicyQuestion, copies: impl IntoIterator<Item = Then>) -> Outcome<PolicyFields> {
    let made = (rules.check)((rules.make)(&question.make.0))?;
    copies
        .into_iter()
        .try_fold(made, |fields, then| (rules.check)((rules.copy)(fields, &then)))
}
