//! The index: writer, segments, snapshots, merges, garbage collection and checks.
