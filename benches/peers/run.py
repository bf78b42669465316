#!/usr/bin/env python3
"""Other libraries and evidex on the same work, in the same run, on the same machine.

    benches/peers/run.py --evidex target/release/evidex --shared ../shared --out benches/results/peers.json

Vectors: clustered rows of unit length, searched for the ten nearest by one thread; recall against brute force. Words: a
retrieval set (BEIR layout), nDCG@10. Verification: the predecessors' method, the cosine of claim and best sentence by
all-MiniLM, beside evidex without and with its model, on several labelled sets. Packages are installed, at the versions of requirements.txt, into an environment in a temporary
folder (--venv keeps one); a peer that cannot be installed or run is named with the reason.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
K = 10
FORK = multiprocessing.get_context("fork")
MOST_SECONDS = 900


def environment(folder):
    """Installs the peers; gives the interpreter and what could not be installed."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    failures = {}
    for line in (HERE / "requirements.txt").read_text().splitlines():
        packages = line.split("#")[0].split()
        if not packages:
            continue
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            failures[packages[0].split("==")[0]] = "cannot be installed: " + (done.stderr.strip() or "?").splitlines()[-1]
            print(f"{packages[0]}: {failures[packages[0].split('==')[0]]}", file=sys.stderr)
    return python, failures


def machine():
    name = platform.processor()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            name = line.split(":", 1)[1].strip()
            break
    return {"processor": name, "cores": os.cpu_count(), "load_before": os.getloadavg()[0], "system": platform.platform()}


def folder_bytes(path):
    path = Path(path)
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


# --- vectors ------------------------------------------------------------------------------------------------------------


def clustered(rows, queries, dimension, seed):
    import numpy

    generator = numpy.random.default_rng(seed)
    centres = generator.normal(size=(max(1, rows // 100), dimension))

    def make(count):
        at = generator.integers(len(centres), size=count)
        found = centres[at] + 0.6 * generator.normal(size=(count, dimension))
        return (found / numpy.linalg.norm(found, axis=1, keepdims=True)).astype("<f4")

    return make(rows), make(queries)


def nearest(vectors, queries):
    import numpy

    found = []
    for start in range(0, len(queries), 64):
        scores = queries[start : start + 64] @ vectors.T
        found.append(numpy.argpartition(-scores, K, axis=1)[:, :K])
    return numpy.concatenate(found)


def timed_search(search, queries, truth):
    """One query at a time; recall, queries a second and the slow end."""
    times, hits = [], 0
    for query, wanted in zip(queries, truth):
        start = time.perf_counter()
        found = search(query)
        times.append(time.perf_counter() - start)
        hits += len(set(int(row) for row in found) & set(int(row) for row in wanted))
    times.sort()
    return {
        "recall_at_10": hits / (K * len(queries)),
        "queries_per_second": len(queries) / sum(times),
        "p50_ms": 1000 * times[len(times) // 2],
        "p99_ms": 1000 * times[min(len(times) - 1, int(len(times) * 0.99))],
    }


def measured(build, searches, queries, truth, size=None):
    start = time.perf_counter()
    built = build()
    seconds = time.perf_counter() - start
    result = {"build_seconds": seconds, "search": {}}
    for name, search in searches(built).items():
        result["search"][name] = timed_search(search, queries, truth)
    if size:
        result["file_bytes"] = size(built)
    return result


def peer_usearch(vectors, queries, truth, work, threads):
    from usearch.index import Index

    def build():
        index = Index(ndim=vectors.shape[1], metric="ip", dtype="f32", connectivity=16, expansion_add=200)
        index.add(list(range(len(vectors))), vectors, threads=threads)
        index.save(str(work / "usearch"))
        return index

    def at(index, expansion):
        def search(query):
            index.expansion_search = expansion
            return index.search(query, K, threads=1).keys

        return search

    return measured(
        build,
        lambda index: {f"ef {ef}": at(index, ef) for ef in (32, 64, 128, 256)},
        queries,
        truth,
        lambda _: folder_bytes(work / "usearch"),
    )


def peer_faiss(vectors, queries, truth, work, threads):
    import faiss

    def build():
        faiss.omp_set_num_threads(threads)
        index = faiss.IndexHNSWFlat(vectors.shape[1], 16, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = 200
        index.add(vectors)
        faiss.write_index(index, str(work / "faiss"))
        faiss.omp_set_num_threads(1)
        return index

    flat = faiss.IndexFlatIP(vectors.shape[1])
    flat.add(vectors)

    def at(index, ef):
        def search(query):
            index.hnsw.efSearch = ef
            return index.search(query[None], K)[1][0]

        return search

    def searches(index):
        found = {f"ef {ef}": at(index, ef) for ef in (32, 64, 128, 256)}
        found["exact"] = lambda query: flat.search(query[None], K)[1][0]
        return found

    return measured(build, searches, queries, truth, lambda _: folder_bytes(work / "faiss"))


def peer_hnswlib(vectors, queries, truth, work, threads):
    import hnswlib

    def build():
        index = hnswlib.Index(space="ip", dim=vectors.shape[1])
        index.init_index(max_elements=len(vectors), M=16, ef_construction=200)
        index.add_items(vectors, num_threads=threads)
        index.save_index(str(work / "hnswlib"))
        index.set_num_threads(1)
        return index

    def at(index, ef):
        def search(query):
            index.set_ef(ef)
            return index.knn_query(query, k=K, num_threads=1)[0][0]

        return search

    return measured(
        build,
        lambda index: {f"ef {ef}": at(index, ef) for ef in (32, 64, 128, 256)},
        queries,
        truth,
        lambda _: folder_bytes(work / "hnswlib"),
    )


def peer_lancedb(vectors, queries, truth, work, threads):
    import lancedb

    def build():
        database = lancedb.connect(str(work / "lancedb"))
        table = database.create_table("rows", [{"id": at, "vector": row} for at, row in enumerate(vectors)])
        table.create_index(metric="dot", vector_column_name="vector", index_type="IVF_HNSW_SQ")
        return table

    def at(table, ef):
        return lambda query: [row["id"] for row in table.search(query).metric("dot").ef(ef).nprobes(20).limit(K).to_list()]

    def searches(table):
        found = {f"ef {ef}": at(table, ef) for ef in (64, 128)}
        found["exact"] = lambda query: [
            row["id"] for row in table.search(query).metric("dot").bypass_vector_index().limit(K).to_list()
        ]
        return found

    return measured(build, searches, queries, truth, lambda _: folder_bytes(work / "lancedb"))


def peer_milvus_lite(vectors, queries, truth, work, threads):
    from pymilvus import MilvusClient

    path = work / "milvus.db"

    def build():
        client = MilvusClient(str(path))
        client.create_collection("rows", dimension=vectors.shape[1], metric_type="IP", auto_id=False)
        for start in range(0, len(vectors), 1000):
            part = vectors[start : start + 1000]
            client.insert("rows", [{"id": start + at, "vector": row.tolist()} for at, row in enumerate(part)])
        return client

    def searches(client):
        def search(query):
            return [hit["id"] for hit in client.search("rows", data=[query.tolist()], limit=K)[0]]

        return {"default": search}

    return measured(build, searches, queries, truth, lambda _: folder_bytes(path))


def peer_chroma(vectors, queries, truth, work, threads):
    import chromadb

    def build():
        client = chromadb.PersistentClient(path=str(work / "chroma"))
        rows = client.create_collection("rows", metadata={"hnsw:space": "ip", "hnsw:M": 16, "hnsw:construction_ef": 200})
        for start in range(0, len(vectors), 1000):
            part = vectors[start : start + 1000]
            rows.add(ids=[str(start + at) for at in range(len(part))], embeddings=part)
        return rows

    def searches(rows):
        return {"default": lambda query: rows.query(query_embeddings=[query], n_results=K)["ids"][0]}

    return measured(build, searches, queries, truth, lambda _: folder_bytes(work / "chroma"))


VECTOR_PEERS = {
    "usearch": peer_usearch,
    "faiss": peer_faiss,
    "hnswlib": peer_hnswlib,
    "lancedb": peer_lancedb,
    "milvus-lite": peer_milvus_lite,
    "chroma": peer_chroma,
}


# --- words --------------------------------------------------------------------------------------------------------------


def read_lines(path):
    for extension in ("", ".gz"):
        file = Path(f"{path}{extension}")
        if file.exists():
            opener = gzip.open if extension else open
            with opener(file, "rt", encoding="utf-8") as lines:
                return [json.loads(line) for line in lines if line.strip()]
    raise FileNotFoundError(path)


def retrieval_set(folder):
    corpus = read_lines(folder / "corpus.jsonl")
    queries = read_lines(folder / "queries.jsonl")
    relevant = {}
    for line in (folder / "qrels" / "test.tsv").read_text().splitlines()[1:]:
        query, document, score = line.split("\t")
        if int(score) > 0:
            relevant.setdefault(query, {})[document] = int(score)
    return corpus, [query for query in queries if query["_id"] in relevant], relevant


def ndcg(ranked, relevant, k=10):
    from math import log2

    gain = sum(relevant.get(document, 0) / log2(rank + 2) for rank, document in enumerate(ranked[:k]))
    best = sum(score / log2(rank + 2) for rank, score in enumerate(sorted(relevant.values(), reverse=True)[:k]))
    return gain / best


def words_measured(build, queries, relevant):
    start = time.perf_counter()
    search = build()
    built = time.perf_counter() - start
    gains, times = [], []
    for query in queries:
        start = time.perf_counter()
        found = search(query["text"])
        times.append(time.perf_counter() - start)
        gains.append(ndcg(found, relevant[query["_id"]]))
    return {
        "build_seconds": built,
        "ndcg_at_10": sum(gains) / len(gains),
        "queries_per_second": len(queries) / sum(times),
    }


def text_of(document):
    return f"{document.get('title') or ''} {document['text']}".strip()


def peer_bm25s(corpus, queries, relevant, work):
    import bm25s

    ids = [document["_id"] for document in corpus]

    def build():
        model = bm25s.BM25()
        model.index(bm25s.tokenize([text_of(d) for d in corpus], stopwords="en", show_progress=False), show_progress=False)

        def search(text):
            tokens = bm25s.tokenize(text, stopwords="en", show_progress=False)
            found, _ = model.retrieve(tokens, k=min(K, len(ids)), show_progress=False)
            return [ids[at] for at in found[0]]

        return search

    return words_measured(build, queries, relevant)


def peer_rank_bm25(corpus, queries, relevant, work):
    from rank_bm25 import BM25Okapi

    ids = [document["_id"] for document in corpus]

    def build():
        model = BM25Okapi([text_of(document).lower().split() for document in corpus])

        def search(text):
            scores = model.get_scores(text.lower().split())
            return [ids[at] for at in scores.argsort()[::-1][:K]]

        return search

    return words_measured(build, queries, relevant)


def peer_tantivy(corpus, queries, relevant, work):
    import re

    import tantivy

    def build():
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        schema.add_text_field("text", tokenizer_name="en_stem")
        (work / "tantivy").mkdir()
        index = tantivy.Index(schema.build(), path=str(work / "tantivy"))
        writer = index.writer()
        for document in corpus:
            writer.add_document(tantivy.Document(id=document["_id"], text=text_of(document)))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        searcher = index.searcher()

        def search(text):
            query = index.parse_query(" ".join(re.findall(r"\w+", text)).lower(), ["text"])
            return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, K).hits]

        return search

    return words_measured(build, queries, relevant)


WORD_PEERS = {"bm25s": peer_bm25s, "rank-bm25": peer_rank_bm25, "tantivy-py": peer_tantivy}


# --- verification -------------------------------------------------------------------------------------------------------


def peer_cosine(rows, model):
    """The predecessors' method: the best cosine of the claim and a sentence, claim and sentences embedded each time."""
    import re

    import numpy
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = {entry.name for entry in session.get_inputs()}

    def embed(text):
        encoded = tokenizer.encode(text)
        feed = {"input_ids": [encoded.ids], "attention_mask": [encoded.attention_mask], "token_type_ids": [encoded.type_ids]}
        feed = {name: numpy.array(value, dtype="int64") for name, value in feed.items() if name in names}
        states = session.run(None, feed)[0][0]
        mean = states.mean(axis=0)
        return mean / max(float(numpy.linalg.norm(mean)), 1e-9)

    scores, start = [], time.perf_counter()
    for row in rows:
        claim = embed(row["claim"])
        sentences = [s for s in re.split(r"(?<=[.!?])\s+", row["context"]) if s.strip()] or [row["context"]]
        scores.append(max(float(claim @ embed(sentence)) for sentence in sentences))
    seconds = time.perf_counter() - start
    gold = [row["label"] == "supported" for row in rows]
    halves = [half(str(row["id"])) for row in rows]
    learnt = {
        side: best_threshold([s for s, h in zip(scores, halves) if h != side], [g for g, h in zip(gold, halves) if h != side])
        for side in (False, True)
    }
    said = [score >= learnt[side] for score, side in zip(scores, halves)]
    best = best_threshold(scores, gold)
    return {
        "rows": len(rows),
        "pairs_per_second_one_thread": len(rows) / seconds,
        "binary_balanced_accuracy": balanced(said, gold),
        "binary_balanced_accuracy_best_threshold_on_these_rows": balanced([s >= best for s in scores], gold),
    }


def half(text):
    """Which half of a set a row is in: as evidex has it (FNV-1a with SplitMix's finish)."""
    mask = (1 << 64) - 1
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & mask
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & mask
    return (value ^ (value >> 31)) & 1 == 1


def balanced(said, gold):
    """Mean of the share of supported rows that are taken as such and the share of the others that are not."""
    hit = sum(1 for s, g in zip(said, gold) if g and s) / max(1, sum(gold))
    rest = sum(1 for s, g in zip(said, gold) if not g and not s) / max(1, len(gold) - sum(gold))
    return (hit + rest) / 2


def best_threshold(scores, gold):
    return max(sorted(set(scores)), key=lambda at: balanced([score >= at for score in scores], gold), default=0.5)


# --- all of it ----------------------------------------------------------------------------------------------------------


def evidex_json(program, *arguments):
    done = subprocess.run([program, *arguments, "--format", "json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "failed")
    return json.loads(done.stdout)


def tried(name, results, work):
    """Does the work in a process of its own: libraries that cannot stand each other, or that crash, take nothing with them."""
    near, far = FORK.Pipe(duplex=False)

    def attempt():
        try:
            far.send(work())
        except Exception as error:  # noqa: BLE001 (a peer that fails is a result)
            far.send({"failed": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"})

    child = FORK.Process(target=attempt)
    child.start()
    far.close()
    try:
        results[name] = near.recv() if near.poll(MOST_SECONDS) else {"failed": f"not done after {MOST_SECONDS} s"}
    except EOFError:
        child.join()
        results[name] = {"failed": f"its process ended with {child.exitcode}"}
    child.kill()
    child.join()
    print(f"{name}: {results[name].get('failed', 'done')}", file=sys.stderr)


def measure(arguments, failures):
    import numpy

    work = Path(tempfile.mkdtemp(prefix="evidex-peers-"))
    out = {"kind": "peers", "machine": machine(), "settings": {}, "vectors": {}, "words": {}, "verification": {}}
    out["settings"] = {
        "vectors": arguments.vectors,
        "queries": arguments.queries,
        "dimension": arguments.dimension,
        "seed": arguments.seed,
        "M": 16,
        "ef_construction": "200 (evidex 400)",
        "threads": "building on all cores, searching on one",
        "retrieval": arguments.retrieval,
        "pairs": arguments.limit,
        "versions": [line for line in (HERE / "requirements.txt").read_text().splitlines() if line and line[0] != "#"],
    }
    try:
        vectors, queries = clustered(arguments.vectors, arguments.queries, arguments.dimension, arguments.seed)
        truth = nearest(vectors, queries)
        (work / "vectors").write_bytes(vectors.tobytes())
        (work / "queries").write_bytes(queries.tobytes())
        tried(
            "evidex",
            out["vectors"],
            lambda: evidex_json(
                arguments.evidex, "eval", "speed", "--dimension", str(arguments.dimension),
                "--vectors-file", str(work / "vectors"), "--queries-file", str(work / "queries"),
            )["vectors"],
        )
        for name, peer in VECTOR_PEERS.items():
            key = {"faiss": "faiss-cpu", "chroma": "chromadb"}.get(name, name)
            if key in failures:
                out["vectors"][name] = {"failed": failures[key]}
                continue
            tried(name, out["vectors"], lambda peer=peer: peer(vectors, queries, truth, work, os.cpu_count() or 1))
        folder = Path(arguments.shared) / "data" / "retrieval" / arguments.retrieval
        if folder.is_dir():
            corpus, asked, relevant = retrieval_set(folder)
            tried(
                "evidex",
                out["words"],
                lambda: evidex_json(arguments.evidex, "eval", "retrieval", str(folder), "--embedder", "none")["modes"]["bm25"],
            )
            for name, peer in WORD_PEERS.items():
                key = {"tantivy-py": "tantivy"}.get(name, name)
                if key in failures:
                    out["words"][name] = {"failed": failures[key]}
                    continue
                tried(name, out["words"], lambda peer=peer: peer(corpus, asked, relevant, work))
        for name in arguments.pairs.split(","):
            rows = pairs(Path(arguments.shared) / "data" / "dev" / f"{name}.jsonl.zst", arguments.limit, arguments.seed)
            if rows:
                out["verification"][name] = verified(rows, work / f"{name}.jsonl", arguments)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    out["machine"]["load_after"] = os.getloadavg()[0]
    out["numpy"] = numpy.__version__
    return out


def verified(rows, file, arguments):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def ours(*flags):
        report = evidex_json(
            arguments.evidex, "eval", "pairs", str(file), "--threads", "1", "--baselines", "none", *flags
        )
        return {
            "rows": report["rows"],
            "pairs_per_second_one_thread": report["pairs_per_second"],
            "binary_balanced_accuracy": report["metrics"]["binary_balanced_accuracy"],
            "models": report["models"],
        }

    found = {}
    tried("evidex, checks alone", found, lambda: ours("--nli", "none"))
    tried("evidex", found, ours)
    if arguments.minilm:
        tried("cosine of all-MiniLM", found, lambda: peer_cosine(rows, Path(arguments.minilm)))
    else:
        found["cosine of all-MiniLM"] = {"failed": "no model folder was given (--minilm DIR)"}
    return found


def pairs(path, limit, seed):
    if not path.exists():
        return []
    text = subprocess.run(["zstd", "-dc", str(path)], capture_output=True, text=True, check=True).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    known = ("supported", "contradicted", "neutral", "unsupported")
    rows = [row for row in rows if row["label"] in known and row["context"]]
    return random.Random(seed).sample(rows, min(limit, len(rows)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evidex", required=True, help="the program to measure")
    parser.add_argument("--shared", default=str(HERE.parents[2] / "shared"))
    parser.add_argument("--out", help="write the results here too")
    parser.add_argument("--venv", help="keep the environment in this folder")
    parser.add_argument("--vectors", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--dimension", type=int, default=384)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--retrieval", default="cranfield")
    parser.add_argument(
        "--pairs",
        default="begin_wow_dev,conjnli_dev,fever_symmetric_v02_dev,fm2_dev,rgb_fact_en,sick_test,snli_dev_dev,summac_val_factcc",
        help="labelled sets, separated by commas",
    )
    parser.add_argument("--limit", type=int, default=200, help="most pairs of a set")
    parser.add_argument("--minilm", help="folder of all-MiniLM-L6-v2 (model.onnx, tokenizer.json)")
    parser.add_argument("--failures", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.failures is None:
        # Installs, then runs itself inside the environment.
        kept = Path(arguments.venv) if arguments.venv else Path(tempfile.mkdtemp(prefix="evidex-peers-venv-"))
        try:
            python, failures = environment(kept)
            command = [str(python), __file__, *sys.argv[1:], "--failures", json.dumps(failures)]
            return subprocess.run(command).returncode
        finally:
            if not arguments.venv:
                shutil.rmtree(kept, ignore_errors=True)
    results = measure(arguments, json.loads(arguments.failures))
    text = json.dumps(results, indent=2) + "\n"
    if arguments.out:
        Path(arguments.out).parent.mkdir(parents=True, exist_ok=True)
        Path(arguments.out).write_text(text)
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
