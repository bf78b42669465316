//! How often a wiki is asked: a bucket of tokens, a bound on requests at once, waits that grow.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::reply::WikiError;
use crate::Cancellation;

/// How long a wait goes on before it looks whether the run was stopped.
const SLICE: Duration = Duration::from_millis(25);

/// Lets requests through at a rate.
pub(super) struct Pace {
    rate: f64,
    burst: f64,
    at_once: u32,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    tokens: f64,
    counted: Instant,
    /// A wiki asked to be left alone until then.
    not_before: Instant,
    running: u32,
    random: u64,
}

/// A request that is under way.
pub(super) struct Running<'a>(&'a Pace);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.freed.notify_one();
    }
}

impl Pace {
    /// `rate` requests a second on average, `burst` in a row, `at_once` at the same time.
    pub(super) fn new(rate: f64, burst: u32, at_once: u32, seed: u64) -> Self {
        let now = Instant::now();
        let burst = f64::from(burst.max(1));
        Self {
            rate: rate.max(0.001),
            burst,
            at_once: at_once.clamp(1, 3),
            state: Mutex::new(State { tokens: burst, counted: now, not_before: now, running: 0, random: seed }),
            freed: Condvar::new(),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the next request may be sent.
    ///
    /// # Errors
    /// [`WikiError::Cancelled`].
    pub(super) fn enter(&self, cancellation: &Cancellation) -> Result<Running<'_>, WikiError> {
        loop {
            if cancellation.is_cancelled() {
                return Err(WikiError::Cancelled);
            }
            let mut state = self.lock();
            let now = Instant::now();
            let gained = now.duration_since(state.counted).as_secs_f64() * self.rate;
            state.tokens = (state.tokens + gained).min(self.burst);
            state.counted = now;
            if state.running >= self.at_once {
                let waited = self.freed.wait_timeout(state, SLICE);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                continue;
            }
            let wait = state.not_before.saturating_duration_since(now);
            if wait.is_zero() && state.tokens >= 1.0 {
                state.tokens -= 1.0;
                state.running += 1;
                return Ok(Running(self));
            }
            let token = Duration::from_secs_f64(((1.0 - state.tokens) / self.rate).max(0.0));
            drop(state);
            std::thread::sleep(wait.max(token).clamp(Duration::from_millis(1), SLICE));
        }
    }

    /// Leaves the wiki alone for `wait`, whoever asks.
    pub(super) fn hold(&self, wait: Duration) {
        let mut state = self.lock();
        let until = Instant::now() + wait;
        state.not_before = state.not_before.max(until);
    }

    /// The wait before repetition number `repetition` (from 0): exponential, between half of it and all of it.
    pub(super) fn backoff(&self, first: Duration, repetition: u32, longest: Duration) -> Duration {
        let full = first.saturating_mul(1 << repetition.min(16)).min(longest);
        let mut state = self.lock();
        // SplitMix64 (Steele, Lea and Flood, 2014).
        state.random = state.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        let share = 0.5 + (mixed >> 11) as f64 / (1u64 << 53) as f64 / 2.0;
        full.mul_f64(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_goes_at_once_and_the_rest_at_the_rate() {
        let pace = Pace::new(50.0, 3, 3, 0);
        let running = Cancellation::new();
        let start = Instant::now();
        for _ in 0..8 {
            drop(pace.enter(&running).unwrap());
        }
        // Three at once, five more at 50 a second: 100 ms at the least.
        assert!(start.elapsed() >= Duration::from_millis(95), "{:?}", start.elapsed());
    }

    #[test]
    fn no_more_than_the_bound_run_at_once() {
        let pace = Pace::new(10_000.0, 100, 2, 0);
        let most = Mutex::new((0, 0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let running = pace.enter(&Cancellation::new()).unwrap();
                    {
                        let mut count = most.lock().unwrap();
                        count.0 += 1;
                        count.1 = count.1.max(count.0);
                    }
                    std::thread::sleep(Duration::from_millis(5));
                    most.lock().unwrap().0 -= 1;
                    drop(running);
                });
            }
        });
        assert_eq!(most.lock().unwrap().1, 2);
    }

    #[test]
    fn waits_double_within_their_bounds_and_repeat_for_a_seed() {
        let waits = |seed| {
            let pace = Pace::new(1.0, 3, 1, seed);
            (0..6).map(|n| pace.backoff(Duration::from_secs(1), n, Duration::from_secs(10))).collect::<Vec<_>>()
        };
        for (repetition, wait) in waits(7).iter().enumerate() {
            let full = (1u64 << repetition).min(10) as f64;
            assert!((full / 2.0..=full).contains(&wait.as_secs_f64()), "{repetition}: {wait:?}");
        }
        assert_eq!(waits(7), waits(7));
        assert_ne!(waits(7), waits(8));
    }

    #[test]
    fn a_stopped_run_does_not_wait() {
        let pace = Pace::new(0.01, 1, 1, 0);
        let cancellation = Cancellation::new();
        drop(pace.enter(&cancellation).unwrap());
        cancellation.cancel();
        assert!(matches!(pace.enter(&cancellation), Err(WikiError::Cancelled)));
    }
}
