"""Let the teacher, all-MiniLM-L6-v2, embed every token of its vocabulary and passages of Wikipedia: what `static.py` learns from.

In: the articles (JSONL, zstd) and the base. Out: one `.npz` with the tokens' vectors, the passages' token ids, one after the other
with their ends, and the passages' vectors. Passages are one to four sentences that follow each other, as indexes hold them; a
seed says which. A sixth of them are at most twelve tokens out of one, as questions are short.
"""

import argparse
import random

import numpy
import torch
from transformers import BertModel

from data import read, tokenizer
from synthesize import sentences

CLS, SEP, LONGEST = 101, 102, 254
TOKENS_A_BATCH = 8192


def passages(articles, tok, count, seed):
    rng = random.Random(seed)
    starts = []
    for article in articles:
        lines = [line for paragraph in article["text"].split("\n") for line in sentences(paragraph) if 30 <= len(line) <= 600]
        starts += [lines[at:at + rng.choice((1, 1, 2, 3, 4))] for at in range(0, len(lines), 4)]
    rng.shuffle(starts)
    out = []
    for lines in starts[:count]:
        ids = tok.encode(" ".join(lines), add_special_tokens=False).ids[:LONGEST]
        if rng.random() < 1 / 6:
            length = rng.randint(2, 12)
            begin = rng.randrange(max(1, len(ids) - length))
            ids = ids[begin:begin + length]
        if ids:
            out.append(ids)
    return out


def embed(model, texts):
    """Unit vectors: the mean over the states of all tokens, marks included, as the model's own settings say."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    vectors = numpy.zeros((len(texts), model.config.hidden_size), dtype=numpy.float16)
    at = 0
    while at < len(order):
        count = max(1, TOKENS_A_BATCH // (len(texts[order[min(at + 255, len(order) - 1)]]) + 2))
        batch = order[at:at + min(count, 256)]
        longest = len(texts[batch[-1]]) + 2
        ids = torch.zeros((len(batch), longest), dtype=torch.long)
        for row, i in enumerate(batch):
            ids[row, :len(texts[i]) + 2] = torch.tensor([CLS, *texts[i], SEP])
        mask = (ids != 0).long()
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            states = model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        means = (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        vectors[batch] = torch.nn.functional.normalize(means, dim=1).numpy()
        at += len(batch)
        if at // 5000 != (at - len(batch)) // 5000:
            print(f"{at} of {len(order)}", flush=True)
    return vectors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("articles", nargs="+")
    parser.add_argument("--base", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tok = tokenizer(args.base)
    texts = passages((row for path in args.articles for row in read(path)), tok, args.count, args.seed)
    model = BertModel.from_pretrained(args.base, add_pooling_layer=False).eval()
    words = embed(model, [[i] for i in range(model.config.vocab_size)])
    vectors = embed(model, texts)
    numpy.savez(args.out, words=words, vectors=vectors, ids=numpy.array([i for text in texts for i in text], dtype=numpy.uint16),
                ends=numpy.cumsum([len(text) for text in texts]))
    print(f"{len(texts)} passages, {sum(map(len, texts))} tokens")


if __name__ == "__main__":
    main()
