//! How work grows: counted in steps, on texts that repeat one thing without end.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::support::passage;
use crate::claim::{Claim, Unchecked};
use crate::evidence::{Evidence, EvidenceError, EvidenceSource};
use crate::verify::{Label, Verdict, Verifier, work};

struct Counted(String, Arc<AtomicUsize>);

impl EvidenceSource for Counted {
    fn name(&self) -> String {
        "context".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Ok(vec![passage("a", &self.0)])
    }
}

fn verdict(claim: &str, evidence: &str) -> (Verdict, usize) {
    let asked = Arc::new(AtomicUsize::new(0));
    let source = Counted(evidence.to_owned(), Arc::clone(&asked));
    let verifier = Verifier::builder().source(Arc::new(source)).build().unwrap();
    let verdict = verifier.verify_claim(&Claim::whole(claim));
    (verdict, asked.load(Ordering::Relaxed))
}

fn steps(claim: &str, evidence: &str) -> u64 {
    work::taken();
    verdict(claim, evidence);
    work::taken()
}

#[test]
fn a_name_repeated_in_claim_and_evidence_costs_steps_that_grow_with_the_text_and_not_with_its_cube() {
    for (word, other) in [
        ("Arden, ", "Arden, "),
        ("Arden and Brill ", "Brill and Arden "),
        ("31 km, ", "31 km, "),
        ("Arden 31, ", "31 Arden, "),
    ] {
        let of = |times: usize| steps(&word.repeat(times), &other.repeat(times));
        let (small, large) = (of(60), of(120));
        // Twice as much on both sides: at most the square of it and a little more, where its cube would be eight times as much.
        assert!(large <= small * 6 + 1_000, "{word:?}: {small} steps, then {large}");
        assert!(large <= 120 * 120 * 300, "{word:?}: {large} steps");
        assert!(large > 0, "{word:?}");
    }
}

#[test]
fn a_claim_that_is_no_statement_for_its_length_is_not_read_and_no_evidence_is_asked_for() {
    for text in [
        "not ".repeat(20_000),
        "Arden, ".repeat(20_000),
        "a-".repeat(100_000),
        "a".repeat(1 << 20),
        "it is false that ".repeat(5_000),
    ] {
        let (verdict, asked) = verdict(&text, "Arden is a town.");
        assert_eq!(
            (verdict.label, verdict.unchecked),
            (Label::NotChecked, Some(Unchecked::TooLong)),
            "{}",
            &text[..20]
        );
        assert_eq!(asked, 0);
    }
}
