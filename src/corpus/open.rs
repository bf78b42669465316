//! Opening one input: a file or standard input, decompressed by its first bytes, its memory and growth bounded.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use encoding_rs::{Encoding, UTF_8};

use super::decode::{Transcoder, binary_kind};
use super::problem::CorpusError;

/// Bytes that are looked at to tell what a file is.
const START: usize = 16 * 1024;

/// A compressed file may grow this many times …
const GROWTH: u64 = 250;

/// … or to this many bytes, whichever is more.
const FREE_GROWTH: u64 = 1 << 30;

/// An input that looks like text, decompressed, at its first byte.
pub(super) struct Opened {
    pub(super) reader: Box<dyn BufRead + Send>,
    /// A copy of its first bytes.
    pub(super) start: Vec<u8>,
    /// Its size, where known beforehand.
    pub(super) size: Option<u64>,
    /// Its size as it is stored, compressed or not, where known.
    pub(super) stored_size: Option<u64>,
    /// Bytes taken from what is stored so far.
    pub(super) taken: Arc<AtomicU64>,
}

/// Opens the file at `path`.
pub(super) fn open_file(path: &Path) -> Result<Opened, CorpusError> {
    let file = File::open(path).map_err(CorpusError::from_io)?;
    let metadata = file.metadata().map_err(CorpusError::from_io)?;
    if metadata.is_dir() {
        return Err(CorpusError::IsDirectory);
    }
    open_stream(file, metadata.is_file().then_some(metadata.len()))
}

/// Opens standard input.
pub(super) fn open_stdin() -> Result<Opened, CorpusError> {
    open_stream(io::stdin(), None)
}

/// Opens any stream of bytes.
pub(super) fn open_stream(stream: impl Read + Send + 'static, size: Option<u64>) -> Result<Opened, CorpusError> {
    let stored_size = size;
    let taken = Arc::new(AtomicU64::new(0));
    let counted = Counted { inner: stream, count: Arc::clone(&taken) };
    let (start, stream) = look_ahead(counted)?;
    let (start, reader, size): (_, Box<dyn BufRead + Send>, _) = if start.starts_with(b"\x1f\x8b\x08") {
        let (start, reader) = look_ahead(Guard::new(flate2::read::MultiGzDecoder::new(stream), Arc::clone(&taken)))?;
        (start, Box::new(BufReader::with_capacity(1 << 16, reader)), None)
    } else if start.starts_with(b"\x28\xb5\x2f\xfd") {
        let decoder = zstd::Decoder::new(stream).map_err(CorpusError::from_io)?;
        let (start, reader) = look_ahead(Guard::new(decoder, Arc::clone(&taken)))?;
        (start, Box::new(BufReader::with_capacity(1 << 16, reader)), None)
    } else {
        (start, Box::new(BufReader::with_capacity(1 << 16, stream)), size)
    };
    if let Some(what) = binary_kind(&start) {
        return Err(CorpusError::Binary { what });
    }
    Ok(Opened { reader, start, size, stored_size, taken })
}

impl Opened {
    /// All of it, if it is no larger than `limit`.
    pub(super) fn read_whole(self, limit: u64) -> Result<Vec<u8>, CorpusError> {
        let expected = self.size.unwrap_or(0).min(limit);
        if self.size.is_some_and(|size| size > limit) {
            return Err(CorpusError::TooLarge { limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0).saturating_add(1));
        self.reader.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(CorpusError::from_io)?;
        if bytes.len() as u64 > limit {
            return Err(CorpusError::TooLarge { limit });
        }
        if bytes.iter().take(1 << 16).any(|byte| *byte == 0)
            && let Some(what) = binary_kind(&bytes[..bytes.len().min(1 << 16)])
        {
            return Err(CorpusError::Binary { what });
        }
        Ok(bytes)
    }

    /// As a stream of records: without byte-order mark, and in UTF-8 if another encoding is named or marked.
    pub(super) fn into_records(mut self, named: Option<&'static Encoding>) -> Result<Records, CorpusError> {
        let marked = Encoding::for_bom(&self.start);
        if let Some((_, length)) = marked {
            let mut mark = vec![0; length];
            self.reader.read_exact(&mut mark).map_err(CorpusError::from_io)?;
        }
        let encoding = marked.map(|(encoding, _)| encoding).or(named).unwrap_or(UTF_8);
        let damaged = Arc::new(AtomicU64::new(0));
        let reader: Box<dyn BufRead + Send> = if encoding == UTF_8 {
            self.reader
        } else {
            Box::new(BufReader::new(Transcoder::new(self.reader, encoding, Arc::clone(&damaged))))
        };
        Ok(Records { reader, encoding: encoding.name(), damaged })
    }
}

/// A stream of records in bytes that are UTF-8 or will be guessed at record by record.
pub(super) struct Records {
    pub(super) reader: Box<dyn BufRead + Send>,
    encoding: &'static str,
    damaged: Arc<AtomicU64>,
}

impl Records {
    /// What had to be replaced so far where the whole stream is in another encoding.
    pub(super) fn damage(&self) -> Option<CorpusError> {
        let count = self.damaged.load(Ordering::Relaxed);
        (count > 0).then_some(CorpusError::EncodingDamaged { encoding: self.encoding, count })
    }
}

#[cfg(test)]
impl<R: BufRead + Send + 'static> From<R> for Records {
    fn from(reader: R) -> Self {
        Self { reader: Box::new(reader), encoding: "UTF-8", damaged: Arc::default() }
    }
}

/// A stream with its start put back in front.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// Reads the start of a stream and puts it back in front.
fn look_ahead<R: Read>(mut stream: R) -> Result<(Vec<u8>, Whole<R>), CorpusError> {
    let mut start = Vec::with_capacity(START);
    stream.by_ref().take(START as u64).read_to_end(&mut start).map_err(CorpusError::from_io)?;
    Ok((start.clone(), Cursor::new(start).chain(stream)))
}

/// Counts the bytes that pass.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Ends a decompressed stream with an error when it grows beyond what honest text does.
struct Guard<R> {
    inner: R,
    compressed: Arc<AtomicU64>,
    expanded: u64,
}

impl<R> Guard<R> {
    const fn new(inner: R, compressed: Arc<AtomicU64>) -> Self {
        Self { inner, compressed, expanded: 0 }
    }
}

impl<R: Read> Read for Guard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.expanded += read as u64;
        let compressed = self.compressed.load(Ordering::Relaxed);
        if self.expanded > compressed.saturating_mul(GROWTH).max(FREE_GROWTH) {
            return Err(io::Error::other(CorpusError::DecompressionBomb { compressed, expanded: self.expanded }));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn gzip_members_and_zstd_frames_are_read_one_after_the_other() {
        let mut bytes = Vec::new();
        for part in ["one ", "two"] {
            let mut encoder = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
            encoder.write_all(part.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
        assert_eq!(open_stream(Cursor::new(bytes), None).unwrap().read_whole(100).unwrap(), b"one two");
        let mut bytes = zstd::encode_all(&b"one "[..], 1).unwrap();
        bytes.extend(zstd::encode_all(&b"two"[..], 1).unwrap());
        assert_eq!(open_stream(Cursor::new(bytes), None).unwrap().read_whole(100).unwrap(), b"one two");
    }

    #[test]
    fn a_cut_off_gzip_file_is_an_error() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let noise: String = (0..20_000u32).map(|n| format!("{} ", n.wrapping_mul(2_654_435_761))).collect();
        encoder.write_all(noise.as_bytes()).unwrap();
        let bytes = encoder.finish().unwrap();
        let opened = open_stream(Cursor::new(bytes[..bytes.len() / 2].to_vec()), None).unwrap();
        assert_eq!(opened.read_whole(1 << 30).unwrap_err().code(), "corpus_io");
    }

    #[test]
    fn a_small_file_that_grows_without_end_is_stopped() {
        // 1.5 GiB of spaces in about 50 KiB of zstd; only the guard's counting is exercised, nothing is kept.
        let bytes = zstd::encode_all(io::repeat(b' ').take(3 << 29), 1).unwrap();
        let mut opened = open_stream(Cursor::new(bytes), None).unwrap();
        let error = io::copy(&mut opened.reader, &mut io::sink()).unwrap_err();
        assert_eq!(CorpusError::from_io(error).code(), "corpus_decompression_bomb");
    }

    #[test]
    fn a_document_over_the_limit_is_refused_whether_its_size_is_known_or_not() {
        for size in [Some(11), None] {
            let opened = open_stream(Cursor::new(b"eleven byte".to_vec()), size).unwrap();
            assert_eq!(opened.read_whole(10).unwrap_err().code(), "corpus_too_large");
        }
        let opened = open_stream(Cursor::new(b"ten bytes.".to_vec()), None).unwrap();
        assert_eq!(opened.read_whole(10).unwrap(), b"ten bytes.");
    }
}
