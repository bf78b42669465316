"""Distil the teacher into a table of word pieces: evidex-static.

In: what `teach.py` wrote. Out: `model.safetensors` with a row of whole numbers and a scale for each piece, and its settings. A text's
vector is the sum of its pieces' rows, made unit length.

The table begins as the teacher's vector of each piece alone, without the mean, turned to the principal axes of the passages'
vectors, each axis divided by the square root of its deviation; a piece that is a share p of the passages weighs a / (a + p) (SIF,
Arora et al., 2017). Then it is fitted: the cosine between a passage's sum and its vector by the teacher, turned likewise, is
made large by Adam over the whole table. A thousand passages take no part and say how near it came.
"""

import argparse
import json
import os
import random
import shutil

import numpy
import torch
from safetensors.numpy import save_file

from export import write_digests

SPECIAL = [0, 100, 101, 102, 103]
HELD_OUT = 1000
BATCH = 512


def unit(rows):
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def principal(vectors, dimension):
    """The axes along which the vectors differ most, each divided by the square root of the deviation along it."""
    centred = vectors - vectors.mean(0)
    values, axes = numpy.linalg.eigh(centred.T @ centred / len(centred))
    return axes[:, ::-1][:, :dimension] * values[::-1][:dimension] ** -0.25


class Passages:
    def __init__(self, taught):
        self.ids, self.ends = torch.from_numpy(taught["ids"].astype(numpy.int64)), taught["ends"]
        self.starts = numpy.concatenate([[0], self.ends[:-1]])

    def sums(self, table, which):
        """Unit sums of the rows of each passage's pieces."""
        flat = torch.cat([self.ids[self.starts[i]:self.ends[i]] for i in which])
        lengths = self.ends[which] - self.starts[which]
        begins = torch.from_numpy(numpy.cumsum(lengths) - lengths)
        sums = torch.nn.functional.embedding_bag(flat, table, begins, mode="sum")
        return torch.nn.functional.normalize(sums, dim=1)


def fit(start, passages, targets, steps, rate, rng):
    table = torch.nn.Parameter(torch.from_numpy(start))
    optimizer = torch.optim.Adam([table], lr=rate, betas=(0.9, 0.99))
    order = []
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * min(1, (step + 1) / 50) * (1 - step / steps)
        if len(order) < BATCH:
            order = list(range(len(targets) - HELD_OUT))
            rng.shuffle(order)
        which = numpy.array(sorted(order.pop() for _ in range(BATCH)))
        loss = 1 - (passages.sums(table, which) * targets[which]).sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            print(f"step {step}: cosine {1 - loss.item():.4f}", flush=True)
    return table.detach()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--taught", required=True)
    parser.add_argument("--base", required=True, help="folder that holds tokenizer.json")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="evidex-static-1")
    parser.add_argument("--dimension", type=int, default=256)
    parser.add_argument("--weight", type=float, default=3e-4, help="a of a / (a + p)")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    taught = numpy.load(args.taught)
    words, vectors = taught["words"].astype(numpy.float32), taught["vectors"].astype(numpy.float32)
    axes = principal(vectors, args.dimension)
    share = numpy.bincount(taught["ids"], minlength=len(words)) / len(taught["ids"])
    start = unit((words - words.mean(0)) @ axes) * (args.weight / (args.weight + share))[:, None]
    passages, targets = Passages(taught), torch.from_numpy(unit((vectors - vectors.mean(0)) @ axes))
    table = fit(start.astype(numpy.float32), passages, targets, args.steps, args.rate, random.Random(1))
    held_out = numpy.arange(len(targets) - HELD_OUT, len(targets))

    def near(table):
        return (passages.sums(table, held_out) * targets[held_out]).sum(1).mean().item()

    # What is no word, and what the vocabulary does not know, weighs nothing.
    table[SPECIAL] = 0
    scales = (table.abs().amax(1) / 127).numpy()
    rows = numpy.round(table.numpy() / numpy.maximum(scales, 1e-12)[:, None]).astype(numpy.int8)
    print(f"cosine to the teacher on {HELD_OUT} passages: {near(torch.from_numpy(start.astype(numpy.float32))):.4f} at the start, "
          f"{near(table):.4f} fitted, {near(torch.from_numpy(rows * scales[:, None])):.4f} as whole numbers")
    os.makedirs(args.out, exist_ok=True)
    save_file({"rows": rows, "scales": scales}, os.path.join(args.out, "model.safetensors"))
    shutil.copyfile(os.path.join(args.base, "tokenizer.json"), os.path.join(args.out, "tokenizer.json"))
    settings = {"_name_or_path": args.name, "model_type": "static", "hidden_size": args.dimension, "vocab_size": len(rows)}
    with open(os.path.join(args.out, "config.json"), "w", encoding="utf-8") as file:
        json.dump(settings, file, indent=2)
        file.write("\n")
    write_digests(args.out)


if __name__ == "__main__":
    main()
