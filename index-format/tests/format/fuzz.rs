//! The fuzz bodies of `fuzz/`, on seeded bytes: `EVIDEX_FUZZ_SECONDS` runs each for that long.

use std::time::{Duration, Instant};

use crate::workload::{bytes, mix};

#[path = "../../fuzz/bodies.rs"]
mod bodies;

#[test]
fn any_bytes_as_manifest_segment_or_file_give_a_typed_error_or_a_readable_store() {
    let seconds = std::env::var("EVIDEX_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).map(Duration::from_secs);
    for (name, body) in bodies::BODIES {
        let begun = Instant::now();
        let mut round = 0;
        while seconds.map_or(round < 400, |seconds| begun.elapsed() < seconds) {
            round += 1;
            let random = mix(round);
            let mut data = bytes(random, (random >> 20) as usize % 400);
            // Small numbers are what lengths and counts are made of.
            for (at, byte) in data.iter_mut().enumerate() {
                if mix(random ^ at as u64) % 4 < random % 4 {
                    *byte %= 3;
                }
            }
            body(&data);
        }
        println!("{name}: {round} rounds");
    }
}
