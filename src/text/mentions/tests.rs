//! What is found, and what is the same name.

use proptest::prelude::*;

use super::*;
use crate::text::Language;

fn names(text: &str) -> Vec<String> {
    names_in(text, Language::English)
}

fn names_in(text: &str, language: Language) -> Vec<String> {
    mentions(text, language).into_iter().map(|mention| mention.text).collect()
}

fn stand(a: &str, b: &str) -> NameMatch {
    let first = |text: &str| {
        let mut found = mentions(text, Language::English);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0)
    };
    let (a, b) = (first(a), first(b));
    assert_eq!(a.matches(&b), b.matches(&a), "matching is symmetric");
    a.matches(&b)
}

#[test]
fn names_are_found_without_titles_and_articles() {
    for (text, expected) in [
        ("It was signed by Dr. Ada Vance and King Osric IV.", vec!["Ada Vance", "Osric IV"]),
        ("In 1999, Abdelaziz BOUTEFLIKA won the presidency.", vec!["Abdelaziz BOUTEFLIKA"]),
        ("current President Abdelmadjid TEBBOUNE", vec!["Abdelmadjid TEBBOUNE"]),
        ("the former Prime Minister Abdelmadjid TEBBOUNE", vec!["Abdelmadjid TEBBOUNE"]),
        ("It was designed by Kemeny and Kurtz at Dartmouth College.", vec!["Kemeny", "Kurtz", "Dartmouth College"]),
        ("The lease was signed with Brightmoor Ltd. in Sept. 2019.", vec!["Brightmoor Ltd"]),
        ("Teal Ltd acquired Moss Ltd.", vec!["Teal Ltd", "Moss Ltd"]),
        ("Python was created by Guido van Rossum.", vec!["Python", "Guido van Rossum"]),
        ("She works for the Bank of England in St. Louis.", vec!["Bank of England", "St. Louis"]),
        ("the Food and Agriculture Organization of Peru", vec!["Food and Agriculture Organization of Peru"]),
        ("It borders Bosnia and Herzegovina and Croatia.", vec!["Bosnia and Herzegovina", "Croatia"]),
        ("He moved from Rio de Janeiro to Los Angeles.", vec!["Rio de Janeiro", "Los Angeles"]),
        ("Côte d'Ivoire exports cocoa.", vec!["Côte d'Ivoire"]),
        (
            "French President Emmanuel Macron met German Chancellor Olaf Scholz.",
            vec!["French", "Emmanuel Macron", "German", "Olaf Scholz"],
        ),
        ("Algeria's capital is Algiers.", vec!["Algeria", "Algiers"]),
        ("the Department of Health and Human Services", vec!["Department of Health and Human Services"]),
        ("Prime Minister Theresa May resigned in May 2019.", vec!["Theresa May"]),
        ("On 3 March 1987 John F. Kennedy spoke.", vec!["John F. Kennedy"]),
        ("I think Oslo is in Norway.", vec!["Oslo", "Norway"]),
        ("They bought AT&T and Smith & Sons.", vec!["AT&T", "Smith & Sons"]),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn identifiers_are_found_whole() {
    for (text, expected) in [
        ("The torque of QX-7741 is 5 Nm.", vec!["QX-7741"]),
        ("See CVE-2024-1234 and part A17.", vec!["CVE-2024-1234", "A17"]),
        ("According to Report Alpha, product A costs 19 USD.", vec!["Report Alpha", "product A"]),
        ("calling fetch() or `load_all` fails", vec!["fetch", "load_all"]),
        ("fetch(url, timeout=30) returns", vec!["fetch"]),
        ("it launched Apollo 11 in 1969", vec!["Apollo 11"]),
    ] {
        assert_eq!(names(text).into_iter().filter(|name| name != "USD").collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn common_words_at_the_start_of_a_sentence_are_no_names() {
    for text in [
        "Profit was 4.10 per share.",
        "However, the valve was replaced. Most members voted yes.",
        "Returns take 20 days. Valves wear out; the valves were replaced.",
        "The drug may reduce fever.",
        "It rained on Monday in January.",
        "THE VALVE WAS NOT REPLACED.",
    ] {
        let sure: Vec<String> =
            mentions(text, Language::English).into_iter().filter(|m| !m.sentence_initial).map(|m| m.text).collect();
        assert_eq!(sure, Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_single_word_at_the_start_is_marked_unless_the_text_shows_it_elsewhere() {
    let found = mentions("Norsel grew. In 1994 they renamed Norsel.", Language::English);
    assert_eq!(found.iter().map(|m| m.sentence_initial).collect::<Vec<_>>(), [false, false]);
    let found = mentions("Norsel grew.", Language::English);
    assert_eq!(found.iter().map(|m| m.sentence_initial).collect::<Vec<_>>(), [true]);
    let found = mentions("NASA grew. Paris grew. Alan Brook grew.", Language::English);
    assert!(found.iter().all(|m| !m.sentence_initial), "{found:?}");
}

#[test]
fn german_nouns_are_no_names_but_known_patterns_are() {
    let german = |text| names_in(text, Language::German);
    assert_eq!(german("Das Museum wurde 1987 eröffnet."), Vec::<String>::new());
    assert_eq!(german("Die Brücke über den Fluss ist seit 1958 in Betrieb."), Vec::<String>::new());
    assert_eq!(german("Der SV Beispielstadt spielt in der 2. Liga."), ["SV Beispielstadt"]);
    assert_eq!(german("Die Leitung hat Frau Müller von der Norsel GmbH."), ["Müller", "Norsel GmbH"]);
    assert_eq!(german("Seit 2005 regierte Angela Merkel in Deutschland."), ["Angela Merkel", "Deutschland"]);
}

#[test]
fn other_languages_keep_their_particles() {
    assert_eq!(
        names_in("A lei foi sancionada por Michel Temer em São Paulo.", Language::Portuguese),
        ["Michel Temer", "São Paulo"]
    );
    assert_eq!(
        names_in("O Banco do Brasil fica no Rio de Janeiro.", Language::Portuguese),
        ["Banco do Brasil", "Rio de Janeiro"]
    );
    assert_eq!(names_in("La tour d'Eiffel se trouve à Paris.", Language::French), ["Eiffel", "Paris"]);
    assert_eq!(
        names_in("El puente de Segovia fue construido por Juan de Herrera.", Language::Spanish),
        ["Segovia", "Juan de Herrera"]
    );
    assert_eq!(names_in("青石桥建于1958年。", Language::Chinese), Vec::<String>::new());
    assert_eq!(names_in("東京のグーグル本社はQX-7741を使う。", Language::Japanese), ["グーグル", "QX-7741"]);
}

#[test]
fn the_same_thing_under_another_name_is_the_same() {
    for (a, b) in [
        ("in the US", "in the United States"),
        ("in the U.S.", "across America"),
        ("in the German city", "in Germany"),
        ("in NYC", "in New York City"),
        ("at the UN", "at the United Nations"),
        ("by Osric IV", "by Osric the Fourth"),
        ("by J. Kemeny", "by John Kemeny"),
        ("by John G. Kemeny", "by John Kemeny"),
        ("by Kemeny", "by John Kemeny"),
        ("by President Lincoln", "by Abraham Lincoln"),
        ("by Tebboune", "by Abdelmadjid TEBBOUNE"),
        ("on the Łona", "on the Lona"),
        ("in São Bruno", "in SAO BRUNO"),
        ("at Dartmouth", "at Dartmouth College"),
        ("by the NLF", "by the National Liberation Front"),
        ("bought Teal", "bought Teal Ltd"),
        ("on the Ilva", "on the Ilva River"),
        ("part QX-7741", "part QX7741"),
        ("in World War II", "in the Second World War"),
        ("by Rossum", "by Guido van Rossum"),
        ("at Johnson & Johnson", "at Johnson and Johnson"),
        ("by J. R. Marlow", "by John Robert Marlow"),
        ("by Marlow", "by J. R. Marlow"),
        ("in the UK", "in the United Kingdom"),
        ("by the WHO", "by the World Health Organization"),
        ("by José Peña", "by Jose Pena"),
        ("by the Norwegian firm", "in Norway"),
        ("by Ludwig van Beethoven", "by Beethoven"),
    ] {
        assert_eq!(stand(a, b), NameMatch::Same, "{a} / {b}");
    }
}

#[test]
fn other_things_are_different() {
    for (a, b) in [
        ("by Osric IV", "by Osric the Sixth"),
        ("on the Lona", "on the Lena"),
        ("at Dartmouth College", "at Harvard University"),
        ("in York", "in New York"),
        ("in Germany", "in Austria"),
        ("in North Korea", "in South Korea"),
        ("by John Kemeny", "by Peter Kemeny"),
        ("by John Kemeny", "by John Kurtz"),
        ("said Report Alpha", "said Report Beta"),
        ("part QX-7741", "part QX-7742"),
        ("for Teal Ltd", "for Moss Ltd"),
        ("in the US", "in the UK"),
        ("saw product A", "saw product B"),
        ("by J. Kemeny", "by Peter Kemeny"),
        ("see CVE-2024-1234", "see CVE-2024-1243"),
        ("on the A17", "on the A7"),
    ] {
        assert_eq!(stand(a, b), NameMatch::Different, "{a} / {b}");
    }
}

#[test]
fn bearers_of_one_name_are_told_apart_by_their_words() {
    let chemist = "Alan Brook (chemist) was born in 1920.";
    assert_eq!(stand("The cyclist Alan Brook was born in 1920.", chemist), NameMatch::OtherBearer);
    assert_eq!(stand("Alan Brook was born in 1920.", chemist), NameMatch::Same);
    assert_eq!(stand("The chemist Alan Brook was born in 1920.", chemist), NameMatch::Same);
    assert_eq!(stand("Alan Brook (cyclist) was born.", chemist), NameMatch::OtherBearer);
    // An author may be a chemist too: without brackets nothing tells two bearers.
    assert_eq!(stand("the author Alan Brook", "the chemist Alan Brook"), NameMatch::Same);
}

#[test]
fn a_text_may_define_its_own_short_names() {
    let text = "The Front of the National Cause (FLN) won. In 1991 FLN lost.";
    let found = mentions(text, Language::English);
    let short = found.iter().find(|m| m.text == "FLN" && m.span.start > 45).unwrap();
    let full = found.iter().find(|m| m.text.starts_with("Front")).unwrap();
    assert_eq!(short.matches(full), NameMatch::Same);
}

#[test]
fn works_in_quotes_are_one_mention() {
    let found = mentions("She wrote “The Long Road to Norsel” in 1994.", Language::English);
    assert_eq!(
        found.iter().map(|m| (m.text.as_str(), m.kind)).collect::<Vec<_>>(),
        [("The Long Road to Norsel", MentionKind::Work)]
    );
}

#[test]
fn kinds_follow_from_the_words() {
    let kind = |text: &str| mentions(text, Language::English)[0].kind;
    assert_eq!(kind("by Dr. Vance"), MentionKind::Person);
    assert_eq!(kind("by the cyclist Alan Brook"), MentionKind::Person);
    assert_eq!(kind("at Dartmouth College"), MentionKind::Organisation);
    assert_eq!(kind("by Teal Ltd"), MentionKind::Organisation);
    assert_eq!(kind("in Norway"), MentionKind::Place);
    assert_eq!(kind("on Lake Oro"), MentionKind::Place);
    assert_eq!(kind("see A17"), MentionKind::Identifier);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn any_text_gives_ordered_spans_on_character_boundaries(
        text in "(\\PC|[A-Z][a-z]{0,4} |[.,()'\"`&\n] ?|de |von |of the |and |Dr\\. |Ltd|IV |ア|İ|ß){0,60}",
        language in prop::sample::select(vec![Language::English, Language::German, Language::Portuguese, Language::Japanese, Language::Unknown]),
    ) {
        let found = mentions(&text, language);
        let mut end = 0;
        for mention in &found {
            prop_assert!(mention.span.start >= end && mention.span.end > mention.span.start);
            prop_assert_eq!(mention.span.get(&text), Some(mention.text.as_str()));
            prop_assert_eq!(mention.matches(mention), NameMatch::Same);
            end = mention.span.end;
        }
    }
}
