//! The examples by which its callers know it, with the right answer where theirs was wrong.

use std::fs;

use super::*;

const BASIC: &str = "BASIC is a programming language. It was created in 1964 by John Kemeny and Thomas Kurtz at Dartmouth College. \
    BASIC was designed for students, ran on a time-sharing system and was often run by interpreters.";

/// A small world of facts, one document each.
const WORLD: [&str; 14] = [
    "Penicillin was discovered by Alexander Fleming in 1928.",
    "Radium was discovered by Marie Curie in 1898.",
    "The Mars container weighs 10 kg.",
    "Mount Everest is 8849 m high.",
    "Python was created by Guido van Rossum in 1991.",
    "BASIC was created in 1964 by John Kemeny and Thomas Kurtz at Dartmouth College.",
    "Product A costs 19 USD.",
    "Product B costs 25 USD.",
    "As of 2024 the status of Helios is active. The current release of Helios is 3.2. The current maintainer of Helios is Dana Lee.",
    "Report Alpha says that Northwind had revenue of 10 and profit of 4.",
    "Report Beta says that Northwind had revenue of 12 and profit of 5.",
    "Version 3.2 of Helios was released in 2024.",
    "Output rose by 20 percent in 1987.",
    "Lima is the capital of Peru.",
];

fn compare(truth: &str, answer: &str) -> Comparison {
    Halgorithem::default().compare_to_docs(answer, truth).unwrap()
}

/// The result of an answer of one claim.
fn only(truth: &str, answer: &str) -> ClaimResult {
    let mut comparison = compare(truth, answer);
    assert_eq!(comparison.results.len(), 1, "{answer}: {comparison:?}");
    comparison.results.remove(0)
}

fn in_world(answer: &str) -> ClaimResult {
    let mut comparison = Halgorithem::default().compare_to_docs(answer, WORLD).unwrap();
    assert_eq!(comparison.results.len(), 1, "{answer}: {comparison:?}");
    comparison.results.remove(0)
}

/// Fails with all claims whose status is not the expected one.
fn assert_world(expected: Status, claims: &[&str]) {
    let wrong: Vec<String> = claims
        .iter()
        .map(|claim| in_world(claim))
        .filter(|result| result.status != expected)
        .map(|result| format!("{}: {} ({})", result.claim, result.status, result.explanation))
        .collect();
    assert!(wrong.is_empty(), "expected {expected}:\n{}", wrong.join("\n"));
}

#[test]
fn a_chunk_needs_a_sentence_and_an_overlap_smaller_than_itself() {
    assert!(matches!(Halgorithem::new(0, 0), Err(HalgorithemError::Chunking(_))));
    assert!(matches!(Halgorithem::new(1, 1), Err(HalgorithemError::Chunking(_))));
    assert!(Halgorithem::new(3, 2).is_ok());
    assert!(matches!(Halgorithem::default().with_threshold(0.9), Err(HalgorithemError::Threshold { .. })));
    assert!(matches!(Halgorithem::default().with_threshold(f64::NAN), Err(HalgorithemError::Threshold { .. })));
}

#[test]
fn documents_must_be_given_and_hold_text() {
    let comparer = Halgorithem::default();
    let none: Vec<TruthDocument> = Vec::new();
    assert!(matches!(comparer.compare_to_docs("A fact.", none), Err(HalgorithemError::NoDocuments)));
    assert!(matches!(comparer.compare_to_docs("A fact.", ["", " \n"]), Err(HalgorithemError::EmptyDocuments)));
    assert!(comparer.compare_to_docs("Lima is in Peru.", ["", "Lima is in Peru."]).is_ok());
    assert!(serde_json::from_str::<TruthDocument>(r#"{"file_id": 1, "file_path": "a.txt"}"#).is_err());
}

#[test]
fn an_empty_answer_has_no_results() {
    for answer in ["", " \n"] {
        let comparison = compare(BASIC, answer);
        assert!(comparison.results.is_empty());
        assert_eq!(comparison.summary().to_string(), "No verifiable claims found.");
        assert!(!comparison.summary().reliable);
    }
}

#[test]
fn files_that_are_missing_empty_folders_or_no_utf8_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    assert!(matches!(load_file(folder.path().join("none.txt"), 1), Err(HalgorithemError::Missing { .. })));
    assert!(matches!(load_file(folder.path(), 1), Err(HalgorithemError::NotAFile { .. })));
    assert!(matches!(load_file(file("empty.txt", b" \n"), 1), Err(HalgorithemError::EmptyFile { .. })));
    let latin = file("latin.txt", b"Caf\xe9 da manh\xe3 na pra\xe7a, \xe0s oito horas.");
    assert!(matches!(load_file(latin, 1), Err(HalgorithemError::NotUtf8 { .. })));
    let no_paths: [&str; 0] = [];
    assert!(matches!(load_files(&no_paths), Err(HalgorithemError::NoDocuments)));

    let paths = [file("one.txt", b"Lima is in Peru."), file("two.txt", b"The hall opened in 1931.")];
    let comparison = Halgorithem::default().compare_to_files("The hall opened in 1931.", &paths).unwrap();
    let result = &comparison.results[0];
    assert_eq!((result.status, result.matched_doc_id), (Status::Supported, Some(2)));
    assert!(result.matched_source.as_deref().unwrap().ends_with("two.txt"));
}

#[test]
fn documents_are_named_as_callers_expect() {
    let result = only("Lima is in Peru.", "Lima is in Peru.");
    assert_eq!((result.matched_doc_id, result.matched_source.as_deref()), (Some(1), Some("inline_text")));
    let comparer = Halgorithem::default();
    let listed = comparer.compare_to_docs("Lima is in Peru.", ["Oslo is in Norway.", "Lima is in Peru."]).unwrap();
    assert_eq!(listed.results[0].matched_source.as_deref(), Some("inline_text_2"));
    let record = TruthDocument { file_id: 7, file_path: "atlas".to_owned(), text: "Lima is in Peru.".to_owned() };
    let recorded = comparer.compare_to_docs("Lima is in Peru.", vec![record]).unwrap();
    assert_eq!(recorded.results[0].matched_doc_id, Some(7));
}

#[test]
fn chunks_are_numbered_and_share_sentences() {
    let truth = "Lot 1 was sold. Lot 2 was kept. Lot 3 was lost. Lot 4 was found. Lot 5 was sold.";
    let document = TruthDocument { file_id: 3, file_path: "lots".to_owned(), text: truth.to_owned() };
    let chunks = Halgorithem::new(3, 1).unwrap().chunk_text(&document).unwrap();
    let places: Vec<_> = chunks.iter().map(|c| (c.doc_id, c.chunk_id, c.sentence_start, c.sentence_end)).collect();
    assert_eq!(places, [(3, 1, 1, 3), (3, 2, 3, 5)]);
    assert!(chunks.iter().all(|chunk| chunk.span.of(truth) == chunk.text));
}

#[test]
fn the_matched_chunk_holds_the_quote() {
    let truth = "Lot 1 was sold. Lot 2 was kept. The old mill burned down in 1907. Lot 4 was found.";
    let comparison =
        Halgorithem::new(1, 0).unwrap().compare_to_docs("The old mill burned down in 1907.", truth).unwrap();
    let result = &comparison.results[0];
    assert_eq!(result.matched_chunk_id, Some(3));
    assert_eq!(result.chunk_text.as_deref(), Some("The old mill burned down in 1907."));
    assert_eq!((result.evidence[0].sentence_start, result.evidence[0].sentence_end), (3, 3));
}

#[test]
fn a_year_is_compared_as_any_number() {
    assert_eq!(only(BASIC, "BASIC was created in 1964.").status, Status::Supported);
    let wrong = only(BASIC, "BASIC was created in 1972 at Dartmouth College.");
    assert_eq!((wrong.status, wrong.reason.as_deref()), (Status::Contradiction, Some("Date mismatch")));
    assert!(wrong.ai_numbers.iter().any(|number| number.contains("1972")), "{:?}", wrong.ai_numbers);
    assert!(wrong.truth_numbers.iter().any(|number| number.contains("1964")), "{:?}", wrong.truth_numbers);
}

#[test]
fn an_invented_name_is_a_hallucination_however_near_the_wording() {
    for (answer, name) in [
        ("BASIC was created by NASA.", "NASA"),
        ("BASIC was created in Germany.", "Germany"),
        ("BASIC was sponsored by NASA.", "NASA"),
        ("It was created at Harvard University.", "Harvard University"),
    ] {
        let result = only(BASIC, answer);
        assert_eq!(
            (result.status, result.reason.as_deref()),
            (Status::Hallucination, Some("Unsupported terms")),
            "{answer}"
        );
        assert_eq!(result.unsupported_terms, [name]);
        assert!(result.score < SUPPORTED_FROM);
    }
}

#[test]
fn a_denial_of_what_no_source_mentions_cannot_be_verified() {
    assert_eq!(only(BASIC, "BASIC was not created by NASA.").status, Status::UnverifiableDenial);
    assert_eq!(only(BASIC, "BASIC was not created in 1964.").status, Status::Contradiction);
}

#[test]
fn a_gist_that_no_source_states_is_weak_support_from_the_threshold_on() {
    let result = only(BASIC, "BASIC made programming easier for students.");
    assert_eq!(result.status, Status::WeakSupport, "{result:?}");
    assert!((WEAK_SUPPORT_FROM..SUPPORTED_FROM).contains(&result.score));
    let stricter = Halgorithem::default().with_threshold(0.6).unwrap();
    let comparison = stricter.compare_to_docs("BASIC made programming easier for students.", BASIC).unwrap();
    assert_eq!(comparison.results[0].status, Status::Hallucination);
}

#[test]
fn two_statements_in_a_sentence_are_two_claims_of_one_sentence() {
    let comparison = compare(BASIC, "Hello! BASIC was created in 1964 and it was designed for students.");
    let ids: Vec<_> =
        comparison.results.iter().map(|result| (result.claim_id, result.sentence_id, result.status)).collect();
    assert_eq!(ids, [(1, 2, Status::Supported), (2, 2, Status::Supported)]);
    assert_eq!(comparison.results[1].source_sentence, "BASIC was created in 1964 and it was designed for students.");
    assert_eq!(comparison.skipped.len(), 1);
}

#[test]
fn sums_are_computed_and_nothing_is_run() {
    let right = only("Nothing.", "2+2=4");
    assert_eq!((right.claim_type, right.status, right.score), (ClaimType::Math, Status::Supported, 1.0));
    let wrong = only("Nothing.", "2+2=5");
    assert_eq!((wrong.status, wrong.reason.as_deref()), (Status::Contradiction, Some("Math mismatch")));
    assert_eq!((wrong.expected.as_deref(), wrong.got.as_deref()), (Some("4"), Some("5")));
    for answer in ["2 + = 4", "__import__('os') = 1"] {
        let result = only("Nothing.", answer);
        assert_eq!((result.claim_type, result.status), (ClaimType::Math, Status::Error), "{answer}");
    }
    assert_eq!(only("Nothing.", "12 * 3").status, Status::Unknown);
    assert_eq!(only("Nothing.", "As you know, 17 × 3 = 51.").status, Status::Supported);
}

#[test]
fn percentages_ranges_and_scores_are_no_arithmetic() {
    for claim in [
        "Output rose by 20 percent.",
        "In 2019-2020 it rained.",
        "They won 3-1.",
        "It is 50% off.",
        "The date is 5/6/24.",
    ] {
        assert_eq!(classify_claim_type(claim), ClaimType::Source, "{claim}");
    }
    let context = "The mill raised its output by 20 percent in 1987. In 2019-2020 Paris hosted 30 major events.";
    assert_eq!(only(context, "The mill raised its output by 20 percent in 1987.").status, Status::Supported);
    assert_eq!(only(context, "In 2019-2020 Paris hosted 30 major events.").status, Status::Supported);
}

#[test]
fn a_sentence_of_the_source_is_supported_whatever_stands_beside_it() {
    let text =
        "Lot 100 was sold in May. Lot 101 was sold in June. The red bus seats 48 people. The blue bus seats 52 people.";
    for sentence in split_sentences(text) {
        assert_eq!(only(text, &sentence).status, Status::Supported, "{sentence}");
    }
}

#[test]
fn numbers_that_look_like_years_or_days_and_negations_are_compared() {
    let firm = "The company employs 1200 people in Oslo. The plant made 350 tonnes of steel.";
    for answer in [
        "The company employs 1500 people.",
        "The company employs 9000 people.",
        "The plant made 30 tonnes of steel.",
        "The company does not employ 1200 people.",
    ] {
        assert_eq!(only(firm, answer).status, Status::Contradiction, "{answer}");
    }
    assert_eq!(only(firm, "The company employs 1200 people in Bergen.").status, Status::Hallucination);
    assert_eq!(only(firm, "The company employs 1,200 people.").status, Status::Supported);
    assert_eq!(only(firm, "The company employs 1500 people.").reason.as_deref(), Some("Number mismatch"));
    assert_eq!(only(firm, "The company does not employ 1200 people.").reason.as_deref(), Some("Negation mismatch"));
}

#[test]
fn short_facts_are_worth_checking_and_empty_talk_is_not() {
    for claim in ["BASIC was created by NASA.", "Lima is in Peru.", "2+2=5"] {
        assert!(is_meaningful_claim(claim), "{claim}");
    }
    for talk in ["Shall I go on?", "Hello!", "I don't know."] {
        assert!(!is_meaningful_claim(talk), "{talk}");
    }
}

#[test]
fn what_the_world_states_is_supported() {
    assert_world(
        Status::Supported,
        &[
            "Penicillin was discovered by Alexander Fleming in 1928.",
            "Radium was discovered in 1898.",
            "The Mars container weighs 10000 grams.",
            "Product B costs 25 USD.",
            "Python was created in 1991.",
            "Output rose by 20 percent in 1987.",
            "John Kemeny created BASIC at Dartmouth in 1964.",
            "Report Alpha says that Northwind had revenue of 10.",
        ],
    );
}

#[test]
fn wrong_dates_are_contradicted() {
    assert_world(
        Status::Contradiction,
        &[
            "BASIC was created in 1972.",
            "Penicillin was discovered in 1935.",
            "Radium was discovered in 1905.",
            "Python was created in 1988.",
            "Version 3.2 of Helios was released in 2021.",
        ],
    );
    assert_eq!(in_world("Python was created in 1988.").reason.as_deref(), Some("Date mismatch"));
}

#[test]
fn each_work_belongs_to_its_maker() {
    assert_world(
        Status::Contradiction,
        &[
            "Penicillin was discovered by Marie Curie.",
            "Radium was discovered by Alexander Fleming.",
            "Python was created by John Kemeny.",
            "BASIC was created by Guido van Rossum.",
            "Python was created by Thomas Kurtz.",
        ],
    );
    assert_eq!(in_world("Python was created by John Kemeny.").reason.as_deref(), Some("Entity-role mismatch"));
}

#[test]
fn the_same_number_in_another_unit_is_a_contradiction() {
    assert_world(
        Status::Contradiction,
        &[
            "The Mars container weighs 10 pounds.",
            "Mount Everest is 8849 miles high.",
            "Product A costs 19 EUR.",
            "Product B costs 25 EUR.",
        ],
    );
    assert_eq!(in_world("Product A costs 19 EUR.").reason.as_deref(), Some("Unit mismatch"));
}

#[test]
fn reports_are_not_mixed_up() {
    assert_world(
        Status::Contradiction,
        &[
            "Report Alpha says that Northwind had revenue of 12.",
            "Report Beta says that Northwind had revenue of 10.",
            "Report Alpha says that Northwind had profit of 5.",
            "Report Beta says that Northwind had profit of 4.",
        ],
    );
}

#[test]
fn what_is_current_is_supported_with_a_warning() {
    for answer in [
        "The current status of Helios is active.",
        "The current release of Helios is 3.2.",
        "The current maintainer of Helios is Dana Lee.",
    ] {
        let result = in_world(answer);
        assert_eq!(
            (result.status, result.warning.as_deref()),
            (Status::Supported, Some("Time-sensitive claim")),
            "{answer}"
        );
        assert_eq!(result.as_of_year, Some(2024), "{answer}");
    }
}

#[test]
fn what_stands_nowhere_is_a_hallucination_and_its_denial_cannot_be_verified() {
    for answer in [
        "Python was created by NASA.",
        "Penicillin was discovered by Ada Lovelace.",
        "Mount Everest is in Peru.",
        "The current maintainer of Helios is Grace Hopper.",
        "Product C costs 31 USD.",
        "Lima is in Japan.",
        "Report Gamma says that Northwind had revenue of 10.",
        "The Mars container was made by Microsoft.",
        "Moonbase Atlas costs 44 USD.",
        "The Zeta protocol was adopted in 2020.",
        "Orion City has 12345 inhabitants.",
        "Quantum Fruit scored 9.1.",
        "The Argo tablet weighs 7 kg.",
    ] {
        let result = in_world(answer);
        assert_eq!(result.status, Status::Hallucination, "{result:?}");
        // Peru stands in a source, though not with the mountain.
        assert_eq!(result.unsupported_terms.is_empty(), answer.contains("Everest"), "{result:?}");
    }
    for answer in [
        "Product C does not cost 31 USD.",
        "Moonbase Atlas does not cost 44 USD.",
        "The Argo tablet does not weigh 7 kg.",
        "Python was not created by NASA.",
        "Penicillin was not discovered by Ada Lovelace.",
        "The Mars container was not made by Microsoft.",
        "The Zeta protocol was not adopted in 2020.",
        "Orion City does not have 12345 inhabitants.",
        "Quantum Fruit did not score 9.1.",
    ] {
        assert_eq!(in_world(answer).status, Status::UnverifiableDenial, "{answer}");
    }
}

#[test]
fn what_stands_in_another_place_of_the_sources_is_no_unsupported_term() {
    for answer in ["Helios 3.2 was released in 2021.", "Penicillin was discovered in 1928 by Marie Curie."] {
        let result = in_world(answer);
        assert_eq!(result.status, Status::Contradiction, "{result:?}");
        assert!(result.unsupported_terms.is_empty(), "{result:?}");
    }
}

#[test]
fn the_rows_of_a_plain_table_are_not_mixed_up() {
    let table = "city,country,population\nParis,France,2148000\nTokyo,Japan,14000000\nLima,Peru,9752000";
    assert_eq!(only(table, "Lima is in Peru.").status, Status::Supported);
    for answer in ["Lima is in Japan.", "Lima has a population of 2148000."] {
        let status = only(table, answer).status;
        assert!(matches!(status, Status::Hallucination | Status::Contradiction), "{answer}: {status}");
    }
}

#[test]
fn currencies_of_the_same_amount_are_told_apart() {
    let reports =
        ["Report Alpha says that Northwind had revenue of 10 USD and profit of 4 USD.", "Report Beta is empty."];
    let comparer = Halgorithem::default();
    let comparison =
        comparer.compare_to_docs("Report Alpha says that Northwind had revenue of 10 EUR.", reports).unwrap();
    let result = &comparison.results[0];
    assert_eq!((result.status, result.reason.as_deref()), (Status::Contradiction, Some("Unit mismatch")));
    assert_eq!((result.ai_numbers[0].as_str(), result.truth_numbers[0].as_str()), ("10 EUR", "10 USD"));
}

#[test]
fn a_speech_is_found_by_its_day() {
    let truth = "Jawaharlal Nehru gave the speech \"Tryst with Destiny\" towards midnight on August 14, 1947.";
    let result = only(truth, "Nehru gave the speech \"Tryst with Destiny\" on August 14 towards midnight.");
    assert!(matches!(result.status, Status::Supported | Status::WeakSupport), "{result:?}");
}

#[test]
fn the_score_tells_support_from_the_rest() {
    let comparer = Halgorithem::default();
    let tower = "The tower was built in 1884 by Anna Holm.";
    let score = |claim: &str| comparer.support_score(claim, tower).unwrap();
    assert!(score("The tower was built in 1884.") >= SUPPORTED_FROM);
    assert!(score("The tower was built in 1914.") < SUPPORTED_FROM);
    assert!(score("Cats sleep a lot.") < WEAK_SUPPORT_FROM);
    assert_eq!(comparer.support_score("A fact.", " ").unwrap(), 0.0);
}

#[test]
fn results_have_the_names_that_callers_know() {
    let comparison = compare(BASIC, "BASIC was created in 1972 at Dartmouth College. 2+2=5");
    let json = serde_json::to_value(&comparison).unwrap();
    let source = &json["results"][0];
    for name in [
        "status",
        "claim",
        "score",
        "reason",
        "ai_numbers",
        "truth_numbers",
        "matched_doc_id",
        "matched_source",
        "matched_chunk_id",
        "chunk_text",
        "unsupported_terms",
        "claim_id",
        "sentence_id",
        "source_sentence",
        "type",
        "confidence",
        "evidence",
    ] {
        assert!(source.get(name).is_some(), "{name} is missing in {source}");
    }
    assert_eq!((source["type"].as_str(), source["status"].as_str()), (Some("SOURCE"), Some("CONTRADICTION")));
    assert_eq!(
        (json["results"][1]["type"].as_str(), json["results"][1]["expected"].as_str()),
        (Some("MATH"), Some("4"))
    );
    assert_eq!(json["diagnostics"]["embedder"], "lexical");
    assert_eq!(serde_json::from_value::<Comparison>(json).unwrap(), comparison);
}

#[test]
fn the_report_counts_and_shows_each_issue() {
    let comparison = compare(BASIC, "BASIC was created in 1964. BASIC was created in 1972 at Dartmouth College.");
    let summary = comparison.summary();
    assert_eq!((summary.confidence, summary.reliable, summary.issues), (Some(50.0), false, 1));
    let mut printed = Vec::new();
    print_report(&comparison, &mut printed).unwrap();
    let text = String::from_utf8(printed).unwrap();
    assert_eq!(text, report(&comparison));
    for part in [
        "1/2 supported, 0 weak, 1 contradictions, 0 hallucinations",
        "Claim #2",
        "Date mismatch",
        "1972",
        "inline_text",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn odd_input_gives_results_and_no_panic() {
    let numbers = (0..2_000).map(|n| format!("{n},")).collect::<String>();
    let odd = [
        "\u{0}\u{feff}".to_owned(),
        "= = =".to_owned(),
        "((((((((1 + 2".to_owned(),
        "9999999999999999999999999999 * 9999999999999999999 = 1".to_owned(),
        "1/0 = 5".to_owned(),
        "مرحبا بالعالم. 👩‍👩‍👧 نعم 12 ".to_owned(),
        "\u{202e}evil\u{202c} is 5 = 5".to_owned(),
        "東京は日本の首都です。人口は1400万人です。".to_owned(),
        "a".repeat(50_000),
        "x = ".repeat(5_000),
        numbers,
    ];
    let comparer = Halgorithem::default();
    for text in &odd {
        let comparison = comparer.compare_to_docs(text, ["Lima is in Peru. It has 10 parks.", text]).unwrap();
        for result in &comparison.results {
            assert!((0.0..=1.0).contains(&result.score) && (0.0..=1.0).contains(&result.confidence), "{result:?}");
        }
        assert!(!report(&comparison).is_empty());
    }
    assert_eq!(only("Nothing.", "1/0 = 5").status, Status::Error);
}
