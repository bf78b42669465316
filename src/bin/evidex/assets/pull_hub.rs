//! Pulling any model of the hub at a revision, and holding later pulls to the files of the first.

#[cfg(feature = "fetch")]
use std::fs;
use std::path::PathBuf;

use evidex::onnx::{AssetStore, ModelReference, OnnxError};
#[cfg(feature = "fetch")]
use evidex::onnx::{PullRecord, sha256_file};

use super::AssetError;
#[cfg(feature = "fetch")]
use super::Attempt;
use super::ensure::PullOptions;
#[cfg(feature = "fetch")]
use super::hub::{Hub, HubError};
#[cfg(feature = "fetch")]
use super::lock::PullLock;
#[cfg(feature = "fetch")]
use super::place::{Expected, PlaceError, place};

/// Makes sure that the model is in the store. Gives its folder. That its files are those of the first pull is seen when they
/// are opened, and by [`repair`].
///
/// # Errors
/// As [`super::ensure`].
pub fn pull(store: &AssetStore, reference: &ModelReference, options: &PullOptions) -> Result<PathBuf, AssetError> {
    match store.find_model(reference) {
        Ok(folder) => Ok(folder),
        Err(_) => fetch(store, reference, options),
    }
}

/// Makes sure that the model is in the store, whole and as first pulled: files that are missing or differ are pulled again, at
/// the commit of the first pull. Gives its folder.
///
/// # Errors
/// As [`super::ensure`]; [`AssetError::Unavailable`] also when the hub now sends other files, [`AssetError::Onnx`] for
/// files that differ where nothing may be downloaded.
pub fn repair(store: &AssetStore, reference: &ModelReference, options: &PullOptions) -> Result<PathBuf, AssetError> {
    match store.find_verified(reference) {
        Ok(folder) => Ok(folder),
        Err(error @ (OnnxError::Damaged { .. } | OnnxError::Read { .. })) if options.offline => Err(error.into()),
        Err(error) => {
            if matches!(error, OnnxError::Damaged { .. }) {
                options.say(&error.to_string());
            }
            fetch(store, reference, options)
        }
    }
}

fn fetch(store: &AssetStore, reference: &ModelReference, options: &PullOptions) -> Result<PathBuf, AssetError> {
    if options.offline {
        return Err(AssetError::Offline { names: vec![reference.to_string()], by_hand: by_hand(reference) });
    }
    download(store, reference, options)
}

fn by_hand(reference: &ModelReference) -> String {
    format!("fetch the files of {reference} by other means and name their folder as dir:PATH")
}

#[cfg(not(feature = "fetch"))]
fn download(_: &AssetStore, reference: &ModelReference, _: &PullOptions) -> Result<PathBuf, AssetError> {
    let reason = "this build downloads nothing (cargo feature `fetch`)".to_owned();
    Err(AssetError::Unavailable {
        name: reference.to_string(),
        attempts: vec![super::Attempt { source: reference.to_string(), reason }],
        by_hand: by_hand(reference),
    })
}

#[cfg(feature = "fetch")]
fn download(store: &AssetStore, reference: &ModelReference, options: &PullOptions) -> Result<PathBuf, AssetError> {
    let ModelReference::Hub { repository, revision } = reference else {
        return Err(AssetError::Usage(format!("{reference} is not of the hub")));
    };
    let root = store.writable_root().ok_or(AssetError::NoStore)?;
    let name = reference.folder().unwrap_or_default();
    let _lock = PullLock::take(root, &name, || {
        options.say(&format!("waiting for another evidex that is pulling {reference}"))
    })?;
    // Looked at again under the lock: another process may have pulled it.
    if let Ok(folder) = store.find_verified(reference) {
        return Ok(folder);
    }
    let folder = root.join(&name);
    let staging = root.join(format!(".{name}.staging"));
    fs::create_dir_all(&staging).map_err(AssetError::io("create", &staging))?;
    options.say(&format!("pulling {reference}"));
    let hub = Hub::new(options.hub.as_deref(), options.progress)
        .map_err(|reason| unavailable(reference, vec![Attempt { source: "the hub".to_owned(), reason }]))?;
    let pull = Pull { hub, reference, repository, folder, staging };
    match PullRecord::read(&pull.folder)? {
        Some(record) => pull.again(&record, revision)?,
        None => pull.first(revision)?,
    }
    let _ = fs::remove_dir_all(&pull.staging);
    options.say(&format!("{reference} is in {}", pull.folder.display()));
    Ok(pull.folder)
}

#[cfg(feature = "fetch")]
fn unavailable(reference: &ModelReference, attempts: Vec<Attempt>) -> AssetError {
    AssetError::Unavailable { name: reference.to_string(), attempts, by_hand: by_hand(reference) }
}

/// One pull of one model.
#[cfg(feature = "fetch")]
struct Pull<'p> {
    hub: Hub,
    reference: &'p ModelReference,
    repository: &'p str,
    folder: PathBuf,
    /// Where parts of files wait; kept when a pull is cut short, for the next one.
    staging: PathBuf,
}

/// A file that was pulled.
#[cfg(feature = "fetch")]
struct Pulled {
    sha256: String,
    commit: Option<String>,
}

#[cfg(feature = "fetch")]
impl Pull<'_> {
    /// Pulls what a model needs and what is welcome, and records it.
    fn first(&self, revision: &str) -> Result<(), AssetError> {
        /// Each line is one file that a model needs, under the names that repositories give it.
        const NEEDED: [&[&str]; 3] =
            [&["onnx/model.onnx", "model.onnx", "onnx/model_quantized.onnx"], &["tokenizer.json"], &["config.json"]];
        /// What decides how a model is run, where it is there.
        const WELCOME: [&str; 6] = [
            "onnx/model.onnx_data",
            "tokenizer_config.json",
            "sentence_bert_config.json",
            "config_sentence_transformers.json",
            "modules.json",
            "1_Pooling/config.json",
        ];
        let mut record = PullRecord { source: self.reference.to_string(), ..PullRecord::default() };
        let groups = NEEDED.iter().copied().chain(WELCOME.iter().map(std::slice::from_ref));
        for (group, names) in groups.enumerate() {
            let mut missed = Vec::new();
            for path in names {
                // From the first answer on at its commit, so that a branch that moves meanwhile does not mix two.
                let at = record.commit.as_deref().unwrap_or(revision);
                if let Some(pulled) = self.file(at, path, None)? {
                    record.commit = record.commit.take().or(pulled.commit);
                    record.files.insert((*path).to_owned(), pulled.sha256);
                    break;
                }
                missed.push(Attempt {
                    source: format!("{}@{at}: {path}", self.repository),
                    reason: "not found".to_owned(),
                });
            }
            if group < NEEDED.len() && missed.len() == names.len() {
                return Err(unavailable(self.reference, missed));
            }
        }
        // Written last: a folder without it is an unfinished pull.
        let text = serde_json::to_string_pretty(&record).map_err(|error| AssetError::Usage(error.to_string()))?;
        let anything = Expected { bytes: None, sha256: None };
        match place(&mut text.as_bytes(), &self.folder, PullRecord::FILE, anything) {
            Ok(_) => Ok(()),
            Err(PlaceError::Store(error)) => Err(error),
            Err(PlaceError::Wrong(reason)) => Err(AssetError::Usage(reason)),
        }
    }

    /// Pulls the files that are missing or differ from the record, as the first pull got them.
    fn again(&self, record: &PullRecord, revision: &str) -> Result<(), AssetError> {
        let at = record.commit.as_deref().unwrap_or(revision);
        for (path, sha256) in &record.files {
            if sha256_file(&self.folder.join(path)).is_ok_and(|found| found == *sha256) {
                continue;
            }
            if self.file(at, path, Some(sha256))?.is_none() {
                let reason = "not found, though the first pull got it".to_owned();
                return Err(unavailable(self.reference, vec![Attempt { source: path.clone(), reason }]));
            }
        }
        Ok(())
    }

    /// Pulls one file of the repository, of this digest where one is known; `None` where there is no such file.
    fn file(&self, revision: &str, path: &str, known: Option<&str>) -> Result<Option<Pulled>, AssetError> {
        let part = self.staging.join(path.replace('/', "--"));
        let wrong = |source: &str, reason: String| {
            unavailable(self.reference, vec![Attempt { source: source.to_owned(), reason }])
        };
        let fetched =
            match self.hub.fetch(self.repository, revision, path, &part, Expected { bytes: None, sha256: None }) {
                Ok(fetched) => fetched,
                Err(HubError::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(wrong(&format!("hf:{}@{revision}", self.repository), error.to_string())),
            };
        let mut reader = fs::File::open(&fetched.path).map_err(AssetError::io("read", &fetched.path))?;
        let sha256 = known.or(fetched.sha256.as_deref());
        match place(&mut reader, &self.folder, path, Expected { bytes: None, sha256 }) {
            Ok(sha256) => Ok(Some(Pulled { sha256, commit: fetched.commit })),
            Err(PlaceError::Store(error)) => Err(error),
            Err(PlaceError::Wrong(reason)) => {
                // Not to be gone on with.
                let _ = fs::remove_file(&part);
                Err(wrong(path, reason))
            }
        }
    }
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use evidex::onnx::{PullRecord, StoreRoot};

    use super::super::test_server::{Answer, Server};
    use super::*;

    fn store(path: &Path) -> AssetStore {
        AssetStore::new(vec![StoreRoot { path: path.to_owned(), origin: "test" }])
    }

    fn options(server: &Server, offline: bool) -> PullOptions {
        PullOptions { offline, progress: false, python: None, hub: Some(server.address.clone()) }
    }

    fn reference() -> ModelReference {
        "hf:org/tiny@v1".parse().expect("reads")
    }

    fn hub() -> Server {
        Server::start(|asked| match asked.path.strip_prefix("/org/tiny/resolve/v1/") {
            Some("model.onnx") => Answer::status(302).header("location", "/big/1"),
            Some("tokenizer.json") => Answer::ok(b"{}"),
            Some("config.json") => Answer::ok(b"{\"model_type\":\"bert\"}"),
            Some("1_Pooling/config.json") => Answer::ok(b"{\"pooling_mode_mean_tokens\":true}"),
            None if asked.path == "/big/1" => Answer::ok(b"the model"),
            _ => Answer::status(404),
        })
    }

    #[test]
    fn a_model_is_pulled_once_and_then_found_without_the_hub() {
        let server = hub();
        let root = tempfile::tempdir().expect("folder");
        let store = store(root.path());
        assert!(matches!(pull(&store, &reference(), &options(&server, true)), Err(AssetError::Offline { .. })));
        let folder = pull(&store, &reference(), &options(&server, false)).expect("pulled");
        assert_eq!(fs::read(folder.join("model.onnx")).expect("there"), b"the model");
        assert!(folder.join("1_Pooling/config.json").is_file());
        let record = PullRecord::read(&folder).expect("reads").expect("recorded");
        assert_eq!(record.files.len(), 4);
        assert!(record.verify(&folder).is_ok());
        let asked = server.asked().len();
        assert_eq!(pull(&store, &reference(), &options(&server, true)).expect("found"), folder);
        assert_eq!(server.asked().len(), asked);
    }

    const FIRST: &str = "0123456789abcdef0123456789abcdef01234567";

    /// A hub whose branch moves on after the first file that it gives: `weights` are what it then has.
    fn moving_hub(weights: &'static [u8]) -> Server {
        let answers = AtomicUsize::new(0);
        Server::start(move |asked| {
            let (revision, path) =
                match asked.path.strip_prefix("/org/tiny/resolve/").and_then(|rest| rest.split_once('/')) {
                    Some(parts) => parts,
                    None if asked.path == "/cdn/first" => return Answer::ok(b"the model"),
                    None => return Answer::ok(weights),
                };
            let there = ["model.onnx", "tokenizer.json", "config.json"].contains(&path);
            let first = revision == FIRST || there && answers.fetch_add(1, Ordering::SeqCst) == 0;
            let commit = if first { FIRST.to_owned() } else { "f".repeat(40) };
            let answer = match path {
                "model.onnx" => Answer::status(302).header("location", if first { "/cdn/first" } else { "/cdn/later" }),
                "tokenizer.json" | "config.json" => Answer::ok(if first { b"{}" } else { b"[]" }),
                _ => Answer::status(404),
            };
            answer.header("x-repo-commit", commit)
        })
    }

    #[test]
    fn all_files_are_of_the_commit_that_the_first_was_of() {
        let server = moving_hub(b"other weights");
        let root = tempfile::tempdir().expect("folder");
        let folder = pull(&store(root.path()), &reference(), &options(&server, false)).expect("pulled");
        let record = PullRecord::read(&folder).expect("reads").expect("recorded");
        assert_eq!(record.commit.as_deref(), Some(FIRST));
        assert_eq!(fs::read(folder.join("model.onnx")).expect("there"), b"the model");
        assert_eq!(fs::read(folder.join("config.json")).expect("there"), b"{}");
    }

    #[test]
    fn a_damaged_file_is_had_again_from_the_commit_of_the_first_pull() {
        let server = moving_hub(b"other weights");
        let root = tempfile::tempdir().expect("folder");
        let store = store(root.path());
        let folder = pull(&store, &reference(), &options(&server, false)).expect("pulled");
        let lock = fs::read(folder.join(PullRecord::FILE)).expect("there");
        fs::write(folder.join("model.onnx"), "damaged").expect("writes");
        fs::remove_file(folder.join("config.json")).expect("removes");
        let offline = repair(&store, &reference(), &options(&server, true)).expect_err("cannot");
        assert!(matches!(offline, AssetError::Onnx(_)), "{offline}");
        assert_eq!(repair(&store, &reference(), &options(&server, false)).expect("repaired"), folder);
        assert_eq!(fs::read(folder.join("model.onnx")).expect("there"), b"the model");
        assert!(store.find_verified(&reference()).is_ok());
        assert_eq!(fs::read(folder.join(PullRecord::FILE)).expect("there"), lock);
    }

    #[test]
    fn a_hub_that_sends_other_files_than_at_the_first_pull_is_refused() {
        let root = tempfile::tempdir().expect("folder");
        let store = store(root.path());
        let folder = pull(&store, &reference(), &options(&hub(), false)).expect("pulled");
        fs::write(folder.join("model.onnx"), "damaged").expect("writes");
        // This one says no commit, and has another model under the same tag.
        let other = Server::start(|asked| match asked.path.strip_prefix("/org/tiny/resolve/v1/") {
            Some("model.onnx") => Answer::ok(b"another model"),
            _ => Answer::status(404),
        });
        let error = repair(&store, &reference(), &options(&other, false)).expect_err("refused").to_string();
        assert!(error.contains("model.onnx") && error.contains("sha256"), "{error}");
        assert_eq!(fs::read(folder.join("model.onnx")).expect("there"), b"damaged");
    }

    #[test]
    fn two_pulls_at_once_fetch_the_model_once() {
        let server = hub();
        let root = tempfile::tempdir().expect("folder");
        let store = store(root.path());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pull(&store, &reference(), &options(&server, false)).expect("pulled"));
            }
        });
        assert_eq!(server.asked().iter().filter(|asked| asked.path == "/big/1").count(), 1);
    }

    #[test]
    fn a_file_that_is_not_what_the_hub_says_is_not_installed() {
        let server = Server::start(|asked| match asked.path.strip_prefix("/org/tiny/resolve/v1/") {
            Some("model.onnx") => {
                Answer::ok(b"something else").header("x-linked-etag", format!("\"{}\"", "0".repeat(64)))
            }
            Some("tokenizer.json" | "config.json") => Answer::ok(b"{}"),
            _ => Answer::status(404),
        });
        let root = tempfile::tempdir().expect("folder");
        let store = store(root.path());
        let error = pull(&store, &reference(), &options(&server, false)).expect_err("refused");
        assert!(error.to_string().contains("sha256"), "{error}");
        assert!(store.find_model(&reference()).is_err());
    }

    #[test]
    fn a_repository_without_a_model_says_what_was_looked_for() {
        let server = Server::start(|_| Answer::status(404));
        let root = tempfile::tempdir().expect("folder");
        let error = pull(&store(root.path()), &reference(), &options(&server, false)).expect_err("not found");
        let text = error.to_string();
        assert!(text.contains("onnx/model.onnx") && text.contains("not found"), "{text}");
        assert!(error.hint().expect("a hint").contains("dir:"));
    }
}
