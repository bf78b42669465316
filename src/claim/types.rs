//! What a claim is, and why one may not be checked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::TextSpan;

/// Why a claim is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unchecked {
    /// "Hi! Happy to help."
    Greeting,
    /// It asks.
    Question,
    /// It says what the writer likes or thinks.
    Opinion,
    /// It tells the reader to do something.
    Instruction,
    /// It speaks about the answer itself: "Here is a summary."
    Meta,
    /// "I can't help with that."
    Refusal,
    /// "I don't know."
    Abstention,
    /// A heading or label with nothing stated.
    Heading,
    /// Nothing in it can be looked up.
    NoContent,
    /// No check and no model covers its language.
    UnsupportedLanguage,
    /// Evidence could not be had (network, source failure).
    EvidenceUnavailable,
    /// It is longer than the model takes and cannot be split.
    TooLong,
    /// A check or model failed on it.
    CheckFailed,
    /// The run was stopped before it was its turn.
    Stopped,
}

impl Unchecked {
    /// For people: why the claim is not checked, as a clause.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Greeting => "it is a greeting or a courtesy",
            Self::Question => "it is a question",
            Self::Opinion => "it is an opinion",
            Self::Instruction => "it tells the reader to do something",
            Self::Meta => "it speaks about the answer itself",
            Self::Refusal => "it refuses to answer",
            Self::Abstention => "it says that the answer is not known",
            Self::Heading => "it is a heading or a label",
            Self::NoContent => "there is nothing in it to look up",
            Self::UnsupportedLanguage => "no check covers its language",
            Self::EvidenceUnavailable => "the evidence could not be had",
            Self::TooLong => "it is too long to be compared",
            Self::CheckFailed => "a check failed on it",
            Self::Stopped => "the run was stopped before it was its turn",
        }
    }
}

/// What kind of statement a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// About the world: needs evidence.
    Factual,
    /// Its truth can be computed: "17 × 3 = 51".
    Arithmetic,
}

/// Words of a claim and the place in the raw text that they were taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Where the words stand in [`Claim::text`].
    pub text: TextSpan,
    /// Where they stand in the raw text. As long as `text` where they are verbatim; otherwise the whole of `text`
    /// stands for the whole of `raw` ("&" for "&amp;").
    pub raw: TextSpan,
}

/// A statement of the text, made to stand alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Place among the text's claims, from 0.
    pub index: usize,
    /// Self-contained: subject carried in, references resolved, markup stripped.
    pub text: String,
    /// Where it stands in the raw text: what was written, in order, without what was carried in from other sentences.
    pub spans: Vec<TextSpan>,
    /// The sentence, list item or table row that it comes from, in the raw text.
    pub sentence: TextSpan,
    /// What kind of statement it is.
    pub kind: ClaimKind,
    /// Why it is not to be checked, if so.
    pub unchecked: Option<Unchecked>,
    /// A word or name in it that may mean two things ("He", a shared name).
    pub ambiguous: Option<String>,
    /// Where the words of `text` come from, in the order of `text`; words that we added have no piece.
    #[serde(default)]
    pub pieces: Vec<Piece>,
}

impl Claim {
    /// A factual claim that is a whole text, as it stands.
    ///
    /// ```
    /// use evidex::{claim::Claim, text::TextSpan};
    /// let claim = Claim::whole("The valve was replaced.");
    /// assert_eq!(claim.raw_span(TextSpan::new(4, 9)), Some(TextSpan::new(4, 9)));
    /// ```
    pub fn whole(text: &str) -> Self {
        let span = TextSpan::whole(text);
        Self {
            index: 0,
            text: text.to_owned(),
            spans: vec![span],
            sentence: span,
            kind: ClaimKind::Factual,
            unchecked: None,
            ambiguous: None,
            pieces: vec![Piece { text: span, raw: span }],
        }
    }

    /// Where the words at `span` of [`Claim::text`] stand in the raw text; `None` if we added them.
    pub fn raw_span(&self, span: TextSpan) -> Option<TextSpan> {
        self.pieces
            .iter()
            .filter(|piece| piece.text.overlaps(span))
            .map(|piece| {
                if piece.text.len() == piece.raw.len() {
                    let start = span.start.max(piece.text.start) - piece.text.start;
                    let end = span.end.min(piece.text.end) - piece.text.start;
                    TextSpan::new(piece.raw.start + start, piece.raw.start + end)
                } else {
                    piece.raw
                }
            })
            .reduce(TextSpan::cover)
    }
}
