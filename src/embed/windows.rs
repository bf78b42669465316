//! Where to cut a text that has more tokens than a model takes.
//!
//! In: how many tokens there are and how many fit. Out: ranges of tokens that together cover all of them, each as
//! long as fits and sharing at least an eighth with the one before, spread evenly so that none is a mere rest.

use std::ops::Range;

/// The windows over `tokens` tokens, none longer than `limit` (at least 1). One window when all fit, also for none.
pub(super) fn windows(tokens: usize, limit: usize) -> Vec<Range<usize>> {
    let limit = limit.max(1);
    if tokens <= limit {
        return std::iter::once(0..tokens).collect();
    }
    let step = (limit - limit / 8).max(1);
    let count = (tokens - limit).div_ceil(step) + 1;
    (0..count)
        .map(|i| {
            let start = (tokens - limit) * i / (count - 1);
            start..start + limit
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_that_fits_is_one_window() {
        assert!(matches!(windows(0, 254).as_slice(), [one] if *one == (0..0)));
        assert!(matches!(windows(254, 254).as_slice(), [one] if *one == (0..254)));
        assert_eq!(windows(255, 254), [0..254, 1..255]);
    }

    proptest! {
        #[test]
        fn windows_cover_every_token_overlap_and_fit(tokens in 0_usize..5000, limit in 1_usize..600) {
            let all = windows(tokens, limit);
            prop_assert_eq!(all[0].start, 0);
            prop_assert_eq!(all[all.len() - 1].end, tokens);
            for window in &all {
                prop_assert!(window.len() <= limit);
            }
            for two in all.windows(2) {
                prop_assert!(two[1].start + limit / 8 <= two[0].end && two[0].start < two[1].start);
            }
        }
    }
}
