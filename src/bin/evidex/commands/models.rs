//! `evidex models`: what models and runtime there are, and getting, packing and unpacking them.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use evidex::onnx::{ASSETS, Asset, AssetKind, AssetStore, ModelReference, OnnxError};
use serde_json::{Value, json};

use crate::assets::{self, AssetContext, AssetError};
use crate::nli::PRESETS;

/// List, pull and pack the models and the runtime.
#[derive(Debug, Args)]
pub struct ModelsArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: ModelsCommand,
}

/// What can be done with models.
#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// Show the models and the runtime, and which are installed
    List,
    /// Get what the default needs, or what is named
    Pull {
        /// Names from `models list`, or hf:org/name@revision
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        /// Take the files from this folder (dir:PATH) instead of downloading them
        #[arg(long, value_name = "dir:PATH")]
        from: Option<String>,
    },
    /// Print the folders that are looked through, or where a model lies
    Path {
        /// A name from `models list`, or hf:org/name@revision
        #[arg(value_name = "NAME")]
        name: Option<String>,
    },
    /// Pack what the default needs, or what is named, into one file for a machine without a network
    Bundle {
        /// The file to write
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Names from `models list`, or hf:org/name@revision
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Install from a file that `models bundle` wrote
    Unbundle {
        /// The file to read
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Runs `evidex models`.
///
/// # Errors
/// Why it could not.
pub fn run(args: &ModelsArgs, context: &AssetContext) -> Result<(), AssetError> {
    match &args.command {
        ModelsCommand::List => list(context),
        ModelsCommand::Pull { names, from } => pull(names, from.as_deref(), context),
        ModelsCommand::Path { name } => path(name.as_deref(), context),
        ModelsCommand::Bundle { file, names } => {
            if names.is_empty() {
                let all: Vec<&str> = ASSETS.iter().map(|asset| asset.name).collect();
                assets::ensure(&context.store, &all, &context.pull)?;
            }
            let packed = assets::bundle(&context.store, names, file)?;
            let page = format!("packed {} into {}\n", packed.join(", "), file.display());
            print(context, &json!({ "file": file.display().to_string(), "packed": packed }), &page)
        }
        ModelsCommand::Unbundle { file } => {
            let written = assets::unbundle(&context.store, file)?;
            let root = context.store.writable_root().map_or_else(String::new, |root| root.display().to_string());
            let page = format!("installed {} in {root}\n", written.join(", "));
            print(context, &json!({ "root": root, "installed": written }), &page)
        }
    }
}

/// Whether an asset is installed: "installed", "missing", "damaged", "built in" (it is installed when it is first asked for).
pub(super) fn state_of(store: &AssetStore, asset: &Asset) -> (&'static str, Option<PathBuf>, Option<OnnxError>) {
    match store.find(asset) {
        Ok(folder) => ("installed", Some(folder), None),
        Err(error @ OnnxError::Damaged { .. }) => ("damaged", None, Some(error)),
        Err(_) if assets::is_built_in(asset) => ("built in", None, None),
        Err(error) => ("missing", None, Some(error)),
    }
}

fn list(context: &AssetContext) -> Result<(), AssetError> {
    let mut rows = Vec::new();
    let mut page = String::new();
    for asset in ASSETS {
        let (state, folder, _) = state_of(&context.store, asset);
        let _ = writeln!(
            page,
            "{:<18} {:<9} {:<10} {:>8}  {:<11} {}",
            asset.name,
            asset.kind.as_str(),
            state,
            format!("{:.1} MB", asset.bytes() as f64 / 1e6),
            asset.license,
            asset.about
        );
        rows.push(json!({
            "name": asset.name,
            "kind": asset.kind.as_str(),
            "version": asset.version,
            "state": state,
            "path": folder.map(|folder| folder.display().to_string()),
            "bytes": asset.bytes(),
            "license": asset.license,
            "about": asset.about,
        }));
    }
    let _ = writeln!(
        page,
        "{:<18} {:<9} {:<10} {:>8}  {:<11} word n-grams, no model",
        "hashed", "embedder", "built in", "", ""
    );
    rows.push(json!({ "name": "hashed", "kind": AssetKind::Embedder.as_str(), "state": "built in" }));
    for (name, reference, about) in PRESETS.iter().filter(|(_, reference, _)| reference.starts_with("hf:")) {
        let pulled =
            reference.parse().is_ok_and(|reference: ModelReference| context.store.find_model(&reference).is_ok());
        let state = if pulled { "installed" } else { "on the hub" };
        let _ = writeln!(page, "{name:<18} {:<9} {state:<10} {:>8}  {:<11} {about}", AssetKind::Nli.as_str(), "", "");
        rows.push(json!({
            "name": name, "kind": AssetKind::Nli.as_str(), "state": state, "reference": reference, "about": about
        }));
    }
    print(context, &json!({ "models": rows }), &page)
}

fn pull(names: &[String], from: Option<&str>, context: &AssetContext) -> Result<(), AssetError> {
    let names: Vec<String> =
        if names.is_empty() { ASSETS.iter().map(|asset| asset.name.to_owned()).collect() } else { names.to_vec() };
    let from = match from.map(|text| (text, text.strip_prefix("dir:"))) {
        None => None,
        Some((_, Some(path))) if !path.is_empty() => Some(PathBuf::from(path)),
        Some((text, _)) => return Err(AssetError::Usage(format!("--from takes dir:PATH, not `{text}`"))),
    };
    let mut rows = Vec::new();
    let mut page = String::new();
    for name in &names {
        let reference: ModelReference = name.parse()?;
        let folder = match (&reference, &from) {
            (ModelReference::Named(name), Some(from)) => assets::pull_from(&context.store, name, from, &context.pull)?,
            (_, Some(_)) => {
                return Err(AssetError::Usage(format!(
                    "--from has no files of {reference}: name a model of `models list`"
                )));
            }
            (_, None) => assets::pull_reference(&context.store, &reference, &context.pull)?,
        };
        let _ = writeln!(page, "{reference} {}", folder.display());
        rows.push(json!({ "name": reference.to_string(), "path": folder.display().to_string() }));
    }
    print(context, &json!({ "pulled": rows }), &page)
}

fn path(name: Option<&str>, context: &AssetContext) -> Result<(), AssetError> {
    if let Some(name) = name {
        let folder = context.store.find_model(&name.parse::<ModelReference>()?)?;
        return print(context, &json!({ "path": folder.display().to_string() }), &format!("{}\n", folder.display()));
    }
    let mut page = String::new();
    let mut rows = Vec::new();
    for root in context.store.roots() {
        let _ = writeln!(page, "{}", root.path.display());
        rows.push(
            json!({ "path": root.path.display().to_string(), "origin": root.origin, "exists": root.path.is_dir() }),
        );
    }
    print(context, &json!({ "roots": rows }), &page)
}

/// Prints a result: data on stdout. A reader that went away is no error.
pub(super) fn print(context: &AssetContext, data: &Value, page: &str) -> Result<(), AssetError> {
    let json = format!("{data:#}\n");
    let text = if context.json { &json } else { page };
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(AssetError::Io { action: "write", path: PathBuf::from("standard output"), source })
        }
        _ => Ok(()),
    }
}
