//! Time and memory of this process.

use std::time::Instant;

/// Wall and CPU time from a moment on.
pub struct Clock {
    wall: Instant,
    cpu: f64,
}

impl Clock {
    pub fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    pub fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// CPU seconds of all threads; wall time where the system does not tell.
    pub fn cpu(&self) -> f64 {
        let now = cpu_seconds();
        if now > 0.0 { now - self.cpu } else { self.wall() }
    }
}

/// CPU seconds of the process so far, to 10 ms; 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else { return 0.0 };
    let Some((_, rest)) = stat.rsplit_once(')') else { return 0.0 };
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// A line of `/proc/self/status`, in KiB.
pub fn memory(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.trim_start_matches(':').split_whitespace().next()?.parse().ok())
}

/// The middle of some times, in the unit that they are in.
pub fn median(times: &mut [f64]) -> f64 {
    share(times, 50)
}

/// The time that so many of a hundred stay below.
pub fn share(times: &mut [f64], of_hundred: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() * of_hundred / 100).copied().unwrap_or(f64::NAN)
}
