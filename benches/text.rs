//! Speed of reading text, each beside a reference that any reader of text has to beat or live with: sentences beside
//! Unicode's sentence boundaries, tokens beside Unicode's words.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evidex::text::{Reading, fold, language, sentences, tokens};
use unicode_segmentation::UnicodeSegmentation;

/// About 100 kB of prose with abbreviations, quotations, numbers and other scripts, written for this bench.
fn prose() -> String {
    const PARAGRAPH: &str = "Dr. Vance signed the lease with Brightmoor Ltd. on 3 March 1987, when the U.S. dollar stood \
        at 1.52. \"We shall build it,\" she said. \"It will hold 67 million litres!\" The bridge is 240 m long (see no. 5, \
        p. 3) and was opened in 1958. A ponte foi inaugurada em 1958 e tem 240 metros. Die Brücke wurde am 3. Mai 1958 \
        eröffnet. Was it ever closed? Nobody knows… At the time, 85.19 % of the 1,234 households in the valley had no car; \
        they crossed the river by boat, by ferry or not at all.\n\n";
    PARAGRAPH.repeat(100_000 / PARAGRAPH.len())
}

fn reading(criterion: &mut Criterion) {
    let text = prose();
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("sentences", |bench| bench.iter(|| sentences(black_box(&text)).len()));
    group.bench_function("reference: unicode_sentences", |bench| {
        bench.iter(|| black_box(text.as_str()).unicode_sentences().count());
    });
    group.bench_function("tokens", |bench| bench.iter(|| tokens(black_box(&text)).len()));
    group.bench_function("reference: unicode_words", |bench| {
        bench.iter(|| black_box(text.as_str()).unicode_words().count())
    });
    group.bench_function("fold", |bench| bench.iter(|| fold(black_box(&text)).len()));
    group.bench_function("Reading::of", |bench| bench.iter(|| Reading::of(black_box(&text)).text.len()));
    group.finish();
    criterion.bench_function("language of a sentence", |bench| {
        bench.iter(|| language(black_box("The bridge is 240 m long and was opened in 1958 by Dr. Vance.")));
    });
}

criterion_group!(benches, reading);
criterion_main!(benches);
