//! `evidex cache`: what is kept of wikis and of language models' replies.

use std::fmt::Write;

use evidex::judge::{CACHE_TIME, ReplyCache};
use serde_json::{Value, json};

use super::Context;
use crate::args::{CacheArgs, CacheCommand};
use crate::exit::{Exit, Failure};
use crate::language_models::cache_folder;
use crate::printer;

/// Runs `evidex cache`.
pub fn run(args: &CacheArgs, context: &Context) -> Result<Exit, Failure> {
    let mut page = String::new();
    let found = match &args.command {
        CacheCommand::Stat => json!({ "wikis": wikis(context, &mut page)?, "replies": replies(&mut page)? }),
        CacheCommand::Clear { wiki: Some(wiki), .. } => {
            json!({ "wikis": clear_wikis(Some(wiki), context, &mut page)?, "replies": null })
        }
        CacheCommand::Clear { expired, replies, .. } => {
            let only_replies = *replies || *expired;
            let wikis = if only_replies { Value::Null } else { clear_wikis(None, context, &mut page)? };
            json!({ "wikis": wikis, "replies": clear_replies(*expired, &mut page)? })
        }
    };
    if context.settings.json() {
        page = format!("{found:#}\n");
    }
    printer::out(&page)?;
    Ok(Exit::Well)
}

fn reply_cache() -> Result<ReplyCache, Failure> {
    let folder = cache_folder().ok_or_else(|| Failure::new("cache", "this machine names no folder for caches"))?;
    Ok(ReplyCache::new(folder, CACHE_TIME))
}

fn replies(page: &mut String) -> Result<Value, Failure> {
    let cache = reply_cache()?;
    let count = cache.count()?;
    let folder = cache.folder().display().to_string();
    let _ = writeln!(
        page,
        "{folder}\n{}, {} of them expired, {} bytes",
        counted(count.replies, "reply", "replies"),
        count.expired,
        count.bytes
    );
    Ok(json!({ "folder": folder, "replies": count.replies, "expired": count.expired, "bytes": count.bytes }))
}

fn clear_replies(expired: bool, page: &mut String) -> Result<Value, Failure> {
    let cache = reply_cache()?;
    let removed = cache.clear(expired)?;
    let folder = cache.folder().display().to_string();
    let _ = writeln!(page, "removed {} from {folder}", counted(removed, "reply", "replies"));
    Ok(json!({ "folder": folder, "removed": removed }))
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

#[cfg(not(feature = "fetch"))]
fn wikis(_context: &Context, _page: &mut String) -> Result<Value, Failure> {
    Ok(Value::Null)
}

#[cfg(not(feature = "fetch"))]
fn clear_wikis(_wiki: Option<&str>, _context: &Context, _page: &mut String) -> Result<Value, Failure> {
    Ok(Value::Null)
}

#[cfg(feature = "fetch")]
fn wiki_cache(context: &Context) -> Result<evidex::evidence::WikiCache, Failure> {
    let folder = super::wiki::folder(&context.settings).ok_or_else(|| {
        Failure::new("no_cache", "there is no folder for the cache").hint("name one: set wikipedia.cache")
    })?;
    Ok(evidex::evidence::WikiCache::new(&folder))
}

#[cfg(feature = "fetch")]
fn failed(context: &Context, error: &std::io::Error) -> Failure {
    let folder = super::wiki::folder(&context.settings).unwrap_or_default();
    Failure::new("cache_io", format!("the cache at {} cannot be read or changed: {error}", folder.display()))
        .hint("check that the folder may be read and written, or name another: set wikipedia.cache")
}

#[cfg(feature = "fetch")]
fn wikis(context: &Context, page: &mut String) -> Result<Value, Failure> {
    let folder = super::wiki::folder(&context.settings);
    let wikis = wiki_cache(context)?.stat().map_err(|error| failed(context, &error))?;
    let bytes: u64 = wikis.iter().map(|wiki| wiki.bytes).sum();
    let _ = writeln!(page, "{}", folder.clone().unwrap_or_default().display());
    for wiki in &wikis {
        let _ = writeln!(
            page,
            "{}: {} pages, {} names, {} searches, {} bytes",
            wiki.wiki, wiki.pages, wiki.names, wiki.searches, wiki.bytes
        );
    }
    let _ = writeln!(page, "{}, {bytes} bytes", counted(wikis.len() as u64, "wiki", "wikis"));
    Ok(json!({ "folder": folder, "bytes": bytes, "wikis": wikis }))
}

#[cfg(feature = "fetch")]
fn clear_wikis(wiki: Option<&str>, context: &Context, page: &mut String) -> Result<Value, Failure> {
    let cache = wiki_cache(context)?;
    let known = cache.stat().map_err(|error| failed(context, &error))?;
    if let Some(wiki) = wiki
        && !known.iter().any(|stat| stat.wiki == *wiki)
    {
        return Err(Failure::new("not_in_cache", format!("nothing is kept of a wiki `{wiki}`"))
            .hint("run `evidex cache stat` to see the names"));
    }
    let (files, bytes) = cache.clear(wiki).map_err(|error| failed(context, &error))?;
    let _ = writeln!(page, "removed {files} files of wikis, {bytes} bytes");
    Ok(json!({ "files": files, "bytes": bytes }))
}
