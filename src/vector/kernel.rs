//! Inner products: the loops that search time is spent in.
//!
//! Written so that the compiler vectorises them for the target's baseline.

/// Inner product of two rows of 8-bit integers; exact up to a length of 131,072.
#[inline]
pub(super) fn dot_i8(a: &[i8], b: &[i8]) -> i32 {
    // Fixed-size blocks let the compiler keep the sum in vector registers.
    const BLOCK: usize = 32;
    let (a_blocks, a_rest) = a.as_chunks::<BLOCK>();
    let (b_blocks, b_rest) = b.as_chunks::<BLOCK>();
    let mut sum = 0i32;
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        let mut of_block = 0i32;
        for i in 0..BLOCK {
            of_block += i32::from(i16::from(x[i]) * i16::from(y[i]));
        }
        sum += of_block;
    }
    for (&x, &y) in a_rest.iter().zip(b_rest) {
        sum += i32::from(x) * i32::from(y);
    }
    sum
}

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
    fn the_integer_product_equals_the_plain_sum_at_every_length() {
        for length in [0, 1, 31, 32, 33, 384, 1000] {
            let a: Vec<i8> = (0..length).map(|n| ((n * 37) % 255) as u8 as i8).map(|x| x.max(-127)).collect();
            let b: Vec<i8> = (0..length).map(|n| ((n * 91 + 5) % 255) as u8 as i8).map(|x| x.max(-127)).collect();
            let plain: i32 = a.iter().zip(&b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum();
            assert_eq!(dot_i8(&a, &b), plain, "length {length}");
        }
    }

    #[test]
    fn float_rows_are_little_endian() {
        let row: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(dot_f32(&[2.0, 1.0], &row), -1.0);
        let row: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|&x| half::f16::from_f32(x).to_le_bytes()).collect();
        assert_eq!(dot_f16(&[2.0, 1.0], &row), -1.0);
    }
}
