//! What may be spent, and what was: requests, tokens, money, and how many requests run at once.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::JudgeError;
use super::ask::{Ask, TokenCount};
use crate::Cancellation;

/// What may be spent; `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Requests, tries included.
    pub max_requests: Option<u64>,
    /// Tokens, read and written.
    pub max_tokens: Option<u64>,
    /// Money, in the unit of the price table.
    pub max_cost: Option<f64>,
}

/// What a model costs, for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
}

impl Price {
    fn of(&self, count: TokenCount) -> f64 {
        (count.input as f64 * self.input + count.output as f64 * self.output) / 1e6
    }
}

/// Prices by model, as `provider:model` or `model`. Prices change, so none is built in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceTable(pub BTreeMap<String, Price>);

impl PriceTable {
    /// The cost of `count` tokens of a model (`provider:model`); `None` where the table does not know it.
    pub fn cost(&self, model: &str, count: TokenCount) -> Option<f64> {
        self.price(model).map(|price| price.of(count))
    }

    fn price(&self, model: &str) -> Option<&Price> {
        self.0.get(model).or_else(|| self.0.get(model.split_once(':').map_or(model, |(_, name)| name)))
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    requests: u64,
    tokens: u64,
    cost: f64,
    /// Tokens and money promised to requests that are under way.
    held_tokens: u64,
    held_cost: f64,
    running: usize,
}

/// Keeps the limits over all calls of a run.
#[derive(Debug)]
pub(super) struct Ledger {
    limits: Limits,
    prices: PriceTable,
    at_once: usize,
    spent: Mutex<Spent>,
    freed: Condvar,
}

/// The right to send one request; given back when it is over.
pub(super) struct Permit<'a> {
    ledger: &'a Ledger,
    model: String,
    tokens: u64,
    cost: f64,
    settled: bool,
}

impl Ledger {
    pub(super) fn new(limits: Limits, prices: PriceTable, at_once: usize) -> Self {
        Self { limits, prices, at_once: at_once.max(1), spent: Mutex::default(), freed: Condvar::new() }
    }

    /// Waits until fewer than the allowed number of requests run, and holds what this one may take at most.
    pub(super) fn permit(&self, model: &str, ask: &Ask, cancellation: &Cancellation) -> Result<Permit<'_>, JudgeError> {
        let tokens = ask.most_tokens();
        let price = self.prices.price(model);
        if self.limits.max_cost.is_some() && price.is_none() {
            return Err(JudgeError::Options {
                reason: format!("the cost is limited, but the price table holds no price for `{model}`"),
            });
        }
        let count =
            TokenCount { input: tokens.saturating_sub(u64::from(ask.max_tokens)), output: u64::from(ask.max_tokens) };
        let cost = price.map_or(0.0, |price| price.of(count));
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        while spent.running >= self.at_once {
            if cancellation.is_cancelled() {
                return Err(JudgeError::Cancelled);
            }
            let waited = self.freed.wait_timeout(spent, Duration::from_millis(50));
            spent = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if cancellation.is_cancelled() {
            return Err(JudgeError::Cancelled);
        }
        let over = |what: String| Err(JudgeError::Budget { what });
        if let Some(most) = self.limits.max_requests
            && spent.requests >= most
        {
            return over(format!("{most} requests"));
        }
        if let Some(most) = self.limits.max_tokens
            && spent.tokens + spent.held_tokens + tokens > most
        {
            return over(format!("{most} tokens ({} used, this call may take {tokens})", spent.tokens));
        }
        if let Some(most) = self.limits.max_cost
            && spent.cost + spent.held_cost + cost > most
        {
            return over(format!("a cost of {most} ({:.6} used, this call may take {cost:.6})", spent.cost));
        }
        spent.requests += 1;
        spent.running += 1;
        spent.held_tokens += tokens;
        spent.held_cost += cost;
        Ok(Permit { ledger: self, model: model.to_owned(), tokens, cost, settled: false })
    }
}

impl Permit<'_> {
    /// Books what the request took.
    pub(super) fn settle(mut self, count: TokenCount) {
        self.give_back(count);
        self.settled = true;
    }

    fn give_back(&self, count: TokenCount) {
        let cost = self.ledger.prices.cost(&self.model, count).unwrap_or(0.0);
        let mut spent = self.ledger.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.running -= 1;
        spent.held_tokens -= self.tokens;
        spent.held_cost -= self.cost;
        spent.tokens += count.input + count.output;
        spent.cost += cost;
        drop(spent);
        self.ledger.freed.notify_one();
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if !self.settled {
            self.give_back(TokenCount::default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask() -> Ask {
        Ask::chat("test/1", "", "abc", 100)
    }

    #[test]
    fn the_budget_of_requests_counts_every_one_that_was_sent() {
        let ledger = Ledger::new(Limits { max_requests: Some(2), ..Limits::default() }, PriceTable::default(), 4);
        let never = Cancellation::new();
        drop(ledger.permit("m", &ask(), &never).unwrap());
        ledger.permit("m", &ask(), &never).unwrap().settle(TokenCount { input: 1, output: 1 });
        let third = ledger.permit("m", &ask(), &never).err().unwrap();
        assert_eq!(third, JudgeError::Budget { what: "2 requests".to_owned() });
    }

    #[test]
    fn tokens_that_are_under_way_are_held() {
        let ledger = Ledger::new(Limits { max_tokens: Some(250), ..Limits::default() }, PriceTable::default(), 4);
        let never = Cancellation::new();
        let first = ledger.permit("m", &ask(), &never).unwrap();
        let second = ledger.permit("m", &ask(), &never).unwrap();
        assert!(ledger.permit("m", &ask(), &never).is_err());
        first.settle(TokenCount { input: 5, output: 5 });
        second.settle(TokenCount { input: 5, output: 5 });
        assert!(ledger.permit("m", &ask(), &never).is_ok());
    }

    #[test]
    fn a_limited_cost_needs_a_price_and_is_kept() {
        let prices = PriceTable(BTreeMap::from([("m".to_owned(), Price { input: 1.0, output: 1000.0 })]));
        assert_eq!(prices.cost("own:m", TokenCount { input: 1_000_000, output: 0 }), Some(1.0));
        let never = Cancellation::new();
        let ledger = Ledger::new(Limits { max_cost: Some(0.15), ..Limits::default() }, prices, 4);
        assert!(matches!(ledger.permit("other", &ask(), &never).err(), Some(JudgeError::Options { .. })));
        ledger.permit("own:m", &ask(), &never).unwrap().settle(TokenCount { input: 0, output: 100 });
        assert!(matches!(ledger.permit("own:m", &ask(), &never).err(), Some(JudgeError::Budget { .. })));
    }

    #[test]
    fn no_more_requests_than_allowed_run_at_once() {
        let ledger = Ledger::new(Limits::default(), PriceTable::default(), 2);
        let never = Cancellation::new();
        let running = std::sync::atomic::AtomicUsize::new(0);
        let most = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    use std::sync::atomic::Ordering::SeqCst;
                    let permit = ledger.permit("m", &ask(), &never).unwrap();
                    most.fetch_max(running.fetch_add(1, SeqCst) + 1, SeqCst);
                    std::thread::sleep(Duration::from_millis(20));
                    running.fetch_sub(1, SeqCst);
                    permit.settle(TokenCount::default());
                });
            }
        });
        assert!(most.into_inner() <= 2);
    }

    #[test]
    fn whoever_waits_for_a_turn_can_be_cancelled() {
        let ledger = Ledger::new(Limits::default(), PriceTable::default(), 1);
        let stop = Cancellation::new();
        let _held = ledger.permit("m", &ask(), &stop).unwrap();
        stop.cancel();
        assert_eq!(ledger.permit("m", &ask(), &stop).err(), Some(JudgeError::Cancelled));
    }
}
