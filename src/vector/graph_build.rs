//! Building an HNSW graph, and laying it out flat.

use rayon::prelude::*;

use super::VectorError;
use super::graph::{GraphBytes, Level};
use super::graph_insert::GrowingGraph;
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
        // Clusters of 200 rows are all found from beams of 200 on, which build in half the time: recall@10 of 20,000 rows
        // is 0.917 at 100, 0.987 at 200 and at 400 (`cargo bench --bench store -- graph 20000 200`). Sentences gain more:
        // 20,000 of Wikipedia by the static embedder 0.973, 0.986 and 0.990 (`… -- beams FILE 20000`, ef_search 128).
        Self { m: 16, ef_construction: 400, parallel: true }
    }
}

/// Rows inserted between two looks at the cancellation.
const BATCH: u32 = 512;

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
    let too_many = |_| VectorError::damaged("there are more rows than can be numbered");
    let count = u32::try_from(rows.len()).map_err(too_many)?;
    let graph = GrowingGraph::new(rows, options.m, options.ef_construction);
    let mut done = 0;
    while done < count {
        if cancelled() {
            return Err(VectorError::Cancelled);
        }
        let batch = done..count.min(done + BATCH);
        // The first rows one after the other: together they would find nothing to link to.
        if options.parallel && done > 0 {
            batch.clone().into_par_iter().for_each(|node| graph.insert(node));
        } else {
            batch.clone().for_each(|node| graph.insert(node));
        }
        done = batch.end;
        advance(u64::from(done));
    }
    let (mut levels, entry) = graph.into_levels();
    connect(&mut levels[0], entry);
    Ok(GraphBytes::lay_out(&levels, entry, options.m as u32, options.ef_construction as u32))
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
    fn one_thread_always_makes_the_same_graph() {
        let rows = || {
            (0..700u32).map(|n| Quantised { codes: (0..8).map(|x| (n * (x + 3) % 251) as i8).collect(), scale: 0.01 })
        };
        let build = || {
            let rows: Vec<Quantised> = rows().collect();
            let options = GraphOptions { parallel: false, ..GraphOptions::default() };
            build_graph(rows.into_iter(), options, &|| false, &|_| {}).unwrap()
        };
        assert_eq!(build(), build());
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
