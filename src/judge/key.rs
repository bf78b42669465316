//! A provider's key: it travels in one header and shows nowhere else.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::JudgeError;

/// What stands in the place of a key that a text held.
const HIDDEN: &str = "[key]";

/// A key. It has no `Display`, its `Debug` hides it, and it is never serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(Arc<str>);

impl ApiKey {
    /// The key in `text`, without white space around it; `None` if there is none.
    ///
    /// ```
    /// use evidex::judge::ApiKey;
    /// let key = ApiKey::new(" secret-123\n").unwrap();
    /// assert_eq!(format!("{key:?}"), "ApiKey(hidden)");
    /// assert!(ApiKey::new(" ").is_none());
    /// ```
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
        (!text.is_empty() && sendable).then(|| Self(text.into()))
    }

    /// The key in the first line of a file.
    ///
    /// # Errors
    /// [`JudgeError::File`] when the file cannot be read or holds no key; its content is not shown.
    pub fn from_file(path: &Path) -> Result<Self, JudgeError> {
        let failed = |reason: String| JudgeError::File { path: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        text.lines()
            .next()
            .and_then(Self::new)
            .ok_or_else(|| failed("its first line is no key (visible ASCII, without spaces)".to_owned()))
    }

    /// The key itself, for the one header that carries it.
    #[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "nothing is sent without the network"))]
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// `text` with the key taken out, should a server have echoed it.
    pub(super) fn hide_in(&self, text: &str) -> String {
        text.replace(&*self.0, HIDDEN)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_shows_neither_in_debug_output_nor_in_an_echo() {
        let key = ApiKey::new("sk-abc123").unwrap();
        assert!(!format!("{key:?} {:?}", Some(&key)).contains("abc123"));
        assert_eq!(key.hide_in("bad key sk-abc123!"), "bad key [key]!");
    }

    #[test]
    fn what_cannot_be_a_header_is_no_key() {
        assert!(ApiKey::new("two words").is_none());
        assert!(ApiKey::new("line\nbreak").is_none());
    }

    #[test]
    fn a_key_file_gives_its_first_line_and_errors_do_not_show_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, "sk-1\nnote\n").unwrap();
        assert_eq!(ApiKey::from_file(&path).unwrap().expose(), "sk-1");
        std::fs::write(&path, "not a key\n").unwrap();
        let error = ApiKey::from_file(&path).unwrap_err().to_string();
        assert!(error.contains("no key") && !error.contains("not a key"), "{error}");
    }
}
