//! Whether a sentence states a computation.

use crate::text::arithmetic;

/// Whether the sentence says what some computation on numbers gives: "17 × 3 = 51", "20 % of 450 is 90".
pub(super) fn is_arithmetic(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) && !arithmetic(text).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computations_are_told_from_ranges_and_shares() {
        for text in ["17 × 3 = 51", "So 2+2=5.", "20 % of 450 is 90.", "12 times 12 equals 144", "51 = 17 × 3"] {
            assert!(is_arithmetic(text), "{text}");
        }
        for text in [
            "In 2019–2020 Paris hosted 30 events.",
            "Output rose by 20 percent in 1987.",
            "It is 10 km long.",
            "The score was 3-1.",
        ] {
            assert!(!is_arithmetic(text), "{text}");
        }
    }
}
