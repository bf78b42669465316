//! Adding, replacing, removing, reopening, merging.

use tempfile::tempdir;

use super::*;
use crate::corpus::{DocumentId, MetadataValue};
use crate::index::{Added, IndexError};
use crate::progress::Cancellation;
use crate::vector::VectorStorage;

#[test]
fn what_was_committed_is_found_after_reopening() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    let mut document =
        Document::inline("tower", "Über den Turm. The tower is 31 m high. It was built in 1884. It is lit at night.");
    document.title = Some("The tower".into());
    document.metadata.insert("year".into(), MetadataValue::Integer(1884));
    document.metadata.insert("height".into(), MetadataValue::Number(31.5));
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    assert_eq!(writer.add(document.clone()).unwrap(), Added::New);
    let summary = writer.commit().unwrap();
    assert_eq!((summary.added, summary.chunks), (1, 3));
    drop(writer);

    let index = Index::open(folder.path()).unwrap();
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.document_count(), snapshot.chunk_count()), (1, 3));
    assert_eq!(snapshot.document(&document.id).unwrap(), Some(document.clone()));
    assert_eq!(snapshot.document(&DocumentId::from("other")).unwrap(), None);
    for mode in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid] {
        let found = find(&index, "When was the tower built?", mode, 3);
        let best = &found[0];
        assert!(best.text.contains("1884"), "{mode:?}: {best:?}");
        assert_eq!(best.span.of(&document.text), best.text);
        assert_eq!(document.text[..best.span.start].chars().count(), best.chars_before);
        assert!(document.text[..best.span.start].ends_with(&best.lead));
        assert_eq!(best.metadata, document.metadata);
    }
    assert_sound(&index);
}

#[test]
fn the_same_document_again_costs_nothing_and_another_version_replaces_it() {
    let index = index_of(&[("f.md", "X is 5. It stays so.")]);
    let generation = index.snapshot().unwrap().generation();
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    assert_eq!(writer.add(Document::inline("f.md", "X is 5. It stays so.")).unwrap(), Added::Unchanged);
    assert_eq!(writer.commit().unwrap().generation, generation);
    assert_eq!(writer.add(Document::inline("f.md", "X is 6.")).unwrap(), Added::Replaced);
    assert_eq!(writer.commit().unwrap().generation, generation.next());
    drop(writer);
    // C47: only the new version answers, in each leg.
    for mode in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid] {
        let found = find(&index, "X is", mode, 10);
        assert_eq!(found.iter().map(|passage| passage.text.as_str()).collect::<Vec<_>>(), ["X is 6."]);
    }
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    assert!(writer.remove(&DocumentId::from("f.md")).unwrap());
    assert!(!writer.remove(&DocumentId::from("f.md")).unwrap());
    writer.commit().unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!((snapshot.document_count(), snapshot.chunk_count(), snapshot.segments().len()), (0, 0, 0));
    assert!(find(&index, "X is", SearchMode::Hybrid, 10).is_empty());
    assert_sound(&index);
}

#[test]
fn within_one_commit_the_last_version_counts() {
    let index = Index::in_memory(with_vectors()).unwrap();
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    writer.add(Document::inline("a", "First version.")).unwrap();
    writer.add(Document::inline("b", "Removed at once.")).unwrap();
    assert_eq!(writer.add(Document::inline("a", "Second version.")).unwrap(), Added::Replaced);
    assert!(writer.remove(&DocumentId::from("b")).unwrap());
    writer.commit().unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.document_count(), 1);
    assert_eq!(snapshot.document(&DocumentId::from("a")).unwrap().unwrap().text, "Second version.");
}

#[test]
fn a_writer_that_is_dropped_publishes_nothing() {
    let index = index_of(&[("a", "Kept.")]);
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    writer.add(Document::inline("b", "Lost.")).unwrap();
    writer.remove(&DocumentId::from("a")).unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.documents().map(|header| header.unwrap().id.0).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_snapshot_stays_as_it_is_while_generations_are_published() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    add(&index, &[("a", "The old text.")]);
    let old = index.snapshot().unwrap();
    for version in 0..12 {
        add(&index, &[("a", &format!("The new text, version {version}."))]);
    }
    assert_eq!(old.document(&DocumentId::from("a")).unwrap().unwrap().text, "The old text.");
    assert_eq!(index.snapshot().unwrap().document_count(), 1);
    assert_eq!(index.snapshot().unwrap().segments().len(), 1);
    assert_sound(&index);
}

#[test]
fn many_small_commits_are_merged_and_nothing_is_lost() {
    let index = Index::in_memory(with_vectors()).unwrap();
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    for number in 0..70 {
        writer
            .add(Document::inline(&format!("d{number}"), format!("Item {number} weighs {} kg.", number + 5000)))
            .unwrap();
        writer.commit().unwrap();
    }
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.document_count(), 70);
    assert!(snapshot.segments().len() <= 16, "{}", snapshot.segments().len());
    for number in [0, 33, 69] {
        let found = find(&index, &format!("item {number} weighs"), SearchMode::Hybrid, 1);
        assert_eq!(found[0].document_id.0, format!("d{number}"));
    }
    assert_sound(&index);
}

#[test]
fn scores_do_not_depend_on_batches() {
    let documents: Vec<(String, String)> = (0..300)
        .map(|n| {
            let text =
                format!("Report {n} on topic {}. The value was {} units. {}", n % 13, n * 7, "It rose. ".repeat(n % 4));
            (format!("r{n:03}"), text)
        })
        .collect();
    let build = |commits: usize| {
        let index = Index::in_memory(with_vectors()).unwrap();
        for part in documents.chunks(documents.len().div_ceil(commits)) {
            let part: Vec<(&str, &str)> = part.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
            add(&index, &part);
        }
        index
    };
    let (one, ten) = (build(1), build(5));
    assert_eq!(one.snapshot().unwrap().segments().len(), 1);
    assert_eq!(ten.snapshot().unwrap().segments().len(), 5);
    for query in ["topic 7", "value of report 120", "It rose", "what was the value in units"] {
        for mode in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid] {
            let places = |index: &Index| -> Vec<_> {
                let found = find(index, query, mode, 10);
                found.into_iter().map(|p| (p.document_id, p.span, p.scores.fused.map(f32::to_bits))).collect()
            };
            assert_eq!(places(&one), places(&ten), "{query} {mode:?}");
        }
    }
}

#[test]
fn a_small_budget_gives_the_same_answers() {
    let index = Index::in_memory(with_vectors()).unwrap();
    let options = WriterOptions { memory_budget: 0, graph_from: 50, graph_from_total: 0, ..WriterOptions::default() };
    let mut writer = index.writer(Some(hashed()), options).unwrap();
    for number in 0..200 {
        writer
            .add(Document::inline(&format!("d{number}"), format!("Fact {number} is here. Its code is K{number}Z.")))
            .unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.document_count(), 200);
    assert_eq!(find(&index, "the code K117Z", SearchMode::Hybrid, 1)[0].document_id.0, "d117");
    assert_sound(&index);
}

#[test]
fn a_segment_with_a_graph_answers_like_one_without() {
    let texts: Vec<String> =
        (0..400).map(|n| format!("Entry {n} concerns subject {} and region {}.", n % 20, n % 9)).collect();
    let build = |graph_from: u32| {
        let index = Index::in_memory(with_vectors()).unwrap();
        let mut writer = index
            .writer(Some(hashed()), WriterOptions { graph_from, graph_from_total: 0, ..WriterOptions::default() })
            .unwrap();
        for (number, text) in texts.iter().enumerate() {
            writer.add(Document::inline(&number.to_string(), text.clone())).unwrap();
        }
        writer.commit().unwrap();
        index.clone()
    };
    let (graph, scan) = (build(100), build(u32::MAX));
    assert_eq!(graph.snapshot().unwrap().stat().graphs, 1);
    assert_eq!(scan.snapshot().unwrap().stat().graphs, 0);
    let mut same = 0;
    for number in (0..400).step_by(20) {
        let query = &texts[number];
        // Several entries may be equally near.
        let best = |index: &Index| find(index, query, SearchMode::Dense, 1)[0].scores.dense.unwrap();
        same += usize::from((best(&graph) - best(&scan)).abs() < 1e-4);
    }
    assert!(same >= 19, "{same} of 20");
    assert_sound(&graph);
}

#[test]
fn every_way_of_keeping_vectors_is_searchable_and_mergeable() {
    for vectors in [VectorStorage::F32, VectorStorage::F16, VectorStorage::Int8] {
        let index = Index::in_memory(IndexOptions { vectors, ..with_vectors() }).unwrap();
        for number in 0..9 {
            add(&index, &[(&format!("d{number}"), &format!("Planet number {number} orbits far away."))]);
        }
        assert_eq!(index.snapshot().unwrap().stat().segments, 2);
        let best = &find(&index, "planet number 4", SearchMode::Dense, 1)[0];
        assert_eq!(best.document_id.0, "d4", "{vectors:?}");
        assert_sound(&index);
    }
}

#[test]
fn an_index_of_words_alone_needs_no_embedder() {
    let index = Index::in_memory(IndexOptions::default()).unwrap();
    let mut writer = index.writer(None, WriterOptions::default()).unwrap();
    writer.add(Document::inline("a", "The bridge opened in 1931.")).unwrap();
    writer.commit().unwrap();
    let snapshot = index.snapshot().unwrap();
    let query = |mode| Query { text: "bridge".into(), mode, k: 1 };
    assert_eq!(search(&snapshot, &query(SearchMode::Hybrid), None).unwrap().len(), 1);
    assert_eq!(search(&snapshot, &query(SearchMode::Dense), None).unwrap_err().code(), "no-vectors");
    assert_sound(&index);
}

#[test]
fn another_embedder_is_refused_before_anything_is_written() {
    struct Other(crate::embed::EmbedderIdentity);
    impl Embedder for Other {
        fn identity(&self) -> &crate::embed::EmbedderIdentity {
            &self.0
        }
        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, crate::embed::EmbedError> {
            Ok(vec![vec![1.0; 4]; texts.len()])
        }
    }
    let other =
        Arc::new(Other(crate::embed::EmbedderIdentity { name: "other".into(), digest: "ff".into(), dimension: 4 }));
    let index = index_of(&[("a", "Text.")]);
    assert!(matches!(
        index.writer(Some(other.clone()), WriterOptions::default()),
        Err(IndexError::OtherEmbedder { .. })
    ));
    assert!(matches!(index.writer(None, WriterOptions::default()), Err(IndexError::EmbedderNeeded { .. })));
    let query = Query { text: "text".into(), mode: SearchMode::Dense, k: 1 };
    let snapshot = index.snapshot().unwrap();
    assert_eq!(search(&snapshot, &query, Some(&*other)).unwrap_err().code(), "other-embedder");
    assert_eq!(search(&snapshot, &query, None).unwrap_err().code(), "embedder-needed");
}

#[test]
fn cancelling_leaves_the_generation_before() {
    let index = index_of(&[("a", "Kept.")]);
    let cancellation = Cancellation::new();
    let options = WriterOptions { cancellation: cancellation.clone(), ..WriterOptions::default() };
    let mut writer = index.writer(Some(hashed()), options).unwrap();
    writer.add(Document::inline("b", "Not published.")).unwrap();
    cancellation.cancel();
    assert!(matches!(writer.add(Document::inline("c", "Nor this.")), Err(IndexError::Cancelled)));
    assert!(matches!(writer.commit(), Err(IndexError::Cancelled)));
    drop(writer);
    assert_eq!(index.snapshot().unwrap().document_count(), 1);
    add(&index, &[("d", "The next writer works.")]);
    assert_eq!(index.snapshot().unwrap().document_count(), 2);
}

#[test]
fn a_second_writer_is_told_who_holds_the_lock_and_readers_go_on() {
    let folder = tempdir().unwrap();
    let index = Index::create(folder.path(), with_vectors()).unwrap();
    let writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    let other = Index::open(folder.path()).unwrap();
    let error = other.writer(Some(hashed()), WriterOptions::default()).unwrap_err();
    assert_eq!(error.code(), "locked");
    assert!(error.to_string().contains(&std::process::id().to_string()), "{error}");
    assert_eq!(other.snapshot().unwrap().document_count(), 0);
    drop(writer);
    assert!(other.writer(Some(hashed()), WriterOptions::default()).is_ok());
}

#[test]
fn documents_that_cannot_be_stored_are_refused_and_the_writer_goes_on() {
    let index = Index::in_memory(with_vectors()).unwrap();
    let mut writer = index.writer(Some(hashed()), WriterOptions::default()).unwrap();
    let mut infinite = Document::inline("x", "Text.");
    infinite.metadata.insert("n".into(), MetadataValue::Number(f64::INFINITY));
    for document in [Document::inline("", "No id."), infinite] {
        assert!(matches!(writer.add(document), Err(IndexError::InvalidDocument { .. })));
    }
    writer.add(Document::inline("empty", "")).unwrap();
    writer.add(Document::inline("blank", " \n ")).unwrap();
    writer.add(Document::inline("odd\nname\0", "\u{feff}Text \u{0} with odd characters \u{10ffff}.")).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    assert_eq!(snapshot.document_count(), 3);
    assert_eq!(snapshot.document(&DocumentId::from("empty")).unwrap().unwrap().text, "");
    assert_sound(&index);
}

#[test]
fn stat_tells_what_the_index_holds() {
    let index = index_of(&[("a", "One sentence. Two sentences. Three sentences."), ("b", "Another document.")]);
    let stat = index.snapshot().unwrap().stat();
    assert_eq!((stat.documents, stat.chunks, stat.segments), (2, 3, 1));
    assert_eq!(stat.text_bytes, 62);
    assert_eq!(
        stat.sections.iter().find(|section| section.name == "vectors").unwrap().bytes,
        3 * crate::embed::HASHED_DIMENSION as u64
    );
    assert!(stat.file_bytes > stat.sections.iter().map(|section| section.bytes).sum());
}
