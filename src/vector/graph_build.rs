//! Building an HNSW graph with `hnsw_rs`, and laying it out flat.

use std::collections::BTreeMap;

use anndists::dist::Distance;
use evidex_index_format::Kernel;
use hnsw_rs::hnsw::Hnsw;

use super::VectorError;
use super::graph::{GraphBytes, Level};
use super::quantise::Quantised;

/// How a graph is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphOptions {
    /// Neighbours a node has on the higher levels; twice as many on level 0.
    pub m: usize,
    /// Width of the beam that finds them.
    pub ef_construction: usize,
    /// Whether several threads insert at once; with one the same vectors always give the same graph.
    pub parallel: bool,
}

impl Default for GraphOptions {
    fn default() -> Self {
        // Narrower beams lose clusters when threads insert together: recall@10 of 4,000 clustered rows was 0.78 to 0.94 at
        // 160 and 1.0 at 400.
        Self { m: 16, ef_construction: 400, parallel: true }
    }
}

const MAX_LEVELS: usize = 16;

/// Rows inserted between two looks at the cancellation.
const BATCH: usize = 512;

/// Cosine distance of quantised rows; a row is its codes and the four bytes of its scale.
#[derive(Debug, Clone, Copy, Default)]
struct QuantisedCosine(Kernel);

impl Distance<i8> for QuantisedCosine {
    fn eval(&self, a: &[i8], b: &[i8]) -> f32 {
        let (Some((a, a_scale)), Some((b, b_scale))) = (a.split_last_chunk::<4>(), b.split_last_chunk::<4>()) else {
            return 1.0;
        };
        // Rounding may bring the product of two unit vectors a little over 1.
        (1.0 - self.0.dot(a, b) as f32 * scale(a_scale) * scale(b_scale)).max(0.0)
    }
}

fn scale(bytes: &[i8; 4]) -> f32 {
    f32::from_le_bytes(bytes.map(i8::cast_unsigned))
}

/// The graph over `rows`, asking `cancelled` now and then whether to stop and telling `advance` the rows done.
///
/// # Errors
/// [`VectorError::Cancelled`].
pub fn build_graph<'r>(
    rows: impl ExactSizeIterator<Item = Quantised> + 'r,
    options: GraphOptions,
    cancelled: &dyn Fn() -> bool,
    advance: &dyn Fn(u64),
) -> Result<GraphBytes, VectorError> {
    let count = rows.len();
    let distance = QuantisedCosine::default();
    let mut hnsw = Hnsw::<i8, QuantisedCosine>::new(options.m, count, MAX_LEVELS, options.ef_construction, distance);
    // Full rows cost a little time and find what diverse ones alone lose.
    hnsw.set_keeping_pruned(true);
    let mut rows = rows.enumerate();
    let mut done = 0u64;
    loop {
        if cancelled() {
            return Err(VectorError::Cancelled);
        }
        let batch: Vec<(Vec<i8>, usize)> = rows
            .by_ref()
            .take(BATCH)
            .map(|(at, mut row)| {
                row.codes.extend(row.scale.to_le_bytes().map(u8::cast_signed));
                (row.codes, at)
            })
            .collect();
        if batch.is_empty() {
            break;
        }
        // The first rows one after the other: together they would find nothing to link to.
        if options.parallel && done > 0 {
            let batch: Vec<(&[i8], usize)> = batch.iter().map(|(row, at)| (row.as_slice(), *at)).collect();
            hnsw.parallel_insert_slice(&batch);
        } else {
            for (row, at) in &batch {
                hnsw.insert_slice((row, *at));
            }
        }
        done += batch.len() as u64;
        advance(done);
    }
    flatten(&hnsw, options)
}

fn flatten(hnsw: &Hnsw<'_, i8, QuantisedCosine>, options: GraphOptions) -> Result<GraphBytes, VectorError> {
    let points = hnsw.get_point_indexation();
    let top = usize::from(points.get_max_level_observed());
    let mut levels: Vec<BTreeMap<u32, Vec<u32>>> = vec![BTreeMap::new(); top + 1];
    let mut entry = None;
    for own_level in 0..=top {
        for point in points.get_layer_iterator(own_level) {
            let node = point.get_origin_id() as u32;
            let neighbourhood = point.get_neighborhood_id();
            for (level, rows) in levels.iter_mut().enumerate() {
                let neighbours = neighbourhood.get(level).map_or(&[][..], Vec::as_slice);
                let row: Vec<u32> =
                    neighbours.iter().map(|neighbour| neighbour.d_id as u32).filter(|&other| other != node).collect();
                // The first nodes of a new top level link to nodes below it, so these stand on it too.
                if level > 0 {
                    for &other in &row {
                        rows.entry(other).or_default();
                    }
                }
                if level <= own_level || !row.is_empty() {
                    rows.insert(node, row);
                }
            }
            if own_level == top && entry.is_none() {
                entry = Some(node);
            }
        }
    }
    let mut levels: Vec<Level> = levels.into_iter().map(|rows| Level { rows: rows.into_iter().collect() }).collect();
    if !levels[0].rows.iter().map(|(node, _)| *node).eq(0..points.get_nb_point() as u32) {
        return Err(VectorError::damaged("the graph lost a row while it was built"));
    }
    connect(&mut levels[0], entry.unwrap_or(0));
    Ok(GraphBytes::lay_out(&levels, entry.unwrap_or(0), options.m as u32, options.ef_construction as u32))
}

/// Makes every node of level 0 reachable from the entry: pruning can leave a node that no other one links to.
///
/// Such a node is linked from one of its own neighbours, or, where these are as lost as itself, from the entry.
fn connect(level: &mut Level, entry: u32) {
    let mut reached = vec![false; level.rows.len()];
    reach(level, entry, &mut reached);
    // Linking one node may make others reachable, so those that only lost nodes know wait for a second look.
    for fall_back in [false, true] {
        for node in 0..level.rows.len() {
            if reached[node] {
                continue;
            }
            let known = level.rows[node].1.iter().copied().filter(|&other| reached[other as usize]);
            let from = known.min_by_key(|&other| level.rows[other as usize].1.len()).or(fall_back.then_some(entry));
            if let Some(from) = from {
                level.rows[from as usize].1.push(node as u32);
                reach(level, node as u32, &mut reached);
            }
        }
    }
}

fn reach(level: &Level, start: u32, reached: &mut [bool]) {
    let mut open = vec![start];
    reached[start as usize] = true;
    while let Some(node) = open.pop() {
        for &other in &level.rows[node as usize].1 {
            if !std::mem::replace(&mut reached[other as usize], true) {
                open.push(other);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::Graph;

    #[test]
    fn every_node_can_be_reached() {
        // Many equal vectors are the hard case: their neighbours know each other and no one else.
        let rows: Vec<Quantised> = (0..600u32)
            .map(|n| Quantised {
                codes: vec![(n % 3) as i8 * 40, 127 - (n % 7) as i8 * 10, (n / 300) as i8 * 90],
                scale: 0.006,
            })
            .collect();
        let graph = build_graph(rows.into_iter(), GraphOptions::default(), &|| false, &|_| {}).unwrap();
        let graph = Graph::open(graph, 600).unwrap();
        graph.check().unwrap();
        let found = graph.search(600, 600, &|_| true, |_| Ok(0.5)).unwrap();
        assert_eq!(found.len(), 600);
    }

    #[test]
    fn building_stops_when_asked() {
        let rows = vec![Quantised { codes: vec![1, 2], scale: 0.1 }; 10];
        assert!(matches!(
            build_graph(rows.into_iter(), GraphOptions::default(), &|| true, &|_| {}),
            Err(VectorError::Cancelled)
        ));
    }
}
