//! `evidex cache`: the replies of language models that are kept for a while.

use evidex::judge::{CACHE_TIME, ReplyCache};

use super::Context;
use crate::args::{CacheArgs, CacheCommand};
use crate::exit::{Exit, Failure};
use crate::language_models::cache_folder;
use crate::printer;

/// Runs `evidex cache`.
pub fn run(args: &CacheArgs, context: &Context) -> Result<Exit, Failure> {
    let folder = cache_folder().ok_or_else(|| Failure::new("cache", "this machine names no folder for caches"))?;
    let cache = ReplyCache::new(folder, CACHE_TIME);
    let place = cache.folder().display().to_string();
    match args.command {
        CacheCommand::Show => {
            let count = cache.count()?;
            if context.settings.json() {
                let json = serde_json::json!({
                    "folder": place, "replies": count.replies, "expired": count.expired, "bytes": count.bytes,
                });
                printer::out(&format!("{json:#}\n"))?;
            } else {
                printer::out(&format!(
                    "folder   {place}\nreplies  {}\nexpired  {}\nbytes    {}\n",
                    count.replies, count.expired, count.bytes
                ))?;
            }
        }
        CacheCommand::Clear { expired } => {
            let removed = cache.clear(expired)?;
            if context.settings.json() {
                printer::out(&format!("{:#}\n", serde_json::json!({"folder": place, "removed": removed})))?;
            } else {
                printer::out(&format!("removed {removed} replies from {place}\n"))?;
            }
        }
    }
    Ok(Exit::Well)
}
