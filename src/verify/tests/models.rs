//! The seams: NLI models, a caller's own checks, evidence sources that fail, cancellation, odd input.

use std::sync::Arc;

use super::support::{Passages, claim, passage};
use crate::Cancellation;
use crate::claim::{Claim, Unchecked};
use crate::evidence::{Evidence, EvidenceError, EvidenceSource};
use crate::verify::{
    Check, CheckError, Finding, Label, NliError, NliModel, Pair, Stance, Verdict, Verifier, VerifyError,
};

struct Stub<F>(F);

impl<F: Fn(&str, &str) -> [f32; 3] + Send + Sync> NliModel for Stub<F> {
    fn name(&self) -> &str {
        "stub"
    }

    fn digest(&self) -> &str {
        "0"
    }

    fn classify(&self, premise: &str, hypothesis: &str) -> Result<[f32; 3], NliError> {
        Ok((self.0)(premise, hypothesis))
    }
}

fn with_model(context: &str, text: &str, model: impl Fn(&str, &str) -> [f32; 3] + Send + Sync + 'static) -> Verdict {
    let source = Passages::new(vec![passage("context", context)]);
    Verifier::builder().source(Arc::new(source)).nli(Arc::new(Stub(model))).build().unwrap().verify_claim(&claim(text))
}

#[test]
fn the_premise_is_the_evidence_and_the_hypothesis_the_claim() {
    let verdict = with_model("A spaniel slept on the sofa.", "A dog slept on the couch.", |premise, hypothesis| {
        if premise.contains("spaniel") && hypothesis.contains("dog") { [0.95, 0.04, 0.01] } else { [0.0, 1.0, 0.0] }
    });
    assert_eq!(verdict.label, Label::Supported);
    assert_eq!(verdict.evidence[0].nli, Some([0.95, 0.04, 0.01]));
}

#[test]
fn a_model_contradicts_where_the_checks_say_nothing() {
    let verdict = with_model("The hall was packed with visitors.", "The hall had no visitors at all today.", |_, _| {
        [0.0, 0.02, 0.98]
    });
    assert_eq!(verdict.label, Label::Contradicted);
}

#[test]
fn a_model_does_not_outvote_a_number() {
    let verdict = with_model("The tower is 300 m high.", "The tower is 320 m high.", |_, _| [0.99, 0.01, 0.0]);
    assert_eq!(verdict.label, Label::Contradicted);
    let verdict =
        with_model("The tower is high and made of steel.", "The tower is 320 m high.", |_, _| [0.99, 0.01, 0.0]);
    assert_ne!(verdict.label, Label::Supported);
}

/// Finds the claim contradicted by whatever it reads.
fn contrary(_: &str, _: &str) -> [f32; 3] {
    [0.0, 0.02, 0.98]
}

#[test]
fn among_several_sentences_a_model_contradicts_only_where_one_speaks_of_what_the_claim_says() {
    let context = "Arden is a town on the river Moss. The market is held on Saturdays. The town hall is old.";
    assert_eq!(with_model(context, "Arden has a castle.", contrary).label, Label::NotEnoughInfo);
    let other = "Arden is a town on the sunny bank of the river Moss.";
    assert_eq!(with_model(context, other, contrary).label, Label::Contradicted);
}

#[test]
fn a_model_supports_nothing_that_shares_next_to_nothing_with_the_sources() {
    let sure = |_: &str, _: &str| [0.99, 0.01, 0.0];
    let verdict = with_model("The firm was bought by its rival.", "Photosynthesis takes place in leaves.", sure);
    assert_eq!(verdict.label, Label::NotEnoughInfo);
}

#[test]
fn a_model_does_not_outvote_how_often_or_on_which_days() {
    let sure = |_: &str, _: &str| [0.99, 0.01, 0.0];
    let weekly =
        with_model("The usual dose is two tablets daily.", "The dose is given to older patients twice a week.", sure);
    assert_ne!(weekly.label, Label::Supported, "{weekly:?}");
    let open = with_model(
        "The archive is open to readers from Monday to Friday.",
        "Readers find the archive closed to nobody on Sunday.",
        sure,
    );
    assert_ne!(open.label, Label::Supported, "{open:?}");
}

#[test]
fn what_the_checks_find_contradicted_is_not_outvoted_by_another_sentence() {
    let context = "Marie Halvorsen was born in Bergen in 1888. She studied at the university of Oslo.";
    let verdict = with_model(context, "Marie Halvorsen was born in Bergen in 1889.", |premise, _| {
        if premise.contains("Oslo") { [0.99, 0.01, 0.0] } else { [0.2, 0.7, 0.1] }
    });
    assert_eq!(verdict.label, Label::Contradicted);
}

/// Reads claims of at most eight words.
struct Short;

impl NliModel for Short {
    fn name(&self) -> &str {
        "short"
    }

    fn digest(&self) -> &str {
        "0"
    }

    fn classify(&self, _: &str, hypothesis: &str) -> Result<[f32; 3], NliError> {
        let tokens = hypothesis.split_whitespace().count();
        if tokens > 8 {
            return Err(NliError::ClaimTooLong { model: "short".to_owned(), tokens, limit: 8 });
        }
        Ok([0.0, 1.0, 0.0])
    }
}

#[test]
fn a_claim_that_is_too_long_for_the_model_is_decided_by_the_checks_or_not_checked() {
    let check = |text: &str| {
        let source = Passages::new(vec![passage("context", "The tower of Arden is 300 m high and was built in 1931.")]);
        Verifier::builder().source(Arc::new(source)).nli(Arc::new(Short)).build().unwrap().verify_claim(&claim(text))
    };
    let open = check("The tower of Arden was painted by a famous artist from the south of the country.");
    assert_eq!((open.label, open.unchecked), (Label::NotChecked, Some(Unchecked::TooLong)), "{open:?}");
    assert!(open.confidence.is_none() && open.reason.contains("too long") && open.failures.len() == 1, "{open:?}");
    let wrong = check("The tower of Arden, as everyone there knows, is 320 m high.");
    assert_eq!(wrong.label, Label::Contradicted);
    assert_eq!(check("The tower was painted by an artist.").label, Label::NotEnoughInfo);
}

#[test]
fn scores_that_are_not_finite_are_a_failure_and_never_support_g27() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let verdict =
            with_model("A spaniel slept on the sofa.", "A dog slept on the couch.", move |_, _| [bad, 0.0, 0.0]);
        assert_ne!(verdict.label, Label::Supported);
        assert!(verdict.failures.iter().any(|failure| failure.check == "nli"), "{:?}", verdict.failures);
        assert!(verdict.confidence.is_some_and(f32::is_finite));
    }
}

struct Down;

impl EvidenceSource for Down {
    fn name(&self) -> String {
        "down".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        Err(EvidenceError::Unavailable { source_name: "down".to_owned(), reason: "no network".to_owned() })
    }
}

#[test]
fn without_evidence_a_claim_is_not_checked() {
    let verdict =
        Verifier::builder().source(Arc::new(Down)).build().unwrap().verify_claim(&claim("The tower is 300 m high."));
    assert_eq!((verdict.label, verdict.unchecked), (Label::NotChecked, Some(Unchecked::EvidenceUnavailable)));
    assert_eq!(verdict.confidence, None);
    assert_eq!(verdict.failures[0].check, "down");
}

#[test]
fn one_source_that_fails_does_not_stop_the_other() {
    let source = Passages::new(vec![passage("context", "The tower is 300 m high.")]);
    let verifier = Verifier::builder().source(Arc::new(Down)).source(Arc::new(source)).build().unwrap();
    let verdict = verifier.verify_claim(&claim("The tower is 300 m high."));
    assert_eq!(verdict.label, Label::Supported);
    assert_eq!(verdict.failures.len(), 1);
}

struct Fails;

impl Check for Fails {
    fn name(&self) -> &str {
        "house"
    }

    fn check(&self, _: &Pair<'_>) -> Result<Vec<Finding>, CheckError> {
        Err(CheckError("table missing".to_owned()))
    }
}

struct Forbids;

impl Check for Forbids {
    fn name(&self) -> &str {
        "house"
    }

    fn check(&self, pair: &Pair<'_>) -> Result<Vec<Finding>, CheckError> {
        Ok(vec![pair.finding("house", Stance::Contradicts, "house_rule", Some(0..1), None)])
    }
}

#[test]
fn a_check_that_fails_is_reported_and_never_supports() {
    let source = Arc::new(Passages::new(vec![passage("context", "The tower is 300 m high.")]));
    let verifier = Verifier::builder().source(source).check(Arc::new(Fails)).build().unwrap();
    let verdict = verifier.verify_claim(&claim("The tower is 300 m high."));
    assert_ne!(verdict.label, Label::Supported);
    assert_eq!(verdict.failures[0].message, "table missing");
}

#[test]
fn a_callers_own_check_takes_part() {
    let source = Arc::new(Passages::new(vec![passage("context", "The tower is 300 m high.")]));
    let verifier = Verifier::builder().source(source).check(Arc::new(Forbids)).build().unwrap();
    assert_eq!(verifier.verify_claim(&claim("The tower is 300 m high.")).label, Label::Contradicted);
}

#[test]
fn a_verifier_needs_a_source_and_can_be_cancelled() {
    assert!(matches!(Verifier::builder().build(), Err(VerifyError::NoSource)));
    let cancellation = Cancellation::new();
    let source = Arc::new(Passages::new(vec![passage("context", "The tower is 300 m high.")]));
    let verifier = Verifier::builder().source(source).cancellation(cancellation.clone()).build().unwrap();
    cancellation.cancel();
    assert!(matches!(verifier.verify("The tower is 300 m high."), Err(VerifyError::Cancelled)));
}

#[test]
fn a_language_that_nothing_covers_is_not_checked() {
    let text = "Wieża została zbudowana w tysiąc dziewięćset trzydziestym roku przez znanego architekta z Krakowa i jego uczniów.";
    let source = Arc::new(Passages::new(vec![passage("context", text)]));
    let verdict = Verifier::builder().source(source).build().unwrap().verify_claim(&claim(text));
    assert!(matches!(verdict.label, Label::NotChecked | Label::Supported));
}

#[test]
fn odd_input_gives_a_verdict_and_no_panic() {
    let odd = [
        "",
        " ",
        "\u{0}",
        "🚀🚀🚀",
        "((((((",
        "not not not not",
        "\"",
        "“…”",
        "1 2 3 4 5 6 7 8 9 0",
        "A and B and C and and",
        "— – -",
        "than than than",
        "before after before",
        "no",
        "It is false that",
        "ａｂｃ １２３",
        "e\u{301}\u{301}\u{301}",
        "।॥",
        "a\u{200d}b",
        "| | |\n|-|-|\n| |",
        "&amp;&amp;&lt;",
        "5/6/24 5/6/24",
        "1e999 km",
        "∞ % of 0",
    ];
    for context in odd {
        for text in odd {
            let source = Arc::new(Passages::new(vec![passage("context", context)]));
            let verifier = Verifier::builder().source(source).build().unwrap();
            let verdict = verifier.verify_claim(&claim(text));
            assert!(
                verdict.confidence.is_none_or(|confidence| (0.0..=1.0).contains(&confidence)),
                "{context:?} {text:?}"
            );
            verifier.verify(text).unwrap();
        }
    }
}

#[test]
fn a_very_long_claim_is_said_to_be_too_long_and_a_long_passage_is_read() {
    let words = "mill 12 river ".repeat(400);
    let source = Arc::new(Passages::new(vec![passage("context", &"mill 12 river Oslo ".repeat(1500))]));
    let verifier = Verifier::builder().source(source).build().unwrap();
    let verdict = verifier.verify_claim(&claim(&words));
    assert_eq!((verdict.label, verdict.unchecked), (Label::NotChecked, Some(Unchecked::TooLong)));
    assert_ne!(verifier.verify_claim(&claim("The mill in Oslo has 14 rivers.")).label, Label::Supported);
}
