//! What all models of a run share: limits, retries, the cache, the recording and the switch that stops them.

use std::sync::Arc;
use std::time::Duration;

use super::JudgeError;
use super::budget::{Ledger, Limits, PriceTable};
use super::cache::ReplyCache;
use super::http::Http;
use super::retry::RetryPolicy;
use super::tape::{Tape, TapeMode};
use crate::Cancellation;

/// How models are asked.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    /// Longest wait for a whole reply, each try for itself.
    pub timeout: Duration,
    /// When a request is tried again.
    pub retry: RetryPolicy,
    /// What may be spent.
    pub limits: Limits,
    /// What models cost.
    pub prices: PriceTable,
    /// Most requests that run at once.
    pub at_once: usize,
    /// Most bytes of a reply.
    pub max_reply_bytes: u64,
    /// Where replies are kept for a while; `None` to ask anew each time.
    pub cache: Option<ReplyCache>,
    /// Whether the run is recorded or replayed.
    pub tape: TapeMode,
    /// Stops waiting and asking.
    pub cancellation: Cancellation,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(120),
            retry: RetryPolicy::default(),
            limits: Limits::default(),
            prices: PriceTable::default(),
            at_once: 8,
            max_reply_bytes: 4 << 20,
            cache: None,
            tape: TapeMode::Off,
            cancellation: Cancellation::new(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Shared {
    pub options: SessionOptions,
    pub ledger: Ledger,
    pub http: Http,
    pub tape: Option<Tape>,
}

/// One run's way to its models. Cheap to clone; clones share everything.
#[derive(Debug, Clone)]
pub struct Session(pub(super) Arc<Shared>);

impl Session {
    /// A session. Nothing is sent before a model is asked.
    ///
    /// # Errors
    /// [`JudgeError::File`] when a recording cannot be begun or read.
    pub fn new(options: SessionOptions) -> Result<Self, JudgeError> {
        let tape = Tape::open(&options.tape)?;
        let ledger = Ledger::new(options.limits, options.prices.clone(), options.at_once);
        Ok(Self(Arc::new(Shared { options, ledger, http: Http::default(), tape })))
    }

    /// Whether replies come from a recording.
    pub fn is_replaying(&self) -> bool {
        self.0.tape.as_ref().is_some_and(Tape::is_replaying)
    }

    /// The cost of tokens by the price table; `None` where it does not know the model.
    pub fn cost(&self, model: &str, count: super::TokenCount) -> Option<f64> {
        self.0.options.prices.cost(model, count)
    }

    /// The switch that stops it.
    pub fn cancellation(&self) -> &Cancellation {
        &self.0.options.cancellation
    }

    /// A measured time, or the recorded one when replaying.
    pub(super) fn time(&self, key: &str, measured: Duration) -> Result<Duration, JudgeError> {
        self.0.tape.as_ref().map_or(Ok(measured), |tape| tape.time(key, measured))
    }

    /// Today, or the day of the recording.
    pub(super) fn day(&self) -> Result<String, JudgeError> {
        let today = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        self.0.tape.as_ref().map_or(Ok(today.clone()), |tape| tape.day(&today))
    }

    /// What a replay asked for in vain.
    pub(super) fn missed(&self) -> Option<JudgeError> {
        self.0.tape.as_ref().and_then(Tape::missed)
    }
}
