//! Runs the kit as a person would.

use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any run of these tests takes.
const DEADLINE: Duration = Duration::from_secs(60);

/// The Python interpreter itself: `python3` may be a slow script that looks for it.
pub(crate) static PYTHON: LazyLock<String> = LazyLock::new(|| {
    let output = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("these tests need python3");
    String::from_utf8(output.stdout)
        .expect("a path in UTF-8")
        .trim()
        .to_owned()
});

/// The kit with these arguments, to be run in the root of the repository and in no terminal.
pub(crate) fn kit(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_samewait"));
    command
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    for name in [
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "LINES",
        "NO_COLOR",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(name);
    }
    command
}

/// How a run of the kit ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Waits for the end of the kit, which must come in time and must not be a panic.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut kit = command.spawn().expect("the kit starts");
        let (stdout, stderr) = (read(kit.stdout.take()), read(kit.stderr.take()));
        let code = wait(&mut kit);
        let [stdout, stderr] = [stdout, stderr].map(|text| text.join().expect("the pipe is read"));
        assert!(!stderr.contains("panicked"), "the kit panicked: {stderr}");
        Self { code, stdout, stderr }
    }
}

fn read(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut pipe) = pipe {
            pipe.read_to_string(&mut text).expect("the kit writes UTF-8");
        }
        text
    })
}

fn wait(kit: &mut Child) -> i32 {
    let start = Instant::now();
    loop {
        if let Some(status) = kit.try_wait().expect("the kit can be waited for") {
            return status.code().expect("the kit ends by itself");
        }
        if start.elapsed() > DEADLINE {
            kit.kill().expect("the kit can be killed");
            panic!("the kit hangs");
        }
        thread::sleep(Duration::from_millis(5));
    }
}
