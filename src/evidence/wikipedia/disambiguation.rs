//! One name, several things: which of them a claim means.

use std::collections::BTreeSet;

use super::page::Page;
use crate::text::{Language, content_words};

/// A thing that bears the name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The title of its page.
    pub(super) title: String,
    /// What the list says of it.
    described: String,
}

/// The meanings that a page lists: of each item the article that it links to.
pub(super) fn meanings(page: &Page) -> Vec<Meaning> {
    let mut found: Vec<Meaning> = Vec::new();
    for line in page.text.lines() {
        let Some(item) = line.trim_start().strip_prefix("- ") else { continue };
        // The first link of an item is what it is about; at one place a whole title outranks one without its bracket, and a
        // longer title a shorter one.
        let place = |title: &String| {
            let shown = title.split(" (").next().unwrap_or(title);
            let whole = item.find(title.as_str()).map(|at| (at, false));
            let (at, cut) = whole.into_iter().chain(item.find(shown).map(|at| (at, true))).min()?;
            Some((at, cut, std::cmp::Reverse(title.len())))
        };
        let link = page.links.iter().filter_map(|title| Some((place(title)?, title))).min();
        if let Some((_, title)) = link
            && !found.iter().any(|meaning| meaning.title == *title)
        {
            found.push(Meaning { title: title.clone(), described: item.to_owned() });
        }
    }
    found
}

/// Which of several meanings a claim speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// The claim's words fit one better than all others.
    One(String),
    /// They do not tell.
    Open,
}

/// Chooses by the words that the claim shares with what the list says of each meaning, besides the name itself.
pub(super) fn choose(meanings: &[Meaning], name: &str, claim: &str, language: Language) -> Choice {
    let of_name: BTreeSet<String> = content_words(name, language).into_iter().collect();
    let said: BTreeSet<String> = content_words(claim, language).into_iter().collect();
    let mut scores: Vec<(usize, &Meaning)> = meanings
        .iter()
        .map(|meaning| {
            let words: BTreeSet<String> =
                content_words(&format!("{} {}", meaning.title, meaning.described), language).into_iter().collect();
            (words.difference(&of_name).filter(|word| said.contains(*word)).count(), meaning)
        })
        .collect();
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scores.as_slice() {
        [(_, only)] => Choice::One(only.title.clone()),
        [(first, best), (second, _), ..] if first > second => Choice::One(best.title.clone()),
        _ => Choice::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selka() -> Vec<Meaning> {
        meanings(&Page {
            page_id: 1,
            title: "Selka".to_owned(),
            revision: 1,
            dated: String::new(),
            retrieved: String::new(),
            text:
                "Selka may refer to:\n\n- Selka River, a river in the north of Veldmark\n- Selka (moon), a moon of the \
                   planet Orun\n- Selka (band), a rock band from Port Lessing"
                    .to_owned(),
            links: ["Port Lessing", "Selka (band)", "Selka (moon)", "Selka River", "Veldmark"]
                .map(str::to_owned)
                .to_vec(),
        })
    }

    #[test]
    fn each_item_means_the_article_that_it_begins_with() {
        let titles: Vec<String> = selka().into_iter().map(|meaning| meaning.title).collect();
        assert_eq!(titles, ["Selka River", "Selka (moon)", "Selka (band)"]);
    }

    #[test]
    fn the_claims_words_choose_and_a_draw_stays_open() {
        let choose = |claim| choose(&selka(), "Selka", claim, Language::English);
        assert_eq!(choose("Selka orbits its planet once in 4.2 days."), Choice::One("Selka (moon)".to_owned()));
        assert_eq!(choose("The band Selka was formed in 2003."), Choice::One("Selka (band)".to_owned()));
        assert_eq!(choose("Selka is 212 km long."), Choice::Open);
    }
}
