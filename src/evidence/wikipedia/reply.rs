//! What a wiki answered: data, an error of its own, a wish to be asked later, or no API at all.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Why a wiki did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum WikiError {
    /// The run was stopped.
    #[error("the run was stopped")]
    Cancelled,
    /// The run has asked as often as it may.
    #[error("this run's budget of {requests} requests is used up")]
    Budget { requests: u32 },
    /// It is not in the cache, and nothing else may be asked.
    #[error("{what} is not in the cache, and --offline forbids to ask")]
    Offline { what: String },
    /// What answers is no MediaWiki API.
    #[error("{reason}")]
    NotAnApi { reason: String },
    /// The wiki refuses this request.
    #[error("the wiki answers `{code}`: {text}")]
    Api { code: String, text: String },
    /// It cannot be had now.
    #[error("{reason}")]
    Unavailable { reason: String },
}

/// What is to be done with an answer.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// It holds what was asked for.
    Data(Value),
    /// Ask again, not before the wait that the wiki named.
    Later { wait: Option<Duration>, reason: String },
    /// Do not ask again.
    Failed(WikiError),
}

/// Codes of errors that pass.
const PASSING: &[&str] = &["maxlag", "ratelimited", "readonly", "apierror-concurrency-limit", "search-backend-error"];

/// Reads an answer. `body` is an error where it broke off.
pub(super) fn read(status: StatusCode, headers: &HeaderMap, body: Result<&[u8], String>, now: i64) -> Reply {
    let wait = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(|text| retry_after(text, now));
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("nothing that it names");
    let mime = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = mime == "application/json";
    let value = match body {
        Ok(bytes) if is_json => serde_json::from_slice::<Value>(bytes).map_err(|_| "the answer broke off".to_owned()),
        Ok(_) => Ok(Value::Null),
        Err(reason) => Err(reason),
    };
    let error = headers.get("mediawiki-api-error").and_then(|code| code.to_str().ok()).map(str::to_owned);
    if let Ok(value) = &value
        && let Some((code, text)) = api_error(value, error)
    {
        let passing = PASSING.contains(&code.as_str()) || code.starts_with("internal_api_error");
        return if passing {
            Reply::Later { wait, reason: format!("the wiki answers `{code}`: {text}") }
        } else {
            Reply::Failed(WikiError::Api { code, text })
        };
    }
    if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
        return Reply::Later { wait, reason: format!("the wiki answers {status}") };
    }
    if status == StatusCode::NOT_FOUND {
        return Reply::Failed(WikiError::NotAnApi { reason: format!("there is no API at this address: {status}") });
    }
    if !status.is_success() {
        return Reply::Failed(WikiError::Unavailable { reason: format!("the wiki answers {status}") });
    }
    if !is_json {
        let reason = format!(
            "the answer is {mime}, not JSON: no MediaWiki API is at this address, or a log-in page of the network is in \
             the way"
        );
        return Reply::Failed(WikiError::NotAnApi { reason });
    }
    match value {
        Ok(value) if value.is_object() => Reply::Data(value),
        Ok(_) => Reply::Failed(WikiError::NotAnApi { reason: "the answer is JSON, but not of a MediaWiki".to_owned() }),
        Err(reason) => Reply::Later { wait, reason },
    }
}

/// The error that an answer with status 200 holds: told by a header, and in one of two shapes.
fn api_error(value: &Value, header: Option<String>) -> Option<(String, String)> {
    let first = value["errors"].as_array().and_then(|errors| errors.first());
    let error = first.or_else(|| value.get("error")).filter(|error| error.is_object());
    let code = error.and_then(|error| error["code"].as_str()).map(str::to_owned).or(header)?;
    let text = error
        .and_then(|error| ["text", "info", "*"].iter().find_map(|name| error[*name].as_str()))
        .unwrap_or("it gives no reason");
    Some((code, text.chars().take(300).collect()))
}

/// The wait that a `Retry-After` names: seconds, or a date.
fn retry_after(text: &str, now: i64) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(Duration::from_secs(u64::try_from(date.timestamp().as_second() - now).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                let name: reqwest::header::HeaderName = name.parse().unwrap();
                (name, value.parse().unwrap())
            })
            .collect()
    }

    const JSON: (&str, &str) = ("content-type", "application/json; charset=utf-8");

    #[test]
    fn errors_come_with_status_200_in_two_shapes_and_by_header() {
        let by_header = [JSON, ("mediawiki-api-error", "nosuchrevid")];
        for (body, count) in [
            (r#"{"errors":[{"code":"nosuchrevid","text":"gone"}]}"#, 1),
            (r#"{"error":{"code":"nosuchrevid","info":"gone"}}"#, 1),
            (r#"{"batchcomplete":true}"#, 2),
        ] {
            let reply = read(StatusCode::OK, &headers(&by_header[..count]), Ok(body.as_bytes()), 0);
            assert!(matches!(&reply, Reply::Failed(WikiError::Api { code, .. }) if code == "nosuchrevid"), "{reply:?}");
        }
    }

    #[test]
    fn lag_rate_limits_and_broken_answers_are_asked_again() {
        let lag: &[u8] = br#"{"errors":[{"code":"maxlag","text":"Waiting for a database server"}]}"#;
        let reply = read(StatusCode::OK, &headers(&[JSON, ("retry-after", "5")]), Ok(lag), 0);
        assert!(matches!(reply, Reply::Later { wait: Some(wait), .. } if wait == Duration::from_secs(5)));
        for status in [429, 500, 502, 503] {
            let status = StatusCode::from_u16(status).unwrap();
            let reply = read(status, &headers(&[("content-type", "text/html")]), Ok(b"<h1>no</h1>"), 0);
            assert!(matches!(reply, Reply::Later { .. }), "{status}");
        }
        for body in [Ok(&b"{\"query\": {\"pa"[..]), Err("it broke off".to_owned())] {
            assert!(matches!(read(StatusCode::OK, &headers(&[JSON]), body, 0), Reply::Later { wait: None, .. }));
        }
    }

    #[test]
    fn pages_for_people_are_no_answer_and_are_not_asked_again() {
        let html = headers(&[("content-type", "text/html")]);
        for status in [StatusCode::OK, StatusCode::NOT_FOUND] {
            let reply = read(status, &html, Ok(b"<html>Log in to the hotel's network</html>"), 0);
            assert!(matches!(reply, Reply::Failed(WikiError::NotAnApi { .. })), "{status}");
        }
        let reply = read(StatusCode::FORBIDDEN, &html, Ok(b""), 0);
        assert!(matches!(reply, Reply::Failed(WikiError::Unavailable { .. })));
        assert!(matches!(
            read(StatusCode::OK, &headers(&[JSON]), Ok(b"[1]"), 0),
            Reply::Failed(WikiError::NotAnApi { .. })
        ));
    }

    #[test]
    fn a_wait_is_seconds_or_a_date() {
        assert_eq!(retry_after("120", 0), Some(Duration::from_secs(120)));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20), Some(Duration::from_secs(40)));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:00:10 GMT", 20), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", 0), None);
    }
}
