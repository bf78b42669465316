//! HNSW search over a flat array (Malkov and Yashunin, 2018: SEARCH-LAYER with `ef`).
//!
//! The array, in 32-bit words: 8 words of header (layout version, node count, entry node, level count, `m`,
//! `ef_construction`, two zeros); for each level, from 0, the number of its nodes and of its links; then the levels in
//! the same order. A level has the sorted numbers of its nodes (left out at level 0, which has them all), for each node
//! where its links start and, after the last, where they end, and then the links, nearest first.

use std::collections::BinaryHeap;
use std::ops::Range;

use evidex_index_format::Section;

use super::VectorError;
use super::top_k::{Nearest, TopK};

const LAYOUT: u32 = 1;
const HEADER_WORDS: usize = 8;
const MAX_LEVELS: u32 = 64;
/// Most nodes of an upper level that are all compared with the query, to find where to start.
const MOST_SEEN_WHOLE: usize = 512;
/// Nodes that a search starts from.
const STARTS: usize = 8;

/// A graph as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphBytes(pub Vec<u32>);

/// A level of a graph that is being written.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Node and its neighbours, in node order.
    pub rows: Vec<(u32, Vec<u32>)>,
}

impl GraphBytes {
    /// Lays out levels; level 0 must hold every node.
    pub(super) fn lay_out(levels: &[Level], entry: u32, m: u32, ef_construction: u32) -> Self {
        let node_count = levels.first().map_or(0, |level| level.rows.len() as u32);
        let mut words = vec![LAYOUT, node_count, entry, levels.len() as u32, m, ef_construction, 0, 0];
        for level in levels {
            let links: usize = level.rows.iter().map(|(_, row)| row.len()).sum();
            words.extend([level.rows.len() as u32, links as u32]);
        }
        for (at, level) in levels.iter().enumerate() {
            if at > 0 {
                words.extend(level.rows.iter().map(|(node, _)| *node));
            }
            let mut start = 0u32;
            for (_, row) in &level.rows {
                words.push(start);
                start += row.len() as u32;
            }
            words.push(start);
            for (_, row) in &level.rows {
                words.extend(row);
            }
        }
        Self(words)
    }
}

/// Where a graph's words lie; only those that are asked for are read.
pub trait GraphWords {
    /// How many words there are.
    fn count(&self) -> usize;

    /// The words in `range`.
    ///
    /// # Errors
    /// Where there are fewer, or they are damaged.
    fn words(&self, range: Range<usize>) -> Result<&[u32], VectorError>;
}

impl GraphWords for Section {
    fn count(&self) -> usize {
        self.len() / size_of::<u32>()
    }

    fn words(&self, range: Range<usize>) -> Result<&[u32], VectorError> {
        Ok(self.as_u32(range)?)
    }
}

impl GraphWords for GraphBytes {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn words(&self, range: Range<usize>) -> Result<&[u32], VectorError> {
        self.0.get(range).ok_or_else(dangling)
    }
}

fn dangling() -> VectorError {
    VectorError::damaged("the graph names a place that does not exist")
}

/// A stored graph, open for searching.
#[derive(Debug, Clone)]
pub struct Graph<W> {
    words: W,
    node_count: u32,
    entry: u32,
    levels: Vec<LevelPlace>,
}

/// Where a level lies; the list of its nodes is empty for level 0.
#[derive(Debug, Clone)]
struct LevelPlace {
    nodes: Range<usize>,
    starts: Range<usize>,
    links: Range<usize>,
}

impl<W: GraphWords> Graph<W> {
    /// Reads the header.
    ///
    /// # Errors
    /// [`VectorError::Damaged`] where the words are no graph over `node_count` nodes.
    pub fn open(words: W, node_count: u32) -> Result<Self, VectorError> {
        if words.count() < HEADER_WORDS {
            return Err(VectorError::damaged("the graph has no header"));
        }
        let header = words.words(0..HEADER_WORDS)?;
        let (layout, nodes, entry, level_count) = (header[0], header[1], header[2], header[3]);
        if layout != LAYOUT {
            return Err(VectorError::damaged(format!("graph layout {layout} is not known")));
        }
        if nodes != node_count || entry >= node_count || !(1..=MAX_LEVELS).contains(&level_count) {
            return Err(VectorError::damaged("the graph's header does not fit its vectors"));
        }
        let mut start = HEADER_WORDS + 2 * level_count as usize;
        if words.count() < start {
            return Err(dangling());
        }
        let mut levels = Vec::with_capacity(level_count as usize);
        for shape in words.words(HEADER_WORDS..start)?.chunks_exact(2) {
            let (count, links) = (shape[0] as usize, shape[1] as usize);
            let after =
                |start: usize, length: usize| start.checked_add(length).map(|end| start..end).ok_or_else(dangling);
            let nodes = after(start, if levels.is_empty() { 0 } else { count })?;
            let starts = after(nodes.end, count + 1)?;
            let links = after(starts.end, links)?;
            start = links.end;
            let complete = !levels.is_empty() || shape[0] == node_count;
            if !complete || start > words.count() {
                return Err(VectorError::damaged("the graph's levels do not fit its length"));
            }
            levels.push(LevelPlace { nodes, starts, links });
        }
        if start != words.count() {
            return Err(VectorError::damaged("the graph's levels do not fit its length"));
        }
        Ok(Self { words, node_count, entry, levels })
    }

    /// How many nodes the graph has.
    pub fn node_count(&self) -> u32 {
        self.node_count
    }

    fn neighbours(&self, level: usize, node: u32) -> Result<&[u32], VectorError> {
        let place = self.levels.get(level).ok_or_else(dangling)?;
        let row = if level == 0 {
            node as usize
        } else {
            self.words.words(place.nodes.clone())?.binary_search(&node).map_err(|_| dangling())?
        };
        if row + 1 >= place.starts.len() {
            return Err(dangling());
        }
        let bounds = self.words.words(place.starts.start + row..place.starts.start + row + 2)?;
        let (from, to) = (bounds[0] as usize, bounds[1] as usize);
        if from > to || to > place.links.len() {
            return Err(dangling());
        }
        let neighbours = self.words.words(place.links.start + from..place.links.start + to)?;
        if neighbours.iter().any(|&neighbour| neighbour >= self.node_count) {
            return Err(dangling());
        }
        Ok(neighbours)
    }

    /// About the nearest `k` nodes among those that `alive` admits, nearest first. `similarity` is asked once for each
    /// node that is looked at; the beam is `ef` wide (at least `k`).
    ///
    /// # Errors
    /// [`VectorError::Damaged`] where the graph names a node that does not exist, and what `similarity` returns.
    pub fn search(
        &self,
        k: usize,
        ef: usize,
        alive: &dyn Fn(u32) -> bool,
        mut similarity: impl FnMut(u32) -> Result<f32, VectorError>,
    ) -> Result<Vec<Nearest>, VectorError> {
        let entry = Nearest { similarity: similarity(self.entry)?, ordinal: self.entry };
        let starts = self.starts(entry, &mut similarity)?;
        let mut seen = vec![0u64; (self.node_count as usize).div_ceil(64)];
        let mut mark = |node: u32| {
            let (word, bit) = (&mut seen[node as usize / 64], 1u64 << (node % 64));
            let new = *word & bit == 0;
            *word |= bit;
            new
        };
        let mut open = BinaryHeap::new();
        let mut found = TopK::new(ef.max(k).max(1));
        for start in starts {
            if mark(start.ordinal) {
                open.push(start);
                if alive(start.ordinal) {
                    found.push(start);
                }
            }
        }
        while let Some(next) = open.pop() {
            if found.is_full() && found.least().is_some_and(|least| next.similarity < least) {
                break;
            }
            for &node in self.neighbours(0, next.ordinal)? {
                if !mark(node) {
                    continue;
                }
                let row = Nearest { similarity: similarity(node)?, ordinal: node };
                if found.takes(row.similarity) {
                    open.push(row);
                    if alive(node) {
                        found.push(row);
                    }
                }
            }
        }
        let mut found = found.into_sorted();
        found.truncate(k);
        Ok(found)
    }

    /// Nodes of level 0 to search from: the nearest of a level few enough to be looked at whole, each carried down to
    /// its nearest on the levels below, and the entry. Data in clusters has no links from one to another, so that one
    /// start alone may never see the right one.
    fn starts(
        &self,
        entry: Nearest,
        similarity: &mut impl FnMut(u32) -> Result<f32, VectorError>,
    ) -> Result<Vec<Nearest>, VectorError> {
        let few = |level: &usize| self.levels[*level].nodes.len() <= MOST_SEEN_WHOLE;
        let Some(whole) = (1..self.levels.len()).find(few) else { return Ok(vec![entry]) };
        let mut best = TopK::new(STARTS);
        for &node in self.words.words(self.levels[whole].nodes.clone())?.iter() {
            best.push(Nearest { similarity: similarity(node)?, ordinal: node });
        }
        let mut starts = Vec::with_capacity(STARTS + 1);
        for mut nearest in best.into_sorted() {
            for level in (1..whole).rev() {
                loop {
                    let before = nearest.ordinal;
                    for &node in self.neighbours(level, before)? {
                        nearest = nearest.max(Nearest { similarity: similarity(node)?, ordinal: node });
                    }
                    if nearest.ordinal == before {
                        break;
                    }
                }
            }
            starts.push(nearest);
        }
        // Every node can be reached from the entry, if from nowhere else.
        starts.push(entry);
        Ok(starts)
    }

    /// Looks at every row: that each neighbour exists and each level's nodes are in order.
    ///
    /// # Errors
    /// [`VectorError::Damaged`] names the first fault.
    pub fn check(&self) -> Result<(), VectorError> {
        for (level, place) in self.levels.iter().enumerate() {
            let listed = self.words.words(place.nodes.clone())?;
            if !listed.is_sorted_by(|a, b| a < b) || listed.iter().any(|&node| node >= self.node_count) {
                return Err(VectorError::damaged(format!("the nodes of graph level {level} are out of order")));
            }
            let every = if level == 0 { (0..self.node_count).collect() } else { listed.to_vec() };
            for node in every {
                let known = |neighbour: &u32| level == 0 || listed.binary_search(neighbour).is_ok();
                if !self.neighbours(level, node)?.iter().all(known) {
                    return Err(VectorError::damaged(format!(
                        "node {node} of graph level {level} has a stray neighbour"
                    )));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_words_are_a_graph_or_an_error(mut words in proptest::collection::vec(0u32..6, 0..60), nodes in 0u32..6) {
            if let Some(layout) = words.first_mut() {
                *layout = LAYOUT;
            }
            if let Ok(graph) = Graph::open(GraphBytes(words), nodes) {
                let _ = graph.check();
                let found = graph.search(3, 8, &|_| true, |node| Ok(node as f32));
                prop_assert!(found.is_err() || found.is_ok_and(|rows| rows.iter().all(|row| row.ordinal < nodes)));
            }
        }
    }
}
