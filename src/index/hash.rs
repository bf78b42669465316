//! Hashes: of ids and passages for finding equal ones, of documents for knowing them again.

use sha2::{Digest, Sha256};

use super::stored::StoredHeader;
use crate::text::fold;

/// A hash to find equal byte strings by; equal hashes are compared in full. FNV-1a with a final mix.
pub(super) fn quick_hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    // The low bits of FNV spread badly; SplitMix64's finish spreads them.
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The form in which passages count as identical: folded, white space as single blanks.
pub(super) fn passage_form(text: &str) -> String {
    let folded = fold(text);
    let mut form = String::with_capacity(folded.len());
    for word in folded.split_whitespace() {
        if !form.is_empty() {
            form.push(' ');
        }
        form.push_str(word);
    }
    form
}

/// SHA-256 over all of a document: its text and everything that is known of it.
pub(super) fn content_hash(header: &[u8], text: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update((header.len() as u64).to_le_bytes());
    hasher.update(header);
    hasher.update(text.as_bytes());
    hasher.finalize().into()
}

/// The header's bytes, as they are stored and hashed.
pub(super) fn encode_header(header: &StoredHeader) -> Result<Vec<u8>, super::IndexError> {
    Ok(evidex_index_format::encode_metadata(header)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_identical_whatever_their_case_and_spacing() {
        assert_eq!(passage_form(" The  Tower\nis 31 m. "), passage_form("the tower is 31\u{a0}m."));
        assert_ne!(passage_form("31 m"), passage_form("13 m"));
    }

    #[test]
    fn the_quick_hash_is_fixed() {
        // Stored in segments: it must never change within a format version.
        assert_eq!(quick_hash(b"evidex"), quick_hash(b"evidex"));
        assert_ne!(quick_hash(b"a"), quick_hash(b"b"));
    }
}
