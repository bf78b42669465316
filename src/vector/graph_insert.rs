//! A graph that grows node by node (Malkov and Yashunin, 2018: INSERT, SEARCH-LAYER, SELECT-NEIGHBORS-HEURISTIC that keeps
//! pruned connections).
//!
//! In: quantised rows, all at once, then the number of each in turn, from one thread or several. Always true: the links of
//! a node on a level lead to nodes of that level, nearest first, and are at most as many as the level allows.

use std::collections::BinaryHeap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use evidex_index_format::Kernel;

use super::graph::Level;
use super::quantise::Quantised;
use super::top_k::{Nearest, TopK};

const MAX_LEVELS: usize = 16;

/// Rows, and the links between those that were inserted.
pub(super) struct GrowingGraph {
    kernel: Kernel,
    dimension: usize,
    codes: Vec<i8>,
    scales: Vec<f32>,
    /// For each node the links on each of its levels.
    links: Vec<Vec<Mutex<Vec<Nearest>>>>,
    /// A node of the highest level.
    entry: Mutex<Option<u32>>,
    m: usize,
    ef_construction: usize,
    scratches: Mutex<Vec<Scratch>>,
}

/// What one insertion after another works with.
#[derive(Default)]
struct Scratch {
    /// The round in which each node was last seen.
    seen: Vec<u32>,
    round: u32,
    open: BinaryHeap<Nearest>,
    unseen: Vec<u32>,
}

impl GrowingGraph {
    /// A graph over `rows`, none of which is inserted yet.
    pub(super) fn new(rows: impl ExactSizeIterator<Item = Quantised>, m: usize, ef_construction: usize) -> Self {
        let count = rows.len();
        let (mut codes, mut scales, mut dimension) = (Vec::new(), Vec::with_capacity(count), 0);
        for row in rows {
            dimension = row.codes.len();
            codes.reserve_exact(if codes.is_empty() { dimension * count } else { 0 });
            codes.extend(row.codes);
            scales.push(row.scale);
        }
        let links = (0..count as u64).map(|node| (0..=level_of(node, m)).map(|_| Mutex::default()).collect()).collect();
        Self {
            kernel: Kernel::default(),
            dimension,
            codes,
            scales,
            links,
            entry: Mutex::new(None),
            m,
            ef_construction,
            scratches: Mutex::default(),
        }
    }

    /// Inserts a node that was not inserted before.
    pub(super) fn insert(&self, node: u32) {
        let entry = *lock(&self.entry).get_or_insert(node);
        if entry == node {
            return;
        }
        let (own, top) = (self.level(node), self.level(entry));
        let mut nearest = self.nearest(node, entry);
        for level in (own + 1..=top).rev() {
            nearest = self.descend(node, nearest, level);
        }
        let mut scratch = lock(&self.scratches).pop().unwrap_or_default();
        let mut starts = vec![nearest];
        let mut chosen = Vec::new();
        for level in (0..=own.min(top)).rev() {
            starts = self.search_level(node, &starts, level, &mut scratch);
            chosen.push((level, self.select(&starts, self.most(level))));
        }
        lock(&self.scratches).push(scratch);
        // All its own links stand before any other node leads to it, so that no search ends in it.
        for (level, links) in &chosen {
            lock(&self.links[node as usize][*level]).clone_from(links);
        }
        for (level, links) in chosen {
            for link in links {
                self.link(link.ordinal, level, Nearest { ordinal: node, ..link });
            }
        }
        if own > top {
            let mut entry = lock(&self.entry);
            if entry.is_none_or(|entry| self.level(entry) < own) {
                *entry = Some(node);
            }
        }
    }

    /// The levels, and the node that searches start from.
    pub(super) fn into_levels(self) -> (Vec<Level>, u32) {
        let entry = lock(&self.entry).unwrap_or(0);
        let mut levels: Vec<Level> = (0..=self.level(entry)).map(|_| Level::default()).collect();
        for (links, node) in self.links.into_iter().zip(0..) {
            for (level, links) in levels.iter_mut().zip(links) {
                let links = links.into_inner().unwrap_or_else(PoisonError::into_inner);
                level.rows.push((node, links.into_iter().map(|link| link.ordinal).collect()));
            }
        }
        (levels, entry)
    }

    fn level(&self, node: u32) -> usize {
        self.links.get(node as usize).map_or(0, |levels| levels.len() - 1)
    }

    /// The most links of a node on a level.
    fn most(&self, level: usize) -> usize {
        if level == 0 { 2 * self.m } else { self.m }
    }

    fn row(&self, node: u32) -> (&[i8], f32) {
        let at = node as usize;
        (&self.codes[at * self.dimension..(at + 1) * self.dimension], self.scales[at])
    }

    fn similarity(&self, a: u32, b: u32) -> f32 {
        let ((a, a_scale), (b, b_scale)) = (self.row(a), self.row(b));
        self.kernel.dot(a, b) as f32 * a_scale * b_scale
    }

    fn nearest(&self, node: u32, other: u32) -> Nearest {
        Nearest { similarity: self.similarity(node, other), ordinal: other }
    }

    /// From `nearest` on to ever nearer nodes of a level, until there is none.
    fn descend(&self, node: u32, mut nearest: Nearest, level: usize) -> Nearest {
        loop {
            let links: Vec<u32> =
                lock(&self.links[nearest.ordinal as usize][level]).iter().map(|link| link.ordinal).collect();
            let before = nearest;
            for other in links {
                nearest = nearest.max(self.nearest(node, other));
            }
            if nearest == before {
                return nearest;
            }
        }
    }

    /// About the nearest nodes of a level, nearest first.
    fn search_level(&self, node: u32, starts: &[Nearest], level: usize, scratch: &mut Scratch) -> Vec<Nearest> {
        let Scratch { seen, round, open, unseen } = scratch;
        seen.resize(self.links.len(), 0);
        *round = round.checked_add(1).unwrap_or_else(|| {
            seen.fill(0);
            1
        });
        open.clear();
        let mut found = TopK::new(self.ef_construction);
        seen[node as usize] = *round;
        for &start in starts {
            seen[start.ordinal as usize] = *round;
            open.push(start);
            found.push(start);
        }
        while let Some(next) = open.pop() {
            if found.is_full() && found.least().is_some_and(|least| next.similarity < least) {
                break;
            }
            unseen.clear();
            for link in lock(&self.links[next.ordinal as usize][level]).iter() {
                if std::mem::replace(&mut seen[link.ordinal as usize], *round) != *round {
                    unseen.push(link.ordinal);
                }
            }
            for &other in unseen.iter() {
                let row = self.nearest(node, other);
                if found.takes(row.similarity) {
                    open.push(row);
                    found.push(row);
                }
            }
        }
        found.into_sorted()
    }

    /// Of `found`, nearest first, at most `most`: those that are nearer to the node than to any that was chosen before, then
    /// the nearest of the others. Full rows cost a little time and find what diverse links alone lose.
    fn select(&self, found: &[Nearest], most: usize) -> Vec<Nearest> {
        let mut chosen: Vec<Nearest> = Vec::with_capacity(most);
        let mut pruned = Vec::new();
        for &candidate in found {
            if chosen.len() == most {
                break;
            }
            let similarity_to = |other: &Nearest| self.similarity(candidate.ordinal, other.ordinal);
            if found.len() <= most || chosen.iter().all(|other| similarity_to(other) < candidate.similarity) {
                chosen.push(candidate);
            } else {
                pruned.push(candidate);
            }
        }
        pruned.truncate(most - chosen.len());
        chosen.extend(pruned);
        chosen.sort_unstable_by(|a, b| b.cmp(a));
        chosen
    }

    /// Adds a link to a node; of too many the farthest goes.
    fn link(&self, node: u32, level: usize, link: Nearest) {
        let mut links = lock(&self.links[node as usize][level]);
        let at = links.partition_point(|other| *other > link);
        if links.get(at) != Some(&link) && at < self.most(level) {
            links.insert(at, link);
            links.truncate(self.most(level));
        }
    }
}

/// The level of a node: `l` or higher with probability `m`^−`l`, the same in every build.
fn level_of(node: u64, m: usize) -> usize {
    // SplitMix64.
    let mut bits = node.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    // Above 0, at most 1.
    let share = ((bits >> 11) + 1) as f64 / (1u64 << 53) as f64;
    ((-share.ln() / (m.max(2) as f64).ln()) as usize).min(MAX_LEVELS - 1)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
