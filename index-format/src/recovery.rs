//! Which generation counts when an index is opened ("Recovery" in `FORMAT.md`).
//!
//! `CURRENT` decides. Only where it is missing or damaged does the newest sound manifest count. A sound `CURRENT`
//! whose manifest is damaged is an error: an older generation would be a wrong answer, so falling back to one is
//! the caller's decision ([`Store::open_salvaged`](crate::Store::open_salvaged)).

use crate::checksum::checksum;
use crate::error::{FormatError, Problem, Result};
use crate::header::{FileKind, HEADER_LENGTH, Header, MAX_FEATURE_NAMES};
use crate::manifest::{Generation, MAX_MANIFEST, Manifest};
use crate::mmap::Bytes;
use crate::names::{CURRENT, FileName, manifest_name};
use crate::segment_reader::SegmentReader;
use crate::storage::{DirectoryEntry, Storage};

/// How often a reader follows a writer that replaces generations as fast as it reads them.
pub(crate) const MAX_CHASES: usize = 64;

/// What `CURRENT` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) generation: Generation,
    pub(crate) length: u64,
    pub(crate) checksum: u32,
}

/// A generation, and what was odd on the way to it.
pub(crate) struct Recovered {
    pub(crate) manifest: Manifest,
    /// What `CURRENT` said, if it was `CURRENT` that decided.
    pub(crate) pointer: Option<Pointer>,
    pub(crate) warnings: Vec<String>,
}

/// Finds the generation that counts.
pub(crate) fn recover(storage: &dyn Storage) -> Result<Recovered> {
    match read_current(storage) {
        Ok((manifest, pointer)) => Ok(Recovered { manifest, pointer: Some(pointer), warnings: Vec::new() }),
        Err(error @ (FormatError::Missing { .. } | FormatError::Corrupt { .. })) if names_current(&error) => {
            newest_sound(storage, Some(error))
        }
        Err(error) => Err(error),
    }
}

/// Reads the pointer and the manifest that it names.
pub(crate) fn read_current(storage: &dyn Storage) -> Result<(Manifest, Pointer)> {
    let mut pointer = read_pointer(storage)?;
    for _ in 0..MAX_CHASES {
        match read_named(storage, pointer) {
            // A writer may have published and collected in between.
            Err(error @ FormatError::Missing { .. }) => {
                let newer = read_pointer(storage)?;
                if newer == pointer {
                    return Err(error);
                }
                pointer = newer;
            }
            result => return Ok((result?, pointer)),
        }
    }
    Err(FormatError::Missing { file: manifest_name(pointer.generation) })
}

/// Reads `CURRENT` alone.
pub(crate) fn read_pointer(storage: &dyn Storage) -> Result<Pointer> {
    let longest = (HEADER_LENGTH + MAX_FEATURE_NAMES) as u64;
    let bytes = read_bounded(storage, CURRENT, longest)?;
    let (header, end) = Header::decode(CURRENT, FileKind::Current, &bytes)?;
    if end != bytes.len() {
        let problem = Problem::WrongLength { expected: end as u64, found: bytes.len() as u64 };
        return Err(FormatError::corrupt(CURRENT, None, end as u64, problem));
    }
    let generation = Generation(header.identity);
    Ok(Pointer { generation, length: header.body_length, checksum: header.body_checksum })
}

fn read_named(storage: &dyn Storage, pointer: Pointer) -> Result<Manifest> {
    let file = manifest_name(pointer.generation);
    let bytes = read_bounded(storage, &file, MAX_MANIFEST)?;
    let corrupt = |problem| Err(FormatError::corrupt(&file, None, 0, problem));
    // The manifest's own checks come first, as they say where it is damaged.
    let manifest = Manifest::decode(pointer.generation, &bytes)?;
    if bytes.len() as u64 != pointer.length {
        return corrupt(Problem::WrongLength { expected: pointer.length, found: bytes.len() as u64 });
    }
    let found = checksum(&bytes);
    if found != pointer.checksum {
        return corrupt(Problem::ChecksumMismatch { expected: pointer.checksum, found });
    }
    Ok(manifest)
}

/// Reads the manifest of one generation, whether or not `CURRENT` names it.
pub(crate) fn read_manifest(storage: &dyn Storage, generation: Generation) -> Result<Manifest> {
    Manifest::decode(generation, &read_bounded(storage, &manifest_name(generation), MAX_MANIFEST)?)
}

fn read_bounded(storage: &dyn Storage, file: &str, longest: u64) -> Result<Bytes> {
    match storage.length(file)? {
        None => Err(FormatError::Missing { file: file.to_owned() }),
        Some(length) if length > longest => {
            let problem = Problem::WrongLength { expected: longest, found: length };
            Err(FormatError::corrupt(file, None, 0, problem))
        }
        Some(_) => storage.read(file),
    }
}

/// The newest manifest that is sound and whose segments can all be opened; `cause` says why it is asked for.
pub(crate) fn newest_sound(storage: &dyn Storage, cause: Option<FormatError>) -> Result<Recovered> {
    let mut warnings: Vec<String> = cause.iter().map(ToString::to_string).collect();
    let mut first_error = cause;
    let entries = storage.list()?;
    let foreign_pointer = Problem::WrongMagic { expected: FileKind::Current.described() };
    let no_pointer = match &first_error {
        Some(FormatError::Missing { file }) => file == CURRENT,
        Some(FormatError::Corrupt { file, problem, .. }) => file == CURRENT && *problem == foreign_pointer,
        _ => !storage.exists(CURRENT)?,
    };
    if no_pointer && !holds_remains(&entries) {
        let (location, reason) = (storage.location(), "it holds neither `CURRENT` nor a published manifest".to_owned());
        return Err(FormatError::NotAnIndex { location, reason });
    }
    let generations = generations(&entries);
    for generation in generations.into_iter().rev() {
        match sound_manifest(storage, generation) {
            Ok(manifest) => {
                warnings.push(format!("recovered generation {generation} from `{}`", manifest.file_name()));
                return Ok(Recovered { manifest, pointer: None, warnings });
            }
            Err(error) if error.is_damage() => {
                warnings.push(error.to_string());
                first_error.get_or_insert(error);
            }
            // A newer version or a refused read is no reason to show older data.
            Err(error) => return Err(error),
        }
    }
    Err(first_error.unwrap_or_else(|| FormatError::Missing { file: CURRENT.to_owned() }))
}

/// Whether files lie in the folder that only an index can have left, apart from `CURRENT`.
///
/// The manifest of generation 0 alone does not count: it is left from a creation that did not come about, or from an index
/// that never held anything.
pub(crate) fn holds_remains(entries: &[DirectoryEntry]) -> bool {
    entries.iter().filter(|entry| entry.is_file).any(|entry| match FileName::parse(&entry.name) {
        FileName::Segment(_) | FileName::Tombstones(..) => true,
        FileName::Manifest(generation) => generation > Generation(0),
        _ => false,
    })
}

fn sound_manifest(storage: &dyn Storage, generation: Generation) -> Result<Manifest> {
    let manifest = read_manifest(storage, generation)?;
    for entry in &manifest.segments {
        SegmentReader::open(storage, &entry.summary)?;
        if let Some(tombstones) = &entry.tombstones {
            tombstones.read(storage, entry.summary.id)?;
        }
    }
    Ok(manifest)
}

/// The generations of which a manifest file lies in the folder, oldest first.
pub(crate) fn generations(entries: &[DirectoryEntry]) -> Vec<Generation> {
    let mut generations: Vec<Generation> = entries
        .iter()
        .filter(|entry| entry.is_file)
        .filter_map(|entry| match FileName::parse(&entry.name) {
            FileName::Manifest(generation) => Some(generation),
            _ => None,
        })
        .collect();
    generations.sort_unstable();
    generations
}

/// Warnings for what lies in the folder and is not ours, or is left over from an interrupted publish.
pub(crate) fn leftover_warnings(entries: &[DirectoryEntry]) -> Vec<String> {
    let warning = |entry: &DirectoryEntry| match FileName::parse(&entry.name) {
        FileName::Foreign => Some(format!("{:?} is none of the index's files; it is left alone", entry.name)),
        _ if !entry.is_file => Some(format!("{:?} is no file; it is left alone", entry.name)),
        FileName::CurrentTemporary => Some(format!("`{}` is left from an interrupted publish", entry.name)),
        _ => None,
    };
    entries.iter().filter_map(warning).collect()
}

fn names_current(error: &FormatError) -> bool {
    match error {
        FormatError::Missing { file } | FormatError::Corrupt { file, .. } => file == CURRENT,
        _ => false,
    }
}
