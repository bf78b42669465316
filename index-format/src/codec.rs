//! Little-endian encoding and total decoding.
//!
//! A [`Decoder`] turns any bytes into values or into an error that names file, section and offset. Lengths and
//! counts read from a file are held against the bytes that are there before anything is allocated for them.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{FormatError, Problem, Result};

/// Builds the bytes of a small structure.
#[derive(Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// An empty encoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends one byte.
    pub fn put_u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends four bytes.
    pub fn put_u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends eight bytes.
    pub fn put_u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends bytes as they are.
    pub fn put_bytes(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
    }

    /// Appends a length (eight bytes) and then the bytes.
    pub fn put_sized(&mut self, value: &[u8]) {
        self.put_u64(value.len() as u64);
        self.put_bytes(value);
    }

    /// Appends a length (eight bytes) and then the text as UTF-8.
    pub fn put_text(&mut self, value: &str) {
        self.put_sized(value.as_bytes());
    }

    /// Appends zeros up to the next multiple of `alignment`.
    pub fn pad_to(&mut self, alignment: usize) {
        self.bytes.resize(self.bytes.len() + pad_length(self.bytes.len(), alignment), 0);
    }

    /// What was encoded.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// How many bytes bring `length` up to a multiple of `alignment`.
pub(crate) fn pad_length(length: usize, alignment: usize) -> usize {
    (alignment - length % alignment) % alignment
}

/// Reads the values of a small structure, in order.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    file: &'a str,
    section: Option<&'a str>,
    base: u64,
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Decoder<'a> {
    /// Reads `bytes`, which start at `base` in `file`; errors will say so.
    pub fn new(file: &'a str, section: Option<&'a str>, base: u64, bytes: &'a [u8]) -> Self {
        Self { file, section, base, bytes, position: 0 }
    }

    /// How many bytes are left.
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The place of the next byte, counted from the start of the file.
    pub fn offset(&self) -> u64 {
        self.base.saturating_add(self.position as u64)
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn bytes(&mut self, length: u64) -> Result<&'a [u8]> {
        let rest = &self.bytes[self.position..];
        match usize::try_from(length).ok().and_then(|length| rest.get(..length)) {
            Some(bytes) => {
                self.position += bytes.len();
                Ok(bytes)
            }
            None => Err(self.corrupt(Problem::Truncated { needed: length, available: rest.len() as u64 })),
        }
    }

    /// The next byte.
    ///
    /// # Errors
    /// When no byte is left.
    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    /// The next four bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next eight bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// Bytes after their length.
    ///
    /// # Errors
    /// When fewer are left than the length says.
    pub fn sized(&mut self) -> Result<&'a [u8]> {
        let length = self.u64()?;
        self.bytes(length)
    }

    /// Text after its length.
    ///
    /// # Errors
    /// When it is truncated or no UTF-8.
    pub fn text(&mut self) -> Result<&'a str> {
        let start = self.clone();
        std::str::from_utf8(self.sized()?).map_err(|_| start.malformed("text that is no UTF-8"))
    }

    /// A count of elements that take at least `smallest` bytes each.
    ///
    /// # Errors
    /// When the bytes that are left cannot hold so many; so the count is safe to allocate for.
    pub fn count(&mut self, smallest: usize) -> Result<usize> {
        let start = self.clone();
        let count = self.u64()?;
        let available = self.remaining() as u64;
        let needed = count.saturating_mul(smallest.max(1) as u64);
        if needed > available {
            return Err(start.corrupt(Problem::Truncated { needed, available }));
        }
        usize::try_from(count).map_err(|_| start.malformed("a count beyond this machine's memory"))
    }

    /// Ends decoding.
    ///
    /// # Errors
    /// When bytes are left over.
    pub fn finish(self) -> Result<()> {
        match self.remaining() {
            0 => Ok(()),
            count => Err(self.malformed(format!("{count} bytes left over"))),
        }
    }

    /// An error at the current place.
    pub fn malformed(&self, what: impl Into<String>) -> FormatError {
        self.corrupt(Problem::Malformed(what.into()))
    }

    pub(crate) fn corrupt(&self, problem: Problem) -> FormatError {
        FormatError::corrupt(self.file, self.section, self.offset(), problem)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes(N as u64)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }
}

/// Encodes small metadata of the caller's own (settings, statistics) with postcard.
///
/// # Errors
/// When the type's `Serialize` refuses.
pub fn encode_metadata<T: Serialize>(value: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(value)
        .map_err(|error| FormatError::io("encode", "metadata", std::io::Error::other(error.to_string())))
}

/// Decodes what [`encode_metadata`] gave; `file` and `section` say where it stood, for the error.
///
/// # Errors
/// When the bytes are no such value, or more than one.
pub fn decode_metadata<T: DeserializeOwned>(file: &str, section: Option<&str>, bytes: &[u8]) -> Result<T> {
    let malformed = |left: usize, what: String| {
        FormatError::corrupt(file, section, (bytes.len() - left) as u64, Problem::Malformed(what))
    };
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok((_, rest)) => Err(malformed(rest.len(), format!("{} bytes left over after metadata", rest.len()))),
        Err(error) => Err(malformed(bytes.len(), format!("metadata: {error}"))),
    }
}

/// The little-endian `u32` values in `bytes`; a remainder of fewer than four bytes is passed over.
pub fn u32s(bytes: &[u8]) -> impl ExactSizeIterator<Item = u32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|chunk| u32::from_le_bytes(*chunk))
}

/// The little-endian `u64` values in `bytes`; a remainder of fewer than eight bytes is passed over.
pub fn u64s(bytes: &[u8]) -> impl ExactSizeIterator<Item = u64> + '_ {
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk))
}

/// The signed bytes in `bytes`.
pub fn i8s(bytes: &[u8]) -> impl ExactSizeIterator<Item = i8> + '_ {
    bytes.iter().map(|byte| byte.cast_signed())
}

/// The `u32` with the number `index` in `bytes`, if there are so many.
pub fn u32_at(bytes: &[u8], index: usize) -> Option<u32> {
    bytes.as_chunks::<4>().0.get(index).map(|chunk| u32::from_le_bytes(*chunk))
}

/// The `u64` with the number `index` in `bytes`, if there are so many.
pub fn u64_at(bytes: &[u8], index: usize) -> Option<u64> {
    bytes.as_chunks::<8>().0.get(index).map(|chunk| u64::from_le_bytes(*chunk))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_count_that_the_file_cannot_hold_is_refused_before_allocating() {
        let bytes = (1_u64 << 63).to_le_bytes();
        let error = Decoder::new("file", Some("part"), 100, &bytes).count(1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "truncated (9223372036854775808 bytes needed, 0 available) in section `part` of `file` at byte 100"
        );
    }

    #[test]
    fn metadata_with_bytes_left_over_is_refused() {
        let mut bytes = encode_metadata(&(7_u32, "seven".to_owned())).unwrap();
        assert_eq!(decode_metadata::<(u32, String)>("file", None, &bytes).unwrap(), (7, "seven".to_owned()));
        bytes.push(0);
        assert!(decode_metadata::<(u32, String)>("file", None, &bytes).unwrap_err().is_damage());
    }

    proptest! {
        #[test]
        fn what_was_encoded_is_decoded(number in any::<u64>(), small in any::<u32>(), text in ".*", bytes in any::<Vec<u8>>()) {
            let mut encoder = Encoder::new();
            encoder.put_u64(number);
            encoder.put_text(&text);
            encoder.put_u32(small);
            encoder.put_sized(&bytes);
            let encoded = encoder.into_bytes();
            let mut decoder = Decoder::new("file", None, 0, &encoded);
            prop_assert_eq!(decoder.u64().unwrap(), number);
            prop_assert_eq!(decoder.text().unwrap(), text);
            prop_assert_eq!(decoder.u32().unwrap(), small);
            prop_assert_eq!(decoder.sized().unwrap(), &bytes[..]);
            prop_assert!(decoder.finish().is_ok());
        }

        #[test]
        fn any_bytes_decode_to_a_value_or_an_error(bytes in any::<Vec<u8>>()) {
            let mut decoder = Decoder::new("file", None, 0, &bytes);
            while decoder.text().is_ok() || decoder.count(1).is_ok() || decoder.u32().is_ok() {}
            prop_assert!(decoder.remaining() < 4);
            let _ = decode_metadata::<Vec<(String, Vec<u64>)>>("file", None, &bytes);
        }

        #[test]
        fn array_views_agree_with_the_values(values in any::<Vec<u32>>()) {
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            prop_assert_eq!(u32s(&bytes).collect::<Vec<_>>(), values.clone());
            prop_assert_eq!(u32_at(&bytes, values.len()), None);
            prop_assert!(values.iter().enumerate().all(|(index, value)| u32_at(&bytes, index) == Some(*value)));
        }
    }
}
