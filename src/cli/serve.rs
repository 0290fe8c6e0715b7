//! `samewait serve`: the reference as a port, or one of the zoo.

use std::io;

use clap::Args;

use super::exit::Exit;
use super::{Error, UntilUnread, select};
use crate::draws;
use crate::serve::{Reference, serve};
use crate::zoo;

#[derive(Debug, Args)]
#[command(after_help = "Example, one question by hand:\n  \
    echo '{\"id\":\"1\",\"ask\":\"hello\",\"kit\":\"0\",\"protocol\":1}' | samewait serve\n\n\
    A broken port under test: samewait test -- samewait serve --bug NAME")]
pub(super) struct Arguments {
    /// Answer as this broken implementation does; `samewait zoo` shows all names
    #[arg(long, value_name = "NAME")]
    bug: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Error> {
    let (input, output) = (io::stdin().lock(), UntilUnread(io::stdout().lock()));
    let draw = draws::of_the_system()?;
    match &arguments.bug {
        None => serve(input, output, &mut Reference(draw))?,
        Some(name) => {
            let bug = zoo::named(name).ok_or_else(|| Error::UnknownBug {
                nearest: select::nearest(name, zoo::all().map(|bug| bug.name)),
                name: name.clone(),
            })?;
            serve(input, output, &mut bug.port(draw))?;
        }
    }
    Ok(Exit::Conforms)
}
