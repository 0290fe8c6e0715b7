//! `samewait schema`: JSON Schemas of what is read and written.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::Error;
use super::exit::Exit;
use crate::schema::Name;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    samewait schema                       what there is a schema of\n  \
    samewait schema vectors               one of them\n  \
    samewait schema --out spec/schema     all of them, each in its file\n\n\
    An editor with a YAML language server checks a file whose first line names its schema:\n  \
    # yaml-language-server: $schema=../../spec/schema/vectors.schema.json")]
pub(super) struct Arguments {
    /// What the schema is of; without it, and without --out, the names are listed
    #[arg(value_parser = PossibleValuesParser::new(Name::ALL.map(Name::name)), hide_possible_values = true)]
    name: Option<String>,
    /// Write NAME.schema.json into this directory, for all names or for the one that is given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let chosen = arguments.name.as_deref().and_then(Name::named);
    match (&arguments.out, chosen) {
        (Some(directory), chosen) => {
            fs::create_dir_all(directory)?;
            for name in Name::ALL
                .into_iter()
                .filter(|name| chosen.is_none_or(|chosen| chosen == *name))
            {
                fs::write(directory.join(name.file()), name.text())?;
            }
        }
        (None, Some(name)) => output.write_all(name.text().as_bytes())?,
        (None, None) => {
            for name in Name::ALL {
                writeln!(output, "{:<12}  {}", name.name(), name.about())?;
            }
        }
    }
    Ok(Exit::Conforms)
}
