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
