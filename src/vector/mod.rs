//! Distances, the HNSW graph and the exact scan that is its oracle; sees vectors and ordinals, never text.
