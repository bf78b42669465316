#!/usr/bin/env python3
"""Peers of the store, on what `cargo bench --bench store -- graph N` and `words N` wrote.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r benches/peers/store.txt
    /tmp/peers/bin/python benches/peers/store.py graph target/bench-store/graph-20000 [--out benches/results/store]
    /tmp/peers/bin/python benches/peers/store.py words target/bench-store/words-100000 [--out benches/results/store]

graph: usearch, faiss, hnswlib, lancedb, chromadb and milvus-lite on the same vectors and queries, with the same M and
efConstruction, one thread where they can be told: the CPU time of the build, and for several ef recall@10 and queries a CPU
second. words: tantivy, bm25s and rank-bm25 on the same texts and queries. Built indexes are kept in the folder and taken up
again. Vectors are unit vectors and the metric is the inner product. A peer that does not install or run is named with the
reason. `--peers usearch,faiss` runs some of them and keeps what an earlier run has of the others.
"""

import argparse
import contextlib
import importlib.metadata
import json
import os
import resource
import shutil
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

DIMENSION, K, M, EF_CONSTRUCTION = 384, 10, 16, 400
EFS = [40, 64, 96, 128, 192, 256, 384]
# A peer that answers fewer queries a second is measured at one ef only.
SLOW = 50


def cpu():
    """CPU seconds of this process and of the servers that a peer has started."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    seconds = own.ru_utime + own.ru_stime
    for children in Path("/proc/self/task").glob("*/children"):
        for child in children.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def machine():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()}, {os.cpu_count()} cores"
    return f"{os.cpu_count()} cores"


class Kept:
    """A place for a peer's index; says whether it is there already, and keeps what its build cost."""

    def __init__(self, folder, name):
        self.path = folder / name
        self.cost = folder / f"{name}.cost"

    @property
    def there(self):
        if not self.cost.exists():
            shutil.rmtree(self.path, ignore_errors=True)
            self.path.unlink(missing_ok=True)
        return self.cost.exists()

    @contextlib.contextmanager
    def building(self):
        begun = cpu()
        yield
        self.cost.write_text(f"{cpu() - begun:.2f}")

    def seconds(self):
        return float(self.cost.read_text())


# Each gives the kept index and, for an ef, a function from a query to the numbers of the nearest rows.


def usearch(base, folder):
    from usearch.index import Index

    kept = Kept(folder, "usearch")
    if not kept.there:
        index = Index(ndim=DIMENSION, metric="ip", dtype="f32", connectivity=M, expansion_add=EF_CONSTRUCTION)
        with kept.building():
            index.add(np.arange(len(base)), base, threads=1)
        index.save(str(kept.path))
    view = Index.restore(str(kept.path), view=True)

    def with_ef(ef):
        view.expansion_search = ef
        return lambda query: view.search(query, K, threads=1).keys

    return kept, with_ef


def faiss(base, folder):
    import faiss

    faiss.omp_set_num_threads(1)
    kept = Kept(folder, "faiss")
    if not kept.there:
        index = faiss.IndexHNSWSQ(DIMENSION, faiss.ScalarQuantizer.QT_8bit, M, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = EF_CONSTRUCTION
        with kept.building():
            index.train(base)
            index.add(base)
        faiss.write_index(index, str(kept.path))
    read = faiss.read_index(str(kept.path))

    def with_ef(ef):
        read.hnsw.efSearch = ef
        return lambda query: read.search(query[None, :], K)[1][0]

    return kept, with_ef


def hnswlib(base, folder):
    import hnswlib

    kept = Kept(folder, "hnswlib")
    index = hnswlib.Index(space="ip", dim=DIMENSION)
    if not kept.there:
        index.init_index(max_elements=len(base), ef_construction=EF_CONSTRUCTION, M=M, random_seed=1)
        with kept.building():
            index.add_items(base, np.arange(len(base)), num_threads=1)
        index.save_index(str(kept.path))
    else:
        index.load_index(str(kept.path))

    def with_ef(ef):
        index.set_ef(ef)
        return lambda query: index.knn_query(query, k=K, num_threads=1)[0][0]

    return kept, with_ef


def lancedb(base, folder):
    import lancedb
    import pyarrow

    kept = Kept(folder, "lancedb")
    there = kept.there
    database = lancedb.connect(str(kept.path))
    if not there:
        rows = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(base.reshape(-1)), DIMENSION)
        with kept.building():
            table = database.create_table("vectors", pyarrow.table({"id": pyarrow.array(range(len(base))), "vector": rows}))
            table.create_index(
                metric="dot",
                vector_column_name="vector",
                index_type="IVF_HNSW_SQ",
                num_partitions=1,
                m=M,
                ef_construction=EF_CONSTRUCTION,
            )
    table = database.open_table("vectors")

    def with_ef(ef):
        def search(query):
            found = table.search(query, vector_column_name="vector").metric("dot").ef(ef).nprobes(1)
            return found.select(["id", "_distance"]).limit(K).to_arrow()["id"].to_pylist()

        return search

    return kept, with_ef


def chromadb(base, folder):
    import chromadb

    kept = Kept(folder, "chromadb")
    there = kept.there
    client = chromadb.PersistentClient(path=str(kept.path))
    if not there:
        shape = {"space": "ip", "max_neighbors": M, "ef_construction": EF_CONSTRUCTION, "num_threads": 1}
        with kept.building():
            made = client.create_collection("vectors", configuration={"hnsw": shape})
            for start in range(0, len(base), 5_000):
                rows = base[start : start + 5_000]
                made.add(ids=[str(start + at) for at in range(len(rows))], embeddings=rows)
    collection = client.get_collection("vectors")

    def with_ef(ef):
        collection.modify(configuration={"hnsw": {"ef_search": ef}})
        return lambda query: collection.query(query_embeddings=query[None, :], n_results=K, include=[])["ids"][0]

    return kept, with_ef


def milvus(base, folder):
    from pymilvus import DataType, MilvusClient

    kept = Kept(folder, "milvus.db")
    there = kept.there
    client = MilvusClient(str(kept.path))
    if not there:
        with kept.building():
            schema = client.create_schema(auto_id=False)
            schema.add_field("id", DataType.INT64, is_primary=True)
            schema.add_field("vector", DataType.FLOAT_VECTOR, dim=DIMENSION)
            shape = client.prepare_index_params()
            shape.add_index(
                "vector", index_type="HNSW", metric_type="IP", params={"M": M, "efConstruction": EF_CONSTRUCTION}
            )
            client.create_collection("vectors", schema=schema, index_params=shape)
            for start in range(0, len(base), 2_000):
                rows = base[start : start + 2_000]
                client.insert("vectors", [{"id": start + at, "vector": row} for at, row in enumerate(rows)])
    client.load_collection("vectors")

    def with_ef(ef):
        settings = {"params": {"ef": ef}}

        def search(query):
            found = client.search("vectors", data=[query], limit=K, search_params=settings, output_fields=["id"])
            return [hit["id"] for hit in found[0]]

        return search

    return kept, with_ef


GRAPHS = {
    "usearch": (usearch, "usearch", "f32, mapped"),
    "faiss": (faiss, "faiss-cpu", "HNSW,SQ8"),
    "hnswlib": (hnswlib, "hnswlib", "f32"),
    "lancedb": (lancedb, "lancedb", "IVF_HNSW_SQ, one partition"),
    "chromadb": (chromadb, "chromadb", "HNSW f32"),
    "milvus-lite": (milvus, "milvus-lite", "HNSW"),
}


# Each gives a function that builds an index of the texts and gives one from a query to the places of the best texts.


def tantivy(texts):
    import tantivy

    schema = tantivy.SchemaBuilder().add_unsigned_field("id", stored=True).add_text_field("text", stored=True).build()
    index = tantivy.Index(schema)
    writer = index.writer(100 << 20, num_threads=1)
    for at, text in enumerate(texts):
        writer.add_document(tantivy.Document(id=at, text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query):
        words = "".join(c if c.isalnum() else " " for c in query)
        found = searcher.search(index.parse_query(words, ["text"]), K).hits
        return [searcher.doc(address)["id"][0] for _, address in found]

    return search


def bm25s(texts):
    import bm25s

    index = bm25s.BM25(k1=1.2, b=0.75)
    tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    index.index(tokens, show_progress=False)

    def search(query):
        asked = bm25s.tokenize([query], stopwords=None, show_progress=False)
        return index.retrieve(asked, k=K, show_progress=False, n_threads=1)[0][0]

    return search


def rank_bm25(texts):
    from rank_bm25 import BM25Okapi

    index = BM25Okapi([text.lower().split() for text in texts])
    return lambda query: np.argsort(index.get_scores(query.lower().split()))[-K:]


WORDS = {
    "tantivy": (tantivy, "tantivy", "from Python, parsed queries"),
    "bm25s": (bm25s, "bm25s", "in memory"),
    "rank-bm25": (rank_bm25, "rank-bm25", "in memory"),
}


def rate(search, queries):
    """Queries a CPU second, and what each query found; long enough for the clock."""
    for query in queries[: min(20, len(queries))]:
        search(query)
    begun, wall, rounds = cpu(), time.monotonic(), 0
    while rounds == 0 or time.monotonic() - wall < 1.0:
        found = [search(query) for query in queries]
        rounds += 1
    return rounds * len(queries) / max(cpu() - begun, 1e-9), found


def graph(folder, chosen, out):
    base = np.fromfile(folder / "base.f32", dtype="<f4").reshape(-1, DIMENSION)
    queries = np.fromfile(folder / "queries.f32", dtype="<f4").reshape(-1, DIMENSION)
    truth = np.fromfile(folder / "truth.u32", dtype="<u4").reshape(-1, K)
    report = empty(folder)
    report["corpus"] = f"{len(base):,} clustered unit vectors of length {DIMENSION}"
    report["settings"] = f"M {M}, efConstruction {EF_CONSTRUCTION}, inner product, one thread"

    def one(peer, who):
        kept, with_ef = peer(base, folder)
        measure(report, who, "graph build", kept.seconds(), "CPU s")
        for ef in EFS:
            search = with_ef(ef)
            speed, found = rate(search, queries)
            hits = sum(len(set(map(int, row)) & set(map(int, best))) for row, best in zip(found, truth))
            measure(report, who, "graph search", speed, "queries a CPU s", f"ef {ef}", hits / truth.size)
            if speed < SLOW:
                break

    each(report, GRAPHS, chosen, one, out)


def words(folder, chosen, out):
    texts = (folder / "texts.txt").read_text().splitlines()
    asked = json.loads((folder / "queries.json").read_text())
    report = empty(folder)
    report["corpus"] = f"{len(texts):,} made-up passages of 20 to 40 words"
    report["settings"] = "ten best, one thread"

    def one(peer, who):
        begun = cpu()
        search = peer(texts)
        measure(report, who, "words build", cpu() - begun, "CPU s")
        for length, queries in asked.items():
            # Those that score every text are slow: a few queries tell.
            begun = time.monotonic()
            search(queries[0])
            few = queries[:20] if time.monotonic() - begun > 0.05 else queries
            speed, _ = rate(search, few)
            measure(report, who, f"{length} words", 1_000 / speed, "ms")

    each(report, WORDS, chosen, one, out)


def empty(folder):
    return {"part": folder.name, "machine": machine(), "corpus": "", "settings": "", "measures": [], "left_out": {}}


def measure(report, who, what, value, unit, setting=None, recall=None):
    row = {"what": what, "who": who, "setting": setting, "value": value, "unit": unit, "recall_at_10": recall}
    report["measures"].append(row)
    print(f"{who:<40} {what:<14} {setting or '':<8} {value:12.2f} {unit}" + (f", recall@10 {recall:.4f}" if recall else ""), flush=True)


def keep(report, earlier, chosen):
    """Takes over what an earlier run has of peers other than those of the packages `chosen`."""
    ours = lambda who: any(who.startswith(f"{package} ") for package in chosen.values())
    report["measures"] = [row for row in earlier["measures"] if not ours(row["who"])]
    # A part of a peer's work is named as "peer (part)".
    report["left_out"] = {name: why for name, why in earlier["left_out"].items() if name.split(" (")[0] not in chosen}


def each(report, peers, chosen, one, out):
    path = out / f"{report['part']}-peers.json" if out else None
    if chosen and path and path.exists():
        keep(report, json.loads(path.read_text()), {name: peers[name][1] for name in chosen if name in peers})
    for name, (peer, package, form) in peers.items():
        if chosen and name not in chosen:
            continue
        try:
            one(peer, f"{package} {importlib.metadata.version(package)}, {form}")
        except Exception as error:  # Whatever keeps a peer from running is its line in the table.
            reason = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
            report["left_out"][name] = reason
            print(f"{name} left out: {reason}", flush=True)
        # After each, so that a run that is stopped keeps what it has.
        if out:
            out.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(report, indent=2) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("part", choices=["graph", "words"])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--peers", type=lambda text: text.split(","), default=[])
    asked = arguments.parse_args()
    (graph if asked.part == "graph" else words)(asked.folder, asked.peers, asked.out)
    os._exit(0)  # Servers that a peer has started would keep the process.


if __name__ == "__main__":
    main()
