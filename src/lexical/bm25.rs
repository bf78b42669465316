//! What a term counts in a chunk: BM25 (Robertson and Zaragoza, 2009) with k1 = 1.2, b = 0.75.

use std::ops::{Add, AddAssign, Sub};

use tantivy::fieldnorm::FieldNormReader;

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// A score, in parts of 2⁻²⁰, at most [`Self::MOST`]. Sums of whole numbers do not depend on the order in which they are
/// added up, which lies in how chunks lie in segments; four bytes each, so that many are looked at together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score(pub u32);

/// Parts of 1.
const PARTS: f32 = 1_048_576.0;

impl Score {
    /// 2048, more than sixteen words count that one of a million chunks holds; half of what the number can be, so that
    /// two may be added, and a difference shows its sign.
    const MOST: u32 = i32::MAX as u32;

    /// `score` must not be below 0.
    #[inline]
    pub(super) fn of(score: f32) -> Self {
        Self((score * PARTS + 0.5) as i32 as u32)
    }

    pub(super) fn value(self) -> f32 {
        self.0 as f32 / PARTS
    }
}

impl Add for Score {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).min(Self::MOST))
    }
}

/// Nothing is below 0.
impl Sub for Score {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Score {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// How much the length of a chunk's field takes from its terms: k1 · (1 − b + b · length ∕ average), by the code that the
/// postings keep the length as.
pub(super) struct LengthNorms([f32; 256]);

impl LengthNorms {
    pub(super) fn new(average_length: f32) -> Self {
        let mut norms = [0.0; 256];
        for (code, norm) in (0..=u8::MAX).zip(&mut norms) {
            let length = FieldNormReader::id_to_fieldnorm(code) as f32;
            *norm = K1 * (1.0 - B + B * length / average_length);
        }
        Self(norms)
    }

    /// What a term of this weight counts that stands `frequency` times in a field whose length has this code: at most
    /// its weight.
    #[inline]
    pub(super) fn score(&self, weight: f32, length_code: u8, frequency: u32) -> Score {
        let frequency = frequency as f32;
        Score::of(weight * (frequency / (frequency + self.0[usize::from(length_code)])))
    }
}

/// The most that a term counts which `frequency` of `chunk_count` chunks hold.
pub(super) fn term_weight(frequency: u64, chunk_count: u64, boost: f32) -> f32 {
    let frequency = frequency.min(chunk_count);
    let rarity = ((chunk_count - frequency) as f32 + 0.5) / (frequency as f32 + 0.5);
    (1.0 + rarity).ln() * (1.0 + K1) * boost
}

#[cfg(test)]
mod tests {
    use tantivy::query::Bm25Weight;

    use super::*;

    #[test]
    fn scores_stay_whole_numbers_that_can_be_added_and_taken_from_each_other() {
        let most = Score::of(f32::MAX);
        assert_eq!((most, most + most, most + Score(1)), (Score(Score::MOST), most, most));
        assert_eq!((Score(3) - Score(5), Score(5) - Score(3)), (Score(0), Score(2)));
        assert_eq!(Score::of(0.5).value(), 0.5);
    }

    #[test]
    fn a_term_counts_what_tantivy_says() {
        for (holding, all, average, boost) in [(1, 10, 4.0, 1.0), (300, 1_000, 31.5, 0.7), (1_000, 1_000, 900.0, 0.3)] {
            let expected = Bm25Weight::for_one_term(holding, all, average).boost_by(boost);
            let (norms, weight) = (LengthNorms::new(average), term_weight(holding, all, boost));
            for (length_code, frequency) in [(0, 1), (1, 1), (30, 2), (60, 90), (255, 1)] {
                let score = norms.score(weight, length_code, frequency);
                let near = (score.value() - expected.score(length_code, frequency)).abs() < 1e-6;
                assert!(near && score <= Score::of(weight), "{holding} of {all}, length {length_code}: {score:?}");
            }
        }
    }
}
