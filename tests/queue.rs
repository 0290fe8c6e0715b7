//! The queue of chapter 6, held against a second one that is naive on purpose, and against the invariants that hold for
//! any queue.
//!
//! `model` is that second queue, written from the specification alone. The scenarios and the invariants are those that the
//! library offers for other queues: `samewait::arbitrary::scenario` looks for trouble, and `samewait::laws::queue::Ledger` is a
//! book that is kept of what a queue says, event by event, and that knows what it may never say.
#![expect(clippy::expect_used, reason = "tests fail by panicking")]

mod queue {
    mod agreement;
    mod corners;
    mod examples;
    mod fuse;
    mod invariants;
    mod model;
    mod scale;
    mod told;
    mod vectors;
    mod zoo;
}
