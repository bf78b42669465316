//! What the tests of the room share.

use std::sync::Arc;
use std::time::Duration;

use super::double::Double;
use crate::corpus::Document;
use crate::evidence::{EvidenceSource, InlineContext};
use crate::judge::{
    ApiKey, BaseUrls, DetectOptions, Detection, Detector, Input, LanguageModel, Method, ModelAddress, Models, Opinion,
    RetryPolicy, Session, SessionOptions,
};

/// Two claims: the first is in the source, the second is not.
pub const ANSWER: &str = "The Ilva bridge is 340 m long. Arden has a castle.";
pub const SOURCE: &str = "The Ilva bridge is 340 m long and opened in 1931.";
/// What a good judge replies.
pub const GOOD: &str = r#"{"verdicts": [
    {"id": 1, "label": "supported", "confidence": 0.95, "quote": "The Ilva bridge is 340 m long"},
    {"id": 2, "label": "unsupported", "confidence": 0.8, "quote": ""}]}"#;

/// Fast and impatient: what a test can wait for.
pub fn quick() -> SessionOptions {
    SessionOptions {
        timeout: Duration::from_secs(20),
        retry: RetryPolicy { attempts: 2, first_wait: Duration::from_millis(10), longest_wait: Duration::from_secs(1) },
        ..SessionOptions::default()
    }
}

pub fn model_at(base_url: &str, key: Option<&str>, session: &Session) -> LanguageModel {
    let bases = BaseUrls { own: Some(base_url.to_owned()), ..BaseUrls::default() };
    let address = ModelAddress::parse("own:double", &bases).unwrap();
    LanguageModel::new(address, key.and_then(ApiKey::new), session).unwrap()
}

pub fn model(double: &Double, session: &Session) -> LanguageModel {
    model_at(&double.base_url, None, session)
}

pub fn source(text: &str) -> Arc<dyn EvidenceSource> {
    Arc::new(InlineContext::new(vec![Document::inline("notes", text)]).unwrap())
}

pub fn options(methods: &[Method]) -> DetectOptions {
    DetectOptions { methods: methods.to_vec(), ..DetectOptions::default() }
}

/// Everything as usual, through `double`.
pub fn detect(double: &Double, methods: &[Method], answer: &str, sources: &[Arc<dyn EvidenceSource>]) -> Detection {
    let session = Session::new(quick()).unwrap();
    let model = model(double, &session);
    let detector = Detector::new(options(methods), Models::all(&model), session).unwrap();
    detector.detect(Input { answer, prompt: Some("Tell me about the bridge."), sources }).unwrap()
}

pub fn judge(double: &Double) -> Detection {
    detect(double, &[Method::Judge], ANSWER, &[source(SOURCE)])
}

/// What the judge says of each claim.
pub fn opinions(detection: &Detection) -> &[Opinion] {
    &detection.method(Method::Judge).unwrap().opinions
}
