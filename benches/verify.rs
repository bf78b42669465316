//! Speed of the checks without a model, in claim–passage pairs: beside a loop that only tokenizes the same passages.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use evidex::claim::Claim;
use evidex::corpus::DocumentId;
use evidex::evidence::{Evidence, EvidenceError, EvidenceSource, PassageScores};
use evidex::text::{TextSpan, tokens};
use evidex::verify::Verifier;

/// Passages of two sentences, written for this bench.
const PASSAGES: [&str; 8] = [
    "The Halden tunnel opened in 1931. It is 2.4 km long and carries two lanes of traffic.",
    "Norsel, based in Tromvik, was founded in 1994. The company employs 230 people in three plants.",
    "The reservoir holds 67 million litres. It was built by Brightmoor Ltd. between 1962 and 1965.",
    "Lake Oro is 40 m deep. Lake Uma, 12 km to the north, is 55 m deep and freezes in most winters.",
    "The rate rose from 4% to 6% in March 2021. Analysts had expected a rise of one percentage point.",
    "Teal Ltd acquired Moss Ltd for 19 million euros. The sale was not announced before June.",
    "The school closed before the mill opened. Nobody knows what became of its 140 pupils.",
    "King Osric IV ruled for nine years. His sister, Queen Maud, succeeded him on 3 May 1412.",
];

const CLAIMS: [&str; 6] = [
    "The Halden tunnel opened in 1951.",
    "Norsel employs 320 people.",
    "The reservoir was built by Brightmoor in 1962 and holds 67 million litres.",
    "Lake Uma is deeper than Lake Oro.",
    "The rate rose by 2 percentage points.",
    "Moss Ltd acquired Teal Ltd.",
];

struct All(Vec<Evidence>);

impl EvidenceSource for All {
    fn name(&self) -> String {
        "bench".to_owned()
    }

    fn evidence(&self, _: &Claim, _: usize) -> Result<Vec<Evidence>, EvidenceError> {
        Ok(self.0.clone())
    }
}

fn passages() -> Vec<Evidence> {
    let make = |(number, text): (usize, &&str)| Evidence {
        document_id: DocumentId(number.to_string()),
        source: "bench".to_owned(),
        title: None,
        url: None,
        text: (*text).to_owned(),
        span: TextSpan::whole(text),
        chars_before: 0,
        lead: String::new(),
        scores: PassageScores::default(),
        pinned: None,
    };
    PASSAGES.iter().enumerate().map(make).collect()
}

fn pairs(criterion: &mut Criterion) {
    let claims: Vec<Claim> = CLAIMS.iter().map(|text| Claim::whole(text)).collect();
    let Ok(verifier) = Verifier::builder().source(Arc::new(All(passages()))).build() else { return };
    let mut group = criterion.benchmark_group("claim-passage pairs");
    group.throughput(Throughput::Elements((CLAIMS.len() * PASSAGES.len()) as u64));
    group.bench_function("passages read before", |bench| {
        bench.iter(|| claims.iter().map(|claim| verifier.verify_claim(black_box(claim)).findings.len()).sum::<usize>());
    });
    group.bench_function("passages read anew", |bench| {
        bench.iter(|| {
            let Ok(verifier) = Verifier::builder().source(Arc::new(All(passages()))).build() else { return 0 };
            claims.iter().map(|claim| verifier.verify_claim(black_box(claim)).findings.len()).sum::<usize>()
        });
    });
    group.bench_function("reference: tokenize claim and passage", |bench| {
        bench.iter(|| {
            let mut count = 0;
            for claim in CLAIMS {
                for passage in PASSAGES {
                    count += tokens(black_box(claim)).len() + tokens(black_box(passage)).len();
                }
            }
            count
        });
    });
    group.finish();
}

criterion_group!(benches, pairs);
criterion_main!(benches);
