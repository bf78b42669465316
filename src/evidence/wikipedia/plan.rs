//! What to ask a wiki for: from claims to names of pages and words to search for.

use crate::claim::Claim;
use crate::text::{Language, MentionKind, TextSpan, TokenKind, content_words, is_stop_word, mentions, tokens};

/// Longest title that MediaWiki takes, in bytes.
const LONGEST_TITLE: usize = 255;
/// Words besides a name in a search: all of them must stand on a page.
const SEARCH_WORDS: usize = 2;
/// Longest name that is made by adding the words that follow, in words.
const WORDS_AFTER: usize = 2;
/// Characters of a claim in a script without spaces that are searched for.
const UNSPACED_CHARACTERS: usize = 24;

/// What one claim speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    /// For each thing that it names, in order: titles that its page may have, likeliest first.
    pub(super) things: Vec<Vec<String>>,
    /// Words of content besides names and figures, as written.
    words: Vec<String>,
    /// The first name as it is written; `None` where the claim names nothing.
    subject: Option<String>,
    /// What a claim without spaces between its words is searched by.
    unspaced: Option<String>,
}

impl Wanted {
    /// Reads a claim.
    pub(super) fn of(claim: &Claim, language: Language) -> Self {
        let text = claim.text.as_str();
        let tokens = tokens(text);
        let named = mentions(text, language);
        let mut things: Vec<Vec<String>> = Vec::new();
        let mut spans: Vec<TextSpan> = Vec::new();
        let mut subject = None;
        for mention in named.iter().filter(|mention| !mention.demonym) {
            let mut titles = Vec::new();
            if mention.qualifier_in_brackets
                && let Some(qualifier) = &mention.qualifier
            {
                titles.push(format!("{} ({qualifier})", mention.text));
            }
            if mention.kind != MentionKind::Work {
                titles.extend(longer_names(text, &tokens, mention.span, language));
            }
            titles.push(mention.text.clone());
            things.push(usable(titles));
            spans.push(mention.span);
            subject.get_or_insert_with(|| mention.text.clone());
        }
        if things.is_empty() {
            things.push(usable(first_words(text, &tokens, language)));
        }
        things.retain(|titles| !titles.is_empty());
        let mut words: Vec<String> = Vec::new();
        for token in &tokens {
            let written = token.span.of(text);
            let in_name = spans.iter().any(|span| span.overlaps(token.span));
            if token.kind == TokenKind::Word
                && !in_name
                && written.chars().count() >= 3
                && !is_stop_word(written, language)
                && !words.iter().any(|word| word == written)
            {
                words.push(written.to_owned());
            }
        }
        let ideographs = tokens.iter().filter(|token| token.kind == TokenKind::Ideograph).count();
        let unspaced = (language.is_unspaced() || ideographs * 2 > tokens.len())
            .then(|| text.chars().filter(|c| c.is_alphabetic()).take(UNSPACED_CHARACTERS).collect::<String>())
            .filter(|text| !text.is_empty());
        Self { things, words, subject, unspaced }
    }

    /// Searches that may find more on the claim, to be tried in this order until one finds something. `context` is what
    /// the whole text is about. Figures are left out: a page that gives another one is just what is looked for.
    pub(super) fn searches(&self, context: Option<&str>) -> Vec<String> {
        if let Some(text) = &self.unspaced {
            return vec![text.clone()];
        }
        let telling = self.telling(SEARCH_WORDS);
        let mut searches = Vec::new();
        match self.subject.as_deref() {
            Some(subject) => {
                searches.push(format!("{subject} {}", telling.join(" ")));
                searches.push(subject.to_owned());
            }
            None => {
                if let Some(context) = context {
                    searches.push(format!("{context} {}", telling.join(" ")));
                }
                searches.push(self.telling(SEARCH_WORDS + 1).join(" "));
            }
        }
        let mut cleaned: Vec<String> = Vec::new();
        for search in searches.iter().map(|search| plain_words(search)).filter(|search| !search.is_empty()) {
            if !cleaned.contains(&search) {
                cleaned.push(search);
            }
        }
        cleaned
    }

    /// The longest words, in their order: on the whole the rarer ones.
    fn telling(&self, most: usize) -> Vec<&str> {
        let mut order: Vec<usize> = (0..self.words.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(self.words[*at].chars().count()), *at));
        order.truncate(most);
        order.sort_unstable();
        order.into_iter().map(|at| self.words[at].as_str()).collect()
    }

    /// The first name as it is written.
    pub(super) fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }
}

/// Stems of what a claim says, without figures: a page that holds none of them cannot bear on it.
pub(super) fn stems(text: &str, language: Language) -> Vec<String> {
    let mut words = content_words(text, language);
    words.retain(|word| !word.starts_with(|first: char| first.is_ascii_digit()));
    words.sort_unstable();
    words.dedup();
    words
}

/// The name with the words that follow it, as they stand and with capitals: "Ilva bridge" is the page "Ilva Bridge".
fn longer_names(text: &str, tokens: &[crate::text::Token], span: TextSpan, language: Language) -> Vec<String> {
    let Some(next) = tokens.iter().position(|token| token.span.start >= span.end) else { return Vec::new() };
    let mut names = Vec::new();
    let mut end = span.end;
    for token in tokens.iter().skip(next).take(WORDS_AFTER) {
        let written = token.span.of(text);
        let adjoining = text.get(end..token.span.start).is_some_and(|gap| gap == " ");
        if token.kind != TokenKind::Word || !adjoining || is_stop_word(written, language) {
            break;
        }
        end = token.span.end;
        let whole = &text[span.start..end];
        // In reverse: the longest comes first, as it stands and then with capitals.
        let capitals = whole.split(' ').map(capitalised).collect::<Vec<_>>().join(" ");
        if capitals != whole {
            names.push(capitals);
        }
        names.push(whole.to_owned());
    }
    names.reverse();
    names
}

/// What a claim that names nothing may be about: its first words, without articles.
fn first_words(text: &str, tokens: &[crate::text::Token], language: Language) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let words = tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let mut words = words.skip_while(|token| is_stop_word(token.span.of(text), language));
    let Some(first) = words.next() else { return names };
    let mut end = first.span.end;
    names.push(text[first.span.start..end].to_owned());
    for token in words.take(WORDS_AFTER) {
        let adjoining = text.get(end..token.span.start).is_some_and(|gap| gap == " ");
        if !adjoining || is_stop_word(token.span.of(text), language) {
            break;
        }
        end = token.span.end;
        names.push(text[first.span.start..end].to_owned());
    }
    names.reverse();
    names
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Those that can be titles, each once.
fn usable(titles: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for title in titles {
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let possible = !title.is_empty()
            && title.len() <= LONGEST_TITLE
            && !title.contains(['#', '<', '>', '[', ']', '|', '{', '}', '_', '\u{fffd}'])
            && !title.chars().any(char::is_control)
            && !title.starts_with([':', '/', '.'])
            && title.chars().any(char::is_alphabetic);
        if possible && !kept.contains(&title) {
            kept.push(title);
        }
    }
    kept
}

/// Without characters that a search engine would take for orders.
fn plain_words(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.') { c } else { ' ' })
        .collect();
    spaced
        .split_whitespace()
        .map(|word| word.trim_matches(['-', '.', '\'', '’']))
        .filter(|word| !word.is_empty() && !matches!(*word, "OR" | "AND" | "NOT"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str) -> Wanted {
        Wanted::of(&Claim::whole(text), Language::English)
    }

    #[test]
    fn names_come_in_order_with_the_words_that_may_belong_to_them() {
        let wanted = wanted("The Ilva bridge was designed by Ana Brandt.");
        assert_eq!(wanted.things[0], ["Ilva bridge", "Ilva Bridge", "Ilva"]);
        assert_eq!(wanted.things[1], ["Ana Brandt"]);
        assert_eq!(wanted.subject(), Some("Ilva"));
    }

    #[test]
    fn a_claim_without_a_name_is_about_its_first_words() {
        let wanted = wanted("The photosynthesis of plants needs light.");
        assert_eq!(wanted.things, [["photosynthesis"]]);
    }

    #[test]
    fn searches_hold_no_figures_and_no_orders_to_the_search_engine() {
        let searches = wanted("Marta Solheim discovered the moon \"insource:x\" in 1904.").searches(None);
        assert!(searches[0].starts_with("Marta Solheim "), "{searches:?}");
        assert_eq!(searches[1], "Marta Solheim");
        for search in &searches {
            assert!(!search.contains(['"', ':', '1']), "{search}");
        }
        assert_eq!(plain_words("-a OR \"b\" c~ [d]"), "a b c d");
    }

    #[test]
    fn what_cannot_be_a_title_is_not_asked_for() {
        let bad = ["a|b", "", "1984", "x#y", "a\u{0}b"].map(str::to_owned).to_vec();
        assert!(usable(bad).is_empty());
        assert_eq!(usable(vec!["a  b".to_owned(), "a b".to_owned()]), ["a b"]);
        assert!(usable(vec!["é".repeat(200)]).is_empty());
    }
}
