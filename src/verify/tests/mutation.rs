//! Mutants of true sentences, each against its own document, without a model: what changes the meaning must not be
//! supported, what keeps it must not be contradicted.
//!
//! The generator is deterministic. Its sentences come from the shared encyclopaedia sample and factbook. A mutant whose
//! changed part is contradicted while another part stands counts as contradicted.
//!
//! What was reached stands in `tables/`.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::support::{claim, document, shared_rows, verifier};
use crate::text::{
    DateOrder, Language, Mention, MentionKind, NumberLocale, QuantityKind, TextSpan, mentions, quantities_and_dates,
    sentences,
};
use crate::verify::{CitationRole, Label};

/// A sentence with one thing changed.
pub struct Mutant {
    pub kind: &'static str,
    pub text: String,
}

fn replaced(text: &str, span: TextSpan, by: &str) -> String {
    format!("{}{by}{}", &text[..span.start], &text[span.end..])
}

/// Another number of the same shape: each mutant differs well beyond rounding.
fn other_number(written: &str) -> Option<String> {
    if !written.starts_with(|c: char| c.is_ascii_digit()) || !written.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let first = written.chars().next()?.to_digit(10)?;
    let other = match first {
        0 => 4,
        1 => 3,
        9 => 5,
        digit => digit + 2,
    };
    Some(format!("{}{}", other.min(9), &written[1..]))
}

const UNITS: [(&str, &str); 18] = [
    (" km", " miles"),
    (" kilometres", " miles"),
    (" kilometers", " miles"),
    (" miles", " kilometres"),
    (" metres", " feet"),
    (" meters", " feet"),
    (" feet", " metres"),
    (" kg", " pounds"),
    (" pounds", " kilograms"),
    (" years", " months"),
    (" months", " weeks"),
    (" hours", " minutes"),
    (" minutes", " seconds"),
    (" sq km", " sq miles"),
    (" acres", " hectares"),
    (" hectares", " acres"),
    (" tons", " kilograms"),
    (" m", " ft"),
];

const OPPOSITES: [(&str, &str); 44] = [
    ("increased", "decreased"),
    ("rose", "fell"),
    ("won", "lost"),
    ("larger", "smaller"),
    ("largest", "smallest"),
    ("large", "small"),
    ("small", "large"),
    ("highest", "lowest"),
    ("high", "low"),
    ("low", "high"),
    ("north", "south"),
    ("south", "north"),
    ("northern", "southern"),
    ("southern", "northern"),
    ("eastern", "western"),
    ("western", "eastern"),
    ("east", "west"),
    ("west", "east"),
    ("oldest", "newest"),
    ("old", "new"),
    ("new", "old"),
    ("first", "last"),
    ("opened", "closed"),
    ("closed", "opened"),
    ("founded", "dissolved"),
    ("established", "abolished"),
    ("built", "demolished"),
    ("before", "after"),
    ("after", "before"),
    ("male", "female"),
    ("female", "male"),
    ("son", "daughter"),
    ("daughter", "son"),
    ("brother", "sister"),
    ("father", "mother"),
    ("king", "queen"),
    ("married", "divorced"),
    ("began", "ended"),
    ("strong", "weak"),
    ("public", "private"),
    ("positive", "negative"),
    ("upper", "lower"),
    ("longest", "shortest"),
    ("early", "late"),
];

/// The whole word `from` in `text`.
fn word_at(text: &str, from: &str) -> Option<TextSpan> {
    let mut start = 0;
    while let Some(found) = text[start..].find(from) {
        let at = start + found;
        let end = at + from.len();
        let free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '\'');
        if free(text[..at].chars().next_back()) && free(text[end..].chars().next()) {
            return Some(TextSpan::new(at, end));
        }
        start = end;
    }
    None
}

fn names(kind: MentionKind) -> &'static [&'static str] {
    match kind {
        MentionKind::Person => &["Wilhelmina Osterby", "Tobias Quill"],
        MentionKind::Place => &["Trondheim", "Cusco"],
        MentionKind::Organisation => &["Brightmoor Corporation", "Halden University"],
        _ => &["Velmora", "Castrel"],
    }
}

fn is_plain(mention: &Mention) -> bool {
    !mention.demonym
        && !mention.text.contains('\n')
        && matches!(mention.kind, MentionKind::Person | MentionKind::Place | MentionKind::Organisation)
}

/// All mutants of one sentence, at most one of a kind.
pub fn mutants(sentence: &str) -> Vec<Mutant> {
    let mut made = Vec::new();
    let (quantities, dates) = quantities_and_dates(sentence, NumberLocale::Any, DateOrder::Unknown);
    let in_date = |span: TextSpan| dates.iter().any(|date| date.span.overlaps(span));
    let number = quantities.iter().filter(|quantity| !in_date(quantity.number_span)).find_map(|quantity| {
        let plain = matches!(
            quantity.kind,
            QuantityKind::Count | QuantityKind::Measure | QuantityKind::Percent | QuantityKind::Money
        );
        let other =
            other_number(quantity.number_span.of(sentence)).filter(|_| plain && quantity.low == quantity.high)?;
        Some(replaced(sentence, quantity.number_span, &other))
    });
    made.extend(number.map(|text| Mutant { kind: "number", text }));
    let date = dates.iter().find_map(|date| {
        let written = date.span.of(sentence);
        let at = written.char_indices().map(|(at, _)| at).find(|at| {
            let digits: String = written[*at..].chars().take_while(char::is_ascii_digit).collect();
            digits.len() == 4
                && (digits.starts_with("1") || digits.starts_with("20"))
                && !written[at + 4..].starts_with('s')
                && !written[..*at].ends_with(|c: char| c.is_ascii_digit())
        })?;
        let year: i32 = written[at..at + 4].parse().ok()?;
        let start = date.span.start + at;
        Some(replaced(sentence, TextSpan::new(start, start + 4), &(year - 13).to_string()))
    });
    made.extend(date.map(|text| Mutant { kind: "date", text }));
    let unit = quantities.iter().find_map(|quantity| {
        quantity.unit.as_ref()?;
        let tail = TextSpan::new(quantity.number_span.end, quantity.span.end);
        let (_, to) = UNITS.iter().find(|(from, _)| tail.of(sentence) == *from)?;
        Some(replaced(sentence, tail, to))
    });
    made.extend(unit.map(|text| Mutant { kind: "unit", text }));
    let found = mentions(sentence, Language::English);
    let entity = found.iter().skip(1).find(|mention| is_plain(mention)).map(|mention| {
        let other = names(mention.kind)[sentence.len() % 2];
        replaced(sentence, mention.span, other)
    });
    made.extend(entity.map(|text| Mutant { kind: "entity", text }));
    let denied = ["not", "never", "no", "without", "n't", "nor"].iter().any(|word| word_at(sentence, word).is_some())
        || sentence.contains("n't");
    if !denied {
        let auxiliary = ["is", "was", "are", "were", "has", "had", "will", "can"]
            .iter()
            .filter_map(|word| word_at(sentence, word))
            .min();
        made.extend(auxiliary.map(|span| Mutant {
            kind: "negation",
            text: format!("{} not{}", &sentence[..span.end], &sentence[span.end..]),
        }));
    } else if let Some(span) = word_at(sentence, "not").filter(|span| !sentence[span.end..].starts_with(" only")) {
        made.push(Mutant {
            kind: "negation",
            text: format!("{}{}", sentence[..span.start].trim_end(), &sentence[span.end..]),
        });
    }
    let opposite = OPPOSITES.iter().find_map(|(from, to)| {
        let span = word_at(sentence, from)?;
        // "a high school", "New York": fixed names.
        let next = sentence[span.end..].trim_start();
        let fixed = next.starts_with("school") || next.starts_with("as ");
        (!fixed).then(|| replaced(sentence, span, to))
    });
    made.extend(opposite.map(|text| Mutant { kind: "antonym", text }));
    made.extend(role(sentence, &found).map(|text| Mutant { kind: "role", text }));
    made
}

/// Two names of a kind on either side of a verb or a word of kinship or rank, swapped.
fn role(sentence: &str, found: &[Mention]) -> Option<String> {
    const VERBS: &str = "defeated acquired succeeded founded murdered killed replaced invaded led wrote discovered designed built conquered owns \
        owned bought beat appointed preceded taught joined sued attacked captured elected hired trained nominated praised criticised criticized \
        accused arrested assassinated betrayed challenged claimed commissioned composed controlled created criticises defended deposed destroyed \
        directed dismissed employed executed exiled expelled financed funded governed helped influenced inherited inspired invited knighted \
        launched left mentored moved occupied ordered overthrew painted produced promoted published purchased recruited rejected rescued ruled \
        sacked saved signed sponsored supported surrendered traded visited won administered annexed borders contains covers operates runs \
        developed established introduced organised organized photographed portrayed recorded released represented served studied supervised \
        translated became received reached entered crossed";
    let verbs: std::collections::HashSet<&str> = VERBS.split_ascii_whitespace().collect();
    // What holds both ways round, or of many at once, is no false statement when turned.
    const BOTH_WAYS: [&str; 14] = [
        "and", "or", "with", "between", "while", "but", "married", "met", "borders", "won", "received", "became",
        "signed", "contains",
    ];
    found.windows(2).find_map(|pair| {
        let (a, b) = (&pair[0], &pair[1]);
        let between = sentence.get(a.span.end..b.span.start)?;
        let words: Vec<&str> = between.split_whitespace().map(|word| word.trim_matches(',')).collect();
        let acts = words.iter().any(|word| verbs.contains(word));
        let of_kin = words.windows(2).any(|two| {
            matches!(
                two[0],
                "son"
                    | "daughter"
                    | "father"
                    | "mother"
                    | "wife"
                    | "husband"
                    | "successor"
                    | "capital"
                    | "part"
                    | "pupil"
                    | "student"
                    | "author"
                    | "founder"
                    | "president"
            ) && two[1] == "of"
        });
        let plain = (1..=6).contains(&words.len())
            && !between.contains([',', ';', '(', '"'])
            && !words.iter().any(|word| BOTH_WAYS.contains(word))
            && a.text != b.text
            && !a.demonym
            && !b.demonym
            && ![a, b].iter().any(|name| name.text.contains('\n'))
            && !a.text.contains(b.text.as_str())
            && !b.text.contains(a.text.as_str());
        ((acts || of_kin) && plain)
            .then(|| format!("{}{}{between}{}{}", &sentence[..a.span.start], b.text, a.text, &sentence[b.span.end..]))
    })
}

/// Only swapped roles, for which more articles are looked through: few sentences have them.
fn swapped(sentence: &str) -> Vec<Mutant> {
    let found = mentions(sentence, Language::English);
    role(sentence, &found).map(|text| Mutant { kind: "role", text }).into_iter().collect()
}

/// Rewrites that keep the meaning.
pub fn rewrites(sentence: &str) -> Vec<Mutant> {
    let mut made = Vec::new();
    let (quantities, dates) = quantities_and_dates(sentence, NumberLocale::Any, DateOrder::Unknown);
    let grouped = quantities.iter().map(|quantity| quantity.number_span).find(|span| {
        let written = span.of(sentence);
        written.contains(',') && !written.contains('.') && written.chars().all(|c| c.is_ascii_digit() || c == ',')
    });
    made.extend(
        grouped
            .map(|span| Mutant { kind: "format", text: replaced(sentence, span, &span.of(sentence).replace(',', "")) }),
    );
    for (from, to) in [
        (" km ", " kilometres "),
        (" percent", "%"),
        (" per cent", "%"),
        (" kg ", " kilograms "),
        (" metres", " m"),
        (" square kilometres", " sq km"),
    ] {
        if let Some(at) = sentence.find(from) {
            made.push(Mutant { kind: "unit name", text: replaced(sentence, TextSpan::new(at, at + from.len()), to) });
            break;
        }
    }
    for (from, to) in [
        ("United States", "US"),
        ("U.S.", "United States"),
        ("United Kingdom", "UK"),
        ("New York City", "NYC"),
        ("the UK", "the United Kingdom"),
    ] {
        if let Some(span) = word_at(sentence, from) {
            made.push(Mutant { kind: "alias", text: replaced(sentence, span, to) });
            break;
        }
    }
    for date in &dates {
        let written = date.span.of(sentence);
        let parts: Vec<&str> = written.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        if let [day, month, year] = parts[..]
            && day.len() <= 2
            && day.chars().all(|c| c.is_ascii_digit())
            && month.chars().all(char::is_alphabetic)
            && year.len() == 4
        {
            made.push(Mutant {
                kind: "date order",
                text: replaced(sentence, date.span, &format!("{month} {day}, {year}")),
            });
            break;
        }
    }
    // "A defeated B." to "B was defeated by A."
    let found = mentions(sentence, Language::English);
    if let [a, b] = &found[..]
        && a.span.start == 0
        && !a.demonym
        && !b.demonym
    {
        let between = sentence[a.span.end..b.span.start].trim();
        let regular = [
            "defeated",
            "acquired",
            "succeeded",
            "founded",
            "replaced",
            "invaded",
            "discovered",
            "designed",
            "conquered",
            "owned",
            "appointed",
            "preceded",
        ];
        if regular.contains(&between) {
            let rest = &sentence[b.span.end..];
            made.push(Mutant { kind: "passive", text: format!("{} was {between} by {}{rest}", b.text, a.text) });
        }
    }
    made
}

type Counts = BTreeMap<&'static str, BTreeMap<Label, usize>>;

fn run(
    path: &str,
    documents: usize,
    per_document: usize,
    make: fn(&str) -> Vec<Mutant>,
    show: impl Fn(&str, Label) -> bool + Sync,
) -> Option<Counts> {
    let rows = shared_rows(path, documents)?;
    let results: Vec<Vec<(&'static str, Label)>> = rows
        .par_iter()
        .map(|row| {
            let (id, title, text) = (row["id"].as_str().unwrap(), row["title"].as_str(), row["text"].as_str().unwrap());
            let verifier = verifier(document(id, title, text));
            let mut labels = Vec::new();
            let whole = sentences(text).into_iter().map(|span| span.of(text).trim()).filter(|sentence| {
                sentence.ends_with('.')
                    && sentence.split_whitespace().count() >= 6
                    && sentence.len() < 400
                    && !sentence.contains('\n')
            });
            for sentence in whole.take(per_document) {
                for mutant in make(sentence) {
                    if text.contains(&mutant.text) {
                        continue;
                    }
                    let verdict = verifier.verify_claim(&claim(&mutant.text));
                    if show(mutant.kind, verdict.label) {
                        let quotes: Vec<&str> =
                            verdict.evidence.iter().map(|citation| citation.quote.as_str()).collect();
                        let findings: Vec<String> = verdict
                            .findings
                            .iter()
                            .filter(|f| f.stance != crate::verify::Stance::Supports)
                            .map(|f| format!("{} {} {:?}/{:?}", f.check, f.kind, f.claim_value, f.evidence_value))
                            .collect();
                        println!(
                            "{} {}: {}\n    {} [{}]\n    {}",
                            mutant.kind,
                            verdict.label,
                            mutant.text,
                            verdict.reason,
                            quotes.join(" | "),
                            findings.join("; ")
                        );
                    }
                    // The false part of a compound sentence is contradicted, its true part supported.
                    let refuted = verdict.evidence.iter().any(|citation| citation.role == CitationRole::Contradicts);
                    let partly = verdict.label == Label::PartiallySupported && refuted;
                    labels.push((mutant.kind, if partly { Label::Contradicted } else { verdict.label }));
                }
            }
            labels
        })
        .collect();
    let mut counts = Counts::new();
    for (kind, label) in results.into_iter().flatten() {
        *counts.entry(kind).or_default().entry(label).or_default() += 1;
    }
    Some(counts)
}

fn add(into: &mut Counts, from: Counts) {
    for (kind, labels) in from {
        for (label, count) in labels {
            *into.entry(kind).or_default().entry(label).or_default() += count;
        }
    }
}

/// The table of these counts, in Markdown.
fn table(title: &str, counts: &Counts) -> String {
    let mut table = format!(
        "| {title} | cases | contradicted | conflicting | partly | not enough info | supported | not supported |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for (kind, labels) in counts {
        let of = |label| labels.get(&label).copied().unwrap_or(0);
        let total: usize = labels.values().sum();
        table += &format!(
            "| {kind} | {total} | {:.1} % | {} | {} | {} | {} | {:.1} % |\n",
            100.0 * of(Label::Contradicted) as f64 / total as f64,
            of(Label::Conflicting),
            of(Label::PartiallySupported),
            of(Label::NotEnoughInfo),
            of(Label::Supported),
            100.0 * (total - of(Label::Supported)) as f64 / total as f64
        );
    }
    table
}

/// Holds a table against the committed one, or writes it where `EVIDEX_BLESS=1`: the report in the repository is what
/// this test found.
fn hold_to_file(name: &str, heading: &str, table: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify/tests/tables").join(name);
    let whole = format!(
        "{heading}\n\nMade by `EVIDEX_BLESS=1 cargo test --lib verify::tests::mutation`; the test fails where it differs.\n\n{table}"
    );
    println!("{whole}");
    if std::env::var("EVIDEX_BLESS").as_deref() == Ok("1") {
        std::fs::write(&path, &whole).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(committed, whole, "{} is not what the test finds; run it with EVIDEX_BLESS=1", path.display());
}

/// Share of the cases of these kinds with one of these labels.
fn share(counts: &Counts, kinds: &[&str], labels: &[Label]) -> f64 {
    let of = |wanted: &dyn Fn(&Label) -> bool| -> usize {
        counts
            .iter()
            .filter(|(kind, _)| kinds.contains(kind))
            .flat_map(|(_, of)| of)
            .filter(|(label, _)| wanted(label))
            .map(|(_, n)| n)
            .sum()
    };
    of(&|label| labels.contains(label)) as f64 / of(&|_| true).max(1) as f64
}

/// Which mutants to print: `EVIDEX_SHOW_MUTANTS=kind:label`, for looking at them one by one.
fn shown(kind: &str, label: Label) -> bool {
    std::env::var("EVIDEX_SHOW_MUTANTS")
        .is_ok_and(|wanted| wanted.split(',').any(|wanted| wanted == format!("{kind}:{label}")))
}

#[test]
fn a_mutant_is_not_supported_by_the_document_that_it_was_made_from() {
    let mut counts = Counts::new();
    for (path, documents) in
        [("data/wiki/wiki_en_2014_sample.jsonl.zst", 120), ("data/factbook/factbook.jsonl.zst", 30)]
    {
        let Some(found) = run(path, documents, 40, mutants, shown) else { return };
        add(&mut counts, found);
    }
    let Some(more) = run("data/wiki/wiki_en_2014_sample.jsonl.zst", 2000, 60, swapped, shown) else { return };
    counts.remove("role");
    add(&mut counts, more);
    let found = table("mutation", &counts);
    println!("{found}");
    let wrong = [Label::Contradicted, Label::Conflicting];
    let values = share(&counts, &["number", "date", "unit"], &wrong);
    let others = ["entity", "negation", "antonym", "role"];
    let supported = share(&counts, &others, &[Label::Supported]);
    let contradicted = share(&counts, &others, &wrong);
    println!("values contradicted {values:.3}; others supported {supported:.3}, contradicted {contradicted:.3}");
    assert!(values >= 0.95, "{values:.3} of number, date and unit mutants contradicted");
    assert!(supported <= 0.05, "{supported:.3} of the other mutants supported");
    assert!(contradicted >= 0.60, "{contradicted:.3} of the other mutants contradicted");
    let heading = "Mutants of true sentences, each against its own document, without a model: 120 articles and 30 country \
                   profiles; swapped roles from 2,000 articles.";
    hold_to_file("mutants.md", heading, &found);
}

#[test]
fn a_rewrite_that_keeps_the_meaning_is_not_contradicted() {
    let mut counts = Counts::new();
    for (path, documents) in
        [("data/wiki/wiki_en_2014_sample.jsonl.zst", 200), ("data/factbook/factbook.jsonl.zst", 60)]
    {
        let Some(found) = run(path, documents, 60, rewrites, shown) else { return };
        add(&mut counts, found);
    }
    let found = table("rewrite", &counts);
    println!("{found}");
    let kinds: Vec<&str> = counts.keys().copied().collect();
    let contradicted = share(&counts, &kinds, &[Label::Contradicted, Label::Conflicting]);
    println!("rewrites contradicted {contradicted:.3}");
    assert!(contradicted <= 0.02, "{contradicted:.3} of rewrites contradicted");
    let heading = "Rewrites that keep the meaning, each against the document of its sentence, without a model: 200 articles \
                   and 60 country profiles.";
    hold_to_file("rewrites.md", heading, &found);
}
