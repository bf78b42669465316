//! Runs the real binary in a folder of its own, with settings and caches of the machine out of sight.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use evidex::onnx::AssetStore;

/// A folder that the commands of one test run in; gone when dropped.
pub struct Workplace {
    folder: tempfile::TempDir,
}

/// What a command left.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Workplace {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evidex"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        for (name, _) in std::env::vars() {
            if name.starts_with("EVIDEX_") && name != "EVIDEX_HOME" {
                command.env_remove(name);
            }
        }
        command.env("XDG_CONFIG_HOME", self.folder.path().join("no-settings")).env("NO_COLOR", "1");
        if !runtime_installed() {
            // A test pulls nothing by itself: without the runtime, claims are checked without the NLI model.
            command.env("EVIDEX_NLI", "none");
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Ran {
        use std::io::Write;
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses before reading closes the pipe: that is its answer, not a failure of the test.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs and expects success.
    pub fn well(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}\n{}\n{}", ran.stdout, ran.stderr);
        ran
    }

    /// `verify` on a text given directly against one context, as JSON.
    pub fn verify(&self, context: &str, answer: &str) -> serde_json::Value {
        let context = self.write("context.txt", context);
        let ran = self.run(&["verify", "--context", context.to_str().unwrap(), "--text", answer, "--format", "json"]);
        assert!(ran.code < 2, "{}", ran.stderr);
        ran.json()
    }
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.stdout, self.stderr))
    }

    /// Expects a failure to run, whose message holds all of `parts`.
    pub fn failed_saying(&self, parts: &[&str]) {
        assert_eq!(self.code, 2, "{}\n{}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// The labels of a report's claims, in order.
pub fn labels(report: &serde_json::Value) -> Vec<String> {
    report["claims"].as_array().unwrap().iter().map(|claim| claim["label"].as_str().unwrap().to_owned()).collect()
}

/// The shared data folder beside the checkout, or `None` where there is none and none is required.
pub fn shared(part: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("EVIDEX_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = folder.join(part);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var("EVIDEX_REQUIRE_SHARED").as_deref() != Ok("1"),
        "{} is missing and EVIDEX_REQUIRE_SHARED=1",
        path.display()
    );
    eprintln!("skipped: {} is missing", path.display());
    None
}

/// Whether what runs the models is installed.
fn runtime_installed() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| AssetStore::from_environment().runtime_path().is_ok())
}

/// Whether the default models are installed; where they are required and missing, the test fails.
pub fn models_installed() -> bool {
    let place = Workplace::new();
    let installed = place.run(&["doctor", "--format", "json", "--offline"]).code == 0;
    assert!(
        installed || std::env::var("EVIDEX_REQUIRE_MODELS").as_deref() != Ok("1"),
        "the models are missing and EVIDEX_REQUIRE_MODELS=1"
    );
    if !installed {
        eprintln!("skipped: the models are not installed (run `evidex models pull`)");
    }
    installed
}
