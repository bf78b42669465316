//! Two stages: a cheap one decides what it is sure of and hands the rest to a dear one. Which band is worth handing on?
//!
//! The sweep is chaincheck's: rows whose cheap support lies from `low` to `high` take the second stage's answer. Points
//! that another point beats in accuracy without costing more are off the Pareto front.

use serde::{Deserialize, Serialize};

use super::metrics::ConfusionMatrix;
use super::{Class, Prediction};

/// One band.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CascadePoint {
    /// Support from which on the second stage is asked; `None` for the first stage alone.
    pub low: Option<f64>,
    /// Support up to which the second stage is asked.
    pub high: Option<f64>,
    /// Share of rows that the second stage was asked about.
    pub escalated: f64,
    /// Supported or not, balanced.
    pub balanced_accuracy: Option<f64>,
    /// F1 of "unsupported".
    pub f1: Option<f64>,
    /// Mean milliseconds a row.
    pub latency_ms: f64,
    /// Whether no other point is as accurate at less escalation, or more accurate at the same.
    pub pareto: bool,
}

/// Every band with ends on a grid of tenths, from the first stage alone to the second stage for all.
pub fn cascade(first: &[Prediction], second: &[Prediction]) -> Vec<CascadePoint> {
    if first.len() != second.len() || first.is_empty() {
        return Vec::new();
    }
    let grid: Vec<f64> = (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect();
    let mut bands = vec![None];
    for low in &grid {
        bands.extend(grid.iter().filter(|high| *high > low).map(|high| Some((*low, *high))));
    }
    let mut points: Vec<CascadePoint> = bands.into_iter().map(|band| point(first, second, band)).collect();
    for at in 0..points.len() {
        let own = points[at];
        let better = |other: &CascadePoint| {
            let (theirs, ours) = (other.balanced_accuracy.unwrap_or(0.0), own.balanced_accuracy.unwrap_or(0.0));
            theirs >= ours && other.escalated <= own.escalated && (theirs > ours || other.escalated < own.escalated)
        };
        points[at].pareto = own.balanced_accuracy.is_some() && !points.iter().any(better);
    }
    points
}

/// The points on the front, from the fewest rows handed on to the most; of bands that come to the same, one.
pub fn pareto_front(points: &[CascadePoint]) -> Vec<CascadePoint> {
    let mut front: Vec<CascadePoint> = points.iter().filter(|point| point.pareto).copied().collect();
    front.sort_by(|a, b| a.escalated.total_cmp(&b.escalated));
    front.dedup_by(|a, b| a.escalated == b.escalated && a.balanced_accuracy == b.balanced_accuracy);
    front
}

fn point(first: &[Prediction], second: &[Prediction], band: Option<(f64, f64)>) -> CascadePoint {
    let mut matrix = ConfusionMatrix::new(2, 1);
    let (mut escalated, mut milliseconds) = (0_usize, 0.0);
    for (cheap, dear) in first.iter().zip(second) {
        // What the first stage could not check goes to the second wherever there is one.
        let asked = band.is_some_and(|(low, high)| cheap.support.is_none_or(|s| (low..=high).contains(&s)));
        milliseconds += cheap.latency_ms + if asked { dear.latency_ms } else { 0.0 };
        escalated += usize::from(asked);
        let support = if asked { dear.support } else { cheap.support };
        matrix.add(usize::from(cheap.gold != Class::Supported), support.map_or(2, |s| usize::from(s <= 0.5)), 1);
    }
    let rows = first.len() as f64;
    CascadePoint {
        low: band.map(|(low, _)| low),
        high: band.map(|(_, high)| high),
        escalated: escalated as f64 / rows,
        balanced_accuracy: matrix.balanced_accuracy(),
        f1: matrix.of(1).f1(),
        latency_ms: milliseconds / rows,
        pareto: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{PairEvaluator, parse_pairs};

    #[test]
    fn the_front_runs_from_the_first_stage_alone_to_what_the_second_is_needed_for() {
        let row =
            |id: usize, label: &str| format!(r#"{{"id": "{id}", "context": "A.", "claim": "B.", "label": "{label}"}}"#);
        let text: Vec<String> = (0..8).map(|n| row(n, if n < 4 { "supported" } else { "unsupported" })).collect();
        let rows = parse_pairs("x", &text.join("\n")).rows;
        let blank: Vec<Prediction> = rows.iter().map(|row| PairEvaluator::default().predict(row).unwrap()).collect();
        let with = |supports: [f64; 8], cost: f64| -> Vec<Prediction> {
            let each = blank.iter().zip(supports);
            each.map(|(p, support)| Prediction { support: Some(support), latency_ms: cost, ..p.clone() }).collect()
        };
        // The first stage is unsure of one row of each class and wrong about both.
        let first = with([0.95, 0.95, 0.95, 0.45, 0.05, 0.05, 0.05, 0.55], 1.0);
        let second = with([0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1], 10.0);
        let points = cascade(&first, &second);
        let front: Vec<(f64, Option<f64>)> = points
            .iter()
            .filter(|point| point.pareto)
            .map(|point| (point.escalated, point.balanced_accuracy))
            .collect();
        assert!(front.contains(&(0.0, Some(0.75))), "{front:?}");
        assert!(front.contains(&(0.25, Some(1.0))), "{front:?}");
        assert!(front.iter().all(|(escalated, _)| *escalated <= 0.25));
        let cheap = points.iter().find(|point| point.escalated == 0.25).unwrap();
        assert!((cheap.latency_ms - 3.5).abs() < 1e-9);
        assert!(cascade(&first, &second[..3]).is_empty());
    }
}
