//! Pulling any model of the hub at a revision, and holding later pulls to the files of the first.

use std::path::PathBuf;

use evidex::onnx::{AssetStore, ModelReference};

use super::AssetError;
use super::ensure::PullOptions;

/// Makes sure that the model is in the store, whole and as first pulled. Gives its folder.
///
/// # Errors
/// As [`super::ensure`]; a file that is not what it was at the first pull is [`AssetError::Onnx`] when it lies in the
/// store, [`AssetError::Unavailable`] when the hub now sends another.
pub fn pull(store: &AssetStore, reference: &ModelReference, options: &PullOptions) -> Result<PathBuf, AssetError> {
    if let Ok(folder) = store.find_model(reference) {
        return Ok(folder);
    }
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
    use std::fs;

    use evidex::onnx::PullRecord;

    use super::Attempt;
    use super::hub::{Hub, HubError};
    use super::lock::PullLock;
    use super::place::{Expected, PlaceError, place};

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

    let ModelReference::Hub { repository, revision } = reference else {
        return Err(AssetError::Usage(format!("{reference} is not of the hub")));
    };
    let root = store.writable_root().ok_or(AssetError::NoStore)?;
    let name = reference.folder().unwrap_or_default();
    let _lock = PullLock::take(root, &name, || {
        options.say(&format!("waiting for another evidex that is pulling {reference}"))
    })?;
    if let Ok(folder) = store.find_model(reference) {
        return Ok(folder);
    }
    let folder = root.join(&name);
    let staging = root.join(format!(".{name}.staging"));
    fs::create_dir_all(&staging).map_err(AssetError::io("create", &staging))?;
    options.say(&format!("pulling {reference}"));

    let mut attempts: Vec<Attempt> = Vec::new();
    let unavailable =
        |attempts| AssetError::Unavailable { name: reference.to_string(), attempts, by_hand: by_hand(reference) };
    let hub = match Hub::new(options.hub.as_deref(), options.progress) {
        Ok(hub) => hub,
        Err(reason) => return Err(unavailable(vec![Attempt { source: "the hub".to_owned(), reason }])),
    };
    let mut record = PullRecord { source: reference.to_string(), ..PullRecord::default() };
    let anything = Expected { bytes: None, sha256: None };
    let groups =
        NEEDED.iter().map(|names| (*names, true)).chain(WELCOME.iter().map(|name| (std::slice::from_ref(name), false)));
    for (names, needed) in groups {
        let mut had = false;
        for path in names {
            let part = staging.join(path.replace('/', "--"));
            match hub.fetch(repository, revision, path, &part, anything) {
                Ok(fetched) => {
                    let mut reader = fs::File::open(&fetched.path).map_err(AssetError::io("read", &fetched.path))?;
                    let expected = Expected { bytes: None, sha256: fetched.sha256.as_deref() };
                    match place(&mut reader, &folder, path, expected) {
                        Ok(digest) => {
                            record.commit = record.commit.take().or(fetched.commit);
                            record.files.insert((*path).to_owned(), digest);
                            had = true;
                        }
                        Err(PlaceError::Store(error)) => return Err(error),
                        Err(PlaceError::Wrong(reason)) => {
                            // Not to be gone on with.
                            let _ = fs::remove_file(&part);
                            attempts.push(Attempt { source: (*path).to_owned(), reason });
                            return Err(unavailable(attempts));
                        }
                    }
                }
                Err(HubError::NotFound { url }) => {
                    if needed {
                        attempts.push(Attempt { source: url, reason: "not found".to_owned() });
                    }
                }
                Err(error) => {
                    attempts.push(Attempt { source: format!("hf:{repository}@{revision}"), reason: error.to_string() });
                    return Err(unavailable(attempts));
                }
            }
            if had {
                break;
            }
        }
        if needed && !had {
            return Err(unavailable(attempts));
        }
    }
    // Written last: a folder without it is an unfinished pull.
    let text = serde_json::to_string_pretty(&record).map_err(|error| AssetError::Usage(error.to_string()))?;
    match place(&mut text.as_bytes(), &folder, PullRecord::FILE, anything) {
        Ok(_) => {}
        Err(PlaceError::Store(error)) => return Err(error),
        Err(PlaceError::Wrong(reason)) => return Err(AssetError::Usage(reason)),
    }
    let _ = fs::remove_dir_all(&staging);
    options.say(&format!("{reference} is in {}", folder.display()));
    Ok(folder)
}

#[cfg(all(test, feature = "fetch"))]
mod tests {
    use std::fs;
    use std::path::Path;
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
