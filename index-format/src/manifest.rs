//! The manifest: what one generation of the index is made of.
//!
//! It names the segments with their lengths and checksums, their tombstones and the caller's settings. A manifest file is
//! written once and never changed; `CURRENT` says which one counts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::codec::{Decoder, Encoder};
use crate::error::{FormatError, Result};
use crate::header::{FileKind, Header, decode_with_body};
use crate::names::{check_section_name, manifest_name};
use crate::section::{SectionSummary, SegmentId, SegmentSummary};
use crate::tombstones::Tombstones;
use crate::version::FORMAT_VERSION;

/// Largest manifest: far beyond a million segments, and small enough to be read whole.
pub(crate) const MAX_MANIFEST: u64 = 1 << 30;

/// The number of a published state of the index; the next one is greater by one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Generation(pub u64);

impl Generation {
    /// The generation after this one.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// One segment as a generation sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentEntry {
    /// What the segment's file must be.
    pub summary: SegmentSummary,
    /// How many chunks it holds, with deleted ones.
    pub chunk_count: u64,
    /// How many documents it holds, with deleted ones.
    pub document_count: u64,
    /// What is deleted of it.
    pub tombstones: Option<Tombstones>,
    /// The caller's own bytes, for example statistics.
    pub extra: Vec<u8>,
}

/// One generation of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Its number; the first one is 0.
    pub generation: Generation,
    /// The format version in which it was written.
    pub format_version: u32,
    /// When the index was made, in seconds since 1970; kept over generations.
    pub created: u64,
    /// The number that the next new segment gets at least.
    pub next_segment: u64,
    /// The caller's settings, opaque here.
    pub settings: Vec<u8>,
    /// The segments in the caller's order.
    pub segments: Vec<SegmentEntry>,
}

/// Bytes of a segment entry with nothing in it.
const SMALLEST_ENTRY: usize = 3 * 8 + 4 + 8 + 8 + 4 + 8;

impl Manifest {
    /// The first, empty generation.
    pub(crate) fn first(created: u64, settings: Vec<u8>) -> Self {
        let (generation, format_version) = (Generation(0), FORMAT_VERSION);
        Self { generation, format_version, created, next_segment: 0, settings, segments: Vec::new() }
    }

    /// A copy with the next generation's number, to be changed and published.
    pub fn next(&self) -> Self {
        Self { generation: self.generation.next(), format_version: FORMAT_VERSION, ..self.clone() }
    }

    /// The name of the manifest's file.
    pub fn file_name(&self) -> String {
        manifest_name(self.generation)
    }

    /// The names of all files that this generation needs, itself included.
    pub fn files(&self) -> Vec<String> {
        let segments = self.segments.iter().flat_map(|entry| {
            let id = entry.summary.id;
            let tombstones = entry.tombstones.as_ref().and_then(|tombstones| tombstones.file_name(id));
            [Some(entry.summary.file_name()), tombstones].into_iter().flatten()
        });
        std::iter::once(self.file_name()).chain(segments).collect()
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        let mut encoder = Encoder::new();
        encoder.put_u64(self.created);
        encoder.put_u64(self.next_segment);
        encoder.put_sized(&self.settings);
        encoder.put_u64(self.segments.len() as u64);
        for entry in &self.segments {
            encode_summary(&entry.summary, &mut encoder);
            encoder.put_u64(entry.chunk_count);
            encoder.put_u64(entry.document_count);
            Tombstones::encode(entry.tombstones.as_ref(), &mut encoder);
            encoder.put_sized(&entry.extra);
        }
        let body = encoder.into_bytes();
        if body.len() as u64 >= MAX_MANIFEST {
            let (length, limit) = (body.len() as u64, MAX_MANIFEST);
            return Err(FormatError::TooLarge { what: "the manifest", length, limit });
        }
        let mut bytes = Header::with_body(FileKind::Manifest, self.generation.0, &body).encode();
        bytes.extend_from_slice(&body);
        Ok(bytes)
    }

    pub(crate) fn decode(generation: Generation, bytes: &[u8]) -> Result<Self> {
        let file = manifest_name(generation);
        let (header, body) = decode_with_body(&file, FileKind::Manifest, generation.0, bytes)?;
        let mut decoder = Decoder::new(&file, None, (bytes.len() - body.len()) as u64, body);
        let created = decoder.u64()?;
        let next_segment = decoder.u64()?;
        let settings = decoder.sized()?.to_vec();
        let count = decoder.count(SMALLEST_ENTRY)?;
        let mut segments = Vec::with_capacity(count.min(1024));
        for _ in 0..count {
            segments.push(SegmentEntry {
                summary: decode_summary(&mut decoder)?,
                chunk_count: decoder.u64()?,
                document_count: decoder.u64()?,
                tombstones: Tombstones::decode(&mut decoder)?,
                extra: decoder.sized()?.to_vec(),
            });
        }
        let end = decoder.clone();
        decoder.finish()?;
        let manifest =
            Self { generation, format_version: header.format_version, created, next_segment, settings, segments };
        manifest.check_ids().map_err(|what| end.malformed(what))?;
        Ok(manifest)
    }

    /// No segment may be named twice, nor have a number that is still to be given out.
    pub(crate) fn check_ids(&self) -> Result<(), String> {
        let mut ids: Vec<u64> = self.segments.iter().map(|entry| entry.summary.id.0).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("segment {} is named twice", pair[0]));
        }
        match ids.last() {
            Some(last) if *last >= self.next_segment => {
                Err(format!("segment {last} where {} comes next", self.next_segment))
            }
            _ => Ok(()),
        }
    }
}

fn encode_summary(summary: &SegmentSummary, encoder: &mut Encoder) {
    encoder.put_u64(summary.id.0);
    encoder.put_u64(summary.length);
    encoder.put_u32(summary.checksum);
    encoder.put_u64(summary.sections.len() as u64);
    for section in &summary.sections {
        encoder.put_text(&section.name);
        encoder.put_u64(section.length);
    }
}

fn decode_summary(decoder: &mut Decoder<'_>) -> Result<SegmentSummary> {
    let (id, length, checksum) = (SegmentId(decoder.u64()?), decoder.u64()?, decoder.u32()?);
    let count = decoder.count(16)?;
    let mut sections = Vec::with_capacity(count.min(1024));
    for _ in 0..count {
        let at = decoder.clone();
        let section = SectionSummary { name: decoder.text()?.to_owned(), length: decoder.u64()? };
        check_section_name(&section.name).map_err(|error| at.malformed(error.to_string()))?;
        sections.push(section);
    }
    Ok(SegmentSummary { id, length, checksum, sections })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = Vec<SegmentEntry>> {
        let sections = prop::collection::vec(("[a-z.]{1,12}", any::<u64>()), 0..4);
        let tombstones = prop_oneof![
            Just(None),
            any::<Vec<u8>>().prop_map(|bytes| Some(Tombstones::Inline(bytes))),
            (any::<u64>(), any::<u64>(), any::<u32>()).prop_map(|(generation, length, checksum)| {
                Some(Tombstones::File { generation: Generation(generation), length, checksum })
            }),
        ];
        let entry = (any::<u64>(), any::<u32>(), sections, any::<u64>(), any::<u64>(), tombstones, any::<Vec<u8>>());
        prop::collection::vec(entry, 0..5).prop_map(|parts| {
            let entries = parts.into_iter().enumerate().map(
                |(id, (length, checksum, sections, chunk_count, document_count, tombstones, extra))| SegmentEntry {
                    summary: SegmentSummary {
                        id: SegmentId(id as u64 * 3),
                        length,
                        checksum,
                        sections: sections.into_iter().map(|(name, length)| SectionSummary { name, length }).collect(),
                    },
                    chunk_count,
                    document_count,
                    tombstones,
                    extra,
                },
            );
            entries.collect()
        })
    }

    proptest! {
        #[test]
        fn a_manifest_survives_the_round_trip(
            segments in entries(), generation in any::<u64>(), created in any::<u64>(), settings in any::<Vec<u8>>(),
        ) {
            let generation = Generation(generation);
            let manifest = Manifest { generation, format_version: FORMAT_VERSION, created, next_segment: 100, settings, segments };
            let bytes = manifest.encode().unwrap();
            prop_assert_eq!(Manifest::decode(generation, &bytes).unwrap(), manifest);
        }

        #[test]
        fn any_body_under_a_sound_header_decodes_to_a_manifest_or_an_error(body in any::<Vec<u8>>()) {
            let mut bytes = Header::with_body(FileKind::Manifest, 3, &body).encode();
            bytes.extend_from_slice(&body);
            if let Err(error) = Manifest::decode(Generation(3), &bytes) {
                prop_assert!(error.is_damage(), "{}", error);
            }
        }

        #[test]
        fn a_changed_byte_under_a_sound_header_decodes_to_a_manifest_or_an_error(
            segments in entries(), at in any::<prop::sample::Index>(), value in any::<u8>(),
        ) {
            let manifest = Manifest { next_segment: 100, segments, ..Manifest::first(7, b"settings".to_vec()) };
            let mut body = manifest.encode().unwrap().split_off(64);
            let at = at.index(body.len());
            body[at] = value;
            let mut bytes = Header::with_body(FileKind::Manifest, 0, &body).encode();
            bytes.extend_from_slice(&body);
            if let Err(error) = Manifest::decode(Generation(0), &bytes) {
                prop_assert!(error.is_damage(), "{}", error);
            }
        }
    }

    #[test]
    fn a_segment_count_of_2_to_the_63_is_refused_before_allocating() {
        let mut body = vec![0; 24];
        body.extend_from_slice(&(1_u64 << 63).to_le_bytes());
        let mut bytes = Header::with_body(FileKind::Manifest, 0, &body).encode();
        bytes.extend_from_slice(&body);
        let error = Manifest::decode(Generation(0), &bytes).unwrap_err();
        assert!(error.to_string().ends_with("in `manifest-00000000.mft` at byte 88"), "{error}");
    }
}
