//! Wikis read from files: MediaWiki XML dumps and what WikiExtractor makes of them.
//!
//! ```text
//! dump -> pages -> wikitext -> templates and links as text -> HTML -> Markdown lines
//! ```
//!
//! The wikitext reader is our own: each page takes linear time and a bounded stack, whatever is in it, which the parsers
//! that build trees do not promise (they stop by the clock, or overflow the stack on deep nesting).
//! What a page is made of by the wiki's own templates is not in a dump; common templates are rendered, records
//! (infoboxes) become rows, the rest is left out or, inside a sentence, shown as "…".

mod dump;
mod dump_page;
mod extract;
mod links;
mod markup;
mod parser_functions;
mod preprocess;
mod records;
mod site;
mod template_dates;
mod template_rules;
mod template_values;
mod templates;
#[cfg(test)]
mod tests;
mod wikitext;

pub(super) use dump::Dump;
pub(super) use extract::{Extracted, is_extracted, refine_record};
