//! The report on a detection: that of [`Report`], and beside it what each method says.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::build::{evidence_report, millis};
use super::summary::Risk;
use super::types::{EvidenceReport, Report};
use crate::judge::{Detection, Method, MethodRun, Mode, Opinion, OpinionLabel, Scoring, Usage};
use crate::verify::{RiskLevel, Warning};

/// The report on one answer, checked by several methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DetectionReport {
    /// The verdicts. Without sources its score and risk are `null`: nothing was checked against anything.
    #[serde(flatten)]
    pub report: Report,
    /// What the methods say.
    pub detection: DetectionPart,
}

/// What the methods say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DetectionPart {
    /// What the answer was checked against.
    pub mode: Mode,
    /// What the methods say together.
    pub ensemble: EnsembleReport,
    /// How the cascade went; `null` without one.
    pub cascade: Option<CascadeReport>,
    /// How a model split the answer; `null` where the rules did.
    pub decomposition: Option<DecompositionReport>,
    /// Each method that was wanted.
    pub methods: Vec<MethodReport>,
    /// What all of it took.
    pub usage: UsageReport,
}

/// What the methods say together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EnsembleReport {
    /// Weighted mean of the methods' risks, 0 to 1; `null` when none said anything.
    pub risk: Option<f64>,
    /// Its level.
    pub level: Option<RiskLevel>,
    /// Whether any method holds any claim contradicted.
    pub any_contradiction: bool,
    /// Share of the claims that was judged, by the methods' weights; below 1 something failed.
    pub coverage: Option<f64>,
    /// The weights that were used, summing to 1.
    pub weights: BTreeMap<Method, f64>,
    /// How risks were reckoned.
    pub scoring: Scoring,
}

/// How a cascade went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CascadeReport {
    /// Claims of a risk from here …
    pub low: f64,
    /// … to here were open.
    pub high: f64,
    /// Claims that were to be checked.
    pub claims: usize,
    /// Claims that a model was asked about.
    pub escalated: usize,
    /// Their share; `null` without claims.
    pub share: Option<f64>,
}

/// How a model split an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecompositionReport {
    /// Statements of the model that the answer holds.
    pub found: usize,
    /// Statements that stand nowhere in the answer.
    pub dropped: usize,
    /// Claims that the rules read in sentences that the model left out.
    pub kept_from_rules: usize,
    /// Whether the rules did it all.
    pub fell_back: bool,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// What it took.
    pub usage: UsageReport,
}

/// What asking models took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageReport {
    /// The model, as `provider:model`; `null` for none, or for several.
    pub model: Option<String>,
    /// Questions.
    pub calls: u64,
    /// Requests that were sent, tries included.
    pub requests: u64,
    /// Questions that the cache answered.
    pub cached: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Cost by the price table; `null` where it does not know the model.
    pub cost: Option<f64>,
}

/// How a method went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodReport {
    /// Which.
    pub method: Method,
    /// Its risk, 0 to 1; `null` when it said nothing of any claim.
    pub risk: Option<f64>,
    /// Its weight before sharing out.
    pub weight: f64,
    /// Claims that it says something of.
    pub judged: usize,
    /// Milliseconds.
    pub latency_ms: f64,
    /// Why it did not run, or not on every claim.
    pub error: Option<String>,
    /// Why it was not run, where that is no failure.
    pub skipped: Option<String>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// What it took.
    pub usage: UsageReport,
    /// Details of consistency.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub consistency: Option<ConsistencyReport>,
    /// Details of logprobs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub logprobs: Option<LogprobsReport>,
    /// What it says of each claim.
    pub claims: Vec<OpinionReport>,
}

/// How consistent the model is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConsistencyReport {
    /// Samples that were asked for.
    pub asked: usize,
    /// Samples that came.
    pub samples: usize,
    /// Mean cosine similarity of the answer and the samples.
    pub score: Option<f64>,
    /// Whether the score reaches the threshold.
    pub consistent: Option<bool>,
    /// Similarity of each to each, the answer first.
    pub similarity: Vec<Vec<f64>>,
}

/// What the log-probabilities were those of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LogprobsReport {
    /// Whether the given answer was scored; otherwise one that the model wrote anew.
    pub given_answer: bool,
    /// Mean over all tokens that were scored.
    pub mean: Option<f64>,
    /// The answer that was written anew.
    pub regenerated: Option<String>,
}

/// What a method says of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpinionReport {
    /// Index into the report's `claims`.
    pub claim: usize,
    /// What it says; `null` when it was not asked or failed.
    pub label: Option<OpinionLabel>,
    /// How sure, 0 to 1.
    pub confidence: Option<f64>,
    /// Whether it rests on the sources.
    pub grounded: bool,
    /// Why.
    pub reason: String,
    /// Quotes that are really in the sources.
    pub evidence: Vec<EvidenceReport>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// Milliseconds of the call that it came from.
    pub latency_ms: f64,
    /// Why it was not asked.
    pub skipped: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

impl DetectionReport {
    /// The report on `detection`; `source` and `explain` as for [`Report::new`].
    pub fn new(detection: &Detection, source: Option<&str>, explain: bool) -> Self {
        let mut report = Report::new(&detection.verification, source, explain);
        if detection.mode == Mode::FactCheck {
            report.score = None;
            report.risk = Risk { value: None, level: None, any_contradiction: false };
        }
        let ensemble = &detection.ensemble;
        let mut usage = UsageReport::default();
        let split = detection.decomposition.iter().map(|split| &split.usage);
        for part in detection.methods.iter().map(|run| &run.usage).chain(split) {
            add(&mut usage, part);
        }
        let part = DetectionPart {
            mode: detection.mode,
            ensemble: EnsembleReport {
                risk: ensemble.risk.map(round),
                level: ensemble.level,
                any_contradiction: ensemble.any_contradiction,
                coverage: ensemble.coverage.map(round),
                weights: ensemble.weights.iter().map(|(method, weight)| (*method, round(*weight))).collect(),
                scoring: detection.scoring,
            },
            cascade: detection.cascade.map(|cascade| CascadeReport {
                low: cascade.band.low,
                high: cascade.band.high,
                claims: cascade.claims,
                escalated: cascade.escalated,
                share: cascade.share().map(round),
            }),
            decomposition: detection.decomposition.as_ref().map(|split| DecompositionReport {
                found: split.found,
                dropped: split.dropped,
                kept_from_rules: split.kept_from_rules,
                fell_back: split.fell_back,
                warnings: split.warnings.clone(),
                usage: UsageReport::from(&split.usage),
            }),
            methods: detection.methods.iter().map(method_report).collect(),
            usage,
        };
        Self { report, detection: part }
    }

    /// As JSON, indented, with a final newline.
    pub fn to_json(&self) -> String {
        let mut json = serde_json::to_string_pretty(self).expect("a report holds only strings, numbers and lists");
        json.push('\n');
        json
    }
}

fn method_report(run: &MethodRun) -> MethodReport {
    MethodReport {
        method: run.method,
        risk: run.risk.map(round),
        weight: run.weight,
        judged: run.judged(),
        latency_ms: millis(run.latency),
        error: run.error.clone(),
        skipped: run.skipped.clone(),
        warnings: run.warnings.clone(),
        usage: UsageReport::from(&run.usage),
        consistency: run.consistency.as_ref().map(|consistency| ConsistencyReport {
            asked: consistency.asked,
            samples: consistency.samples,
            score: consistency.score.map(round),
            consistent: consistency.consistent,
            similarity: consistency.similarity.iter().map(|row| row.iter().copied().map(round).collect()).collect(),
        }),
        logprobs: run.logprobs.as_ref().map(|logprobs| LogprobsReport {
            given_answer: logprobs.given_answer,
            mean: logprobs.mean.map(round),
            regenerated: logprobs.regenerated.clone(),
        }),
        claims: run.opinions.iter().map(opinion_report).collect(),
    }
}

fn opinion_report(opinion: &Opinion) -> OpinionReport {
    OpinionReport {
        claim: opinion.claim,
        label: opinion.label,
        confidence: opinion.confidence.map(round),
        grounded: opinion.grounded,
        reason: opinion.reason.clone(),
        evidence: opinion.evidence.iter().map(evidence_report).collect(),
        warnings: opinion.warnings.clone(),
        latency_ms: millis(opinion.latency),
        skipped: opinion.skipped.clone(),
        error: opinion.error.clone(),
    }
}

impl From<&Usage> for UsageReport {
    fn from(usage: &Usage) -> Self {
        Self {
            model: usage.model.clone(),
            calls: usage.calls,
            requests: usage.requests,
            cached: usage.cached,
            input_tokens: usage.tokens.input,
            output_tokens: usage.tokens.output,
            cost: usage.cost,
        }
    }
}

/// Adds a part; the cost is known only if that of every part that took tokens is.
fn add(whole: &mut UsageReport, part: &Usage) {
    if part.calls == 0 {
        return;
    }
    let first = whole.calls == 0;
    whole.model = if first || whole.model == part.model { part.model.clone() } else { None };
    whole.cost = match (whole.cost, part.cost) {
        (None, cost) if first => cost,
        (Some(a), Some(b)) => Some(a + b),
        _ => None,
    };
    whole.calls += part.calls;
    whole.requests += part.requests;
    whole.cached += part.cached;
    whole.input_tokens += part.tokens.input;
    whole.output_tokens += part.tokens.output;
}

/// To four digits.
fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
