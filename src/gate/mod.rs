//! Every port of a family at once: the gate of a continuous integration.
//!
//! A [`Config`] names the ports; [`run()`] drives them side by side and holds each against its [`Ledger`] of known failures. What is
//! unexpected, and nothing else, makes the gate red.

mod config;
mod ledger;
mod run;
mod write;

pub(crate) use config::RawConfig;
pub use config::{Config, PortConfig};
pub(crate) use ledger::RawLedger;
pub use ledger::{Entry, Ledger, LedgerProblem, Review, summary};
pub use run::{GateReport, PortRun, State, run};
pub use write::rewritten;
