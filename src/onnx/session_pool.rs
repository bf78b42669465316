//! As many single-threaded sessions as there are cores, on one model.
//!
//! In: pieces of work that each need a session. Out: their results in order. Sessions are made when first needed, so
//! that a single query pays for one. One text a call: batches are no faster on a CPU, and dynamic int8 would make a
//! text's numbers depend on its neighbours.

use std::num::NonZeroUsize;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;

use ort::session::Session;
use ort::session::builder::PrepackedWeights;

use super::{OnnxError, Runtime};

/// A new session costs about as much as this many short texts.
const ITEMS_WORTH_A_SESSION: usize = 16;

/// A session on weights that are unpacked when it is made may hold 180 MB; more than so
/// many are made only when a caller asks for them.
const SESSION_LIMIT: usize = 16;

/// Sessions on one model, lent out one at a time.
pub struct SessionPool {
    runtime: Runtime,
    model: PathBuf,
    weights: PrepackedWeights,
    size: usize,
    state: Mutex<State>,
    returned: Condvar,
}

struct State {
    idle: Vec<Session>,
    made: usize,
}

impl SessionPool {
    /// A pool on the model file, of at most `size` sessions, or as many as there are cores (16 at most). Makes the first session,
    /// so that a model that cannot be loaded is known at once.
    ///
    /// # Errors
    /// [`OnnxError::Model`] when the runtime refuses the file.
    pub fn new(runtime: &Runtime, model: &Path, size: Option<NonZeroUsize>) -> Result<Self, OnnxError> {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let pool = Self {
            runtime: runtime.clone(),
            model: model.to_owned(),
            weights: PrepackedWeights::new(),
            size: size.map_or(cores.min(SESSION_LIMIT), NonZeroUsize::get),
            state: Mutex::new(State { idle: Vec::new(), made: 0 }),
            returned: Condvar::new(),
        };
        drop(pool.acquire()?);
        Ok(pool)
    }

    /// The model file.
    pub fn model(&self) -> &Path {
        &self.model
    }

    /// The most sessions that may run at once.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Runs `work` on a session, waiting for one to be free.
    ///
    /// # Errors
    /// Those of `work`; [`OnnxError::Model`] when a further session could not be made.
    pub fn with_session<R>(&self, work: impl FnOnce(&mut Session) -> Result<R, OnnxError>) -> Result<R, OnnxError> {
        let mut session = self.acquire()?;
        work(&mut session)
    }

    /// Runs `work` on every item, spread over the sessions; results in the order of `items`.
    ///
    /// # Errors
    /// The error of the first item, in order, among those that failed; the rest is then not finished.
    pub fn map<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&mut Session, &T) -> Result<R, OnnxError> + Sync,
    ) -> Result<Vec<R>, OnnxError> {
        let workers = self.workers_for(items.len());
        if workers <= 1 {
            let mut session = match items {
                [] => return Ok(Vec::new()),
                _ => self.acquire()?,
            };
            return items.iter().map(|item| work(&mut session, item)).collect();
        }
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let run = || -> Vec<(usize, Result<R, OnnxError>)> {
            let mut done = Vec::new();
            let mut session = match self.acquire() {
                Ok(session) => session,
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    return vec![(next.load(Ordering::Relaxed), Err(error))];
                }
            };
            while !failed.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { break };
                let result = work(&mut session, item);
                if result.is_err() {
                    failed.store(true, Ordering::Relaxed);
                }
                done.push((index, result));
            }
            done
        };
        let mut done: Vec<(usize, Result<R, OnnxError>)> = thread::scope(|scope| {
            let others: Vec<_> = (1..workers).map(|_| scope.spawn(run)).collect();
            let mut done = run();
            for other in others {
                match other.join() {
                    Ok(part) => done.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_by_key(|&(index, _)| index);
        done.into_iter().map(|(_, result)| result).collect()
    }

    /// How many sessions are worth having for so many items.
    fn workers_for(&self, items: usize) -> usize {
        let made = self.lock().made;
        items.div_ceil(ITEMS_WORTH_A_SESSION).max(made).min(self.size).min(items)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn acquire(&self) -> Result<Lease<'_>, OnnxError> {
        let mut state = self.lock();
        loop {
            if let Some(session) = state.idle.pop() {
                return Ok(Lease { pool: self, session: Some(session) });
            }
            if state.made < self.size {
                state.made += 1;
                drop(state);
                return match self.runtime.session(&self.model, &self.weights) {
                    Ok(session) => Ok(Lease { pool: self, session: Some(session) }),
                    Err(error) => {
                        self.lock().made -= 1;
                        self.returned.notify_one();
                        Err(error)
                    }
                };
            }
            state = self.returned.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }
}

impl std::fmt::Debug for SessionPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionPool").field("model", &self.model).field("size", &self.size).finish_non_exhaustive()
    }
}

/// A session on loan; goes back when dropped, also when the borrower panics.
struct Lease<'p> {
    pool: &'p SessionPool,
    session: Option<Session>,
}

impl Deref for Lease<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session.as_ref().expect("held until dropped")
    }
}

impl DerefMut for Lease<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        self.session.as_mut().expect("held until dropped")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.pool.lock().idle.push(session);
            self.pool.returned.notify_one();
        }
    }
}
