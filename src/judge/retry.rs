//! When a request is tried again: on 429, 5xx and timeouts only, after a growing wait or the one that the server names.

use std::time::Duration;

use sha2::{Digest, Sha256};

/// How often and after what waits a request is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Tries in all.
    pub attempts: u32,
    /// Wait before the second try; it doubles with each further one.
    pub first_wait: Duration,
    /// Longest wait. A server that asks for a longer one is not asked again.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 4, first_wait: Duration::from_millis(500), longest_wait: Duration::from_secs(60) }
    }
}

impl RetryPolicy {
    /// How long to wait after try number `attempt` (from 1) failed; `None` when it was the last one, or the server asks
    /// for longer than is waited. `call` spreads the waits of calls that failed together.
    pub(super) fn wait(&self, attempt: u32, server: Option<Duration>, call: &str) -> Option<Duration> {
        if attempt >= self.attempts {
            return None;
        }
        if let Some(wait) = server {
            return (wait <= self.longest_wait).then_some(wait);
        }
        let doubled = self.first_wait.saturating_mul(1 << (attempt - 1).min(16));
        let digest = Sha256::digest(format!("{call}/{attempt}"));
        let share = 0.75 + f64::from(digest[0]) / 255.0 * 0.5;
        Some(doubled.mul_f64(share).min(self.longest_wait))
    }
}

/// Whether a status says that asking again may help.
pub(super) const fn is_transient(status: u16) -> bool {
    status == 408 || status == 429 || status >= 500
}

/// The wait that a `Retry-After` header names: seconds, or a date. `now` is in seconds since 1970.
pub(super) fn retry_after(value: &str, now: i64) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    Some(Duration::from_secs(u64::try_from(date.as_second().saturating_sub(now)).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_end_with_the_last_try() {
        let policy = RetryPolicy::default();
        let waits: Vec<Duration> = (1..4).map(|attempt| policy.wait(attempt, None, "x").unwrap()).collect();
        for (at, wait) in waits.iter().enumerate() {
            let plain = Duration::from_millis(500 << at);
            assert!(*wait >= plain.mul_f64(0.75) && *wait <= plain.mul_f64(1.25), "{waits:?}");
        }
        assert_eq!(policy.wait(4, None, "x"), None);
        assert_eq!(waits[0], policy.wait(1, None, "x").unwrap());
    }

    #[test]
    fn the_servers_wait_is_kept_and_one_that_is_too_long_ends_it() {
        let policy = RetryPolicy::default();
        assert_eq!(policy.wait(1, Some(Duration::from_secs(7)), "x"), Some(Duration::from_secs(7)));
        assert_eq!(policy.wait(1, Some(Duration::from_secs(3600)), "x"), None);
    }

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        assert_eq!(retry_after("2", 0), Some(Duration::from_secs(2)));
        assert_eq!(retry_after("1.5", 0), Some(Duration::from_millis(1500)));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 45), Some(Duration::from_secs(15)));
        assert_eq!(retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 90), Some(Duration::ZERO));
        assert_eq!(retry_after("soon", 0), None);
        assert_eq!(retry_after("-1", 0), None);
    }

    #[test]
    fn only_overload_and_server_faults_are_tried_again() {
        assert!(is_transient(429) && is_transient(500) && is_transient(529) && is_transient(408));
        assert!(!is_transient(400) && !is_transient(401) && !is_transient(404) && !is_transient(302));
    }
}
