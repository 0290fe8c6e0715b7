//! The `samewait` command; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    samewait::cli::run(std::env::args_os())
}
