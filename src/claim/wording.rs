//! Text that knows where in the raw answer each of its words comes from.

use super::types::Piece;
use crate::text::TextSpan;

/// A text with the origin of its parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Wording {
    text: String,
    pieces: Vec<Piece>,
}

impl Wording {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Appends words that stand at `raw` of the answer; they are verbatim if `words` is as long as `raw`.
    pub(super) fn push_raw(&mut self, words: &str, raw: TextSpan) {
        let text = TextSpan::new(self.text.len(), self.text.len() + words.len());
        self.text.push_str(words);
        self.push_piece(Piece { text, raw });
    }

    /// Appends words of ours.
    pub(super) fn push_own(&mut self, words: &str) {
        self.text.push_str(words);
    }

    pub(super) fn push(&mut self, other: &Self) {
        let by = self.text.len();
        self.text.push_str(&other.text);
        for piece in &other.pieces {
            self.push_piece(Piece { text: piece.text.shifted(by), raw: piece.raw });
        }
    }

    fn push_piece(&mut self, piece: Piece) {
        let verbatim = |piece: &Piece| piece.text.len() == piece.raw.len();
        match self.pieces.last_mut() {
            Some(last)
                if last.text.end == piece.text.start
                    && last.raw.end == piece.raw.start
                    && verbatim(last)
                    && verbatim(&piece) =>
            {
                last.text.end = piece.text.end;
                last.raw.end = piece.raw.end;
            }
            _ if piece.text.is_empty() => {}
            _ => self.pieces.push(piece),
        }
    }

    /// The part at `span`, without white space around it.
    pub(super) fn slice(&self, span: TextSpan) -> Self {
        let part = span.of(&self.text);
        let start = span.start + (part.len() - part.trim_start().len());
        let part = part.trim();
        let span = TextSpan::new(start, start + part.len());
        let first = self.pieces.partition_point(|piece| piece.text.end <= span.start);
        let mut slice = Self { text: part.to_owned(), pieces: Vec::new() };
        for piece in self.pieces[first..].iter().take_while(|piece| piece.text.start < span.end) {
            let start = piece.text.start.max(span.start);
            let end = piece.text.end.min(span.end);
            let raw = if piece.text.len() == piece.raw.len() {
                let skipped = start - piece.text.start;
                TextSpan::new(piece.raw.start + skipped, piece.raw.start + skipped + (end - start))
            } else {
                piece.raw
            };
            slice.pieces.push(Piece { text: TextSpan::new(start - span.start, end - span.start), raw });
        }
        slice
    }

    /// The same words with their beginning spelt as `start`, which is as long as what it stands for.
    pub(super) fn with_start(&self, start: &str) -> Self {
        let mut changed = self.clone();
        if let Some(rest) = self.text.get(start.len()..) {
            changed.text = format!("{start}{rest}");
        }
        changed
    }

    /// The places in the answer, in reading order, those that touch or overlap made one.
    pub(super) fn raw_spans(&self) -> Vec<TextSpan> {
        let mut spans: Vec<TextSpan> = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            match spans.last_mut() {
                Some(last) if last.end >= piece.raw.start && last.start <= piece.raw.start => {
                    last.end = last.end.max(piece.raw.end);
                }
                _ => spans.push(piece.raw),
            }
        }
        spans
    }

    pub(super) fn into_parts(self) -> (String, Vec<Piece>) {
        (self.text, self.pieces)
    }
}
