//! ZIM archives, as Kiwix offers them: the articles of a wiki as HTML, in compressed clusters.
//!
//! The reader is our own: the `zim` crate decompresses a cluster whole, however large it says to be, and comes with
//! unmaintained parts and a command line. Here a cluster is a stream of which one article is held at a time; every
//! number from the file is checked before it is used.

mod archive;
mod articles;
mod cluster;
#[cfg(test)]
mod tests;

pub(super) use articles::ZimArticles;
