//! What an index is made of, as plain values, and whether every byte of it is as it was written.
//!
//! Both work without the writer's lock, on a damaged index as well, and change nothing.

use serde::Serialize;

use crate::error::{FormatError, Result};
use crate::manifest::{Generation, Manifest};
use crate::names::FileName;
use crate::recovery::{generations, leftover_warnings, read_manifest, read_pointer, recover};
use crate::section::SegmentId;
use crate::segment_reader::SegmentReader;
use crate::storage::Storage;
use crate::tombstones::Tombstones;

/// The structure of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Where it is.
    pub location: String,
    /// The format version of the current manifest.
    pub format_version: Option<u32>,
    /// The current generation, where one could be read.
    pub generation: Option<Generation>,
    /// When the index was made, in seconds since 1970.
    pub created: Option<u64>,
    /// Length of the caller's settings.
    pub settings_length: u64,
    /// Generations whose manifests are in the folder.
    pub generations: Vec<Generation>,
    /// The current generation's segments.
    pub segments: Vec<InspectedSegment>,
    /// Files of ours that the current generation does not need: left over, or kept for readers.
    pub unreferenced: Vec<String>,
    /// The sum of all files' lengths.
    pub total_length: u64,
    /// What is odd or unreadable.
    pub warnings: Vec<String>,
}

/// One segment of an [`Inspection`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedSegment {
    /// Its number.
    pub id: SegmentId,
    /// Its file.
    pub file: String,
    /// The file's length.
    pub length: u64,
    /// The checksum of its footer.
    pub checksum: u32,
    /// Chunks, with deleted ones.
    pub chunk_count: u64,
    /// Documents, with deleted ones.
    pub document_count: u64,
    /// `none`, `inline` or the tombstone file's name.
    pub tombstones: String,
    /// Length of the caller's own bytes in the manifest.
    pub extra_length: u64,
    /// Its sections.
    pub sections: Vec<InspectedSection>,
    /// Why the segment cannot be opened, if so.
    pub error: Option<String>,
}

/// One section of an [`InspectedSegment`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InspectedSection {
    /// The name.
    pub name: String,
    /// Where it starts in the file; `None` where the segment cannot be opened.
    pub offset: Option<u64>,
    /// The length in bytes.
    pub length: u64,
}

/// Damage at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The file.
    pub file: String,
    /// The section, if the place lies in one.
    pub section: Option<String>,
    /// The place, counted from the start of the file.
    pub offset: u64,
    /// The whole message.
    pub message: String,
}

/// The result of a [`check`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// The generation that was checked.
    pub generation: Option<Generation>,
    /// How many files were read.
    pub files: u64,
    /// How many bytes were read.
    pub bytes: u64,
    /// Everything that is not as it was written.
    pub damage: Vec<Damage>,
    /// What is odd and harmless.
    pub warnings: Vec<String>,
}

impl CheckReport {
    /// Whether nothing is damaged.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }

    fn note(&mut self, error: &FormatError) {
        let message = error.to_string();
        let (file, section, offset) = match error {
            FormatError::Corrupt { file, section, offset, .. } => (file.clone(), section.clone(), *offset),
            FormatError::Missing { file } | FormatError::Io { file, .. } => (file.clone(), None, 0),
            FormatError::UnsupportedVersion { file, .. } | FormatError::UnknownFeature { file, .. } => {
                (file.clone(), None, 0)
            }
            _ => (String::new(), None, 0),
        };
        self.damage.push(Damage { file, section, offset, message });
    }
}

/// Describes an index, also one that is damaged in part.
///
/// # Errors
/// When the folder cannot be listed, or holds nothing of an index.
pub fn inspect(storage: &dyn Storage) -> Result<Inspection> {
    let entries = storage.list()?;
    let mut warnings = leftover_warnings(&entries);
    let manifest = match recover(storage) {
        Ok(recovered) => {
            warnings.extend(recovered.warnings);
            Some(recovered.manifest)
        }
        Err(error @ FormatError::NotAnIndex { .. }) => return Err(error),
        Err(error) => {
            warnings.push(error.to_string());
            None
        }
    };
    let needed = manifest.as_ref().map(Manifest::files).unwrap_or_default();
    let unreferenced = entries.iter().filter(|entry| {
        let ours = matches!(
            FileName::parse(&entry.name),
            FileName::Manifest(_) | FileName::Segment(_) | FileName::Tombstones(..) | FileName::CurrentTemporary
        );
        ours && !needed.contains(&entry.name)
    });
    Ok(Inspection {
        location: storage.location(),
        format_version: manifest.as_ref().map(|manifest| manifest.format_version),
        generation: manifest.as_ref().map(|manifest| manifest.generation),
        created: manifest.as_ref().map(|manifest| manifest.created),
        settings_length: manifest.as_ref().map_or(0, |manifest| manifest.settings.len() as u64),
        generations: generations(&entries),
        segments: manifest.as_ref().map(|manifest| inspect_segments(storage, manifest)).unwrap_or_default(),
        unreferenced: unreferenced.map(|entry| entry.name.clone()).collect(),
        total_length: entries.iter().map(|entry| entry.length).sum(),
        warnings,
    })
}

fn inspect_segments(storage: &dyn Storage, manifest: &Manifest) -> Vec<InspectedSegment> {
    let inspected = manifest.segments.iter().map(|entry| {
        let reader = SegmentReader::open(storage, &entry.summary);
        let sections = entry.summary.sections.iter().map(|section| InspectedSection {
            offset: reader.as_ref().ok().and_then(|reader| reader.section_offset(&section.name)),
            name: section.name.clone(),
            length: section.length,
        });
        InspectedSegment {
            id: entry.summary.id,
            file: entry.summary.file_name(),
            length: entry.summary.length,
            checksum: entry.summary.checksum,
            chunk_count: entry.chunk_count,
            document_count: entry.document_count,
            tombstones: match &entry.tombstones {
                None => "none".to_owned(),
                Some(Tombstones::Inline(_)) => "inline".to_owned(),
                Some(file) => file.file_name(entry.summary.id).unwrap_or_default(),
            },
            extra_length: entry.extra.len() as u64,
            sections: sections.collect(),
            error: reader.as_ref().err().map(ToString::to_string),
        }
    });
    inspected.collect()
}

/// Verifies every checksum of the current generation, and every byte of padding between them.
///
/// Damage is collected, not stopped at: the report lists all of it.
///
/// # Errors
/// When the place holds no index or cannot be read at all.
pub fn check(storage: &dyn Storage) -> Result<CheckReport> {
    let entries = storage.list()?;
    let mut report = CheckReport { warnings: leftover_warnings(&entries), ..CheckReport::default() };
    // `recover` passes over a damaged `CURRENT`; a check does not.
    if let Err(error) = read_pointer(storage) {
        report.note(&error);
    } else {
        report.files += 1;
        report.bytes += crate::header::HEADER_LENGTH as u64;
    }
    let manifest = match recover(storage) {
        Ok(recovered) => {
            report.warnings.extend(recovered.warnings);
            recovered.manifest
        }
        Err(error) if error.is_damage() => {
            report.note(&error);
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    report.generation = Some(manifest.generation);
    report.files += 1;
    report.bytes += storage.length(&manifest.file_name())?.unwrap_or(0);
    for entry in &manifest.segments {
        report.files += 1;
        match SegmentReader::open(storage, &entry.summary) {
            Ok(reader) => {
                report.bytes += reader.length();
                reader.damage().for_each(|error| report.note(&error));
            }
            Err(error) => report.note(&error),
        }
        if let Some(tombstones) = &entry.tombstones {
            match tombstones.read(storage, entry.summary.id) {
                Ok(bytes) => report.bytes += bytes.len() as u64,
                Err(error) => report.note(&error),
            }
        }
    }
    for generation in generations(&entries).into_iter().filter(|other| *other != manifest.generation) {
        if let Err(error) = read_manifest(storage, generation) {
            report.warnings.push(format!("an older or unpublished generation: {error}"));
        }
    }
    Ok(report)
}
