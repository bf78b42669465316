//! The fields of a chunk's postings.

use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};

/// The tokenizer that splits a field's value, which is already analysed, at [`SEPARATOR`]. Needed for writing only.
pub(super) const SPLITTER: &str = "evidex-terms";

/// Stands between the terms of a field's value; no term holds it.
pub(super) const SEPARATOR: char = '\u{1f}';

/// The three fields: words as they are, words cut to their stems, and the document's title.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// Folded words, identifiers whole and in parts, pairs of characters of unspaced scripts.
    pub exact: Field,
    /// Stems of the same words, where the language has a stemmer.
    pub stem: Field,
    /// Stems of the document's title, words as they are where there is no stemmer.
    pub title: Field,
}

/// The schema; its fields are always numbered alike.
pub(super) fn schema() -> (Schema, Fields) {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(SPLITTER)
        .set_fieldnorms(true)
        .set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let mut builder = Schema::builder();
    let exact = builder.add_text_field("exact", options.clone());
    let stem = builder.add_text_field("stem", options.clone());
    let title = builder.add_text_field("title", options);
    (builder.build(), Fields { exact, stem, title })
}
