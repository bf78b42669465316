"""Read labelled pairs, tokenize them and deal them out in batches of equal token count.

In: the training pool (JSONL, zstd) and the synthetic pairs. Out: one `.npz` of token ids with offsets, lengths and labels,
so that a run resumes in seconds. Labels: 0 entailment, 1 neutral, 2 contradiction, 3 "not entailed" (binary sets).
"""

import argparse
import io
import json
import random

import numpy
import zstandard
from tokenizers import Tokenizer

LABELS = {"supported": 0, "neutral": 1, "contradicted": 2, "unsupported": 3}
# stage: {source: (share of its rows taken, times repeated)}. Only sources with a stated open licence. The second stage is the one
# that reads documents: it has the synthetic pairs.
STAGES = {
    1: {
        "snli/train_subset": (1.0, 1),
        "nli_mnli/train80": (1.0, 3),
        "conjnli/train": (1.0, 2),
        "help/train": (0.5, 1),
        "begin/cmu_dev": (1.0, 1),
        "begin/tc_dev": (1.0, 1),
        "scifact_rte/train": (1.0, 1),
    },
    2: {
        "snli/train_subset": (0.4, 1),
        "nli_mnli/train80": (1.0, 2),
        "conjnli/train": (1.0, 1),
        "help/train": (1.0, 1),
        "begin/cmu_dev": (1.0, 2),
        "begin/tc_dev": (1.0, 2),
        "scifact_rte/train": (1.0, 2),
        "fib/all": (1.0, 1),
        "inferbr_pt/train": (1.0, 1),
        "synthetic": (0.75, 1),
    },
}
MAX_TOKENS = 256


def read(path):
    if path.endswith(".zst"):
        with open(path, "rb") as raw:
            yield from (json.loads(line) for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(raw), "utf-8"))
    else:
        with open(path, encoding="utf-8") as raw:
            yield from (json.loads(line) for line in raw)


def tokenizer(base):
    out = Tokenizer.from_file(f"{base}/tokenizer.json")
    out.no_padding()
    out.no_truncation()
    return out


def encode(tok, context, claim):
    """[CLS] context [SEP] claim [SEP]; of a context that is too long, the part that shares most with the claim. Returns ids and the
    length of the first part; None where the claim leaves no room."""
    first = tok.encode(context, add_special_tokens=False).ids
    second = tok.encode(claim, add_special_tokens=False).ids
    room = MAX_TOKENS - 3 - len(second)
    if room < 8:
        return None, 0
    if len(first) > room:
        wanted = set(second)
        begins = range(0, len(first) - room + 32, 32)
        begin = max(begins, key=lambda at: len(wanted & set(first[at:at + room])))
        first = first[begin:begin + room]
    return [101] + first + [102] + second + [102], len(first) + 2


def edited(rows):
    """FIB pairs a summary with edited ones: of an edited one only the sentences that no true summary of the document has are a claim."""
    def lines(row):
        return [line.strip() for line in row["claim"].replace("</t>", "").split("<t>") if line.strip()]

    true = {}
    for row in rows:
        if row["label"] == "supported":
            true.setdefault(row["context"], set()).update(lines(row))
    for row in rows:
        known = true.get(row["context"], set())
        for line in lines(row):
            if row["label"] == "supported" or line not in known:
                yield row | {"claim": line}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True)
    parser.add_argument("--pool", required=True)
    parser.add_argument("--synthetic", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--stage", type=int, choices=sorted(STAGES), required=True)
    parser.add_argument("--seed", type=int, default=11)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    tok = tokenizer(args.base)
    ids, starts, firsts, labels, counts = [], [0], [], [], {}

    def add(context, claim, label, source):
        tokens, first = encode(tok, context, claim)
        if tokens is None:
            return
        ids.extend(tokens)
        starts.append(len(ids))
        firsts.append(first)
        labels.append(LABELS[label])
        counts[source] = counts.get(source, 0) + 1

    mix = STAGES[args.stage]
    summaries = []
    for row in read(args.pool):
        share, times = mix.get(row["source"], (0, 0))
        if share and rng.random() < share:
            if row["source"].startswith("fib/"):
                summaries.append(row)
                continue
            for _ in range(times):
                add(row["context"], row["claim"], row["label"], row["source"])
    for row in edited(summaries):
        add(row["context"], row["claim"], row["label"], row["source"])
    for row in read(args.synthetic) if "synthetic" in mix else []:
        if row["split"] == "train" and rng.random() < mix["synthetic"][0]:
            add(row["context"], row["claim"], row["label"], "synthetic/" + row["kind"])
    numpy.savez(args.out, ids=numpy.array(ids, dtype=numpy.uint16), starts=numpy.array(starts, dtype=numpy.int64),
                firsts=numpy.array(firsts, dtype=numpy.int16), labels=numpy.array(labels, dtype=numpy.int8))
    print(json.dumps(counts, indent=1), f"\n{len(labels)} pairs, {len(ids)} tokens")


class Batches:
    """Endless batches of at most `budget` padded tokens, of pairs of like length, in an order that the seed decides."""

    def __init__(self, path, budget, seed):
        loaded = numpy.load(path)
        self.ids, self.starts = loaded["ids"], loaded["starts"]
        self.firsts, self.labels = loaded["firsts"], loaded["labels"]
        self.budget, self.seed = budget, seed

    def epoch(self, number):
        rng = numpy.random.default_rng(self.seed + number)
        lengths = numpy.diff(self.starts)
        order = numpy.argsort(lengths + rng.uniform(0, 8, len(lengths)), kind="stable")
        batches, begin = [], 0
        while begin < len(order):
            end = begin + 1
            longest = lengths[order[begin]]
            while end < len(order) and max(longest, lengths[order[end]]) * (end + 1 - begin) <= self.budget:
                longest = max(longest, lengths[order[end]])
                end += 1
            batches.append(order[begin:end])
            begin = end
        rng.shuffle(batches)
        return batches

    def arrays(self, batch):
        width = int(max(self.starts[i + 1] - self.starts[i] for i in batch))
        ids = numpy.zeros((len(batch), width), dtype=numpy.int64)
        mask = numpy.zeros_like(ids)
        types = numpy.zeros_like(ids)
        for row, i in enumerate(batch):
            tokens = self.ids[self.starts[i]:self.starts[i + 1]]
            ids[row, :len(tokens)] = tokens
            mask[row, :len(tokens)] = 1
            types[row, self.firsts[i]:len(tokens)] = 1
        return ids, mask, types, self.labels[batch].astype(numpy.int64)


if __name__ == "__main__":
    main()
