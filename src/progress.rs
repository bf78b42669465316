//! How a caller follows long work and stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that a caller turns, from any thread, to stop work at its next safe point.
#[derive(Debug, Clone, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// A switch that is off.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Told as work goes on; called from worker threads too.
pub trait Progress: Send + Sync {
    /// `done` units of `total` (`None` where it is not known) are finished.
    fn advance(&self, done: u64, total: Option<u64>);
}
