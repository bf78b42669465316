//! Inner products of floats. Those of 8-bit rows, where search time is spent, are `evidex_index_format`'s `Kernel`.
//!
//! Written so that the compiler vectorises them for the target's baseline.

/// Inner product of a vector and a row of little-endian 32-bit floats.
pub(super) fn dot_f32(vector: &[f32], row: &[u8]) -> f32 {
    let (row, _) = row.as_chunks::<4>();
    sum_in_lanes(vector.iter().zip(row).map(|(&x, &y)| x * f32::from_le_bytes(y)))
}

/// Inner product of a vector and a row of little-endian 16-bit floats.
pub(super) fn dot_f16(vector: &[f32], row: &[u8]) -> f32 {
    let (row, _) = row.as_chunks::<2>();
    sum_in_lanes(vector.iter().zip(row).map(|(&x, &y)| x * half::f16::from_le_bytes(y).to_f32()))
}

/// Eight running sums, so that the additions do not wait for each other; the order is fixed, the result repeatable.
fn sum_in_lanes(products: impl Iterator<Item = f32>) -> f32 {
    let mut lanes = [0f32; 8];
    for (at, product) in products.enumerate() {
        lanes[at & 7] += product;
    }
    lanes.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_rows_are_little_endian() {
        let row: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(dot_f32(&[2.0, 1.0], &row), -1.0);
        let row: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|&x| half::f16::from_f32(x).to_le_bytes()).collect();
        assert_eq!(dot_f16(&[2.0, 1.0], &row), -1.0);
    }
}
