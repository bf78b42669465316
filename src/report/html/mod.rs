//! The report as one page: the text with its claims coloured, each claim with its quotes and findings.
//!
//! In: a report and the text that it is on. Out: HTML that stands alone, light and dark, without scripts and without a
//! single request; nothing of the text, the sources or the models is ever read as markup.

mod escape;
mod marked;
mod page;
#[cfg(test)]
mod tests;

pub use page::to_html;
