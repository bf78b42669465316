//! A web server on loopback for tests: one answer a connection, as a closure gives it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The path.
    pub path: String,
    /// The first byte wanted, by `Range`.
    pub from: Option<usize>,
}

/// What is answered.
#[derive(Debug, Clone, Default)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// Headers besides the length.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// Hang up after so many bytes of the body, having promised all of it.
    pub cut_after: Option<usize>,
}

impl Answer {
    /// A whole body.
    pub fn ok(body: &[u8]) -> Self {
        Self { status: 200, body: body.to_vec(), ..Self::default() }
    }

    /// The rest of a body from byte `from` on.
    pub fn rest(body: &[u8], from: usize) -> Self {
        let range = format!("bytes {from}-{}/{}", body.len() - 1, body.len());
        Self { status: 206, headers: vec![("content-range", range)], body: body[from..].to_vec(), cut_after: None }
    }

    /// A status alone.
    pub fn status(status: u16) -> Self {
        Self { status, ..Self::default() }
    }

    /// With a header.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Cut short.
    pub fn cut(mut self, after: usize) -> Self {
        self.cut_after = Some(after);
        self
    }
}

/// A running server; ends with the test process.
pub struct Server {
    /// `http://127.0.0.1:PORT`.
    pub address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Starts one.
    pub fn start(answer: impl Fn(&Asked) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, log) = (Arc::clone(&answer), Arc::clone(&log));
                thread::spawn(move || serve(stream, &*answer, &log));
            }
        });
        Self { address, asked }
    }

    /// All that was asked for so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("not poisoned").clone()
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&Asked) -> Answer, log: &Mutex<Vec<Asked>>) {
    let mut lines = BufReader::new(stream.try_clone().expect("clones")).lines();
    let Some(Ok(first)) = lines.next() else { return };
    let path = first.split(' ').nth(1).unwrap_or("").to_owned();
    let mut from = None;
    for line in lines {
        let Ok(line) = line else { return };
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            from = range.trim_end_matches('-').parse().ok();
        }
    }
    let asked = Asked { path, from };
    log.lock().expect("not poisoned").push(asked.clone());
    let answer = answer(&asked);
    let mut head =
        format!("HTTP/1.1 {} X\r\nconnection: close\r\ncontent-length: {}\r\n", answer.status, answer.body.len());
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let sent = &answer.body[..answer.cut_after.unwrap_or(answer.body.len())];
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent)).and_then(|()| stream.flush());
}
