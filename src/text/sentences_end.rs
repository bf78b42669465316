//! Whether a sentence ends at a terminator: what stands before it (abbreviation, initial, number) and after it.

use super::normalise::fold;
use super::sentences_abbreviations::{
    Abbreviation, abbreviation, is_month_after_ordinal, is_starter, precedes_ordinal,
};
use super::sentences_marks::{
    is_closer, is_continuation, is_dash, is_opener, is_picture, is_strong_terminator, is_terminator,
};

/// How the text goes on after a terminator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    End,
    Lower,
    Upper,
    Digit,
    /// A letter of a script without case.
    Caseless,
    /// A comma or the like, or a closing mark.
    Continuation,
    Other,
}

/// What follows a terminator and its closing marks.
struct Following<'a> {
    next: Next,
    /// White space stands between.
    spaced: bool,
    /// An opening quote or bracket, or a dash, stands before the first word.
    opened: bool,
    dashed: bool,
    /// A tag ("<script>") or a command to a build machine ("::error") begins.
    markup: bool,
    /// The first word, as written.
    word: &'a str,
    /// What stands directly after the first word, and after that.
    after_word: Option<char>,
    after_that: Option<char>,
}

/// For a terminator at `at` in a sentence that began at `start`: whether the sentence ends there, and where to go on
/// (the sentence's end, closing marks included, or the end of the terminators).
pub(super) fn end_at(text: &str, start: usize, at: usize) -> (bool, usize) {
    let run_end = run(text, at, |c| is_terminator(c) || is_strong_terminator(c));
    let marks = &text[at..run_end];
    let mut after = run_end;
    if marks == "." {
        // Note numbers set directly after the point: "in a consultation.11 12 Take".
        if let Some(end) = note_numbers(text, at, run_end) {
            return (true, end);
        }
    }
    let closers_end = run(text, run_end, is_closer);
    let quote_closed = closers_end > run_end;
    after = references(text, closers_end.max(after));
    after = pictures(text, after);
    // "Who won?: Arden": an answer set off from its question.
    let colon = run(text, after, |c| c == ':');
    if marks.ends_with('?') && colon == after + 1 && text[colon..].starts_with(' ') {
        return (true, colon);
    }
    let following = following(text, after);
    if following.next == Next::End {
        return (true, after);
    }
    if marks.chars().all(is_strong_terminator) {
        let quoted_and_goes_on =
            quote_closed && text[after..].starts_with(['と', 'っ', 'の', 'な', 'は', 'が', 'を', 'に', 'で']);
        let goes_on = following.next == Next::Continuation || quoted_and_goes_on;
        // A full-width point between digits is a decimal point.
        let decimal =
            marks == "．" && text[..at].ends_with(char::is_numeric) && text[run_end..].starts_with(char::is_numeric);
        return (!goes_on && !decimal, if goes_on || decimal { run_end } else { after });
    }
    let ends = if marks == "." || marks == ".." {
        point_ends(text, start, at, &following, quote_closed, after > closers_end)
    } else {
        mark_ends(text, at, marks, &following, quote_closed)
    };
    (ends, if ends { after } else { run_end })
}

/// Whether "!", "?", an ellipsis or a mix of them ends the sentence.
fn mark_ends(text: &str, at: usize, marks: &str, following: &Following<'_>, quote_closed: bool) -> bool {
    let ellipsis = marks.chars().all(|c| matches!(c, '.' | '\u{2026}'));
    if following.next == Next::Continuation {
        return false;
    }
    if !following.spaced {
        // "Y!J", "what?!Then", "好!好": only a capital after a word, or a script without spaces.
        let after_word = text[..at].ends_with(char::is_lowercase);
        return match following.next {
            Next::Caseless => !ellipsis,
            Next::Upper => after_word && following.word.chars().nth(1).is_some_and(char::is_lowercase),
            _ => false,
        };
    }
    // "speaks !Xũ": a mark that belongs to the next word.
    match following.next {
        Next::Lower if ellipsis || quote_closed || following.dashed => false,
        Next::Lower => !speech_follows(following),
        Next::Continuation => false,
        _ => true,
    }
}

/// "Leave me alone! he yelled": a speaker follows the exclamation.
fn speech_follows(following: &Following<'_>) -> bool {
    matches!(
        following.word,
        "he" | "she"
            | "they"
            | "said"
            | "asked"
            | "and"
            | "or"
            | "but"
            | "sagte"
            | "fragte"
            | "disse"
            | "dijo"
            | "a"
            | "dit"
            | "und"
            | "e"
            | "y"
            | "et"
    )
}

/// Whether a single point ends the sentence.
fn point_ends(
    text: &str,
    start: usize,
    at: usize,
    following: &Following<'_>,
    quote_closed: bool,
    referenced: bool,
) -> bool {
    if following.next == Next::Continuation {
        return false;
    }
    let word_start = word_before(text, start, at);
    let word = &text[word_start..at];
    if !following.spaced {
        return quote_closed && following.next == Next::Upper
            || referenced && matches!(following.next, Next::Upper)
            || missing_space(text, at, word, following);
    }
    // "1. First", "Q. What": the marker of an item or a question is no sentence.
    if word_start - start <= 16
        && text[start..word_start].chars().all(|c| c.is_whitespace() || is_opener(c) || is_dash(c))
        && is_marker(word)
    {
        return false;
    }
    if following.markup && !text[at..].starts_with("..") {
        return word.chars().count() >= 2 && abbreviation(word).is_none();
    }
    if following.next == Next::Lower && stands_alone(text, start, at) {
        return following.after_word != Some('.');
    }
    if following.next == Next::Lower {
        return !text[at..].starts_with("..")
            && !quote_closed
            && !following.opened
            && !following.dashed
            && lower_case_begins(&text[start..], word, following);
    }
    if word.is_empty() || quote_closed && !text[..at].ends_with(')') && word.chars().count() > 3 {
        return true;
    }
    if following.dashed && following.next != Next::Upper {
        return false;
    }
    let starter = following.next != Next::Upper || is_starter_word(following);
    if let Some(kind) = abbreviation(word) {
        return match kind {
            Abbreviation::Leading => false,
            Abbreviation::BeforeNumber { word: is_word } => {
                // "the PP. Then": capitals are a name.
                let is_name = word.chars().count() >= 2 && word.chars().all(char::is_uppercase);
                following.next != Next::Digit
                    && !(is_roman(following.word) && !(is_word && following.word == "I"))
                    && (is_word || is_name || starter && following.next == Next::Upper)
            }
            Abbreviation::MayEnd => {
                following.next == Next::Upper && starter && !(following.opened && following.word.is_empty())
            }
            Abbreviation::Unit => {
                following.next == Next::Upper && (starter || text[..word_start].trim_end().ends_with(char::is_numeric))
            }
            Abbreviation::OftenEnds => following.next == Next::Upper && !is_zone(following.word),
        };
    }
    // "z. B.", "u. Ä.": an abbreviation written with a space.
    if following.after_word == Some('.') && is_letter(word) && is_letter(following.word) {
        return false;
    }
    if is_number(word) {
        return !is_ordinal(text, start, word_start, word, following);
    }
    if is_initial(word) || is_dotted(word) {
        return match following.next {
            Next::Upper => starter && following.after_word != Some('.'),
            Next::Caseless | Next::Other => true,
            _ => false,
        };
    }
    true
}

/// Whether the point at `at` is a token of its own after a whole word, as in text that a tokenizer wrote ("the lake . the
/// dam broke"); not after an initial or an abbreviation ("j . smith", "mr . smith").
fn stands_alone(text: &str, start: usize, at: usize) -> bool {
    let before = &text[start..at];
    let token = before.trim_end().rsplit(char::is_whitespace).next().unwrap_or_default();
    token.len() < before.len()
        && before.ends_with(char::is_whitespace)
        && (token.chars().count() >= 2 || token.ends_with(|c: char| c.is_numeric() || is_closer(c)))
        && abbreviation(token).is_none()
}

/// Whether a lower-case word begins a sentence: in the writing of someone who uses no capitals, or when a full word
/// stands before the point and a function word or an address after it.
fn lower_case_begins(sentence: &str, word: &str, following: &Following<'_>) -> bool {
    let full_word = word.chars().count() >= 2 && word.chars().all(char::is_alphabetic) && abbreviation(word).is_none();
    let informal = sentence.starts_with(char::is_lowercase) || sentence.trim_start().starts_with(char::is_lowercase);
    let address = matches!(following.word, "http" | "https" | "www");
    let length = word.chars().count();
    let pronoun = matches!(
        following.word,
        "i" | "they" | "he" | "she" | "it" | "we" | "you" | "this" | "there" | "these" | "why" | "but"
    );
    full_word
        && (informal && length >= 3
            || address
            || pronoun && (length >= 3 || is_starter(word))
            || length >= 4
                && following.word.len() >= 2
                && is_starter_word(following)
                && !is_conjunction(following.word))
}

/// Words that go on with a sentence more often than they begin one.
fn is_conjunction(word: &str) -> bool {
    matches!(
        word,
        "and" | "or" | "of" | "for" | "from" | "to" | "in" | "on" | "at" | "ou" | "und" | "oder" | "et" | "de" | "di"
    )
}

/// "Hello world.Today is": a capitalised word directly after a point, in running text and not in an address.
fn missing_space(text: &str, at: usize, word: &str, following: &Following<'_>) -> bool {
    if following.next == Next::Caseless {
        return !word.is_empty() && !word.contains(|c: char| c.is_ascii_alphanumeric());
    }
    let plain = |part: &str| part.chars().count() >= 2 && part.chars().skip(1).all(char::is_lowercase);
    // "http://host.Name": what stands before belongs to an address.
    let in_address = text[..at - word.len()].ends_with(['/', '@', '_', '=', '\\', '#']);
    let before = !in_address
        && (word.chars().count() >= 3 && (word.chars().all(char::is_lowercase) || is_number(word))
            || word.chars().count() >= 4 && plain(word));
    before
        && following.next == Next::Upper
        && plain(following.word)
        && following.after_word.is_none_or(|c| {
            c.is_whitespace()
                || matches!(c, ',' | '\'' | '\u{2019}')
                || is_terminator(c) && following.after_that.is_none_or(|c| !c.is_alphanumeric())
        })
}

/// The end of note numbers directly after the point at `at`, if a new sentence follows them.
fn note_numbers(text: &str, at: usize, from: usize) -> Option<usize> {
    let before = text[..at].chars().next_back()?;
    if !(before.is_lowercase() || is_closer(before)) || !text[from..].starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut end = from;
    for _ in 0..8 {
        let digits = run(text, end, |c| c.is_ascii_digit());
        if digits == end || digits - end > 3 {
            break;
        }
        end = digits;
        let rest = &text[end..];
        let mark = rest.chars().next().filter(|mark| matches!(mark, ',' | '-' | '\u{2013}' | ' ')).map(char::len_utf8);
        match mark {
            Some(length) if rest[length..].starts_with(|c: char| c.is_ascii_digit()) => end += length,
            _ => break,
        }
    }
    let word = &text[word_before(text, 0, at)..at];
    if abbreviation(word).is_some() {
        return None;
    }
    let next = following(text, end);
    (next.next == Next::Upper && next.spaced).then_some(end)
}

/// The end of "[1][2]" and superscript figures after a sentence.
fn references(text: &str, from: usize) -> usize {
    let mut end = from;
    for _ in 0..16 {
        let Some(rest) = text[end..].strip_prefix('[') else { break };
        let length =
            rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, ',' | '-' | '\u{2013}' | ' '))).unwrap_or(0);
        if length == 0 || length > 12 || !rest[length..].starts_with(']') {
            break;
        }
        end += length + 2;
    }
    run(text, end, |c| matches!(c, '\u{b9}' | '\u{b2}' | '\u{b3}' | '\u{2070}'..='\u{2079}'))
}

/// The end of emoji and emoticons after a sentence.
fn pictures(text: &str, from: usize) -> usize {
    let spaces = run(text, from, |c| c == ' ');
    let end = run(text, spaces, |c| is_picture(c) || c == ' ');
    if end > spaces {
        return from + text[from..end].trim_end().len();
    }
    for face in [":)", ":(", ";)", ":-)", ":-(", ";-)", ":D", ":P", ":/"] {
        if text[spaces..].starts_with(face) && !text[spaces + face.len()..].starts_with(char::is_alphanumeric) {
            return spaces + face.len();
        }
    }
    from
}

fn following(text: &str, from: usize) -> Following<'_> {
    let spaced_to = run(text, from, char::is_whitespace);
    let mut at = spaced_to;
    let mut opened = false;
    let mut dashed = false;
    for _ in 0..6 {
        let Some(c) = text[at..].chars().next() else { break };
        if is_dash(c) && !opened {
            dashed = true;
            at = run(text, at, is_dash);
            at = run(text, at, |c| c == ' ');
        } else if is_opener(c) || opened && c == ' ' {
            opened = true;
            at += c.len_utf8();
        } else {
            break;
        }
    }
    let first = text[at..].chars().next();
    let markup = is_markup(&text[spaced_to..]);
    let next = match first {
        Some(_) if markup => Next::Other,
        None if spaced_to == text.len() => Next::End,
        None => Next::Other,
        Some(c) if c.is_lowercase() => Next::Lower,
        Some(c) if c.is_uppercase() => Next::Upper,
        Some(c) if c.is_numeric() => Next::Digit,
        Some(c) if c.is_alphabetic() => Next::Caseless,
        Some(c) if is_continuation(c) || !opened && is_terminator(c) || is_closer(c) => Next::Continuation,
        Some(_) => Next::Other,
    };
    let word_end = short_run(text, at, |c| c.is_alphanumeric());
    Following {
        next,
        spaced: spaced_to > from,
        opened,
        dashed,
        markup,
        word: &text[at..word_end],
        after_word: text[word_end..].chars().next(),
        after_that: text[word_end..].chars().nth(1),
    }
}

fn is_markup(text: &str) -> bool {
    let tag = text.strip_prefix('<').map(|rest| rest.trim_start_matches('/'));
    tag.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())) || is_workflow_command(text)
}

/// "::error file=a.txt::": a command to a build machine is no part of the sentence before it.
pub(super) fn is_workflow_command(text: &str) -> bool {
    text.strip_prefix("::").is_some_and(|rest| {
        let word = rest.split([' ', ':']).next().unwrap_or_default();
        matches!(word, "error" | "warning" | "notice" | "debug" | "group" | "endgroup" | "add-mask" | "set-output")
    })
}

fn is_starter_word(following: &Following<'_>) -> bool {
    following.word.len() <= 24 && is_starter(&fold(following.word)) && following.after_word != Some('.')
}

/// The start of the word before `at`, not before `start`: letters, digits and points, hyphens and apostrophes in them.
fn word_before(text: &str, start: usize, at: usize) -> usize {
    let mut begin = at;
    for (index, c) in text[start.min(at)..at].char_indices().rev().take(40) {
        if !(c.is_alphanumeric()
            || matches!(c, '.' | ',' | '-' | '&' | '§' | '°' | 'º' | 'ª' | '%')
            || unicode_normalization::char::is_combining_mark(c))
        {
            break;
        }
        begin = start + index;
    }
    begin
}

/// "1", "iv", "A", "12.3" at the start of an item.
fn is_marker(word: &str) -> bool {
    let count = word.chars().count();
    count == 1 && word.chars().all(char::is_alphanumeric)
        || count <= 6 && word.chars().all(|c| c.is_ascii_digit() || c == '.') && word.len() <= 5 && !is_year(word)
        || count <= 5 && is_roman(&word.to_uppercase()) && (word.chars().all(char::is_lowercase) || count <= 4)
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && (word.starts_with("19") || word.starts_with("20"))
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| matches!(c, 'I' | 'V' | 'X' | 'L' | 'C' | 'D' | 'M'))
}

/// Time zones after "p.m.".
fn is_zone(word: &str) -> bool {
    word.len() >= 2 && word.len() <= 4 && word.chars().all(char::is_uppercase)
}

fn is_number(word: &str) -> bool {
    word.contains(char::is_numeric) && word.chars().all(|c| c.is_numeric() || matches!(c, '.' | ',' | '-' | '%'))
}

/// A day or rank with a point: "am 3. Mai", "in der 2. Liga".
fn is_ordinal(text: &str, start: usize, word_start: usize, word: &str, following: &Following<'_>) -> bool {
    let word = word.trim_start_matches('-');
    if word.len() > 3 || !word.bytes().all(|b| b.is_ascii_digit()) || following.next != Next::Upper {
        return false;
    }
    if is_month_after_ordinal(&fold(following.word)) {
        return true;
    }
    let before = text[..word_start].trim_end();
    let before_start = word_before(text, start, before.len());
    precedes_ordinal(&fold(&before[before_start.min(before.len())..]))
}

fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// A single capital: the initial of a name.
fn is_initial(word: &str) -> bool {
    let letters = word.rsplit(['-', '.']).next().unwrap_or(word);
    let mut chars = letters.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_none()
}

/// Letters with points between them: "U.S", "z.B", "Ph.D".
fn is_dotted(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().all(char::is_alphabetic) && part.chars().count() <= 3)
}

fn run(text: &str, at: usize, accept: impl Fn(char) -> bool) -> usize {
    text[at..].find(|c| !accept(c)).map_or(text.len(), |length| at + length)
}

/// Like [`run`], but not over more than 64 characters: enough for any word that a rule knows.
fn short_run(text: &str, at: usize, accept: impl Fn(char) -> bool) -> usize {
    text[at..]
        .char_indices()
        .take(64)
        .find(|(_, c)| !accept(*c))
        .map_or_else(|| at + text[at..].chars().take(64).map(char::len_utf8).sum::<usize>(), |(offset, _)| at + offset)
}
