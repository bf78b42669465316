//! Cheap first: the methods that ask a model run only on claims that the checks leave open.

use super::method::{Opinion, OpinionLabel};

/// Between which risks a claim is open; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cascade {
    /// Below this the claim is as good as right.
    pub low: f64,
    /// Above this it is as good as wrong.
    pub high: f64,
}

impl Default for Cascade {
    fn default() -> Self {
        Self { low: 0.2, high: 0.8 }
    }
}

impl Cascade {
    /// Whether a risk is worth a model's time.
    ///
    /// ```
    /// use evidex::judge::Cascade;
    /// let cascade = Cascade::default();
    /// assert!(!cascade.escalates(0.05) && cascade.escalates(0.5) && !cascade.escalates(0.95));
    /// assert!(cascade.escalates(0.2) && cascade.escalates(0.8));
    /// ```
    pub fn escalates(&self, risk: f64) -> bool {
        (self.low..=self.high).contains(&risk)
    }

    /// Whether what the checks say of a claim leaves it open.
    pub(super) fn leaves_open(&self, opinion: &Opinion) -> bool {
        let risk = match (opinion.label, opinion.confidence) {
            (Some(OpinionLabel::Supported), Some(confidence)) => 1.0 - confidence,
            (Some(OpinionLabel::Contradicted), Some(confidence)) => confidence,
            // Not settled, or not even checked: that is what models are for.
            _ => return true,
        };
        self.escalates(risk)
    }
}

/// How a cascade went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CascadeRun {
    /// Between which risks claims were open.
    pub band: Cascade,
    /// Claims that were to be checked.
    pub claims: usize,
    /// Claims that a model was asked about.
    pub escalated: usize,
}

impl CascadeRun {
    /// Share of the claims that escalated; `None` without claims.
    pub fn share(&self) -> Option<f64> {
        (self.claims > 0).then(|| self.escalated as f64 / self.claims as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settled_claims_stay_and_open_ones_go_on() {
        let cascade = Cascade::default();
        let said = |label, confidence| Opinion::new(0, label, confidence, "");
        assert!(!cascade.leaves_open(&said(OpinionLabel::Supported, 0.95)));
        assert!(!cascade.leaves_open(&said(OpinionLabel::Contradicted, 0.95)));
        assert!(cascade.leaves_open(&said(OpinionLabel::Supported, 0.6)));
        assert!(cascade.leaves_open(&said(OpinionLabel::Unknown, 0.9)));
        assert!(cascade.leaves_open(&Opinion::failed(0, "x")));
        assert_eq!(CascadeRun { band: cascade, claims: 0, escalated: 0 }.share(), None);
    }
}
