//! Inner products of rows of 8-bit integers, by the widest instructions that the processor has.
//!
//! In: rows as they are stored. Out: exact 32-bit sums, the same to the last bit whichever instructions made them: each
//! vector form is tested against its scalar twin. Which form is used is found out at run time, so that one build serves
//! every processor. It is here, and not with the vectors, because this package is the one that may hold `unsafe`.
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

/// A way to make inner products. Values other than the scalar one exist only on processors that can carry them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel(Form);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Default for Kernel {
    /// The fastest that this processor has.
    fn default() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni")
        {
            return Self(Form::Avx512Vnni);
        } else if is_x86_feature_detected!("avx2") {
            return Self(Form::Avx2);
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            return Self(Form::Neon);
        }
        Self::SCALAR
    }
}

impl Kernel {
    /// Plain Rust, for every processor; the twin that the others are held to.
    pub const SCALAR: Self = Self(Form::Scalar);

    /// All that this processor has, the scalar one first.
    pub fn available() -> Vec<Self> {
        let mut all = vec![Self::SCALAR];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            all.push(Self(Form::Avx2));
        }
        if !all.contains(&Self::default()) {
            all.push(Self::default());
        }
        all
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Form::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Form::Avx512Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Form::Neon => "neon",
        }
    }

    /// Inner product of two rows, as far as both reach; exact up to a length of 131,072 (further it may wrap).
    ///
    /// ```
    /// use evidex_index_format::Kernel;
    ///
    /// assert_eq!(Kernel::default().dot(&[1, -2, 3], &[4, 5, -6]), -24);
    /// ```
    #[inline]
    pub fn dot(self, a: &[i8], b: &[i8]) -> i32 {
        match self.0 {
            Form::Scalar => scalar(a, b),
            // SAFETY: the value exists only where AVX2 was detected.
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => unsafe { x86::avx2(a, b) },
            // SAFETY: the value exists only where AVX-512 F, BW and VNNI were detected.
            #[cfg(target_arch = "x86_64")]
            Form::Avx512Vnni => unsafe { x86::avx512_vnni(a, b) },
            // SAFETY: the value exists only where NEON was detected.
            #[cfg(target_arch = "aarch64")]
            Form::Neon => unsafe { arm::neon(a, b) },
        }
    }

    /// The inner product of `query` with each of the rows that lie one after the other in `rows`, into `products`, which it
    /// empties first. What is left over after the last whole row is passed over.
    pub fn dot_rows(self, rows: &[i8], query: &[i8], products: &mut Vec<i32>) {
        products.clear();
        if query.is_empty() {
            return;
        }
        match self.0 {
            Form::Scalar => products.extend(rows.chunks_exact(query.len()).map(|row| scalar(row, query))),
            // SAFETY: as in `dot`.
            #[cfg(target_arch = "x86_64")]
            Form::Avx2 => unsafe { x86::avx2_rows(rows, query, products) },
            // SAFETY: as in `dot`.
            #[cfg(target_arch = "x86_64")]
            Form::Avx512Vnni => unsafe { x86::avx512_vnni_rows(rows, query, products) },
            // SAFETY: as in `dot`.
            #[cfg(target_arch = "aarch64")]
            Form::Neon => unsafe { arm::neon_rows(rows, query, products) },
        }
    }
}

fn scalar(a: &[i8], b: &[i8]) -> i32 {
    // Fixed-size blocks let the compiler keep the sum in registers of the target's baseline.
    const BLOCK: usize = 32;
    let length = a.len().min(b.len());
    let (a_blocks, a_rest) = a[..length].as_chunks::<BLOCK>();
    let (b_blocks, b_rest) = b[..length].as_chunks::<BLOCK>();
    let mut sum = 0i32;
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        let mut of_block = 0i32;
        for i in 0..BLOCK {
            of_block += i32::from(i16::from(x[i]) * i16::from(y[i]));
        }
        sum = sum.wrapping_add(of_block);
    }
    for (&x, &y) in a_rest.iter().zip(b_rest) {
        sum = sum.wrapping_add(i32::from(x) * i32::from(y));
    }
    sum
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) unsafe fn avx2(a: &[i8], b: &[i8]) -> i32 {
        let length = a.len().min(b.len());
        let whole = length / 32 * 32;
        let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for at in (0..whole).step_by(32) {
            // SAFETY: `at + 32 <= whole`, which both slices reach; the loads need no alignment.
            let halves = unsafe {
                let half = |row: &[i8], at: usize| _mm256_cvtepi8_epi16(_mm_loadu_si128(row.as_ptr().add(at).cast()));
                [(half(a, at), half(b, at)), (half(a, at + 16), half(b, at + 16))]
            };
            even = _mm256_add_epi32(even, _mm256_madd_epi16(halves[0].0, halves[0].1));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(halves[1].0, halves[1].1));
        }
        let sum = _mm256_add_epi32(even, odd);
        let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
        let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_00_01>(sum));
        _mm_cvtsi128_si32(sum).wrapping_add(super::scalar(&a[whole..length], &b[whole..length]))
    }

    /// Needs AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn avx2_rows(rows: &[i8], query: &[i8], products: &mut Vec<i32>) {
        for row in rows.chunks_exact(query.len()) {
            // SAFETY: the caller's promise.
            products.push(unsafe { avx2(row, query) });
        }
    }

    /// Needs AVX-512 F, BW and VNNI.
    ///
    /// The instruction multiplies unsigned by signed bytes. With 128 added to each value of `a` it gives 128 times the sum of `b`
    /// too much, which a second sum takes away again.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    pub(super) unsafe fn avx512_vnni(a: &[i8], b: &[i8]) -> i32 {
        let length = a.len().min(b.len());
        let whole = length / 64 * 64;
        let offset = _mm512_set1_epi8(i8::MIN);
        let (mut sum, mut excess) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for at in (0..whole).step_by(64) {
            // SAFETY: `at + 64 <= whole`, which both slices reach; the loads need no alignment. They have no mask, as masked
            // ones wait for memory where these are fetched ahead.
            let (x, y) = unsafe {
                let load = |row: &[i8]| _mm512_loadu_si512(row.as_ptr().add(at).cast());
                (load(a), load(b))
            };
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(x, offset), y);
            excess = _mm512_dpbusd_epi32(excess, offset, y);
        }
        if whole < length {
            let mask = (1u64 << (length - whole)) - 1;
            // SAFETY: the mask lets only bytes before `length` be read, which both slices reach; the loads need no alignment.
            let (x, y) = unsafe {
                let load = |row: &[i8]| _mm512_maskz_loadu_epi8(mask, row.as_ptr().add(whole));
                (load(a), load(b))
            };
            sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(x, offset), y);
            excess = _mm512_dpbusd_epi32(excess, offset, y);
        }
        _mm512_reduce_add_epi32(_mm512_sub_epi32(sum, excess))
    }

    /// Needs AVX-512 F, BW and VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) unsafe fn avx512_vnni_rows(rows: &[i8], query: &[i8], products: &mut Vec<i32>) {
        for row in rows.chunks_exact(query.len()) {
            // SAFETY: the caller's promise.
            products.push(unsafe { avx512_vnni(row, query) });
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod arm {
    use std::arch::aarch64::*;

    /// Needs NEON.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(super) unsafe fn neon(a: &[i8], b: &[i8]) -> i32 {
        let length = a.len().min(b.len());
        let whole = length / 16 * 16;
        let mut sum = vdupq_n_s32(0);
        for at in (0..whole).step_by(16) {
            // SAFETY: `at + 16 <= whole`, which both slices reach.
            let (x, y) = unsafe { (vld1q_s8(a.as_ptr().add(at)), vld1q_s8(b.as_ptr().add(at))) };
            sum = vpadalq_s16(sum, vmull_s8(vget_low_s8(x), vget_low_s8(y)));
            sum = vpadalq_s16(sum, vmull_high_s8(x, y));
        }
        vaddvq_s32(sum).wrapping_add(super::scalar(&a[whole..length], &b[whole..length]))
    }

    /// Needs NEON.
    #[target_feature(enable = "neon")]
    pub(super) unsafe fn neon_rows(rows: &[i8], query: &[i8], products: &mut Vec<i32>) {
        for row in rows.chunks_exact(query.len()) {
            // SAFETY: the caller's promise.
            products.push(unsafe { neon(row, query) });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(a: &[i8], b: &[i8]) -> i32 {
        a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
    }

    #[test]
    fn every_kernel_is_exact_at_every_length_and_at_the_extremes() {
        for length in (0..200).chain([384, 768, 1_000, 1_024]) {
            let a: Vec<i8> = (0..length).map(|n| ((n * 37) % 256) as u8 as i8).collect();
            let b: Vec<i8> = (0..length).map(|n| ((n * 91 + 5) % 256) as u8 as i8).collect();
            let least = vec![i8::MIN; length];
            let most = vec![i8::MAX; length];
            for kernel in Kernel::available() {
                for (x, y) in [(&a, &b), (&least, &least), (&most, &most), (&least, &most), (&a, &least), (&least, &b)]
                {
                    assert_eq!(kernel.dot(x, y), plain(x, y), "{} at length {length}", kernel.name());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn every_kernel_gives_what_its_scalar_twin_gives(
            rows in proptest::collection::vec(any::<i8>(), 0..2_000),
            query in proptest::collection::vec(any::<i8>(), 0..300),
            offset in 0usize..70,
        ) {
            // Rows that start anywhere: nothing may rest on alignment.
            let rows = rows.get(offset..).unwrap_or_default();
            let (mut expected, mut found) = (Vec::new(), vec![7]);
            Kernel::SCALAR.dot_rows(rows, &query, &mut expected);
            for kernel in Kernel::available() {
                kernel.dot_rows(rows, &query, &mut found);
                prop_assert_eq!(&found, &expected, "{}", kernel.name());
                prop_assert_eq!(kernel.dot(rows, &query), plain(rows, &query), "{}", kernel.name());
            }
        }
    }
}
