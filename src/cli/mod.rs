//! The command line: flags in, results on standard output, everything else on standard error.

mod check;
mod emit;
mod exit;
mod explain;
mod gate;
mod list;
mod policy_flags;
mod port;
mod schedule;
mod schema;
mod select;
mod serve;
mod simulate;
mod test;
mod zoo;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use anstyle::{AnsiColor, Style};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::load::LoadError;
use crate::rejection::Rejection;
use crate::version::{FORMAT, KIT, PROTOCOL, SPEC};
use exit::Exit;

/// Runs a command line, the program's name first, and says how the program is to end.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to standard output and is no error. That it can't be printed is nothing to be told.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage
            } else {
                Exit::Conforms
            }
            .into();
        }
    };
    match dispatch(cli.command) {
        Ok(exit) => exit.into(),
        Err(error) => report(&error).into(),
    }
}

fn dispatch(command: Command) -> Result<Exit, Error> {
    // Bulk output: nothing here is a dialogue.
    let mut output = io::BufWriter::new(UntilUnread(anstream::stdout().lock()));
    let exit = match command {
        Command::Check(arguments) => check::run(&arguments, &mut output)?,
        Command::Test(arguments) => test::run(&arguments, &mut output)?,
        Command::Schedule(arguments) => schedule::run(&arguments, &mut output)?,
        Command::Simulate(arguments) => simulate::run(&arguments, &mut output)?,
        Command::List(arguments) => list::run(&arguments, &mut output)?,
        Command::Emit(arguments) => emit::run(&arguments, &mut output)?,
        Command::Explain(arguments) => explain::run(&arguments, &mut output)?,
        Command::Port(arguments) => port::run(&arguments, &mut output)?,
        Command::Schema(arguments) => schema::run(&arguments, &mut output)?,
        Command::Zoo(arguments) => zoo::run(&arguments, &mut output)?,
        Command::Serve(arguments) => serve::run(&arguments)?,
        Command::Guard => {
            crate::port::stand_guard(io::stdin().lock())?;
            Exit::Conforms
        }
    };
    output.flush()?;
    Ok(exit)
}

/// Takes output for as long as somebody reads it. Whoever has seen enough, as `head` has, does not change how a command ends.
struct UntilUnread<W>(W);

impl<W: Write> Write for UntilUnread<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result,
        }
    }
}

/// Prints an error with its causes, and gives its exit code.
fn report(error: &Error) -> Exit {
    const BAD: Style = AnsiColor::Red.on_default().bold();
    let exit = match error {
        Error::Load(_) => Exit::BadVectors,
        Error::Refused(_) | Error::UnknownId { .. } | Error::UnknownBug { .. } | Error::Usage(_) => Exit::Usage,
        Error::NothingSelected { .. } => Exit::NothingSelected,
        Error::Io(_) => Exit::DoesNotConform,
    };
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    let texts: Vec<String> = std::iter::once(error.to_string())
        .chain(causes.map(ToString::to_string))
        .collect();
    // There is no other place to tell that standard error is gone.
    let _ = writeln!(anstream::stderr(), "{BAD}error{BAD:#}: {}", texts.join(": "));
    exit
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error("the flags are refused")]
    Refused(#[from] Rejection),
    #[error("no case `{id}`{}; `samewait list` shows all ids", .nearest.as_ref().map(|id| format!(", did you mean `{id}`?")).unwrap_or_default())]
    UnknownId { id: String, nearest: Option<String> },
    #[error("no bug `{name}`{}; `samewait zoo` shows all names", .nearest.as_ref().map(|name| format!(", did you mean `{name}`?")).unwrap_or_default())]
    UnknownBug { name: String, nearest: Option<String> },
    #[error("no case matches {filter}; `samewait list` shows all ids")]
    NothingSelected { filter: String },
    #[error("{0}")]
    Usage(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What `--version` says and `-V` does not: all versions.
static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{KIT}\nspecification {SPEC}\nformat {FORMAT}\nprotocol {PROTOCOL}"));

/// Same policy, same wait, in every language: a conformance kit for retry schedules.
#[derive(Debug, Parser)]
#[command(
    name = "samewait",
    version,
    long_version = LONG_VERSION.as_str(),
    after_help = "Exit codes: 0 conforms, 1 does not, 2 usage, 3 bad vectors, 4 the port is unusable, 5 nothing was selected.\n\
                  Results go to standard output, everything else to standard error. NO_COLOR switches colours off."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check vectors against the rules of their format, and the reference against the vectors
    Check(check::Arguments),
    /// Put the vectors to a port and judge its answers
    Test(test::Arguments),
    /// Show what a policy does: each wait, the time that has passed, the jitter, and where the message waits
    Schedule(schedule::Arguments),
    /// Run a queue scenario in virtual time and draw what happens to each message
    Simulate(simulate::Arguments),
    /// List the cases
    List(list::Arguments),
    /// Write the cases for other programs: as data, or as a test file of another language
    Emit(emit::Arguments),
    /// Show the arithmetic of a case, step by step
    Explain(explain::Arguments),
    /// Start a port of your own
    Port(port::Arguments),
    /// Put the vectors to a zoo of broken implementations: which case kills which bug
    Zoo(zoo::Arguments),
    /// Print or write the JSON Schemas of vectors, messages, configurations and reports
    Schema(schema::Arguments),
    /// Answer questions on standard input, as the reference port
    Serve(serve::Arguments),
    /// Kill process groups when standard input ends
    #[command(name = test::GUARD, hide = true)]
    Guard,
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// For machines: one JSON value
    Json,
}

/// Which cases.
#[derive(Debug, Args)]
struct Selection {
    /// Take only cases whose id matches, such as 'backoff/*'; may be given several times
    #[arg(long, value_name = "GLOB")]
    filter: Vec<String>,
    /// Take the vectors in this directory instead of those in the program
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
}
