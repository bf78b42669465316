//! A wiki as a source: from arguments and settings to [`WikiOptions`].

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use evidex::evidence::{EvidenceSource, PageText, WikiOptions, WikipediaSource};
use evidex::text::{Language, language};

use super::Context;
use crate::args::EvidenceArgs;
use crate::embedders;
use crate::exit::Failure;
use crate::settings::Settings;

/// The wiki that the arguments name. `edition` outranks flag and setting; the last resort is the language of `answer`.
///
/// # Errors
/// When it may not or cannot be asked so, or the embedder cannot be had.
pub fn source(
    args: &EvidenceArgs,
    edition: Option<&str>,
    answer: &str,
    context: &Context,
) -> Result<Arc<WikipediaSource>, Failure> {
    let settings = &context.settings;
    let named = args.embedder.as_deref().unwrap_or(settings.text("embedder"));
    let embedder = embedders::for_new_index(named, context)?;
    let seconds = |name: &str| Duration::from_secs(settings.whole(name) as u64);
    let count = |name: &str| u32::try_from(settings.whole(name)).unwrap_or(u32::MAX);
    let options = WikiOptions {
        edition: edition.map_or_else(|| edition_of(args, settings, answer), str::to_owned),
        wiki_url: if edition.is_some() { None } else { args.wiki_url.clone() },
        contact: settings.optional("wikipedia.contact").map(str::to_owned),
        as_of: args.as_of.clone(),
        offline: settings.bool("offline"),
        cache: folder(settings),
        cache_bytes: settings.size("wikipedia.cache_size") as u64,
        time_to_live: seconds("wikipedia.ttl"),
        text: if settings.text("wikipedia.text") == "extracts" { PageText::Extracts } else { PageText::Parse },
        rate: settings.decimal("wikipedia.rate"),
        burst: count("wikipedia.burst"),
        concurrency: count("wikipedia.concurrency"),
        requests: count("wikipedia.requests"),
        retries: count("wikipedia.retries"),
        backoff: Duration::from_millis(settings.whole("wikipedia.backoff_ms") as u64),
        longest_wait: seconds("wikipedia.longest_wait"),
        timeout: seconds("wikipedia.timeout"),
        proxy: settings.optional("proxy").map(str::to_owned),
        // Several programs that were refused together must not come back together.
        seed: u64::from(std::process::id()),
        cancellation: context.cancellation.clone(),
        ..WikiOptions::default()
    };
    Ok(Arc::new(WikipediaSource::new(options, embedder)?))
}

/// What the run took, for stderr.
pub fn cost(source: &WikipediaSource) -> String {
    let (asked, kept) = source.requests();
    let requests = if asked == 1 { "1 request".to_owned() } else { format!("{asked} requests") };
    let answers = if kept == 1 { "1 answer".to_owned() } else { format!("{kept} answers") };
    format!("{}: {requests}, {answers} from the cache", source.name())
}

/// Where the cache is; `None` where the user has no folder for caches.
pub fn folder(settings: &Settings) -> Option<PathBuf> {
    use etcetera::BaseStrategy;

    let home = || std::env::var_os("EVIDEX_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    let cache = || Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("evidex"));
    let named = settings.optional("wikipedia.cache").map(PathBuf::from);
    named.or_else(|| home().or_else(cache).map(|folder| folder.join("wikis")))
}

fn edition_of(args: &EvidenceArgs, settings: &Settings, answer: &str) -> String {
    let named = args.lang.as_deref().unwrap_or(settings.text("wikipedia.lang"));
    if named != "auto" {
        return named.to_owned();
    }
    let guess = language(answer);
    match guess.language {
        Language::Unknown => "en".to_owned(),
        _ if !guess.reliable => "en".to_owned(),
        language => language.code().to_owned(),
    }
}
