//! The first 64 bytes of every file: what it is, which version, which features, whose it is.
//!
//! Segments, manifests, tombstone files and `CURRENT` share one layout, and it stays the same in every later version, so
//! that any build can tell a newer file from a damaged one. Feature names follow it where bits are set.

use crate::checksum::checksum;
use crate::codec::{Decoder, Encoder, pad_length};
use crate::error::{FormatError, Problem, Result};
use crate::version::{FORMAT_VERSION, check_readable};

/// Length of the fixed part of a header.
pub(crate) const HEADER_LENGTH: usize = 64;

/// Longest table of feature names.
pub(crate) const MAX_FEATURE_NAMES: usize = 4032;

const CHECKSUM_AT: usize = HEADER_LENGTH - 4;

/// The kinds of file, each with its magic bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    Segment,
    Manifest,
    Tombstones,
    Current,
}

impl FileKind {
    pub(crate) fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Segment => b"EVDXSEG\n",
            Self::Manifest => b"EVDXMAN\n",
            Self::Tombstones => b"EVDXDEL\n",
            Self::Current => b"EVDXCUR\n",
        }
    }

    pub(crate) fn described(self) -> &'static str {
        match self {
            Self::Segment => "a segment",
            Self::Manifest => "a manifest",
            Self::Tombstones => "a tombstone file",
            Self::Current => "a `CURRENT` file",
        }
    }
}

/// A decoded header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: FileKind,
    pub(crate) format_version: u32,
    pub(crate) required_features: u64,
    pub(crate) optional_features: u64,
    /// Lines of `bit=name`, for the features whose bits are set.
    pub(crate) feature_names: String,
    /// The segment's id, or the generation.
    pub(crate) identity: u64,
    /// Length of what follows the header (of the manifest file, in `CURRENT`); 0 in a segment.
    pub(crate) body_length: u64,
    /// Checksum of what follows (of the whole manifest file, in `CURRENT`); 0 in a segment.
    pub(crate) body_checksum: u32,
}

impl Header {
    pub(crate) fn new(kind: FileKind, identity: u64) -> Self {
        Self {
            kind,
            format_version: FORMAT_VERSION,
            required_features: 0,
            optional_features: 0,
            feature_names: String::new(),
            identity,
            body_length: 0,
            body_checksum: 0,
        }
    }

    /// A header for `body`, which follows it.
    pub(crate) fn with_body(kind: FileKind, identity: u64, body: &[u8]) -> Self {
        Self { body_length: body.len() as u64, body_checksum: checksum(body), ..Self::new(kind, identity) }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let names = self.feature_names.as_bytes();
        let mut encoder = Encoder::new();
        encoder.put_bytes(self.kind.magic());
        encoder.put_u32(self.format_version);
        encoder.put_u32(names.len() as u32);
        encoder.put_u64(self.required_features);
        encoder.put_u64(self.optional_features);
        encoder.put_u64(self.identity);
        encoder.put_u64(self.body_length);
        encoder.put_u32(self.body_checksum);
        encoder.put_u64(0);
        encoder.put_u32(0);
        encoder.put_bytes(names);
        encoder.pad_to(HEADER_LENGTH);
        let mut bytes = encoder.into_bytes();
        let sum = header_checksum(&bytes);
        bytes[CHECKSUM_AT..HEADER_LENGTH].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Decodes and checks a header; gives it with its length, after which the body starts.
    pub(crate) fn decode(file: &str, kind: FileKind, bytes: &[u8]) -> Result<(Self, usize)> {
        let (header, length) = Self::decode_any_version(file, kind, bytes)?;
        check_readable(file, &header)?;
        Ok((header, length))
    }

    /// Decodes a header without asking whether this build reads its version.
    pub(crate) fn decode_any_version(file: &str, kind: FileKind, bytes: &[u8]) -> Result<(Self, usize)> {
        let corrupt = |offset: usize, problem| FormatError::corrupt(file, None, offset as u64, problem);
        if bytes.len() < HEADER_LENGTH {
            let (needed, available) = (HEADER_LENGTH as u64, bytes.len() as u64);
            return Err(corrupt(0, Problem::Truncated { needed, available }));
        }
        if bytes[..8] != kind.magic()[..] {
            return Err(corrupt(0, Problem::WrongMagic { expected: kind.described() }));
        }
        let mut decoder = Decoder::new(file, None, 8, &bytes[8..HEADER_LENGTH]);
        let format_version = decoder.u32()?;
        let names_length = decoder.u32()? as usize;
        let required_features = decoder.u64()?;
        let optional_features = decoder.u64()?;
        let identity = decoder.u64()?;
        let body_length = decoder.u64()?;
        let body_checksum = decoder.u32()?;
        decoder.u64()?;
        let expected = decoder.u32()?;
        if names_length > MAX_FEATURE_NAMES {
            return Err(corrupt(12, Problem::Malformed(format!("{names_length} bytes of feature names"))));
        }
        let length = HEADER_LENGTH + names_length + pad_length(names_length, HEADER_LENGTH);
        if bytes.len() < length {
            let (needed, available) = (length as u64, bytes.len() as u64);
            return Err(corrupt(HEADER_LENGTH, Problem::Truncated { needed, available }));
        }
        let found = header_checksum(&bytes[..length]);
        if found != expected {
            return Err(corrupt(0, Problem::ChecksumMismatch { expected, found }));
        }
        let feature_names = String::from_utf8_lossy(&bytes[HEADER_LENGTH..HEADER_LENGTH + names_length]).into_owned();
        let header = Self {
            kind,
            format_version,
            required_features,
            optional_features,
            feature_names,
            identity,
            body_length,
            body_checksum,
        };
        Ok((header, length))
    }

    /// The name that the file gives to a feature bit.
    pub(crate) fn feature_name(&self, bit: u32) -> String {
        self.feature_names
            .lines()
            .filter_map(|line| line.split_once('='))
            .find(|(number, _)| number.parse() == Ok(bit))
            .map_or_else(|| format!("bit {bit}"), |(_, name)| name.to_owned())
    }
}

/// Decodes a file that is a header and its body, whole; gives both.
pub(crate) fn decode_with_body<'a>(
    file: &str,
    kind: FileKind,
    identity: u64,
    bytes: &'a [u8],
) -> Result<(Header, &'a [u8])> {
    let (header, start) = Header::decode(file, kind, bytes)?;
    let body = &bytes[start..];
    let corrupt = |offset: usize, problem| Err(FormatError::corrupt(file, None, offset as u64, problem));
    if header.identity != identity {
        let what = if kind == FileKind::Tombstones { "the segment's id" } else { "the generation" };
        return corrupt(32, Problem::WrongIdentity { what, expected: identity, found: header.identity });
    }
    if header.body_length != body.len() as u64 {
        let (expected, found) = (header.body_length, body.len() as u64);
        return corrupt(start, Problem::WrongLength { expected, found });
    }
    let found = checksum(body);
    if header.body_checksum != found {
        return corrupt(start, Problem::ChecksumMismatch { expected: header.body_checksum, found });
    }
    Ok((header, body))
}

/// The checksum that stands in an encoded header.
pub(crate) fn stored_checksum(bytes: &[u8]) -> u32 {
    crate::codec::u32_at(bytes, CHECKSUM_AT / 4).unwrap_or_default()
}

/// The checksum of a header: all of it and its feature names, save for the checksum's own four bytes.
fn header_checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[..CHECKSUM_AT]);
    hasher.update(&bytes[HEADER_LENGTH..]);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Result<(Header, usize)> {
        Header::decode("file", FileKind::Manifest, bytes)
    }

    #[test]
    fn a_header_survives_the_round_trip() {
        let header = Header::with_body(FileKind::Manifest, 7, b"body");
        let bytes = header.encode();
        assert_eq!(bytes.len(), HEADER_LENGTH);
        assert_eq!(decode(&bytes).unwrap(), (header, HEADER_LENGTH));
    }

    #[test]
    fn every_flipped_bit_of_a_header_is_found() {
        let bytes =
            Header { optional_features: 4, feature_names: "2=later".to_owned(), ..Header::new(FileKind::Manifest, 7) }
                .encode();
        assert!(decode(&bytes).is_ok());
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&damaged).unwrap_err().is_damage(), "bit {bit}");
        }
    }

    #[test]
    fn a_newer_version_is_told_from_damage() {
        let bytes = Header { format_version: FORMAT_VERSION + 1, ..Header::new(FileKind::Manifest, 7) }.encode();
        let error = decode(&bytes).unwrap_err();
        assert_eq!(error.to_string(), "`file` has format version 2, this build reads 1 to 1");
    }

    #[test]
    fn an_unknown_required_feature_is_refused_by_name() {
        let named = Header {
            required_features: 8,
            feature_names: "3=encrypted-text\n".to_owned(),
            ..Header::new(FileKind::Manifest, 7)
        };
        let error = decode(&named.encode()).unwrap_err();
        assert_eq!(error.to_string(), "`file` needs the feature `encrypted-text`, which this build does not know");
        let unnamed = Header { feature_names: String::new(), ..named };
        let error = decode(&unnamed.encode()).unwrap_err();
        assert_eq!(error.to_string(), "`file` needs the feature `bit 3`, which this build does not know");
    }

    #[test]
    fn an_unknown_optional_feature_is_passed_over() {
        let header = Header { optional_features: u64::MAX, ..Header::new(FileKind::Manifest, 7) };
        assert!(decode(&header.encode()).is_ok());
    }
}
