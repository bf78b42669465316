//! Named web pages as evidence: fetched once, read like files, never scripts.
//!
//! Guarded against request forgery: every address that a name stands for, at every redirect, must be a public one unless
//! the caller allows others, and the connection goes to the very address that was looked at. Each site's robots.txt is
//! read first, and what it does not allow is not fetched.

use std::collections::BTreeMap;
use std::io::Read;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{StatusCode, Url};

use super::chain::chain;
use super::robots::{self, Robots};
use super::source::EvidenceError;
use crate::corpus::{Document, DocumentId, ReadOptions, read_document};

/// What may be fetched.
#[derive(Debug, Clone)]
pub struct WebOptions {
    /// Whether private, loopback and link-local addresses may be asked.
    pub allow_private: bool,
    /// Most bytes of a page, decompressed.
    pub max_bytes: u64,
    /// For each request.
    pub timeout: Duration,
}

impl Default for WebOptions {
    fn default() -> Self {
        Self { allow_private: false, max_bytes: 16 << 20, timeout: Duration::from_secs(20) }
    }
}

/// Most redirects that are followed.
const MOST_REDIRECTS: usize = 5;
const USER_AGENT: &str = concat!("evidex/", env!("CARGO_PKG_VERSION"));

/// The page at `address` as documents: one for HTML, Markdown or text, several where it is JSON, JSON lines or CSV.
///
/// # Errors
/// [`EvidenceError::Refused`] for an address that may not be asked or a page of a kind that is not read,
/// [`EvidenceError::Unavailable`] when the page cannot be had.
pub fn fetch_page(address: &str, options: &WebOptions) -> Result<Vec<Document>, EvidenceError> {
    fetch_known(address, options, &mut BTreeMap::new())
}

/// The pages at all `addresses`, as [`fetch_page`] gives each; a site's robots.txt is read once.
///
/// # Errors
/// As [`fetch_page`], for the first page that cannot be had: evidence must not go missing.
pub fn fetch_pages(addresses: &[String], options: &WebOptions) -> Result<Vec<Document>, EvidenceError> {
    let mut sites = BTreeMap::new();
    let mut pages = Vec::new();
    for address in addresses {
        pages.extend(fetch_known(address, options, &mut sites)?);
    }
    Ok(pages)
}

/// Sites by origin, with what they ask of programs.
type Sites = BTreeMap<String, Robots>;

fn fetch_known(address: &str, options: &WebOptions, sites: &mut Sites) -> Result<Vec<Document>, EvidenceError> {
    let mut url = Url::parse(address).map_err(|error| refused(address, &format!("it is no address: {error}")))?;
    for _ in 0..=MOST_REDIRECTS {
        heed_robots(&url, address, options, sites)?;
        let response = ask(&url, address, options)?;
        if response.status().is_redirection() && response.status() != StatusCode::NOT_MODIFIED {
            let next = response.headers().get(LOCATION).and_then(|place| place.to_str().ok());
            let next = next.ok_or_else(|| unavailable(address, "it redirects to nowhere"))?;
            url = url
                .join(next)
                .map_err(|error| unavailable(address, &format!("it redirects to no address: {error}")))?;
            continue;
        }
        if !response.status().is_success() {
            return Err(unavailable(address, &format!("the server answers {}", response.status())));
        }
        return read(response, address, &url, options);
    }
    Err(unavailable(address, &format!("it redirects more than {MOST_REDIRECTS} times")))
}

/// Refuses what the site's robots.txt does not allow. As RFC 9309 has it, a file that is not there (4xx) allows all, and
/// a site that cannot give it allows nothing.
fn heed_robots(url: &Url, address: &str, options: &WebOptions, sites: &mut Sites) -> Result<(), EvidenceError> {
    let origin = url.origin().ascii_serialization();
    if !sites.contains_key(&origin) {
        let robots = robots_of(url, address, options)?;
        sites.insert(origin.clone(), robots);
    }
    let path = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    match sites.get(&origin) {
        Some(robots) if !robots.allows(&path) => {
            Err(EvidenceError::RobotsDisallow { address: address.to_owned(), origin, path })
        }
        _ => Ok(()),
    }
}

fn robots_of(url: &Url, address: &str, options: &WebOptions) -> Result<Robots, EvidenceError> {
    let mut place = url.clone();
    place.set_path("/robots.txt");
    place.set_query(None);
    place.set_fragment(None);
    for _ in 0..=MOST_REDIRECTS {
        let response = ask(&place, address, options)?;
        let status = response.status();
        if status.is_redirection() {
            let next = response.headers().get(LOCATION).and_then(|place| place.to_str().ok());
            match next.and_then(|next| place.join(next).ok()) {
                Some(next) => place = next,
                None => return Ok(Robots::allow_all()),
            }
            continue;
        }
        if status.is_client_error() {
            return Ok(Robots::allow_all());
        }
        if !status.is_success() {
            return Err(unavailable(address, &format!("the robots.txt of its site cannot be had: {status}")));
        }
        let mut text = Vec::new();
        response
            .take(robots::MOST_BYTES)
            .read_to_end(&mut text)
            .map_err(|error| unavailable(address, &format!("the robots.txt of its site broke off: {error}")))?;
        return Ok(Robots::parse(&String::from_utf8_lossy(&text)));
    }
    // Too many redirects are no answer, and no answer is no rule.
    Ok(Robots::allow_all())
}

fn ask(url: &Url, address: &str, options: &WebOptions) -> Result<Response, EvidenceError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused(address, "only http and https are fetched"));
    }
    let host = url.host_str().ok_or_else(|| refused(address, "it names no host"))?;
    let port = url.port_or_known_default().unwrap_or(443);
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let found: Vec<SocketAddr> = (bare, port)
        .to_socket_addrs()
        .map_err(|error| unavailable(address, &format!("{host} cannot be resolved: {error}")))?
        .collect();
    if !options.allow_private && found.iter().any(|place| !is_public(place.ip())) {
        return Err(refused(address, &format!("{host} is a private or loopback address")));
    }
    let client = Client::builder()
        .user_agent(USER_AGENT)
        .timeout(options.timeout)
        .redirect(Policy::none())
        .resolve_to_addrs(host, &found)
        .build()
        .map_err(|error| unavailable(address, &chain(&error)))?;
    client.get(url.clone()).send().map_err(|error| unavailable(address, &chain(&error)))
}

fn read(response: Response, address: &str, url: &Url, options: &WebOptions) -> Result<Vec<Document>, EvidenceError> {
    let kind =
        response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("text/html").to_owned();
    let mime = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let extension = match mime.as_str() {
        "text/html" | "application/xhtml+xml" => "html",
        "text/markdown" => "md",
        "application/json" => "json",
        "application/jsonl" | "application/x-ndjson" => "jsonl",
        "text/csv" => "csv",
        "text/plain" => "txt",
        _ => return Err(refused(address, &format!("pages of kind {mime} are not read"))),
    };
    let label = kind
        .to_ascii_lowercase()
        .split("charset=")
        .nth(1)
        .map(|rest| rest.split(';').next().unwrap_or_default().trim().trim_matches('"').to_owned());
    let mut body = Vec::new();
    response
        .take(options.max_bytes + 1)
        .read_to_end(&mut body)
        .map_err(|error| unavailable(address, &format!("the page broke off: {error}")))?;
    if body.len() as u64 > options.max_bytes {
        return Err(refused(address, &format!("the page is larger than {} bytes", options.max_bytes)));
    }
    let failed = |error: std::io::Error| unavailable(address, &format!("the page cannot be kept: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let path = folder.path().join("page").with_extension(extension);
    std::fs::write(&path, &body).map_err(failed)?;
    let reading = ReadOptions { encoding: label, ..ReadOptions::default() };
    let page = read_document(&path, &reading).map_err(|problem| unavailable(address, &problem.cause.to_string()))?;
    let several = page.documents.len() > 1;
    Ok(page
        .documents
        .into_iter()
        .enumerate()
        .map(|(at, mut document)| {
            let id = if several { format!("{address}#{}", at + 1) } else { address.to_owned() };
            document.id = DocumentId(id);
            document.provenance.source = address.to_owned();
            document.provenance.url = Some(url.to_string());
            document
        })
        .collect())
}

/// Whether an address belongs to the public internet.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match embedded(ip) {
            Some(ip) => is_public_v4(ip),
            None => {
                let first = ip.segments()[0];
                let local = first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80 || first & 0xffc0 == 0xfec0;
                let documentation = first == 0x2001 && ip.segments()[1] == 0x0db8;
                !(ip.is_loopback() || ip.is_unspecified() || ip.is_multicast() || local || documentation)
            }
        },
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_broadcast()
        || ip.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && ip.octets()[2] == 0)
        || (a == 198 && (18..20).contains(&b)))
}

/// The IPv4 address inside a mapped, translated or tunnelled IPv6 one.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let s = ip.segments();
    let of = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        Some(Ipv4Addr::new(a, b, c, d))
    };
    match s {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => of(high, low),
        [0x2002, high, low, ..] => of(high, low),
        _ => None,
    }
}

fn refused(address: &str, reason: &str) -> EvidenceError {
    EvidenceError::Refused { address: address.to_owned(), reason: reason.to_owned() }
}

fn unavailable(address: &str, reason: &str) -> EvidenceError {
    EvidenceError::Unavailable { source_name: address.to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_loopback_and_disguised_addresses_are_not_public() {
        for ip in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
        ] {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
    }

    #[test]
    fn what_is_no_public_page_is_refused_before_anything_is_sent() {
        for address in
            ["file:///etc/passwd", "ftp://example.org/x", "http://127.0.0.1:9/x", "http://[::1]:9/", "nonsense"]
        {
            let outcome = fetch_page(address, &WebOptions::default());
            assert!(matches!(outcome, Err(EvidenceError::Refused { .. })), "{address}: {outcome:?}");
        }
    }
}
