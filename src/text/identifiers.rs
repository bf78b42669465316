//! Numbers that measure nothing: identifiers, labels, telephone numbers, citations.

use super::lexicon::Tongue;
use super::quantity_reader::{Reader, Side};
use super::quantity_suffix::Sort;
use super::value_tokens::{Kind, Scan, is_unspaced};
use super::{currencies, nouns};

/// Words after which a number is a label.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "section", "sections", "chapter", "figure", "fig", "table", "page", "pages", "pp", "room", "flight", "route", "version", "vol", "issue", "article",
    "paragraph", "clause", "scene", "step", "item", "verse", "phase", "appendix", "annex", "rfc", "iso", "highway", "interstate", "gate", "platform", "question",
    "exhibit", "equation", "number", "nr", "nº", "capítulo", "artigo", "página", "seção", "secção", "kapitel", "seite", "abschnitt", "artikel", "artículo",
    "chapitre", "numéro", "número", "nummer", "lot", "track", "episode", "act", "volume", "formula", "apartment", "unit", "channel", "line", "day",
];
impl Reader<'_, '_> {
    /// The index after a run of letters, digits and the signs that join them.
    pub(super) fn past_run(&self, i: usize) -> usize {
        let mut j = i + 1;
        while let Some(token) = self.scan.at(j) {
            let joins = match token.kind {
                Kind::Digits => true,
                Kind::Word => !is_unspaced(token.first),
                Kind::Symbol => {
                    matches!(token.first, '-' | '.' | '/' | '_' | ':')
                        && self.scan.at(j + 1).is_some_and(|next| matches!(next.kind, Kind::Digits))
                }
                _ => false,
            };
            if !joins {
                break;
            }
            j += 1;
        }
        j
    }

    /// Where to go on when the digits at `i` are the tail or head of an identifier.
    pub(super) fn not_a_number(&self, i: usize) -> Option<usize> {
        let scan = self.scan;
        let skip = || Some(self.past_run(i));
        if let Some(before) = scan.before(i) {
            let further = i.checked_sub(2).and_then(|at| scan.at(at));
            let after_word = further.is_some_and(|token| token.kind == Kind::Word && !is_unspaced(token.first));
            let after_digits = further.is_some_and(|token| token.kind == Kind::Digits);
            match before.kind {
                Kind::Word => {
                    if !is_unspaced(before.first) && currencies::before(scan, i).is_none() {
                        return skip();
                    }
                }
                Kind::Digits | Kind::Opaque => return skip(),
                Kind::Symbol => match before.first {
                    '.' if after_word || after_digits => return skip(),
                    '-' | '‑' | '–' | '/' | ':' if after_digits => return skip(),
                    '-' | '‑' | '/' | '_' | '\'' | '’' if after_word => return skip(),
                    '#' | '§' | '@' | '№' | '°' | '′' | '″' | '^' | '&' | '\\' => return skip(),
                    '\'' | '’' if scan.at(i).is_some_and(|token| token.end - token.start == 2) => return skip(),
                    '+' if self.groups_of_phone(i) => return skip_phone(scan, i),
                    _ => {}
                },
                Kind::Space => {}
            }
        }
        // "[12]" is a citation, "401(k)" a label.
        if (scan.is(i.wrapping_sub(1), '[') && scan.is(i + 1, ']'))
            || (scan.is(i + 1, '(') && scan.is(i + 3, ')') && scan.str(i + 2).len() == 1)
        {
            return Some(i + 2);
        }
        // "(202) 328-7614": a code in brackets before a number.
        let code = scan.is(i.wrapping_sub(1), '(') && scan.is(i + 1, ')');
        if code
            && scan.kind(i + 3) == Some(Kind::Digits)
            && scan.is(i + 4, '-')
            && scan.kind(i + 5) == Some(Kind::Digits)
        {
            return Some(self.past_run(i + 3));
        }
        // "555-123-4567", "0-306-40615-2": three groups are a serial.
        let dashed = |at: usize| (scan.is(at, '-') || scan.is(at, '–')) && scan.kind(at + 1) == Some(Kind::Digits);
        if dashed(i + 1) && dashed(i + 3) {
            return skip();
        }
        // "24/7", "9/11/2001" and other fractions that are none; "3/4" is one.
        if scan.is(i + 1, '/') && scan.kind(i + 2) == Some(Kind::Digits) && self.fraction(i).is_none() {
            return skip();
        }
        let digits = scan.str(i);
        let zero_led = digits.len() > 1
            && digits.starts_with('0')
            && !matches!(scan.at(i + 1).map(|t| t.first), Some('.' | ',' | ':'));
        let phone = scan.previous_is(i, &["call", "phone", "tel", "telephone", "fax", "dial", "isbn", "issn"]);
        (zero_led || (phone && digits.len() > 2)).then(|| self.past_run(i))
    }

    /// After "+": digits in several groups.
    pub(super) fn groups_of_phone(&self, i: usize) -> bool {
        let joined = self.scan.at(i + 1).is_some_and(|token| matches!(token.first, ' ' | '-' | '('));
        joined && self.scan.at(i + 2).is_some_and(|token| token.kind == Kind::Digits || token.first == '(')
    }

    /// Whether the number is a label: "section 4.2", "Apollo 11".
    pub(super) fn is_label(&self, side: &Side) -> bool {
        let scan = self.scan;
        if side.sort != Sort::Bare
            || side.magnitude != 1.0
            || side.numeral.in_words
            || side.end != side.numeral.end
            || side.start != side.number.0
        {
            return false;
        }
        let mut at = side.start;
        let pointed = at >= 3 && scan.kind(at - 1) == Some(Kind::Space) && scan.is(at - 2, '.');
        if pointed {
            let word = at - 3;
            return at >= 3
                && scan.is_any(word, &["no", "nr", "fig", "vol", "ch", "sec", "art", "p", "pp", "op", "nos", "num"])
                && scan.kind(word + 1) == Some(Kind::Symbol);
        }
        let Some(word) = scan.word_before(at) else { return false };
        at = word;
        if scan.is_any(at, LABELS) {
            return true;
        }
        let plain = (1..=4).contains(&side.numeral.plain_digits);
        plain
            && scan.is_capital(at)
            && scan.tongue != Tongue::German
            && !scan.starts_sentence(at)
            && scan.at(at).is_some_and(|token| token.entry.month == 0)
            && nouns::counted(scan, side.end).is_none()
    }
}

fn skip_phone(scan: &Scan<'_>, i: usize) -> Option<usize> {
    let mut j = i;
    while let Some(token) = scan.at(j) {
        let part = token.kind == Kind::Digits || matches!(token.first, ' ' | '-' | '(' | ')' | '.' | '/');
        if !part {
            break;
        }
        j += 1;
    }
    Some(j)
}
