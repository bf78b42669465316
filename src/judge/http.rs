//! One HTTP request: bounded in time and size, stoppable, without redirects (a redirect could carry the key elsewhere).
//!
//! A blocking client is enough: the core is synchronous, and a client crate of the providers would bring an async
//! runtime into it. A request runs on a thread of its own, so that a server that drips bytes or hangs can be left.

use std::time::Duration;

use serde_json::Value;

use crate::Cancellation;

/// A request that is ready to send.
#[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "nothing is sent without the network"))]
#[derive(Clone)]
pub(super) struct HttpRequest {
    pub url: String,
    /// Name, value, and whether the value is secret.
    pub headers: Vec<(&'static str, String, bool)>,
    pub body: Value,
}

/// What came back.
pub(super) struct HttpAnswer {
    pub status: u16,
    pub retry_after: Option<String>,
    pub body: Vec<u8>,
}

/// Why nothing came back.
#[cfg_attr(not(feature = "fetch"), expect(dead_code, reason = "nothing is sent without the network"))]
pub(super) enum SendError {
    TimedOut,
    TooLarge(u64),
    Unreachable(String),
    Cancelled,
}

#[cfg(feature = "fetch")]
mod sending {
    use std::io::Read;
    use std::sync::OnceLock;
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::time::Instant;

    use reqwest::blocking::{Client, Response};
    use reqwest::header::{HeaderValue, RETRY_AFTER};
    use reqwest::redirect::Policy;

    use super::*;
    use crate::judge::JudgeError;

    /// Sends requests.
    #[derive(Debug, Default)]
    pub(in crate::judge) struct Http {
        client: OnceLock<Client>,
    }

    impl Http {
        fn client(&self) -> Result<Client, JudgeError> {
            if let Some(client) = self.client.get() {
                return Ok(client.clone());
            }
            let client = Client::builder()
                .user_agent(concat!("evidex/", env!("CARGO_PKG_VERSION")))
                .redirect(Policy::none())
                .timeout(None)
                .build()
                .map_err(|error| JudgeError::Unreachable {
                    endpoint: "any endpoint".to_owned(),
                    reason: chain(&error.without_url()),
                })?;
            Ok(self.client.get_or_init(|| client).clone())
        }

        /// Sends and reads the whole answer within `timeout`.
        pub(in crate::judge) fn send(
            &self,
            request: &HttpRequest,
            timeout: Duration,
            max_bytes: u64,
            cancellation: &Cancellation,
        ) -> Result<HttpAnswer, SendError> {
            let client = self.client().map_err(|error| SendError::Unreachable(error.to_string()))?;
            let (sender, receiver) = mpsc::channel();
            let request = request.clone();
            let started = std::thread::Builder::new().name("model-request".to_owned()).spawn(move || {
                // Whoever asked may have left.
                let _ = sender.send(exchange(&client, &request, timeout, max_bytes));
            });
            if let Err(error) = started {
                return Err(SendError::Unreachable(format!("no thread could be started: {error}")));
            }
            let deadline = Instant::now() + timeout;
            loop {
                if cancellation.is_cancelled() {
                    return Err(SendError::Cancelled);
                }
                let left = deadline.saturating_duration_since(Instant::now());
                match receiver.recv_timeout(left.min(Duration::from_millis(50))) {
                    Ok(outcome) => return outcome,
                    Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(SendError::TimedOut),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(SendError::Unreachable("the request broke off".to_owned()));
                    }
                }
            }
        }
    }

    fn exchange(
        client: &Client,
        request: &HttpRequest,
        timeout: Duration,
        max_bytes: u64,
    ) -> Result<HttpAnswer, SendError> {
        let mut builder = client.post(&request.url).timeout(timeout).json(&request.body);
        for (name, value, secret) in &request.headers {
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| SendError::Unreachable(format!("header {name} holds what no header may hold")))?;
            value.set_sensitive(*secret);
            builder = builder.header(*name, value);
        }
        let response: Response = builder.send().map_err(|error| {
            if error.is_timeout() { SendError::TimedOut } else { SendError::Unreachable(chain(&error.without_url())) }
        })?;
        let status = response.status().as_u16();
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut body = Vec::new();
        response.take(max_bytes + 1).read_to_end(&mut body).map_err(|error| {
            let timed_out = error.kind() == std::io::ErrorKind::TimedOut
                || error
                    .get_ref()
                    .and_then(|inner| inner.downcast_ref::<reqwest::Error>())
                    .is_some_and(reqwest::Error::is_timeout);
            if timed_out {
                SendError::TimedOut
            } else {
                SendError::Unreachable(format!("the reply broke off: {error}"))
            }
        })?;
        if body.len() as u64 > max_bytes {
            return Err(SendError::TooLarge(max_bytes));
        }
        Ok(HttpAnswer { status, retry_after, body })
    }

    /// An error with all that lies beneath it.
    fn chain(error: &dyn std::error::Error) -> String {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(beneath) = cause {
            text = format!("{text}: {beneath}");
            cause = beneath.source();
        }
        text
    }
}

#[cfg(not(feature = "fetch"))]
mod sending {
    use super::*;

    /// Sends nothing: this build has no network code.
    #[derive(Debug, Default)]
    pub(in crate::judge) struct Http;

    impl Http {
        pub(in crate::judge) fn send(
            &self,
            _request: &HttpRequest,
            _timeout: Duration,
            _max_bytes: u64,
            _cancellation: &Cancellation,
        ) -> Result<HttpAnswer, SendError> {
            Err(SendError::Unreachable("this build has no network code (cargo feature `fetch`)".to_owned()))
        }
    }
}

pub(super) use sending::Http;

/// What the server says went wrong, on one line and not too long.
pub(super) fn complaint(body: &[u8]) -> String {
    let parsed: Option<Value> = serde_json::from_slice(body).ok();
    let said = parsed.as_ref().and_then(|value| {
        let error = value.get("error").unwrap_or(value);
        error.get("message").or(error.get("detail")).unwrap_or(error).as_str().map(str::to_owned)
    });
    let text = said.unwrap_or_else(|| String::from_utf8_lossy(&body[..body.len().min(2000)]).into_owned());
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).take(300).collect();
    if short.is_empty() { "it does not say why".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_found_wherever_servers_put_it() {
        assert_eq!(complaint(br#"{"error":{"message":"too\nlong"}}"#), "too long");
        assert_eq!(complaint(br#"{"error":"busy"}"#), "busy");
        assert_eq!(complaint(br#"{"type":"error","error":{"type":"overloaded_error","message":"x"}}"#), "x");
        assert_eq!(complaint(b"<html>gone</html>"), "<html>gone</html>");
        assert_eq!(complaint(b""), "it does not say why");
        assert!(complaint(&[b'a'; 5000]).len() <= 300);
    }
}
