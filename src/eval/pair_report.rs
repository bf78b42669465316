//! From predictions and baselines to a report.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::metrics::{self, CalibrationBin, ConfusionMatrix, Interval, bootstrap, ones};
use super::{
    Baseline, BaselineScore, CascadePoint, ClaimLevelReport, Class, Cuts, PairRows, PairRun, Prediction, Schema,
};
use crate::verify::Label;

/// Support from which on, and not just at which, a claim is taken as supported where no development set chose otherwise.
const DEFAULT_THRESHOLD: f64 = 0.5;
/// Samples of the bootstrap.
const SAMPLES: usize = 1000;
/// Bins of the calibration error.
const BINS: usize = 10;

/// Which models took part, by name; `None` where there was none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelNames {
    /// Entailment model.
    pub nli: Option<String>,
    /// Embedder of the verifier.
    pub embedder: Option<String>,
    /// Embedder of the `embedding` baseline.
    pub baseline_embedder: Option<String>,
}

/// The measures of one method. `None` where undefined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Mean recall over the set's classes.
    pub balanced_accuracy: Option<f64>,
    /// Share of rows that are right.
    pub accuracy: Option<f64>,
    /// Mean F1 over the set's classes.
    pub macro_f1: Option<f64>,
    /// Balanced accuracy of supported against all else.
    pub binary_balanced_accuracy: Option<f64>,
    /// Probability that an unsupported claim is ranked as riskier than a supported one, ties half.
    pub auroc: Option<f64>,
    /// Best precision at which 80 % of the unsupported claims are flagged.
    pub precision_at_recall_80: Option<f64>,
    /// Best precision at which 90 % of the unsupported claims are flagged.
    pub precision_at_recall_90: Option<f64>,
    /// Best precision at which 95 % of the unsupported claims are flagged.
    pub precision_at_recall_95: Option<f64>,
    /// Share of the unsupported claims that are flagged while 1 % of the supported ones are.
    pub recall_at_1_percent_false_alarms: Option<f64>,
    /// Calibration error of the confidence, ten bins of equal width, the last one closed.
    pub ece: Option<f64>,
    /// The same with bins of equal mass.
    pub ece_equal_mass: Option<f64>,
    /// Mean squared distance of the confidence and whether the label is right.
    pub brier: Option<f64>,
    /// Share of rows that were checked.
    pub coverage: Option<f64>,
}

/// One class of the set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassReport {
    /// Rows of it.
    pub rows: u64,
    /// Right among those predicted.
    pub precision: Option<f64>,
    /// Right among those there.
    pub recall: Option<f64>,
    /// Harmonic mean of both.
    pub f1: Option<f64>,
}

/// What was predicted for the rows of each class.
pub type Confusion = BTreeMap<String, BTreeMap<String, u64>>;

/// A baseline's measures, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BaselineReport {
    // First, for every field of the other may be left out.
    /// It could not be had.
    Missing {
        /// Why.
        missing: String,
    },
    /// The measures.
    Measured {
        /// Mean recall over the set's classes.
        balanced_accuracy: Option<f64>,
        /// Share of rows that are right.
        accuracy: Option<f64>,
        /// Mean F1 over the set's classes.
        macro_f1: Option<f64>,
        /// Of its number, in the direction that suits the set.
        auroc: Option<f64>,
    },
}

/// Times of one row, milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyReport {
    /// Mean.
    pub mean: Option<f64>,
    /// Half of the rows take no longer.
    pub p50: Option<f64>,
    /// 95 % of the rows take no longer.
    pub p95: Option<f64>,
    /// 99 % of the rows take no longer.
    pub p99: Option<f64>,
}

/// Supported against all else at one threshold on the support score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThresholdReport {
    /// A claim whose support is above it is taken as supported.
    pub threshold: f64,
    /// `default`, or the development set that it was chosen on.
    pub chosen_on: String,
    /// Balanced accuracy of supported against all else.
    pub balanced_accuracy: Option<f64>,
    /// Precision of "unsupported".
    pub precision: Option<f64>,
    /// Recall of "unsupported".
    pub recall: Option<f64>,
    /// F1 of "unsupported".
    pub f1: Option<f64>,
}

/// All that is known of one set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairReport {
    /// What kind of result it is.
    pub kind: String,
    /// The program that made it.
    pub evidex: String,
    /// The set's name.
    pub dataset: String,
    /// SHA-256 of its text.
    pub sha256: String,
    /// Rows evaluated.
    pub rows: usize,
    /// Rows of the set that could be evaluated; more than `rows` where a limit was given.
    pub rows_in_set: usize,
    /// How finely the set tells claims apart.
    pub schema: Schema,
    /// How many lines were left out, or kept with a doubt, by kind.
    pub problems: BTreeMap<String, usize>,
    /// Which lines, by kind.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub problem_lines: BTreeMap<String, Vec<usize>>,
    /// The measures.
    pub metrics: Metrics,
    /// Why a measure is `null`.
    pub undefined: BTreeMap<String, String>,
    /// For each row, in the order in which `seed` draws them, 1 where its label is right and 0 where not: what two results on
    /// the same rows are compared by.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub right: String,
    /// Class by class.
    pub per_class: BTreeMap<String, ClassReport>,
    /// What was predicted for the rows of each class.
    pub confusion: Confusion,
    /// 95 % intervals of the headline measures.
    pub intervals: BTreeMap<String, Option<Interval>>,
    /// The baselines.
    pub baselines: BTreeMap<String, BaselineReport>,
    /// Baselines whose balanced accuracy is at least our headline.
    pub not_better_than: Vec<String>,
    /// How the confidence agrees with the share of right labels.
    pub calibration: Vec<CalibrationBin>,
    /// Times of one row.
    pub latency_ms: LatencyReport,
    /// Rows verified a second by all threads together; `None` where all were known from before.
    pub pairs_per_second: Option<f64>,
    /// Threads that worked.
    pub threads: usize,
    /// Most memory of the process so far; `None` where the system does not tell.
    pub peak_memory_bytes: Option<u64>,
    /// Supported against all else, at the default threshold and at one chosen on a development set.
    pub threshold: Vec<ThresholdReport>,
    /// Which models took part.
    pub models: ModelNames,
    /// Seed of samples and intervals.
    pub seed: u64,
    /// Whole answers only: their claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<ClaimLevelReport>,
    /// Whole answers only, where there is a second stage: which band of the first is worth handing on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cascade: Vec<CascadePoint>,
}

impl PairReport {
    /// The figure that the baselines are held against: balanced accuracy over three classes; where a set has two, over
    /// supported and not, since an answer of "not enough information" is as right there as "contradicted".
    pub fn headline(&self) -> Option<f64> {
        headline(&self.metrics, self.per_class.len())
    }

    /// Its 95 % interval.
    pub fn headline_interval(&self) -> Option<Interval> {
        let name = if self.per_class.len() == 3 { "balanced_accuracy" } else { "binary_balanced_accuracy" };
        self.intervals.get(name).copied().flatten()
    }
}

fn headline(metrics: &Metrics, classes: usize) -> Option<f64> {
    if classes == 3 { metrics.balanced_accuracy } else { metrics.binary_balanced_accuracy }
}

/// What a report needs beside the predictions.
#[derive(Debug, Clone, Default)]
pub struct PairReportOptions {
    /// Seed of the intervals.
    pub seed: u64,
    /// Which models took part.
    pub models: ModelNames,
    /// Rows of the set before a limit.
    pub rows_in_set: usize,
    /// Development set: its name, and what was predicted for it.
    pub dev: Option<(String, Vec<Prediction>)>,
    /// Baselines: their numbers for the rows and, where there is one, for the development set.
    pub baselines: Vec<(Baseline, BaselineScore, Option<Vec<f64>>)>,
    /// Baselines as they were measured before on the same rows, instead of those.
    pub known_baselines: Option<BTreeMap<String, BaselineReport>>,
    /// Most memory of the process so far.
    pub peak_memory_bytes: Option<u64>,
}

/// The report on a set.
pub fn pair_report(set: &PairRows, run: &PairRun, options: &PairReportOptions) -> PairReport {
    let view = View::new(set.schema, &run.predictions);
    let all = ones(run.predictions.len());
    let metrics = view.metrics(&all);
    let intervals = view.intervals(options.seed);
    let matrix = view.matrix(&all);
    let classes = view.classes.iter().enumerate();
    let per_class = classes
        .map(|(at, class)| {
            let counts = matrix.of(at);
            let report = ClassReport {
                rows: counts.true_positive + counts.false_negative,
                precision: counts.precision(),
                recall: counts.recall(),
                f1: counts.f1(),
            };
            (class.to_string(), report)
        })
        .collect();
    let measured = || baselines(set, &run.predictions, &view, options);
    let baselines = options.known_baselines.clone().unwrap_or_else(measured);
    let not_better_than = baselines
        .iter()
        .filter(|(_, report)| match report {
            // Where there is one class, accuracy is all that is defined.
            BaselineReport::Measured { balanced_accuracy, accuracy, .. } => balanced_accuracy
                .zip(headline(&metrics, view.classes.len()))
                .or(accuracy.zip(metrics.accuracy))
                .is_some_and(|(theirs, ours)| theirs >= ours),
            BaselineReport::Missing { .. } => false,
        })
        .map(|(name, _)| name.clone())
        .collect();
    let mut problem_lines: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for problem in &set.problems {
        problem_lines.entry(problem.kind.as_str().to_owned()).or_default().push(problem.line);
    }
    let mut times: Vec<f64> = run.predictions.iter().map(|prediction| prediction.latency_ms).collect();
    times.sort_by(f64::total_cmp);
    PairReport {
        kind: "pairs".to_owned(),
        evidex: env!("CARGO_PKG_VERSION").to_owned(),
        dataset: set.name.clone(),
        sha256: set.sha256.clone(),
        rows: run.predictions.len(),
        rows_in_set: options.rows_in_set.max(run.predictions.len()),
        schema: set.schema,
        problems: problem_lines.iter().map(|(kind, lines)| (kind.clone(), lines.len())).collect(),
        problem_lines,
        undefined: undefined(&metrics, &intervals, &view),
        right: view
            .predicted
            .iter()
            .zip(&view.gold)
            .map(|(said, gold)| if *said == Some(*gold) { '1' } else { '0' })
            .collect(),
        per_class,
        confusion: view.confusion(&matrix),
        intervals,
        baselines,
        not_better_than,
        calibration: metrics::equal_width_bins(&view.confidences, &view.right, BINS).unwrap_or_default(),
        latency_ms: LatencyReport {
            mean: metrics::mean(&times),
            p50: metrics::percentile(&times, 0.5),
            p95: metrics::percentile(&times, 0.95),
            p99: metrics::percentile(&times, 0.99),
        },
        pairs_per_second: (run.verified > 0 && run.seconds > 0.0).then(|| run.verified as f64 / run.seconds),
        threads: rayon::current_num_threads(),
        peak_memory_bytes: options.peak_memory_bytes,
        threshold: thresholds(&view, options),
        models: options.models.clone(),
        seed: options.seed,
        claims: None,
        cascade: Vec::new(),
        metrics,
    }
}

/// Predictions as numbers.
struct View {
    schema: Schema,
    /// Classes that the set has, the task's order.
    classes: Vec<Class>,
    gold: Vec<Class>,
    predicted: Vec<Option<Class>>,
    /// Rows that were checked: how risky (1 − support), and whether they are unsupported.
    checked: Vec<usize>,
    risk: Vec<f64>,
    unsupported: Vec<bool>,
    /// Rows that were checked: how sure, and whether the label is right.
    confidences: Vec<f64>,
    right: Vec<bool>,
}

impl View {
    fn new(schema: Schema, predictions: &[Prediction]) -> Self {
        let gold: Vec<Class> = predictions.iter().map(|prediction| schema.of_class(prediction.gold)).collect();
        let classes = Class::ALL.into_iter().filter(|class| gold.contains(class)).collect();
        let predicted: Vec<Option<Class>> =
            predictions.iter().map(|prediction| schema.of_label(prediction.label)).collect();
        let checked: Vec<usize> = (0..predictions.len())
            .filter(|at| predictions[*at].support.is_some() && predictions[*at].label != Label::NotChecked)
            .collect();
        let of = |at: &usize| &predictions[*at];
        Self {
            schema,
            classes,
            risk: checked.iter().map(|at| 1.0 - of(at).support.unwrap_or(0.0)).collect(),
            unsupported: checked.iter().map(|at| gold[*at] != Class::Supported).collect(),
            confidences: checked.iter().map(|at| f64::from(of(at).confidence.unwrap_or(0.0))).collect(),
            right: checked.iter().map(|at| predicted[*at] == Some(gold[*at])).collect(),
            checked,
            gold,
            predicted,
        }
    }

    /// Columns beyond the set's classes: what the set lacks, then what was not checked.
    fn columns(&self) -> Vec<Option<Class>> {
        let possible: &[Class] = match self.schema {
            Schema::Binary => &[Class::Supported, Class::Unsupported],
            Schema::ThreeClass => &[Class::Supported, Class::Contradicted, Class::Neutral],
        };
        let own = self.classes.iter().copied().map(Some);
        own.chain(possible.iter().filter(|class| !self.classes.contains(class)).copied().map(Some))
            .chain([None])
            .collect()
    }

    fn matrix(&self, weights: &[u32]) -> ConfusionMatrix {
        self.matrix_of(&self.predicted, weights)
    }

    fn matrix_of(&self, predicted: &[Option<Class>], weights: &[u32]) -> ConfusionMatrix {
        let columns = self.columns();
        let mut matrix = ConfusionMatrix::new(self.classes.len(), columns.len() - self.classes.len());
        for ((gold, predicted), times) in self.gold.iter().zip(predicted).zip(weights) {
            let place = |class| columns.iter().position(|column| *column == class);
            if let (Some(truth), Some(answer)) = (place(Some(*gold)), place(*predicted)) {
                matrix.add(truth, answer, u64::from(*times));
            }
        }
        matrix
    }

    /// Supported against all else, by the labels.
    fn binary(&self, weights: &[u32]) -> Option<f64> {
        let answers: Vec<Option<bool>> =
            self.predicted.iter().map(|class| class.map(|class| class != Class::Supported)).collect();
        binary_matrix(&self.gold, &answers, weights).balanced_accuracy()
    }

    fn metrics(&self, all: &[u32]) -> Metrics {
        let matrix = self.matrix(all);
        let weights = ones(self.checked.len());
        let at_recall = |recall| metrics::precision_at_recall(&self.risk, &self.unsupported, &weights, recall);
        let ece = |bins: Option<Vec<CalibrationBin>>| bins.as_deref().and_then(metrics::expected_calibration_error);
        Metrics {
            balanced_accuracy: matrix.balanced_accuracy(),
            accuracy: matrix.accuracy(),
            macro_f1: matrix.macro_f1(),
            binary_balanced_accuracy: self.binary(all),
            auroc: metrics::auroc(&self.risk, &self.unsupported, &weights),
            precision_at_recall_80: at_recall(0.8),
            precision_at_recall_90: at_recall(0.9),
            precision_at_recall_95: at_recall(0.95),
            recall_at_1_percent_false_alarms: metrics::recall_at_false_alarms(
                &self.risk,
                &self.unsupported,
                &weights,
                0.01,
            ),
            ece: ece(metrics::equal_width_bins(&self.confidences, &self.right, BINS)),
            ece_equal_mass: ece(metrics::equal_mass_bins(&self.confidences, &self.right, BINS)),
            brier: metrics::brier(&self.confidences, &self.right),
            coverage: (!self.gold.is_empty()).then(|| self.checked.len() as f64 / self.gold.len() as f64),
        }
    }

    fn intervals(&self, seed: u64) -> BTreeMap<String, Option<Interval>> {
        let rows = self.gold.len();
        // In their order, so that each sample's sort finds them sorted.
        let mut order: Vec<usize> = (0..self.checked.len()).collect();
        order.sort_by(|a, b| self.risk[*b].total_cmp(&self.risk[*a]));
        let risk: Vec<f64> = order.iter().map(|at| self.risk[*at]).collect();
        let unsupported: Vec<bool> = order.iter().map(|at| self.unsupported[*at]).collect();
        let auroc = |weights: &[u32]| {
            let weights: Vec<u32> = order.iter().map(|at| weights[self.checked[*at]]).collect();
            metrics::auroc(&risk, &unsupported, &weights)
        };
        let of = |figure: &(dyn Fn(&[u32]) -> Option<f64> + Sync)| bootstrap(rows, SAMPLES, seed, figure);
        BTreeMap::from([
            ("balanced_accuracy".to_owned(), of(&|weights| self.matrix(weights).balanced_accuracy())),
            ("accuracy".to_owned(), of(&|weights| self.matrix(weights).accuracy())),
            ("macro_f1".to_owned(), of(&|weights| self.matrix(weights).macro_f1())),
            ("binary_balanced_accuracy".to_owned(), of(&|weights| self.binary(weights))),
            ("auroc".to_owned(), of(&auroc)),
        ])
    }

    fn confusion(&self, matrix: &ConfusionMatrix) -> Confusion {
        let name = |class: &Option<Class>| class.map_or_else(|| "not_checked".to_owned(), |class| class.to_string());
        let columns = self.columns();
        let row = |counts: &Vec<u64>| columns.iter().map(name).zip(counts.iter().copied()).collect();
        self.classes.iter().map(|class| class.to_string()).zip(matrix.rows().iter().map(row)).collect()
    }
}

/// Rows by "is unsupported" against "is taken as unsupported"; what was not checked is wrong either way.
fn binary_matrix(gold: &[Class], answers: &[Option<bool>], weights: &[u32]) -> ConfusionMatrix {
    let mut matrix = ConfusionMatrix::new(2, 1);
    for ((gold, answer), times) in gold.iter().zip(answers).zip(weights) {
        let answer = answer.map_or(2, usize::from);
        matrix.add(usize::from(*gold != Class::Supported), answer, u64::from(*times));
    }
    matrix
}

fn thresholds(view: &View, options: &PairReportOptions) -> Vec<ThresholdReport> {
    let mut chosen = vec![(DEFAULT_THRESHOLD, "default".to_owned())];
    if let Some((name, predictions)) = &options.dev {
        let dev = View::new(view.schema, predictions);
        chosen.extend(best_threshold(&dev).map(|threshold| (threshold, name.clone())));
    }
    chosen
        .into_iter()
        .map(|(threshold, chosen_on)| {
            let matrix = at_threshold(view, threshold);
            let counts = matrix.of(1);
            ThresholdReport {
                threshold,
                chosen_on,
                balanced_accuracy: matrix.balanced_accuracy(),
                precision: counts.precision(),
                recall: counts.recall(),
                f1: counts.f1(),
            }
        })
        .collect()
}

fn at_threshold(view: &View, threshold: f64) -> ConfusionMatrix {
    let mut answers = vec![None; view.gold.len()];
    for (at, risk) in view.checked.iter().zip(&view.risk) {
        answers[*at] = Some(1.0 - risk <= threshold);
    }
    binary_matrix(&view.gold, &answers, &ones(view.gold.len()))
}

/// The threshold with the highest balanced accuracy; of equals the one nearest to the default.
fn best_threshold(dev: &View) -> Option<f64> {
    let mut supports: Vec<f64> = dev.risk.iter().map(|risk| 1.0 - risk).collect();
    supports.sort_by(f64::total_cmp);
    supports.dedup();
    let between = supports.windows(2).map(|two| f64::midpoint(two[0], two[1]));
    let step = (supports.len() / 500).max(1);
    let candidates = between.step_by(step).chain([DEFAULT_THRESHOLD]);
    let rated = candidates.filter_map(|threshold| Some((at_threshold(dev, threshold).balanced_accuracy()?, threshold)));
    let far = |threshold: f64| (threshold - DEFAULT_THRESHOLD).abs();
    rated.max_by(|a, b| a.0.total_cmp(&b.0).then(far(b.1).total_cmp(&far(a.1)))).map(|(_, threshold)| threshold)
}

fn baselines(
    set: &PairRows,
    predictions: &[Prediction],
    view: &View,
    options: &PairReportOptions,
) -> BTreeMap<String, BaselineReport> {
    let halves: Vec<bool> = predictions.iter().map(|prediction| half(&prediction.id)).collect();
    let report = |name: Baseline, score: &BaselineScore, on_dev: &Option<Vec<f64>>| {
        let scores = match score {
            Ok(scores) => scores,
            Err(missing) => return BaselineReport::Missing { missing: missing.clone() },
        };
        let answers: Vec<Option<Class>> = match (on_dev, &options.dev) {
            (Some(dev), Some((_, rows))) => {
                let gold: Vec<Class> = rows.iter().map(|row| set.schema.of_class(row.gold)).collect();
                let cuts = Cuts::fit(dev, &gold, &view.classes);
                scores.iter().map(|score| Some(cuts.class(*score))).collect()
            }
            // The commonest class is a fact of the set, not learnt from one half of it.
            _ if name == Baseline::Majority => {
                let cuts = Cuts::fit(scores, &view.gold, &view.classes);
                scores.iter().map(|score| Some(cuts.class(*score))).collect()
            }
            _ => {
                let of = |wanted: bool| {
                    let rows = (0..scores.len()).filter(|at| halves[*at] == wanted);
                    let (scores, gold): (Vec<f64>, Vec<Class>) = rows.map(|at| (scores[at], view.gold[at])).unzip();
                    Cuts::fit(&scores, &gold, &view.classes)
                };
                let learnt = [of(false), of(true)];
                // The first half is judged by what the second taught, and the other way round.
                scores.iter().zip(&halves).map(|(s, own)| Some(learnt[usize::from(!own)].class(*s))).collect()
            }
        };
        let matrix = view.matrix_of(&answers, &ones(scores.len()));
        let unsupported: Vec<bool> = view.gold.iter().map(|gold| *gold != Class::Supported).collect();
        let auroc = metrics::auroc(scores, &unsupported, &ones(scores.len())).map(|area| area.max(1.0 - area));
        BaselineReport::Measured {
            balanced_accuracy: matrix.balanced_accuracy(),
            accuracy: matrix.accuracy(),
            macro_f1: matrix.macro_f1(),
            auroc,
        }
    };
    let named =
        options.baselines.iter().map(|(name, score, dev)| (name.as_str().to_owned(), report(*name, score, dev)));
    named.collect()
}

/// Which half of a set a row is in, by its id.
pub(super) fn half(id: &str) -> bool {
    // FNV-1a with SplitMix's finish: the same on every machine and in every version.
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = id.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash ^ (hash >> 31)) & 1 == 1
}

/// Why each undefined measure is so; an interval is named `intervals.` and its measure.
fn undefined(
    metrics: &Metrics,
    intervals: &BTreeMap<String, Option<Interval>>,
    view: &View,
) -> BTreeMap<String, String> {
    let serde_json::Value::Object(values) = serde_json::to_value(metrics).unwrap_or_default() else {
        return BTreeMap::new();
    };
    let why = match (view.gold.len(), view.checked.len(), view.classes.as_slice()) {
        (0, ..) => "there are no rows".to_owned(),
        (_, 0, _) => "no row was checked".to_owned(),
        (_, _, [only]) => format!("every row is {only}"),
        (_, _, classes) if !classes.contains(&Class::Supported) => "no row is supported".to_owned(),
        _ => "the checked rows are of one class".to_owned(),
    };
    let measures = values.iter().filter(|(_, value)| value.is_null());
    let mut reasons: BTreeMap<String, String> = measures.map(|(name, _)| (name.clone(), why.clone())).collect();
    for (name, _) in intervals.iter().filter(|(_, interval)| interval.is_none()) {
        let why = match reasons.get(name) {
            Some(why) => why.clone(),
            None => "there are so few rows that many samples lack a class".to_owned(),
        };
        reasons.insert(format!("intervals.{name}"), why);
    }
    reasons
}
