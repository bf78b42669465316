//! The best chunks of a union of terms: MaxScore (Turtle and Flood, 1995), in windows of chunks.
//!
//! Terms are sorted by the most that each can count. Those at the low end that together stay below what a chunk must
//! score cannot bring in a chunk alone: they are asked only of chunks that the others bring in, as long as these can still
//! reach it. The others are added up window by window, each with all its postings in the window at once; so are those,
//! where nearly every chunk would be asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::TERMINATED;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;

use super::bm25::{LengthNorms, Score};

/// A segment and the number of a chunk in it.
pub(super) type Place = (usize, u32);

/// Chunks whose scores are added up at once.
const WINDOW: usize = 2048;

/// To look for one chunk among a term's postings takes as long as to add up so many of them.
const ASKED_COST: usize = 4;

/// Scores that are looked at together, most of which are too low.
const STRIDE: usize = 32;

/// Of so many postings most are of chunks that hold the term once, and it pays to know beforehand what that counts.
const MANY: u32 = 1024;

/// Of fewer postings in a window the places are kept, which costs less than to look at the whole window.
const FEW: usize = WINDOW / 16;

/// The postings of one term in one field of a segment. It only moves on.
pub(super) struct Cursor<'a> {
    postings: BlockSegmentPostings,
    /// The next posting of the block.
    at: usize,
    lengths: &'a FieldNormReader,
    norms: &'a LengthNorms,
    weight: f32,
    /// What the term counts where it stands once, by the code of the length; only for terms with [`MANY`] postings.
    once: Option<Box<[Score; 256]>>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(
        postings: BlockSegmentPostings,
        lengths: &'a FieldNormReader,
        norms: &'a LengthNorms,
        weight: f32,
    ) -> Self {
        let once = (postings.doc_freq() >= MANY).then(|| {
            let mut scores = Box::new([Score::default(); 256]);
            scores.iter_mut().zip(0..=u8::MAX).for_each(|(score, code)| *score = norms.score(weight, code, 1));
            scores
        });
        Self { postings, at: 0, lengths, norms, weight, once }
    }

    /// The most that the term counts in any chunk.
    fn most(&self) -> Score {
        Score::of(self.weight)
    }

    /// About how many postings a window holds.
    fn in_a_window(&self) -> usize {
        self.postings.doc_freq() as usize * WINDOW / self.lengths.num_docs().max(1) as usize
    }

    /// The chunk of the next posting.
    fn chunk(&self) -> u32 {
        self.postings.docs().get(self.at).copied().unwrap_or(TERMINATED)
    }

    #[inline]
    fn score(&self, chunk: u32, frequency: u32) -> Score {
        let length_code = self.lengths.fieldnorm_id(chunk);
        match &self.once {
            Some(once) if frequency == 1 => once[usize::from(length_code)],
            _ => self.norms.score(self.weight, length_code, frequency),
        }
    }

    /// Adds what the term counts in each chunk of the window that starts at `start`, and moves behind it. `added` is told
    /// where, once for each of them.
    fn add_to(&mut self, start: u32, window: &mut [Score; WINDOW], mut added: impl FnMut(usize)) {
        if self.chunk() < start {
            self.at = self.postings.seek(start);
        }
        let end = start.saturating_add(WINDOW as u32);
        loop {
            let (chunks, frequencies) = (self.postings.docs(), self.postings.freqs());
            let Some(&last) = chunks.last() else { return };
            let to = if last < end { chunks.len() } else { chunks.partition_point(|&chunk| chunk < end) };
            let from = self.at.min(to);
            for (&chunk, &frequency) in chunks[from..to].iter().zip(&frequencies[from..to]) {
                let place = chunk.wrapping_sub(start) as usize;
                if let Some(score) = window.get_mut(place) {
                    *score += self.score(chunk, frequency);
                    added(place);
                }
            }
            if to < chunks.len() {
                self.at = to;
                return;
            }
            self.postings.advance();
            self.at = 0;
        }
    }

    /// What the term counts in `chunk`, which must not lie before one that was asked for.
    pub(super) fn score_at(&mut self, chunk: u32) -> Score {
        self.at = self.postings.seek(chunk);
        match (self.postings.docs().get(self.at), self.postings.freqs().get(self.at)) {
            (Some(&found), Some(&frequency)) if found == chunk => self.score(chunk, frequency),
            _ => Score::default(),
        }
    }
}

/// The best chunks of all that it is shown; of equal scores the earlier places.
pub(super) struct Best {
    depth: usize,
    heap: BinaryHeap<Reverse<(Score, Reverse<Place>)>>,
}

impl Best {
    pub(super) fn new(depth: usize) -> Self {
        Self { depth, heap: BinaryHeap::with_capacity(depth.min(1 << 16) + 1) }
    }

    /// What a chunk must score more than, as it comes later than those that were shown.
    fn threshold(&self) -> Score {
        match self.heap.peek() {
            Some(Reverse((least, _))) if self.heap.len() >= self.depth => *least,
            _ => Score::default(),
        }
    }

    /// Takes a chunk whose score is above the threshold.
    fn push(&mut self, place: Place, score: Score) {
        let chunk = Reverse((score, Reverse(place)));
        if self.heap.len() < self.depth {
            self.heap.push(chunk);
        } else if let Some(mut least) = self.heap.peek_mut() {
            *least = chunk;
        }
    }

    /// Best first.
    pub(super) fn into_sorted(self) -> Vec<(Place, Score)> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse((score, Reverse(place)))| (place, score)).collect()
    }
}

/// Shows `best` the chunks of `segment` that may be among the best, in order, of those that `alive` admits.
pub(super) fn best_of_union(
    segment: usize,
    mut cursors: Vec<Cursor<'_>>,
    alive: &dyn Fn(u32) -> bool,
    best: &mut Best,
) {
    cursors.sort_by_key(Cursor::most);
    // The most that the first so many count together.
    let mut most = vec![Score::default()];
    for cursor in &cursors {
        most.push(most[most.len() - 1] + cursor.most());
    }
    let mut window = [Score::default(); WINDOW];
    let (mut left, mut touched) = (Places::default(), Vec::with_capacity(2 * FEW));
    let mut threshold = best.threshold();
    let mut lesser = 0;
    loop {
        while lesser < cursors.len() && most[lesser + 1] <= threshold {
            lesser += 1;
        }
        let (asked, leading) = cursors.split_at_mut(lesser);
        let Some(start) = leading.iter().map(|cursor| cursor.chunk()).min().filter(|&chunk| chunk < TERMINATED) else {
            return;
        };
        let least = threshold - most[lesser];
        let mut few = leading.iter().map(Cursor::in_a_window).sum::<usize>() < FEW;
        touched.clear();
        if few {
            leading.iter_mut().for_each(|cursor| cursor.add_to(start, &mut window, |place| touched.push(place as u16)));
            touched.sort_unstable();
            touched.dedup();
            left.take_those_above(&touched, &window, least);
        } else {
            leading.iter_mut().for_each(|cursor| cursor.add_to(start, &mut window, |_| ()));
            left.take_all_above(&window, least);
        }
        for (at, cursor) in asked.iter_mut().enumerate().rev() {
            if left.get().is_empty() {
                break;
            }
            if left.get().len() * ASKED_COST > cursor.in_a_window() {
                cursor.add_to(start, &mut window, |_| ());
                few = false;
            } else {
                left.get().iter().for_each(|&at| window[usize::from(at)] += cursor.score_at(start + u32::from(at)));
            }
            left.keep_those_above(&window, threshold - most[at]);
        }
        for &at in left.get() {
            let (place, score) = ((segment, start + u32::from(at)), window[usize::from(at)]);
            if score > threshold && alive(place.1) {
                best.push(place, score);
                threshold = best.threshold();
            }
        }
        if few {
            touched.iter().for_each(|&place| window[usize::from(place)] = Score::default());
        } else {
            window.fill(Score::default());
        }
    }
}

/// Places in a window, in order.
struct Places {
    places: [u16; WINDOW],
    count: usize,
}

impl Default for Places {
    fn default() -> Self {
        Self { places: [0; WINDOW], count: 0 }
    }
}

impl Places {
    fn get(&self) -> &[u16] {
        &self.places[..self.count]
    }

    /// Takes a place, or leaves it: written in any case and counted only where it is `above`, as no one can guess which.
    #[inline]
    fn take(&mut self, place: u16, above: bool) {
        self.places[self.count] = place;
        self.count += usize::from(above);
    }

    /// All places where scores are above `least`.
    fn take_all_above(&mut self, window: &[Score; WINDOW], least: Score) {
        self.count = 0;
        for (stride, first) in window.chunks(STRIDE).zip((0u16..).step_by(STRIDE)) {
            // The highest bit of a difference tells whether it is below 0, for all at once.
            if stride.iter().fold(0, |bits, score| bits | least.0.wrapping_sub(score.0)) >> 31 == 1 {
                stride.iter().zip(first..).for_each(|(score, place)| self.take(place, *score > least));
            }
        }
    }

    /// Of `places`, fewer than a window has, those where scores are above `least`.
    fn take_those_above(&mut self, places: &[u16], window: &[Score; WINDOW], least: Score) {
        self.count = 0;
        places.iter().for_each(|&place| self.take(place, window[usize::from(place)] > least));
    }

    /// Drops the places where scores are not above `least`.
    fn keep_those_above(&mut self, window: &[Score; WINDOW], least: Score) {
        for at in 0..std::mem::take(&mut self.count) {
            let place = self.places[at];
            self.take(place, window[usize::from(place)] > least);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use tantivy::schema::IndexRecordOption;

    use super::*;
    use crate::lexical::schema::schema;
    use crate::lexical::{PostingsFile, PostingsReader, PostingsWriter, Stemming};

    /// A segment whose chunk `n` holds the word `w` as often as `holds` says.
    fn postings(chunks: u32, holds: impl Fn(u32, u32) -> u32, words: u32) -> PostingsReader {
        let mut writer = PostingsWriter::new(0).unwrap();
        let title = PostingsWriter::title("", Stemming::None);
        for chunk in 0..chunks {
            let text: String = (0..words).map(|word| format!("w{word} ").repeat(holds(chunk, word) as usize)).collect();
            writer.add(&text, &title).unwrap();
        }
        let files = writer.finish().unwrap();
        PostingsReader::open(files.into_iter().map(|(name, bytes)| PostingsFile::in_memory(&name, bytes)).collect())
            .unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn what_is_found_is_what_adding_up_every_posting_finds(
            every in prop::collection::vec((1u32..400, 0u32..50, 1u32..4), 1..7),
            weights in prop::collection::vec(0.01f32..9.0, 7),
            dead in 1u32..5,
            depth in 1usize..40,
        ) {
            let (chunks, words) = (5_000, every.len() as u32);
            let holds = |chunk: u32, word: u32| {
                let (step, offset, most) = every[word as usize];
                if chunk % step == offset % step { 1 + chunk / 7 % most } else { 0 }
            };
            let reader = postings(chunks, holds, words);
            let (_, fields) = schema();
            let index = reader.reader.inverted_index(fields.exact).unwrap();
            let lengths = reader.reader.get_fieldnorms_reader(fields.exact).unwrap();
            let norms = LengthNorms::new(3.0);
            let cursors: Vec<Cursor<'_>> = (0..words)
                .filter_map(|word| {
                    let place = index.terms().get(format!("w{word}")).unwrap()?;
                    let postings = index.read_block_postings_from_terminfo(&place, IndexRecordOption::WithFreqs).unwrap();
                    Some(Cursor::new(postings, &lengths, &norms, weights[word as usize]))
                })
                .collect();
            let alive = |chunk: u32| chunk % 5 != dead;
            let mut best = Best::new(depth);
            best_of_union(0, cursors, &alive, &mut best);
            let mut expected: BTreeMap<u32, Score> = BTreeMap::new();
            for chunk in (0..chunks).filter(|&chunk| alive(chunk)) {
                for word in (0..words).filter(|&word| holds(chunk, word) > 0) {
                    let length = lengths.fieldnorm_id(chunk);
                    *expected.entry(chunk).or_default() +=
                        norms.score(weights[word as usize], length, holds(chunk, word));
                }
            }
            let mut expected: Vec<(Place, Score)> =
                expected.into_iter().map(|(chunk, score)| ((0, chunk), score)).collect();
            expected.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            expected.truncate(depth);
            prop_assert_eq!(best.into_sorted(), expected);
        }
    }
}
