//! Queue scenarios: steps in, a trace out. The names and forms of chapter 6, on both sides of a [`WorkQueue`](crate::queue::WorkQueue).

mod run;
mod steps;
mod trace;

pub use run::{MAX_OCCURRENCES, Run, run};
pub use steps::{Action, Handler, RawStep, Step, StepFault, Steps};
pub use trace::{Letter, Time, TraceEvent};
