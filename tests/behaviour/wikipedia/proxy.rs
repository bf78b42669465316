//! A proxy of our own before a wiki: it counts, and answers wrongly on demand.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What goes wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// "Too many requests", with seconds to wait if they are told.
    TooMany(Option<u64>),
    /// An error of the API with status 200: its databases lag.
    MaxLag,
    /// "Service unavailable", as a page for people.
    Unavailable,
    /// "Forbidden".
    Forbidden,
    /// A page for people with status 200.
    Html,
    /// A redirect to the log-in page of a network.
    Portal,
    /// Half of what the wiki answers.
    Truncated,
    /// A byte now and then.
    Drip,
    /// JSON of something else.
    OtherJson,
    /// The connection ends without a word.
    HangUp,
    /// An error of the API with status 200 that stays.
    ApiError,
}

/// A running proxy; ends with the test process.
pub struct Proxy {
    /// `http://127.0.0.1:PORT`.
    pub address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

/// Which fault the request of that number (from 0) and target meets.
type Rule = dyn Fn(usize, &str) -> Option<Fault> + Send + Sync;

impl Proxy {
    /// Before `wiki`, an address of the form `http://host:port`.
    pub fn before(wiki: &str, rule: impl Fn(usize, &str) -> Option<Fault> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (log, rule, wiki): (_, Arc<Rule>, _) =
            (Arc::clone(&asked), Arc::new(rule), wiki.trim_start_matches("http://").to_owned());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, rule, wiki) = (Arc::clone(&log), Arc::clone(&rule), wiki.clone());
                thread::spawn(move || {
                    let _ = serve(stream, &wiki, &log, &*rule);
                });
            }
        });
        Self { address, asked }
    }

    /// What was asked so far: method, target and, of forms, their content.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    /// Forgets what was asked, and returns how much it was.
    pub fn reset(&self) -> usize {
        std::mem::take(&mut *self.asked.lock().unwrap()).len()
    }
}

/// One request and its answer.
fn serve(mut client: TcpStream, wiki: &str, log: &Mutex<Vec<String>>, rule: &Rule) -> std::io::Result<()> {
    client.set_read_timeout(Some(Duration::from_secs(30)))?;
    let (head, body) = read_request(&mut client)?;
    let line = head.lines().next().unwrap_or_default().to_owned();
    let number = {
        let mut log = log.lock().unwrap();
        log.push(format!("{line}\n{head}\n{}", String::from_utf8_lossy(&body)));
        log.len() - 1
    };
    let target = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let send = |client: &mut TcpStream, status: &str, headers: &str, body: &str| {
        let length = body.len();
        write!(client, "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}")
    };
    const HTML: &str = "Content-Type: text/html\r\n";
    const JSON: &str = "Content-Type: application/json; charset=utf-8\r\n";
    match rule(number, &target) {
        None => {
            client.write_all(&forward(wiki, &head, &body)?)?;
        }
        Some(Fault::TooMany(wait)) => {
            let wait = wait.map_or(String::new(), |seconds| format!("Retry-After: {seconds}\r\n"));
            send(&mut client, "429 Too Many Requests", &format!("{HTML}{wait}"), "<h1>Slow down</h1>")?;
        }
        Some(Fault::MaxLag) => {
            let headers = format!("{JSON}Retry-After: 1\r\nMediaWiki-API-Error: maxlag\r\n");
            let body = r#"{"errors":[{"code":"maxlag","text":"Waiting for a database server: 7.3 seconds lagged."}]}"#;
            send(&mut client, "200 OK", &headers, body)?;
        }
        Some(Fault::Unavailable) => send(&mut client, "503 Service Unavailable", HTML, "<h1>Our servers rest</h1>")?,
        Some(Fault::Forbidden) => send(&mut client, "403 Forbidden", HTML, "<h1>No</h1>")?,
        Some(Fault::Html) => send(&mut client, "200 OK", HTML, "<html><p>The Ilva Bridge is 999 m long.</p></html>")?,
        Some(Fault::Portal) => {
            let headers = format!("{HTML}Location: http://portal.invalid/login\r\n");
            send(&mut client, "302 Found", &headers, "")?;
        }
        Some(Fault::Truncated) => {
            let whole = forward(wiki, &head, &body)?;
            let start = whole.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
            let headers = format!("HTTP/1.1 200 OK\r\n{JSON}Content-Length: {}\r\n\r\n", whole.len() - start);
            client.write_all(headers.as_bytes())?;
            client.write_all(&whole[start..start + (whole.len() - start) / 2])?;
        }
        Some(Fault::Drip) => {
            write!(client, "HTTP/1.1 200 OK\r\n{JSON}Content-Length: 100000\r\n\r\n{{")?;
            for _ in 0..600 {
                thread::sleep(Duration::from_millis(100));
                client.write_all(b" ")?;
            }
        }
        Some(Fault::OtherJson) => send(&mut client, "200 OK", JSON, r#"{"weather":"fine"}"#)?,
        Some(Fault::HangUp) => {}
        Some(Fault::ApiError) => {
            let headers = format!("{JSON}MediaWiki-API-Error: readapidenied\r\n");
            let body = r#"{"errors":[{"code":"readapidenied","text":"You need read permission to use this module."}]}"#;
            send(&mut client, "200 OK", &headers, body)?;
        }
    }
    client.flush()
}

fn read_request(client: &mut TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut data = Vec::new();
    let mut buffer = [0u8; 16 << 10];
    loop {
        let read = client.read(&mut buffer)?;
        data.extend_from_slice(&buffer[..read]);
        let Some(end) = data.windows(4).position(|four| four == b"\r\n\r\n") else {
            if read == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            continue;
        };
        let head = String::from_utf8_lossy(&data[..end]).into_owned();
        let length = head
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.trim().parse::<usize>().ok())
            .unwrap_or(0);
        while data.len() < end + 4 + length {
            let read = client.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            data.extend_from_slice(&buffer[..read]);
        }
        return Ok((head, data[end + 4..].to_vec()));
    }
}

/// What the wiki answers, from its first byte to its last.
fn forward(wiki: &str, head: &str, body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut server = TcpStream::connect(wiki)?;
    server.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut request = String::new();
    for (number, line) in head.lines().enumerate() {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if number == 0 {
            // Whoever uses it as a proxy names the whole address.
            let mut parts = line.splitn(3, ' ');
            let (method, target) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let path = target.strip_prefix("http://").and_then(|rest| rest.find('/').map(|at| &rest[at..]));
            request.push_str(&format!("{method} {} HTTP/1.1\r\n", path.unwrap_or(target)));
        } else if !matches!(name.as_str(), "host" | "connection") {
            request.push_str(line);
            request.push_str("\r\n");
        }
    }
    request.push_str(&format!("Host: {wiki}\r\nConnection: close\r\n\r\n"));
    server.write_all(request.as_bytes())?;
    server.write_all(body)?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    Ok(answer)
}
