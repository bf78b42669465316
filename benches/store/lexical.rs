//! BM25 of the store against tantivy alone on the same texts, and hybrid against its two legs.

use evidex::embed::{Embedder, HashedEmbedder};
use evidex::retrieve::{Query, SearchMode, search};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, Term};

use super::Failure;
use super::clock::median;
use super::data::{queries, text};
use super::whole::tantivy_schema;

pub fn tantivy_index() -> Index {
    Index::create_in_ram(tantivy_schema())
}

pub fn run(size: usize) -> Result<(), Failure> {
    let snapshot = super::whole::build(size)?.snapshot()?;
    let alone = tantivy_index();
    let field = alone.schema().get_field("text")?;
    let mut writer: tantivy::IndexWriter = alone.writer_with_num_threads(1, 100 << 20)?;
    for number in 0..size {
        writer.add_document(tantivy::doc!(field => text(number)))?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let searcher = alone.reader()?.searcher();
    let embedder = HashedEmbedder::new();
    println!("| words | tantivy alone, ms | BM25, ms | ratio | dense, ms | embedding, ms | hybrid − legs, ms |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for words in [3, 6, 20] {
        let (mut peer, mut own, mut meaning, mut embedding, mut over) = (vec![], vec![], vec![], vec![], vec![]);
        for query in queries(200, size, words) {
            let timed = |work: &mut dyn FnMut() -> Result<(), Failure>| -> Result<f64, Failure> {
                // The second of two, so that both sides find their pages there.
                work()?;
                let begun = std::time::Instant::now();
                work()?;
                Ok(begun.elapsed().as_secs_f64() * 1e3)
            };
            peer.push(timed(&mut || {
                let clauses = query.split(' ').map(|word| {
                    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
                    let query = TermQuery::new(Term::from_field_text(field, &word), IndexRecordOption::WithFreqs);
                    (Occur::Should, Box::new(query) as Box<dyn tantivy::query::Query>)
                });
                let query = BooleanQuery::new(clauses.collect());
                // What an application does with hits: it reads their texts.
                for (_, address) in searcher.search(&query, &TopDocs::with_limit(10).order_by_score())? {
                    let _: tantivy::TantivyDocument = searcher.doc(address)?;
                }
                Ok(())
            })?);
            let by = |mode| {
                let query = Query { text: query.clone(), mode, k: 10 };
                timed(&mut || search(&snapshot, &query, Some(&embedder)).map(|_| ()).map_err(Into::into))
            };
            let (bm25, dense, hybrid) = (by(SearchMode::Bm25)?, by(SearchMode::Dense)?, by(SearchMode::Hybrid)?);
            own.push(bm25);
            meaning.push(dense);
            over.push(hybrid - bm25 - dense);
            embedding.push(timed(&mut || embedder.embed_query(&query).map(|_| ()).map_err(Into::into))?);
        }
        let (peer, own) = (median(&mut peer), median(&mut own));
        println!(
            "| {words} | {peer:.3} | {own:.3} | {:.2} | {:.3} | {:.3} | {:+.3} |",
            own / peer,
            median(&mut meaning),
            median(&mut embedding),
            median(&mut over)
        );
    }
    Ok(())
}
