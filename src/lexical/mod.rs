//! Postings and BM25: the only room that imports tantivy.
