//! From byte offsets to lines and columns, as editors and CI systems count them.

/// A place in a text: both from 1, columns in characters (Unicode scalar values).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// Finds lines and columns in a text. Lines end with `\n` or `\r\n`.
#[derive(Debug)]
pub struct LineIndex<'a> {
    text: &'a str,
    /// First byte of each line.
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    /// Reads `text` once.
    ///
    /// ```
    /// use evidex::report::ci::{LineColumn, LineIndex};
    /// let index = LineIndex::new("één\ntwo");
    /// assert_eq!(index.place(7), LineColumn { line: 2, column: 2 });
    /// ```
    pub fn new(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The place of a byte; one past the end, or inside a character, is that of the character that follows.
    pub fn place(&self, byte: usize) -> LineColumn {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[line.saturating_sub(1)];
        let before = self.text.as_bytes()[start..byte].iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        LineColumn { line, column: before + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_end_with_either_mark() {
        let text = "a👩é\r\nb\n\nc";
        let index = LineIndex::new(text);
        let at = |needle: char| {
            let place = index.place(text.find(needle).unwrap());
            (place.line, place.column)
        };
        assert_eq!([at('a'), at('é'), at('b'), at('c')], [(1, 1), (1, 3), (2, 1), (4, 1)]);
        let end = index.place(text.len() + 5);
        assert_eq!((end.line, end.column), (4, 2));
        assert_eq!(LineIndex::new("").place(0), LineColumn { line: 1, column: 1 });
    }
}
