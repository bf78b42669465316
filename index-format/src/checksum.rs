//! CRC-32 (ISO-HDLC, the one of zip and Ethernet) over blocks of 4 KiB.
//!
//! A section is covered block by block, so that a reader checks only what it touches. CRC-32 finds every burst of
//! up to 32 bits and misses other damage once in four thousand million blocks; it is no defence against forgery.

/// How many bytes of a section one checksum covers; the last block of a section may be shorter.
pub const BLOCK_LENGTH: usize = 4096;

/// The CRC-32 of `bytes`.
///
/// ```
/// assert_eq!(evidex_index_format::checksum(b"123456789"), 0xcbf4_3926);
/// ```
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// Checksums of a stream of bytes, one per block.
#[derive(Default)]
pub(crate) struct BlockChecksums {
    finished: Vec<u32>,
    hasher: crc32fast::Hasher,
    filled: usize,
}

impl BlockChecksums {
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(BLOCK_LENGTH - self.filled));
            self.hasher.update(head);
            self.filled += head.len();
            if self.filled == BLOCK_LENGTH {
                self.end_block();
            }
            bytes = rest;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u32> {
        if self.filled > 0 {
            self.end_block();
        }
        self.finished
    }

    fn end_block(&mut self) {
        self.finished.push(std::mem::take(&mut self.hasher).finalize());
        self.filled = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_checksums_do_not_depend_on_how_the_bytes_arrive() {
        let bytes: Vec<u8> = (0..3 * BLOCK_LENGTH + 17).map(|index| (index % 251) as u8).collect();
        let expected: Vec<u32> = bytes.chunks(BLOCK_LENGTH).map(checksum).collect();
        for step in [1, 7, 4095, 4096, 4097, bytes.len()] {
            let mut blocks = BlockChecksums::default();
            bytes.chunks(step).for_each(|part| blocks.update(part));
            assert_eq!(blocks.finish(), expected, "step {step}");
        }
    }

    #[test]
    fn no_bytes_have_no_blocks() {
        assert_eq!(BlockChecksums::default().finish(), Vec::<u32>::new());
    }
}
