//! Inner products of 8-bit rows: each form, over rows that fit the cache and rows that do not.

use std::hint::black_box;
use std::time::Instant;

use evidex_index_format::Kernel;

use super::data::Random;
use super::report::Report;

pub fn run() -> Report {
    let mut report = Report::new("kernel", 384, "8-bit rows", "inner products, least of seven times");
    for (count, length) in [(1_000, 384), (100_000, 384), (20_000, 1_024)] {
        let mut random = Random::new(3);
        let mut bytes = |count: usize| -> Vec<i8> { (0..count).map(|_| (random.next() % 255) as u8 as i8).collect() };
        let (rows, query) = (bytes(count * length), bytes(length));
        for kernel in Kernel::available() {
            let rounds = (40_000_000 / (count * length)).max(3);
            let mut products = Vec::with_capacity(count);
            let mut many = Vec::new();
            let mut single = Vec::new();
            for _ in 0..7 {
                let begun = Instant::now();
                for _ in 0..rounds {
                    kernel.dot_rows(black_box(&rows), black_box(&query), &mut products);
                    black_box(&products);
                }
                many.push(begun.elapsed().as_secs_f64() * 1e9 / (rounds * count) as f64);
                let begun = Instant::now();
                for _ in 0..rounds {
                    let sum: i64 = rows.chunks_exact(length).map(|row| i64::from(kernel.dot(row, &query))).sum();
                    black_box(sum);
                }
                single.push(begun.elapsed().as_secs_f64() * 1e9 / (rounds * count) as f64);
            }
            // The least is what the processor needs; the rest is what others on the machine took.
            let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
            let what = |how: &str| format!("{count} rows of {length}, {how}");
            report.ours(&what("in a row"), Some(kernel.name()), least(&many), "ns a row");
            report.ours(&what("one by one"), Some(kernel.name()), least(&single), "ns a row");
        }
    }
    report
}
