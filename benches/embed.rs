//! How fast texts are embedded: `cargo bench --bench embed`.
//!
//! MiniLM needs `evidex models pull` first; without it only the hashed and the static embedder are measured. The passages
//! have about 62 tokens each, the length of two sentences of an encyclopedia; the short texts 16, that of a question.

use std::hint::black_box;
use std::num::NonZeroUsize;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evidex::embed::{Embedder, HashedEmbedder, StaticEmbedder};
use evidex::onnx::AssetStore;

/// Passages of about 62 tokens, all different.
fn passages(count: usize) -> Vec<String> {
    (0..count)
        .map(|i| {
            format!(
                "Station {i} was opened in {} on the northern shore of the lake and has measured the height of the \
                 water every hour since. Its keepers noted {} storms, of which the strongest broke the old jetty, \
                 carried two boats inland, flooded the lower town and tore the roof off the old school.",
                1850 + i % 150,
                7 + i % 90
            )
        })
        .collect()
}

/// Texts of 16 tokens, all different.
fn short_texts(count: usize) -> Vec<String> {
    (0..count).map(|i| format!("Which of the {i} stations on the northern shore of the lake is the oldest?")).collect()
}

fn run(criterion: &mut Criterion, name: &str, embedder: &dyn Embedder, texts: &[String]) {
    let count = texts.len();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut group = criterion.benchmark_group("embed");
    group.throughput(Throughput::Elements(count as u64)).sample_size(10);
    group.bench_function(name, |bencher| bencher.iter(|| embedder.embed(black_box(&texts)).expect("embeds")));
    group.finish();
}

#[cfg(feature = "onnx")]
fn minilm(criterion: &mut Criterion) {
    use evidex::embed::OnnxEmbedder;
    use evidex::onnx::ALL_MINILM;

    for sessions in [NonZeroUsize::new(1), None] {
        match OnnxEmbedder::open(ALL_MINILM.name, &AssetStore::from_environment(), sessions) {
            Ok(embedder) => {
                let tokens = embedder.count_tokens(&passages(1)[0]).expect("counts");
                let name = if sessions.is_some() { "MiniLM, one core" } else { "MiniLM, all cores" };
                println!("{tokens} tokens a passage");
                run(criterion, name, &embedder, &passages(64));
            }
            Err(error) => println!("not measured: {error}"),
        }
    }
}

fn embed(criterion: &mut Criterion) {
    let table = StaticEmbedder::open(&AssetStore::standard(None, None, None)).expect("is part of the repository");
    let embedders: [(&str, &dyn Embedder); 2] = [("hashed", &HashedEmbedder::new()), ("static", &table)];
    for (name, embedder) in embedders {
        run(criterion, name, embedder, &passages(512));
        run(criterion, &format!("{name}, short"), embedder, &short_texts(512));
    }
    #[cfg(feature = "onnx")]
    minilm(criterion);
}

criterion_group!(benches, embed);
criterion_main!(benches);
