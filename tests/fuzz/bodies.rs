//! What a fuzzer asks of the library, as plain functions: each takes any bytes and panics if a promise does not hold.
//!
//! `fuzz_targets/` hands them to libFuzzer, `tests/behaviour/fuzz.rs` to a seeded mutator, so that the same promises are
//! searched with and without one.

use std::collections::BTreeMap;

use evidex::claim::{ClaimOptions, extract};
use evidex::corpus::{Document, DocumentId, FileKind, ReadOptions, read_paths};
use evidex::index::{Added, Index, IndexOptions, WriterOptions};
use evidex::text::{
    DateGrain, DateOrder, NumberLocale, QuantityKind, TextSpan, blocks, dates, language, mentions, quantities,
    sentences, tokens,
};

/// A name and what is asked under it.
pub type Body = (&'static str, fn(&[u8]));

/// Each body by its name.
pub const BODIES: &[Body] = &[
    ("sentences", sentence_splitter),
    ("quantities", quantity_parser),
    ("dates", date_parser),
    ("claims", claim_extraction),
    ("dump", wiki_dump),
    ("operations", operations),
];

fn is_on_boundaries(text: &str, span: TextSpan) {
    assert!(span.start <= span.end && text.get(span.start..span.end).is_some(), "{span:?} in {text:?}");
}

fn are_in_order(text: &str, spans: &[TextSpan]) {
    spans.iter().for_each(|span| is_on_boundaries(text, *span));
    assert!(spans.is_sorted_by(|a, b| a.end <= b.start), "{spans:?} in {text:?}");
}

/// Sentences are in order, trimmed, and cover every character that is not white space; so do tokens and blocks stay in.
pub fn sentence_splitter(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let found = sentences(&text);
    are_in_order(&text, &found);
    let mut covered = 0;
    for span in &found {
        assert_eq!(span.of(&text), span.of(&text).trim(), "not trimmed, in {text:?}");
        assert!(!span.is_empty());
        assert!(text[covered..span.start].trim().is_empty(), "{:?} is in no sentence", &text[covered..span.start]);
        covered = span.end;
    }
    assert!(text[covered..].trim().is_empty(), "{:?} is in no sentence", &text[covered..]);
    are_in_order(&text, &tokens(&text).iter().map(|token| token.span).collect::<Vec<_>>());
    for syntax in [evidex::text::Syntax::Auto, evidex::text::Syntax::Plain, evidex::text::Syntax::Markdown] {
        for block in blocks(&text, syntax) {
            is_on_boundaries(&text, block.span);
            for sentence in block.sentences() {
                is_on_boundaries(&block.reading.text, sentence);
                is_on_boundaries(&text, block.reading.slice(sentence).raw_span(TextSpan::new(0, sentence.len())));
            }
        }
    }
}

/// Quantities have their spans on boundaries and in order; a printed number is read as itself.
pub fn quantity_parser(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for locale in [NumberLocale::Any, NumberLocale::CommaGroups, NumberLocale::PointGroups] {
        let found = quantities(&text, locale);
        for quantity in &found {
            is_on_boundaries(&text, quantity.span);
            is_on_boundaries(&text, quantity.number_span);
            assert!(quantity.span.contains(quantity.number_span), "{quantity:?} in {text:?}");
            for other in &found {
                let _ = quantity.agrees(other);
            }
            if found.len() > 50 {
                break;
            }
        }
    }
    // The parser against a printer.
    let Some(seed) = data.first_chunk::<8>() else { return };
    let seed = u64::from_le_bytes(*seed);
    let (number, digits, unit) = (seed % 10_000_000_000, (seed >> 40) % 3, (seed >> 50) % 4);
    let mut printed = grouped(number, if seed >> 60 & 1 == 1 { "," } else { "" });
    if digits > 0 {
        printed.push_str(&format!(".{:0width$}", (seed >> 20) % 10_u64.pow(digits as u32), width = digits as usize));
    }
    let (sentence, kind) = match unit {
        0 => (format!("It has {printed} km of road."), QuantityKind::Measure),
        1 => (format!("It rose by {printed} % again."), QuantityKind::Percent),
        2 => (format!("It weighs {printed} kg in all."), QuantityKind::Measure),
        _ => (format!("It cost €{printed} in all."), QuantityKind::Money),
    };
    let found = quantities(&sentence, NumberLocale::CommaGroups);
    assert_eq!(found.len(), 1, "{found:?} in {sentence:?}");
    assert_eq!(found[0].kind, kind, "{sentence:?}");
    assert_eq!(found[0].number_span.of(&sentence), printed, "{sentence:?}");
    let again = quantities(&sentence.replace(&printed, &printed.replace(',', "")), NumberLocale::CommaGroups);
    assert_eq!(found[0].agrees(&again[0]), evidex::text::Agreement::Agrees, "{sentence:?}");
}

fn grouped(number: u64, mark: &str) -> String {
    let digits = number.to_string();
    let mut printed = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            printed.push_str(mark);
        }
        printed.push(digit);
    }
    printed
}

/// Dates have their spans on boundaries and in order, a first day that is not after the last; a printed day is read as itself.
pub fn date_parser(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for order in [DateOrder::Unknown, DateOrder::DayFirst, DateOrder::MonthFirst] {
        let found = dates(&text, order);
        are_in_order(&text, &found.iter().map(|date| date.span).collect::<Vec<_>>());
        for date in &found {
            assert!(date.first.is_none() || date.first <= date.last, "{date:?} in {text:?}");
            for other in found.iter().take(50) {
                let _ = date.agrees(other);
            }
        }
    }
    let Some(seed) = data.first_chunk::<8>() else { return };
    let seed = u64::from_le_bytes(*seed);
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (year, month, day) = (1700 + seed % 350, (seed >> 10) % 12, 1 + (seed >> 20) % 28);
    let name = MONTHS[month as usize];
    let printed = match (seed >> 30) % 4 {
        0 => format!("{day} {name} {year}"),
        1 => format!("{name} {day}, {year}"),
        2 => format!("{year}-{:02}-{day:02}", month + 1),
        _ => format!(
            "the {day}{} of {name} {year}",
            match day {
                1 | 21 => "st",
                2 | 22 => "nd",
                3 | 23 => "rd",
                _ => "th",
            }
        ),
    };
    let sentence = format!("The bridge opened on {printed}.");
    let found = dates(&sentence, DateOrder::Unknown);
    assert_eq!(found.len(), 1, "{found:?} in {sentence:?}");
    let expected = format!("{year:04}-{:02}-{day:02}", month + 1);
    assert_eq!(found[0].first.map(|first| first.to_string()).as_deref(), Some(expected.as_str()), "{sentence:?}");
    assert_eq!((found[0].first, found[0].grain), (found[0].last, DateGrain::Day), "{sentence:?}");
}

/// Claims stand in the answer, in order of their sentences, and every word of it is in one; so are its names.
pub fn claim_extraction(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let found = extract(&text, &ClaimOptions::default());
    for (index, claim) in found.iter().enumerate() {
        assert_eq!(claim.index, index);
        is_on_boundaries(&text, claim.sentence);
        claim.spans.iter().for_each(|span| is_on_boundaries(&text, *span));
        for piece in &claim.pieces {
            is_on_boundaries(&claim.text, piece.text);
            is_on_boundaries(&text, piece.raw);
        }
    }
    let guessed = language(&text).language;
    for mention in mentions(&text, guessed) {
        is_on_boundaries(&text, mention.span);
    }
}

/// Any bytes as a dump, and as the text of a page in a sound one: documents and problems, never a panic.
pub fn wiki_dump(data: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fuzz.xml");
    let text = String::from_utf8_lossy(data);
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let sound = format!(
        "<mediawiki xml:lang=\"en\"><page><title>Fuzz</title><ns>0</ns><id>1</id><revision><text>{escaped}</text></revision></page></mediawiki>"
    );
    let broken = [b"<mediawiki>".as_slice(), data].concat();
    for (bytes, is_sound) in [(sound.as_bytes(), true), (&broken, false)] {
        std::fs::write(&path, bytes).unwrap();
        let options = ReadOptions { kind: Some(FileKind::WikiDump), ..ReadOptions::default() };
        let mut count = 0;
        for item in read_paths(std::slice::from_ref(&path), &options) {
            count += 1;
            if let Ok(document) = item {
                assert!(!document.text.trim().is_empty());
                assert!(document.text.len() <= bytes.len() * 20 + 200, "{} from {}", document.text.len(), bytes.len());
            }
        }
        assert!(!is_sound || count <= 2, "{count} items of one page: {text:?}");
    }
}

/// Adds, replacements, removals, commits and lost writers leave the index with what a map would hold.
pub fn operations(data: &[u8]) {
    let index = Index::in_memory(IndexOptions::default()).unwrap();
    let options = || WriterOptions { memory_budget: 0, threads: 1, ..WriterOptions::default() };
    let mut writer = index.writer(None, options()).unwrap();
    let mut published: BTreeMap<String, String> = BTreeMap::new();
    let mut pending = published.clone();
    for step in data.chunks_exact(2).take(60) {
        let id = format!("d{}", step[1] % 8);
        let text = format!("Document {id} holds {}.", "more ".repeat(usize::from(step[1] >> 5)));
        match step[0] % 11 {
            0..=4 => {
                let added = writer.add(Document::inline(&id, text.as_str())).unwrap();
                let expected = match pending.insert(id, text.clone()) {
                    None => Added::New,
                    Some(before) if before == text => Added::Unchanged,
                    Some(_) => Added::Replaced,
                };
                assert_eq!(added, expected);
            }
            5 | 6 => assert_eq!(writer.remove(&DocumentId(id.clone())).unwrap(), pending.remove(&id).is_some()),
            7 | 8 => {
                writer.commit().unwrap();
                published.clone_from(&pending);
            }
            _ => {
                drop(writer);
                pending.clone_from(&published);
                writer = index.writer(None, options()).unwrap();
            }
        }
    }
    drop(writer);
    let snapshot = index.snapshot().unwrap();
    let mut found = BTreeMap::new();
    for header in snapshot.documents() {
        let id = header.unwrap().id;
        let text = snapshot.document(&id).unwrap().unwrap().text;
        assert!(found.insert(id.0, text).is_none());
    }
    assert_eq!(found, published);
    let report = index.check(true).unwrap();
    assert!(report.is_sound(), "{:?}", report.faults);
}
