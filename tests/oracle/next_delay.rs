//! Chapter 3: the next delay, or the reason to give up.

use samewait::answer::{Refusal, Value};

use super::delays::{backoff, is_attempt};
use super::policy::{Policy, invalid_argument};

/// N-1 to N-8, in the order in which they are judged.
pub(crate) fn next_delay(policy: &Policy, attempt: i64, age: Option<f64>) -> Result<Value, Refusal> {
    is_attempt(attempt)?;
    if age.is_some_and(f64::is_nan) {
        return Err(invalid_argument("message_age"));
    }
    if attempt >= policy.max_attempts {
        return Ok(Value::GiveUp("max_attempts".to_owned()));
    }
    let is_limited = policy.max_message_age > 0.0;
    let is_too_old = match age {
        None => false,
        Some(age) if age < 0.0 => 0.0 >= policy.max_message_age,
        Some(age) => age >= policy.max_message_age,
    };
    if is_limited && is_too_old {
        return Ok(Value::GiveUp("max_message_age".to_owned()));
    }
    backoff(policy, attempt).map(Value::Delay)
}
