//! Bytes that many can hold at once, mapped from a file or owned; beside `kernel.rs` the only home of `unsafe` in this package.
//!
//! What comes in is an open file or bytes in memory; what goes out is [`Bytes`], whose address stays the same for as
//! long as any clone or slice of it lives. Number views (`&[f32]` and the like) are given only where alignment and
//! endianness allow.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// A cheap clone of immutable bytes: a mapped file, a buffer in memory, or a slice of either.
///
/// ```
/// use evidex_index_format::Bytes;
///
/// let bytes = Bytes::copy_from(b"premise");
/// let part = bytes.slice(0..3).unwrap();
/// assert_eq!(&*part, b"pre");
/// assert!(bytes.slice(5..9).is_none());
/// ```
#[derive(Clone)]
pub struct Bytes {
    /// The first byte, within what `owner` keeps alive: held here so that reading costs no detour through the owner.
    pointer: NonNull<u8>,
    length: usize,
    owner: Owner,
}

#[derive(Clone)]
enum Owner {
    Map { _map: Arc<memmap2::Mmap> },
    Buffer { _buffer: Arc<AlignedBuffer> },
}

// SAFETY: the bytes behind `pointer` are never written to while a `Bytes` exists (see `map` and `from_buffer`), and the
// owners, `Arc`s of types that are `Send` and `Sync` themselves, may be dropped by any thread.
unsafe impl Send for Bytes {}

// SAFETY: as for `Send`; sharing gives only `&[u8]`.
unsafe impl Sync for Bytes {}

impl Bytes {
    /// No bytes.
    pub fn empty() -> Self {
        Self::from_buffer(Arc::new(AlignedBuffer::default()))
    }

    /// A copy of `bytes`, aligned to 64 bytes.
    pub fn copy_from(bytes: &[u8]) -> Self {
        let mut buffer = AlignedBuffer::default();
        buffer.extend_from_slice(bytes);
        Self::from_buffer(Arc::new(buffer))
    }

    /// The part of the bytes in `range`, without a copy; `None` if they are fewer.
    pub fn slice(&self, range: Range<usize>) -> Option<Self> {
        let part = self.get(range)?;
        Some(Self { pointer: NonNull::from(part).cast(), length: part.len(), owner: self.owner.clone() })
    }

    /// Maps a whole file.
    pub(crate) fn map(file: &File) -> io::Result<Self> {
        if file.metadata()?.len() == 0 {
            return Ok(Self::empty());
        }
        // SAFETY: the map is read-only and only read through `Bytes`. It is undefined behaviour if the file's bytes change
        // while it is mapped; writers of this package never write to a file after its manifest is published, never
        // truncate one, and replace files only by rename or removal, which leave the mapped inode as it is. Other
        // programs must keep to that as well: FORMAT.md lists it among the assumptions ("No one else writes").
        let map = Arc::new(unsafe { memmap2::Mmap::map(file)? });
        let bytes: &[u8] = &map;
        // The map's address is that of its pages, which stay where they are until the last `Arc` unmaps them.
        Ok(Self { pointer: NonNull::from(bytes).cast(), length: bytes.len(), owner: Owner::Map { _map: map } })
    }

    /// Shares a buffer. While it is shared, `Arc` gives no one mutable access to it.
    pub(crate) fn from_buffer(buffer: Arc<AlignedBuffer>) -> Self {
        let bytes = buffer.as_slice();
        Self { pointer: NonNull::from(bytes).cast(), length: bytes.len(), owner: Owner::Buffer { _buffer: buffer } }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: `pointer` and `length` come from a slice of the map or buffer that `owner` keeps alive at a fixed address for
        // at least as long as `self`, and nothing writes to it meanwhile.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.length) }
    }
}

// SAFETY: `deref` gives memory behind an `Arc` (a map or a heap buffer) that is never changed through a `Bytes`, so
// moving or cloning a `Bytes` leaves the address as it is, and a clone keeps the memory alive. This lets other crates'
// byte types (tantivy's `OwnedBytes`) borrow from a `Bytes` without copying.
unsafe impl stable_deref_trait::StableDeref for Bytes {}

// SAFETY: as above: a clone dereferences to the same address.
unsafe impl stable_deref_trait::CloneStableDeref for Bytes {}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Bytes({} bytes)", self.length)
    }
}

/// Bytes on the heap that start at a multiple of 64, as sections in a mapped file do.
#[derive(Clone, Default)]
pub(crate) struct AlignedBuffer {
    blocks: Vec<AlignedBlock>,
    length: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct AlignedBlock([u8; 64]);

impl AlignedBuffer {
    pub(crate) fn as_slice(&self) -> &[u8] {
        // SAFETY: the blocks are contiguous, initialised and made of bytes only (`repr(C)`, size 64, no padding), and
        // `length` never passes their total size (`extend_from_slice` keeps that). The lifetime is that of `self`.
        unsafe { std::slice::from_raw_parts(self.blocks.as_ptr().cast::<u8>(), self.length) }
    }

    pub(crate) fn extend_from_slice(&mut self, mut bytes: &[u8]) {
        let filled = self.length % 64;
        self.length += bytes.len();
        if filled > 0
            && let Some(last) = self.blocks.last_mut()
        {
            let (head, rest) = bytes.split_at(bytes.len().min(64 - filled));
            last.0[filled..filled + head.len()].copy_from_slice(head);
            bytes = rest;
        }
        let (blocks, rest) = bytes.as_chunks::<64>();
        self.blocks.extend(blocks.iter().map(|block| AlignedBlock(*block)));
        if !rest.is_empty() {
            let mut last = AlignedBlock([0; 64]);
            last.0[..rest.len()].copy_from_slice(rest);
            self.blocks.push(last);
        }
    }
}

/// Numbers for which any bits are a value, so that bytes may be viewed as them.
pub(crate) trait Number: Sized {
    const NAME: &'static str;
}

impl Number for f32 {
    const NAME: &'static str = "f32";
}
impl Number for u32 {
    const NAME: &'static str = "u32";
}
impl Number for u16 {
    const NAME: &'static str = "u16";
}
impl Number for u64 {
    const NAME: &'static str = "u64";
}
impl Number for i8 {
    const NAME: &'static str = "i8";
}

/// `bytes` seen as little-endian numbers in place; `None` where they are not aligned, not a whole number of elements,
/// or the machine is big-endian.
#[inline]
pub(crate) fn view<T: Number>(bytes: &[u8]) -> Option<&[T]> {
    if size_of::<T>() > 1 && cfg!(target_endian = "big") {
        return None;
    }
    // SAFETY: `Number` is private to this package and implemented only for primitive numbers, of which every bit
    // pattern is a value; `align_to` itself finds the part that is aligned, and only a view of all the bytes is used.
    let (before, numbers, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(numbers)
}

/// Numbers seen as their little-endian bytes in place; `None` on a big-endian machine.
pub(crate) fn bytes_of<T: Number>(numbers: &[T]) -> Option<&[u8]> {
    if size_of::<T>() > 1 && cfg!(target_endian = "big") {
        return None;
    }
    // SAFETY: primitive numbers have no padding, and bytes need no alignment; length and lifetime are the slice's.
    Some(unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_holds_what_was_appended_in_any_steps_and_is_aligned() {
        let bytes: Vec<u8> = (0..1000).map(|index| index as u8).collect();
        for step in [1, 63, 64, 65, 200, 1000] {
            let mut buffer = AlignedBuffer::default();
            bytes.chunks(step).for_each(|part| buffer.extend_from_slice(part));
            assert_eq!(buffer.as_slice(), bytes, "step {step}");
            assert_eq!(buffer.as_slice().as_ptr() as usize % 64, 0);
        }
    }

    #[test]
    fn views_need_alignment_and_whole_elements() {
        let numbers = [1.5_f32, -2.0, 3.25];
        let bytes = Bytes::copy_from(bytes_of(&numbers).unwrap());
        assert_eq!(view::<f32>(&bytes), Some(&numbers[..]));
        assert_eq!(view::<f32>(&bytes[1..9]), None);
        assert_eq!(view::<f32>(&bytes[..6]), None);
        assert_eq!(view::<i8>(&bytes[1..3]).map(<[i8]>::len), Some(2));
        assert_eq!(view::<u64>(&[]), Some(&[][..]));
    }

    #[test]
    fn a_slice_outlives_what_it_was_cut_from() {
        let part = Bytes::copy_from(b"hypothesis").slice(2..6).unwrap();
        assert_eq!(&*part, b"poth");
        assert_eq!(&*part.slice(1..3).unwrap(), b"ot");
        assert!(part.slice(1..5).is_none());
        #[expect(clippy::reversed_empty_ranges, reason = "the reversed range is what is tested")]
        let reversed = part.slice(3..2);
        assert!(reversed.is_none());
    }
}
