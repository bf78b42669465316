//! What the tests share: an in-memory evidence source and short ways to ask for a verdict.

use std::collections::HashSet;
use std::sync::Arc;

use crate::claim::Claim;
use crate::corpus::DocumentId;
use crate::evidence::{Evidence, EvidenceError, EvidenceSource, PassageScores};
use crate::text::{Language, TextSpan, content_words, sentences};
use crate::verify::{Label, Verdict, Verification, Verifier, VerifySettings};

/// Passages held in memory; those that share most words with the claim come first.
pub struct Passages {
    passages: Vec<Evidence>,
    words: Vec<HashSet<String>>,
}

impl Passages {
    pub fn new(passages: Vec<Evidence>) -> Self {
        let words = passages
            .iter()
            .map(|passage| content_words(&passage.text, Language::English).into_iter().collect())
            .collect();
        Self { passages, words }
    }
}

impl EvidenceSource for Passages {
    fn name(&self) -> String {
        "context".to_owned()
    }

    fn evidence(&self, claim: &Claim, limit: usize) -> Result<Vec<Evidence>, EvidenceError> {
        if self.passages.len() <= limit {
            return Ok(self.passages.clone());
        }
        let words = content_words(&claim.text, Language::English);
        let mut ranked: Vec<(usize, usize)> = self
            .words
            .iter()
            .enumerate()
            .map(|(at, own)| (words.iter().filter(|word| own.contains(*word)).count(), at))
            .collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(ranked.into_iter().take(limit).map(|(_, at)| self.passages[at].clone()).collect())
    }
}

pub fn passage(id: &str, text: &str) -> Evidence {
    Evidence {
        document_id: DocumentId::from(id),
        source: id.to_owned(),
        title: None,
        url: None,
        text: text.to_owned(),
        span: TextSpan::whole(text),
        chars_before: 0,
        lead: String::new(),
        scores: PassageScores::default(),
        pinned: None,
    }
}

/// A document cut as the index cuts it: two sentences a passage, one shared.
pub fn document(id: &str, title: Option<&str>, text: &str) -> Vec<Evidence> {
    let spans = sentences(text);
    let mut passages = Vec::new();
    for at in 0..spans.len().max(1) {
        let Some(first) = spans.get(at) else { break };
        let last = spans.get(at + 1).unwrap_or(first);
        let span = first.cover(*last);
        let mut lead = first.start.saturating_sub(300);
        while !text.is_char_boundary(lead) {
            lead += 1;
        }
        passages.push(Evidence {
            title: title.map(str::to_owned),
            text: span.of(text).to_owned(),
            span,
            lead: text[lead..first.start].to_owned(),
            ..passage(id, "")
        });
        if at + 2 >= spans.len() {
            break;
        }
    }
    passages
}

pub fn verifier(passages: Vec<Evidence>) -> Verifier {
    Verifier::builder().source(Arc::new(Passages::new(passages))).build().unwrap()
}

pub fn claim(text: &str) -> Claim {
    Claim::whole(text)
}

/// The verdict on a claim taken whole against contexts, each a document of its own.
pub fn check(contexts: &[&str], text: &str) -> Verdict {
    let passages =
        contexts.iter().enumerate().map(|(at, context)| passage(&format!("context-{at}"), context)).collect();
    verifier(passages).verify_claim(&claim(text))
}

/// The label for it.
pub fn label(contexts: &[&str], text: &str) -> Label {
    check(contexts, text).label
}

/// Holds that every claim gets this label from its source.
#[track_caller]
pub fn all_are(expected: Label, cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(source, claim)| (label(&[source], claim), claim, source))
        .filter(|(label, ..)| *label != expected)
        .map(|(label, claim, source)| format!("{label:?}: {claim} <- {source}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A whole answer against contexts.
pub fn answer(contexts: &[&str], text: &str) -> Verification {
    answer_with(contexts, text, VerifySettings::default())
}

pub fn answer_with(contexts: &[&str], text: &str, settings: VerifySettings) -> Verification {
    let passages =
        contexts.iter().enumerate().map(|(at, context)| passage(&format!("context-{at}"), context)).collect();
    Verifier::builder()
        .source(Arc::new(Passages::new(passages)))
        .settings(settings)
        .build()
        .unwrap()
        .verify(text)
        .unwrap()
}

/// Lines of a shared data set as JSON; `None` (and a note) where the data is not at hand.
pub fn shared_rows(path: &str, limit: usize) -> Option<Vec<serde_json::Value>> {
    use std::io::{BufRead, BufReader};
    let root =
        std::env::var("EVIDEX_SHARED").unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared").to_owned());
    let file = std::path::Path::new(&root).join(path);
    let Ok(open) = std::fs::File::open(&file) else {
        assert!(std::env::var("EVIDEX_REQUIRE_SHARED").as_deref() != Ok("1"), "{} is missing", file.display());
        println!("skipped: {} is missing", file.display());
        return None;
    };
    let reader = BufReader::new(zstd::stream::read::Decoder::new(open).unwrap());
    Some(reader.lines().take(limit).map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect())
}
