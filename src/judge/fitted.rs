//! The ensemble as it was fitted: weights and risk levels, from the section `ensemble` of the one file (`fitted.json`).

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::ensemble::Weights;
use crate::verify::RiskBounds;
use crate::verify::fitted::section;

/// What the weights and levels were fitted on, and what came of it on the rows held out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EnsembleFittedOn {
    /// Day, as year-month-day.
    pub date: String,
    /// Sets.
    pub data: Vec<String>,
    /// Language models that were asked.
    pub models: Vec<String>,
    /// Rows that were fitted on.
    pub rows: usize,
    /// Rows held out.
    pub held_out_rows: usize,
    /// Probability that the risk ranks an unsupported text above a supported one, mean over the sets, on the rows held out.
    pub held_out_auroc: Option<f64>,
    /// The same with the weights that were in force when these were fitted.
    pub held_out_auroc_before: Option<f64>,
}

/// Weights of the methods, and where the levels of their risk begin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedEnsemble {
    /// What they were fitted on; `None` where they were set by hand.
    pub fitted_on: Option<EnsembleFittedOn>,
    /// How much each method counts.
    pub weights: Weights,
    /// Risk from which on it is medium.
    pub medium_from: f64,
    /// Risk from which on it is high.
    pub high_from: f64,
}

impl FittedEnsemble {
    /// The one that evidex comes with.
    pub fn built_in() -> &'static Self {
        static PARSED: OnceLock<FittedEnsemble> = OnceLock::new();
        PARSED.get_or_init(|| {
            section("ensemble").unwrap_or_else(|| {
                let RiskBounds { medium_from, high_from } = RiskBounds::default();
                Self { fitted_on: None, weights: Weights::chaincheck(), medium_from, high_from }
            })
        })
    }

    /// Where the levels begin.
    pub const fn risk_bounds(&self) -> RiskBounds {
        RiskBounds { medium_from: self.medium_from, high_from: self.high_from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Method;

    #[test]
    fn the_built_in_file_gives_every_method_a_weight_and_the_levels_an_order() {
        let fitted: FittedEnsemble = section("ensemble").expect("the file has an ensemble");
        assert_eq!(&fitted, FittedEnsemble::built_in());
        assert!(Method::ALL.iter().all(|method| fitted.weights.of(*method) > 0.0));
        assert!(0.0 < fitted.medium_from && fitted.medium_from < fitted.high_from && fitted.high_from < 1.0);
    }
}
