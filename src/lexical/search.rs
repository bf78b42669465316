//! BM25 over all segments of a snapshot.
//!
//! A query's words become clauses, each one term in one field with its weight by the statistics of the whole snapshot;
//! the best chunks of their union are found segment by segment under one shared threshold. A chunk's score is a sum of
//! whole numbers (see [`Score`]), so it is the same to the last bit however the chunks lie in segments.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use tantivy::InvertedIndexReader;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::TermInfo;
use tantivy::schema::{Field, IndexRecordOption};

use super::LexicalError;
use super::analysis::TermKind;
use super::bm25::{LengthNorms, Score, term_weight};
use super::query::{LexicalQuery, QueryWord};
use super::reader::PostingsReader;
use super::schema::Fields;
use super::union::{Best, Cursor, Place, best_of_union};

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
    let statistics = Statistics::gather(segments)?;
    let clauses = statistics.clauses(query)?;
    let protected: Vec<Clause> = clauses.iter().filter(|clause| clause.protected).cloned().collect();
    let found = statistics.best_of(&clauses, depth, alive)?;
    let mut hits: Vec<LexicalHit> =
        found.into_iter().map(|(place, score)| LexicalHit::new(place, score, false)).collect();
    if !protected.is_empty() {
        let places: Vec<Place> = hits.iter().map(LexicalHit::place).collect();
        for (hit, (_, score)) in hits.iter_mut().zip(statistics.scores_at(&protected, &places)?) {
            hit.protected = score > Score::default();
        }
        let known: HashSet<Place> = places.into_iter().collect();
        let more = statistics.best_of(&protected, PROTECTED_DEPTH, alive)?;
        let mut more: Vec<Place> = more.into_iter().map(|(place, _)| place).filter(|at| !known.contains(at)).collect();
        more.sort_unstable();
        let more = statistics.scores_at(&clauses, &more)?;
        hits.extend(more.into_iter().map(|(place, score)| LexicalHit::new(place, score, true)));
    }
    hits.sort_by(LexicalHit::best_first);
    Ok(hits)
}

impl LexicalHit {
    fn new((segment, chunk): Place, score: Score, protected: bool) -> Self {
        Self { segment, chunk, score: score.value(), protected }
    }

    fn place(&self) -> Place {
        (self.segment, self.chunk)
    }

    fn best_first(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then_with(|| self.place().cmp(&other.place()))
    }
}

/// One of the three fields, as [`Statistics`] numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClauseField {
    Exact,
    Stem,
    Title,
}

/// One term in one field, with its weight and where its postings lie in each segment.
#[derive(Debug, Clone)]
struct Clause {
    field: ClauseField,
    boost: f32,
    frequency: u64,
    places: Vec<Option<TermInfo>>,
    protected: bool,
}

/// A field of one segment.
struct SegmentField {
    index: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
}

/// What BM25 must know of the whole snapshot.
struct Statistics<'s> {
    segments: &'s [&'s PostingsReader],
    /// Each segment's fields, in the order of [`ClauseField`].
    fields: Vec<[SegmentField; 3]>,
    chunk_count: u64,
    norms: [LengthNorms; 3],
}

impl<'s> Statistics<'s> {
    fn gather(segments: &'s [&'s PostingsReader]) -> Result<Self, LexicalError> {
        let open = |segment: &PostingsReader, field: Field| -> Result<SegmentField, LexicalError> {
            Ok(SegmentField {
                index: segment.reader.inverted_index(field).map_err(LexicalError::read)?,
                lengths: segment.reader.get_fieldnorms_reader(field).map_err(LexicalError::read)?,
            })
        };
        let mut opened = Vec::with_capacity(segments.len());
        let (mut chunk_count, mut token_counts) = (0, [0; 3]);
        for segment in segments {
            chunk_count += u64::from(segment.chunk_count());
            let Fields { exact, stem, title } = segment.fields;
            let fields = [open(segment, exact)?, open(segment, stem)?, open(segment, title)?];
            for (count, field) in token_counts.iter_mut().zip(&fields) {
                *count += field.index.total_num_tokens();
            }
            opened.push(fields);
        }
        let norms = token_counts.map(|tokens| LengthNorms::new(tokens as f32 / chunk_count as f32));
        Ok(Self { segments, fields: opened, chunk_count, norms })
    }

    /// The clauses of the words that occur at all, of function words only where there are no others; of many words, of
    /// the rarest, in the query's order.
    fn clauses(&self, query: &LexicalQuery) -> Result<Vec<Clause>, LexicalError> {
        let mut words: Vec<(u64, usize, Vec<Clause>)> = Vec::with_capacity(query.words.len());
        let mut has_content = false;
        for (at, word) in query.words.iter().enumerate() {
            let mut clauses = self.clauses_of(word)?;
            // In how many chunks the word stands in some form: at least this many, and about as many.
            let frequency = clauses.iter().map(|clause| clause.frequency).max().unwrap_or(0);
            if frequency == 0 {
                continue;
            }
            has_content |= !word.is_function_word;
            if word.kind == TermKind::Identifier || frequency <= RARE_FREQUENCY {
                clauses.iter_mut().for_each(|clause| clause.protected = clause.field != ClauseField::Title);
            }
            clauses.retain(|clause| clause.frequency > 0);
            words.push((frequency, at, clauses));
        }
        if has_content {
            words.retain(|(_, at, _)| !query.words[*at].is_function_word);
        }
        words.sort_by_key(|&(frequency, at, _)| (frequency, at));
        words.truncate(MAX_WORDS);
        words.sort_by_key(|&(_, at, _)| at);
        Ok(words.into_iter().flat_map(|(.., clauses)| clauses).collect())
    }

    /// The terms to look for a word by.
    fn clauses_of(&self, word: &QueryWord) -> Result<Vec<Clause>, LexicalError> {
        use ClauseField::{Exact, Stem, Title};
        let mut clauses = Vec::with_capacity(3);
        if word.stems.is_empty() {
            // A word without a stemmer counts in full as it stands.
            clauses.push(self.clause(Exact, &word.exact, EXACT_BOOST + STEM_BOOST)?);
            clauses.push(self.clause(Title, &word.exact, TITLE_BOOST)?);
        } else {
            clauses.push(self.clause(Exact, &word.exact, EXACT_BOOST)?);
        }
        if word.is_half_a_pair() {
            for pair in self.pairs_with(&word.exact)? {
                clauses.push(self.clause(Exact, &pair, EXACT_BOOST + STEM_BOOST)?);
                clauses.push(self.clause(Title, &pair, TITLE_BOOST)?);
            }
        }
        for stem in &word.stems {
            clauses.push(self.clause(Stem, stem, STEM_BOOST)?);
            clauses.push(self.clause(Title, stem, TITLE_BOOST)?);
        }
        Ok(clauses)
    }

    fn clause(&self, field: ClauseField, term: &str, boost: f32) -> Result<Clause, LexicalError> {
        let place = |fields: &[SegmentField; 3]| fields[field as usize].index.terms().get(term);
        let places: Vec<Option<TermInfo>> =
            self.fields.iter().map(place).collect::<Result<_, _>>().map_err(LexicalError::read)?;
        let frequency = places.iter().flatten().map(|place| u64::from(place.doc_freq)).sum();
        Ok(Clause { field, boost, frequency, places, protected: false })
    }

    /// For a word of one character of an unspaced script, which passages hold in pairs: those pairs.
    fn pairs_with(&self, character: &str) -> Result<Vec<String>, LexicalError> {
        let mut pairs: BTreeMap<String, u64> = BTreeMap::new();
        for segment in self.segments {
            for (pair, frequency) in segment.pairs_with(character)? {
                *pairs.entry(pair).or_default() += frequency;
            }
        }
        pairs.remove(character);
        let mut pairs: Vec<(String, u64)> = pairs.into_iter().collect();
        pairs.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        pairs.truncate(MAX_PAIRS);
        Ok(pairs.into_iter().map(|(pair, _)| pair).collect())
    }

    /// Cursors over the postings of those clauses that a segment has any of.
    fn cursors(&self, segment: usize, clauses: &[Clause]) -> Result<Vec<Cursor<'_>>, LexicalError> {
        let mut cursors = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let Some(place) = &clause.places[segment] else { continue };
            let field = &self.fields[segment][clause.field as usize];
            let postings = field.index.read_block_postings_from_terminfo(place, IndexRecordOption::WithFreqs);
            let postings = postings.map_err(LexicalError::read)?;
            let weight = term_weight(clause.frequency, self.chunk_count, clause.boost);
            cursors.push(Cursor::new(postings, &field.lengths, &self.norms[clause.field as usize], weight));
        }
        Ok(cursors)
    }

    /// The best `depth` chunks by the sum of `clauses`, with it, best first.
    fn best_of(
        &self,
        clauses: &[Clause],
        depth: usize,
        alive: &dyn Fn(usize, u32) -> bool,
    ) -> Result<Vec<(Place, Score)>, LexicalError> {
        let mut best = Best::new(depth);
        for segment in 0..self.segments.len() {
            best_of_union(segment, self.cursors(segment, clauses)?, &|chunk| alive(segment, chunk), &mut best);
        }
        Ok(best.into_sorted())
    }

    /// The scores of the chunks at `places` by the sum of `clauses`.
    fn scores_at(&self, clauses: &[Clause], places: &[Place]) -> Result<Vec<(Place, Score)>, LexicalError> {
        let mut scores: Vec<(Place, Score)> = places.iter().map(|&place| (place, Score::default())).collect();
        let mut by_place: Vec<&mut (Place, Score)> = scores.iter_mut().collect();
        by_place.sort_unstable_by_key(|(place, _)| *place);
        for of_segment in by_place.chunk_by_mut(|a, b| a.0.0 == b.0.0) {
            let Some(segment) = of_segment.first().map(|(place, _)| place.0) else { continue };
            for mut cursor in self.cursors(segment, clauses)? {
                of_segment.iter_mut().for_each(|(place, score)| *score += cursor.score_at(place.1));
            }
        }
        Ok(scores)
    }
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
