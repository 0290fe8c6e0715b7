//! The JSON lines of the port protocol. Implements chapter 8 of the specification.

mod hello;
mod reply;
mod request;

pub(crate) use hello::HelloValue;
pub use hello::{Hello, Resolution};
pub(crate) use reply::{Body, RawReply, ReplyLine, read_value, write_reply, write_value};
pub(crate) use request::{HelloRequest, Request, write_hello, write_question, write_unknown};

/// The longest line the kit reads from a port, in bytes. A longer one is a flood.
pub(crate) const MAX_LINE: usize = 16 << 20;
