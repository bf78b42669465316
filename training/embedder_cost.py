"""What int8 costs the embedder: files beside their fp32 original on the same passages of Wikipedia.

Prints a JSON line a file: its bytes, the mean and the least cosine to fp32, how many of a passage's ten nearest stay among them, and
passages a second on one core, alone in their run, cut to 62 tokens. Passages are those that `teach.py` took.
"""

import argparse
import json
import os
import time

import numpy
import onnxruntime

from teach import CLS, SEP


def open_session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def run(session, ids):
    ids = numpy.array([[CLS, *ids, SEP]], dtype=numpy.int64)
    states = session.run(None, {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)})[0]
    mean = states[0].mean(0)
    return mean / numpy.linalg.norm(mean)


def nearest(vectors):
    scores = vectors @ vectors.T
    numpy.fill_diagonal(scores, -1)
    return numpy.argsort(-scores, axis=1)[:, :10]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taught", required=True, help="the .npz of teach.py")
    parser.add_argument("--fp32", required=True)
    parser.add_argument("--files", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args()
    taught = numpy.load(args.taught)
    texts = [text.tolist() for text in numpy.split(taught["ids"], taught["ends"][:-1])[:args.count]]
    long = [text[:60] for text in texts if len(text) >= 60][:200]
    reference = None
    for path in [args.fp32, *args.files]:
        session = open_session(path)
        vectors = numpy.stack([run(session, text) for text in texts])
        reference = vectors if reference is None else reference
        cosines = (vectors * reference).sum(1)
        kept = [len(set(a) & set(b)) for a, b in zip(nearest(vectors), nearest(reference))]
        start = time.process_time()
        for text in long:
            run(session, text)
        print(json.dumps({"file": path, "bytes": os.path.getsize(path), "cosine": round(float(cosines.mean()), 4),
                          "least": round(float(cosines.min()), 4), "top10": round(sum(kept) / 10 / len(kept), 4),
                          "texts_a_second": round(len(long) / (time.process_time() - start), 1)}), flush=True)


if __name__ == "__main__":
    main()
