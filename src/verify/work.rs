//! Counts the steps of comparisons that could grow faster than what is compared, so that tests can hold the count, and
//! not the clock, to a bound. Outside of tests it does nothing.

#[cfg(test)]
use std::cell::Cell;

#[cfg(test)]
thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Takes note of so many steps.
#[inline]
pub(super) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps as u64);
    #[cfg(not(test))]
    let _ = steps;
}

/// The steps on this thread since the last call.
#[cfg(test)]
pub(super) fn taken() -> u64 {
    STEPS.replace(0)
}
