//! One model: from a question to its reply, by way of the recording, the cache, the budget and the network.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::JudgeError;
use super::ask::{Ask, AskKind, Asked, Reply, TokenCount};
use super::http::{SendError, complaint};
use super::key::ApiKey;
use super::model::ModelAddress;
use super::quirks::Quirks;
use super::retry::{is_transient, retry_after};
use super::session::Session;
use super::wire;
use crate::Cancellation;

/// A language model that can be asked. Cheap to clone and to share between threads.
#[derive(Debug, Clone)]
pub struct LanguageModel {
    address: ModelAddress,
    key: Option<ApiKey>,
    session: Session,
    temperature: f64,
    quirks: Arc<Mutex<Quirks>>,
}

impl LanguageModel {
    /// The model at `address`, asked within `session`. The key is sent to that address and shown nowhere.
    ///
    /// # Errors
    /// [`JudgeError::MissingKey`] when the provider wants one, [`JudgeError::Key`] when one would travel unencrypted.
    /// A replay needs no key.
    pub fn new(address: ModelAddress, key: Option<ApiKey>, session: &Session) -> Result<Self, JudgeError> {
        if !session.is_replaying() {
            if key.is_none() && address.needs_key() {
                return Err(JudgeError::MissingKey {
                    provider: address.provider.clone(),
                    variable: format!("{}_API_KEY", address.provider.to_uppercase()),
                });
            }
            if key.is_some() && !address.may_carry_key() {
                return Err(JudgeError::Key {
                    endpoint: address.base_url,
                    reason: "it would travel unencrypted; use an https address".to_owned(),
                });
            }
        }
        Ok(Self { address, key, session: session.clone(), temperature: 0.0, quirks: Arc::default() })
    }

    /// The same model, asked with this temperature where the question leaves it at 0.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = if temperature.is_finite() { temperature.clamp(0.0, 2.0) } else { 0.0 };
        self
    }

    /// Where it is asked.
    pub fn address(&self) -> &ModelAddress {
        &self.address
    }

    /// `provider:model`.
    pub fn name(&self) -> String {
        self.address.name()
    }

    /// The session that it is asked in.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Asks. What goes wrong is in the outcome.
    pub fn ask(&self, ask: &Ask) -> Asked {
        let mut ask = ask.clone();
        if ask.temperature == 0.0 && ask.kind == AskKind::Chat {
            ask.temperature = self.temperature;
        }
        let ask = &ask;
        let shared = &self.session.0;
        let call = self.digest(ask, "");
        if let Some(recorded) = shared.tape.as_ref().and_then(|tape| tape.call(&call, ask)) {
            return recorded;
        }
        let started = Instant::now();
        let mut asked = self.cached_or_sent(ask, &call);
        asked.latency = started.elapsed();
        match &shared.tape {
            Some(tape) if asked.outcome != Err(JudgeError::Cancelled) => {
                tape.keep(&call, &self.name(), ask, asked).unwrap_or_else(failed)
            }
            _ => asked,
        }
    }

    fn cached_or_sent(&self, ask: &Ask, call: &str) -> Asked {
        let Some(cache) = &self.session.0.options.cache else { return self.sent(ask, call) };
        let call = self.digest(ask, &self.address.base_url);
        if let Some(reply) = cache.get(&call) {
            return Asked { outcome: Ok(reply), latency: Duration::ZERO, requests: 0, cached: true };
        }
        let asked = self.sent(ask, &call);
        if let Ok(reply) = &asked.outcome
            && let Err(error) = cache.put(&call, reply)
        {
            // A full disk must not cost the reply that was paid for.
            tracing::warn!("the reply is not kept: {error}");
        }
        asked
    }

    /// Tries until there is a reply, an error that asking again would not change, or no try left.
    fn sent(&self, ask: &Ask, call: &str) -> Asked {
        let mut requests = 0;
        let mut outcome = self.exchange(ask, call, &mut requests).map_err(|error| self.without_key(error));
        if let (Ok(reply), Some(key)) = (&mut outcome, &self.key) {
            reply.text = key.hide_in(&reply.text);
        }
        Asked { outcome, latency: Duration::ZERO, requests, cached: false }
    }

    fn exchange(&self, ask: &Ask, call: &str, requests: &mut u32) -> Result<Reply, JudgeError> {
        let options = &self.session.0.options;
        let endpoint = || self.address.base_url.clone();
        let mut attempt = 1;
        loop {
            let quirks = *self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
            let request = wire::request(&self.address, self.key.as_ref(), ask, quirks)
                .map_err(|reason| JudgeError::Reply { endpoint: endpoint(), reason })?;
            let permit = self.session.0.ledger.permit(&self.name(), ask, &options.cancellation)?;
            *requests += 1;
            let sent =
                self.session.0.http.send(&request, options.timeout, options.max_reply_bytes, &options.cancellation);
            let (error, server_wait) = match sent {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    let reply = wire::reply(self.address.wire, ask, &answer.body);
                    permit.settle(reply.as_ref().map_or(TokenCount::default(), |reply| reply.count));
                    return reply.map_err(|reason| JudgeError::Reply { endpoint: endpoint(), reason });
                }
                Ok(answer) if is_transient(answer.status) => {
                    let now = jiff::Timestamp::now().as_second();
                    let wait = answer.retry_after.as_deref().and_then(|value| retry_after(value, now));
                    let error = JudgeError::Overloaded {
                        endpoint: endpoint(),
                        status: answer.status,
                        attempts: attempt,
                        reason: complaint(&answer.body),
                    };
                    (error, wait)
                }
                Ok(answer) => {
                    let reason = complaint(&answer.body);
                    let mut known = self.quirks.lock().unwrap_or_else(PoisonError::into_inner);
                    // Another thread may have learnt it meanwhile.
                    if *known != quirks || known.learn(answer.status, &reason, ask.schema.is_some()) {
                        continue;
                    }
                    return Err(JudgeError::Refused { endpoint: endpoint(), status: answer.status, reason });
                }
                Err(SendError::TimedOut) => {
                    let seconds = options.timeout.as_secs();
                    (JudgeError::TimedOut { endpoint: endpoint(), seconds, attempts: attempt }, None)
                }
                Err(SendError::TooLarge(most)) => {
                    let reason = format!("it is larger than {most} bytes");
                    return Err(JudgeError::Reply { endpoint: endpoint(), reason });
                }
                Err(SendError::Unreachable(reason)) => {
                    return Err(JudgeError::Unreachable { endpoint: endpoint(), reason });
                }
                Err(SendError::Cancelled) => return Err(JudgeError::Cancelled),
            };
            drop(permit);
            let Some(wait) = options.retry.wait(attempt, server_wait, call) else { return Err(error) };
            tracing::info!("{error}; asking again in {} ms", wait.as_millis());
            pause(wait, &options.cancellation)?;
            attempt += 1;
        }
    }

    /// A server may echo the key in its complaint.
    fn without_key(&self, error: JudgeError) -> JudgeError {
        let Some(key) = &self.key else { return error };
        match error {
            JudgeError::Overloaded { endpoint, status, attempts, reason } => {
                JudgeError::Overloaded { endpoint, status, attempts, reason: key.hide_in(&reason) }
            }
            JudgeError::Refused { endpoint, status, reason } => {
                JudgeError::Refused { endpoint, status, reason: key.hide_in(&reason) }
            }
            JudgeError::Reply { endpoint, reason } => JudgeError::Reply { endpoint, reason: key.hide_in(&reason) },
            JudgeError::Unreachable { endpoint, reason } => {
                JudgeError::Unreachable { endpoint, reason: key.hide_in(&reason) }
            }
            other => other,
        }
    }

    /// Names the call by all that decides its reply; a recording leaves out the address, so that it can be replayed
    /// anywhere.
    fn digest(&self, ask: &Ask, base_url: &str) -> String {
        let all = serde_json::json!([self.address.provider, self.address.model, base_url, ask]);
        hex(&Sha256::digest(all.to_string()))
    }
}

fn failed(error: JudgeError) -> Asked {
    Asked { outcome: Err(error), latency: Duration::ZERO, requests: 0, cached: false }
}

/// Waits, but not for longer than the caller wants to.
fn pause(wait: Duration, cancellation: &Cancellation) -> Result<(), JudgeError> {
    let until = Instant::now() + wait;
    loop {
        if cancellation.is_cancelled() {
            return Err(JudgeError::Cancelled);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(Duration::from_millis(50)));
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
