//! `evidex doctor`: what is installed, and whether it is sound.
//!
//! Files are held against their digests, the runtime is really loaded, and a sentence is really embedded and compared
//! with the numbers that it must give.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use evidex::onnx::{ASSETS, Asset, ONNX_RUNTIME};
use serde::Serialize;
use serde_json::{Value, json};

use super::models::{print, state_of};
use crate::assets::{AssetContext, AssetError};

/// Say what is installed and whether it is sound.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Look at this index too
    #[arg(long, value_name = "DIR")]
    pub index: Option<PathBuf>,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Sound,
    /// Worth knowing; all still works.
    Warning,
    Unsound,
}

/// One thing looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: String,
    outcome: Outcome,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Check {
    fn new(name: &str, outcome: Outcome, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), outcome, detail: detail.into(), hint: None, data: None }
    }

    fn hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    fn data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// Runs `evidex doctor`; `true` when all is sound. `check_index` opens an index and says what it is, or what is wrong
/// with it.
///
/// # Errors
/// When the result cannot be printed. What is not sound is a result.
pub fn run(
    args: &DoctorArgs,
    context: &AssetContext,
    check_index: &dyn Fn(&Path) -> Result<String, String>,
) -> Result<bool, AssetError> {
    let mut checks = vec![about(), stores(context)];
    checks.extend(ASSETS.iter().map(|asset| installed(context, asset)));
    checks.push(runtime(context));
    checks.push(embedding(context));
    checks.push(pip(context));
    if let Some(path) = &args.index {
        checks.push(match check_index(path) {
            Ok(detail) => Check::new("index", Outcome::Sound, format!("{}: {detail}", path.display())),
            Err(reason) => Check::new("index", Outcome::Unsound, format!("{}: {reason}", path.display())),
        });
    }
    let sound = checks.iter().all(|check| check.outcome != Outcome::Unsound);
    let mut page = String::new();
    for check in &checks {
        let mark = match check.outcome {
            Outcome::Sound => "ok",
            Outcome::Warning => "note",
            Outcome::Unsound => "FAIL",
        };
        let _ = writeln!(
            page,
            "{mark:<5} {:<18} {}",
            check.name,
            check.detail.replace('\n', "\n                         ")
        );
        if let Some(hint) = &check.hint {
            let _ = writeln!(page, "{:<24} hint: {hint}", "");
        }
    }
    let _ = writeln!(page, "\n{}", if sound { "all is sound" } else { "not sound: see FAIL above" });
    print(context, &json!({ "sound": sound, "checks": checks }), &page)?;
    Ok(sound)
}

fn about() -> Check {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (version, os, arch) = (env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH);
    Check::new("evidex", Outcome::Sound, format!("{version} on {os} {arch}, {cores} cores"))
        .data(json!({ "version": version, "os": os, "arch": arch, "cores": cores }))
}

fn stores(context: &AssetContext) -> Check {
    let roots: Vec<Value> = context
        .store
        .roots()
        .iter()
        .map(|root| json!({ "path": root.path.display().to_string(), "origin": root.origin, "exists": root.path.is_dir() }))
        .collect();
    let lines: Vec<String> = context
        .store
        .roots()
        .iter()
        .map(|root| {
            let state = if root.path.is_dir() { "" } else { ", not there" };
            format!("{} ({}{state})", root.path.display(), root.origin)
        })
        .collect();
    let check = match lines.is_empty() {
        true => Check::new("models in", Outcome::Unsound, "no folder is known").hint(AssetError::NoStore.hint()),
        false => Check::new("models in", Outcome::Sound, lines.join("\n")),
    };
    check.data(json!({ "roots": roots }))
}

fn installed(context: &AssetContext, asset: &Asset) -> Check {
    if asset.name == ONNX_RUNTIME.name
        && let Some(path) = context.store.runtime_override()
    {
        let detail = format!("not needed: {} is used instead", path.display());
        return Check::new(asset.name, Outcome::Sound, detail);
    }
    let (state, folder, error) = state_of(&context.store, asset);
    let data = json!({
        "kind": asset.kind.as_str(),
        "version": asset.version,
        "state": state,
        "path": folder.as_ref().map(|folder| folder.display().to_string()),
    });
    let outcome = match (&folder, error) {
        (Some(folder), _) => asset
            .verify(folder)
            .map(|()| format!("{}, {} files with the right digests", folder.display(), asset.files.len())),
        (None, Some(error)) => Err(error),
        (None, None) => Ok("part of this program".to_owned()),
    };
    match outcome {
        Ok(detail) => Check::new(asset.name, Outcome::Sound, detail).data(data),
        Err(error) => Check::new(asset.name, Outcome::Unsound, error.to_string()).hint(error.hint()).data(data),
    }
}

#[cfg(feature = "onnx")]
fn runtime(context: &AssetContext) -> Check {
    use evidex::onnx::Runtime;

    match context.store.runtime_path().and_then(|path| Runtime::load(&path)) {
        Ok(runtime) => {
            let detail = format!("ONNX Runtime {} loads from {}", runtime.version(), runtime.path().display());
            Check::new("runtime", Outcome::Sound, detail)
                .data(json!({ "version": runtime.version(), "path": runtime.path().display().to_string() }))
        }
        Err(error) => Check::new("runtime", Outcome::Unsound, error.to_string()).hint(error.hint()),
    }
}

#[cfg(not(feature = "onnx"))]
fn runtime(_context: &AssetContext) -> Check {
    Check::new("runtime", Outcome::Warning, "not built in (cargo feature `onnx`); `--embedder static` works")
}

/// What the default embedder must give for [`SENTENCE`]: its vector's first numbers, as the Python binding of ONNX
/// Runtime and a mean over the tokens give them.
#[cfg(feature = "onnx")]
const EXPECTED: [f32; 8] = [0.02818, 0.11217, -0.00395, -0.00685, -0.05594, 0.00441, -0.07604, 0.06933];

#[cfg(feature = "onnx")]
const SENTENCE: &str = "The lighthouse was built in 1884 and stands 42 metres tall.";

/// Kernels of other processors round otherwise; a wrong file or a broken kernel is further off.
#[cfg(feature = "onnx")]
const TOLERANCE: f32 = 0.01;

#[cfg(feature = "onnx")]
fn embedding(context: &AssetContext) -> Check {
    use std::time::Instant;

    use evidex::embed::{Embedder, OnnxEmbedder};
    use evidex::onnx::ALL_MINILM;

    let name = ALL_MINILM.name;
    let started = Instant::now();
    let embedder = match OnnxEmbedder::open(name, &context.store, NonZeroUsize::new(1)) {
        Ok(embedder) => embedder,
        Err(error) => return Check::new("embedding", Outcome::Unsound, error.to_string()),
    };
    let opened = started.elapsed().as_millis();
    let started = Instant::now();
    let vector = match embedder.embed(&[SENTENCE]) {
        Ok(mut vectors) => vectors.pop().unwrap_or_default(),
        Err(error) => return Check::new("embedding", Outcome::Unsound, error.to_string()),
    };
    let took = started.elapsed().as_secs_f64() * 1e3;
    let far = EXPECTED.iter().zip(&vector).map(|(expected, x)| (expected - x).abs()).fold(0.0_f32, f32::max);
    let data = json!({
        "embedder": name,
        "digest": embedder.identity().digest,
        "dimension": vector.len(),
        "opened_ms": opened as u64,
        "embedded_ms": took,
        "largest_difference": far,
        "first": vector.iter().take(EXPECTED.len()).collect::<Vec<_>>(),
    });
    if vector.len() == embedder.identity().dimension as usize && vector.len() >= EXPECTED.len() && far <= TOLERANCE {
        let detail = format!("{name} is right within {far:.4}; opened in {opened} ms, a sentence takes {took:.1} ms");
        Check::new("embedding", Outcome::Sound, detail).data(data)
    } else {
        let detail = format!("{name} gives other numbers than it should (up to {far:.4} off)");
        Check::new("embedding", Outcome::Unsound, detail)
            .hint(Some("the runtime may not fit this processor: try another with EVIDEX_ONNXRUNTIME".to_owned()))
            .data(data)
    }
}

#[cfg(not(feature = "onnx"))]
fn embedding(_context: &AssetContext) -> Check {
    Check::new("embedding", Outcome::Warning, "no model can be run (cargo feature `onnx`)")
}

#[cfg(feature = "fetch")]
fn pip(context: &AssetContext) -> Check {
    match crate::assets::python_with_pip(context.pull.python.as_deref()) {
        Ok((python, words)) => {
            // "pip 24.0 from /where/it/lies (python 3.11)"
            let short = words.split_once(" from ").map_or(words.as_str(), |(version, _)| version);
            Check::new("pip", Outcome::Sound, format!("{} has {short}", python.display()))
                .data(json!({ "python": python.display().to_string(), "pip": words }))
        }
        Err(reason) => Check::new("pip", Outcome::Warning, format!("{reason} (only needed to pull models)")),
    }
}

#[cfg(not(feature = "fetch"))]
fn pip(_context: &AssetContext) -> Check {
    Check::new("pip", Outcome::Warning, "this build downloads nothing (cargo feature `fetch`)")
}
