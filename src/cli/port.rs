//! `samewait port new`: a skeleton to start from.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use include_dir::{Dir, include_dir};

use super::Error;
use super::exit::Exit;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: PortCommand,
}

#[derive(Debug, Subcommand)]
enum PortCommand {
    /// Write the skeleton of a port, which answers one question as it is
    #[command(after_help = "Example:\n  samewait port new ruby my-port\n\n\
        Languages: dotnet, go, java, javascript, python, ruby. The README in the new directory says how to build and try it.")]
    New {
        /// The language
        language: String,
        /// The directory, which must not be there yet or must be empty
        directory: PathBuf,
    },
}

pub(super) fn run(arguments: &Arguments, output: &mut dyn Write) -> Result<Exit, Error> {
    let PortCommand::New { language, directory } = &arguments.command;
    let Some(template) = TEMPLATES.get_dir(language) else {
        let mut known: Vec<String> = TEMPLATES.dirs().map(|dir| dir.path().display().to_string()).collect();
        known.sort();
        let text = format!("no skeleton for `{language}`, needed one of {}", known.join(", "));
        return Err(Error::Usage(text));
    };
    let is_free = !directory.exists() || fs::read_dir(directory)?.next().is_none();
    if !is_free {
        let text = format!("{} is not empty, needed a new directory", directory.display());
        return Err(Error::Usage(text));
    }
    write(template, template.path(), directory, output)?;
    let readme = directory.join("README.md");
    writeln!(output, "\nnext: {} says how to build and try it", readme.display())?;
    Ok(Exit::Conforms)
}

/// Copies a folder of the program into a directory.
fn write(template: &Dir<'_>, root: &Path, directory: &Path, output: &mut dyn Write) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for file in template.files() {
        let name = file.path().strip_prefix(root).unwrap_or(file.path());
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, file.contents())?;
        if file.contents().starts_with(b"#!") {
            make_executable(&path)?;
        }
        writeln!(output, "{}", path.display())?;
    }
    template.dirs().try_for_each(|dir| write(dir, root, directory, output))
}

fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
