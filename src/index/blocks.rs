//! A long run of bytes, compressed in blocks, of which any range can be read.
//!
//! Each block holds [`BLOCK`] bytes of the run (the last one fewer), compressed with zstd; a second section says where
//! each block starts. Reading decompresses the blocks under the range and no more.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use evidex_index_format::{Section, SegmentReader, SegmentWriter};

use super::IndexError;

/// Bytes of a block before compression.
const BLOCK: usize = 16 << 10;

/// A little slower than zstd's default and a little smaller, for texts that are written once and read often.
const LEVEL: i32 = 6;

/// Blocks that a thread keeps decompressed, 2 MiB at most: the texts and headers of what a few queries found.
const KEPT: usize = 128;

/// Compresses a run; hands each block to the section that is open in a [`SegmentWriter`], or keeps it.
pub(super) struct BlockWriter {
    compressor: zstd::bulk::Compressor<'static>,
    pending: Vec<u8>,
    /// Where each block starts, and where the last one ends.
    starts: Vec<u64>,
    length: u64,
}

impl BlockWriter {
    pub(super) fn new() -> Result<Self, IndexError> {
        let compressor = zstd::bulk::Compressor::new(LEVEL).map_err(failed("compress"))?;
        Ok(Self { compressor, pending: Vec::with_capacity(BLOCK), starts: vec![0], length: 0 })
    }

    /// Bytes taken so far: where the next ones will stand.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Appends `bytes`; full blocks go to `output`.
    pub(super) fn write(
        &mut self,
        mut bytes: &[u8],
        output: &mut dyn FnMut(&[u8]) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            let (head, rest) = bytes.split_at(bytes.len().min(BLOCK - self.pending.len()));
            self.pending.extend_from_slice(head);
            bytes = rest;
            if self.pending.len() == BLOCK {
                self.flush(output)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self, output: &mut dyn FnMut(&[u8]) -> Result<(), IndexError>) -> Result<(), IndexError> {
        let block = self.compressor.compress(&self.pending).map_err(failed("compress"))?;
        self.pending.clear();
        output(&block)?;
        let start = self.starts.last().copied().unwrap_or(0);
        self.starts.push(start + block.len() as u64);
        Ok(())
    }

    /// Writes the last block and gives the places of all of them.
    pub(super) fn finish(
        mut self,
        output: &mut dyn FnMut(&[u8]) -> Result<(), IndexError>,
    ) -> Result<Vec<u64>, IndexError> {
        if !self.pending.is_empty() {
            self.flush(output)?;
        }
        Ok(self.starts)
    }
}

/// Writes the section with the places of the blocks of the section `name`; the first number is the run's length.
pub(super) fn write_starts(
    output: &mut SegmentWriter,
    name: &str,
    length: u64,
    starts: &[u64],
) -> Result<(), IndexError> {
    output.begin_section(&format!("{name}-blocks"))?;
    output.write_u64s(&[length])?;
    output.write_u64s(starts)?;
    Ok(())
}

/// Reads a run.
#[derive(Debug, Clone)]
pub(super) struct BlockReader {
    blocks: Section,
    starts: Section,
    length: u64,
    /// Tells this run from every other that the process opens; clones read the same run.
    number: u64,
}

/// What a thread decompresses with, and the blocks that it read last: reading on, and reading again, finds them there.
struct Scratch {
    decompressor: zstd::bulk::Decompressor<'static>,
    /// At most [`KEPT`] blocks, the one that was read last first.
    kept: Vec<Kept>,
}

/// A block as it was before compression.
struct Kept {
    /// The run, and the block in it.
    place: (u64, usize),
    raw: Vec<u8>,
}

impl BlockReader {
    pub(super) fn open(segment: &SegmentReader, name: &str) -> Result<Self, IndexError> {
        let blocks = segment.section(name)?;
        let starts = segment.section(&format!("{name}-blocks"))?;
        let length = starts.as_u64(0..1)?[0];
        let expected = length.div_ceil(BLOCK as u64).checked_add(2).and_then(|count| count.checked_mul(8));
        if expected != Some(starts.len() as u64) {
            return Err(starts.malformed(0, "the number of blocks does not fit the length").into());
        }
        static OPENED: AtomicU64 = AtomicU64::new(0);
        Ok(Self { blocks, starts, length, number: OPENED.fetch_add(1, Ordering::Relaxed) })
    }

    /// The bytes in `range`.
    pub(super) fn read(&self, range: Range<u64>) -> Result<Vec<u8>, IndexError> {
        if range.start > range.end || range.end > self.length {
            let what = format!("bytes {}..{} of {} were asked for", range.start, range.end, self.length);
            return Err(self.starts.malformed(0, what).into());
        }
        let mut bytes = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let block = (at / BLOCK as u64) as usize;
            let within = (at % BLOCK as u64) as usize;
            let take = ((range.end - at) as usize).min(BLOCK - within);
            self.with_block(block, |raw| {
                bytes.extend_from_slice(raw.get(within..within + take)?);
                Some(())
            })?;
            at += take as u64;
        }
        Ok(bytes)
    }

    /// As [`read`](Self::read), for a range that holds text.
    pub(super) fn read_text(&self, range: Range<u64>) -> Result<String, IndexError> {
        String::from_utf8(self.read(range)?).map_err(|_| self.blocks.malformed(0, "a text is not UTF-8").into())
    }

    fn with_block(&self, block: usize, read: impl FnOnce(&[u8]) -> Option<()>) -> Result<(), IndexError> {
        thread_local! {
            static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch { decompressor, kept } = match scratch {
                Some(scratch) => scratch,
                None => {
                    let decompressor = zstd::bulk::Decompressor::new().map_err(failed("decompress"))?;
                    scratch.insert(Scratch { decompressor, kept: Vec::new() })
                }
            };
            let place = (self.number, block);
            match kept.iter().position(|kept| kept.place == place) {
                Some(at) => kept[..=at].rotate_right(1),
                None => {
                    // A block that cannot be read leaves nothing behind under its place.
                    let oldest = if kept.len() < KEPT { None } else { kept.pop() };
                    let mut raw = oldest.map_or_else(|| Vec::with_capacity(BLOCK), |kept| kept.raw);
                    self.decompress(decompressor, block, &mut raw)?;
                    kept.insert(0, Kept { place, raw });
                }
            }
            let outside = || self.blocks.malformed(0, "a range lies outside its block").into();
            kept.first().and_then(|kept| read(&kept.raw)).ok_or_else(outside)
        })
    }

    /// Fills `raw`, which has room for [`BLOCK`] bytes, with the bytes of a block.
    fn decompress(
        &self,
        decompressor: &mut zstd::bulk::Decompressor<'static>,
        block: usize,
        raw: &mut Vec<u8>,
    ) -> Result<(), IndexError> {
        let places = self.starts.as_u64(block + 1..block + 3)?;
        let place = |at: usize| usize::try_from(places[at]).unwrap_or(usize::MAX);
        let compressed = self.blocks.slice(place(0)..place(1))?;
        let expected = (self.length - block as u64 * BLOCK as u64).min(BLOCK as u64) as usize;
        // The buffer's capacity bounds what a damaged block can grow to.
        let found = decompressor.decompress_to_buffer(compressed, raw).unwrap_or(usize::MAX);
        if found != expected {
            return Err(self.blocks.malformed(place(0), "a block does not decompress to its length").into());
        }
        Ok(())
    }
}

fn failed(operation: &'static str) -> impl Fn(std::io::Error) -> IndexError {
    move |source| evidex_index_format::FormatError::Io { operation, file: "a block of texts".to_owned(), source }.into()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evidex_index_format::{LockHolder, MemStorage, Store};

    use super::*;

    /// A run of its own that holds `text`; `damage` changes the places of its blocks.
    fn run_of(text: &[u8], damage: impl FnOnce(&mut [u64])) -> BlockReader {
        let store = Store::create(Arc::new(MemStorage::new()), 0, Vec::new()).unwrap();
        let lock = store.lock_writer(&LockHolder::this_process(0)).unwrap();
        let mut segment = SegmentWriter::create(store.storage(), store.allocate_segment(&lock)).unwrap();
        segment.begin_section("texts").unwrap();
        let mut writer = BlockWriter::new().unwrap();
        for part in text.chunks(7_001) {
            writer.write(part, &mut |block| Ok(segment.write_bytes(block)?)).unwrap();
        }
        let length = writer.length();
        let mut starts = writer.finish(&mut |block| Ok(segment.write_bytes(block)?)).unwrap();
        damage(&mut starts);
        write_starts(&mut segment, "texts", length, &starts).unwrap();
        let summary = segment.finish().unwrap();
        BlockReader::open(&SegmentReader::open(store.storage(), &summary).unwrap(), "texts").unwrap()
    }

    /// Numbers from `first` on, one after the other.
    fn numbers(first: u32, length: usize) -> Vec<u8> {
        (first..).flat_map(|n| n.to_string().into_bytes()).take(length).collect()
    }

    #[test]
    fn any_range_reads_as_it_was_written() {
        let text = numbers(0, 100_000);
        let reader = run_of(&text, |_| ());
        for (start, end) in [(0, 0), (0, 1), (16_383, 16_385), (5, 90_000), (99_999, 100_000), (0, 100_000)] {
            assert_eq!(reader.read(start as u64..end as u64).unwrap(), text[start..end], "{start}..{end}");
        }
        assert!(reader.read(99_999..100_001).is_err());
    }

    #[test]
    fn two_runs_of_more_blocks_than_are_kept_read_as_they_were_written_in_any_order() {
        let length = (KEPT + 30) * BLOCK + 17;
        let texts = [numbers(0, length), numbers(7_000_000, length)];
        let runs = texts.each_ref().map(|text| run_of(text, |_| ()));
        // A stride that is prime to the number of blocks reaches all of them, near ones again soon after.
        let blocks = KEPT + 31;
        for step in 0..4 * blocks {
            let block = if step % 3 == 0 { step % 7 } else { step * 61 % blocks };
            let (start, end) = (block * BLOCK, length.min(block * BLOCK + 40));
            let which = step % 2;
            assert_eq!(runs[which].read(start as u64..end as u64).unwrap(), texts[which][start..end], "{step}");
        }
    }

    #[test]
    fn a_block_that_cannot_be_read_fails_again_and_the_others_are_still_read() {
        let text = numbers(0, (KEPT + 3) * BLOCK);
        // The second block starts where the first one does, so that none lies under the first and two under the second.
        let reader = run_of(&text, |starts| starts[1] = starts[0]);
        let read = |block: usize| reader.read((block * BLOCK) as u64..(block * BLOCK + 9) as u64);
        for _ in 0..2 {
            for block in 2..KEPT + 3 {
                assert_eq!(read(block).unwrap(), text[block * BLOCK..block * BLOCK + 9], "{block}");
            }
            assert!(read(0).is_err());
            assert!(read(1).is_err());
            assert!(read(1).is_err());
        }
    }
}
