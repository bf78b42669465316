//! Token probabilities: how likely a model holds the words of each claim. Scored on the given answer where the server
//! echoes a prompt with log-probabilities; else on an answer that the model writes anew, and marked so, for that is
//! another text.

use super::ask::{Ask, AskKind, TokenLogprob};
use super::method::{Method, MethodRun, Opinion, OpinionLabel, Usage};
use super::{LanguageModel, prompt};
use crate::claim::Claim;
use crate::text::{TextSpan, fold};
use crate::verify::Warning;

/// Mean log-probability from which a claim counts as known, in nats.
pub const LOGPROB_THRESHOLD: f64 = -1.5;
/// Shortest word that is looked for where the claim as a whole is not in the new answer.
const WORD_CHARS: usize = 4;

/// What was scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Logprobs {
    /// Whether the given answer was scored; otherwise one that the model wrote anew.
    pub given_answer: bool,
    /// Mean log-probability of all tokens that were scored.
    pub mean: Option<f64>,
    /// The answer that was written anew.
    pub regenerated: Option<String>,
}

/// The label and confidence that a mean log-probability stands for: from the threshold on supported with the probability
/// itself, below it unsupported with its complement.
///
/// ```
/// use evidex::judge::{LOGPROB_THRESHOLD, OpinionLabel, logprob_verdict};
/// assert_eq!(logprob_verdict(0.0, LOGPROB_THRESHOLD), (OpinionLabel::Supported, 1.0));
/// ```
pub fn logprob_verdict(mean: f64, threshold: f64) -> (OpinionLabel, f64) {
    let probability = mean.min(0.0).exp();
    if mean >= threshold {
        (OpinionLabel::Supported, probability)
    } else {
        (OpinionLabel::Unsupported, 1.0 - probability)
    }
}

/// What tokens are scored with.
pub(super) struct Scoring<'a> {
    pub model: &'a LanguageModel,
    pub threshold: f64,
    /// Longest answer that is written anew.
    pub tokens: u32,
}

impl Scoring<'_> {
    /// An opinion on every claim.
    pub(super) fn run(&self, prompt: &str, answer: &str, claims: &[&Claim]) -> MethodRun {
        let mut usage = Usage::of_model(self.model);
        let mut echo = Ask::chat(prompt::ECHO, format!("{}\n\n", prompt.trim_end()), answer, 1);
        echo.kind = AskKind::Echo;
        echo.logprobs = true;
        let echoed = self.model.ask(&echo);
        usage.add(&echoed);
        let mut run = match &echoed.outcome {
            Ok(reply) => self.on_given_answer(claims, &reply.tokens),
            Err(_) => self.on_new_answer(prompt, claims, &mut usage),
        };
        run.usage = usage;
        run
    }

    fn on_given_answer(&self, claims: &[&Claim], tokens: &[TokenLogprob]) -> MethodRun {
        let mut run = MethodRun::new(Method::Logprobs);
        run.logprobs = Some(Logprobs { given_answer: true, mean: mean(tokens, None), regenerated: None });
        run.opinions = claims
            .iter()
            .map(|claim| {
                let means: Vec<f64> = claim.spans.iter().filter_map(|span| mean(tokens, Some(*span))).collect();
                if means.is_empty() {
                    return Opinion::failed(claim.index, "none of its tokens was scored");
                }
                opinion(claim, means.iter().sum::<f64>() / means.len() as f64, self.threshold, "in the given answer")
            })
            .collect();
        run
    }

    fn on_new_answer(&self, prompt: &str, claims: &[&Claim], usage: &mut Usage) -> MethodRun {
        let mut again = Ask::chat(prompt::REGENERATE, "", prompt, self.tokens);
        again.logprobs = true;
        let asked = self.model.ask(&again);
        usage.add(&asked);
        let reply = match asked.outcome {
            Ok(reply) => reply,
            Err(error) => return MethodRun::failed(Method::Logprobs, claims, &error.to_string()),
        };
        let mut run = MethodRun::new(Method::Logprobs);
        run.warnings.push(Warning {
            code: "regenerated".to_owned(),
            message: "the server does not score a given text: an answer written anew was scored instead".to_owned(),
        });
        let text = text_of(&reply.tokens);
        run.opinions = claims.iter().map(|claim| in_new_answer(claim, &text, &reply.tokens, self.threshold)).collect();
        run.logprobs = Some(Logprobs { given_answer: false, mean: mean(&reply.tokens, None), regenerated: Some(text) });
        run
    }
}

fn opinion(claim: &Claim, mean: f64, threshold: f64, place: &str) -> Opinion {
    let (label, confidence) = logprob_verdict(mean, threshold);
    let reason = format!("mean log-probability {mean:.3} {place} (threshold {threshold})");
    Opinion::new(claim.index, label, confidence, reason)
}

fn in_new_answer(claim: &Claim, text: &str, tokens: &[TokenLogprob], threshold: f64) -> Opinion {
    let mut said = match mean_of_claim(&claim.text, text, tokens) {
        Some(mean) => opinion(claim, mean, threshold, "in an answer written anew"),
        None => Opinion::new(claim.index, OpinionLabel::Unknown, 0.0, "nothing of it is in the answer written anew"),
    };
    said.warn("regenerated", "scored on an answer written anew, not on the given one");
    said
}

/// The mean over the claim's tokens in `text`: where it stands as a whole, else where its longer words stand.
pub(super) fn mean_of_claim(claim: &str, text: &str, tokens: &[TokenLogprob]) -> Option<f64> {
    let core = claim.trim().trim_end_matches(['.', '!']);
    let lower = text.to_lowercase();
    // Lower case may be longer than what it stands for; places are only those of the text where it is not.
    let same_length = lower.len() == text.len();
    let (haystack, find): (&str, fn(&str) -> String) =
        if same_length { (&lower, |part| part.to_lowercase()) } else { (text, str::to_owned) };
    if let Some(at) = haystack.find(&find(core)) {
        return mean(tokens, Some(TextSpan::new(at, at + find(core).len())));
    }
    let found: Vec<f64> = core
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= WORD_CHARS && !fold(word).is_empty())
        .filter_map(|word| {
            let wanted = find(word);
            let at = haystack.find(&wanted)?;
            mean(tokens, Some(TextSpan::new(at, at + wanted.len())))
        })
        .collect();
    (!found.is_empty()).then(|| found.iter().sum::<f64>() / found.len() as f64)
}

/// The mean log-probability of the tokens that meet `span`, or of all.
fn mean(tokens: &[TokenLogprob], span: Option<TextSpan>) -> Option<f64> {
    let mut at = 0;
    let (mut sum, mut count) = (0.0, 0u32);
    for token in tokens {
        let place = TextSpan::new(at, at + token.bytes.len());
        at = place.end;
        if let Some(logprob) = token.logprob
            && span.is_none_or(|span| span.overlaps(place))
        {
            sum += logprob;
            count += 1;
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}

fn text_of(tokens: &[TokenLogprob]) -> String {
    let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.bytes.iter().copied()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(parts: &[(&str, f64)]) -> Vec<TokenLogprob> {
        parts
            .iter()
            .map(|(text, logprob)| TokenLogprob { bytes: text.as_bytes().to_vec(), logprob: Some(*logprob) })
            .collect()
    }

    #[test]
    fn likely_tokens_support_and_unlikely_ones_do_not() {
        let (label, confidence) = logprob_verdict(-0.1, LOGPROB_THRESHOLD);
        assert!(label == OpinionLabel::Supported && confidence > 0.9);
        assert_eq!(logprob_verdict(-5.0, LOGPROB_THRESHOLD).0, OpinionLabel::Unsupported);
        assert_eq!(logprob_verdict(0.0, LOGPROB_THRESHOLD), (OpinionLabel::Supported, 1.0));
        assert_eq!(logprob_verdict(-1.5, LOGPROB_THRESHOLD).0, OpinionLabel::Supported);
        assert_eq!(logprob_verdict(-1.51, LOGPROB_THRESHOLD).0, OpinionLabel::Unsupported);
    }

    #[test]
    fn a_claim_is_scored_by_its_own_tokens_alone() {
        let tokens =
            tokens(&[("Paris", -0.1), (" is", -0.3), (" big.", -0.2), (" Rome", -4.0), (" is", -3.0), (" old.", -5.0)]);
        let text = text_of(&tokens);
        let paris = mean_of_claim("paris is big.", &text, &tokens).unwrap();
        assert!((paris - -0.2).abs() < 1e-9, "{paris}");
        let rome = mean_of_claim("Rome is old", &text, &tokens).unwrap();
        assert!((rome - -4.0).abs() < 1e-9, "{rome}");
        let by_words = mean_of_claim("Old Rome", &text, &tokens).unwrap();
        assert!((by_words - -4.0).abs() < 1e-9);
        assert_eq!(mean_of_claim("Oslo", &text, &tokens), None);
    }

    #[test]
    fn a_character_spread_over_two_tokens_is_read() {
        let mut all = tokens(&[("caf", -1.0)]);
        all.push(TokenLogprob { bytes: vec![0xc3], logprob: Some(-2.0) });
        all.push(TokenLogprob { bytes: vec![0xa9], logprob: Some(-3.0) });
        let text = text_of(&all);
        assert_eq!(text, "caf\u{e9}");
        assert_eq!(mean_of_claim("caf\u{e9}", &text, &all), Some(-2.0));
    }
}
