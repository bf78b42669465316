//! BM25 over all segments of a snapshot.
//!
//! Finding is tantivy's (block-max WAND over the union of all clauses, one shared threshold for all segments);
//! what was found is then scored once more, clause by clause in a fixed order, so that a score is the same to the
//! last bit however the chunks lie in segments. BM25 (Robertson and Zaragoza, 2009) with k1 = 1.2, b = 0.75.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::sync::OnceLock;

use tantivy::postings::Postings;
use tantivy::query::{
    Bm25StatisticsProvider, Bm25Weight, BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, Index, ReloadPolicy, Searcher, TERMINATED, Term};

use super::LexicalError;
use super::analysis::TermKind;
use super::query::{LexicalQuery, QueryWord};
use super::reader::PostingsReader;
use super::schema::schema;

/// The most words of a query that are looked for; of longer ones the rarest.
const MAX_WORDS: usize = 16;

/// The most pairs that a single character is looked for by, the most frequent ones.
const MAX_PAIRS: usize = 64;

/// Weight of a word as it stands, of its stem, and of a word of the title.
const EXACT_BOOST: f32 = 0.3;
const STEM_BOOST: f32 = 0.7;
const TITLE_BOOST: f32 = 0.8;

/// A word in at most so many chunks of the whole snapshot is rare.
const RARE_FREQUENCY: u64 = 2;

/// Chunks that are fetched for protected words alone.
const PROTECTED_DEPTH: usize = 10;

/// A chunk that matched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// Which of the searched segments.
    pub segment: usize,
    /// The chunk's number in it.
    pub chunk: u32,
    /// BM25 score, above 0.
    pub score: f32,
    /// Whether the chunk's text holds an identifier of the query, or a word that next to no other chunk holds.
    pub protected: bool,
}

/// The best `depth` chunks for `query` (a few more where identifiers or rare words ask for it), best first, equal
/// scores in order of segment and chunk. `alive` says which chunks of a segment may be found.
///
/// # Errors
/// [`LexicalError::Read`] when a segment's postings are damaged.
pub fn search(
    segments: &[&PostingsReader],
    query: &LexicalQuery,
    depth: usize,
    alive: &dyn Fn(usize, u32) -> bool,
) -> Result<Vec<LexicalHit>, LexicalError> {
    if segments.is_empty() || depth == 0 {
        return Ok(Vec::new());
    }
    let statistics = Statistics::gather(segments, query)?;
    let words = statistics.choose_words(query);
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let clauses: Vec<Clause> = words.iter().flat_map(|word| statistics.clauses(word)).collect();
    let protected: Vec<Clause> = clauses.iter().filter(|clause| clause.protected).cloned().collect();
    let mut hits = best_of(segments, &statistics, &clauses, &clauses, depth, alive)?;
    if !protected.is_empty() {
        let more = best_of(segments, &statistics, &protected, &clauses, PROTECTED_DEPTH, alive)?;
        let known: HashSet<(usize, u32)> = hits.iter().map(|hit| (hit.segment, hit.chunk)).collect();
        hits.extend(more.into_iter().filter(|hit| !known.contains(&(hit.segment, hit.chunk))));
        hits.sort_by(LexicalHit::best_first);
    }
    Ok(hits)
}

impl LexicalHit {
    fn best_first(&self, other: &Self) -> Ordering {
        let place = |hit: &Self| (hit.segment, hit.chunk);
        other.score.total_cmp(&self.score).then_with(|| place(self).cmp(&place(other)))
    }
}

/// The best `depth` chunks by `wanted`, with their scores by all `clauses`.
fn best_of(
    segments: &[&PostingsReader],
    statistics: &Statistics,
    wanted: &[Clause],
    clauses: &[Clause],
    depth: usize,
    alive: &dyn Fn(usize, u32) -> bool,
) -> Result<Vec<LexicalHit>, LexicalError> {
    let found = find(segments, statistics, wanted, depth, alive)?;
    let mut hits = score(segments, statistics, clauses, found)?;
    hits.sort_by(LexicalHit::best_first);
    hits.truncate(depth);
    Ok(hits)
}

/// One term in one field, with its weight.
#[derive(Debug, Clone)]
struct Clause {
    term: Term,
    boost: f32,
    protected: bool,
}

/// What BM25 must know of the whole snapshot.
struct Statistics {
    fields: super::schema::Fields,
    chunk_count: u64,
    token_counts: [(Field, u64); 3],
    frequencies: HashMap<Term, u64>,
    /// For a word of one character of an unspaced script, which passages hold in pairs: those pairs.
    pairs: HashMap<String, Vec<String>>,
}

impl Statistics {
    fn gather(segments: &[&PostingsReader], query: &LexicalQuery) -> Result<Self, LexicalError> {
        let (_, fields) = schema();
        let mut statistics = Self {
            fields,
            chunk_count: 0,
            token_counts: [(fields.exact, 0), (fields.stem, 0), (fields.title, 0)],
            frequencies: HashMap::new(),
            pairs: HashMap::new(),
        };
        for segment in segments {
            statistics.chunk_count += u64::from(segment.chunk_count());
            for (field, count) in &mut statistics.token_counts {
                *count += segment.token_count(*field)?;
            }
        }
        for word in query.words.iter().filter(|word| word.is_half_a_pair()) {
            let mut pairs: BTreeMap<String, u64> = BTreeMap::new();
            for segment in segments {
                for (pair, frequency) in segment.pairs_with(&word.exact)? {
                    *pairs.entry(pair).or_default() += frequency;
                }
            }
            pairs.remove(&word.exact);
            let mut pairs: Vec<(String, u64)> = pairs.into_iter().collect();
            pairs.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            pairs.truncate(MAX_PAIRS);
            statistics.pairs.insert(word.exact.clone(), pairs.into_iter().map(|(pair, _)| pair).collect());
        }
        for word in &query.words {
            for (term, _) in statistics.terms(word) {
                if statistics.frequencies.contains_key(&term) {
                    continue;
                }
                let mut frequency = 0;
                for segment in segments {
                    frequency += segment.document_frequency(&term)?;
                }
                statistics.frequencies.insert(term, frequency);
            }
        }
        Ok(statistics)
    }

    /// The terms to look for a word by, with their weights.
    fn terms(&self, word: &QueryWord) -> Vec<(Term, f32)> {
        let mut terms = vec![(Term::from_field_text(self.fields.exact, &word.exact), EXACT_BOOST)];
        if word.stems.is_empty() {
            // A word without a stemmer counts in full as it stands.
            terms[0].1 += STEM_BOOST;
            terms.push((Term::from_field_text(self.fields.title, &word.exact), TITLE_BOOST));
        }
        for pair in self.pairs.get(&word.exact).into_iter().flatten() {
            terms.push((Term::from_field_text(self.fields.exact, pair), EXACT_BOOST + STEM_BOOST));
            terms.push((Term::from_field_text(self.fields.title, pair), TITLE_BOOST));
        }
        for stem in &word.stems {
            terms.push((Term::from_field_text(self.fields.stem, stem), STEM_BOOST));
            terms.push((Term::from_field_text(self.fields.title, stem), TITLE_BOOST));
        }
        terms
    }

    fn frequency(&self, term: &Term) -> u64 {
        self.frequencies.get(term).copied().unwrap_or(0)
    }

    /// In how many chunks a word stands in some form: at least this many, and about as many.
    fn word_frequency(&self, word: &QueryWord) -> u64 {
        self.terms(word).iter().map(|(term, _)| self.frequency(term)).max().unwrap_or(0)
    }

    /// The words that occur at all, function words only where there are no others; of many, the rarest, in the
    /// query's order.
    fn choose_words<'q>(&self, query: &'q LexicalQuery) -> Vec<&'q QueryWord> {
        let mut words: Vec<(u64, usize, &QueryWord)> = query
            .words
            .iter()
            .enumerate()
            .map(|(at, word)| (self.word_frequency(word), at, word))
            .filter(|&(frequency, ..)| frequency > 0)
            .collect();
        if words.iter().any(|(.., word)| !word.is_function_word) {
            words.retain(|(.., word)| !word.is_function_word);
        }
        words.sort_by_key(|&(frequency, at, _)| (frequency, at));
        words.truncate(MAX_WORDS);
        words.sort_by_key(|&(_, at, _)| at);
        words.into_iter().map(|(_, _, word)| word).collect()
    }

    fn clauses(&self, word: &QueryWord) -> Vec<Clause> {
        let rare = (1..=RARE_FREQUENCY).contains(&self.word_frequency(word));
        let protected = word.kind == TermKind::Identifier || rare;
        self.terms(word)
            .into_iter()
            .filter(|(term, _)| self.frequency(term) > 0)
            .map(|(term, boost)| Clause { protected: protected && term.field() != self.fields.title, term, boost })
            .collect()
    }

    fn weight(&self, clause: &Clause) -> Bm25Weight {
        let tokens = self.token_counts.iter().find(|(field, _)| *field == clause.term.field()).map_or(0, |(_, n)| *n);
        let average = tokens as f32 / self.chunk_count as f32;
        let frequency = self.frequency(&clause.term).min(self.chunk_count);
        Bm25Weight::for_one_term(frequency, self.chunk_count, average).boost_by(clause.boost)
    }
}

impl Bm25StatisticsProvider for Statistics {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Ok(self.token_counts.iter().find(|(other, _)| *other == field).map_or(0, |(_, count)| *count))
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.chunk_count)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        Ok(self.frequency(term).min(self.chunk_count))
    }
}

/// A found chunk, ordered by score, then the earlier one first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    score: f32,
    place: Reverse<(usize, u32)>,
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| self.place.cmp(&other.place))
    }
}

/// How far, as a share, a score may be off for the order in which tantivy adds it up; generous.
const ROUNDING: f32 = 1e-5;

/// The best `depth` chunks, and those that come so near to the last of them that rounding may have put them there.
struct Best {
    depth: usize,
    best: BinaryHeap<Reverse<Candidate>>,
    near: Vec<Candidate>,
}

impl Best {
    fn new(depth: usize) -> Self {
        Self { depth, best: BinaryHeap::with_capacity(depth + 1), near: Vec::new() }
    }

    /// What a chunk must score to be of interest.
    fn threshold(&self) -> f32 {
        match self.best.peek() {
            Some(Reverse(least)) if self.best.len() >= self.depth => least.score * (1.0 - ROUNDING),
            _ => f32::MIN,
        }
    }

    fn push(&mut self, candidate: Candidate) {
        self.best.push(Reverse(candidate));
        if self.best.len() > self.depth
            && let Some(Reverse(least)) = self.best.pop()
        {
            self.near.push(least);
            // Of very many equals the earliest stay.
            let most = 4 * self.depth + 256;
            if self.near.len() > 2 * most {
                let threshold = self.threshold();
                self.near.retain(|candidate| candidate.score > threshold);
                self.near.sort_unstable_by(|a, b| b.cmp(a));
                self.near.truncate(most);
            }
        }
    }

    fn into_places(self) -> Vec<(usize, u32)> {
        let threshold = self.threshold();
        let near = self.near.into_iter().filter(|candidate| candidate.score > threshold);
        self.best
            .into_iter()
            .map(|Reverse(candidate)| candidate)
            .chain(near)
            .map(|candidate| candidate.place.0)
            .collect()
    }
}

/// The places of the best `depth` chunks by the sum of the clauses, and of those as good as the last of them.
fn find(
    segments: &[&PostingsReader],
    statistics: &Statistics,
    clauses: &[Clause],
    depth: usize,
    alive: &dyn Fn(usize, u32) -> bool,
) -> Result<Vec<(usize, u32)>, LexicalError> {
    let queries = clauses
        .iter()
        .map(|clause| {
            let query = TermQuery::new(clause.term.clone(), IndexRecordOption::WithFreqs);
            (Occur::Should, Box::new(BoostQuery::new(Box::new(query), clause.boost)) as Box<dyn Query>)
        })
        .collect();
    let scoring = EnableScoring::enabled_from_statistics_provider(statistics, searcher()?);
    let weight = BooleanQuery::new(queries).weight(scoring).map_err(LexicalError::read)?;
    let mut best = Best::new(depth);
    for (segment, postings) in segments.iter().enumerate() {
        weight
            .for_each_pruning(best.threshold(), &postings.reader, &mut |chunk, score| {
                if alive(segment, chunk) {
                    best.push(Candidate { score, place: Reverse((segment, chunk)) });
                }
                best.threshold()
            })
            .map_err(LexicalError::read)?;
    }
    Ok(best.into_places())
}

/// Scores the chunks at `places`, clause by clause.
fn score(
    segments: &[&PostingsReader],
    statistics: &Statistics,
    clauses: &[Clause],
    mut places: Vec<(usize, u32)>,
) -> Result<Vec<LexicalHit>, LexicalError> {
    places.sort_unstable();
    places.dedup();
    let mut hits: Vec<LexicalHit> = places
        .into_iter()
        .map(|(segment, chunk)| LexicalHit { segment, chunk, score: 0.0, protected: false })
        .collect();
    let weights: Vec<Bm25Weight> = clauses.iter().map(|clause| statistics.weight(clause)).collect();
    for of_segment in hits.chunk_by_mut(|a, b| a.segment == b.segment) {
        let Some(segment) = of_segment.first().and_then(|hit| segments.get(hit.segment)) else { continue };
        for (clause, weight) in clauses.iter().zip(&weights) {
            let field = clause.term.field();
            let index = segment.reader.inverted_index(field).map_err(LexicalError::read)?;
            let postings =
                index.read_postings(&clause.term, IndexRecordOption::WithFreqs).map_err(LexicalError::read)?;
            let Some(mut postings) = postings else { continue };
            let lengths = segment.reader.get_fieldnorms_reader(field).map_err(LexicalError::read)?;
            for hit in of_segment.iter_mut() {
                if postings.doc() < hit.chunk {
                    postings.seek(hit.chunk);
                }
                if postings.doc() == TERMINATED {
                    break;
                }
                if postings.doc() == hit.chunk {
                    hit.score += weight.score(lengths.fieldnorm_id(hit.chunk), postings.term_freq());
                    hit.protected |= clause.protected;
                }
            }
        }
    }
    Ok(hits)
}

/// A searcher over nothing: tantivy asks one for the schema, and for nothing else where statistics are given.
fn searcher() -> Result<&'static Searcher, LexicalError> {
    static SEARCHER: OnceLock<Searcher> = OnceLock::new();
    if let Some(searcher) = SEARCHER.get() {
        return Ok(searcher);
    }
    let (schema, _) = schema();
    let reader = Index::create_in_ram(schema)
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .try_into()
        .map_err(LexicalError::read)?;
    Ok(SEARCHER.get_or_init(|| reader.searcher()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::{PostingsFile, PostingsWriter, Stemming};

    fn postings(texts: &[&str], title: &str) -> PostingsReader {
        let mut writer = PostingsWriter::new(0).unwrap();
        let title = PostingsWriter::title(title, Stemming::English);
        for text in texts {
            writer.add(text, &title).unwrap();
        }
        let files = writer.finish().unwrap();
        PostingsReader::open(files.into_iter().map(|(name, bytes)| PostingsFile::in_memory(&name, bytes)).collect())
            .unwrap()
    }

    fn find_texts(segments: &[&PostingsReader], query: &str) -> Vec<(usize, u32, u32)> {
        let query = LexicalQuery::of(query, &[Stemming::English]);
        search(segments, &query, 10, &|_, _| true)
            .unwrap()
            .into_iter()
            .map(|hit| (hit.segment, hit.chunk, hit.score.to_bits()))
            .collect()
    }

    #[test]
    fn words_are_found_by_stem_and_cjk_by_pairs() {
        let segment = postings(
            &["The bridges were opened in 1931.", "把机器推论洗成权威事实是危险的。", "今日はいい天気です"],
            "",
        );
        for (query, chunk) in [("bridge opening", 0), ("权威事实", 1), ("天気", 2), ("1931", 0)] {
            assert_eq!(find_texts(&[&segment], query).first().map(|hit| hit.1), Some(chunk), "{query}");
        }
        assert!(find_texts(&[&segment], "!?* AND (\"").is_empty());
    }

    #[test]
    fn scores_do_not_depend_on_how_chunks_lie_in_segments() {
        let texts: Vec<String> = (0..200)
            .map(|n| format!("chunk {n} tells of topic {} and theme {} {}", n % 7, n % 11, "word ".repeat(n % 5)))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let whole = postings(&texts, "Topics");
        let parts: Vec<PostingsReader> = texts.chunks(20).map(|part| postings(part, "Topics")).collect();
        let parts: Vec<&PostingsReader> = parts.iter().collect();
        for query in ["topic 3 theme 4", "chunk 17", "what words tell of topics"] {
            let one = find_texts(&[&whole], query);
            let ten: Vec<_> =
                find_texts(&parts, query).into_iter().map(|(s, c, score)| (0, s as u32 * 20 + c, score)).collect();
            assert!(!one.is_empty());
            assert_eq!(
                one.iter().map(|hit| hit.2).collect::<Vec<_>>(),
                ten.iter().map(|hit| hit.2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_chunk_with_the_identifier_is_protected() {
        let mut texts = vec!["The torque of a bolt is given in the table."; 44];
        texts.push("QX-7741: 12 Nm.");
        let segment = postings(&texts, "");
        let query = LexicalQuery::of("What is the torque of QX-7741?", &[Stemming::English]);
        let hits = search(&[&segment], &query, 10, &|_, _| true).unwrap();
        assert_eq!(hits.iter().filter(|hit| hit.protected).map(|hit| hit.chunk).collect::<Vec<_>>(), [44]);
    }

    #[test]
    fn one_character_of_an_unspaced_script_is_found_wherever_it_stands() {
        let segment = postings(&["把机器推论洗成权威事实是危险的。", "天", "今日はいい天気です", "Heaven is far."], "");
        for (query, chunks) in
            [("权", &[0][..]), ("实", &[0]), ("的", &[0]), ("把", &[0]), ("天", &[1, 2]), ("无", &[])]
        {
            let mut found: Vec<u32> = find_texts(&[&segment], query).into_iter().map(|hit| hit.1).collect();
            found.sort_unstable();
            assert_eq!(found, chunks, "{query}");
        }
    }

    #[test]
    fn removed_chunks_are_not_found() {
        let segment = postings(&["alpha beta", "alpha gamma"], "");
        let query = LexicalQuery::of("alpha", &[]);
        let hits = search(&[&segment], &query, 10, &|_, chunk| chunk != 0).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.chunk).collect::<Vec<_>>(), [1]);
    }
}
