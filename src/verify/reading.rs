//! A text read once: its words with stems, clauses and polarity, its quantities, dates and names.
//!
//! Everything that a check looks at is found here, so that no check parses again. Spans are in bytes of
//! [`ReadText::text`].

use std::ops::Range;

use super::lexicon::{lexicon, word_hash};
use super::polarity;
use crate::text::{
    DateMention, DateOrder, Language, Mention, NumberLocale, Quantity, QuantityKind, TextSpan, TokenKind, citations,
    is_stop_word, quantities_and_dates, stem, tokens,
};

/// What a word does in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// Structure: articles, prepositions, auxiliaries, negations.
    Function,
    /// Content of little weight: "make", "known", "located".
    Light,
    /// Content.
    Content,
    /// Part of a quantity or a date, which are compared as such.
    Slot,
}

/// A word of a text that was read.
#[derive(Debug, Clone)]
pub struct Word {
    /// Where it stands.
    pub span: TextSpan,
    /// The form that is compared: lower case, diacritics folded.
    pub folded: String,
    /// Its stem; irregular forms are read as their base ("rose" as "rise").
    pub stem: String,
    /// What it does.
    pub kind: WordKind,
    /// Whether it was written with a capital.
    pub capitalised: bool,
    /// Number of the clause that it stands in.
    pub clause: u16,
    /// How many negations reach it.
    pub negations: u8,
    /// Whether a negation bears on this word first of all ("not *replaced*").
    pub negation_head: bool,
    /// Whether it is said to be possible, planned or alleged only.
    pub hedged: bool,
    /// Whether it stands under a frame that denies or supposes it ("it is a myth that", "had … would have").
    pub(super) framed: bool,
    /// Whether a comma or a stronger mark stands before it.
    pub after_mark: bool,
    /// How many words of content or value stand before it: distances are counted in these.
    pub(super) rank: usize,
    /// For a word in brackets: the place of the word before the bracket.
    pub(super) bracket_of: Option<usize>,
    pub(super) form: u64,
    pub(super) key: u64,
    pub(super) senses: &'static [u16],
}

impl Word {
    /// Whether it bears content that a passage must hold too.
    pub fn is_content(&self) -> bool {
        matches!(self.kind, WordKind::Content | WordKind::Light)
    }

    /// Its weight in coverage.
    pub(super) fn weight(&self) -> f32 {
        match self.kind {
            WordKind::Content => 1.0,
            WordKind::Light => LIGHT_WEIGHT,
            WordKind::Function | WordKind::Slot => 0.0,
        }
    }
}

/// Weight of a light word in coverage; a content word weighs 1.
const LIGHT_WEIGHT: f32 = 0.3;

/// A value and the words that it stands in.
#[derive(Debug, Clone)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Its words, as places in [`ReadText::words`].
    pub words: Range<usize>,
}

/// How a text is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions {
    /// Language of the stems.
    pub language: Language,
    /// How digits are grouped where both readings are possible.
    pub number_locale: NumberLocale,
    /// How all-number dates are read.
    pub date_order: DateOrder,
}

/// A text with all that the checks look at.
#[derive(Debug, Clone)]
pub struct ReadText {
    /// As given.
    pub text: String,
    /// Its words in order, without punctuation; hyphenated words give their parts.
    pub words: Vec<Word>,
    /// Its quantities in order, without those that are dates.
    pub quantities: Vec<Placed<Quantity>>,
    /// Its dates in order.
    pub dates: Vec<Placed<DateMention>>,
    /// Its names in order.
    pub mentions: Vec<Placed<Mention>>,
    /// Number of clauses.
    pub clauses: u16,
    index: Vec<(u64, u32)>,
}

impl ReadText {
    /// Reads a text.
    pub fn new(text: &str, options: ReadOptions) -> Self {
        let (mut quantities, mut dates) = quantities_and_dates(text, options.number_locale, options.date_order);
        let mut cited = citations(text);
        cited.extend(list_marker(text).filter(|mark| !dates.iter().any(|date| date.span.overlaps(*mark))));
        cited.extend(text.match_indices("<br>").map(|(at, tag)| TextSpan::new(at, at + tag.len())));
        let is_cited = |span: TextSpan| cited.iter().any(|mark| mark.overlaps(span));
        let mut words = read_words(text, options.language, &cited);
        quantities.retain(|quantity| !is_cited(quantity.number_span));
        dates.retain(|date| !is_cited(date.span));
        let named = crate::text::mentions(text, options.language);
        // "Rio de Janeiro", "May Whitaker": a month's word within a name is no date.
        let in_name = |date: &DateMention| {
            let century = date.grain == crate::text::DateGrain::Century;
            century && named.iter().any(|name| name.span.start <= date.span.start && name.span.end > date.span.end)
                // "20th Century Fox".
                || century
                    && date.span.of(text).contains("Century")
                    && text[date.span.end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(char::is_uppercase))
                || !date.span.of(text).contains(|c: char| c.is_numeric())
                    && named.iter().any(|name| name.span.contains(date.span) && name.span != date.span)
        };
        let dates: Vec<_> = dates
            .into_iter()
            .filter(|date| !in_name(date))
            .filter_map(|value| Some(Placed { words: covered(&words, value.span)?, value }))
            .collect();
        let quantities: Vec<_> = quantities
            .into_iter()
            .filter(|quantity| !dates.iter().any(|date| date.value.span.overlaps(quantity.number_span)))
            .filter_map(|value| Some(Placed { words: covered(&words, value.span)?, value }))
            .collect();
        let mentions: Vec<_> = named
            .into_iter()
            .filter(|mention| !is_cited(mention.span))
            .filter(|mention| !dates.iter().any(|date| date.value.span.contains(mention.span)))
            .filter_map(|value| Some(Placed { words: covered(&words, value.span)?, value }))
            .collect();
        let quantities: Vec<_> =
            quantities.into_iter().filter(|quantity| !is_part_of_name(quantity, &words, &mentions)).collect();
        for date in &dates {
            mark_slot(&mut words, date.words.clone());
        }
        for quantity in &quantities {
            let value = &quantity.value;
            // What is counted stays a word of content.
            let counted = value.counted.as_deref().and_then(|noun| noun.get(..noun.len().min(4)));
            for word in &mut words[quantity.words.clone()] {
                // "two young people": what stands between a number and the noun is content too.
                let describes = value.unit.is_none()
                    && value.kind == QuantityKind::Count
                    && word.span.start >= value.number_span.end
                    && word.is_content();
                let is_counted = describes
                    || !word.span.overlaps(value.number_span)
                        && counted.is_some_and(|noun| word.folded.starts_with(noun) || word.stem.starts_with(noun));
                if !is_counted {
                    word.kind = WordKind::Slot;
                }
            }
        }
        mark_frames(&mut words);
        let clauses = words.last().map_or(0, |word| word.clause + 1);
        let portuguese = is_portuguese(&words, options.language);
        polarity::mark(text, &mut words, portuguese);
        let mut rank = 0;
        for word in &mut words {
            word.rank = rank;
            rank += usize::from(word.kind != WordKind::Function);
        }
        let mut index: Vec<(u64, u32)> = words.iter().zip(0..).map(|(word, at)| (word.key, at)).collect();
        index.sort_unstable();
        Self { text: text.to_owned(), words, quantities, dates, mentions, clauses, index }
    }

    /// Places of the words with this stem, in order.
    pub(super) fn places(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        let start = self.index.partition_point(|(other, _)| *other < key);
        self.index[start..].iter().take_while(move |(other, _)| *other == key).map(|(_, at)| *at as usize)
    }

    /// Whether some word has this stem.
    pub(super) fn holds(&self, key: u64) -> bool {
        self.places(key).next().is_some()
    }

    /// The words that overlap a span.
    pub fn words_in(&self, span: TextSpan) -> Range<usize> {
        covered(&self.words, span).unwrap_or(0..0)
    }

    /// Text from the first to the last of these words.
    pub fn text_of(&self, words: Range<usize>) -> &str {
        self.span_of(words).of(&self.text)
    }

    /// Span from the first to the last of these words.
    pub fn span_of(&self, words: Range<usize>) -> TextSpan {
        match self.words.get(words) {
            Some([first, .., last]) => first.span.cover(last.span),
            Some([only]) => only.span,
            _ => TextSpan::default(),
        }
    }
}

/// "3. " or "2) " before a sentence: it counts the sentence and is no part of it.
fn list_marker(text: &str) -> Option<TextSpan> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marked = text[digits..].starts_with(". ") || text[digits..].starts_with(") ");
    ((1..=2).contains(&digits) && marked).then(|| TextSpan::new(0, digits + 1))
}

/// Whether "no" is "in the" here: a short text's language may not be known.
fn is_portuguese(words: &[Word], language: Language) -> bool {
    let marks =
        ["nao", "esta", "estao", "uma", "dos", "das", "ao", "pelo", "pela", "foi", "sao", "seu", "sua", "em", "um"];
    language == Language::Portuguese
        || language != Language::Spanish
            && words.iter().filter(|word| marks.contains(&word.folded.as_str())).take(2).count() == 2
}

/// "IV" of "Osric IV", "747" of "Boeing 747": compared as a part of the name.
fn is_part_of_name(quantity: &Placed<Quantity>, words: &[Word], mentions: &[Placed<Mention>]) -> bool {
    let number = quantity.value.number_span;
    let roman = words[quantity.words.clone()].iter().any(|word| {
        word.capitalised
            && word.span == number
            && !word.folded.is_empty()
            && word.folded.chars().all(|c| "ivxlc".contains(c))
    });
    let after_name = quantity.words.start.checked_sub(1).is_some_and(|at| words[at].capitalised);
    roman && after_name || mentions.iter().any(|mention| mention.value.span.contains(quantity.value.span))
}

/// "the current status of X": the word says nothing that the rest does not.
fn mark_frames(words: &mut [Word]) {
    for at in 1..words.len().saturating_sub(1) {
        let article = |at: usize| at.checked_sub(1).is_some_and(|before| words[before].folded == "the");
        let framed = article(at) || article(at - 1) && words[at - 1].folded.starts_with("current");
        if words[at + 1].folded == "of" && framed && !words[at].capitalised && lexicon().is_frame(words[at].key) {
            let qualified = !article(at);
            words[at].kind = WordKind::Function;
            if qualified {
                words[at - 1].kind = WordKind::Function;
            }
        }
    }
}

fn mark_slot(words: &mut [Word], range: Range<usize>) {
    for word in &mut words[range] {
        word.kind = WordKind::Slot;
    }
}

/// Words that overlap `span`; `None` if there is none.
fn covered(words: &[Word], span: TextSpan) -> Option<Range<usize>> {
    let start = words.partition_point(|word| word.span.end <= span.start);
    let end = words.partition_point(|word| word.span.start < span.end);
    (start < end).then_some(start..end)
}

/// Words that start a clause of their own.
fn starts_clause(folded: &str, after_comma: bool) -> bool {
    match folded {
        "but" | "while" | "whereas" | "although" | "though" | "because" | "unless" | "mas" | "aber" | "sondern"
        | "pero" | "mais" | "enquanto" | "mientras" | "weil" | "obwohl" => true,
        "and" | "or" | "who" | "which" | "where" | "when" | "so" | "if" | "und" | "et" | "e" | "y" | "que" | "qui"
        | "der" | "die" | "das" => after_comma,
        _ => false,
    }
}

fn read_words(text: &str, language: Language, cited: &[TextSpan]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::with_capacity(text.len() / 6 + 1);
    let mut outer: Vec<(u16, Option<usize>)> = Vec::new();
    let (mut clause, mut last_clause) = (0_u16, 0_u16);
    let (mut after_mark, mut after_comma) = (false, false);
    for token in tokens(text) {
        if cited.iter().any(|mark| mark.overlaps(token.span)) {
            continue;
        }
        // Treebanks write brackets as words.
        let bracket = match token.span.of(text).trim_matches('-') {
            "LRB" | "LSB" => Some("("),
            "RRB" | "RSB" => Some(")"),
            _ => None,
        };
        if bracket.is_some() || !token.is_wordlike() {
            match bracket.unwrap_or(&token.folded) {
                "(" | "[" => {
                    outer.push((clause, words.len().checked_sub(1)));
                    last_clause = last_clause.saturating_add(1);
                    clause = last_clause;
                }
                ")" | "]" => {
                    if let Some((before, _)) = outer.pop() {
                        clause = before;
                    }
                }
                ";" | "." | "!" | "?" | "|" => {
                    last_clause = last_clause.saturating_add(1);
                    clause = last_clause;
                }
                "-" => {
                    // A dash set off by spaces.
                    let spaced = text[..token.span.start].ends_with(char::is_whitespace);
                    if spaced || token.span.len() > 1 {
                        last_clause = last_clause.saturating_add(1);
                        clause = last_clause;
                    }
                }
                "," => after_comma = true,
                "'" | "\"" | "*" | "_" | "`" | "$" | "%" => continue,
                _ => {}
            }
            after_mark = true;
            continue;
        }
        if starts_clause(&token.folded, after_comma) {
            last_clause = last_clause.saturating_add(1);
            clause = last_clause;
        }
        let before = words.len();
        let written = token.span.of(text);
        let whole = token.kind != TokenKind::Word || !written.contains(['-', '\u{2010}', '\u{2011}', '/']);
        if whole {
            words.push(read_word(token.span, &token.folded, written, token.kind, language, token.capitalised));
        } else {
            let mut start = token.span.start;
            let mut prefix: Option<TextSpan> = None;
            for part in written.split(['-', '\u{2010}', '\u{2011}', '/']) {
                let span = TextSpan::new(start, start + part.len());
                start = text[span.end..].chars().next().map_or(span.end, |joint| span.end + joint.len_utf8());
                if part.is_empty() {
                    continue;
                }
                // "non-toxic" is one word, and the opposite of "toxic".
                if part.eq_ignore_ascii_case("non") && start < token.span.end {
                    prefix = Some(span);
                    continue;
                }
                let capitalised = part.starts_with(char::is_uppercase);
                let folded = crate::text::fold(part);
                let (span, folded) = match prefix.take() {
                    Some(before) => (before.cover(span), format!("non{folded}")),
                    None => (span, folded),
                };
                words.push(read_word(span, &folded, &folded, TokenKind::Word, language, capitalised));
            }
        }
        for (place, word) in words[before..].iter_mut().enumerate() {
            word.clause = clause;
            word.after_mark = after_mark && place == 0;
            word.bracket_of = outer.last().and_then(|(_, before)| *before);
        }
        (after_mark, after_comma) = (false, false);
    }
    words
}

/// Words of structure that no list of stop words holds, because leaving them out would turn a statement around.
fn is_structural(folded: &str) -> bool {
    matches!(
        folded,
        "not"
            | "no"
            | "never"
            | "nor"
            | "neither"
            | "none"
            | "nobody"
            | "nothing"
            | "nowhere"
            | "without"
            | "cannot"
            | "nao"
            | "nem"
            | "nunca"
            | "nicht"
            | "kein"
            | "keine"
            | "nie"
            | "ohne"
            | "ni"
            | "sin"
            | "ne"
            | "pas"
            | "sans"
            | "sem"
            | "itself"
            | "there"
            | "however"
            | "although"
            | "though"
            | "therefore"
            | "whereas"
            | "one"
            | "ones"
            | "yes"
            | "via"
            | "only"
            | "versus"
            | "mr"
            | "mrs"
            | "ms"
            | "dr"
            | "every"
            | "another"
            | "many"
            | "several"
            | "much"
            | "also"
            | "even"
            | "still"
            | "already"
            | "got"
            | "get"
            | "gets"
            | "let"
            | "us"
            | "upon"
            | "across"
            | "along"
            | "around"
            | "among"
            | "amongst"
            | "within"
            | "throughout"
            | "despite"
            | "ever"
            | "often"
            | "usually"
            | "actually"
            | "really"
            | "indeed"
            | "would"
            | "could"
            | "should"
            | "might"
            | "must"
            | "shall"
            | "may"
            | "approximately"
            | "roughly"
            | "nearly"
            | "almost"
    )
}

fn read_word(
    span: TextSpan,
    folded: &str,
    written: &str,
    kind: TokenKind,
    language: Language,
    capitalised: bool,
) -> Word {
    let lexicon = lexicon();
    let form = word_hash(folded);
    let function = kind == TokenKind::Word
        && (is_structural(folded) || is_stop_word(folded, language) || folded.len() == 1 && !capitalised);
    let stemmed = if function || kind != TokenKind::Word {
        folded.to_owned()
    } else {
        match lexicon.base(form).filter(|_| matches!(language, Language::English | Language::Unknown)) {
            Some(base) => stem(base, Language::English),
            // Contractions are compared as written out.
            None if folded.len() > written.len() => stem(folded, language),
            None => stem(written.trim_end_matches(['.', '\'']), language),
        }
    };
    let key = word_hash(&stemmed);
    let kind = if function {
        WordKind::Function
    } else if lexicon.is_light(key) {
        WordKind::Light
    } else {
        WordKind::Content
    };
    Word {
        span,
        folded: folded.to_owned(),
        stem: stemmed,
        kind,
        capitalised,
        clause: 0,
        negations: 0,
        negation_head: false,
        hedged: false,
        framed: false,
        after_mark: false,
        rank: 0,
        bracket_of: None,
        form,
        key,
        senses: lexicon.senses(key),
    }
}
