"""What int8 costs: the shipped model against its fp32 original on the same rows of every dev set, with McNemar's exact test.

A row is right where the likeliest class is (two-class sets: where supported is told from the rest at 0.5). Prints one JSON line a
set and one for all of them pooled: rows, both accuracies, rows that only one gets right, p.
"""

import argparse
import json
from math import comb

import numpy

from data import tokenizer
from evaluate import labelled, open_session, scores_of, sets_of

CLASSES = ["supported", "neutral", "contradicted"]


def right(rows, scores):
    if {row["label"] for row in rows} <= {"supported", "unsupported"} or "neutral" not in {row["label"] for row in rows}:
        return (scores[:, 0] >= 0.5) == numpy.array([row["label"] == "supported" for row in rows])
    return scores.argmax(1) == numpy.array([CLASSES.index(row["label"]) if row["label"] in CLASSES else 1 for row in rows])


def mcnemar(first, second):
    """Two-sided exact p of as uneven a split of the rows that only one gets right."""
    n, k = first + second, min(first, second)
    return min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--int8", required=True)
    parser.add_argument("--fp32", required=True)
    parser.add_argument("--tokenizer", required=True, help="folder that holds tokenizer.json")
    parser.add_argument("--dev", required=True)
    parser.add_argument("--limit", type=int, default=500)
    args = parser.parse_args()
    tok, sessions = tokenizer(args.tokenizer), [open_session(args.int8), open_session(args.fp32)]
    pooled = [[], []]

    def line(name, a, b):
        only = int((a & ~b).sum()), int((b & ~a).sum())
        print(json.dumps({"set": name, "rows": len(a), "int8": round(float(a.mean()), 4), "fp32": round(float(b.mean()), 4),
                          "only_int8_right": only[0], "only_fp32_right": only[1], "p": round(mcnemar(*only), 4)}), flush=True)

    for name, path in sets_of(args.dev):
        rows = labelled(path, args.limit)
        a, b = (right(rows, scores_of(session, tok, rows)) for session in sessions)
        pooled[0].append(a)
        pooled[1].append(b)
        line(name, a, b)
    line("pooled", numpy.concatenate(pooled[0]), numpy.concatenate(pooled[1]))


if __name__ == "__main__":
    main()
