//! The most memory that this process has had.

/// Bytes of the largest resident set so far; `None` where the system does not tell.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_had_more_than_a_megabyte() {
        assert!(super::peak().is_some_and(|bytes| bytes > 1 << 20));
    }
}
