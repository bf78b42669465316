//! Which wikis the flags name.

use crate::args::EvidenceArgs;
use crate::exit::Failure;

/// The wikis to ask: each an edition of Wikipedia, or `None` for what the other flags and the settings say.
#[derive(Debug, Clone, Default)]
pub struct Wikis(Vec<Option<String>>);

impl Wikis {
    /// Sorts what `--source` names under the flags that name the same, and keeps the wikis.
    ///
    /// # Errors
    /// A source that is none, and flags about a wiki where none is asked.
    pub fn of(args: &mut EvidenceArgs) -> Result<Self, Failure> {
        let mut wikis = Vec::new();
        for source in std::mem::take(&mut args.source) {
            match source.split_once(':') {
                None if source == "wikipedia" => args.wikipedia = true,
                Some(("wikipedia", edition)) => wikis.push(Some(edition.to_owned())),
                Some(("index", folder)) if !folder.is_empty() => args.index.push(folder.into()),
                Some(("context", file)) if !file.is_empty() => args.context.push(file.into()),
                Some(("url", url)) if !url.is_empty() => args.url.push(url.to_owned()),
                _ => {
                    return Err(Failure::new("usage", format!("`{source}` names no source"))
                        .hint("sources are wikipedia, wikipedia:CODE, index:DIR, context:FILE and url:URL"));
                }
            }
        }
        if args.wikipedia || args.wiki_url.is_some() {
            wikis.insert(0, None);
        } else if args.lang.is_some() {
            return Err(Failure::new("usage", "--lang names an edition of Wikipedia, which is not asked")
                .hint("add --wikipedia"));
        }
        if args.as_of.is_some() && wikis.is_empty() {
            return Err(Failure::new("usage", "--as-of speaks of a wiki, and none is asked").hint("add --wikipedia"));
        }
        Ok(Self(wikis))
    }

    /// Whether none is named.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each in its turn.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(Option::as_deref)
    }
}
