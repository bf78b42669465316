//! The names of the files in an index folder, and which names are ours.
//!
//! Only names that these functions build are ever read or removed; everything else in the folder is foreign.

use crate::error::{FormatError, Result};
use crate::manifest::Generation;
use crate::section::SegmentId;

/// The pointer to the current generation.
pub(crate) const CURRENT: &str = "CURRENT";
/// What `CURRENT` is written to before it is renamed.
pub(crate) const CURRENT_TEMPORARY: &str = "CURRENT.tmp";
/// The writer's lock file.
pub(crate) const LOCK: &str = "LOCK";

/// Names that start so are left to the caller, for logs of resumable work; they are never read or removed here.
pub const WORK_PREFIX: &str = "work-";

/// What a file name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileName {
    Current,
    CurrentTemporary,
    Lock,
    Manifest(Generation),
    Segment(SegmentId),
    Tombstones(SegmentId, Generation),
    /// A file of the caller's own, see [`WORK_PREFIX`].
    Work,
    Foreign,
}

pub(crate) fn manifest_name(generation: Generation) -> String {
    format!("manifest-{:08}.mft", generation.0)
}

pub(crate) fn segment_name(id: SegmentId) -> String {
    format!("segment-{:08}.seg", id.0)
}

pub(crate) fn tombstones_name(id: SegmentId, generation: Generation) -> String {
    format!("tombstones-{:08}-{:08}.del", id.0, generation.0)
}

impl FileName {
    pub(crate) fn parse(name: &str) -> Self {
        match name {
            CURRENT => Self::Current,
            CURRENT_TEMPORARY => Self::CurrentTemporary,
            LOCK => Self::Lock,
            _ if name.starts_with(WORK_PREFIX) => Self::Work,
            _ => Self::parse_numbered(name).unwrap_or(Self::Foreign),
        }
    }

    fn parse_numbered(name: &str) -> Option<Self> {
        let (parsed, canonical) = if let Some(middle) = between(name, "manifest-", ".mft") {
            let generation = Generation(middle.parse().ok()?);
            (Self::Manifest(generation), manifest_name(generation))
        } else if let Some(middle) = between(name, "segment-", ".seg") {
            let id = SegmentId(middle.parse().ok()?);
            (Self::Segment(id), segment_name(id))
        } else {
            let (id, generation) = between(name, "tombstones-", ".del")?.split_once('-')?;
            let (id, generation) = (SegmentId(id.parse().ok()?), Generation(generation.parse().ok()?));
            (Self::Tombstones(id, generation), tombstones_name(id, generation))
        };
        // `segment-+1.seg` and `segment-1.seg` parse as numbers, yet we never write them.
        (canonical == name).then_some(parsed)
    }
}

fn between<'a>(name: &'a str, prefix: &str, suffix: &str) -> Option<&'a str> {
    name.strip_prefix(prefix)?.strip_suffix(suffix)
}

/// Refuses names that could leave the folder or confuse a file system.
pub(crate) fn check_file_name(name: &str) -> Result<()> {
    let refuse = |reason| Err(FormatError::InvalidName { name: name.to_owned(), reason });
    if name.is_empty() || name.len() > 255 {
        return refuse("a file name has 1 to 255 bytes");
    }
    if name == "." || name == ".." {
        return refuse("it names a folder");
    }
    if name.chars().any(|c| c.is_control() || matches!(c, '/' | '\\' | ':')) {
        return refuse("it holds a separator or a control character");
    }
    Ok(())
}

/// Refuses section names that could not be shown in a message.
pub(crate) fn check_section_name(name: &str) -> Result<()> {
    let refuse = |reason| Err(FormatError::InvalidName { name: name.to_owned(), reason });
    if name.is_empty() || name.len() > 255 {
        return refuse("a section name has 1 to 255 bytes");
    }
    if name.chars().any(char::is_control) {
        return refuse("it holds a control character");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_we_build_are_recognised() {
        let (id, generation) = (SegmentId(u64::MAX), Generation(123_456_789));
        assert_eq!(FileName::parse(&segment_name(id)), FileName::Segment(id));
        assert_eq!(FileName::parse(&manifest_name(generation)), FileName::Manifest(generation));
        assert_eq!(FileName::parse(&tombstones_name(id, generation)), FileName::Tombstones(id, generation));
        assert_eq!(FileName::parse("CURRENT"), FileName::Current);
    }

    #[test]
    fn other_names_are_foreign() {
        for name in [
            "Thumbs.db",
            ".tmpXYZ",
            "segment-1.seg",
            "segment-+0000001.seg",
            "segment-00000001.seg.bak",
            "segment-99999999999999999999999.seg",
            "tombstones-00000001.del",
            "manifest-.mft",
            "",
            "current",
        ] {
            assert_eq!(FileName::parse(name), FileName::Foreign, "{name}");
        }
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in ["", ".", "..", "a/b", "../x", "a\\b", "C:x", "a\nb", "\0", &"x".repeat(256)] {
            assert!(check_file_name(name).is_err(), "{name:?}");
        }
        assert!(check_file_name("a..b-ü.seg").is_ok());
    }
}
