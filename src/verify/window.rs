//! A passage cut into sentences, each with what it may refer back to.
//!
//! Quotes are windows of one to three sentences; their spans are in bytes of the document. The title, the lead and
//! the sentences before resolve references ("He", a table's header) and nothing else.

use std::collections::HashSet;

use super::reading::{ReadOptions, ReadText, Word};
use crate::evidence::Evidence;
use crate::text::{BlockKind, Mention, NameMatch, Reading, Syntax, TextSpan, blocks};

/// What a sentence may refer back to.
#[derive(Debug, Clone, Default)]
pub struct Context {
    keys: HashSet<u64>,
    names: Vec<Mention>,
    /// A pronoun opens the passage and nothing before it is known: it stands for what the passage was found for.
    open: bool,
}

impl Context {
    /// Whether it holds all these words, and there is at least one.
    pub(super) fn holds<'a>(&self, words: impl IntoIterator<Item = &'a Word>) -> bool {
        let mut some = false;
        for word in words {
            if !self.keys.contains(&word.key) {
                return false;
            }
            some = true;
        }
        some
    }

    /// Whether it holds this name.
    pub(super) fn names(&self, mention: &Mention) -> bool {
        self.names.iter().any(|name| mention.matches(name) == NameMatch::Same)
    }

    /// Whether the claim's subject may be what a pronoun without antecedent stands for.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    fn add(&mut self, read: &ReadText) {
        // What is denied is not there to refer back to.
        let said = read.words.iter().filter(|word| word.is_content() && word.negations.is_multiple_of(2));
        self.keys.extend(said.map(|word| word.key));
        self.names.extend(read.mentions.iter().map(|mention| mention.value.clone()));
    }
}

/// One sentence of a passage.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    /// As read.
    pub read: ReadText,
    /// The way from what was read back to the passage's text.
    pub reading: Reading,
    /// Where it stands in the passage's text.
    pub span: TextSpan,
    /// What it may refer back to.
    pub context: Context,
    /// Whether it cannot be read without the sentence before.
    pub follows: bool,
}

/// A passage as read.
#[derive(Debug, Clone)]
pub(super) struct PassageReading {
    /// Id of the document that it stands in.
    pub document: String,
    /// Its sentences in order.
    pub sentences: Vec<Sentence>,
}

/// Bytes of the lead, and of the title, that are looked at for references.
const LEAD_BYTES: usize = 400;
/// Sentences before one that it may refer back to.
const LOOK_BACK: usize = 2;

impl PassageReading {
    /// Reads a passage.
    pub(super) fn new(evidence: &Evidence, options: ReadOptions) -> Self {
        let mut always = Context::default();
        if let Some(title) = &evidence.title {
            let end = title.floor_char_boundary(LEAD_BYTES);
            always.add(&ReadText::new(&title[..end], options));
        }
        let mut start = evidence.lead.len().saturating_sub(LEAD_BYTES);
        while !evidence.lead.is_char_boundary(start) {
            start += 1;
        }
        let lead = ReadText::new(&evidence.lead[start..], options);
        let mut reads: Vec<(Reading, ReadText, bool)> = Vec::new();
        for block in blocks(&evidence.text, Syntax::Auto) {
            let apart =
                matches!(block.kind, BlockKind::TableRow { .. } | BlockKind::TableHead { .. } | BlockKind::Code);
            for span in block.sentences() {
                let reading = block.reading.slice(span);
                let read = ReadText::new(&reading.text, options);
                reads.push((reading, read, apart));
            }
        }
        let mut sentences: Vec<Sentence> = Vec::with_capacity(reads.len());
        for (at, (reading, read, apart)) in reads.into_iter().enumerate() {
            let mut context = always.clone();
            let of_the_title = evidence.title.is_some() && is_field(&reading.text);
            if !apart && !of_the_title && refers_back(&read) {
                for before in &sentences[at.saturating_sub(LOOK_BACK)..] {
                    context.add(&before.read);
                }
                if at < LOOK_BACK {
                    context.add(&lead);
                }
            }
            context.open =
                at == 0 && evidence.title.is_none() && evidence.lead.is_empty() && opens_with_reference(&read);
            let follows = !apart && has_pronoun(&read);
            let span = reading.raw_span(TextSpan::whole(&reading.text));
            sentences.push(Sentence { read, reading, span, context, follows });
        }
        Self { document: evidence.document_id.0.clone(), sentences }
    }

    /// The window that a quote shows for a sentence: with the one before, where it refers back to it.
    pub(super) fn window(&self, sentence: usize) -> TextSpan {
        let Some(own) = self.sentences.get(sentence) else { return TextSpan::default() };
        match sentence.checked_sub(1).map(|before| &self.sentences[before]) {
            Some(before) if own.follows => before.span.cover(own.span),
            _ => own.span,
        }
    }
}

/// Bytes of the longest window that a model reads around a sentence.
const SURROUNDINGS: usize = 900;

impl PassageReading {
    /// The sentence between its neighbours, for a model to read; the sentence's own window where those are long.
    pub(super) fn surroundings(&self, sentence: usize) -> TextSpan {
        let own = self.window(sentence);
        let first = self.sentences.get(sentence.saturating_sub(1)).map_or(own, |before| before.span);
        let last = self.sentences.get(sentence + 1).map_or(own, |after| after.span);
        let wide = first.cover(own).cover(last);
        if wide.end - wide.start <= SURROUNDINGS { wide } else { own }
    }
}

/// Most words of a field's label.
const LABEL_WORDS: usize = 12;

/// Whether a sentence is a field of a record ("Area / total: 2,381,740 sq km"): in a document with a title it speaks of
/// what the title names, whatever stands before it.
fn is_field(text: &str) -> bool {
    text.split_once(": ").is_some_and(|(label, value)| {
        !value.trim().is_empty()
            && !label.contains(['.', '?', '!'])
            && label.split_whitespace().count() <= LABEL_WORDS
            && !label.split_whitespace().any(|word| matches!(word, "is" | "are" | "was" | "were" | "has" | "have"))
    })
}

/// Words that stand for something named before.
const PRONOUNS: [&str; 39] = [
    "he", "she", "it", "they", "him", "her", "his", "hers", "its", "their", "them", "this", "these", "that", "those",
    "both", "ele", "ela", "eles", "elas", "seu", "sua", "isso", "er", "sie", "es", "ihr", "ihre", "sein", "seine",
    "il", "elle", "ils", "elles", "son", "sa", "su", "sus", "lo",
];

/// Whether a sentence begins by speaking of something known: "It was …", "As minister, she …", "The film was …".
fn opens_with_reference(read: &ReadText) -> bool {
    let pronoun = |word: &Word| {
        matches!(
            word.folded.as_str(),
            "he" | "she"
                | "it"
                | "they"
                | "his"
                | "her"
                | "its"
                | "their"
                | "ele"
                | "ela"
                | "er"
                | "sie"
                | "il"
                | "elle"
        )
    };
    let definite = matches!(&read.words[..], [first, second, ..] if first.folded == "the" && !second.capitalised);
    let named_first = read.mentions.first().is_some_and(|mention| mention.words.start <= 1);
    !named_first && (definite || read.words.iter().take(5).any(pronoun))
}

fn has_pronoun(read: &ReadText) -> bool {
    read.words.iter().take(4).any(|word| PRONOUNS.contains(&word.folded.as_str()))
}

/// Whether a sentence holds a word that may stand for something named before.
fn refers_back(read: &ReadText) -> bool {
    const DEFINITE: [&str; 9] = ["the", "o", "a", "der", "die", "das", "el", "la", "le"];
    read.mentions.is_empty()
        || read.words.first().is_some_and(|word| DEFINITE.contains(&word.folded.as_str()))
        || read.words.iter().any(|word| PRONOUNS.contains(&word.folded.as_str()))
}
