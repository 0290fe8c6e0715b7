//! Running laws on random inputs, and what is said of those that do not hold.

use std::cell::RefCell;
use std::fmt;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestCaseResult, TestError, TestRunner};

use super::law::Law;

/// The laws that do not hold, each with its smallest counterexample.
///
/// Its `Debug` form is its `Display` form, so that a test that returns it, or unwraps it, is readable.
#[derive(Clone)]
pub struct Failure {
    broken: Vec<Broken>,
}

/// A law that does not hold.
#[derive(Debug, Clone)]
pub struct Broken {
    /// Which.
    pub law: &'static Law,
    /// The smallest counterexample that was found: what was asked, expected and found, what to look at, and the clauses.
    pub message: String,
}

impl Failure {
    /// The laws that do not hold; at least one.
    #[must_use]
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The message of the law of that name, such as `backoff::stays_under_the_ceiling`, if it does not hold.
    #[must_use]
    pub fn of(&self, law: &str) -> Option<&str> {
        let broken = self.broken.iter().find(|broken| broken.law.name == law)?;
        Some(&broken.message)
    }
}

impl fmt::Display for Failure {
    /// The first in full, since the others are often the same mistake.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, others)) = self.broken.split_first() else {
            return Ok(());
        };
        f.write_str(&first.message)?;
        if !others.is_empty() {
            writeln!(f, "\n  Broken as well, perhaps by the same mistake:")?;
        }
        for Broken { law, .. } in others {
            writeln!(f, "  {} ({})", law.name, law.clauses.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Failure {}

/// Runs laws one after the other.
pub(super) struct Run {
    config: Config,
    broken: Vec<Broken>,
}

impl Run {
    pub(super) fn new(config: Config) -> Self {
        // With more cases, more of them are unsupported.
        let max_global_rejects = config.max_global_rejects.max(config.cases.saturating_mul(4));
        Self {
            config: Config {
                max_global_rejects,
                ..config
            },
            broken: Vec::new(),
        }
    }

    /// Tries one law.
    pub(super) fn law<I: Strategy>(
        &mut self,
        law: &'static Law,
        inputs: &I,
        check: impl Fn(I::Value) -> TestCaseResult,
    ) {
        let unsupported = RefCell::new(String::new());
        let check = |input| {
            let result = check(input);
            if let Err(TestCaseError::Reject(why)) = &result {
                why.message().clone_into(&mut unsupported.borrow_mut());
            }
            result
        };
        let message = match TestRunner::new(self.config.clone()).run(inputs, check) {
            Ok(()) => return,
            // What does not begin with the law's name is a panic.
            Err(TestError::Fail(reason, _)) if reason.message().starts_with(law.name) => reason.message().to_owned(),
            Err(TestError::Fail(reason, input)) => format!(
                "{} could not be checked: the library panicked\n\n  input     {input:?}\n  panic     {}\n  look at   {}\n",
                law.name,
                reason.message(),
                law.advice
            ),
            Err(TestError::Abort(_)) => format!(
                "{} was hardly checked: most of what it asks is unsupported\n\n  last      {}\n  look at   Subject::policies of \
                 the test: it says what the library can be asked\n",
                law.name,
                unsupported.borrow()
            ),
        };
        self.broken.push(Broken { law, message });
    }

    pub(super) fn outcome(self) -> Result<(), Failure> {
        if self.broken.is_empty() {
            Ok(())
        } else {
            Err(Failure { broken: self.broken })
        }
    }
}
