//! From a vector of floats to 8-bit integers and one scale.
//!
//! The scale is the vector's own largest value, so that all of −127..127 is used; values are rounded, not cut.

use super::VectorError;

/// A vector as 8-bit integers: value `i` is about `codes[i] * scale`.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    /// Values from −127 to 127.
    pub codes: Vec<i8>,
    /// What they are multiples of; 0 for an all-zero vector.
    pub scale: f32,
}

/// Quantises `vector`.
///
/// # Errors
/// [`VectorError::NotFinite`] where a value is infinite or not a number.
pub fn quantise(vector: &[f32]) -> Result<Quantised, VectorError> {
    let mut largest = 0f32;
    for &x in vector {
        if !x.is_finite() {
            return Err(VectorError::NotFinite);
        }
        largest = largest.max(x.abs());
    }
    let scale = largest / 127.0;
    if scale == 0.0 || !(1.0 / scale).is_finite() {
        return Ok(Quantised { codes: vec![0; vector.len()], scale: 0.0 });
    }
    let by = 1.0 / scale;
    let codes = vector.iter().map(|&x| rounded(x * by)).collect();
    Ok(Quantised { codes, scale })
}

/// The nearest whole number, of two the one farther from 0, as `f32::round` gives it, but several at once: `x` lies within
/// −127.1..127.1.
#[inline]
fn rounded(x: f32) -> i8 {
    let whole = x as i32;
    let rest = x - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)) as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_within_half_a_step() {
        let vector: Vec<f32> = (0..384).map(|n| ((n as f32) * 0.7).sin() * 0.08).collect();
        let Quantised { codes, scale } = quantise(&vector).unwrap();
        for (&code, &x) in codes.iter().zip(&vector) {
            assert!((f32::from(code) * scale - x).abs() <= scale * 0.501);
        }
        assert_eq!(codes.iter().map(|code| code.unsigned_abs()).max(), Some(127));
    }

    #[test]
    fn numbers_are_rounded_as_the_standard_library_does() {
        let halves = (-254..=254).map(|n| n as f32 / 2.0);
        for x in halves.flat_map(|x| [x, x.next_down(), x.next_up()]) {
            assert_eq!(rounded(x), x.round() as i8, "{x}");
        }
    }

    #[test]
    fn zero_and_tiny_vectors_become_zero_and_infinite_ones_are_refused() {
        assert_eq!(quantise(&[0.0, -0.0]).unwrap(), Quantised { codes: vec![0, 0], scale: 0.0 });
        assert_eq!(quantise(&[1e-45, 0.0]).unwrap().scale, 0.0);
        assert!(matches!(quantise(&[f32::NAN]), Err(VectorError::NotFinite)));
    }
}
