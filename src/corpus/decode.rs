//! From bytes to text: byte-order marks, UTF-8, and, where a text is neither, a guess that is told.
//!
//! Nothing is dropped without a word: what cannot be read becomes U+FFFD and is counted in the [`DecodeNote`].

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::problem::CorpusError;

/// How a text was decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeNote {
    /// The encoding's name: "UTF-8", "windows-1252", "UTF-16LE".
    pub encoding: &'static str,
    /// Whether the text began with a byte-order mark, which was taken off.
    pub byte_order_mark: bool,
    /// Whether the encoding was guessed from the bytes.
    pub guessed: bool,
    /// Byte sequences that mean nothing in this encoding, each replaced by U+FFFD.
    pub damaged: u64,
}

impl DecodeNote {
    /// What a reader should be told.
    pub fn warnings(&self) -> Vec<CorpusError> {
        let mut warnings = Vec::new();
        if self.guessed {
            warnings.push(CorpusError::EncodingGuessed { encoding: self.encoding });
        }
        if self.damaged > 0 {
            warnings.push(CorpusError::EncodingDamaged { encoding: self.encoding, count: self.damaged });
        }
        warnings
    }
}

/// Decodes a whole text of unknown encoding: a byte-order mark decides, then UTF-8 if it is valid, then a guess.
///
/// ```
/// let (text, note) = evidex::corpus::decode("The café opened in 1931.".as_bytes());
/// assert_eq!((text.as_str(), note.encoding, note.guessed), ("The café opened in 1931.", "UTF-8", false));
/// ```
pub fn decode(bytes: &[u8]) -> (String, DecodeNote) {
    decode_owned(bytes.to_vec(), None, None)
}

/// As [`decode`], without a copy where the bytes are UTF-8. `named` beats a guess and `declared` (by the text itself)
/// is used where the bytes are no UTF-8.
pub(super) fn decode_owned(
    mut bytes: Vec<u8>,
    named: Option<&'static Encoding>,
    declared: Option<&'static Encoding>,
) -> (String, DecodeNote) {
    let note = |encoding: &'static Encoding| DecodeNote {
        encoding: encoding.name(),
        byte_order_mark: false,
        guessed: false,
        damaged: 0,
    };
    if let Some((encoding, length)) = Encoding::for_bom(&bytes) {
        let mut note = DecodeNote { byte_order_mark: true, ..note(encoding) };
        let text = if encoding == UTF_8 {
            bytes.drain(..length);
            utf8_or_replaced(bytes, &mut note)
        } else {
            replaced(encoding, &bytes[length..], &mut note)
        };
        return (text, note);
    }
    if let Some(encoding) = named {
        let mut note = note(encoding);
        let text =
            if encoding == UTF_8 { utf8_or_replaced(bytes, &mut note) } else { replaced(encoding, &bytes, &mut note) };
        return (text, note);
    }
    let wide = utf16_without_mark(&bytes);
    let escapes = bytes.windows(2).any(|pair| pair == b"\x1b$");
    if wide.is_none() && !escapes {
        bytes = match String::from_utf8(bytes) {
            Ok(text) => return (text, note(UTF_8)),
            Err(error) => error.into_bytes(),
        };
        if mostly_utf8(&bytes) {
            let mut note = note(UTF_8);
            return (utf8_or_replaced(bytes, &mut note), note);
        }
    }
    let usable = declared.filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible());
    let encoding = wide.or(usable).unwrap_or_else(|| guess(&[&bytes]));
    let mut note = DecodeNote { guessed: usable.is_none() || wide.is_some(), ..note(encoding) };
    if encoding == UTF_8 {
        note.guessed = false;
        return (utf8_or_replaced(bytes, &mut note), note);
    }
    (replaced(encoding, &bytes, &mut note), note)
}

/// The likeliest encoding of text that is not UTF-8.
fn guess(parts: &[&[u8]]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    for part in parts {
        detector.feed(part, false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Allow)
}

fn utf8_or_replaced(bytes: Vec<u8>, note: &mut DecodeNote) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        note.damaged = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn replaced(encoding: &'static Encoding, bytes: &[u8], note: &mut DecodeNote) -> String {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    if had_errors {
        note.damaged = text.chars().filter(|character| *character == '\u{fffd}').count() as u64;
    }
    text.into_owned()
}

/// Whether bytes that are not all UTF-8 are so for the most part: a damaged file, not another encoding.
fn mostly_utf8(bytes: &[u8]) -> bool {
    let (mut sound, mut damaged) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        sound += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    // A text that was cut off inside its last character is no sign of another encoding.
    let cut_off = str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none());
    damaged > 0 && (sound >= 4 * damaged || (cut_off && sound > 0))
}

/// UTF-16 without its mark: nearly every second byte of Western text is zero.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4096)];
    let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let pairs = start.len() / 2;
    let (even, odd) = (zeros(0), zeros(1));
    if pairs < 4 || even.max(odd) * 10 < pairs * 7 || even.min(odd) * 20 > pairs {
        return None;
    }
    Some(if odd > even { UTF_16LE } else { UTF_16BE })
}

/// What the first bytes of a file look like, if not like text.
pub(super) fn binary_kind(start: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"%PDF-", "a PDF"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"PK\x05\x06", "an empty ZIP archive"),
        (b"\x7fELF", "a program"),
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"\x1f\x8b", "gzip inside gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd inside a compressed file"),
        (b"BZh", "bzip2 inside a compressed file"),
        (b"ZIM\x04", "a ZIM archive; its name must end in .zim"),
        (b"\xfd7zXZ", "an xz archive"),
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"\xd0\xcf\x11\xe0", "an old office document"),
        (b"SQLite format 3", "a SQLite database"),
    ];
    if start.starts_with(b"\xff\xfe\0\0") || start.starts_with(b"\0\0\xfe\xff") {
        return Some("it is UTF-32");
    }
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)) {
        return Some(what);
    }
    let marked = Encoding::for_bom(start).is_some_and(|(encoding, _)| encoding != UTF_8);
    if marked || utf16_without_mark(start).is_some() {
        return None;
    }
    if start.contains(&0) {
        return Some("it holds NUL bytes");
    }
    let control =
        start.iter().filter(|byte| **byte < 9 || (14..27).contains(*byte) || (28..32).contains(*byte)).count();
    (control * 10 > start.len()).then_some("it is mostly control characters")
}

/// Decodes the records of one file one by one, with one guess for all of them.
#[derive(Debug, Default)]
pub(super) struct RecordDecoder {
    guessed: Option<&'static Encoding>,
    utf8_characters: usize,
}

impl RecordDecoder {
    /// The text of a record; `ahead` are bytes that follow it, to guess by. What is to be told comes with it.
    pub(super) fn decode(&mut self, record: &[u8], ahead: &[u8]) -> (String, Option<CorpusError>) {
        if let Ok(text) = str::from_utf8(record) {
            if self.utf8_characters < 100 {
                self.utf8_characters += text.chars().filter(|character| !character.is_ascii()).count();
            }
            return (text.to_owned(), None);
        }
        let known = self.guessed;
        let encoding = known.unwrap_or_else(|| {
            if self.utf8_characters >= 10 || mostly_utf8(record) { UTF_8 } else { guess(&[record, ahead]) }
        });
        if encoding == UTF_8 {
            let count = record.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count() as u64;
            let warning = CorpusError::EncodingDamaged { encoding: UTF_8.name(), count };
            return (String::from_utf8_lossy(record).into_owned(), Some(warning));
        }
        self.guessed = Some(encoding);
        let (text, had_errors) = encoding.decode_without_bom_handling(record);
        let warning = if had_errors {
            let count = text.chars().filter(|character| *character == '\u{fffd}').count() as u64;
            Some(CorpusError::EncodingDamaged { encoding: encoding.name(), count })
        } else {
            known.is_none().then(|| CorpusError::EncodingGuessed { encoding: encoding.name() })
        };
        (text.into_owned(), warning)
    }
}

/// Reads a stream in another encoding as UTF-8, counting what it had to replace.
pub(super) struct Transcoder<R> {
    inner: R,
    decoder: encoding_rs::Decoder,
    ready: Vec<u8>,
    at: usize,
    finished: bool,
    damaged: Arc<AtomicU64>,
}

impl<R: BufRead> Transcoder<R> {
    pub(super) fn new(inner: R, encoding: &'static Encoding, damaged: Arc<AtomicU64>) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, decoder, ready: Vec::new(), at: 0, finished: false, damaged }
    }

    fn refill(&mut self) -> io::Result<()> {
        while self.at == self.ready.len() && !self.finished {
            let input = match self.inner.fill_buf() {
                Ok(input) => input,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let last = input.is_empty();
            let room = self.decoder.max_utf8_buffer_length(input.len()).unwrap_or(usize::MAX / 2);
            self.ready.clear();
            self.ready.resize(room.max(16), 0);
            let (result, read, written, had_errors) = self.decoder.decode_to_utf8(input, &mut self.ready, last);
            self.ready.truncate(written);
            self.at = 0;
            if had_errors {
                let replaced = self.ready.windows(3).filter(|window| *window == b"\xef\xbf\xbd").count();
                self.damaged.fetch_add(replaced.max(1) as u64, Ordering::Relaxed);
            }
            self.inner.consume(read);
            self.finished = last && result == encoding_rs::CoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Transcoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.refill()?;
        let count = (self.ready.len() - self.at).min(buffer.len());
        buffer[..count].copy_from_slice(&self.ready[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_byte_order_mark_is_taken_off_and_decides_the_encoding() {
        let (text, note) = decode(b"\xef\xbb\xbfArden");
        assert_eq!((text.as_str(), note.encoding, note.byte_order_mark), ("Arden", "UTF-8", true));
        let (text, note) = decode(b"\xff\xfeA\0r\0\xe9\0");
        assert_eq!((text.as_str(), note.encoding), ("Aré", "UTF-16LE"));
        let (text, note) = decode(b"\xfe\xff\0A\0r\0\xe9");
        assert_eq!((text.as_str(), note.encoding), ("Aré", "UTF-16BE"));
    }

    #[test]
    fn latin_1_is_guessed_and_said_so() {
        let bytes: Vec<u8> = "La montaña está al sur; el café abrió en 1931 según el señor Muñoz."
            .chars()
            .map(|character| u8::try_from(u32::from(character)).unwrap())
            .collect();
        let (text, note) = decode(&bytes);
        assert_eq!(text, "La montaña está al sur; el café abrió en 1931 según el señor Muñoz.");
        assert!(note.guessed && note.damaged == 0);
        assert_eq!(note.warnings().len(), 1);
    }

    #[test]
    fn one_bad_byte_in_utf_8_is_replaced_and_counted() {
        let mut bytes = "Größe, Höhe, Länge und Tiefe des Turmes in Köln".as_bytes().to_vec();
        bytes.push(0xff);
        let (text, note) = decode(&bytes);
        assert!(text.starts_with("Größe") && text.ends_with('\u{fffd}'));
        assert_eq!((note.encoding, note.guessed, note.damaged), ("UTF-8", false, 1));
    }

    #[test]
    fn utf_16_without_a_mark_is_recognised() {
        let bytes: Vec<u8> = "The tower is 31 m high.".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(binary_kind(&bytes), None);
        assert_eq!(decode(&bytes).0, "The tower is 31 m high.");
    }

    #[test]
    fn programs_archives_and_nul_bytes_are_not_text() {
        assert_eq!(binary_kind(b"%PDF-1.7\n"), Some("a PDF"));
        assert!(binary_kind(b"text\0more").is_some());
        assert!(binary_kind(&[1, 2, 3, 4, 5, 6, 7, 8, 1, 1]).is_some());
        assert_eq!(binary_kind("Plain text, ünd more.\n\tTab".as_bytes()), None);
        assert_eq!(binary_kind(b""), None);
    }

    #[test]
    fn a_stream_in_utf_16_reads_as_utf_8_through_any_buffer_size() {
        let text = "Höhe 31 m — 塔 🚀\n".repeat(50);
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for size in [1, 2, 3, 7, 64] {
            let damaged = Arc::new(AtomicU64::new(0));
            let inner = io::BufReader::with_capacity(size, bytes.as_slice());
            let mut read = String::new();
            Transcoder::new(inner, UTF_16BE, Arc::clone(&damaged)).read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
            assert_eq!(damaged.load(Ordering::Relaxed), 0);
        }
    }

    proptest! {
        #[test]
        fn utf_8_comes_out_as_it_went_in(text in "[^\u{feff}\0\u{1b}]{0,200}") {
            let (decoded, note) = decode(text.as_bytes());
            prop_assert_eq!(decoded, text);
            prop_assert!(note.warnings().is_empty());
        }

        #[test]
        fn any_bytes_decode_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let (text, note) = decode(&bytes);
            prop_assert!(bytes.is_empty() || !text.is_empty() || note.byte_order_mark || bytes.contains(&0x1b));
            binary_kind(&bytes);
        }
    }

    #[test]
    fn a_text_cut_off_inside_a_character_stays_utf_8() {
        let whole = "São Bruno lies on the river. É";
        let (text, note) = decode(&whole.as_bytes()[..whole.len() - 1]);
        assert_eq!((text.as_str(), note.encoding, note.damaged), ("São Bruno lies on the river. \u{fffd}", "UTF-8", 1));
    }

    #[test]
    fn utf_32_is_told_apart_from_utf_16() {
        assert_eq!(binary_kind(b"\xff\xfe\0\0A\0\0\0"), Some("it is UTF-32"));
        assert_eq!(binary_kind(b"\xff\xfeA\0B\0"), None);
    }
}
