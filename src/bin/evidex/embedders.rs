//! From a name to an embedder: what an index was made with, or what a new one is to be made with.

use std::num::NonZeroUsize;
use std::sync::Arc;

use evidex::embed::{self, Embedder};
use evidex::index::Index;

use crate::assets;
use crate::commands::Context;
use crate::exit::Failure;

/// The embedder that `index` was made with; `None` for an index of words only. `asked` is what a flag named, if any.
///
/// # Errors
/// When another one was asked for, or the index's own cannot be had or is not the same any more.
pub fn of_index(index: &Index, asked: Option<&str>, context: &Context) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    let made_with = index.options().embedder.as_ref();
    let name = made_with.map_or("none", |identity| identity.name.as_str());
    if let Some(asked) = asked
        && asked != name
    {
        return Err(Failure::new(
            "other_embedder",
            format!("the index was made with embedder `{name}`, not `{asked}`"),
        )
        .hint("leave out --embedder to go on with the index's own, or make a new index"));
    }
    if made_with.is_none() {
        return Ok(None);
    }
    let embedder = open(name, context)?;
    index.options().check_embedder(embedder.identity())?;
    Ok(Some(embedder))
}

/// The embedder for a new index; `None` for `none`.
///
/// # Errors
/// When it cannot be had.
pub fn for_new_index(name: &str, context: &Context) -> Result<Option<Arc<dyn Embedder>>, Failure> {
    if name == "none" { Ok(None) } else { open(name, context).map(Some) }
}

fn open(name: &str, context: &Context) -> Result<Arc<dyn Embedder>, Failure> {
    let assets = context.assets();
    assets::ensure_model(&assets.store, name, &assets.pull)?;
    Ok(Arc::from(embed::open_embedder(name, &assets.store, NonZeroUsize::new(context.settings.whole("threads")))?))
}
