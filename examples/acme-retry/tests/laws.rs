//! The policy obeys the laws of samewait. Version 1 does not, and the laws say which and why.

use acme_retry::{OutOfRange, Policy};
use samewait::laws::{self, Delay, Failure, HasBackoff, HasSchedule, Refused, Resolution, Subject, duration};
use samewait::{PolicyField, PolicyFields};

/// How the library is asked.
struct Acme;

impl Subject for Acme {
    type Policy = Policy;

    fn resolution(&self) -> Resolution {
        Resolution::Millisecond
    }

    fn build(&self, fields: &PolicyFields) -> Result<Policy, Refused> {
        let attempts = u32::try_from(fields.max_attempts).map_err(|_| Refused::unsupported("attempts are u32"))?;
        let first = duration(fields.initial_delay, self.resolution())?;
        let cap = match fields.max_delay {
            0.0 => None,
            cap => Some(duration(cap, self.resolution())?),
        };
        Policy::new(attempts, first, fields.multiplier, cap).map_err(refused)
    }

    fn lacks(&self) -> &[PolicyField] {
        &[PolicyField::JitterFactor, PolicyField::MaxMessageAge]
    }
}

impl HasBackoff for Acme {
    fn backoff(&self, policy: &Policy, attempt: u32) -> Result<Delay, Refused> {
        policy.wait_after(attempt).map(Delay::from).map_err(refused)
    }
}

impl HasSchedule for Acme {
    fn schedule(&self, policy: &Policy) -> Result<Vec<Delay>, Refused> {
        Ok(policy.waits().into_iter().map(Delay::from).collect())
    }
}

/// The specification's names for the arguments of this library.
fn refused(OutOfRange(argument): OutOfRange) -> Refused {
    Refused::field(match argument {
        "attempts" => "max_attempts",
        "first" => "initial_delay",
        "cap" => "max_delay",
        same => same,
    })
}

#[test]
fn the_waits_obey_the_laws() -> Result<(), Failure> {
    laws::policy::check(&Acme)?;
    laws::backoff::check(&Acme)?;
    laws::schedule::check(&Acme)?;
    laws::schedule::check_against_backoff(&Acme)
}

/// The same library with the waits of version 1.
struct Version1;

impl Subject for Version1 {
    type Policy = Policy;

    fn resolution(&self) -> Resolution {
        Acme.resolution()
    }

    fn build(&self, fields: &PolicyFields) -> Result<Policy, Refused> {
        Acme.build(fields)
    }
}

impl HasBackoff for Version1 {
    fn backoff(&self, policy: &Policy, attempt: u32) -> Result<Delay, Refused> {
        policy
            .wait_after_in_version_1(attempt)
            .map(Delay::from)
            .map_err(refused)
    }
}

#[test]
fn the_laws_catch_the_bug_of_version_1() {
    let failure = laws::backoff::check(&Version1).expect_err("a wait that is longer than the cap");
    let message = failure
        .of("backoff::stays_under_the_ceiling")
        .expect("that is the law it breaks");
    println!("{message}");
    for part in [
        ") of a policy with max_attempts 1, initial_delay ",
        "expected  0 to ",
        "look at   where the cap is applied",
        "try       samewait schedule --max-attempts ",
        "B-6: The ceiling MUST bound every delay",
    ] {
        assert!(message.contains(part), "{part:?} is missing:\n{message}");
    }
}
