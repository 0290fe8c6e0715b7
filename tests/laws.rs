//! The laws that a policy of any library obeys: the reference obeys them all, and each catches what it is there for.
//!
//! What fails is shrunk, and its seed is kept next to the file that failed: commit it, and it is tried first from then on.
#![expect(clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod laws {
    mod broken;
    mod port;
    mod queue;
    mod reference;
    mod subject;
    mod units;
}
