//! The report on a text: what [`crate::verify`] found, in a shape that is promised to callers, and its renderers.
//!
//! In: a [`Verification`](crate::verify::Verification), or a [`Detection`](crate::judge::Detection) by several methods.
//! Out: a [`Report`] or [`DetectionReport`], as text or HTML for people, JSON or JSONL for machines, JUnit, SARIF or
//! annotations for CI.
//! It computes no score of a claim: only counts and means of the verdicts that it shows.

mod build;
pub mod ci;
mod detection;
mod detection_text;
mod html;
mod json;
mod summary;
mod text;
mod types;

pub use crate::verify::RiskLevel;
pub use detection::{
    CascadeReport, ConsistencyReport, DecompositionReport, DetectionPart, DetectionReport, EnsembleReport,
    LogprobsReport, MethodReport, OpinionReport, UsageReport,
};
pub use html::to_html;
pub use json::{detection_schema, schema, to_json, to_json_line};
pub use summary::{Counts, Coverage, Risk, Status};
pub use text::{TextOptions, to_text};
pub use types::{
    AnswerReport, ClaimReport, ConsideredReport, EvidenceReport, EvidenceScores, FindingReport, ModelReport,
    ModelsReport, Place, Report, SCHEMA_VERSION, TimingsReport,
};
