//! Each measure against a second computation of another kind: counting pairs, trying every threshold, brute sums.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// Rows with few distinct scores, so that ties are common; sometimes one class, sometimes none at all.
fn scored() -> impl Strategy<Value = (Vec<f64>, Vec<bool>)> {
    (0usize..40, 1u32..12, prop_oneof![Just(0u32), Just(50), Just(100), 0u32..=100]).prop_flat_map(
        |(n, levels, share)| {
            (
                prop::collection::vec((0..levels).prop_map(move |level| f64::from(level) / f64::from(levels)), n),
                prop::collection::vec((0u32..100).prop_map(move |draw| draw < share), n),
            )
        },
    )
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.is_finite() && (a - b).abs() < 1e-9,
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// Every threshold that can be told apart: rows flagged at it, as (hits, alarms).
fn every_threshold(scores: &[f64], positive: &[bool]) -> Vec<(f64, f64)> {
    let flagged = |threshold: f64, kind: bool| {
        scores.iter().zip(positive).filter(|(score, is)| **score >= threshold && **is == kind).count() as f64
    };
    scores.iter().map(|threshold| (flagged(*threshold, true), flagged(*threshold, false))).collect()
}

proptest! {
    #[test]
    fn auroc_is_the_share_of_pairs_in_the_right_order_with_ties_half((scores, positive) in scored()) {
        let (mut pairs, mut won) = (0.0, 0.0);
        for (a, a_is) in scores.iter().zip(&positive).filter(|(_, is)| **is) {
            for (b, _) in scores.iter().zip(&positive).filter(|(_, is)| !**is) {
                prop_assert!(*a_is);
                pairs += 1.0;
                won += if a > b { 1.0 } else if a == b { 0.5 } else { 0.0 };
            }
        }
        let expected = (pairs > 0.0).then(|| won / pairs);
        prop_assert!(close(auroc(&scores, &positive, &ones(scores.len())), expected));
    }

    #[test]
    fn weights_count_as_copies_of_rows((scores, positive) in scored(), copies in prop::collection::vec(0u32..4, 40)) {
        let weights = &copies[..scores.len()];
        let mut written_out = (Vec::new(), Vec::new());
        for ((score, is), times) in scores.iter().zip(&positive).zip(weights) {
            for _ in 0..*times {
                written_out.0.push(*score);
                written_out.1.push(*is);
            }
        }
        let plain = ones(written_out.0.len());
        prop_assert!(close(auroc(&scores, &positive, weights), auroc(&written_out.0, &written_out.1, &plain)));
        prop_assert!(close(
            precision_at_recall(&scores, &positive, weights, 0.8),
            precision_at_recall(&written_out.0, &written_out.1, &plain, 0.8)
        ));
    }

    #[test]
    fn precision_at_recall_is_the_best_of_all_thresholds((scores, positive) in scored(), wanted in 0.05f64..1.0) {
        let positives = positive.iter().filter(|is| **is).count() as f64;
        let both = positives > 0.0 && positives < positive.len() as f64;
        let expected = every_threshold(&scores, &positive)
            .into_iter()
            .filter(|(hits, _)| hits / positives >= wanted - 1e-12)
            .map(|(hits, alarms)| hits / (hits + alarms))
            .fold(None, |best: Option<f64>, next| Some(best.map_or(next, |best| best.max(next))));
        let found = precision_at_recall(&scores, &positive, &ones(scores.len()), wanted);
        prop_assert!(close(found, expected.filter(|_| both)), "{found:?} {expected:?}");
    }

    #[test]
    fn recall_at_false_alarms_is_the_best_of_all_thresholds((scores, positive) in scored(), rate in 0.0f64..0.6) {
        let positives = positive.iter().filter(|is| **is).count() as f64;
        let negatives = positive.len() as f64 - positives;
        let expected = every_threshold(&scores, &positive)
            .into_iter()
            .filter(|(_, alarms)| *alarms <= rate * negatives + 1e-12)
            .map(|(hits, _)| hits / positives)
            .fold(0.0, f64::max);
        let found = recall_at_false_alarms(&scores, &positive, &ones(scores.len()), rate);
        prop_assert!(close(found, (positives > 0.0 && negatives > 0.0).then_some(expected)));
    }

    #[test]
    fn class_measures_agree_with_counting_row_by_row(
        rows in prop::collection::vec((0usize..3, 0usize..4), 0..40),
        only in prop::option::of(0usize..3),
    ) {
        let rows: Vec<(usize, usize)> = rows.into_iter().map(|(gold, said)| (only.unwrap_or(gold), said)).collect();
        let mut matrix = ConfusionMatrix::new(3, 1);
        for (gold, said) in &rows {
            matrix.add(*gold, *said, 1);
        }
        let count = |of: &dyn Fn(usize, usize) -> bool| rows.iter().filter(|(g, s)| of(*g, *s)).count() as f64;
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let (mut recalls, mut f1s) = (Vec::new(), Vec::new());
        for class in 0..3 {
            let right = count(&|g, s| g == class && s == class);
            let (precision, recall) =
                (share(right, count(&|_, s| s == class)), share(right, count(&|g, _| g == class)));
            let counts = matrix.of(class);
            prop_assert!(close(counts.precision(), precision) && close(counts.recall(), recall));
            // The harmonic mean, where both are there and not both are 0.
            if let (Some(p), Some(r)) = (precision, recall) {
                let f1 = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
                prop_assert!(close(counts.f1(), Some(f1)));
            }
            if let Some(recall) = recall {
                recalls.push(recall);
                f1s.push(counts.f1().unwrap_or(f64::NAN));
            }
        }
        let mean = |values: &[f64]| (values.len() > 1).then(|| values.iter().sum::<f64>() / values.len() as f64);
        prop_assert!(close(matrix.balanced_accuracy(), mean(&recalls)));
        prop_assert!(close(matrix.macro_f1(), mean(&f1s)));
        prop_assert!(close(matrix.accuracy(), share(count(&|g, s| g == s), rows.len() as f64)));
    }

    #[test]
    fn calibration_error_sums_every_row_once((probabilities, outcomes) in scored(), bins in 1usize..15, top in any::<bool>()) {
        let probabilities: Vec<f64> = probabilities.iter().map(|p| if top { 1.0 - p } else { *p }).collect();
        // Row by row: the bin of each row by a comparison with its edges, not by arithmetic.
        let mut expected = 0.0;
        for bin in 0..bins {
            let (low, high) = (bin as f64 / bins as f64, (bin + 1) as f64 / bins as f64);
            let inside = |p: f64| p >= low && (p < high || bin + 1 == bins);
            let members: Vec<usize> = (0..probabilities.len()).filter(|at| inside(probabilities[*at])).collect();
            let gap: f64 = members.iter().map(|at| probabilities[*at] - f64::from(u8::from(outcomes[*at]))).sum();
            expected += gap.abs();
        }
        let expected = (!probabilities.is_empty()).then(|| expected / probabilities.len() as f64);
        let found = equal_width_bins(&probabilities, &outcomes, bins);
        if let Some(found) = &found {
            prop_assert_eq!(found.iter().map(|bin| bin.rows).sum::<u64>(), probabilities.len() as u64);
        }
        let error = found.as_deref().and_then(expected_calibration_error);
        // A probability just at an edge may fall either way by rounding of the edge itself; 1/levels rarely does.
        let at_edge = probabilities.iter().any(|p| {
            let scaled = p * bins as f64;
            (scaled - scaled.round()).abs() < 1e-9 && scaled.round() > 0.0 && scaled.round() < bins as f64
        });
        prop_assert!(at_edge || close(error, expected), "{error:?} {expected:?}");
    }

    #[test]
    fn bins_of_equal_mass_hold_every_row_once_and_part_no_ties((probabilities, outcomes) in scored(), bins in 1usize..12) {
        let found = equal_mass_bins(&probabilities, &outcomes, bins);
        prop_assert_eq!(found.is_none(), probabilities.is_empty());
        let found = found.unwrap_or_default();
        prop_assert!(found.len() <= bins);
        prop_assert_eq!(found.iter().map(|bin| bin.rows).sum::<u64>(), probabilities.len() as u64);
        prop_assert!(found.windows(2).all(|two| two[0].high < two[1].low));
        // Shuffled rows give the same bins.
        let (mut p, mut o) = (probabilities.clone(), outcomes.clone());
        p.reverse();
        o.reverse();
        let turned = equal_mass_bins(&p, &o, bins).unwrap_or_default();
        let same = |a: &CalibrationBin, b: &CalibrationBin| a.rows == b.rows && (a.frequency - b.frequency).abs() < 1e-12;
        prop_assert!(found.len() == turned.len() && found.iter().zip(&turned).all(|(a, b)| same(a, b)));
        // Merged into one bin, the error is the distance of the two means.
        let whole = equal_mass_bins(&probabilities, &outcomes, 1).unwrap_or_default();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / probabilities.len().max(1) as f64;
        let gap = mean(&mut probabilities.iter().copied()) - mean(&mut outcomes.iter().map(|o| f64::from(u8::from(*o))));
        prop_assert!(close(expected_calibration_error(&whole), (!whole.is_empty()).then_some(gap.abs())));
    }

    #[test]
    fn the_brier_score_is_variance_plus_squared_bias((probabilities, outcomes) in scored()) {
        // Mean squared difference = variance of the difference + square of its mean.
        let n = probabilities.len() as f64;
        let gaps: Vec<f64> =
            probabilities.iter().zip(&outcomes).map(|(p, o)| p - f64::from(u8::from(*o))).collect();
        let mean = gaps.iter().sum::<f64>() / n;
        let expected = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / n + mean * mean;
        prop_assert!(close(brier(&probabilities, &outcomes), (n > 0.0).then_some(expected)));
    }

    #[test]
    fn a_percentile_is_the_least_value_that_enough_values_do_not_exceed(
        mut values in prop::collection::vec(0.0f64..100.0, 0..40),
        share in 0.01f64..=1.0,
    ) {
        values.sort_by(f64::total_cmp);
        let enough = |value: f64| values.iter().filter(|other| **other <= value).count() as f64 >= share * values.len() as f64;
        let expected = values.iter().copied().find(|value| enough(*value));
        prop_assert_eq!(percentile(&values, share), expected);
        let expected = (!values.is_empty()).then(|| values.iter().fold(0.0, |a, b| a + b) / values.len() as f64);
        prop_assert!(close(mean(&values), expected));
    }

    #[test]
    fn the_bootstrap_is_the_same_for_a_seed_and_holds_the_mean(values in prop::collection::vec(0u32..2, 1..40), seed in 0u64..9) {
        let figure = |weights: &[u32]| {
            let total: u32 = weights.iter().sum();
            Some(weights.iter().zip(&values).map(|(w, v)| f64::from(w * v)).sum::<f64>() / f64::from(total))
        };
        let interval = bootstrap(values.len(), 200, seed, figure).unwrap();
        prop_assert_eq!(Some(interval), bootstrap(values.len(), 200, seed, figure));
        let mean = f64::from(values.iter().sum::<u32>()) / values.len() as f64;
        prop_assert!(interval.low <= mean + 1e-9 && mean <= interval.high + 1e-9, "{interval:?} {mean}");
        // Normal theory gives about the same width.
        let width = 2.0 * 1.96 * (mean * (1.0 - mean) / values.len() as f64).sqrt();
        prop_assert!(interval.high - interval.low <= 1.5 * width + 2.0 / values.len() as f64);
    }

    #[test]
    fn ranked_lists_are_measured_as_by_the_definition(
        order in prop::collection::vec(0usize..12, 0..12),
        gains in prop::collection::vec(0u32..3, 12),
        k in 1usize..12,
    ) {
        let names: Vec<String> = (0..12).map(|n| format!("d{n}")).collect();
        let relevant: BTreeMap<String, u32> = names.iter().cloned().zip(gains.iter().copied()).collect();
        let ranked: Vec<&str> = order.iter().map(|at| names[*at].as_str()).collect();
        let mut seen = Vec::new();
        for at in &order {
            if !seen.contains(at) {
                seen.push(*at);
            }
        }
        let there = gains.iter().filter(|gain| **gain > 0).count();
        let dcg = |list: &[u32]| -> f64 {
            (0..list.len().min(k)).map(|at| f64::from(list[at]) * std::f64::consts::LN_2 / (at as f64 + 2.0).ln()).sum()
        };
        let mut ideal = gains.clone();
        ideal.sort_unstable();
        ideal.reverse();
        let own: Vec<u32> = seen.iter().map(|at| gains[*at]).collect();
        prop_assert!(close(ndcg(&ranked, &relevant, k), (there > 0).then(|| dcg(&own) / dcg(&ideal))));
        let found = own.iter().take(k).filter(|gain| **gain > 0).count();
        prop_assert!(close(recall_at(&ranked, &relevant, k), (there > 0).then(|| found as f64 / there as f64)));
        let first = (1..=own.len()).find(|rank| own[rank - 1] > 0).map_or(0.0, |rank| 1.0 / rank as f64);
        prop_assert!(close(reciprocal_rank(&ranked, &relevant), (there > 0).then_some(first)));
    }

    #[test]
    fn mcnemar_is_the_two_sided_binomial_probability(first in 0u64..15, second in 0u64..15) {
        // All outcomes of as many fair coins, those at least as uneven counted.
        let coins = first + second;
        let uneven = first.abs_diff(second);
        let outcomes = 1u64 << coins;
        let extreme = (0..outcomes.min(1 << 20))
            .filter(|outcome| {
                let heads = u64::from(outcome.count_ones());
                heads.abs_diff(coins - heads) >= uneven
            })
            .count() as f64;
        prop_assume!(outcomes <= 1 << 20);
        let found = mcnemar(first, second).p_value;
        prop_assert!((found - extreme / outcomes as f64).abs() < 1e-9, "{found}");
    }
}

#[test]
fn what_is_undefined_is_none_and_never_a_number() {
    let (one, tied) = ([true; 3], [0.5; 3]);
    assert_eq!(auroc(&tied, &one, &ones(3)), None);
    assert_eq!(auroc(&[], &[], &[]), None);
    assert_eq!(auroc(&[f64::NAN, 0.1], &[true, false], &ones(2)), None);
    assert_eq!(auroc(&tied, &[true, false, true], &ones(3)), Some(0.5));
    assert_eq!(precision_at_recall(&tied, &one, &ones(3), 0.9), None);
    assert_eq!(recall_at_false_alarms(&tied, &one, &ones(3), 0.01), None);
    assert_eq!(brier(&[], &[]), None);
    assert_eq!(brier(&[1.5], &[true]), None);
    assert_eq!(equal_width_bins(&[f64::NAN], &[true], 10), None);
    assert_eq!(equal_mass_bins(&[], &[], 10), None);
    assert_eq!(expected_calibration_error(&[]), None);
    assert_eq!(percentile(&[], 0.5), None);
    assert_eq!(mean(&[]), None);
    assert_eq!(bootstrap(0, 100, 1, |_| Some(1.0)), None);
    assert_eq!(bootstrap(3, 100, 1, |_| None), None);
    assert_eq!(ndcg(&["a"], &BTreeMap::new(), 10), None);
    let empty = ConfusionMatrix::new(3, 1);
    assert_eq!((empty.accuracy(), empty.balanced_accuracy(), empty.macro_f1()), (None, None, None));
    assert_eq!((empty.of(0).precision(), empty.of(0).recall(), empty.of(0).f1()), (None, None, None));
}

#[test]
fn a_sure_and_wrong_answer_is_a_calibration_error_of_one() {
    let (sure, wrong) = ([1.0; 4], [false; 4]);
    for bins in [equal_width_bins(&sure, &wrong, 10), equal_mass_bins(&sure, &wrong, 10)] {
        assert_eq!(expected_calibration_error(&bins.unwrap()), Some(1.0));
    }
}

#[test]
fn large_counts_do_not_overflow_mcnemar() {
    let even = mcnemar(5000, 5000).p_value;
    let uneven = mcnemar(4000, 6000).p_value;
    assert!(even > 0.99 && (0.0..1e-60).contains(&uneven), "{even} {uneven}");
}
