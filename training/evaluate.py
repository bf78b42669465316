"""The model alone on the dev sets, through ONNX Runtime, beside trivial baselines.

A context is cut into windows of at most 256 tokens with overlap, or into its sentences; over windows the largest entailment and
the largest contradiction count. Prints one JSON line a set. (`evidex eval` measures the product: model, checks and fusion.)
"""

import argparse
import glob
import json
import os
import re

import numpy
import onnxruntime

from data import read, tokenizer

LIMIT = 256


def windows(tok, context, claim):
    second = tok.encode(claim, add_special_tokens=False).ids[:LIMIT // 2]
    first = tok.encode(context, add_special_tokens=False).ids
    room = LIMIT - 3 - len(second)
    step = max(1, room * 3 // 4)
    for start in range(0, max(1, len(first) - room // 4), step):
        part = first[start:start + room]
        ids = [101] + part + [102] + second + [102]
        yield ids, len(part) + 2


def probabilities(session, ids, first):
    array = numpy.array([ids], dtype=numpy.int64)
    types = numpy.zeros_like(array)
    types[0, first:] = 1
    logits = session.run(["logits"], {"input_ids": array, "attention_mask": numpy.ones_like(array), "token_type_ids": types})[0][0]
    e = numpy.exp(logits - logits.max())
    return e / e.sum()


def balanced(gold, guess):
    return float(numpy.mean([(guess[gold == c] == c).mean() for c in numpy.unique(gold)]))


def auroc(gold, score):
    order = numpy.argsort(score, kind="stable")
    ranks = numpy.empty(len(score))
    values, inverse, counts = numpy.unique(score, return_inverse=True, return_counts=True)
    ends = numpy.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    positive = gold.sum()
    if positive in (0, len(gold)):
        return None
    del order
    return float((ranks[gold].sum() - positive * (positive + 1) / 2) / (positive * (len(gold) - positive)))


def overlap(context, claim):
    words = set(re.findall(r"\w+", claim.lower()))
    return len(words & set(re.findall(r"\w+", context.lower()))) / max(1, len(words))


def labelled(path, limit=0):
    """The rows of a set that have one of the four labels, at most `limit` of them, evenly spaced."""
    rows = [r for r in read(path) if r["label"] in ("supported", "contradicted", "neutral", "unsupported") and r.get("split", "dev") == "dev"]
    if limit and len(rows) > limit:
        rows = [rows[i] for i in numpy.linspace(0, len(rows) - 1, limit).astype(int)]
    return rows


def scores_of(session, tok, rows, claim_only=False):
    """Three probabilities a row; over several windows the largest entailment and the largest contradiction."""
    scores = []
    for row in rows:
        context = "" if claim_only else row["context"] if isinstance(row["context"], str) else "\n".join(row["context"])
        found = numpy.array([probabilities(session, *w) for w in windows(tok, context, row["claim"])])
        best = found[:, 0].max()
        against = found[:, 2].max()
        scores.append((best, max(0.0, 1 - best - against), against) if len(found) > 1 else found[0])
    return numpy.array(scores)


def open_session(path):
    """The model on one thread, as evidex runs it."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def sets_of(dev, only=""):
    """The files of a folder of sets, or the one file; those without contexts are left out."""
    paths = sorted(glob.glob(os.path.join(dev, "*.zst"))) if os.path.isdir(dev) else [dev]
    names = [(os.path.basename(path).split(".")[0], path) for path in paths]
    return [(name, path) for name, path in names if "nocontext" not in name and (not only or re.search(only, name))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokenizer", required=True, help="folder that holds tokenizer.json")
    parser.add_argument("--dev", required=True, help="folder of dev sets, or one file")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--claim-only", action="store_true")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    session, tok = open_session(args.model), tokenizer(args.tokenizer)
    for name, path in sets_of(args.dev, args.only):
        rows = labelled(path, args.limit)
        scores = scores_of(session, tok, rows, args.claim_only)
        labels = [r["label"] for r in rows]
        gold = numpy.array([label == "supported" for label in labels])
        line = {"set": name, "rows": len(rows), "balanced_accuracy": balanced(gold, scores[:, 0] >= 0.5),
                "best_threshold": max(balanced(gold, scores[:, 0] >= t) for t in numpy.linspace(0.02, 0.98, 49)),
                "auroc": auroc(gold, scores[:, 0]),
                "overlap_auroc": auroc(gold, numpy.array([overlap(str(r["context"]), r["claim"]) for r in rows]))}
        if set(labels) == {"supported", "neutral", "contradicted"}:
            three = numpy.array([["supported", "neutral", "contradicted"].index(label) for label in labels])
            line["accuracy3"] = float((scores.argmax(1) == three).mean())
        print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()}), flush=True)


if __name__ == "__main__":
    main()
