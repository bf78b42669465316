//! Verifies the pairs of evaluation sets and prints accuracy, balanced accuracy and confusion.
//!
//! `cargo bench --bench pairs -- [--errors GOLD:PREDICTED] [--limit N] FILE.jsonl.zst...`

use std::collections::BTreeMap;
use std::sync::Arc;

use evidex::claim::Claim;
use evidex::corpus::DocumentId;
use evidex::evidence::{Evidence, EvidenceError, EvidenceSource, PassageScores};
use evidex::text::TextSpan;
use evidex::verify::{Label, Verifier};
use rayon::prelude::*;

struct Context(Vec<Evidence>);

impl EvidenceSource for Context {
    fn name(&self) -> String {
        "context".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        Ok(self.0.clone())
    }
}

fn passage(text: &str, title: Option<&str>) -> Evidence {
    Evidence {
        document_id: DocumentId::from("context"),
        source: "context".to_owned(),
        title: title.map(str::to_owned),
        url: None,
        text: text.to_owned(),
        span: TextSpan::whole(text),
        chars_before: 0,
        lead: String::new(),
        scores: PassageScores::default(),
        pinned: None,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut wanted = None;
    let mut limit = usize::MAX;
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--errors" => wanted = arguments.next(),
            "--limit" => limit = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(limit),
            _ => files.push(argument),
        }
    }
    println!(
        "{:<28} {:>6} {:>9} {:>9} {:>8} {:>8} {:>8} {:>9}",
        "set", "pairs", "balanced", "accuracy", "S prec", "X prec", "X on S", "pairs/s"
    );
    for file in files {
        let bytes = zstd::decode_all(std::fs::File::open(&file)?)?;
        let rows: Vec<serde_json::Value> =
            String::from_utf8(bytes)?.lines().take(limit).map(serde_json::from_str).collect::<Result<_, _>>()?;
        let start = std::time::Instant::now();
        let results: Vec<(String, String, String)> = rows.par_iter().filter_map(row).collect();
        let seconds = start.elapsed().as_secs_f64();
        report(&file, &results, seconds);
        if let Some((gold, predicted)) = wanted.as_deref().and_then(|wanted| wanted.split_once(':')) {
            for (g, p, shown) in &results {
                if g == gold && p == predicted {
                    println!("--- {g} read as {p}\n{shown}");
                }
            }
        }
    }
    Ok(())
}

fn row(row: &serde_json::Value) -> Option<(String, String, String)> {
    let gold = row["label"].as_str()?;
    if !matches!(gold, "supported" | "contradicted" | "neutral" | "unsupported") {
        return None;
    }
    let (context, text) = (row["context"].as_str()?, row["claim"].as_str()?);
    let claim = Claim::whole(text);
    let source = Context(vec![passage(context, row["page"].as_str())]);
    let verdict = Verifier::builder().source(Arc::new(source)).build().ok()?.verify_claim(&claim);
    let predicted = match verdict.label {
        Label::Supported => "supported",
        Label::Contradicted | Label::Conflicting => "contradicted",
        _ => "neutral",
    };
    let mut shown = format!("claim:    {text}\nreason:   {} ({})\n", verdict.reason, verdict.label);
    for citation in verdict.evidence.iter().take(2) {
        shown += &format!("quote:    {} [{:.2}]\n", citation.quote, citation.coverage);
    }
    for finding in &verdict.findings {
        shown += &format!(
            "finding:  {} {:?} {} {:?} {:?}\n",
            finding.check, finding.stance, finding.kind, finding.claim_value, finding.evidence_value
        );
    }
    Some((gold.to_owned(), predicted.to_owned(), shown))
}

fn report(file: &str, results: &[(String, String, String)], seconds: f64) {
    let binary = results.iter().any(|(gold, ..)| gold == "unsupported");
    let two_way = !results.iter().any(|(gold, ..)| gold == "neutral") && !binary;
    let mut table: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (gold, predicted, _) in results {
        *table.entry((gold, predicted)).or_default() += 1;
    }
    let count = |gold: &str, predicted: &str| table.get(&(gold, predicted)).copied().unwrap_or(0) as f64;
    let total = |gold: &str| ["supported", "contradicted", "neutral"].iter().map(|p| count(gold, p)).sum::<f64>();
    let classes: Vec<&str> =
        ["supported", "contradicted", "neutral", "unsupported"].into_iter().filter(|gold| total(gold) > 0.0).collect();
    let right = |gold: &str| match gold {
        "unsupported" => total(gold) - count(gold, "supported"),
        _ if binary && gold == "supported" => count(gold, "supported"),
        _ => count(gold, gold),
    };
    let balanced = classes.iter().map(|gold| right(gold) / total(gold)).sum::<f64>() / classes.len().max(1) as f64;
    let accuracy = classes.iter().map(|gold| right(gold)).sum::<f64>() / results.len().max(1) as f64;
    let predicted = |label: &str| classes.iter().map(|gold| count(gold, label)).sum::<f64>().max(1.0);
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".jsonl.zst");
    println!(
        "{name:<28} {:>6} {balanced:>9.3} {accuracy:>9.3} {:>8.3} {:>8.3} {:>8.3} {:>9.0}{}",
        results.len(),
        count("supported", "supported") / predicted("supported"),
        (count("contradicted", "contradicted") + count("unsupported", "contradicted")) / predicted("contradicted"),
        count("supported", "contradicted") / total("supported").max(1.0),
        results.len() as f64 / seconds.max(1e-9),
        if two_way { "  (no neutral class)" } else { "" },
    );
    for gold in &classes {
        let row: Vec<String> =
            ["supported", "contradicted", "neutral"].iter().map(|p| format!("{p} {}", count(gold, p))).collect();
        println!("    {gold:<14} -> {}", row.join(", "));
    }
}
