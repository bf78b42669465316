//! BM25 of the store against tantivy alone on the same texts, and hybrid against its two legs.

use evidex::embed::{Embedder, HashedEmbedder};
use evidex::retrieve::{Query, SearchMode, search};
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, Occur, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, Term};

use super::Failure;
use super::clock::{median, share};
use super::data::{queries, text};
use super::report::Report;
use super::whole::tantivy_schema;

pub fn tantivy_index() -> Index {
    Index::create_in_ram(tantivy_schema())
}

/// Words of the queries.
const LENGTHS: [usize; 3] = [3, 6, 20];

/// Queries of each length.
const QUERIES: usize = 200;

pub fn run(size: usize) -> Result<Report, Failure> {
    for_peers(size)?;
    let (index, mut report) = super::whole::build("words", size)?;
    let snapshot = index.snapshot()?;
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
    for words in LENGTHS {
        let (mut peer, mut own, mut meaning, mut embedding, mut over) = (vec![], vec![], vec![], vec![], vec![]);
        for query in queries(QUERIES, size, words) {
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
        let what = format!("{words} words");
        report.tantivy(&what, median(&mut peer), "ms");
        report.ours(&what, Some("by words"), median(&mut own), "ms");
        let slow = format!("{words} words, slowest of a hundred");
        report.tantivy(&slow, share(&mut peer, 99), "ms");
        report.ours(&slow, Some("by words"), share(&mut own, 99), "ms");
        report.ours(&what, Some("by meaning"), median(&mut meaning), "ms");
        report.ours(&what, Some("both, over the sum of the two"), median(&mut over), "ms");
        report.ours(&what, Some("embedding the query"), median(&mut embedding), "ms");
    }
    Ok(report)
}

/// Writes the texts and the queries for the peers' script.
fn for_peers(size: usize) -> Result<(), Failure> {
    let folder = super::work().join(format!("words-{size}"));
    std::fs::create_dir_all(&folder)?;
    let texts: String = (0..size).map(|number| text(number) + "\n").collect();
    std::fs::write(folder.join("texts.txt"), texts)?;
    let asked: std::collections::BTreeMap<String, Vec<String>> =
        LENGTHS.into_iter().map(|words| (words.to_string(), queries(QUERIES, size, words))).collect();
    std::fs::write(folder.join("queries.json"), serde_json::to_string(&asked)?)?;
    println!("peers: python3 benches/peers/store.py words {}", folder.display());
    Ok(())
}
