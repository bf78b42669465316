"""Make document-grounded pairs from Wikipedia articles.

In: articles as JSONL (`title`, `text`) and WordNet's folder. Out: pairs as JSONL (`context`, `claim`, `label`, `kind`, `split`).

Every change of truth is made in a *quadruple*: a sentence s and its altered twin t each serve as evidence and as claim:
(s, s) and (t, t) are supported, (s, t) and (t, s) contradicted, or neutral where t only adds a detail, or "unsupported" (not
entailed, one cannot say which of the two) where both could be true. So the claim alone says nothing about the label. Claims are
the sentence or a shorter fact that it states (`facts.py`); they pass through rewrites that keep the meaning (`rewrites.py`), and the
evidence is set among its neighbours in the article. Values and names that are swapped in (`changes.py`) stand, if possible, in those
very neighbours: every word of the claim is then in the passage. Neutral pairs are also made by taking the key sentence away.

Last, `balance` drops pairs until supported and other claims have the same distribution of overlap with their passage.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict

import zstandard

from changes import NAME, NUMBER, SUBJECT, SUBJECT_PRONOUN, TRAILING, YEAR, Changes
from facts import derive
from lexicon import MONTHS
from rewrites import Rewrites, without_parentheses
from wordnet import WordNet

SENTENCE_END = re.compile(r'(?<=[.!?])\s+(?=[A-Z"\'(])')
ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|No|Inc|Ltd|Co|Gen|Col|Lt|Sgt|Prof|Rev|Mt|Ft|ca|c|approx)|\b[A-Z])\.$")
# What the sample's extraction from wiki text left behind.
EMPTY_BRACKETS = re.compile(r" ?\([ ,;]*\)|(?<=\()[ ,;]+")
MARKUP = re.compile(r"\[\[|\]\]|\{\{|\}\}|\||<\w+")
# What the two crossed pairs of a quadruple are; "contradicted" unless named here.
CROSSED = {"sister": "unsupported", "other_subject": "unsupported", "planned": "unsupported"}
# How often a change is tried first.
WEIGHTS = {"number": 3, "year": 3, "month": 1, "small_number": 2, "name": 5, "other_subject": 4, "closed_class": 2, "antonym": 2, "opposite": 1,
           "negation": 2, "undone": 1, "planned": 1, "role": 60, "swap": 60, "sister": 1, "wider": 2}
RARE = {"role", "swap", "other_subject", "planned", "undone", "elsewhere"}
# The changed part must reach the claim.
KEEP_ALL = {"number", "year", "month", "small_number", "name", "detail", "closed_class", "role", "swap", "antonym", "opposite", "sister", "wider"}


def sentences(text):
    """Split a paragraph; a piece that ends in an abbreviation is joined to the next."""
    out = []
    for piece in SENTENCE_END.split(text):
        if out and ABBREVIATION.search(out[-1]):
            out[-1] += " " + piece
        else:
            out.append(piece)
    return [piece.strip() for piece in out]


def good(sentence):
    words = sentence.split()
    return 6 <= len(words) <= 45 and sentence[-1] == "." and sentence[0].isupper() and sentence.count("(") == sentence.count(")") \
        and sentence.count('"') % 2 == 0


def values(sents):
    """What sentences offer to be swapped in elsewhere."""
    text = " ".join(sents)
    return {
        "numbers": sorted({m[0] for m in NUMBER.finditer(text) if not YEAR.fullmatch(m[0])}),
        "years": sorted(set(YEAR.findall(text))),
        "names": sorted({m[0] for s in sents for m in NAME.finditer(s) if m[0] not in MONTHS and len(m[0]) > 3}),
        "subjects": sorted({m[0] for m in map(SUBJECT.match, sents) if m and not SUBJECT_PRONOUN.match(m[0]) and m[0] not in ("This", "There", "They", "These")}),
        "tails": [m[2] for m in map(TRAILING.match, sents) if m and len(m[2].split()) > 2],
    }


class Maker:
    """Makes the pairs of one article at a time."""

    def __init__(self, rng, wordnet):
        self.rng = rng
        self.changes = Changes(rng, wordnet)
        self.rewrites = Rewrites(rng, wordnet)

    def pairs(self, title, sents):
        """Yields (kind, context, claim, label)."""
        rng = self.rng
        everywhere = values(sents)
        plain_title = title.split(" (")[0]
        candidates = [i for i, s in enumerate(sents) if good(s)]
        rng.shuffle(candidates)
        made = 0
        for index in candidates:
            if made >= 6:
                break
            s = sents[index]
            before, after = rng.choice([0, 0, 1, 1, 2, 3]), rng.choice([0, 0, 1, 1, 2, 3])
            left, right = sents[max(0, index - before):index], sents[index + 1:index + 1 + after]
            heading = f"{title}: " if rng.random() < 0.25 else ""

            def passage(sentence):
                return heading + " ".join([*left, sentence, *right]).strip()

            near = values(left + right)
            pool = {kind: near[kind] if near[kind] and rng.random() < 0.75 else everywhere[kind] for kind in everywhere}
            if rng.random() < 0.75:
                made += self.quadruple(s, plain_title, pool, passage, out := [])
                yield from out
            else:
                longer = self.changes.tail(s, everywhere) if rng.random() < 0.5 else s
                shorter = s if longer is not s else self.changes.detail(s, everywhere)
                if longer and shorter and longer != shorter:
                    made += 1
                    yield "detail", passage(shorter), self.reworded(longer, plain_title, "detail"), "neutral"
                    yield "detail", passage(longer), self.rewrites.rewrite(shorter, plain_title), "supported"
                    yield "detail", passage(longer), self.reworded(longer, plain_title, "detail"), "supported"
                blank = passage("")
                if len(blank) > 60:
                    claim = rng.choice(list(derive(self.named(s, plain_title)).values()))
                    yield "elsewhere", blank, self.rewrites.rewrite(claim, plain_title), "neutral"

    def quadruple(self, s, title, pool, passage, out):
        """Appends the pairs of one change of `s` to `out`; returns how many changes were made, 0 or 1."""
        rng = self.rng
        names = list(WEIGHTS)
        while names:
            kind = rng.choices(names, [WEIGHTS[name] for name in names])[0] if len(names) < len(WEIGHTS) or rng.random() < 0.3 else "swap"
            names.remove(kind)
            t = getattr(self.changes, kind)(s, pool) if kind != "other_subject" else self.changes.other_subject(s, pool, title)
            if not t or t == s or abs(len(t) - len(s)) > 40:
                continue
            mine, other = derive(self.named(s, title)), derive(self.named(t, title))
            shared = [name for name in mine if name in other and mine[name] != other[name]]
            if not shared:
                continue
            short = [name for name in shared if name != "whole"]
            name = rng.choice(short) if short and rng.random() < 0.7 else "whole" if "whole" in shared else rng.choice(shared)
            crossed = CROSSED.get(kind, "contradicted")
            # A wider word is entailed by the narrower one, not the other way round.
            forward = "supported" if kind == "wider" and not re.search(r"\b(?:not|no|never|all|every|only|few|without)\b", s) else "neutral" if kind == "wider" else crossed
            backward = "neutral" if kind == "wider" else crossed
            a, b = self.reworded_alike(mine[name], other[name], title, kind)
            if a is None:
                continue
            # Of each two, one is kept.
            true = rng.choice([(s, a), (t, b)])
            false = rng.choice([(s, b, forward), (t, a, backward)])
            if kind == "wider":
                false = (t, a, backward)
                true = rng.choice([true, (s, b)]) if forward == "supported" else true
            out.append((kind, passage(true[0]), true[1], "supported"))
            out.append((kind, passage(false[0]), false[1], false[2]))
            return 1
        return 0

    @staticmethod
    def named(s, title):
        return SUBJECT_PRONOUN.sub(lambda _: title, s, count=1)

    def reworded_alike(self, a, b, title, kind):
        """The same rewrite of a claim and of its altered twin, in which they still differ; (None, None) where none is found."""
        for _ in range(4):
            state = self.rng.getstate()
            first = self.reworded(a, title, kind)
            self.rng.setstate(state)
            second = self.reworded(b, title, kind)
            if first != second:
                # The two do not use the same random numbers from here on.
                self.rng.random()
                return first, second
        return None, None

    def reworded(self, claim, title, kind):
        """A rewrite that drops nothing where the changed part could be lost."""
        for _ in range(4):
            out = self.rewrites.rewrite(claim, title)
            if kind not in KEEP_ALL or len(out) >= len(without_parentheses(claim)) - 12:
                return out
        return claim


def overlap(context, claim):
    """Share of the claim's words that the context holds, as `evaluate.py` counts it."""
    words = set(re.findall(r"\w+", claim.lower()))
    return len(words & set(re.findall(r"\w+", context.lower()))) / max(1, len(words))


def balance(rows, rng):
    """As many supported as other pairs at every overlap; the rest is dropped, kinds that are rare last."""
    bins = defaultdict(lambda: ([], []))
    for row in rows:
        bins[round(overlap(row["context"], row["claim"]) * 40)][row["label"] == "supported"].append(row)
    kept = []
    for pair in bins.values():
        least = min(map(len, pair))
        for side in pair:
            rng.shuffle(side)
            side.sort(key=lambda row: row["kind"] not in RARE)
            kept += side[:least]
    rng.shuffle(kept)
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wiki")
    parser.add_argument("out")
    parser.add_argument("--wordnet", default="/usr/share/wordnet", help="folder of WordNet 3.0's database files")
    parser.add_argument("--pairs", type=int, default=160000, help="most pairs to train on")
    parser.add_argument("--dev", type=int, default=2000, help="most pairs held out, from articles of their own")
    parser.add_argument("--seed", type=int, default=8)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    maker = Maker(rng, WordNet(args.wordnet))
    with zstandard.open(args.wiki, "rt", encoding="utf-8") as source:
        records = [json.loads(line) for line in source]
    rng.shuffle(records)
    articles = []
    for record in records:
        lines = [line for line in record["text"].split("\n") if len(line) > 60]
        sents = [s for line in lines[:12] for s in sentences(EMPTY_BRACKETS.sub("", line)) if not MARKUP.search(s)]
        if len(sents) > 2:
            articles.append((record["title"], sents))
    # a pool of names from other articles, so that a strange name is no sign of a lie
    for _, sents in articles[:1500]:
        maker.changes.names.extend(values(sents[:8])["names"][:6])
    held_out = len(articles) // 40
    counts = Counter()
    with open(args.out, "w", encoding="utf-8") as out:
        for split, part, most in (("dev", articles[:held_out], args.dev), ("train", articles[held_out:], args.pairs)):
            rows = [{"context": context, "claim": claim, "label": label, "kind": kind, "split": split}
                    for title, sents in part for kind, context, claim, label in maker.pairs(title, sents)]
            made = len(rows)
            rows = balance(rows, rng)[:most]
            print(f"{split}: {made} pairs made, {len(rows)} kept", file=sys.stderr)
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                counts[split, row["kind"], row["label"]] += 1
    for key, count in sorted(counts.items()):
        print(*key, count, file=sys.stderr)


if __name__ == "__main__":
    main()
