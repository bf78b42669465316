//! Files of the model hub over HTTPS: resumable, with redirects followed by hand so that what each answer says
//! (commit, digest) is seen, and none that leads from HTTPS to HTTP.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::blocking::{Client, Response};
use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, LOCATION, RANGE};
use reqwest::redirect::Policy;
use reqwest::{Method, Url};

use super::place::Expected;
use super::progress::bytes_bar;

/// Where the hub is, unless `EVIDEX_HUB` says otherwise.
pub const DEFAULT_HUB: &str = "https://huggingface.co";

/// How often a file is asked for again after the connection broke.
const TRIES: usize = 4;

/// Redirects followed for one request.
const REDIRECTS: usize = 10;

/// Why a file was not had.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The hub has no such file.
    #[error("{url}: not found")]
    NotFound {
        /// What was asked for.
        url: String,
    },
    /// The hub refused, or answered what makes no sense.
    #[error("{url}: {reason}")]
    Refused {
        /// What was asked for.
        url: String,
        /// What it answered.
        reason: String,
    },
    /// There is no way to the hub; asking again is of no use.
    #[error("{url}: cannot connect: {reason}")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// Why.
        reason: String,
    },
    /// The connection broke, as often as it was tried.
    #[error("{url}: {reason}")]
    Network {
        /// What was asked for.
        url: String,
        /// Why.
        reason: String,
    },
    /// The part could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The part.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A fetched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it lies.
    pub path: PathBuf,
    /// The commit that the revision stood for, where the hub said so.
    pub commit: Option<String>,
    /// The file's hex SHA-256, where the hub said so.
    pub sha256: Option<String>,
}

/// A hub of models.
#[derive(Debug)]
pub struct Hub {
    address: Url,
    client: Client,
    progress: bool,
}

impl Hub {
    /// The hub at `address`, or the usual one.
    ///
    /// # Errors
    /// When the address is no web address, or the system has no certificates.
    pub fn new(address: Option<&str>, progress: bool) -> Result<Self, String> {
        let address = address.unwrap_or(DEFAULT_HUB);
        let address = Url::parse(&format!("{}/", address.trim_end_matches('/')))
            .map_err(|error| format!("`{address}` is no address of a hub: {error}"))?;
        let client = Client::builder()
            .user_agent(concat!("evidex/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(15))
            // For each read, not for the whole file.
            .timeout(Duration::from_secs(60))
            .redirect(Policy::none())
            .build()
            .map_err(|error| format!("cannot set up HTTPS: {}", reason_of(&error)))?;
        Ok(Self { address, client, progress })
    }

    /// Fetches a file of a repository into `part`, going on where an earlier try stopped.
    ///
    /// # Errors
    /// See [`HubError`]; what came so far stays in `part`.
    pub fn fetch(
        &self,
        repository: &str,
        revision: &str,
        path: &str,
        part: &Path,
        expected: Expected<'_>,
    ) -> Result<Fetched, HubError> {
        let url = self.address.join(&format!("{repository}/resolve/{revision}/{path}")).map_err(|error| {
            HubError::Refused { url: format!("{}{repository}", self.address), reason: error.to_string() }
        })?;
        let mut tries = 0;
        loop {
            match self.fetch_once(&url, path, part, expected) {
                Err(HubError::Network { .. }) if tries + 1 < TRIES => {
                    // What came so far is kept, and the next try asks for the rest.
                    std::thread::sleep(Duration::from_millis(200 << tries));
                    tries += 1;
                }
                outcome => return outcome,
            }
        }
    }

    fn fetch_once(&self, url: &Url, name: &str, part: &Path, expected: Expected<'_>) -> Result<Fetched, HubError> {
        let write_error = |source| HubError::Write { path: part.to_owned(), source };
        let tag_path = part.with_extension("etag");
        let mut have = fs::metadata(part).map_or(0, |metadata| metadata.len());
        let tag = fs::read_to_string(&tag_path).ok();
        // Without a tag or a known digest, a part might be of an older file of that name.
        if have > 0 && tag.is_none() && expected.sha256.is_none() || expected.bytes.is_some_and(|bytes| have > bytes) {
            fs::remove_file(part).map_err(write_error)?;
            have = 0;
        }
        let (mut response, seen) = self.get(url, have, tag.as_deref())?;
        let fetched = |seen: Seen| Fetched { path: part.to_owned(), commit: seen.commit, sha256: seen.sha256 };
        let mut file = match response.status() {
            StatusCode::RANGE_NOT_SATISFIABLE if have > 0 => {
                // Nothing is left to send, or the part is of another file: the length tells.
                let total = response.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok());
                let total = total.and_then(|value| value.strip_prefix("bytes */")).and_then(|value| value.parse().ok());
                if total == Some(have) {
                    return Ok(fetched(seen));
                }
                fs::remove_file(part).map_err(write_error)?;
                return Err(HubError::Network {
                    url: url.to_string(),
                    reason: "the part at hand is of another file".to_owned(),
                });
            }
            StatusCode::PARTIAL_CONTENT if have > 0 => {
                let range = response.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok()).unwrap_or("");
                if !range.starts_with(&format!("bytes {have}-")) {
                    let reason = format!("asked for the bytes from {have} on, it sent `{range}`");
                    return Err(HubError::Refused { url: url.to_string(), reason });
                }
                File::options().append(true).open(part).map_err(write_error)?
            }
            StatusCode::OK => {
                have = 0;
                if let Some(tag) = &seen.tag {
                    fs::write(&tag_path, tag).map_err(write_error)?;
                } else {
                    let _ = fs::remove_file(&tag_path);
                }
                File::create(part).map_err(write_error)?
            }
            StatusCode::NOT_FOUND => return Err(HubError::NotFound { url: url.to_string() }),
            status => return Err(HubError::Refused { url: url.to_string(), reason: format!("HTTP {status}") }),
        };
        let total = response.content_length().map(|rest| have + rest).or(expected.bytes);
        let bar = bytes_bar(self.progress, name, total);
        bar.set_position(have);
        let mut buffer = vec![0; 64 * 1024];
        let mut length = have;
        let outcome = loop {
            match response.read(&mut buffer) {
                Ok(0) => break Ok(()),
                Ok(count) => {
                    length += count as u64;
                    if expected.bytes.is_some_and(|bytes| length > bytes) {
                        break Err(HubError::Refused {
                            url: url.to_string(),
                            reason: "it sends more than the file has".to_owned(),
                        });
                    }
                    if let Err(error) = file.write_all(&buffer[..count]) {
                        break Err(write_error(error));
                    }
                    bar.set_position(length);
                }
                Err(error) => break Err(HubError::Network { url: url.to_string(), reason: reason_of(&error) }),
            }
        };
        bar.finish_and_clear();
        outcome?;
        if total.is_some_and(|total| length < total) {
            return Err(HubError::Network { url: url.to_string(), reason: format!("it stopped after {length} bytes") });
        }
        file.sync_all().map_err(write_error)?;
        Ok(fetched(seen))
    }

    /// Asks for the file from byte `have` on and follows redirects.
    fn get(&self, url: &Url, have: u64, tag: Option<&str>) -> Result<(Response, Seen), HubError> {
        let mut at = url.clone();
        let mut seen = Seen::default();
        for _ in 0..=REDIRECTS {
            let mut request = self.client.request(Method::GET, at.clone());
            if have > 0 {
                request = request.header(RANGE, format!("bytes={have}-"));
                if let Some(tag) = tag {
                    request = request.header(IF_RANGE, tag);
                }
            }
            let response = request.send().map_err(|error| {
                let (url, reason) = (at.to_string(), reason_of(&error));
                if error.is_connect() {
                    HubError::Unreachable { url, reason }
                } else {
                    HubError::Network { url, reason }
                }
            })?;
            seen.note(response.headers());
            if !response.status().is_redirection() {
                return Ok((response, seen));
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let next = next_address(&at, location);
            let next = next.map_err(|reason| HubError::Refused { url: at.to_string(), reason: reason.to_owned() })?;
            at = next;
        }
        Err(HubError::Refused { url: url.to_string(), reason: format!("more than {REDIRECTS} redirects") })
    }
}

/// Where a redirect leads, if there is a safe way there.
fn next_address(at: &Url, location: Option<&str>) -> Result<Url, &'static str> {
    let next = location.and_then(|location| at.join(location).ok()).ok_or("it redirects to nowhere")?;
    if at.scheme() == "https" && next.scheme() != "https" || !matches!(next.scheme(), "http" | "https") {
        return Err("it redirects to an address without encryption");
    }
    Ok(next)
}

/// What the answers on the way to a file said.
#[derive(Debug, Default)]
struct Seen {
    commit: Option<String>,
    sha256: Option<String>,
    tag: Option<String>,
}

impl Seen {
    fn note(&mut self, headers: &HeaderMap) {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let is_hex =
            |value: &String, length: usize| value.len() == length && value.bytes().all(|b| b.is_ascii_hexdigit());
        self.commit = self.commit.take().or_else(|| text("x-repo-commit").filter(|value| is_hex(value, 40)));
        let linked = text("x-linked-etag").map(|value| value.trim_matches('"').to_ascii_lowercase());
        self.sha256 = self.sha256.take().or_else(|| linked.filter(|value| is_hex(value, 64)));
        // A weak tag does not promise the same bytes. The last answer's tag is that of the bytes.
        self.tag = text(ETAG.as_str()).filter(|value| value.starts_with('"'));
    }
}

/// The innermost cause, which is what tells people something.
fn reason_of(error: &dyn std::error::Error) -> String {
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        reason = cause.to_string();
        source = cause.source();
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::super::test_server::{Answer, Server};
    use super::*;

    const ANY: Expected<'_> = Expected { bytes: None, sha256: None };
    const SHA: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn content() -> Vec<u8> {
        (0..300_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
    }

    fn fetch(server: &Server, part: &Path) -> Result<Fetched, HubError> {
        let hub = Hub::new(Some(&server.address), false).expect("sets up");
        hub.fetch("org/name", "main", "model.onnx", part, ANY)
    }

    #[test]
    fn a_file_is_had_through_redirects_with_what_they_say() {
        let server = Server::start(|asked| match asked.path.as_str() {
            "/org/name/resolve/main/model.onnx" => Answer::status(302)
                .header("location", "/cdn/1")
                .header("x-repo-commit", "0123456789abcdef0123456789abcdef01234567")
                .header("x-linked-etag", format!("\"{SHA}\"")),
            "/cdn/1" => Answer::status(307).header("location", "/cdn/2"),
            "/cdn/2" => Answer::ok(b"abc"),
            _ => Answer::status(404),
        });
        let folder = tempfile::tempdir().expect("folder");
        let part = folder.path().join("part");
        let fetched = fetch(&server, &part).expect("fetched");
        assert_eq!(fs::read(&part).expect("there"), b"abc");
        assert_eq!(fetched.sha256.as_deref(), Some(SHA));
        assert_eq!(fetched.commit.as_deref(), Some("0123456789abcdef0123456789abcdef01234567"));
    }

    #[test]
    fn a_cut_transfer_goes_on_where_it_stopped() {
        let server = Server::start(|asked| {
            let body = content();
            match asked.from {
                None => Answer::ok(&body).header("etag", "\"v1\"").cut(100_000),
                Some(from) if from < 200_000 => {
                    let answer = Answer::rest(&body, from).header("etag", "\"v1\"");
                    answer.cut(100_000)
                }
                Some(from) => Answer::rest(&body, from).header("etag", "\"v1\""),
            }
        });
        let folder = tempfile::tempdir().expect("folder");
        let part = folder.path().join("part");
        fetch(&server, &part).expect("fetched");
        assert_eq!(fs::read(&part).expect("there"), content());
        let starts: Vec<_> = server.asked().iter().map(|asked| asked.from).collect();
        assert_eq!(starts.len(), 3, "{starts:?}");
        assert_eq!(starts[0], None);
        assert!(starts[1].is_some_and(|from| from > 0) && starts[2] > starts[1], "{starts:?}");
    }

    #[test]
    fn a_server_that_knows_no_ranges_is_read_from_the_start_again() {
        let server = Server::start(|asked| {
            let answer = Answer::ok(&content()).header("etag", "\"v1\"");
            if asked.from.is_none() { answer.cut(1000) } else { answer }
        });
        let folder = tempfile::tempdir().expect("folder");
        let part = folder.path().join("part");
        fetch(&server, &part).expect("fetched");
        assert_eq!(fs::read(&part).expect("there"), content());
    }

    #[test]
    fn a_part_of_unknown_origin_is_thrown_away() {
        let server = Server::start(|asked| match asked.from {
            None => Answer::ok(&content()),
            Some(from) => Answer::rest(&content(), from),
        });
        let folder = tempfile::tempdir().expect("folder");
        let part = folder.path().join("part");
        fs::write(&part, "left by something else").expect("writes");
        fetch(&server, &part).expect("fetched");
        assert_eq!(fs::read(&part).expect("there"), content());
    }

    #[test]
    fn refusals_name_the_address_and_the_reason() {
        let server = Server::start(|asked| match asked.path.as_str() {
            "/org/name/resolve/main/model.onnx" => Answer::status(403),
            path => Answer::status(302).header("location", path.to_owned()),
        });
        let folder = tempfile::tempdir().expect("folder");
        let part = folder.path().join("part");
        let error = fetch(&server, &part).expect_err("refused").to_string();
        assert!(error.contains("403") && error.contains("/org/name/"), "{error}");
        let hub = Hub::new(Some(&server.address), false).expect("sets up");
        let error = hub.fetch("org/other", "main", "x", &part, ANY).expect_err("loops").to_string();
        assert!(error.contains("redirects"), "{error}");
        assert!(!part.exists());
    }

    #[test]
    fn a_file_longer_than_it_should_be_is_refused() {
        let server = Server::start(|_| Answer::ok(b"abcdef"));
        let folder = tempfile::tempdir().expect("folder");
        let hub = Hub::new(Some(&server.address), false).expect("sets up");
        let expected = Expected { bytes: Some(3), sha256: Some(SHA) };
        let outcome = hub.fetch("org/name", "main", "x", &folder.path().join("part"), expected);
        assert!(matches!(outcome, Err(HubError::Refused { .. })), "{outcome:?}");
    }

    #[test]
    fn no_redirect_leads_from_https_to_http() {
        let at = Url::parse("https://hub.example/a/b").expect("an address");
        assert!(next_address(&at, Some("http://hub.example/c")).is_err());
        assert!(next_address(&at, Some("file:///etc/passwd")).is_err());
        assert!(next_address(&at, None).is_err());
        assert_eq!(next_address(&at, Some("/c")).expect("follows").as_str(), "https://hub.example/c");
        assert_eq!(
            next_address(&at, Some("https://cdn.example/c")).expect("follows").as_str(),
            "https://cdn.example/c"
        );
    }

    #[test]
    fn a_hub_that_is_not_there_is_asked_once() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        drop(listener);
        let hub = Hub::new(Some(&address), false).expect("sets up");
        let folder = tempfile::tempdir().expect("folder");
        let outcome = hub.fetch("org/name", "main", "x", &folder.path().join("part"), ANY);
        assert!(matches!(outcome, Err(HubError::Unreachable { .. })), "{outcome:?}");
    }
}
