//! Whether a probability is a frequency: expected calibration error (Naeini et al., 2015) and the Brier score.

use serde::{Deserialize, Serialize};

/// Rows of about the same probability.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Lower end of the bin.
    pub low: f64,
    /// Upper end of the bin.
    pub high: f64,
    /// Rows in it.
    pub rows: u64,
    /// Their mean probability.
    pub mean_probability: f64,
    /// Share of them that came true.
    pub frequency: f64,
}

fn are_probabilities(probabilities: &[f64], outcomes: &[bool]) -> bool {
    !probabilities.is_empty()
        && probabilities.len() == outcomes.len()
        && probabilities.iter().all(|p| (0.0..=1.0).contains(p))
}

/// Bins of equal width over 0 to 1. Each is closed below; the last is closed above too, so that no row is lost. Empty
/// bins are left out. `None` without rows, or where a number is no probability.
///
/// ```
/// use evidex::eval::metrics::{equal_width_bins, expected_calibration_error};
/// // Sure and always wrong: the worst there is. A half-open last bin would lose these rows and report 0.
/// let bins = equal_width_bins(&[1.0, 1.0], &[false, false], 10).unwrap();
/// assert_eq!(expected_calibration_error(&bins), Some(1.0));
/// ```
pub fn equal_width_bins(probabilities: &[f64], outcomes: &[bool], bins: usize) -> Option<Vec<CalibrationBin>> {
    if !are_probabilities(probabilities, outcomes) || bins == 0 {
        return None;
    }
    let mut members = vec![Vec::new(); bins];
    for (at, p) in probabilities.iter().enumerate() {
        members[((p * bins as f64) as usize).min(bins - 1)].push(at);
    }
    let of = |place: usize, members: &Vec<usize>| {
        let (low, high) = (place as f64 / bins as f64, (place + 1) as f64 / bins as f64);
        bin(probabilities, outcomes, members, low, high)
    };
    Some(members.iter().enumerate().filter(|(_, members)| !members.is_empty()).map(|(at, m)| of(at, m)).collect())
}

/// At most `bins` bins of about as many rows each. Equal probabilities stay together, so that the order of rows does
/// not matter. `None` without rows, or where a number is no probability.
pub fn equal_mass_bins(probabilities: &[f64], outcomes: &[bool], bins: usize) -> Option<Vec<CalibrationBin>> {
    if !are_probabilities(probabilities, outcomes) || bins == 0 {
        return None;
    }
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let count = order.len();
    let mut found = Vec::new();
    let mut start = 0;
    for part in 1..=bins {
        let mut end = (count * part).div_ceil(bins).min(count);
        while end > 0 && end < count && probabilities[order[end]] == probabilities[order[end - 1]] {
            end += 1;
        }
        if end > start {
            let members = &order[start..end];
            let (low, high) = (probabilities[members[0]], probabilities[members[members.len() - 1]]);
            found.push(bin(probabilities, outcomes, members, low, high));
            start = end;
        }
    }
    Some(found)
}

fn bin(probabilities: &[f64], outcomes: &[bool], members: &[usize], low: f64, high: f64) -> CalibrationBin {
    let rows = members.len() as f64;
    CalibrationBin {
        low,
        high,
        rows: members.len() as u64,
        mean_probability: members.iter().map(|at| probabilities[*at]).sum::<f64>() / rows,
        frequency: members.iter().filter(|at| outcomes[**at]).count() as f64 / rows,
    }
}

/// Mean distance of probability and frequency, each bin weighted by its rows; `None` without rows.
pub fn expected_calibration_error(bins: &[CalibrationBin]) -> Option<f64> {
    let rows: u64 = bins.iter().map(|bin| bin.rows).sum();
    let apart = |bin: &CalibrationBin| bin.rows as f64 * (bin.mean_probability - bin.frequency).abs();
    (rows > 0).then(|| bins.iter().map(apart).sum::<f64>() / rows as f64)
}

/// Mean squared distance of probability and outcome; `None` without rows, or where a number is no probability.
pub fn brier(probabilities: &[f64], outcomes: &[bool]) -> Option<f64> {
    let distance = |(p, outcome): (&f64, &bool)| (p - f64::from(u8::from(*outcome))).powi(2);
    are_probabilities(probabilities, outcomes)
        .then(|| probabilities.iter().zip(outcomes).map(distance).sum::<f64>() / probabilities.len() as f64)
}
