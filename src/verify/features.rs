//! What a verdict rests on, as numbers: what its confidence is computed from.

use serde::{Deserialize, Serialize};

use super::{CitationRole, Label, Stance, Verdict};

/// Missing values, names and words beyond this many say nothing more.
const MOST_MISSING: usize = 4;

/// The numbers behind a verdict. All lie between 0 and 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Share of the claim's content that the deciding quote, else the nearest, covers.
    pub coverage: f32,
    /// Whether the quote is the claim or holds it, word for word.
    pub verbatim: bool,
    /// How much the quote lacks of the claim's values, names and words: 1 is four things or more.
    pub missing: f32,
    /// The check that decided for "contradicted", where one did: `date`, `quantity`, `negation`, ….
    pub check: Option<String>,
    /// Highest probability of entailment that a model gave to a quote; `None` where no model ran.
    pub entailment: Option<f32>,
    /// Highest probability of contradiction that a model gave to a quote; `None` where no model ran.
    pub contradiction: Option<f32>,
}

impl Features {
    /// The numbers behind `verdict`.
    pub fn of(verdict: &Verdict) -> Self {
        let wanted = match verdict.label {
            Label::Contradicted | Label::Conflicting => CitationRole::Contradicts,
            Label::Supported | Label::PartiallySupported => CitationRole::Supports,
            Label::NotEnoughInfo | Label::NotChecked => CitationRole::Nearest,
        };
        let at = verdict.evidence.iter().position(|citation| citation.role == wanted);
        let found = |stance: Stance| {
            verdict
                .findings
                .iter()
                .filter(move |finding| finding.stance == stance && at.is_some() && finding.evidence == at)
        };
        let missing = found(Stance::Missing).count().min(MOST_MISSING);
        let considered = verdict.considered.iter().map(|considered| &considered.citation);
        let asked: Vec<[f32; 3]> =
            verdict.evidence.iter().chain(considered).filter_map(|citation| citation.nli).collect();
        let highest = |class: usize| asked.iter().map(|nli| nli[class]).filter(|p| p.is_finite()).reduce(f32::max);
        Self {
            coverage: at.map_or(0.0, |at| verdict.evidence[at].coverage),
            verbatim: found(Stance::Supports).any(|finding| finding.kind == "verbatim"),
            missing: missing as f32 / MOST_MISSING as f32,
            check: found(Stance::Contradicts).next().map(|finding| finding.check.clone()),
            entailment: highest(0),
            contradiction: highest(2),
        }
    }
}
