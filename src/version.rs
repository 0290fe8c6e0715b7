//! The four versions, each in its only place. What each of them promises is in chapter 9 of the specification.

/// The version of the specification.
pub const SPEC: &str = "1.0.0-draft";

/// The version of the format: of vector files, of documents made from them, and of the index.
pub const FORMAT: u32 = 1;

/// The version of the port protocol that this kit speaks.
pub const PROTOCOL: u32 = 1;

/// The version of this kit.
pub const KIT: &str = env!("CARGO_PKG_VERSION");
