//! How well a score puts the rows to be found before the others.

/// A point of a receiver-operating or precision–recall curve: what is flagged from one threshold on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Rows with at least this score are flagged.
    pub threshold: f64,
    /// Weight of the positives flagged.
    pub true_positives: u64,
    /// Weight of the negatives flagged.
    pub false_positives: u64,
}

/// A weight of one for each of `count` rows.
pub fn ones(count: usize) -> Vec<u32> {
    vec![1; count]
}

/// One point for each distinct score, highest first; `None` where a score is not finite or the lengths differ.
pub fn curve(scores: &[f64], positive: &[bool], weights: &[u32]) -> Option<Vec<CurvePoint>> {
    if scores.len() != positive.len() || scores.len() != weights.len() || scores.iter().any(|score| !score.is_finite())
    {
        return None;
    }
    let mut order: Vec<usize> = (0..scores.len()).filter(|at| weights[*at] > 0).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    let mut points: Vec<CurvePoint> = Vec::new();
    let (mut hits, mut alarms) = (0, 0);
    for at in order {
        *(if positive[at] { &mut hits } else { &mut alarms }) += u64::from(weights[at]);
        let point = CurvePoint { threshold: scores[at], true_positives: hits, false_positives: alarms };
        match points.last_mut() {
            // Equal scores cannot be told apart: they are flagged together.
            Some(last) if last.threshold == point.threshold => *last = point,
            _ => points.push(point),
        }
    }
    Some(points)
}

/// Probability that a positive row scores higher than a negative one, ties counted half (Hanley & McNeil, 1982);
/// `None` without rows of both kinds.
///
/// ```
/// use evidex::eval::metrics::{auroc, ones};
/// assert_eq!(auroc(&[0.9, 0.4, 0.4], &[true, true, false], &ones(3)), Some(0.75));
/// assert_eq!(auroc(&[0.9, 0.4], &[true, true], &ones(2)), None);
/// ```
pub fn auroc(scores: &[f64], positive: &[bool], weights: &[u32]) -> Option<f64> {
    let points = curve(scores, positive, weights)?;
    let last = points.last()?;
    let (positives, negatives) = (last.true_positives, last.false_positives);
    if positives == 0 || negatives == 0 {
        return None;
    }
    let (mut before, mut area) = ((0, 0), 0.0);
    for point in &points {
        let (hits, alarms) = before;
        area += (point.false_positives - alarms) as f64 * (point.true_positives + hits) as f64 / 2.0;
        before = (point.true_positives, point.false_positives);
    }
    Some(area / (positives as f64 * negatives as f64))
}

/// The best precision at which at least `recall` of the positives are flagged; `None` without rows of both kinds.
pub fn precision_at_recall(scores: &[f64], positive: &[bool], weights: &[u32], recall: f64) -> Option<f64> {
    let points = curve(scores, positive, weights)?;
    let last = points.last()?;
    if last.true_positives == 0 || last.false_positives == 0 {
        return None;
    }
    let needed = recall * last.true_positives as f64;
    points
        .iter()
        .filter(|point| point.true_positives as f64 >= needed - 1e-9)
        .map(|point| point.true_positives as f64 / (point.true_positives + point.false_positives) as f64)
        .max_by(f64::total_cmp)
}

/// The largest share of the positives that can be flagged while at most `rate` of the negatives are; `None` without
/// rows of both kinds.
pub fn recall_at_false_alarms(scores: &[f64], positive: &[bool], weights: &[u32], rate: f64) -> Option<f64> {
    let points = curve(scores, positive, weights)?;
    let last = points.last()?;
    if last.true_positives == 0 || last.false_positives == 0 {
        return None;
    }
    let allowed = rate * last.false_positives as f64;
    let hits = points
        .iter()
        .filter(|point| point.false_positives as f64 <= allowed + 1e-9)
        .map(|point| point.true_positives)
        .max()
        .unwrap_or(0);
    Some(hits as f64 / last.true_positives as f64)
}
