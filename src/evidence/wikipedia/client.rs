//! One request, as often as it takes: paced, bounded, repeated where that helps.

use std::io::Read;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use reqwest::blocking::Client as Http;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Proxy, StatusCode, Url};
use serde_json::Value;

use super::options::WikiOptions;
use super::pace::Pace;
use super::reply::{self, Reply, WikiError};
use crate::evidence::chain::chain;

/// Addresses longer than this are sent as forms.
const LONGEST_ADDRESS: usize = 2_000;
/// A wiki that failed so often in a row is left alone for the rest of the run.
const MOST_FAILURES: u32 = 3;
/// Parts that one query may come in.
const MOST_PARTS: usize = 100;
const MOST_REDIRECTS: usize = 3;
/// How long a wait for an answer goes on before it looks whether the run was stopped.
const SLICE: Duration = Duration::from_millis(25);

/// Names and values of a request.
pub(super) type Parameters = Vec<(String, String)>;

/// Asks a wiki.
pub(super) struct Client {
    http: Http,
    pace: Pace,
    options: WikiOptions,
    sent: AtomicU32,
    /// Requests in a row that failed for good.
    failures: AtomicU32,
}

impl Client {
    /// A client that tells the wiki who asks.
    ///
    /// # Errors
    /// A contact or proxy that cannot be used, or no trust store.
    pub(super) fn new(options: WikiOptions) -> Result<Self, WikiError> {
        let unusable =
            |what: &str, why: String| WikiError::Unavailable { reason: format!("{what} cannot be used: {why}") };
        let contact = options.contact.as_deref().map_or(String::new(), |contact| format!(" ({contact})"));
        let agent = format!("evidex/{}{contact}", env!("CARGO_PKG_VERSION"));
        let agent = HeaderValue::from_str(&agent).map_err(|error| unusable("wikipedia.contact", error.to_string()))?;
        // An answer that leads to another host is none of the wiki's.
        let same_host = Policy::custom(|attempt| {
            let first = attempt.previous().first();
            let elsewhere = first.is_some_and(|url| url.host_str() != attempt.url().host_str());
            if elsewhere || attempt.previous().len() > MOST_REDIRECTS { attempt.stop() } else { attempt.follow() }
        });
        let mut builder = Http::builder()
            .user_agent(agent)
            .gzip(true)
            .connect_timeout(options.timeout.min(Duration::from_secs(10)))
            .timeout(options.timeout)
            .redirect(same_host);
        if let Some(proxy) = &options.proxy {
            let proxy = Proxy::all(proxy).map_err(|error| unusable("the proxy", chain(&error)))?;
            builder = builder.proxy(proxy);
        }
        let http = builder.build().map_err(|error| unusable("the network", chain(&error)))?;
        let pace = Pace::new(options.rate, options.burst, options.concurrency, options.seed);
        Ok(Self { http, pace, options, sent: AtomicU32::new(0), failures: AtomicU32::new(0) })
    }

    /// Requests sent so far.
    pub(super) fn sent(&self) -> u32 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Begins a new run: its budget is whole.
    pub(super) fn start_run(&self) {
        self.sent.store(0, Ordering::Relaxed);
        self.failures.store(0, Ordering::Relaxed);
    }

    /// All parts of a query: the whole `continue` object of each is merged into the request for the next.
    ///
    /// # Errors
    /// As [`Client::get`].
    pub(super) fn query(&self, api: &Url, parameters: &Parameters) -> Result<Vec<Value>, WikiError> {
        let mut parts = Vec::new();
        let mut request = parameters.clone();
        for _ in 0..MOST_PARTS {
            let part = self.get(api, &request)?;
            let whole = part["batchcomplete"].as_bool() == Some(true);
            let next = continued(parameters, &part["continue"]);
            parts.push(part);
            match next {
                Some(next) if !whole => request = next,
                _ => return Ok(parts),
            }
        }
        Err(WikiError::Unavailable { reason: format!("the answer has more than {MOST_PARTS} parts") })
    }

    /// One answer.
    ///
    /// # Errors
    /// When the wiki does not answer, in spite of repetitions where those may help.
    pub(super) fn get(&self, api: &Url, parameters: &Parameters) -> Result<Value, WikiError> {
        if self.failures.load(Ordering::Relaxed) >= MOST_FAILURES {
            let reason = format!("it failed {MOST_FAILURES} times in a row and was left alone");
            return Err(WikiError::Unavailable { reason });
        }
        let outcome = self.repeated(api, parameters);
        match &outcome {
            Ok(_) => self.failures.store(0, Ordering::Relaxed),
            Err(WikiError::Unavailable { .. }) => {
                self.failures.fetch_add(1, Ordering::Relaxed);
            }
            Err(_) => {}
        }
        outcome
    }

    /// One answer, asked for again where that may help.
    fn repeated(&self, api: &Url, parameters: &Parameters) -> Result<Value, WikiError> {
        let mut repetition = 0;
        loop {
            let (wait, reason) = match self.once(api, parameters)? {
                Reply::Data(value) => return Ok(value),
                Reply::Failed(error) => return Err(error),
                Reply::Later { wait, reason } => (wait, reason),
            };
            if repetition >= self.options.retries {
                return Err(WikiError::Unavailable { reason: format!("{reason} ({} times)", repetition + 1) });
            }
            let own = self.pace.backoff(self.options.backoff, repetition, self.options.longest_wait);
            let wait = wait.map_or(own, |asked| asked.max(own));
            if wait > self.options.longest_wait {
                let seconds = wait.as_secs();
                return Err(WikiError::Unavailable { reason: format!("{reason}, and asks to wait {seconds} s") });
            }
            tracing::info!("{reason}; asking again in {:.1} s", wait.as_secs_f64());
            self.pace.hold(wait);
            repetition += 1;
        }
    }

    fn once(&self, api: &Url, parameters: &Parameters) -> Result<Reply, WikiError> {
        let running = self.pace.enter(&self.options.cancellation)?;
        let budget = self.options.requests;
        if self.sent.fetch_add(1, Ordering::Relaxed) >= budget {
            self.sent.fetch_sub(1, Ordering::Relaxed);
            return Err(WikiError::Budget { requests: budget });
        }
        let request = self.request(api, parameters);
        // The answer is waited for from outside, so that a run can be stopped and a server that drips has an end.
        let deadline = Instant::now() + self.options.timeout;
        let (done, answer) = channel();
        let most = self.options.max_bytes;
        std::thread::spawn(move || {
            let _ = done.send(fetch(request, most, deadline));
        });
        let outcome = loop {
            match answer.recv_timeout(SLICE) {
                Ok(outcome) => break outcome,
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(Broken { reason: "the request failed".to_owned(), again: true });
                }
                Err(RecvTimeoutError::Timeout) if self.options.cancellation.is_cancelled() => {
                    return Err(WikiError::Cancelled);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > deadline => {
                    let reason = format!("no whole answer came in {} s", self.options.timeout.as_secs_f64());
                    break Err(Broken { reason, again: true });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        drop(running);
        Ok(match outcome {
            Ok(answer) if answer.status.is_redirection() => Reply::Failed(WikiError::NotAnApi {
                reason: "it redirects to another host: a log-in page of the network may be in the way".to_owned(),
            }),
            Ok(answer) => {
                let body = answer.body.as_deref().map_err(Clone::clone);
                reply::read(answer.status, &answer.headers, body, jiff::Timestamp::now().as_second())
            }
            Err(Broken { reason, again: true }) => Reply::Later { wait: None, reason },
            Err(Broken { reason, again: false }) => Reply::Failed(WikiError::Unavailable { reason }),
        })
    }

    fn request(&self, api: &Url, parameters: &Parameters) -> reqwest::blocking::RequestBuilder {
        let mut url = api.clone();
        let fixed = [("format", "json"), ("formatversion", "2"), ("errorformat", "plaintext"), ("maxlag", "5")];
        url.query_pairs_mut().extend_pairs(fixed).extend_pairs(parameters);
        if url.as_str().len() <= LONGEST_ADDRESS {
            return self.http.get(url);
        }
        let form = url.query().unwrap_or_default().to_owned();
        self.http.post(api.clone()).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form)
    }
}

/// `parameters` with all of a `continue` object merged in; `None` where there is none.
fn continued(parameters: &Parameters, next: &Value) -> Option<Parameters> {
    let next = next.as_object().filter(|next| !next.is_empty())?;
    let mut merged = parameters.clone();
    for (name, value) in next {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match merged.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => merged.push((name.clone(), value)),
        }
    }
    Some(merged)
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Result<Vec<u8>, String>,
}

/// A request without an answer, and whether asking again may help.
struct Broken {
    reason: String,
    again: bool,
}

fn fetch(request: reqwest::blocking::RequestBuilder, most: u64, deadline: Instant) -> Result<Answer, Broken> {
    let sent = request.send().map_err(|error| Broken { reason: chain(&error.without_url()), again: true });
    let mut response = sent?;
    let (status, headers) = (response.status(), response.headers().clone());
    let mut body = Vec::new();
    let mut buffer = vec![0u8; 64 << 10];
    let body = loop {
        match response.read(&mut buffer) {
            Ok(0) => break Ok(body),
            Ok(read) => body.extend_from_slice(&buffer[..read]),
            Err(error) => break Err(format!("the answer broke off: {}", chain(&error))),
        }
        if body.len() as u64 > most {
            return Err(Broken { reason: format!("the answer is larger than {most} bytes"), again: false });
        }
        if Instant::now() > deadline {
            break Err("the answer came too slowly".to_owned());
        }
    };
    Ok(Answer { status, headers, body })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_whole_continue_object_is_merged_into_the_first_request() {
        let first: Parameters = vec![("action".into(), "query".into()), ("gsroffset".into(), "0".into())];
        let next = json!({"gsroffset": 10, "excontinue": "3", "continue": "gsroffset||"});
        let merged = continued(&first, &next).unwrap();
        let expected = [("action", "query"), ("gsroffset", "10"), ("excontinue", "3"), ("continue", "gsroffset||")];
        assert_eq!(merged.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect::<Vec<_>>(), expected);
        assert_eq!(continued(&first, &Value::Null), None);
    }

    #[test]
    fn a_contact_that_is_no_header_is_refused_by_name() {
        let options = WikiOptions { contact: Some("me\r\nX-Evil: 1".to_owned()), ..WikiOptions::default() };
        let error = Client::new(options).err().map(|error| error.to_string()).unwrap();
        assert!(error.contains("wikipedia.contact"), "{error}");
    }
}
