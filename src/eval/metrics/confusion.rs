//! Counts of true class against predicted class, and what is computed from them.

/// Rows by true class (first index) and predicted class (second). The first `classes` columns are the classes
/// themselves; further columns are answers that are right for no class (not checked, a class that the set lacks).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfusionMatrix {
    counts: Vec<Vec<u64>>,
}

/// What one class is counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Rows of the class predicted as it.
    pub true_positive: u64,
    /// Other rows predicted as it.
    pub false_positive: u64,
    /// Rows of the class predicted otherwise.
    pub false_negative: u64,
}

impl Counts {
    /// Right ones among those predicted; `None` where none was predicted.
    pub fn precision(self) -> Option<f64> {
        ratio(self.true_positive, self.true_positive + self.false_positive)
    }

    /// Right ones among those there; `None` where there are none.
    pub fn recall(self) -> Option<f64> {
        ratio(self.true_positive, self.true_positive + self.false_negative)
    }

    /// Harmonic mean of precision and recall, 2·TP / (2·TP + FP + FN); `None` where the class is neither there nor
    /// predicted.
    pub fn f1(self) -> Option<f64> {
        ratio(2 * self.true_positive, 2 * self.true_positive + self.false_positive + self.false_negative)
    }
}

impl ConfusionMatrix {
    /// A matrix of zeros.
    pub fn new(classes: usize, other_columns: usize) -> Self {
        Self { counts: vec![vec![0; classes + other_columns]; classes] }
    }

    /// Counts `times` rows. Places outside the matrix are ignored.
    pub fn add(&mut self, truth: usize, predicted: usize, times: u64) {
        if let Some(cell) = self.counts.get_mut(truth).and_then(|row| row.get_mut(predicted)) {
            *cell += times;
        }
    }

    /// The counts, true class by predicted class.
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.counts
    }

    /// Rows in all.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Counts of one class.
    pub fn of(&self, class: usize) -> Counts {
        let true_positive = self.counts[class][class];
        let there: u64 = self.counts[class].iter().sum();
        let predicted: u64 = self.counts.iter().map(|row| row[class]).sum();
        Counts { true_positive, false_positive: predicted - true_positive, false_negative: there - true_positive }
    }

    /// Classes that have rows.
    fn present(&self) -> impl Iterator<Item = usize> {
        (0..self.counts.len()).filter(|class| self.counts[*class].iter().any(|count| *count > 0))
    }

    /// Share of rows that are right.
    pub fn accuracy(&self) -> Option<f64> {
        let right: u64 = (0..self.counts.len()).map(|class| self.counts[class][class]).sum();
        ratio(right, self.total())
    }

    /// Mean recall over the classes that have rows; `None` where fewer than two have any.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        self.mean(|class| self.of(class).recall())
    }

    /// Mean F1 over the classes that have rows; `None` where fewer than two have any.
    pub fn macro_f1(&self) -> Option<f64> {
        self.mean(|class| self.of(class).f1())
    }

    fn mean(&self, of: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.present().filter_map(of).collect();
        (values.len() >= 2).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
