//! The examples by which its callers know it, with the right answer where theirs was wrong.

use super::*;

const LAW: &str = "The LGPD was enacted on 14 August 2018 by President Michel Temer.";
const TOWER: &str = "The tower was built in 1889 by Gustave Eiffel in Paris.";

fn validate(response: &str, context: &str) -> ValidationResult {
    Validator::default().validate(response, context, None).unwrap()
}

fn claim(label: Label, score: f64) -> ClaimResult {
    ClaimResult { text: "a".to_owned(), evidence: "b".to_owned(), label, score, reason: "c".to_owned() }
}

fn plain(claims: &[ClaimResult]) -> (f64, bool) {
    let aggregate = WeightedMean::plain().aggregate(claims, DEFAULT_THRESHOLD).unwrap();
    (aggregate.score, aggregate.is_hallucination)
}

#[test]
fn a_law_of_another_year_and_president_is_flagged() {
    let result = validate("The LGPD was enacted in 2015.", LAW);
    assert!(result.is_hallucination);
    assert_eq!(result.claims[0].label, Label::Contradiction);
    assert!(result.claims[0].evidence.contains("2018"));
    assert!(result.summary.contains("2015") && result.summary.contains("2018"), "{}", result.summary);
    assert!(validate("The LGPD was enacted by President Dilma Rousseff.", LAW).is_hallucination);
    assert!(!validate("The LGPD was enacted in August 2018.", LAW).is_hallucination);
    let both = validate("The LGPD was enacted in 2015 under President Dilma Rousseff.", LAW);
    assert_eq!(both.claims[0].label, Label::Contradiction);
    assert!(both.is_hallucination && both.score > 0.5, "{both:?}");
}

#[test]
fn portuguese_texts_get_portuguese_summaries() {
    let validator = Validator::new(SummaryLanguage::Portuguese);
    let context = "A LGPD foi sancionada em 14/8/2018 pelo presidente Michel Temer.";
    let wrong = validator.validate("A LGPD foi sancionada em 2015.", context, None).unwrap();
    assert!(wrong.is_hallucination);
    assert!(wrong.summary.starts_with("Afirmações contraditas pelo contexto: 1 de 1"), "{}", wrong.summary);
    let right = validator.validate("A LGPD foi sancionada em 2018.", context, None).unwrap();
    assert!(!right.is_hallucination);
    assert_eq!(right.summary, "O contexto confirma todas as afirmações.");
}

#[test]
fn water_towers_and_the_sky_are_held_to_the_context() {
    assert!(validate("Water boils at 50 °C.", "Water boils at 100 °C.").is_hallucination);
    assert!(validate("The tower was built in 1887 by Gustave Eiffel in Lyon.", TOWER).is_hallucination);
    assert!(!validate("The tower was built by Gustave Eiffel.", TOWER).is_hallucination);
    let sky = validate("The sky is green.", "The sky is blue.");
    assert_ne!(sky.claims[0].label, Label::Entailment);
}

#[test]
fn a_one_word_answer_is_read_with_its_question() {
    let context = "The Oberoi Group is a hotel company with its head office in Delhi.";
    let question = "In which city is the head office of the Oberoi Group?";
    let result = Validator::default().validate("Delhi", context, Some(question)).unwrap();
    assert_eq!(result.claims.len(), 1);
    assert!(result.claims[0].text.contains("Oberoi"), "{}", result.claims[0].text);
    assert_eq!(result.claims[0].label, Label::Entailment);
    let wrong = Validator::default().validate("Mumbai", context, Some(question)).unwrap();
    assert_ne!(wrong.claims[0].label, Label::Entailment);
}

#[test]
fn a_fabrication_is_neutral_and_said_so_rather_than_free_of_risk() {
    let result = validate("The museum was designed by Ines Duarte.", "The harbour froze in 1963.");
    assert_eq!(result.claims[0].label, Label::Neutral);
    assert!(result.score > 0.3, "{}", result.score);
    assert!(result.summary.contains("not stated in it: 1 of 1"), "{}", result.summary);
}

#[test]
fn a_sentence_that_says_so_outweighs_those_that_say_nothing() {
    let result =
        validate("The hall opened in 1931.", "The hall has a red door. The hall opened in 1931. It is near the port.");
    assert_eq!((result.claims[0].label, result.score), (Label::Entailment, 0.0));
    assert_eq!(result.summary, "The context states every claim.");
}

#[test]
fn one_lie_among_truths_is_flagged_though_the_mean_is_low() {
    let context = "The bridge opened in 1931. It is 88 m long. It has four arches. It crosses the Ilva.";
    let answer =
        "The bridge opened in 1931. The bridge is 88 m long. The bridge crosses the Ilva. The bridge opened in 1954.";
    let result = validate(answer, context);
    assert!(result.score < DEFAULT_THRESHOLD && result.is_hallucination, "{result:?}");
    let by_mean = Validator::default().with_aggregator(WeightedMean::plain()).validate(answer, context, None).unwrap();
    assert!(!by_mean.is_hallucination);
}

#[test]
fn the_mean_must_be_strictly_above_the_threshold() {
    use Label::{Contradiction, Entailment, Neutral};
    assert_eq!(plain(&[claim(Contradiction, 0.8)]), (0.8, true));
    assert_eq!(plain(&[claim(Contradiction, 0.4)]), (0.4, false));
    assert_eq!(plain(&[claim(Contradiction, 0.5)]), (0.5, false));
    assert_eq!(plain(&[claim(Neutral, 1.0)]), (0.5, false));
    assert_eq!(plain(&[claim(Contradiction, 1.0), claim(Entailment, 1.0)]), (0.5, false));
    let mut ten = vec![claim(Entailment, 1.0); 9];
    ten.push(claim(Contradiction, 0.9));
    assert_eq!(plain(&ten), (0.09, false));
    assert!(WeightedMean::default().aggregate(&ten, DEFAULT_THRESHOLD).unwrap().is_hallucination);
    assert_eq!(plain(&[claim(Contradiction, 1.0), claim(Entailment, 1.0), claim(Entailment, 1.0)]).0, 0.3333);
    let heavier = WeightedMean { neutral: 0.8, ..WeightedMean::plain() };
    assert_eq!(heavier.aggregate(&[claim(Neutral, 1.0)], 0.5).unwrap().score, 0.8);
    assert_eq!(plain(&[]), (0.0, false));
    assert!(matches!(
        WeightedMean::plain().aggregate(&[claim(Neutral, f64::NAN)], 0.5),
        Err(CavaquinhoError::Score { .. })
    ));
}

#[test]
fn blank_input_and_bad_settings_are_errors() {
    let validator = Validator::default();
    assert!(matches!(validator.validate(" ", LAW, None), Err(CavaquinhoError::BlankResponse)));
    assert!(matches!(validator.validate("A fact.", "\n", None), Err(CavaquinhoError::BlankContext)));
    assert!(matches!(Validator::default().with_threshold(1.5), Err(CavaquinhoError::Threshold { .. })));
    assert!(matches!("klingon".parse::<SummaryLanguage>(), Err(CavaquinhoError::UnknownLanguage { .. })));
    assert_eq!("Portuguese".parse::<SummaryLanguage>().unwrap(), SummaryLanguage::Portuguese);
}

#[test]
fn a_batch_goes_on_after_a_bad_item() {
    let item = |response| Request { response, context: LAW, prompt: None };
    let results = Validator::default().validate_batch(&[
        item("The LGPD was enacted in 2015."),
        item(""),
        item("The LGPD was enacted in 2018."),
    ]);
    assert!(results[0].as_ref().unwrap().is_hallucination);
    assert!(matches!(results[1], Err(CavaquinhoError::BlankResponse)));
    assert!(!results[2].as_ref().unwrap().is_hallucination);
}

#[test]
fn nothing_to_check_is_no_hallucination_and_says_so() {
    let result = validate("Hello!", LAW);
    assert!(result.claims.is_empty() && !result.is_hallucination);
    assert_eq!(result.summary, "There is no claim to check.");
}

/// A classifier that has `classify` and nothing else.
struct Always(Label, f64);

impl Classifier for Always {
    fn classify(&self, text: &str, context: &str) -> Result<ClaimResult, CavaquinhoError> {
        Ok(ClaimResult { text: text.to_owned(), evidence: context.to_owned(), ..claim(self.0, self.1) })
    }
}

struct Flat;

impl Aggregator for Flat {
    fn aggregate(&self, _: &[ClaimResult], _: f64) -> Result<Aggregate, CavaquinhoError> {
        Ok(Aggregate { score: 0.25, is_hallucination: true })
    }
}

#[test]
fn each_part_can_be_replaced() {
    let validator = Validator::default().with_classifier(Always(Label::Contradiction, 0.7));
    let result = validator.validate("The hall is red. The door is blue.", "Anything.", None).unwrap();
    assert_eq!((result.claims.len(), result.score), (2, 0.7));
    let result = Validator::default().with_aggregator(Flat).validate("The hall is red.", LAW, None).unwrap();
    assert_eq!((result.score, result.is_hallucination), (0.25, true));
    let three =
        LlmExtractor::new(
            |_: &str| Ok("```json\n[\"One is odd.\", \"Two is even.\", \"One is odd.\"]\n```".to_owned()),
        );
    let result = Validator::default().with_extractor(three).validate("Whatever.", LAW, None).unwrap();
    assert_eq!(
        result.claims.iter().map(|claim| claim.text.as_str()).collect::<Vec<_>>(),
        ["One is odd.", "Two is even."]
    );
}

#[test]
fn a_model_that_gives_no_array_is_replaced_by_the_rules_and_its_claims_are_capped() {
    for answer in ["{\"claim\": \"One.\"}", "[]", "no idea"] {
        let extractor = LlmExtractor::new(move |_: &str| Ok(answer.to_owned()));
        assert_eq!(extractor.extract("The hall is red.", None).unwrap(), ["The hall is red."], "{answer}");
    }
    let failing = LlmExtractor::new(|_: &str| Err("no network".to_owned()));
    assert_eq!(failing.extract("The hall is red.", None).unwrap(), ["The hall is red."]);
    let many = LlmExtractor::new(|_: &str| {
        Ok(serde_json::json!((0..50).map(|n| format!("Claim {n}.")).collect::<Vec<_>>()).to_string())
    });
    assert_eq!(many.extract("Whatever.", None).unwrap().len(), 20);
    let two = many.with_max_claims(2);
    assert_eq!(two.extract("Whatever.", None).unwrap(), ["Claim 0.", "Claim 1."]);
}

#[test]
fn the_summary_quotes_the_most_severe_conflict() {
    let mut claims =
        vec![claim(Label::Contradiction, 0.6), claim(Label::Contradiction, 0.9), claim(Label::Neutral, 1.0)];
    claims[1].text = "worst".to_owned();
    let english = summary(&claims, SummaryLanguage::English);
    assert_eq!(
        english,
        "Claims contradicted by the context: 2 of 3; not stated in it: 1. Most severe: \"worst\" against \"b\"."
    );
    assert!(summary(&claims, SummaryLanguage::Portuguese).contains("Mais grave: \"worst\""));
}

#[test]
fn results_have_the_names_that_callers_know() {
    let result = validate("The LGPD was enacted in 2015.", LAW);
    let json = serde_json::to_value(&result).unwrap();
    for name in ["is_hallucination", "score", "threshold", "summary", "claims"] {
        assert!(json.get(name).is_some(), "{name}");
    }
    for name in ["text", "evidence", "label", "score", "reason"] {
        assert!(json["claims"][0].get(name).is_some(), "{name}");
    }
    assert_eq!(json["claims"][0]["label"], "contradiction");
}

#[test]
fn odd_input_gives_results_and_no_panic() {
    for text in ["\u{0}", "= = =", "👩‍👩‍👧 12", "1/0 = 5", "東京は日本の首都です。", &"x = ".repeat(2_000)]
    {
        let result = validate(text, &format!("The hall is red. {text}"));
        assert!((0.0..=1.0).contains(&result.score), "{result:?}");
    }
}

#[test]
fn sums_are_computed_and_not_looked_up() {
    assert!(validate("17 × 3 = 52", "The hall is red.").is_hallucination);
    assert_eq!(validate("17 × 3 = 51", "The hall is red.").claims[0].label, Label::Entailment);
}
