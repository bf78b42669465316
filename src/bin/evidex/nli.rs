//! From a name to the NLI model that reads claims against evidence.

use std::num::NonZeroUsize;
use std::sync::Arc;

use evidex::verify::NliModel;
#[cfg(feature = "onnx")]
use evidex::{onnx::OnnxError, verify::CrossEncoder};

#[cfg(feature = "onnx")]
use crate::assets::AssetError;
use crate::commands::Context;
use crate::exit::Failure;
#[cfg(feature = "onnx")]
use crate::settings::Origin;

/// Short names: what each stands for, how large it is, its licence and what it buys. The figures of models that are not ours
/// are their authors'.
pub const PRESETS: &[(&str, &str, &str)] = &[
    ("small", "evidex-nli-2", "ours, part of this program: 22 million weights, 23 MB, Apache-2.0; English"),
    (
        "base",
        "hf:cross-encoder/nli-deberta-v3-xsmall@main",
        "71 million weights, Apache-2.0; English; SNLI and MNLI accuracy 0.898 by its authors",
    ),
    (
        "large",
        "hf:cross-encoder/nli-deberta-v3-small@main",
        "141 million weights, Apache-2.0; English; SNLI and MNLI accuracy 0.900 by its authors",
    ),
    (
        "multilingual",
        "hf:MoritzLaurer/multilingual-MiniLMv2-L6-mnli-xnli@main",
        "107 million weights, MIT; a hundred languages",
    ),
];

/// The reference behind a name: presets are spelled out, all else stands as it is.
pub fn reference(name: &str) -> &str {
    PRESETS.iter().find(|(short, ..)| *short == name).map_or(name, |(_, reference, _)| reference)
}

/// The NLI model that the settings name; `None` for `none`. The default one is done without, with a warning, where the runtime
/// cannot be had.
///
/// # Errors
/// When a model that was asked for by flag, file or environment cannot be had.
#[cfg(feature = "onnx")]
pub fn from_settings(context: &Context) -> Result<Option<Arc<dyn NliModel>>, Failure> {
    let name = context.settings.text("nli");
    if name == "none" {
        return Ok(None);
    }
    match open(reference(name), context) {
        Ok(model) => Ok(Some(model)),
        Err(failure) if *context.settings.origin("nli") == Origin::Default => {
            crate::printer::warning(&format!(
                "no NLI model: {}; claims are checked without (say --nli none)",
                failure.message
            ));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

#[cfg(feature = "onnx")]
fn open(reference: &str, context: &Context) -> Result<Arc<dyn NliModel>, Failure> {
    let assets = context.assets();
    crate::assets::ensure_model(&assets.store, reference, &assets.pull)?;
    let sessions = NonZeroUsize::new(context.settings.whole("threads"));
    let open = || CrossEncoder::open(reference, &assets.store, sessions);
    let model = match open() {
        // Another evidex's model of the same name, or a damaged file: ours is put in its place.
        Err(OnnxError::Damaged { .. }) => {
            crate::assets::pull_reference(&assets.store, &reference.parse().map_err(AssetError::from)?, &assets.pull)?;
            open()
        }
        outcome => outcome,
    };
    Ok(Arc::new(model.map_err(AssetError::from)?))
}

/// Without models in this build there is none.
///
/// # Errors
/// When one was asked for.
#[cfg(not(feature = "onnx"))]
pub fn from_settings(context: &Context) -> Result<Option<Arc<dyn NliModel>>, Failure> {
    match context.settings.text("nli") {
        "none" | "small" => Ok(None),
        name => {
            Err(Failure::new("no_models", format!("this evidex was built without models, so it cannot run `{name}`"))
                .hint("say --nli none"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "onnx")]
    #[test]
    fn every_preset_stands_for_a_reference_that_can_be_read() {
        for (name, reference, _) in PRESETS {
            assert!(reference.parse::<evidex::onnx::ModelReference>().is_ok(), "{name}");
        }
        assert_eq!(reference("dir:/models/mine"), "dir:/models/mine");
    }
}
