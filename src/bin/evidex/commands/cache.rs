//! `evidex cache`: what is kept of wikis.

use super::Context;
use crate::args::CacheArgs;
use crate::exit::{Exit, Failure};

/// Runs `evidex cache`.
#[cfg(not(feature = "fetch"))]
pub fn run(_args: &CacheArgs, _context: &Context) -> Result<Exit, Failure> {
    Err(Failure::new("no_network", "this evidex was built without network code, so it keeps no wikis"))
}

/// Runs `evidex cache`.
#[cfg(feature = "fetch")]
pub fn run(args: &CacheArgs, context: &Context) -> Result<Exit, Failure> {
    use std::fmt::Write;

    use evidex::evidence::{CacheStat, WikiCache};
    use serde_json::json;

    use super::wiki;
    use crate::args::CacheCommand;
    use crate::printer;

    let folder = wiki::folder(&context.settings).ok_or_else(|| {
        Failure::new("no_cache", "there is no folder for the cache").hint("name one: set wikipedia.cache")
    })?;
    let cache = WikiCache::new(&folder);
    let failed = |error: std::io::Error| {
        Failure::new("cache_io", format!("the cache at {} cannot be read or changed: {error}", folder.display()))
            .hint("check that the folder may be read and written, or name another: set wikipedia.cache")
    };
    match &args.command {
        CacheCommand::Stat => {
            let wikis = cache.stat().map_err(failed)?;
            let total = |of: fn(&CacheStat) -> u64| wikis.iter().map(of).sum::<u64>();
            if context.settings.json() {
                let page = json!({ "folder": folder, "bytes": total(|wiki| wiki.bytes), "wikis": wikis });
                printer::out(&format!("{page:#}\n"))?;
                return Ok(Exit::Well);
            }
            let mut page = format!("{}\n", folder.display());
            for wiki in &wikis {
                let _ = writeln!(
                    page,
                    "{}: {} pages, {} names, {} searches, {} bytes",
                    wiki.wiki, wiki.pages, wiki.names, wiki.searches, wiki.bytes
                );
            }
            let count = if wikis.len() == 1 { "1 wiki".to_owned() } else { format!("{} wikis", wikis.len()) };
            let _ = writeln!(page, "{count}, {} bytes", total(|wiki| wiki.bytes));
            printer::out(&page)?;
        }
        CacheCommand::Clear { wiki } => {
            let known = cache.stat().map_err(failed)?;
            if let Some(wiki) = wiki
                && !known.iter().any(|stat| stat.wiki == *wiki)
            {
                return Err(Failure::new("not_in_cache", format!("nothing is kept of a wiki `{wiki}`"))
                    .hint("run `evidex cache stat` to see the names"));
            }
            let (files, bytes) = cache.clear(wiki.as_deref()).map_err(failed)?;
            if context.settings.json() {
                printer::out(&format!("{:#}\n", json!({ "folder": folder, "files": files, "bytes": bytes })))?;
            } else {
                printer::out(&format!("removed {files} files, {bytes} bytes\n"))?;
            }
        }
    }
    Ok(Exit::Well)
}
