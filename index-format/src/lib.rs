//! The bytes of an evidex index: how they lie in files, how they become durable, how they are read back.
//!
//! `FORMAT.md`, beside this package's `Cargo.toml`, leads: it gives the byte tables, the publish sequence,
//! the recovery rules and what is assumed of the storage medium. This package performs what it says and knows nothing of
//! text, models or claims.
//!
//! ```text
//! bytes -> Section -> segment file -> SegmentSummary -> Manifest -> CURRENT -> SegmentReader -> bytes
//! ```
//!
//! Arrays are plain little-endian sections, read in place from the memory map. Small metadata of the caller's own
//! is encoded with `postcard` ([`encode_metadata`]); `bincode`, a common choice before, has ended: its version 3 is
//! a compile error by its authors' wish.
//!
//! ```
//! use evidex_index_format::{LockHolder, Manifest, MemStorage, SegmentEntry, SegmentWriter, Store};
//! use std::sync::Arc;
//!
//! let store = Store::create(Arc::new(MemStorage::new()), 1_760_000_000, b"settings".to_vec())?;
//! let lock = store.lock_writer(&LockHolder::this_process(1_760_000_000))?;
//!
//! let mut writer = SegmentWriter::create(store.storage(), store.allocate_segment(&lock))?;
//! writer.begin_section("greeting")?;
//! writer.write_bytes(b"hello")?;
//! let summary = writer.finish()?;
//!
//! let mut manifest = store.current().next();
//! manifest.segments.push(SegmentEntry { summary, chunk_count: 1, document_count: 1, tombstones: None, extra: vec![] });
//! store.publish(&lock, manifest)?;
//!
//! let opened = store.open_segments()?;
//! assert_eq!(&*opened.readers[0].section("greeting")?.bytes()?, b"hello");
//! # Ok::<(), evidex_index_format::FormatError>(())
//! ```
#![deny(unsafe_code)]
#![warn(missing_docs)]

mod checksum;
mod codec;
mod error;
mod header;
mod names;
mod version;

mod kernel;
mod mmap;
mod storage;

mod fs_storage;
mod lock;
mod mem_storage;

mod section;
mod segment_reader;
mod segment_writer;
mod tombstones;

mod manifest;
mod publish;
mod recovery;
mod store;

mod backup;
mod garbage;
mod inspect;

pub use checksum::{BLOCK_LENGTH, checksum};
pub use codec::{Decoder, Encoder, decode_metadata, encode_metadata, i8s, u32_at, u32s, u64_at, u64s};
pub use error::{FormatError, Problem, Result};
pub use fs_storage::FsStorage;
pub use garbage::{Collected, Keep};
pub use inspect::{CheckReport, Damage, InspectedSection, InspectedSegment, Inspection, check, inspect};
pub use kernel::Kernel;
pub use lock::{LockHolder, WriterLock};
pub use manifest::{Generation, Manifest, SegmentEntry};
pub use mem_storage::{CrashImage, MemStorage};
pub use mmap::Bytes;
pub use names::WORK_PREFIX;
pub use section::{ALIGNMENT, SectionSummary, SegmentId, SegmentSummary};
pub use segment_reader::{Section, SegmentReader};
pub use segment_writer::SegmentWriter;
pub use storage::{DirectoryEntry, Storage, StorageFile, StorageLock};
pub use store::{OpenSegments, Store};
pub use tombstones::{INLINE_TOMBSTONES, Tombstones};
pub use version::FORMAT_VERSION;
