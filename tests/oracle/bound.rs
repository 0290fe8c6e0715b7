//! Chapter 2, "How far the delay may be from the exact product".
//!
//! Let u = 2^-53, h = 2^-1075, m the multiplier, x(k) the exact product after k multiplications, and d(k) the rounded one:
//!
//! ```text
//! x(k+1) = m x(k)                    x(0) = d(0), the initial delay
//! d(k+1) = m d(k) (1 + e) + t        |e| <= u and t = 0 where m d(k) is at least 2^-1022,
//!                                    e = 0 and |t| <= h where it is below, since the last place there is 2^-1074
//! ```
//!
//! The difference of the two lines is `m (d(k) - x(k)) (1 + e) + m x(k) e + t`. So |d(k) - x(k)| <= a(k), where
//!
//! ```text
//! a(0) = 0
//! a(k+1) = m (1 + u) a(k) + u x(k+1) + (h where d(k+1) is at most 2^-1022, else 0)
//! ```
//!
//! Without the last term this is `a(k) = ((1 + u)^k - 1) x(k)`, as one sees by putting it in: the factor (1 + u)^(n-1) that the
//! chapter names. The last term is what subnormal numbers add, and it is multiplied by later steps.
//!
//! Taking the smaller of either and the same ceiling moves the two no further apart. Once d has reached the ceiling both stay where
//! they are or come nearer to each other, since x never falls. So nothing is left to check then. The same goes for a product too
//! large for binary64, which is above any ceiling, as the exact one is.

use super::delays::ceiling;
use super::exact::Exact;
use super::policy::Policy;

/// The first attempt whose delay is further from the exact one than the bound allows, and so is wrong whatever the rounding.
///
/// `delays` are those after attempts 1, 2, 3, ...
pub(crate) fn first_beyond(policy: &Policy, delays: impl IntoIterator<Item = f64>) -> Option<usize> {
    let ceiling = Exact::from(ceiling(policy));
    let multiplier = Exact::from(policy.multiplier);
    let growth = &multiplier * &(&Exact::from(1.0) + &unit_roundoff());
    let mut product = Exact::from(policy.initial_delay);
    let mut allowed = Exact::from(0.0);
    for (index, delay) in delays.into_iter().enumerate() {
        if index > 0 {
            product = &product * &multiplier;
            allowed = &(&growth * &allowed) + &(&unit_roundoff() * &product);
            if delay <= f64::MIN_POSITIVE {
                allowed = &allowed + &Exact::power_of_two(-1075);
            }
        }
        let delay = Exact::from(delay);
        if delay.distance(&product.clone().min(ceiling.clone())) > allowed {
            return Some(index + 1);
        }
        if delay >= ceiling {
            return None;
        }
    }
    None
}

/// Whether a delay lies within a factor of (1 + u)^(n-1) of the exact one, and above the inverse of that factor.
///
/// For attempts that are too many to go through one by one. No product may have been subnormal.
pub(crate) fn is_within_factor(policy: &Policy, attempt: u32, delay: f64) -> bool {
    assert!(
        policy.initial_delay >= f64::MIN_POSITIVE,
        "the initial delay is subnormal"
    );
    let ceiling = Exact::from(ceiling(policy));
    let growth = Exact::from(policy.multiplier).power(attempt - 1);
    let product = (&Exact::from(policy.initial_delay) * &growth).min(ceiling);
    let factor = (&Exact::from(1.0) + &unit_roundoff()).power(attempt - 1);
    let delay = Exact::from(delay);
    delay <= &product * &factor && product <= &delay * &factor
}

/// u: half of the last place of 1.
fn unit_roundoff() -> Exact {
    Exact::power_of_two(-53)
}
