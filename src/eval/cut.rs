//! Classes from one number: where to cut, learnt from labelled rows.

use super::Class;

/// Places at which a cut is tried.
const CANDIDATES: usize = 64;

/// Cuts of a score into ranges, each a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuts {
    /// Ascending; a score equal to a cut lies above it.
    at: Vec<f64>,
    /// One more than there are cuts.
    classes: Vec<Class>,
}

impl Cuts {
    /// The cuts (none, one, and for three classes two) that give the highest balanced accuracy on these rows; of equals
    /// the one with the higher accuracy, then with fewer cuts. Scores that are not finite are left out.
    ///
    /// ```
    /// use evidex::eval::{Class, Cuts};
    /// let gold = [Class::Supported, Class::Supported, Class::Unsupported];
    /// let cuts = Cuts::fit(&[4.0, 6.0, 30.0], &gold, &[Class::Supported, Class::Unsupported]);
    /// assert_eq!((cuts.class(5.0), cuts.class(99.0)), (Class::Supported, Class::Unsupported));
    /// ```
    pub fn fit(scores: &[f64], gold: &[Class], classes: &[Class]) -> Self {
        let mut rows: Vec<(f64, usize)> = scores
            .iter()
            .zip(gold)
            .filter(|(score, _)| score.is_finite())
            .filter_map(|(score, gold)| Some((*score, classes.iter().position(|class| class == gold)?)))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let fallback = classes.first().copied().unwrap_or(Class::Unsupported);
        if rows.is_empty() {
            return Self { at: Vec::new(), classes: vec![fallback] };
        }
        // counts[i][class]: rows of the class below the i-th candidate; the last entry counts all.
        let mut candidates: Vec<f64> = (1..CANDIDATES)
            .map(|part| rows.len() * part / CANDIDATES)
            .filter(|place| *place > 0 && rows[*place].0 > rows[0].0)
            .map(|place| {
                let first = rows.partition_point(|row| row.0 < rows[place].0);
                f64::midpoint(rows[first - 1].0, rows[first].0)
            })
            .collect();
        candidates.dedup();
        let below = |cut: f64| -> Vec<f64> {
            let end = rows.partition_point(|row| row.0 < cut);
            let mut counts = vec![0.0; classes.len()];
            for (_, class) in &rows[..end] {
                counts[*class] += 1.0;
            }
            counts
        };
        let mut edges: Vec<Vec<f64>> = vec![vec![0.0; classes.len()]];
        edges.extend(candidates.iter().map(|cut| below(*cut)));
        edges.push(below(f64::INFINITY));
        let last = edges.len() - 1;
        let totals = edges[last].clone();
        let present = totals.iter().filter(|total| **total > 0.0).count().max(1) as f64;
        let worth = |from: usize, to: usize, class: usize| -> (f64, f64) {
            let right = edges[to][class] - edges[from][class];
            let recall = if totals[class] > 0.0 { right / totals[class] / present } else { 0.0 };
            (recall, right / rows.len() as f64)
        };
        let best_class = |from: usize, to: usize| -> (usize, (f64, f64)) {
            (0..classes.len())
                .map(|class| (class, worth(from, to, class)))
                .fold((0, (-1.0, -1.0)), |best, next| if better(next.1, best.1) { next } else { best })
        };
        let sum = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        let mut best = {
            let (class, value) = best_class(0, last);
            (value, Vec::new(), vec![class])
        };
        for cut in 1..last {
            let (low, high) = (best_class(0, cut), best_class(cut, last));
            let value = sum(low.1, high.1);
            if better(value, best.0) {
                best = (value, vec![cut], vec![low.0, high.0]);
            }
        }
        for (a, b) in (1..last).flat_map(|a| (a + 1..last).map(move |b| (a, b))).filter(|_| classes.len() > 2) {
            let (low, middle, high) = (best_class(0, a), best_class(a, b), best_class(b, last));
            let value = sum(sum(low.1, middle.1), high.1);
            if better(value, best.0) {
                best = (value, vec![a, b], vec![low.0, middle.0, high.0]);
            }
        }
        let (_, at, chosen) = best;
        Self {
            at: at.into_iter().map(|edge| candidates[edge - 1]).collect(),
            classes: chosen.into_iter().map(|class| classes[class]).collect(),
        }
    }

    /// The class of a score; one that is not finite lies in the first range.
    pub fn class(&self, score: f64) -> Class {
        let range = self.at.iter().filter(|cut| score >= **cut).count();
        self.classes[range]
    }
}

/// Whether the first is better by more than rounding.
fn better(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 > b.0 + 1e-9 || a.0 > b.0 - 1e-9 && a.1 > b.1 + 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;
    use Class::{Contradicted, Neutral, Supported};

    #[test]
    fn three_ranges_are_found_whichever_way_the_classes_lie() {
        let scores: Vec<f64> = (0..90).map(f64::from).collect();
        let gold: Vec<Class> = (0..90).map(|n| [Neutral, Supported, Contradicted][n / 30]).collect();
        let cuts = Cuts::fit(&scores, &gold, &[Supported, Contradicted, Neutral]);
        let right = scores.iter().zip(&gold).filter(|(score, gold)| cuts.class(**score) == **gold).count();
        assert!(right >= 87, "{right} of 90, {cuts:?}");
    }

    #[test]
    fn a_constant_score_gives_the_commonest_class() {
        let gold = [Supported, Neutral, Neutral, Contradicted];
        let cuts = Cuts::fit(&[1.0; 4], &gold, &[Supported, Contradicted, Neutral]);
        assert_eq!(cuts, Cuts { at: Vec::new(), classes: vec![Neutral] });
        assert_eq!(Cuts::fit(&[], &[], &[Supported]).class(3.0), Supported);
    }
}
