//! The writer's own threads, apart from those of whoever writes.
//!
//! Always true: while the writer works, the thread that called it does nothing else. A thread of another pool that waits for
//! this one would meanwhile begin other work of its caller, which may want a lock that the caller holds.

use super::IndexError;

/// Threads of one writer.
pub(super) struct Threads(rayon::ThreadPool);

impl Threads {
    /// `count` threads; 0 is one for each core.
    ///
    /// # Errors
    /// [`IndexError::Threads`] when the system gives none.
    pub(super) fn new(count: usize) -> Result<Self, IndexError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(Self).map_err(|error| IndexError::Threads { reason: error.to_string() })
    }

    /// Does `work` on these threads and waits for it.
    pub(super) fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        let of_another_pool = rayon::current_thread_index().is_some() && self.0.current_thread_index().is_none();
        if !of_another_pool {
            return self.0.install(work);
        }
        let done = std::thread::scope(|scope| scope.spawn(|| self.0.install(work)).join());
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use rayon::prelude::*;

    use super::*;

    #[test]
    fn who_waits_for_them_begins_no_other_work_that_wants_the_lock_held_meanwhile() {
        let (done, finished) = channel();
        std::thread::spawn(move || {
            let threads = Threads::new(1).unwrap();
            let callers = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let lock = Mutex::new(0);
            callers.install(|| {
                (0..8).into_par_iter().for_each(|_| {
                    let mut count = lock.lock().unwrap();
                    *count += threads.run(|| rayon::join(|| 1, || 1)).0;
                });
            });
            done.send(*lock.lock().unwrap()).unwrap();
        });
        // A minute is no measure of speed: without an answer it waits for itself for ever.
        assert_eq!(finished.recv_timeout(Duration::from_secs(60)), Ok(8));
    }

    #[test]
    fn work_within_work_and_a_panic_reach_the_caller() {
        let threads = Threads::new(1).unwrap();
        assert_eq!(threads.run(|| threads.run(|| 7)), 7);
        let callers = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            callers.install(|| threads.run(|| panic!("seen")));
        }));
        assert!(outcome.is_err());
    }
}
