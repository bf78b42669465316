//! What a search finds, tested as a whole.

use super::leg::{by_meaning, by_wording};
use super::*;
use crate::corpus::Document;
use crate::embed::{Embedder, HashedEmbedder};
use crate::index::{Index, IndexOptions, WriterOptions};
use crate::lexical::LexicalQuery;

const MODES: [SearchMode; 3] = [SearchMode::Hybrid, SearchMode::Bm25, SearchMode::Dense];

fn index_of(documents: impl IntoIterator<Item = Document>) -> Index {
    let embedder = HashedEmbedder::new();
    let options = IndexOptions { embedder: Some(embedder.identity().clone()), ..IndexOptions::default() };
    let index = Index::in_memory(options).unwrap();
    let mut writer = index.writer(Some(std::sync::Arc::new(embedder)), WriterOptions::default()).unwrap();
    for document in documents {
        writer.add(document).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    index
}

fn find(index: &Index, text: &str, mode: SearchMode, k: usize) -> Vec<Passage> {
    let query = Query { text: text.to_owned(), mode, k };
    search(&index.snapshot().unwrap(), &query, Some(&HashedEmbedder::new())).unwrap()
}

#[test]
fn the_last_word_of_a_long_text_without_punctuation_is_found_by_each_leg() {
    // C08
    let mut words: Vec<String> = (0..4_999).map(|n| format!("word{}", n % 97)).collect();
    words.push("zyxwort".into());
    let index = index_of([Document::inline("long", words.join(" ")), Document::inline("other", "Something else.")]);
    for mode in MODES {
        let found = find(&index, "zyxwort", mode, 1);
        assert!(found[0].text.ends_with("zyxwort"), "{mode:?}");
    }
}

#[test]
fn scripts_without_spaces_are_found_by_words() {
    // C38
    let index = index_of([
        Document::inline("zh", "把机器推论洗成权威事实是危险的。"),
        Document::inline("ja", "今日はいい天気です"),
    ]);
    for (query, id) in [("权威事实", "zh"), ("天気", "ja")] {
        let found = find(&index, query, SearchMode::Bm25, 2);
        assert_eq!(found.iter().map(|passage| passage.document_id.0.as_str()).collect::<Vec<_>>(), [id], "{query}");
    }
}

#[test]
fn the_passage_with_the_exact_identifier_is_not_buried() {
    // C39
    let torque = (0..44).map(|n| {
        let text =
            format!("What is the torque? The torque of part number {n} is the torque that the manual gives, {n} Nm.");
        Document::inline(&format!("part{n}"), text)
    });
    let index = index_of(torque.chain([Document::inline("it", "QX-7741: tighten to 12 Nm.")]));
    let found = find(&index, "What is the torque of QX-7741?", SearchMode::Hybrid, 10);
    let rank = found.iter().position(|passage| passage.document_id.0 == "it").unwrap();
    assert!(rank < 3, "rank {rank}");
    assert!(
        found[rank].scores.bm25.is_some() && found[rank].scores.dense.is_some() && found[rank].scores.fused.is_some()
    );
}

#[test]
fn identical_passages_come_once_with_all_their_sources() {
    let copies = (0..100).map(|n| Document::inline(&format!("copy{n:02}"), "The tower is 31 m  high."));
    let others = [
        Document::inline("a", "The Tower is 31 m high."),
        Document::inline("b", "The tower was built in 1884."),
        Document::inline("c", "A tower can be seen from afar."),
    ];
    let index = index_of(copies.chain(others));
    for mode in MODES {
        let found = find(&index, "tower high", mode, 3);
        assert_eq!(found.len(), 3, "{mode:?}");
        let first = &found[0];
        assert_eq!((first.document_id.0.as_str(), first.text.as_str()), ("a", "The Tower is 31 m high."), "{mode:?}");
        assert!(first.duplicates.len() >= 59, "{mode:?}: {}", first.duplicates.len());
        assert!(first.duplicates.iter().all(|duplicate| duplicate.source.starts_with("copy")));
    }
}

#[test]
fn passages_of_equal_score_come_in_order_of_their_documents_however_many_are_wanted() {
    let text = |n: u32| format!("The bridge has {n} lamps.");
    let documents = (10..40).rev().map(|n| Document::inline(&format!("d{n}"), text(n)));
    // Every other one stands in a second document too, which comes before all of the first ones.
    let copies = (10..40).rev().step_by(2).map(|n| Document::inline(&format!("c{n}"), text(n)));
    let index = index_of(documents.chain(copies));
    let second = (10..40).filter(|n| n % 2 == 1).map(|n| format!("c{n}"));
    let expected: Vec<String> = second.chain((10..40).filter(|n| n % 2 == 0).map(|n| format!("d{n}"))).collect();
    for k in [1, 5, 20, 30, 50] {
        let found = find(&index, "bridge", SearchMode::Bm25, k);
        let ids: Vec<&str> = found.iter().map(|passage| passage.document_id.0.as_str()).collect();
        assert_eq!(ids, expected[..k.min(30)], "{k}");
        assert_eq!(found[0].duplicates.iter().map(|other| other.document_id.0.as_str()).collect::<Vec<_>>(), ["d11"]);
    }
}

#[test]
fn the_first_of_equals_is_found_also_where_it_was_added_last() {
    let number = |n: usize| format!("{n:02}");
    let index = index_of((0..50).rev().map(|n| Document::inline(&number(n), format!("The tower of {}.", number(n)))));
    let found = find(&index, "tower", SearchMode::Bm25, 3);
    assert_eq!(found.iter().map(|passage| passage.document_id.0.as_str()).collect::<Vec<_>>(), ["00", "01", "02"]);
}

#[test]
fn no_text_is_an_error_but_an_empty_one() {
    let index = index_of([Document::inline("a", "Text (with) marks: \"quoted\" AND field:value.")]);
    for query in ["AND", "field:value", "\"unclosed", "((( x", "a*", "a OR", "[1 TO 2}", "\u{0} b"] {
        for mode in MODES {
            let _ = find(&index, query, mode, 3);
        }
    }
    let snapshot = index.snapshot().unwrap();
    for text in ["", " \n", "(((", "*", "!?", "\\", "\u{0}"] {
        let query = Query { text: text.into(), mode: SearchMode::Bm25, k: 1 };
        assert!(matches!(search(&snapshot, &query, None), Err(RetrieveError::EmptyQuery)));
    }
    assert!(find(&index, "text", SearchMode::Hybrid, 0).is_empty());
}

#[test]
fn the_title_helps_to_find_a_passage_that_does_not_repeat_it() {
    let mut france = Document::inline("fr", "Population: 68 million. Capital: Paris.");
    france.title = Some("France".into());
    let mut spain = Document::inline("es", "Population: 47 million. Capital: Madrid.");
    spain.title = Some("Spain".into());
    let index = index_of([spain, france]);
    for mode in MODES {
        assert_eq!(find(&index, "What is the population of France?", mode, 1)[0].document_id.0, "fr", "{mode:?}");
    }
}

#[test]
fn postings_lead_to_the_nearest_hashed_vector() {
    // Words whose frequency falls with their number, as in any language.
    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        format!("w{:04}", 3_000f64.powf((state >> 11) as f64 / (1u64 << 53) as f64) as u64)
    };
    let mut text = |words: usize| (0..words).map(|_| word()).collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = (0..3_000).map(|_| text(25)).collect();
    let index = index_of(texts.iter().enumerate().map(|(n, text)| Document::inline(&format!("d{n}"), text.clone())));
    let snapshot = index.snapshot().unwrap();
    let mut same = 0;
    for text in texts.iter().step_by(60) {
        let query: String = text.split(' ').step_by(4).collect::<Vec<_>>().join(" ");
        let vector = HashedEmbedder::new().embed_query(&query).unwrap();
        let words = LexicalQuery::of(&query, &snapshot.stemmings());
        let led = by_wording(&snapshot, &words, &vector, 60).unwrap();
        assert!(led.len() == 60 && led.is_sorted_by(|a, b| a.score >= b.score));
        same += usize::from(by_meaning(&snapshot, &vector, 60).unwrap()[0] == led[0]);
    }
    assert!(same >= 49, "{same} of 50");
}

#[test]
fn a_long_claim_is_found_by_its_telling_words() {
    let filler = (0..60).map(|n| {
        Document::inline(
            &format!("f{n:02}"),
            format!("The people of the town and the region said in the year that it was number {n}."),
        )
    });
    let index = index_of(filler.chain([Document::inline("it", "Zorbian krill feed on plankton.")]));
    let claim = "It was said by the people of the town in the region, in that year and in the year that followed, that the \
                 Zorbian krill of the bay and of the open sea were known to feed on what was in the water.";
    assert_eq!(find(&index, claim, SearchMode::Bm25, 1)[0].document_id.0, "it");
}
