//! A claim taken whole that is several sentences.

use super::support::{check, label};
use crate::verify::{CitationRole, Label, Stance};

const BRIDGE: &str = "The Ilva bridge opened in 1931. It is 340 m long.";
const ARCHITECT: &str = "Ana Brandt designed the Ilva bridge. She was born in Karsund.";

#[test]
fn it_is_supported_where_each_of_its_statements_is_wherever_that_stands() {
    let verdict = check(&[BRIDGE, ARCHITECT], "Ana Brandt designed the Ilva bridge. The bridge opened in 1931.");
    assert_eq!(verdict.label, Label::Supported, "{verdict:#?}");
    let sources: Vec<&str> = verdict.evidence.iter().map(|citation| citation.passage.source.as_str()).collect();
    assert!(sources.contains(&"context-0") && sources.contains(&"context-1"), "{sources:?}");
    assert!(verdict.confidence.is_some());
}

#[test]
fn one_statement_that_is_contradicted_contradicts_it_and_is_shown_where_it_stands() {
    let text = "Ana Brandt designed the Ilva bridge. The Ilva bridge opened in 1937.";
    let verdict = check(&[BRIDGE, ARCHITECT], text);
    assert_eq!(verdict.label, Label::Contradicted, "{verdict:#?}");
    assert_eq!(verdict.evidence[0].role, CitationRole::Contradicts);
    let finding = verdict.findings.iter().find(|finding| finding.stance == Stance::Contradicts).unwrap();
    assert_eq!(finding.evidence, Some(0));
    assert_eq!(finding.claim_span.unwrap().of(text), "1937");
    assert!(verdict.reason.contains("The Ilva bridge opened in 1937."), "{}", verdict.reason);
}

#[test]
fn it_is_partially_supported_where_a_statement_is_not_in_the_sources_and_open_where_none_is() {
    let half = "Ana Brandt designed the Ilva bridge. The toll was two crowns.";
    let verdict = check(&[BRIDGE, ARCHITECT], half);
    assert_eq!(verdict.label, Label::PartiallySupported, "{verdict:#?}");
    assert_eq!(verdict.reason, "1 of its 2 statements is supported");
    assert_eq!(label(&[BRIDGE], "The toll was two crowns. The ferry was older."), Label::NotEnoughInfo);
}

#[test]
fn sources_that_disagree_about_one_statement_are_shown_side_by_side() {
    let contexts = [BRIDGE, ARCHITECT, "The Ilva bridge opened in 1934."];
    let verdict = check(&contexts, "Ana Brandt designed the Ilva bridge. The Ilva bridge opened in 1931.");
    assert_eq!(verdict.label, Label::Conflicting, "{verdict:#?}");
}

#[test]
fn text_that_a_tokenizer_wrote_is_read_sentence_by_sentence() {
    let text = "ana brandt designed the ilva bridge . the ilva bridge opened in 1931 .";
    assert_eq!(label(&[BRIDGE, ARCHITECT], text), Label::Supported);
}

#[test]
fn a_question_with_its_answer_is_the_statement_that_they_make() {
    let sources = ["Ana Brandt designed the Ilva bridge. It opened in 1931."];
    for text in [
        "Who designed the Ilva bridge? Ana Brandt",
        "Who designed the Ilva bridge?: Ana Brandt",
        "Q: Who designed the Ilva bridge? A: Ana Brandt",
    ] {
        let verdict = check(&sources, text);
        assert_eq!(verdict.label, Label::Supported, "{text}: {verdict:#?}");
    }
    assert_ne!(label(&sources, "Who designed the Ilva bridge?: Otto Kahn"), Label::Supported);
}

#[test]
fn a_part_that_cannot_be_checked_is_not_passed_over() {
    let facts = "Ana Brandt designed the Ilva bridge. The bridge opened in 1931.";
    assert_eq!(label(&[BRIDGE, ARCHITECT], facts), Label::Supported);
    for other in ["I think it is the most beautiful bridge.", "Do not cross it at night.", "I love that!"] {
        let verdict = check(&[BRIDGE, ARCHITECT], &format!("{facts} {other}"));
        assert_ne!(verdict.label, Label::Supported, "{other}: {verdict:#?}");
    }
}
