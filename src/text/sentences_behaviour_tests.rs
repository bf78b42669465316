//! What [`sentences`](super::sentences) does, rule by rule, and what always holds of it.

use proptest::prelude::*;

use super::{TextSpan, sentences};

fn found(text: &str) -> Vec<&str> {
    sentences(text).into_iter().map(|span| span.of(text)).collect()
}

/// Asserts that a text whose sentences are marked off by " | " is split there and only there.
fn assert_split(marked: &str) {
    let text = marked.replace(" | ", " ");
    let wanted: Vec<&str> = marked.split(" | ").collect();
    assert_eq!(found(&text), wanted);
}

/// The same for a text whose sentences end at lines marked by "¦" in front of the line break.
fn assert_lines(marked: &str) {
    let text = marked.replace('¦', "");
    let wanted: Vec<&str> = marked.split("¦\n").map(str::trim).collect();
    assert_eq!(found(&text), wanted);
}

#[test]
fn abbreviations_titles_and_initials_end_no_sentence() {
    assert_split("Dr. Vance, Ph.D., signed the lease with Brightmoor Ltd. in Sept. 2019 (see no. 5, e.g. p. 3).");
    assert_split("J. K. Marlow met Prof. A. Brook at 5 p.m. on Jan. 3. | They left.");
    assert_split("She lives in the U.S. and works for Norsel Inc. near Washington, D.C. | He does not.");
    assert_split("O Sr. Costa mora na Av. Brasil, n.º 12. | Ele trabalha na Norsel S.A. e é feliz.");
    assert_split("Wir brauchen z. B. Wasser, d.h. Getränke usw. | Das ist alles.");
}

#[test]
fn abbreviations_that_may_end_a_sentence_do_so_before_a_new_one() {
    assert_split("He moved to the U.S. | It was cold.");
    assert_split("They sell nails, screws, etc. | Prices vary.");
    assert_split("The answer is no. | The question was hard.");
    assert_split("She works at Brightmoor Ltd. | They make lamps.");
}

#[test]
fn ordinals_and_decimals_end_no_sentence() {
    assert_split("Der SV Beispielstadt spielt seit dem 3. Mai 2021 in der 2. Liga.");
    assert_split("It grew by 3.5 % to $1.2 million. | Then it fell.");
    assert_split("There were 12. | Nobody knew.");
    assert_split("Version 2.0.1 was released in 2019. | 81 people came.");
}

#[test]
fn quotations_and_brackets_close_with_their_sentence() {
    assert_split("“It works.” | She left.");
    assert_split("He said it was done (in 1999.). | Then he left.");
    assert_split("„Ich gehe“, sagte sie. | «Bien.» | Il partit.");
    assert_split("\"Stop!\" he cried. | \"Why?\" | Nobody answered.");
}

#[test]
fn ellipses_addresses_and_references_are_no_ends() {
    assert_split("It was... strange. | See https://example.com/a.b?c=D. | Or write to jo.doe@example.com. | Thanks.");
    assert_split("The town burned down.[1][2] | It was rebuilt in 1912.[3]");
    assert_split("Use Node.js and System.Out.println in file.txt today. | Good.");
    assert_split("It is done!! 🚀🚀 | The next one follows.");
}

#[test]
fn markup_and_commands_begin_a_sentence_of_their_own() {
    assert_split("It opened in 1951. | <script>alert(1)</script>");
    assert_split("It opened in 1951. | ::error file=x::");
    assert_split("It is 430 m long | ::error file=x::");
    assert_split("Use e.g. <b>this</b> or std::vector or a ::std::vector.");
}

#[test]
fn spanish_marks_begin_a_sentence() {
    assert_split("¡Hola! | ¿Cómo está? | Bien.");
}

#[test]
fn sentences_without_spaces_between_them_are_told_apart() {
    assert_eq!(found("青石桥建于1958年。全长240米。"), ["青石桥建于1958年。", "全长240米。"]);
    assert_eq!(found("「はい。」と答えた。次へ！"), ["「はい。」と答えた。", "次へ！"]);
    assert_eq!(found("Hello world.Today is Tuesday."), ["Hello world.", "Today is Tuesday."]);
    assert_eq!(found("यह पुल है। यह लंबा है।"), ["यह पुल है।", "यह लंबा है।"]);
}

#[test]
fn right_to_left_text_is_split() {
    assert_split("افتتح الجسر عام 1958. | طوله 240 مترا؟ | نعم.");
}

#[test]
fn fields_headings_and_items_are_one_sentence_a_line() {
    assert_lines(
        "Geography / Area: total 312 sq km; land 300 sq km¦\nGeography / Climate: mild¦\nPeople / Languages: Arden, Brill",
    );
    assert_lines("Norsel – key facts¦\n– Founded in 1994¦\n– Based in Arden");
    assert_lines("Summary¦\nThe bridge opened in 1958.¦\n1. First it was short¦\n2. Then it was long");
    assert_lines("Key facts:¦\n* red¦\n* blue");
}

#[test]
fn fields_in_one_line_are_told_apart() {
    assert_split("Uniforme : 0,1320 | Mixte : 1,8260 | Gain : -12,3 %");
    assert_split("Name: Ann Lee | Born: 1950");
    assert_split("The motto of the town is Unity: nothing more.");
}

#[test]
fn wrapped_lines_are_joined() {
    let text = "The bridge over the river was opened in 1958 by the mayor of the town of\n\
                Brightmoor, who had asked for it in a letter to the minister as early as\n\
                the spring of 1949. The letter was lost.";
    assert_eq!(found(text).len(), 2, "{:?}", found(text));
    assert_lines("It was a cold\nnight in the city.");
}

#[test]
fn a_colon_in_a_wrapped_line_is_no_field() {
    let text = "When the minister was asked about the bridge over the river in the county,\n\
                Vance said: it will be built by the town and by nobody else at all in this\n\
                country. The minister left.";
    assert_eq!(found(text).len(), 2, "{:?}", found(text));
}

#[test]
fn a_line_that_ends_with_is_goes_on() {
    let text = "The array stands on the plateau. It has 24 dishes, and each dish is\n9 m wide. It opened in 1991.";
    let parts: Vec<&str> = sentences(text).into_iter().map(|span| span.of(text)).collect();
    assert_eq!(parts[1], "It has 24 dishes, and each dish is\n9 m wide.");
}

#[test]
fn a_year_stands_at_the_start_of_a_wrapped_line() {
    let text = "The bridge over the river was opened by the mayor of the town in the year\n\
                1958. It was rebuilt by the county after the flood of the river in March of\n\
                1986 and is still there.";
    assert_eq!(found(text).len(), 2, "{:?}", found(text));
}

#[test]
fn inline_lists_are_split_at_their_markers() {
    assert_split("a) The first item | b) The second item | c) The third item");
    assert_split("Pay for 1. above and for 2. above.");
    assert_split("He has three aims: (1) to win, (2) to learn and (3) to rest.");
}

#[test]
fn a_text_without_punctuation_is_one_sentence() {
    let text = "word ".repeat(5_000);
    assert_eq!(sentences(&text), [TextSpan::new(0, text.len() - 1)]);
    assert_eq!(found(""), [""; 0]);
    assert_eq!(found(" \n\t "), [""; 0]);
}

#[test]
fn long_runs_of_marks_take_linear_time() {
    // Quadratic work on a megabyte would take hours, not the seconds that a slow machine may.
    for unit in [
        ".",
        "(",
        ")",
        "\"",
        "'",
        ". ",
        "( ",
        "a. ",
        "1. ",
        "\n",
        "- ",
        "[1]",
        "A.a",
        "。",
        "\u{bb} \u{ab}",
        ":/",
        "a) ",
        "x\n",
        "!a ",
    ] {
        let text = unit.repeat(1_000_000 / unit.len());
        let spans = sentences(&text);
        assert!(spans.len() <= text.len());
    }
}

proptest! {
    #[test]
    fn spans_are_in_order_trimmed_and_cover_all_that_shows(
        text in prop_oneof![
            any::<String>(),
            "([A-Za-z.!?,;:()\\[\\]\"'“”«»0-9 \n\r\t。！»–•é🚀-]|Dr\\. |U\\.S\\. |\\n\\n|a\\) |1\\. ){0,80}",
        ]
    ) {
        let mut end = 0;
        for span in sentences(&text) {
            prop_assert!(span.start >= end);
            let part = span.get(&text);
            prop_assert!(part.is_some_and(|part| !part.is_empty() && part.trim() == part));
            prop_assert!(text[end..span.start].trim().is_empty());
            end = span.end;
        }
        prop_assert!(text[end..].trim().is_empty());
    }
}

/// Found by the fuzz body `sentences`: an en dash between note numbers was cut in its middle.
#[test]
fn note_numbers_joined_by_a_dash_of_several_bytes_end_their_sentence() {
    for text in
        ["It lasted long.1–2 Then it ended.", "It lasted long.12,14–16 Then it ended.", "as.1990–95; 2.4 million"]
    {
        let found: Vec<&str> = sentences(text).into_iter().map(|span| span.of(text)).collect();
        let expected = text.find(" Then").map_or(vec![text], |at| vec![&text[..at], &text[at + 1..]]);
        assert_eq!(found, expected);
    }
}

#[test]
fn a_point_that_a_tokenizer_set_apart_ends_its_sentence_but_not_an_initial_or_an_abbreviation() {
    let text = "the lake froze . the dam held until may 2 . it broke .";
    let found: Vec<&str> = sentences(text).into_iter().map(|span| span.of(text)).collect();
    assert_eq!(found, ["the lake froze .", "the dam held until may 2 .", "it broke ."]);
    for whole in ["the book by j . k . rowling sold well .", "he met mr . smith there .", "they use the .net runtime ."]
    {
        assert_eq!(sentences(whole).len(), 1, "{whole}");
    }
}

#[test]
fn an_answer_after_a_question_and_a_colon_is_a_sentence_of_its_own() {
    let text = "Who won the cup?: Arden. It rained.";
    let found: Vec<&str> = sentences(text).into_iter().map(|span| span.of(text)).collect();
    assert_eq!(found, ["Who won the cup?:", "Arden.", "It rained."]);
    assert_eq!(sentences("See a?b:c for the address.").len(), 1);
}
