//! What a library says when a law asks it.

use std::borrow::Cow;
use std::time::Duration;

use crate::next_delay::GiveUp;
use crate::rejection::Rejection;
use crate::wire::Resolution;

/// A delay as a library gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Delay {
    /// Binary64 seconds. In a library that counts in units, they stand for the nearest count.
    Seconds(f64),
    /// The standard library's duration. A fraction of the library's unit is left out; in a library of exact seconds it is taken to seconds.
    Duration(Duration),
}

impl From<f64> for Delay {
    fn from(seconds: f64) -> Self {
        Self::Seconds(seconds)
    }
}

impl From<Duration> for Delay {
    fn from(duration: Duration) -> Self {
        Self::Duration(duration)
    }
}

/// What a library decides after a failure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decision {
    /// Try again after this delay.
    Retry(Delay),
    /// Don't try again; none when the library does not say why, which is then not checked.
    GiveUp(Option<GiveUp>),
}

/// Why a library has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// It refuses the input, and names the field or argument, such as `max_delay` (P-10).
    Field(Cow<'static, str>),
    /// It refuses the input without saying which field is at fault. That is then not checked.
    Unnamed,
    /// It refuses a ladder for a rung that is too long (L-4).
    RungTooLong,
    /// The input can't be put to it, for this reason: it is not asked, and nothing is checked. A law of which nearly all inputs are
    /// unsupported fails.
    Unsupported(Cow<'static, str>),
}

impl Refused {
    /// A refusal that names the field or argument.
    #[must_use]
    pub fn field(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Field(name.into())
    }

    /// An input that can't be put to the library, with the reason.
    #[must_use]
    pub fn unsupported(why: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported(why.into())
    }
}

impl From<Rejection> for Refused {
    fn from(rejection: Rejection) -> Self {
        rejection.field().map_or(Self::RungTooLong, Self::field)
    }
}

/// The [`Duration`] that a number of seconds stands for in a library of that resolution: the nearest whole number of its units (W-17), or
/// of nanoseconds where it has none.
///
/// # Errors
///
/// [`Refused::Unsupported`] for NaN, infinities, what is below 0, and what is too long.
///
/// ```
/// use std::time::Duration;
/// use samewait::laws::{Resolution, duration};
///
/// // This binary64 is a little less than 191 ms, and still stands for them.
/// assert_eq!(duration(1226716459.191, Resolution::Millisecond), Ok(Duration::from_millis(1226716459191)));
/// assert!(duration(f64::NAN, Resolution::Millisecond).is_err());
/// ```
pub fn duration(seconds: f64, resolution: Resolution) -> Result<Duration, Refused> {
    const NANOSECONDS: u128 = 1_000_000_000;
    let places = resolution.places().unwrap_or(9);
    // Rust rounds to decimal places exactly. The zeros make nanoseconds of the units.
    let digits = format!(
        "{seconds:.places$}{:0<zeros$}",
        "",
        zeros = 9_usize.saturating_sub(places)
    )
    .replace('.', "");
    // A number that is rounded to a negative zero is zero.
    digits
        .parse::<i128>()
        .ok()
        .and_then(|all| {
            let all = u128::try_from(all).ok()?;
            let seconds = u64::try_from(all / NANOSECONDS).ok()?;
            let rest = u32::try_from(all % NANOSECONDS).ok()?;
            Some(Duration::new(seconds, rest))
        })
        .ok_or(Refused::unsupported(
            "no Duration is NaN, negative, or longer than 2^64 s",
        ))
}
