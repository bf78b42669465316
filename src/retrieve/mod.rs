//! From a query to passages: BM25 and dense legs and their fusion.
