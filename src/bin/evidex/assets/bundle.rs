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

#[cfg(test)]
mod tests {
    use evidex::onnx::{ALL_MINILM, StoreRoot, hex};
    use sha2::{Digest, Sha256};

    use super::*;

    const NAME: &str = "hf:org/tiny@v1";
    const FOLDER: &str = "hf--org--tiny--v1";

    fn store(path: &Path) -> AssetStore {
        AssetStore::new(vec![StoreRoot { path: path.to_owned(), origin: "test" }])
    }

    fn sha(content: &[u8]) -> String {
        hex(&Sha256::digest(content))
    }

    /// A store that holds one small model of the hub.
    fn filled() -> (tempfile::TempDir, AssetStore) {
        let root = tempfile::tempdir().expect("folder");
        let folder = root.path().join(FOLDER);
        fs::create_dir_all(folder.join("onnx")).expect("creates");
        fs::write(folder.join("onnx/model.onnx"), "the model").expect("writes");
        let files = BTreeMap::from([("onnx/model.onnx".to_owned(), sha(b"the model"))]);
        let record = PullRecord { source: NAME.to_owned(), commit: None, files };
        fs::write(folder.join(PullRecord::FILE), serde_json::to_vec(&record).expect("writes")).expect("writes");
        let store = store(root.path());
        (root, store)
    }

    #[test]
    fn what_is_packed_is_what_is_unpacked() {
        let (root, from) = filled();
        let file = root.path().join("bundle.evidex");
        assert_eq!(bundle(&from, &[NAME.to_owned()], &file).expect("packs"), [NAME]);
        let other = tempfile::tempdir().expect("folder");
        let to = store(other.path());
        assert_eq!(unbundle(&to, &file).expect("unpacks"), [FOLDER]);
        let folder = to.find_model(&NAME.parse().expect("reads")).expect("installed");
        assert_eq!(fs::read(folder.join("onnx/model.onnx")).expect("there"), b"the model");
    }

    #[test]
    fn a_damaged_model_is_not_packed() {
        let (root, from) = filled();
        fs::write(root.path().join(FOLDER).join("onnx/model.onnx"), "the medal").expect("writes");
        let file = root.path().join("bundle.evidex");
        assert!(bundle(&from, &[NAME.to_owned()], &file).is_err());
        assert!(bundle(&from, &["dir:/x".to_owned()], &file).is_err());
        assert!(!file.exists());
    }

    #[test]
    fn a_bundle_cut_anywhere_installs_nothing() {
        let (root, from) = filled();
        let file = root.path().join("bundle.evidex");
        bundle(&from, &[NAME.to_owned()], &file).expect("packs");
        let whole = fs::read(&file).expect("there");
        for length in [0, 1, whole.len() / 4, whole.len() / 2, whole.len() * 3 / 4] {
            fs::write(&file, &whole[..length]).expect("writes");
            let other = tempfile::tempdir().expect("folder");
            let to = store(other.path());
            assert!(matches!(unbundle(&to, &file), Err(AssetError::Bundle { .. })), "{length} of {}", whole.len());
            assert!(to.find_model(&NAME.parse().expect("reads")).is_err());
        }
    }

    /// An entry of an archive: name, kind, content.
    type Crafted<'e> = (&'e str, tar::EntryType, &'e [u8]);

    fn archive(entries: &[Crafted<'_>]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crafted");
        let mut builder =
            tar::Builder::new(zstd::Encoder::new(File::create(&path).expect("creates"), 1).expect("starts"));
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            // Set by hand: the builder refuses such names.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(content.len() as u64);
            header.set_entry_type(*kind);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, *content).expect("appends");
        }
        builder.into_inner().expect("ends").finish().expect("ends");
        (folder, path)
    }

    fn manifest(folder: &str, files: &[(&str, &[u8])]) -> Vec<u8> {
        let files: BTreeMap<_, _> = files
            .iter()
            .map(|(path, content)| ((*path).to_owned(), Entry { bytes: content.len() as u64, sha256: sha(content) }))
            .collect();
        let manifest = Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            made_by: "test".to_owned(),
            platform: platform(),
            folders: BTreeMap::from([(folder.to_owned(), files)]),
        };
        serde_json::to_vec(&manifest).expect("writes")
    }

    #[test]
    fn no_crafted_bundle_writes_where_it_must_not() {
        use tar::EntryType::{Regular, Symlink};

        let record: &[u8] = b"{\"source\":\"x\",\"commit\":null,\"files\":{}}";
        let lock = (PullRecord::FILE, record);
        let lock_name = format!("models/{FOLDER}/{}", PullRecord::FILE);
        let good = manifest(FOLDER, &[lock, ("a", b"a")]);
        let upward = manifest(FOLDER, &[lock, ("../../escaped", b"a")]);
        let foreign = manifest("../escaped", &[lock]);
        let unknown = manifest("onnxruntime-9.9.9", &[("libonnxruntime.so", b"a")]);
        let pinned = manifest(ALL_MINILM.folder, &[("model.onnx", b"a")]);
        let part = format!("models/{FOLDER}/a");
        let cases: Vec<(&str, Vec<Crafted<'_>>)> = vec![
            ("upward in the manifest", vec![(MANIFEST, Regular, &upward)]),
            ("a folder upward", vec![(MANIFEST, Regular, &foreign)]),
            ("an unknown runtime", vec![(MANIFEST, Regular, &unknown)]),
            ("another file under a pinned name", vec![(MANIFEST, Regular, &pinned)]),
            ("upward in the archive", vec![(MANIFEST, Regular, &good), ("models/../../escaped", Regular, b"a")]),
            ("a link", vec![(MANIFEST, Regular, &good), (&part, Symlink, b"")]),
            (
                "another content",
                vec![(MANIFEST, Regular, &good), (&part, Regular, b"b"), (&lock_name, Regular, record)],
            ),
            ("twice", vec![(MANIFEST, Regular, &good), (&part, Regular, b"a"), (&part, Regular, b"a")]),
            ("a rest missing", vec![(MANIFEST, Regular, &good), (&lock_name, Regular, record)]),
            ("no manifest", vec![(&part, Regular, b"a")]),
        ];
        for (what, entries) in cases {
            let (_keep, file) = archive(&entries);
            let outer = tempfile::tempdir().expect("folder");
            let to = store(&outer.path().join("store"));
            let outcome = unbundle(&to, &file);
            assert!(matches!(outcome, Err(AssetError::Bundle { .. })), "{what}: {outcome:?}");
            assert!(to.find_model(&NAME.parse().expect("reads")).is_err(), "{what}");
            assert!(!outer.path().join("escaped").exists() && !outer.path().join("store/escaped").exists(), "{what}");
        }
    }
}
