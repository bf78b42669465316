//! The one file that holds what was fitted on labelled sets: `fitted.json`, written by `evidex eval fit`.
//!
//! Its sections are `rule` (when a model's word decides), `calibration` (how sure a verdict is) and `ensemble` (how much each
//! method counts). Each is read where its type is defined.

use serde::de::DeserializeOwned;

/// The file as evidex comes with it.
const BUILT_IN: &str = include_str!("fitted.json");

/// A section of the built-in file; `None` where it is not there or has another form, which the tests rule out.
pub(crate) fn section<T: DeserializeOwned>(name: &str) -> Option<T> {
    let mut file: serde_json::Map<String, serde_json::Value> = serde_json::from_str(BUILT_IN).ok()?;
    serde_json::from_value(file.remove(name)?).ok()
}
