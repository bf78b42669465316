//! The models that an evaluation runs with, and what tells one program from another.

use std::num::NonZeroUsize;
use std::sync::Arc;

#[cfg(feature = "fetch")]
use clap::Parser;
use evidex::embed::{self, Embedder, HashedEmbedder};
use evidex::eval::{ModelNames, PairEvaluator};
use evidex::evidence::{EvidenceSource, LocalIndex};
use evidex::index::Index;
use evidex::verify::VerifySettings;

use super::args::EngineArgs;
#[cfg(feature = "fetch")]
use crate::args::{Args, Command};
use crate::commands::Context;
use crate::embedders;
use crate::exit::Failure;
use crate::nli;
use crate::printer;

/// The evaluator that the arguments describe, and its models' names.
///
/// # Errors
/// When an index or a model cannot be had.
pub fn evaluator(args: &EngineArgs, context: &mut Context) -> Result<(PairEvaluator, ModelNames), Failure> {
    context.settings.flag("passages", "--passages", args.passages.as_deref())?;
    let mut settings = VerifySettings::default();
    settings.passages_per_claim = context.settings.whole("passages");
    let mut embedder = match &args.embedder {
        Some(name) => embedders::for_new_index(name, context)?,
        None => None,
    };
    let mut source: Option<Arc<dyn EvidenceSource>> = None;
    if let Some(path) = &args.index {
        let index = Index::open(path)?;
        let own = embedders::of_index(&index, args.embedder.as_deref(), context)?;
        source = Some(Arc::new(LocalIndex::new(format!("index:{}", path.display()), index.snapshot()?, own.clone())));
        embedder = own.or(embedder);
    }
    if args.wikipedia || args.wiki_url.is_some() {
        source = Some(wiki(args, context)?);
    }
    context.settings.flag("nli", "--nli", args.nli.as_deref())?;
    let nli = nli::from_settings(context)?;
    let names = ModelNames {
        nli: nli.as_ref().map(|model| model.name().to_owned()),
        embedder: embedder.as_ref().map(|embedder| embedder.identity().name.clone()),
        baseline_embedder: None,
    };
    let evaluator = PairEvaluator {
        index: source,
        embedder,
        nli,
        settings,
        cancellation: context.cancellation.clone(),
        progress: None,
    };
    Ok((evaluator, names))
}

/// The wiki that is to be asked, as `evidex verify` asks it.
#[cfg(feature = "fetch")]
fn wiki(args: &EngineArgs, context: &Context) -> Result<Arc<dyn EvidenceSource>, Failure> {
    let mut words = vec!["evidex", "verify"];
    match &args.wiki_url {
        Some(url) => words.extend(["--wiki-url", url]),
        None => words.push("--wikipedia"),
    }
    words.extend(args.embedder.iter().flat_map(|name| ["--embedder", name]));
    let parsed = Args::try_parse_from(words).map_err(|error| Failure::new("eval", error.to_string()))?;
    let Command::Verify(verify) = parsed.command else {
        return Err(Failure::new("eval", "the wiki cannot be asked so"));
    };
    Ok(crate::commands::wiki::source(&verify.evidence, None, "", context)?)
}

/// Says that this build asks no wiki.
#[cfg(not(feature = "fetch"))]
fn wiki(_: &EngineArgs, _: &Context) -> Result<Arc<dyn EvidenceSource>, Failure> {
    Err(Failure::new("no_network", "this evidex was built without network code, so it cannot ask a wiki"))
}

/// The embedder of the `embedding` baseline: nothing is downloaded for a baseline.
///
/// # Errors
/// When one was named and cannot be had.
pub fn baseline_embedder(asked: Option<&str>, context: &Context) -> Result<Arc<dyn Embedder>, Failure> {
    if let Some(asked) = asked {
        return embedders::for_new_index(asked, context)?.ok_or_else(|| {
            Failure::new("usage", "the baseline `embedding` needs an embedder")
                .hint("leave it out with --baselines majority,claim_length,token_overlap")
        });
    }
    let name = context.settings.text("embedder");
    let threads = NonZeroUsize::new(context.settings.whole("threads"));
    match embed::open_embedder(name, &context.assets().store, threads) {
        Ok(embedder) => Ok(Arc::from(embedder)),
        Err(error) => {
            printer::note(&format!("the baseline `embedding` goes by hashed words ({error})"));
            Ok(Arc::new(HashedEmbedder::new()))
        }
    }
}

/// What tells one run of a program over a set from another: all that a prediction depends on.
///
/// # Errors
/// When the index cannot be opened.
pub fn fingerprint(set: &str, answers: bool, evaluator: &PairEvaluator, args: &EngineArgs) -> Result<String, Failure> {
    let program = std::env::current_exe().and_then(std::fs::read).map(|bytes| sha256(&bytes)).unwrap_or_default();
    let embedder = evaluator.embedder.as_ref().map(|embedder| embedder.identity().digest.clone());
    let nli = evaluator.nli.as_ref().map(|model| model.digest().to_owned());
    let generation = match &args.index {
        Some(path) => Some(Index::open(path)?.snapshot()?.generation()),
        None => None,
    };
    let passages = evaluator.settings.passages_per_claim;
    let parts = format!(
        "{set} {answers} {program} {embedder:?} {nli:?} {:?} {generation:?} {} {:?} {passages}",
        args.index, args.wikipedia, args.wiki_url
    );
    Ok(sha256(parts.as_bytes()))
}

/// Hex SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    evidex::onnx::hex(&sha2::Sha256::digest(bytes))
}
