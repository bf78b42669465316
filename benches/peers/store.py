#!/usr/bin/env python3
"""Peers of the store on what `cargo bench --bench store -- graph N` wrote: usearch, faiss and hnswlib.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r benches/peers/store.txt
    /tmp/peers/bin/python benches/peers/store.py graph target/bench-store/graph-20000

Same vectors, queries, M and efConstruction, one thread; recall@10 and queries a CPU second for several ef, and the CPU time of the
build. Built indexes are kept in the folder and taken up again. Vectors are unit vectors and the metric is the inner product.
"""

import sys
import time
from pathlib import Path

import numpy as np

DIMENSION, K, M, EF_CONSTRUCTION = 384, 10, 16, 400
EFS = [40, 64, 96, 128, 192, 256, 384]


def load(folder):
    base = np.fromfile(folder / "base.f32", dtype="<f4").reshape(-1, DIMENSION)
    queries = np.fromfile(folder / "queries.f32", dtype="<f4").reshape(-1, DIMENSION)
    truth = np.fromfile(folder / "truth.u32", dtype="<u4").reshape(-1, K)
    return base, queries, truth


def measure(what, search, queries, truth, ef):
    for query in queries[:50]:
        search(query)
    begun, rounds, hits = time.process_time(), 0, 0
    wall = time.monotonic()
    while time.monotonic() - wall < 2.0:
        found = [search(query) for query in queries]
        rounds += 1
    spent = time.process_time() - begun
    hits = sum(len(set(map(int, row)) & set(map(int, best))) for row, best in zip(found, truth))
    print(f"| {what} | {ef} | {hits / truth.size:.4f} | {rounds * len(queries) / spent:.0f} |", flush=True)


def graph(folder):
    base, queries, truth = load(folder)
    print(f"{len(base)} x {DIMENSION}, M {M}, efConstruction {EF_CONSTRUCTION}; the call from Python costs each peer the same few us")
    rows = []

    try:
        from usearch.index import Index

        path = folder / "usearch.bin"
        if not path.exists():
            index = Index(ndim=DIMENSION, metric="ip", dtype="f32", connectivity=M, expansion_add=EF_CONSTRUCTION)
            begun = time.process_time()
            index.add(np.arange(len(base)), base, threads=1)
            (folder / "usearch.cost").write_text(f"{time.process_time() - begun:.1f}")
            index.save(str(path))
        print(f"usearch f32: build {(folder / 'usearch.cost').read_text()} CPU s")
        view = Index.restore(str(path), view=True)

        def usearch(ef):
            view.expansion_search = ef
            return lambda query: view.search(query, K, threads=1).keys

        rows.append(("usearch f32, mapped", usearch))
    except ImportError as error:
        print(f"usearch left out: {error}")

    try:
        import faiss

        faiss.omp_set_num_threads(1)
        path = folder / "faiss.bin"
        if not path.exists():
            index = faiss.IndexHNSWSQ(DIMENSION, faiss.ScalarQuantizer.QT_8bit, M, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = EF_CONSTRUCTION
            begun = time.process_time()
            index.train(base)
            index.add(base)
            (folder / "faiss.cost").write_text(f"{time.process_time() - begun:.1f}")
            faiss.write_index(index, str(path))
        print(f"faiss HNSW,SQ8: build {(folder / 'faiss.cost').read_text()} CPU s")
        read = faiss.read_index(str(path))

        def faiss_search(ef):
            read.hnsw.efSearch = ef
            return lambda query: read.search(query[None, :], K)[1][0]

        rows.append(("faiss HNSW,SQ8", faiss_search))
    except ImportError as error:
        print(f"faiss left out: {error}")

    try:
        import hnswlib

        path = folder / "hnswlib.bin"
        index = hnswlib.Index(space="ip", dim=DIMENSION)
        if not path.exists():
            index.init_index(max_elements=len(base), ef_construction=EF_CONSTRUCTION, M=M, random_seed=1)
            index.set_num_threads(1)
            begun = time.process_time()
            index.add_items(base, np.arange(len(base)))
            (folder / "hnswlib.cost").write_text(f"{time.process_time() - begun:.1f}")
            index.save_index(str(path))
        else:
            index.load_index(str(path))
            index.set_num_threads(1)
        print(f"hnswlib f32: build {(folder / 'hnswlib.cost').read_text()} CPU s")

        def hnsw(ef):
            index.set_ef(ef)
            return lambda query: index.knn_query(query, k=K, num_threads=1)[0][0]

        rows.append(("hnswlib f32", hnsw))
    except ImportError as error:
        print(f"hnswlib left out: {error}")

    print("| peer | ef | recall@10 | queries a CPU second |")
    print("|---|---:|---:|---:|")
    for what, make in rows:
        for ef in EFS:
            measure(what, make(ef), queries, truth, ef)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "graph":
        graph(Path(sys.argv[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
