//! Models and runtime in one file, for a machine without a network: a tar archive under zstd.
//!
//! The archive opens with `manifest.json` (what is in it, with lengths and SHA-256) and holds the files under
//! `models/`. Taking one up trusts nothing in it: only folders that this evidex knows are written, files of known
//! assets must have their pinned digests, and no path leads anywhere but into its folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use evidex::onnx::{ASSETS, Asset, AssetStore, ModelReference, PullRecord, asset_named, sha256_file};
use serde::{Deserialize, Serialize};

use super::AssetError;
use super::lock::PullLock;
use super::place::{Expected, PlaceError, join, place};

/// The licences of what a bundle holds, which travel with it.
const NOTICES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/THIRD-PARTY.md"));

const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "evidex-bundle";
const VERSION: u32 = 1;

/// No list of files is longer than this.
const MANIFEST_LIMIT: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    made_by: String,
    platform: String,
    folders: BTreeMap<String, BTreeMap<String, Entry>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    sha256: String,
}

/// Packs the named models (all that the default needs, when none is named) into `target`. Gives their names.
///
/// # Errors
/// When one is missing or damaged, or the file cannot be written; `target` is then as it was.
pub fn bundle(store: &AssetStore, names: &[String], target: &Path) -> Result<Vec<String>, AssetError> {
    let names: Vec<String> =
        if names.is_empty() { ASSETS.iter().map(|asset| asset.name.to_owned()).collect() } else { names.to_vec() };
    let mut folders: BTreeMap<String, (PathBuf, BTreeMap<String, Entry>)> = BTreeMap::new();
    for name in &names {
        let reference: ModelReference = name.parse()?;
        let Some(folder) = reference.folder() else {
            return Err(AssetError::Usage(format!("{name} is a folder of your own: copy it as it is")));
        };
        let place = store.find_model(&reference)?;
        let files = match asset_named(name) {
            Some(asset) => {
                asset.verify(&place)?;
                asset
                    .files
                    .iter()
                    .map(|file| (file.path.to_owned(), Entry { bytes: file.bytes, sha256: file.sha256.to_owned() }))
                    .collect()
            }
            None => recorded_files(&place)?,
        };
        folders.insert(folder, (place, files));
    }
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        made_by: format!("evidex {}", env!("CARGO_PKG_VERSION")),
        platform: platform(),
        folders: folders.iter().map(|(folder, (_, files))| (folder.clone(), files.clone())).collect(),
    };
    let listing = serde_json::to_string_pretty(&manifest).map_err(|error| AssetError::Usage(error.to_string()))?;

    let parent = target.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary =
        tempfile::Builder::new().prefix(".bundle-").tempfile_in(parent).map_err(AssetError::io("write in", parent))?;
    let failed = || AssetError::io("write", target);
    let encoder = zstd::Encoder::new(BufWriter::new(temporary.as_file()), 9).map_err(failed())?;
    let mut archive = tar::Builder::new(encoder);
    archive.mode(tar::HeaderMode::Deterministic);
    append(&mut archive, MANIFEST, listing.len() as u64, &mut listing.as_bytes()).map_err(failed())?;
    append(&mut archive, "THIRD-PARTY.md", NOTICES.len() as u64, &mut NOTICES.as_bytes()).map_err(failed())?;
    for (folder, (place, files)) in &folders {
        for (path, entry) in files {
            let source = place.join(path);
            let mut reader = File::open(&source).map_err(AssetError::io("read", &source))?;
            append(&mut archive, &format!("models/{folder}/{path}"), entry.bytes, &mut reader).map_err(failed())?;
        }
    }
    let buffer = archive.into_inner().and_then(zstd::Encoder::finish).map_err(failed())?;
    buffer.into_inner().map_err(|error| error.into_error()).map_err(failed())?;
    temporary.as_file().sync_all().map_err(failed())?;
    readable(temporary.as_file()).map_err(failed())?;
    temporary.persist(target).map_err(|error| error.error).map_err(failed())?;
    Ok(names)
}

/// Takes a bundle up into the store's first folder. Gives the names of the folders written.
///
/// # Errors
/// When it is damaged, for another platform, or holds what it must not; whole files that were read before stay, and
/// a folder counts as installed only when all its files are there.
pub fn unbundle(store: &AssetStore, source: &Path) -> Result<Vec<String>, AssetError> {
    let root = store.writable_root().ok_or(AssetError::NoStore)?;
    let wrong = |reason: String| AssetError::Bundle { path: source.to_owned(), reason };
    let damaged = |error: std::io::Error| wrong(format!("it is damaged or no bundle: {error}"));
    let file = File::open(source).map_err(AssetError::io("read", source))?;
    let decoder = zstd::Decoder::new(BufReader::new(file)).map_err(damaged)?;
    let mut archive = tar::Archive::new(decoder);
    let mut entries = archive.entries().map_err(damaged)?;

    let first = entries.next().ok_or_else(|| wrong("it is empty".to_owned()))?.map_err(damaged)?;
    if first.path_bytes().as_ref() != MANIFEST.as_bytes() {
        return Err(wrong("it does not open with a manifest".to_owned()));
    }
    let mut listing = Vec::new();
    first.take(MANIFEST_LIMIT).read_to_end(&mut listing).map_err(damaged)?;
    let manifest: Manifest =
        serde_json::from_slice(&listing).map_err(|error| wrong(format!("its manifest cannot be read: {error}")))?;
    check(&manifest).map_err(wrong)?;

    let _locks =
        manifest.folders.keys().map(|folder| PullLock::take(root, folder, || ())).collect::<Result<Vec<_>, _>>()?;
    let mut waiting: BTreeMap<String, (&str, &str, &Entry)> = BTreeMap::new();
    for (folder, files) in &manifest.folders {
        for (path, entry) in files {
            waiting.insert(format!("models/{folder}/{path}"), (folder, path, entry));
        }
    }
    // A record makes a model of the hub count as whole, so it is written when all else is there.
    let mut records: Vec<(&str, Vec<u8>, &Entry)> = Vec::new();
    for entry in entries {
        let mut entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if name == "THIRD-PARTY.md" {
            continue;
        }
        if entry.header().entry_type() != tar::EntryType::Regular {
            return Err(wrong(format!("`{name}` is no plain file")));
        }
        let Some((folder, path, expected)) = waiting.remove(&name) else {
            return Err(wrong(format!("`{name}` is not in its manifest, or comes twice")));
        };
        if path == PullRecord::FILE {
            let mut content = Vec::new();
            entry.by_ref().take(MANIFEST_LIMIT).read_to_end(&mut content).map_err(damaged)?;
            records.push((folder, content, expected));
            continue;
        }
        write(&mut entry, &root.join(folder), path, expected).map_err(|error| in_bundle(error, source))?;
    }
    if let Some(name) = waiting.keys().next() {
        return Err(wrong(format!("`{name}` is missing")));
    }
    for (folder, content, expected) in records {
        write(&mut content.as_slice(), &root.join(folder), PullRecord::FILE, expected)
            .map_err(|error| in_bundle(error, source))?;
    }
    Ok(manifest.folders.into_keys().collect())
}

/// What may be taken up: folders that this evidex knows, with the digests that it knows.
fn check(manifest: &Manifest) -> Result<(), String> {
    if manifest.format != FORMAT {
        return Err("it is no bundle of evidex".to_owned());
    }
    if manifest.version != VERSION {
        return Err(format!("it is of version {}, and this evidex reads version {VERSION}", manifest.version));
    }
    for (folder, files) in &manifest.folders {
        let known: Option<&Asset> = ASSETS.iter().find(|asset| asset.folder == folder);
        let of_hub = folder.starts_with("hf--") && !folder.contains(['/', '\\', ':']);
        if known.is_none() && !of_hub {
            let reason = format!("it holds `{folder}`, which this evidex does not know");
            let foreign = manifest.platform != platform();
            return Err(if foreign {
                format!("{reason}: the bundle was made for {}, and this is {}", manifest.platform, platform())
            } else {
                reason
            });
        }
        for (path, entry) in files {
            join(Path::new("store"), path)?;
            if let Some(asset) = known {
                let pinned = asset.files.iter().find(|file| file.path == path);
                if !pinned.is_some_and(|file| file.bytes == entry.bytes && file.sha256 == entry.sha256) {
                    return Err(format!("its `{folder}/{path}` is not the one that this evidex pins"));
                }
            }
        }
        let lacking = known.and_then(|asset| asset.files.iter().find(|file| !files.contains_key(file.path)));
        if let Some(file) = lacking {
            return Err(format!("it lacks `{folder}/{}`", file.path));
        }
        if of_hub && !files.contains_key(PullRecord::FILE) {
            return Err(format!("it lacks `{folder}/{}`", PullRecord::FILE));
        }
    }
    Ok(())
}

fn write(source: &mut dyn Read, folder: &Path, path: &str, entry: &Entry) -> Result<(), PlaceError> {
    let expected = Expected { bytes: Some(entry.bytes), sha256: Some(&entry.sha256) };
    place(source, folder, path, expected).map(drop)
}

fn in_bundle(error: PlaceError, source: &Path) -> AssetError {
    match error {
        PlaceError::Store(error) => error,
        PlaceError::Wrong(reason) => AssetError::Bundle { path: source.to_owned(), reason },
    }
}

/// The files of a model of the hub, as recorded when it was pulled, and the record itself.
fn recorded_files(folder: &Path) -> Result<BTreeMap<String, Entry>, AssetError> {
    let record = PullRecord::read(folder)?.unwrap_or_default();
    record.verify(folder)?;
    record
        .files
        .keys()
        .map(String::as_str)
        .chain([PullRecord::FILE])
        .map(|path| {
            let full = folder.join(path);
            let bytes = fs::metadata(&full).map_err(AssetError::io("read", &full))?.len();
            let sha256 = sha256_file(&full).map_err(AssetError::io("read", &full))?;
            Ok((path.to_owned(), Entry { bytes, sha256 }))
        })
        .collect()
}

fn append(
    archive: &mut tar::Builder<impl std::io::Write>,
    path: &str,
    bytes: u64,
    source: &mut dyn Read,
) -> std::io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_entry_type(tar::EntryType::Regular);
    archive.append_data(&mut header, path, source)
}

#[cfg(unix)]
fn readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &File) -> std::io::Result<()> {
    Ok(())
}

/// "linux-x86_64".
fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}
