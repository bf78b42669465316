//! A server of our own that answers as a test tells it: the stand-in for a model's server, with every fault such servers
//! have. Shared with the behaviour tests.
#![allow(dead_code, reason = "each of the test binaries uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// A request that came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its path.
    pub path: String,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Value,
}

impl Seen {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All that the model was told.
    pub fn told(&self) -> String {
        self.body.to_string()
    }

    /// How many claims it was asked about.
    pub fn claims(&self) -> usize {
        self.told().matches(">>>claim").count()
    }
}

/// What is answered.
pub enum Answer {
    /// A status and JSON.
    Json(u16, Value),
    /// A status, headers and any bytes.
    Raw(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// Nothing, ever.
    Hang,
    /// The connection is closed at once.
    Close,
    /// A promise of more bytes than come.
    Cut(Vec<u8>),
}

/// The server; it stops when dropped.
pub struct Double {
    /// Base of its addresses.
    pub base_url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    stop: Arc<AtomicBool>,
    place: std::net::SocketAddr,
}

impl Double {
    /// Starts it. `answer` is told the request and how many came before.
    pub fn start(answer: impl Fn(&Seen, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let place = listener.local_addr().unwrap();
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let stop = Arc::new(AtomicBool::new(false));
        let answer = Arc::new(answer);
        let (all, stopped) = (Arc::clone(&seen), Arc::clone(&stop));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (answer, all, stopped) = (Arc::clone(&answer), Arc::clone(&all), Arc::clone(&stopped));
                std::thread::spawn(move || serve(stream, &*answer, &all, &stopped));
            }
        });
        Self { base_url: format!("http://{place}/v1"), seen, stop, place }
    }

    /// One that says the same text each time.
    pub fn saying(text: &str) -> Self {
        let text = text.to_owned();
        Self::start(move |_, _| Answer::Json(200, chat(&text)))
    }

    /// The requests that came.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Double {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.place);
    }
}

/// A chat completion that says `text`.
pub fn chat(text: &str) -> Value {
    chat_ended(text, "stop")
}

/// A chat completion that ended for this reason.
pub fn chat_ended(text: &str, reason: &str) -> Value {
    json!({
        "choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
}

fn serve(
    mut stream: TcpStream,
    answer: &(impl Fn(&Seen, usize) -> Answer + ?Sized),
    all: &Mutex<Vec<Seen>>,
    stopped: &AtomicBool,
) {
    let Some(seen) = read(&stream) else { return };
    let before = {
        let mut all = all.lock().unwrap();
        all.push(seen.clone());
        all.len() - 1
    };
    let (status, headers, body, promised) = match answer(&seen, before) {
        Answer::Json(status, value) => {
            let body = value.to_string().into_bytes();
            (status, vec![("content-type", "application/json".to_owned())], body.clone(), body.len())
        }
        Answer::Raw(status, headers, body) => {
            let length = body.len();
            (status, headers, body, length)
        }
        Answer::Cut(body) => {
            let length = body.len() + 100;
            (200, Vec::new(), body, length)
        }
        Answer::Close => return,
        Answer::Hang => {
            for _ in 0..600 {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            return;
        }
    };
    let mut head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {promised}\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    // The client may have left.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)).and_then(|()| stream.flush());
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length")?.1.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen { path, headers, body: serde_json::from_slice(&body).ok()? })
}
