//! The format version and the feature bits, and what this build can read.
//!
//! The version is an integer of the format's own, independent of the crate's version. A required feature that
//! this build does not know is refused by its name; an unknown optional feature is passed over.

use crate::error::{FormatError, Result};
use crate::header::Header;

/// The format version that this build writes.
pub const FORMAT_VERSION: u32 = 1;

/// The oldest format version that this build reads.
pub(crate) const OLDEST_VERSION: u32 = 1;

/// The required features that this build knows. Version 1 has none.
pub(crate) const KNOWN_REQUIRED_FEATURES: u64 = 0;

/// Refuses a file that this build cannot read rightly.
pub(crate) fn check_readable(file: &str, header: &Header) -> Result<()> {
    let found = header.format_version;
    if !(OLDEST_VERSION..=FORMAT_VERSION).contains(&found) {
        let (file, oldest, newest) = (file.to_owned(), OLDEST_VERSION, FORMAT_VERSION);
        return Err(FormatError::UnsupportedVersion { file, found, oldest, newest });
    }
    let unknown = header.required_features & !KNOWN_REQUIRED_FEATURES;
    if unknown != 0 {
        let feature = header.feature_name(unknown.trailing_zeros());
        return Err(FormatError::UnknownFeature { file: file.to_owned(), feature });
    }
    Ok(())
}
