//! `--wikipedia`, against a real MediaWiki on loopback (see `.ci/mediawiki`) and through a proxy that makes faults.

mod answers;
mod faults;
mod proxy;
mod wiki;

pub use wiki::wiki;
