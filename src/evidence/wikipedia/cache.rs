//! What a wiki answered, kept on disk: a file an answer, each with its checksum.
//!
//! Files appear whole or not at all (written aside, synced, renamed), so that a killed process leaves nothing half done
//! and two may share a folder. A damaged file counts as none. Pages are kept by revision and never change.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The first word of every file, with the version of its shape.
const MAGIC: &str = "evidex-wiki-cache-1";
/// What answers are kept of; each kind has a folder.
const KINDS: [Kind; 6] = [Kind::Site, Kind::Name, Kind::Search, Kind::Page, Kind::Moment, Kind::Answer];
/// A file used within this time is not marked as used again.
const MARK_EVERY: Duration = Duration::from_secs(600);

/// What an answer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The wiki itself.
    Site,
    /// What is found under a name.
    Name,
    /// What a search finds.
    Search,
    /// A page's text at a revision.
    Page,
    /// Which revision was the newest at a moment.
    Moment,
    /// Which names an answer needed, to ask after all of them at once.
    Answer,
}

impl Kind {
    const fn folder(self) -> &'static str {
        match self {
            Self::Site => "sites",
            Self::Name => "names",
            Self::Search => "searches",
            Self::Page => "pages",
            Self::Moment => "moments",
            Self::Answer => "answers",
        }
    }
}

/// An answer that was kept, and when (seconds since 1970).
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept<T> {
    key: String,
    pub(super) stored: i64,
    pub(super) value: T,
}

/// What the cache holds of one wiki.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CacheStat {
    /// The wiki's folder.
    pub wiki: String,
    /// Pages, each revision once.
    pub pages: u64,
    /// Searches.
    pub searches: u64,
    /// Names that were looked up.
    pub names: u64,
    /// Bytes of all its files.
    pub bytes: u64,
}

/// The cache of what wikis answered.
#[derive(Debug, Clone)]
pub struct WikiCache {
    folder: PathBuf,
}

impl WikiCache {
    /// The cache in `folder`, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn path(&self, wiki: &str, kind: Kind, key: &str) -> PathBuf {
        let name = hex(&Sha256::digest(key.as_bytes())[..16]);
        self.folder.join(wiki).join(kind.folder()).join(name).with_extension("json")
    }

    /// What is kept under `key`; `None` where there is nothing, or nothing sound.
    pub(super) fn get<T: DeserializeOwned>(&self, wiki: &str, kind: Kind, key: &str) -> Option<Kept<T>> {
        let path = self.path(wiki, kind, key);
        let text = fs::read_to_string(&path).ok()?;
        let Some(kept) = decode::<T>(&text).filter(|kept| kept.key == key) else {
            tracing::warn!("{} is damaged and not used", path.display());
            return None;
        };
        mark_used(&path);
        Some(kept)
    }

    /// Keeps `value` under `key`, in place of what was there. A cache that cannot be written is warned of and goes
    /// without.
    pub(super) fn put<T: Serialize>(&self, wiki: &str, kind: Kind, key: &str, now: i64, value: &T) {
        let path = self.path(wiki, kind, key);
        if let Err(error) = write(&path, &Kept { key: key.to_owned(), stored: now, value }) {
            tracing::warn!("{} cannot be written: {error}", path.display());
        }
    }

    /// What it holds, wiki by wiki, in name order.
    ///
    /// # Errors
    /// When the folder cannot be read; one that is not there is empty.
    pub fn stat(&self) -> io::Result<Vec<CacheStat>> {
        let mut wikis: Vec<CacheStat> = Vec::new();
        for file in self.files()? {
            if wikis.last().is_none_or(|stat| stat.wiki != file.wiki) {
                wikis.push(CacheStat { wiki: file.wiki.clone(), ..CacheStat::default() });
            }
            let Some(stat) = wikis.last_mut() else { continue };
            stat.bytes += file.bytes;
            match file.kind {
                Kind::Page => stat.pages += 1,
                Kind::Search => stat.searches += 1,
                Kind::Name => stat.names += 1,
                Kind::Site | Kind::Moment | Kind::Answer => {}
            }
        }
        Ok(wikis)
    }

    /// Removes all that is kept, or all of one wiki, and says how many files and bytes that were. What the cache did not
    /// write itself stays.
    ///
    /// # Errors
    /// When the folder cannot be read or a file not removed.
    pub fn clear(&self, wiki: Option<&str>) -> io::Result<(u64, u64)> {
        let (mut files, mut bytes) = (0, 0);
        for file in self.files()?.into_iter().filter(|file| wiki.is_none_or(|wiki| wiki == file.wiki)) {
            fs::remove_file(&file.path)?;
            files += 1;
            bytes += file.bytes;
            for folder in file.path.ancestors().skip(1).take(2) {
                // Fails while it is not empty.
                let _ = fs::remove_dir(folder);
            }
        }
        Ok((files, bytes))
    }

    /// Removes what was not used for longest until no more than `most` bytes are left.
    pub(super) fn trim(&self, most: u64) {
        let Ok(mut files) = self.files() else { return };
        let mut total: u64 = files.iter().map(|file| file.bytes).sum();
        if total <= most {
            return;
        }
        files.sort_by(|a, b| a.used.cmp(&b.used).then_with(|| a.path.cmp(&b.path)));
        for file in files {
            if total <= most {
                break;
            }
            if fs::remove_file(&file.path).is_ok() {
                total -= file.bytes;
            }
        }
    }

    /// Every file of the cache, by wiki.
    fn files(&self) -> io::Result<Vec<CacheFile>> {
        let mut files = Vec::new();
        for wiki in entries(&self.folder)? {
            let name = wiki.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            for kind in KINDS {
                for path in entries(&wiki.join(kind.folder()))? {
                    let ours = path.extension().is_some_and(|extension| extension == "json");
                    let Ok(metadata) = fs::metadata(&path) else { continue };
                    if ours && metadata.is_file() {
                        let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                        files.push(CacheFile { wiki: name.clone(), kind, bytes: metadata.len(), used, path });
                    }
                }
            }
        }
        Ok(files)
    }
}

struct CacheFile {
    wiki: String,
    kind: Kind,
    bytes: u64,
    used: SystemTime,
    path: PathBuf,
}

/// What is in a folder, in name order; nothing where there is no folder.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut paths = listed.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn mark_used(path: &Path) {
    let now = SystemTime::now();
    let recent = fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|used| now.duration_since(used).is_ok_and(|since| since < MARK_EVERY));
    if !recent && let Ok(file) = fs::File::options().write(true).open(path) {
        let _ = file.set_modified(now);
    }
}

fn write<T: Serialize>(path: &Path, kept: &Kept<T>) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let body = serde_json::to_string(kept).map_err(io::Error::other)?;
    let mut file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
    writeln!(file, "{MAGIC} {}", checksum(&body))?;
    file.write_all(body.as_bytes())?;
    // Synced before the rename, so that the name never stands for half a file.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn decode<T: DeserializeOwned>(text: &str) -> Option<Kept<T>> {
    let (head, body) = text.split_once('\n')?;
    let (magic, sum) = head.split_once(' ')?;
    (magic == MAGIC && sum == checksum(body)).then(|| serde_json::from_str(body).ok()).flatten()
}

fn checksum(body: &str) -> String {
    hex(&Sha256::digest(body.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got_and_a_damaged_file_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let cache = WikiCache::new(folder.path());
        cache.put("wikipedia-en", Kind::Name, "Ilva", 7, &"x".to_owned());
        let kept: Kept<String> = cache.get("wikipedia-en", Kind::Name, "Ilva").unwrap();
        assert_eq!((kept.stored, kept.value.as_str()), (7, "x"));
        assert!(cache.get::<String>("wikipedia-de", Kind::Name, "Ilva").is_none());
        let path = cache.path("wikipedia-en", Kind::Name, "Ilva");
        let whole = fs::read_to_string(&path).unwrap();
        for broken in [whole.replace("\"x\"", "\"y\""), whole[..whole.len() / 2].to_owned(), String::new()] {
            fs::write(&path, broken).unwrap();
            assert!(cache.get::<String>("wikipedia-en", Kind::Name, "Ilva").is_none());
        }
    }

    #[test]
    fn the_size_is_bounded_and_what_was_used_last_stays() {
        let folder = tempfile::tempdir().unwrap();
        let cache = WikiCache::new(folder.path());
        let text = "a".repeat(1000);
        for n in 0..10u64 {
            let key = n.to_string();
            cache.put("w", Kind::Page, &key, 0, &text);
            let used = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + n);
            let file = fs::File::options().write(true).open(cache.path("w", Kind::Page, &key)).unwrap();
            file.set_modified(used).unwrap();
        }
        assert!(cache.get::<String>("w", Kind::Page, "0").is_some(), "it is used now");
        cache.trim(3_500);
        let left: Vec<u64> =
            (0..10).filter(|n: &u64| cache.get::<String>("w", Kind::Page, &n.to_string()).is_some()).collect();
        assert_eq!(left, [0, 8, 9]);
        assert!(cache.stat().unwrap()[0].bytes <= 3_500);
    }

    #[test]
    fn clearing_removes_what_the_cache_wrote_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let cache = WikiCache::new(folder.path());
        cache.put("w", Kind::Page, "1", 0, &1);
        cache.put("v", Kind::Search, "1", 0, &1);
        fs::write(folder.path().join("letter.txt"), "mine").unwrap();
        assert_eq!(cache.clear(Some("w")).unwrap().0, 1);
        assert_eq!(cache.stat().unwrap().iter().map(|stat| stat.wiki.as_str()).collect::<Vec<_>>(), ["v"]);
        assert_eq!(cache.clear(None).unwrap().0, 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the letter is left");
        assert!(WikiCache::new(folder.path().join("none")).stat().unwrap().is_empty());
    }
}
