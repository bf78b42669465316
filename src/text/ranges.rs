//! Two numbers that make one quantity: ranges ("5–7", "between 5 and 7") and ratios ("12 of 18", "7 to 5").

use super::quantities::{NumberLocale, QuantityKind};
use super::quantity_reader::{Read, Reader, Side};
use super::quantity_suffix::Sort;
use super::value_tokens::Kind;
use super::{currencies, hedges, nouns};

/// Words that tell of a change, after which "from … to …" is no range.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "rose", "rise", "rises", "risen", "rising", "fell", "fall", "falls", "fallen", "falling", "grew", "grow", "grows", "grown", "growth", "increased", "increase", "increases", "increasing",
    "decreased", "decrease", "decreases", "declined", "decline", "declines", "dropped", "drop", "drops", "climbed", "climbs", "jumped", "changed", "change", "changes", "went", "moved", "up", "down",
    "expanded", "shrank", "shrunk", "reduced", "reduction", "raised", "cut", "improved", "slipped", "surged", "soared", "plunged", "slid", "doubled", "tripled", "converted", "upgraded",
    "subiu", "aumentou", "caiu", "passou", "stieg", "sank", "fiel", "wuchs", "subió", "aumentó", "cayó", "pasó", "passé", "augmenté", "baissé",
];

/// Words by which two numbers with "to" or a dash are a score or a vote.
const SCORES: &[&str] = &[
    "won", "win", "wins", "lost", "beat", "defeated", "defeat", "drew", "draw", "score", "scored", "vote", "voted",
    "by", "ratio", "odds", "ruled", "victory", "led", "tied", "a", "went", "record", "game",
];
impl Reader<'_, '_> {
    /// The second end of a range that begins with `side`.
    pub(super) fn range(&self, side: &Side) -> Option<(Side, usize)> {
        let scan = self.scan;
        if side.end != side.numeral.end && side.hyphenated {
            return None;
        }
        let dash = |j: usize| matches!(scan.at(j), Some(token) if token.kind == Kind::Symbol && matches!(token.first, '-' | '–' | '—' | '‑' | '−' | '～' | '~'));
        let spaced = scan.past_space(side.end);
        let second_at = if dash(side.end) {
            scan.past_space(side.end + 1)
        } else if spaced > side.end
            && ((dash(spaced) && scan.past_space(spaced + 1) > spaced + 1) || self.range_word(side, spaced))
        {
            scan.past_space(spaced + 1)
        } else {
            return None;
        };
        let second = self.side_at(second_at)?;
        let compatible = match (&side.sort, &second.sort) {
            (Sort::Bare, Sort::Times) => !side.numeral.in_words,
            (Sort::Bare, _) => true,
            (Sort::Money(one), Sort::Money(other)) => currencies::compatible(&one.symbol, &other.symbol),
            (Sort::Money(_), Sort::Bare) => true,
            (Sort::Measure(one), Sort::Measure(other)) => one.dimension == other.dimension,
            (Sort::Percent(_), Sort::Percent(_)) | (Sort::Points(_), Sort::Points(_)) | (Sort::Times, Sort::Times) => {
                true
            }
            (Sort::Percent(_), Sort::Bare) => false,
            _ => false,
        };
        let shared = if side.magnitude == 1.0 && side.sort == Sort::Bare || side.currency_before {
            second.magnitude
        } else {
            1.0
        };
        let first = side.value * if side.magnitude == 1.0 { shared.max(1.0) } else { side.magnitude };
        (compatible && (first < second.value * second.magnitude || side.value < second.value)).then(|| {
            let end = second.end;
            (second, end)
        })
    }

    /// Whether the word at `i` joins a range after `side`.
    pub(super) fn range_word(&self, side: &Side, i: usize) -> bool {
        let scan = self.scan;
        let (_, hedged) = hedges::before(scan, side.start);
        let before = scan.word_before(hedged);
        let is = |words: &[&str]| before.is_some_and(|before| scan.is_any(before, words));
        if scan.is_any(i, &["and", "und", "e", "y", "et"]) {
            return is(&["between", "zwischen", "entre"]);
        }
        let from = is(&["from", "de", "von", "desde"]);
        if scan.is_any(i, &["to", "bis", "through"]) || (from && scan.is_any(i, &["a", "à", "para"])) {
            return !(from && self.tells_change(before.unwrap_or(0)));
        }
        false
    }

    /// The end of a change whose unit or magnitude its start shares: "from 4 to 6 million euros".
    pub(super) fn change(&self, side: &Side) -> Option<Side> {
        let scan = self.scan;
        let to = scan.past_space(side.end);
        let alone =
            side.sort == Sort::Bare && side.magnitude == 1.0 && side.end == side.numeral.end && !self.is_ordinal(side);
        if !alone
            || to == side.end
            || !scan.is_any(to, &["to", "auf", "a", "à", "para"])
            || !scan.previous_is(side.start, &["from", "von", "de", "desde"])
        {
            return None;
        }
        let second = self.side_at(scan.past_space(to + 1))?;
        let magnitude = second.magnitude > 1.0 && side.value < 1000.0;
        let unit =
            matches!(second.sort, Sort::Percent(_) | Sort::Measure(_)) || (magnitude && second.sort != Sort::Bare);
        ((unit || magnitude) && !second.currency_before).then_some(second)
    }

    /// Whether a word of change stands shortly before token `i` in its sentence.
    pub(super) fn tells_change(&self, i: usize) -> bool {
        let mut j = i;
        for _ in 0..16 {
            let Some(token) = self.scan.before(j) else { return false };
            if matches!(token.first, '.' | ';' | '\r') && token.kind != Kind::Word {
                return false;
            }
            j -= 1;
            if token.kind == Kind::Word && self.scan.is_any(j, CHANGES) {
                return true;
            }
        }
        false
    }

    /// "12 of 18", "one in four", "7 to 5", "3:1".
    pub(super) fn ratio(&self, side: &Side) -> Option<Read> {
        let scan = self.scan;
        let whole = |side: &Side| {
            side.sort == Sort::Bare
                && side.magnitude == 1.0
                && side.end == side.numeral.end
                && side.value.fract() == 0.0
                && side.value >= 0.0
        };
        if !whole(side) || self.is_ordinal(side) {
            return None;
        }
        let spaced = scan.past_space(side.end);
        let after = scan.past_space(spaced + 1);
        let (counts, second_at, score) = if matches!(scan.at(side.end).map(|token| token.first), Some(':' | '-' | '–'))
            && scan.kind(side.end + 1) == Some(Kind::Digits)
        {
            (false, side.end + 1, true)
        } else if spaced == side.end || after == spaced + 1 {
            return None;
        } else if scan.is_any(spaced, &["of"]) {
            let the = if scan.is_any(after, &["the", "its", "their", "every", "all"]) {
                scan.past_space(after + 1)
            } else {
                after
            };
            (true, the, false)
        } else if scan.is_any(spaced, &["out"]) && scan.is_any(after, &["of"]) {
            let the = scan.past_space(after + 1);
            (true, if scan.is_any(the, &["the", "every", "its"]) { scan.past_space(the + 1) } else { the }, false)
        } else if scan.is_any(spaced, &["in", "em", "von", "sur", "cada"]) {
            let every = if scan.is_any(after, &["every", "cada"]) { scan.past_space(after + 1) } else { after };
            (false, every, false)
        } else if scan.is_any(spaced, &["to"]) && !scan.previous_is(side.start, &["from"]) {
            (false, after, true)
        } else {
            return None;
        };
        let second = self.side_at(second_at).filter(|second| whole(second) && second.start == second_at)?;
        let (one, two) = (side.value, second.value);
        if score {
            let scored = self.scored(side, second.end) && side.numeral.plain_digits <= 3;
            let colon = scan.is(side.end, ':');
            if !(colon || one > two || scored)
                || second.numeral.plain_digits > 4
                || nouns::counted(scan, second.end).is_some() && !scored && one <= two
            {
                return None;
            }
        } else if one > two || two == 0.0 {
            return None;
        }
        if !counts
            && !score
            && (two < 2.0
                || second.numeral.plain_digits == 4 && self.locale == NumberLocale::Any && two < 2200.0 && two > 1800.0)
        {
            return None;
        }
        let counted = nouns::counted(scan, second.end);
        let end = second.end;
        let (hedge, start) = hedges::before(scan, side.start);
        let value = if two == 0.0 { one } else { one / two };
        let noun_end = counted.as_ref().map_or(end, |(_, end)| *end);
        let mut ratio = self.blank(start, (side.number.0, second.number.1), noun_end, value, QuantityKind::Ratio);
        ratio.half_unit = 0.0;
        ratio.hedge = hedge;
        ratio.parts = Some((one, two));
        let noun = counted.map(|(noun, _)| noun);
        ratio.counted.clone_from(&noun);
        let mut found = Vec::with_capacity(3);
        if counts {
            let (mut first, _) = self.quantity(side, None, side.end);
            first.counted = first.counted.or_else(|| noun.clone());
            let (mut total, _) = self.quantity(&second, None, second.end);
            total.counted = total.counted.or(noun);
            found.push(first);
            found.push(total);
        }
        found.push(ratio);
        Some(Read::Found(found, noun_end))
    }

    /// Whether the words around say that the two numbers are a score, a vote or a record.
    pub(super) fn scored(&self, side: &Side, end: usize) -> bool {
        const AFTER: [&str; 11] =
            ["record", "win", "loss", "victory", "defeat", "draw", "season", "start", "lead", "score", "vote"];
        self.scan.previous_is(side.start, SCORES) || self.scan.is_any(self.scan.past_space(end), &AFTER)
    }
}
