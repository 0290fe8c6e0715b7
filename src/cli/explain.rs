//! `samewait explain`: the arithmetic of one case.

use std::io::Write;

use clap::Args;

use super::exit::Exit;
use super::{Error, Selection, select};
use crate::explain::explain;

#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  samewait explain backoff/doubling/growth-by-squares\n\nIds are shown by `samewait list`."
)]
pub(super) struct Arguments {
    /// The id of the case
    id: String,
    /// Take the vectors in this directory instead of those in the program
    #[arg(long, value_name = "DIR")]
    vectors: Option<std::path::PathBuf>,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let set = select::load(&Selection {
        filter: vec![],
        vectors: arguments.vectors.clone(),
    })?;
    let Some(case) = set.cases.iter().find(|case| case.id == arguments.id) else {
        return Err(Error::UnknownId {
            id: arguments.id.clone(),
            nearest: select::nearest(&arguments.id, set.cases.iter().map(|case| case.id.as_str())),
        });
    };
    for line in explain(case) {
        writeln!(output, "{line}")?;
    }
    Ok(Exit::Conforms)
}
