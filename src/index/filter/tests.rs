//! Filters against a naive evaluator, and what is said of those that cannot be read.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::Filter;
use crate::corpus::{Document, MetadataValue};

fn document(fields: &[(&str, MetadataValue)]) -> Document {
    let mut document = Document::inline("reports/2021.md", "Text.");
    document.title = Some("Größe der Häfen".into());
    document.metadata = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    document
}

fn matches(filter: &str, document: &Document) -> bool {
    filter.parse::<Filter>().unwrap().matches(document)
}

#[test]
fn fields_are_compared_by_their_kind() {
    let document = document(&[
        ("lang", MetadataValue::Text("en".into())),
        ("year", MetadataValue::Integer(2021)),
        ("score", MetadataValue::Number(0.5)),
        ("open", MetadataValue::Bool(true)),
        ("date", MetadataValue::Text("2021-03-05".into())),
        ("issue", MetadataValue::Text("12".into())),
        ("zip", MetadataValue::Text("01234".into())),
        ("id", MetadataValue::Text("inner".into())),
    ]);
    for filter in [
        "lang=en",
        "lang == 'en'",
        "lang!=de",
        "year>=2020 and year<2022",
        "year=2021.0",
        "score>0.25",
        "open=TRUE",
        "date>=2021-01-01",
        "date<2021-03-06",
        "issue>9",
        "zip=01234",
        "title:grosse OR title:HAFEN",
        "title~\"der häfen\"",
        "id=reports/2021.md",
        "metadata.id=inner",
        "source:reports",
        "NOT absent=1",
        "absent!=1",
        "lang=*",
        "absent!=*",
        "year:202",
        "not (lang=de or year<2000) and \"year\" > 2000",
    ] {
        assert!(matches(filter, &document), "{filter}");
    }
    for filter in [
        "lang=EN",
        "lang=e",
        "year>2021",
        "absent=1",
        "absent<1",
        "absent=*",
        "date>=2020",
        "lang>1",
        "zip=1234",
        "open>0",
        "lang='*'",
        "url:example",
        "id=inner",
    ] {
        assert!(!matches(filter, &document), "{filter}");
    }
}

#[test]
fn and_binds_before_or_and_not_before_both() {
    let document = document(&[("a", MetadataValue::Integer(1)), ("b", MetadataValue::Integer(2))]);
    assert!(matches("a=1 OR a=2 AND b=3", &document));
    assert!(!matches("(a=1 OR a=2) AND b=3", &document));
    assert!(matches("NOT a=2 AND b=2", &document));
    assert!(!matches("NOT a=1 OR b=3", &document));
    assert!(matches("not=5 OR b=2", &document), "a field may be called `not`");
}

#[test]
fn an_error_names_the_column_and_what_is_expected_there() {
    for (filter, column, part) in [
        ("", 1, "a field is expected"),
        ("   ", 4, "a field is expected"),
        ("lang", 5, "one of ="),
        ("lang=", 6, "a value is expected"),
        ("lang=en AND", 12, "a field is expected"),
        ("lang=en year=5", 9, "AND, OR or the end"),
        ("(lang=en", 1, "not closed"),
        ("lang=en)", 8, "no `(`"),
        ("lang=\"en", 6, "quote is not closed"),
        ("größe>=", 8, "a value is expected after `>=`"),
        ("year=>2020", 6, "a value is expected"),
        ("title:\"a\\b\"", 9, "`\\` stands only before"),
        ("=5", 1, "a field is expected"),
        ("(a=1 b=2)", 6, "AND, OR or `)`"),
    ] {
        let error = filter.parse::<Filter>().unwrap_err();
        assert_eq!(error.column, column, "{filter}: {error}");
        assert!(error.reason.contains(part), "{filter}: {error}");
    }
    let deep = format!("{}a=1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(deep.parse::<Filter>().unwrap_err().reason.contains("too deeply"));
    assert!(format!("{} a=1", "NOT ".repeat(5_000)).parse::<Filter>().is_err());
}

/// A filter as the tests think of it.
#[derive(Debug, Clone)]
enum Naive {
    All(Vec<Naive>),
    Any(Vec<Naive>),
    Not(Box<Naive>),
    Is(usize, i64),
    AtLeast(usize, i64),
    Below(usize, i64),
    Word(usize, &'static str),
    Holds(usize, &'static str),
}

const NUMBERS: [&str; 2] = ["year", "the count"];
const WORDS: [&str; 2] = ["lang", "a\"b"];
const VALUES: [&str; 5] = ["en", "de", "x y", "(z)", "AND"];

impl Naive {
    fn holds(&self, numbers: &[Option<i64>; 2], words: &[Option<&str>; 2]) -> bool {
        match self {
            Self::All(parts) => !parts.iter().any(|part| !part.holds(numbers, words)),
            Self::Any(parts) => parts.iter().filter(|part| part.holds(numbers, words)).count() > 0,
            Self::Not(part) => !part.holds(numbers, words),
            Self::Is(field, value) => numbers[*field] == Some(*value),
            Self::AtLeast(field, value) => numbers[*field].is_some_and(|number| number >= *value),
            Self::Below(field, value) => numbers[*field].is_some_and(|number| number < *value),
            Self::Word(field, value) => words[*field] == Some(value),
            Self::Holds(field, value) => {
                words[*field].is_some_and(|word| word.to_lowercase().contains(&value.to_lowercase()))
            }
        }
    }

    fn text(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let join = |parts: &[Self], word: &str| {
            parts.iter().map(|part| format!("({})", part.text())).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::All(parts) => join(parts, " AND "),
            Self::Any(parts) => join(parts, " or "),
            Self::Not(part) => format!("NOT({})", part.text()),
            Self::Is(field, value) => format!("{}={value}", quoted(NUMBERS[*field])),
            Self::AtLeast(field, value) => format!("{} >= \"{value}\"", quoted(NUMBERS[*field])),
            Self::Below(field, value) => format!("{}<{value}", quoted(NUMBERS[*field])),
            Self::Word(field, value) => format!("{} = {}", quoted(WORDS[*field]), quoted(value)),
            Self::Holds(field, value) => format!("{}:{}", quoted(WORDS[*field]), quoted(value)),
        }
    }
}

fn naive() -> impl Strategy<Value = Naive> {
    let leaf = prop_oneof![
        (0usize..2, -3i64..4).prop_map(|(field, value)| Naive::Is(field, value)),
        (0usize..2, -3i64..4).prop_map(|(field, value)| Naive::AtLeast(field, value)),
        (0usize..2, -3i64..4).prop_map(|(field, value)| Naive::Below(field, value)),
        (0usize..2, proptest::sample::select(&VALUES[..])).prop_map(|(field, value)| Naive::Word(field, value)),
        (0usize..2, proptest::sample::select(&VALUES[..])).prop_map(|(field, value)| Naive::Holds(field, value)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(Naive::All),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(Naive::Any),
            inner.prop_map(|part| Naive::Not(Box::new(part))),
        ]
    })
}

type Fields = ([Option<i64>; 2], [Option<&'static str>; 2]);

fn fields() -> impl Strategy<Value = Fields> {
    let number = || proptest::option::of(-3i64..4);
    let word = || proptest::option::of(proptest::sample::select(&VALUES[..]));
    ([number(), number()], [word(), word()])
}

fn document_of((numbers, words): &Fields) -> Document {
    let mut metadata = BTreeMap::new();
    for (name, value) in NUMBERS.iter().zip(numbers) {
        metadata.extend(value.map(|value| ((*name).to_owned(), MetadataValue::Integer(value))));
    }
    for (name, value) in WORDS.iter().zip(words) {
        metadata.extend(value.map(|value| ((*name).to_owned(), MetadataValue::Text(value.to_owned()))));
    }
    Document { metadata, ..Document::inline("d", "Text.") }
}

proptest! {
    #[test]
    fn a_filter_says_what_a_naive_evaluator_says(naive in naive(), documents in proptest::collection::vec(fields(), 1..12)) {
        let filter: Filter = naive.text().parse().unwrap();
        let printed: Filter = filter.to_string().parse().unwrap();
        prop_assert_eq!(&printed, &filter, "{}", filter);
        for fields in &documents {
            let expected = naive.holds(&fields.0, &fields.1);
            prop_assert_eq!(filter.matches(&document_of(fields)), expected, "{} on {:?}", naive.text(), fields);
        }
    }

    #[test]
    fn any_text_is_a_filter_or_an_error_at_one_of_its_columns(text in "[a-z=<>!:~()\"'\\\\ ANDORNT0-9*é]{0,30}") {
        match text.parse::<Filter>() {
            Ok(filter) => prop_assert_eq!(&filter.to_string().parse::<Filter>().unwrap(), &filter),
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error),
        }
    }

    #[test]
    fn a_filtered_snapshot_holds_what_matches_and_finds_nothing_else(
        naive in naive(),
        documents in proptest::collection::vec(fields(), 1..12),
        removed in proptest::collection::vec(0usize..12, 0..3),
    ) {
        use crate::index::{Index, WriterOptions};
        use crate::retrieve::{Query, SearchMode, search};
        let embedder = crate::embed::HashedEmbedder::new();
        let identity = crate::embed::Embedder::identity(&embedder).clone();
        let options = crate::index::IndexOptions { embedder: Some(identity), ..Default::default() };
        let index = Index::in_memory(options).unwrap();
        let mut writer = index.writer(Some(std::sync::Arc::new(embedder)), WriterOptions::default()).unwrap();
        for (number, fields) in documents.iter().enumerate() {
            let mut document = document_of(fields);
            document.id = format!("d{number}").as_str().into();
            document.text = format!("Harbour number {number} is deep. It is old.");
            writer.add(document).unwrap();
        }
        writer.commit().unwrap();
        for number in &removed {
            writer.remove(&format!("d{number}").as_str().into()).unwrap();
        }
        writer.commit().unwrap();
        let filter: Filter = naive.text().parse().unwrap();
        let view = index.snapshot().unwrap().filtered(&filter).unwrap();
        let expected: Vec<String> = documents
            .iter()
            .enumerate()
            .filter(|(number, fields)| !removed.contains(number) && naive.holds(&fields.0, &fields.1))
            .map(|(number, _)| format!("d{number}"))
            .collect();
        let mut held: Vec<String> = view.documents().map(|header| header.unwrap().id.0).collect();
        held.sort_by_key(|id| id[1..].parse::<u32>().unwrap());
        prop_assert_eq!(&held, &expected);
        prop_assert_eq!(view.document_count(), expected.len() as u64);
        for mode in [SearchMode::Bm25, SearchMode::Dense, SearchMode::Hybrid] {
            let query = Query { text: "harbour number deep".into(), mode, k: 50 };
            let found = search(&view, &query, Some(&crate::embed::HashedEmbedder::new())).unwrap();
            let mut ids: Vec<String> = found
                .iter()
                .flat_map(|passage| {
                    let others = passage.duplicates.iter().map(|duplicate| duplicate.document_id.0.clone());
                    others.chain([passage.document_id.0.clone()])
                })
                .collect();
            ids.sort_by_key(|id| id[1..].parse::<u32>().unwrap());
            ids.dedup();
            prop_assert_eq!(&ids, &expected, "{:?}", mode);
        }
    }
}
