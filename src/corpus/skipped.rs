//! Pages of a wiki that are passed over by rule, counted by their reason.

use std::sync::atomic::{AtomicU64, Ordering};

/// Why a page was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It is of another namespace.
    Namespace,
    /// It only leads to another.
    Redirect,
    /// It is a script, a style sheet or data.
    Model,
    /// Its text was deleted.
    Deleted,
}

/// Counts, shared by the readers of a run.
#[derive(Debug, Default)]
pub(super) struct SkippedPages {
    counts: [AtomicU64; 4],
}

/// Pages of wikis that were passed over by rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// Pages of namespaces that were not asked for: talk, users, categories, templates, …
    pub other_namespaces: u64,
    /// Redirects.
    pub redirects: u64,
    /// Pages that hold no text: scripts, style sheets, data, pictures.
    pub no_text: u64,
    /// Pages whose text was deleted.
    pub deleted: u64,
}

impl SkippedPages {
    pub(super) fn count(&self, why: Why) {
        self.counts[why as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn passed_over(&self) -> PassedOver {
        let of = |why: Why| self.counts[why as usize].load(Ordering::Relaxed);
        PassedOver {
            other_namespaces: of(Why::Namespace),
            redirects: of(Why::Redirect),
            no_text: of(Why::Model),
            deleted: of(Why::Deleted),
        }
    }
}
