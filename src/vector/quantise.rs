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
    // The cast saturates; rounding keeps it within −127..127.
    let codes = vector.iter().map(|&x| (x * by).round() as i8).collect();
    Ok(Quantised { codes, scale })
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
    fn zero_and_tiny_vectors_become_zero_and_infinite_ones_are_refused() {
        assert_eq!(quantise(&[0.0, -0.0]).unwrap(), Quantised { codes: vec![0, 0], scale: 0.0 });
        assert_eq!(quantise(&[1e-45, 0.0]).unwrap().scale, 0.0);
        assert!(matches!(quantise(&[f32::NAN]), Err(VectorError::NotFinite)));
    }
}
