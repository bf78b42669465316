//! Replies kept on disk for a while: one file a call, named by all that decides the reply.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::JudgeError;
use super::ask::Reply;

/// How long a reply is kept unless the caller says otherwise.
pub const CACHE_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of replies.
#[derive(Debug, Clone)]
pub struct ReplyCache {
    folder: PathBuf,
    keep: Duration,
}

/// What a cache holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CacheCount {
    /// Replies.
    pub replies: u64,
    /// Those that are too old to be used.
    pub expired: u64,
    /// Bytes of all of them.
    pub bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    /// Seconds since 1970.
    written: u64,
    reply: Reply,
}

impl ReplyCache {
    /// The cache in `folder`, which is made when the first reply is kept; replies are used for as long as `keep`.
    pub fn new(folder: impl Into<PathBuf>, keep: Duration) -> Self {
        Self { folder: folder.into(), keep }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The reply to the call, if it is there and not too old. What cannot be read is as good as not there.
    pub(super) fn get(&self, call: &str) -> Option<Reply> {
        let text = std::fs::read(self.path(call)).ok()?;
        let entry: Entry = serde_json::from_slice(&text).ok()?;
        (!self.is_old(entry.written)).then_some(entry.reply)
    }

    /// Keeps a reply. Only whole files are seen by others.
    pub(super) fn put(&self, call: &str, reply: &Reply) -> Result<(), JudgeError> {
        let path = self.path(call);
        let failed =
            |error: std::io::Error| JudgeError::File { path: path.display().to_string(), reason: error.to_string() };
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(failed)?;
        let entry = Entry { written: now(), reply: reply.clone() };
        let text = serde_json::to_vec(&entry)
            .map_err(|error| JudgeError::File { path: path.display().to_string(), reason: error.to_string() })?;
        // Temporary files are readable by their owner alone, and stay so when renamed.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(&text).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
    }

    /// What it holds.
    ///
    /// # Errors
    /// [`JudgeError::File`] when the folder cannot be read. A folder that is not there holds nothing.
    pub fn count(&self) -> Result<CacheCount, JudgeError> {
        let mut count = CacheCount::default();
        self.each(|_, bytes, old| {
            count.replies += 1;
            count.bytes += bytes;
            count.expired += u64::from(old);
            Ok(())
        })?;
        Ok(count)
    }

    /// Removes the replies, or only those that are too old; gives how many.
    ///
    /// # Errors
    /// [`JudgeError::File`] when one cannot be removed.
    pub fn clear(&self, expired_only: bool) -> Result<u64, JudgeError> {
        let mut removed = 0;
        self.each(|path, _, old| {
            if old || !expired_only {
                std::fs::remove_file(path)?;
                removed += 1;
            }
            Ok(())
        })?;
        Ok(removed)
    }

    fn each(&self, mut visit: impl FnMut(&Path, u64, bool) -> std::io::Result<()>) -> Result<(), JudgeError> {
        let failed = |path: &Path, error: std::io::Error| JudgeError::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let folders = match std::fs::read_dir(&self.folder) {
            Ok(folders) => folders,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&self.folder, error)),
        };
        for folder in folders {
            let folder = folder.map_err(|error| failed(&self.folder, error))?.path();
            let ours = folder.file_name().is_some_and(|name| name.len() == 2);
            if !ours || !folder.is_dir() {
                continue;
            }
            for file in std::fs::read_dir(&folder).map_err(|error| failed(&folder, error))? {
                let path = file.map_err(|error| failed(&folder, error))?.path();
                if path.extension().is_none_or(|extension| extension != "json") {
                    continue;
                }
                let bytes = path.metadata().map_or(0, |data| data.len());
                let entry = std::fs::read(&path).ok().and_then(|text| serde_json::from_slice::<Entry>(&text).ok());
                let old = entry.is_none_or(|entry| self.is_old(entry.written));
                visit(&path, bytes, old).map_err(|error| failed(&path, error))?;
            }
        }
        Ok(())
    }

    fn is_old(&self, written: u64) -> bool {
        let now = now();
        // A clock that was set back makes an entry old too: its age is not known.
        written > now || now - written >= self.keep.as_secs()
    }

    fn path(&self, call: &str) -> PathBuf {
        self.folder.join(&call[..2.min(call.len())]).join(format!("{call}.json"))
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> Reply {
        Reply { text: text.to_owned(), ..Reply::default() }
    }

    #[test]
    fn a_reply_is_kept_until_it_is_old_and_then_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ReplyCache::new(folder.path().join("replies"), CACHE_TIME);
        assert_eq!(cache.count().unwrap(), CacheCount::default());
        cache.put("abcd", &reply("yes")).unwrap();
        assert_eq!(cache.get("abcd"), Some(reply("yes")));
        assert_eq!(cache.get("abce"), None);
        let impatient = ReplyCache::new(cache.folder(), Duration::ZERO);
        assert_eq!(impatient.get("abcd"), None);
        assert_eq!((cache.count().unwrap().expired, impatient.count().unwrap().expired), (0, 1));
        assert_eq!(cache.clear(true).unwrap(), 0);
        assert_eq!(cache.clear(false).unwrap(), 1);
        assert_eq!(cache.count().unwrap().replies, 0);
    }

    #[test]
    fn a_damaged_entry_is_no_reply_and_is_written_anew() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ReplyCache::new(folder.path(), CACHE_TIME);
        cache.put("abcd", &reply("yes")).unwrap();
        std::fs::write(cache.path("abcd"), "{").unwrap();
        assert_eq!(cache.get("abcd"), None);
        cache.put("abcd", &reply("no")).unwrap();
        assert_eq!(cache.get("abcd"), Some(reply("no")));
    }

    #[cfg(unix)]
    #[test]
    fn what_models_said_is_readable_by_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let cache = ReplyCache::new(folder.path(), CACHE_TIME);
        cache.put("abcd", &reply("yes")).unwrap();
        assert_eq!(cache.path("abcd").metadata().unwrap().permissions().mode() & 0o077, 0);
    }
}
