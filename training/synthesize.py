"""Make document-grounded pairs from Wikipedia articles.

In: articles as JSONL (`title`, `text`). Out: pairs as JSONL (`context`, `claim`, `label`, `kind`).

Every change of truth is made in a *quadruple*: a sentence s and its altered twin t each serve as evidence and as claim:
(s, s) and (t, t) are supported, (s, t) and (t, s) contradicted, or neutral where t only adds a detail. The claim alone and the
overlap alone therefore say nothing about the label. All claims then pass through rewrites that keep the meaning
(title for pronoun, dropped parentheses, other number, date and unit formats, synonyms, active for passive), and the evidence is
set among its neighbours in the article. Neutral pairs are also made by taking the key sentence away.
"""

import argparse
import json
import random
import re
import sys

import zstandard

from lexicon import (ANTONYMS, KINDS, MONTHS, NATIONALITIES, NEUTRAL_TAILS, OCCUPATIONS, SMALL_NUMBERS, SYNONYMS, UNITS)

SENTENCE_END = re.compile(r'(?<=[.!?])\s+(?=[A-Z"\'(])')
ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|No|Inc|Ltd|Co|Gen|Col|Lt|Sgt|Prof|Rev|Mt|Ft|ca|c|approx)|\b[A-Z])\.$")
NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})+(?!\w|,\d)|(?<![\w.,-])\d+(?:\.\d+)?(?![\w-]|[.,]\d)")
YEAR = re.compile(r"\b(1[5-9]\d\d|20[0-2]\d)\b")
NAME = re.compile(r"(?<![.\w] )(?<!^)\b(?:[A-Z][a-zà-ÿ]+(?: (?:of|de|van|von|the) (?=[A-Z]))?(?: [A-Z][a-zà-ÿ]+)*)")
DATE_DMY = re.compile(r"\b(\d{1,2}) (%s) (\d{4})\b" % "|".join(MONTHS))
DATE_MDY = re.compile(r"\b(%s) (\d{1,2}), (\d{4})\b" % "|".join(MONTHS))
PASSIVE = re.compile(r"^(.{3,60}?) (was|were) (\w+ed) by ((?:the )?[A-Z][\w.'-]*(?: (?:of |de |van |von |the )?[A-Z][\w.'-]*){0,4})([ ,.].*)?$")
SUBJECT_PRONOUN = re.compile(r"^(?:He|She|It)\b")
COPULA = re.compile(r"\b(is|was|are|were|has been|had been|will be|can|could|would)\b(?! not)")
PAST = re.compile(r"^((?:[A-Z][\w.'-]*|He|She|It|They|The \w+)(?: [A-Z][\w.'-]*){0,4}) (\w{3,}ed|won|became|wrote|made|began|took|led|left|held|sold|built|met|sang|ran|went|came) ")
IRREGULAR = {"won": "win", "became": "become", "wrote": "write", "made": "make", "began": "begin", "took": "take", "led": "lead",
             "left": "leave", "held": "hold", "sold": "sell", "built": "build", "met": "meet", "sang": "sing", "ran": "run",
             "went": "go", "came": "come"}
TRAILING = re.compile(r"^(.{25,}?),? ((?:in|on|at|from|during|with|by|after|before|until|near|for) [^,;()]{3,60})\.$")


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


def without_parentheses(sentence):
    return re.sub(r"\s+([,.])", r"\1", re.sub(r"\s*\([^()]*\)", "", sentence))


def antonym_table():
    table = {}
    for left, right in ANTONYMS:
        table.setdefault(left, []).append(right)
        table.setdefault(right, []).append(left)
    return table


ANTONYM = antonym_table()


class Maker:
    """Makes pairs from one article at a time; `rng` decides everything."""

    def __init__(self, rng):
        self.rng = rng
        self.names = ["London", "Paris", "Chicago", "Germany", "Australia"]

    # -- changes of truth: each returns the altered sentence or None --

    def number(self, s, article):
        found = [m for m in NUMBER.finditer(s) if not YEAR.fullmatch(m[0])]
        if not found:
            return None
        m = self.rng.choice(found)
        value = m[0].replace(",", "")
        others = [n for n in article["numbers"] if n != m[0] and len(n) == len(m[0])]
        if others and self.rng.random() < 0.5:
            new = self.rng.choice(others)
        elif "." in value:
            new = f"{float(value) * self.rng.choice([0.5, 0.8, 1.3, 2, 3]):.{len(value.split('.')[1])}f}"
        else:
            number = int(value)
            new_number = max(1, number + self.rng.choice([-1, 1]) * max(1, int(number * self.rng.choice([0.03, 0.1, 0.3, 0.6]))))
            if new_number == number:
                new_number = number + 2
            new = f"{new_number:,}" if "," in m[0] else str(new_number)
        return None if new == m[0] else s[:m.start()] + new + s[m.end():]

    def small_number(self, s, _):
        found = [m for m in re.finditer(r"\b(?:%s)\b" % "|".join(SMALL_NUMBERS[2:]), s)]
        if not found:
            return None
        m = self.rng.choice(found)
        return s[:m.start()] + self.rng.choice([w for w in SMALL_NUMBERS[2:] if w != m[0]]) + s[m.end():]

    def year(self, s, article):
        found = list(YEAR.finditer(s))
        if not found:
            return None
        m = self.rng.choice(found)
        others = [y for y in article["years"] if y != m[0]]
        new = self.rng.choice(others) if others and self.rng.random() < 0.5 else str(int(m[0]) + self.rng.choice([-20, -7, -3, -2, -1, 1, 2, 4, 9, 30]))
        return s[:m.start()] + new + s[m.end():]

    def month(self, s, _):
        found = [m for m in re.finditer(r"\b(?:%s)\b" % "|".join(m for m in MONTHS if m != "May"), s)]
        if not found:
            return None
        m = self.rng.choice(found)
        return s[:m.start()] + self.rng.choice([w for w in MONTHS if w != m[0]]) + s[m.end():]

    def name(self, s, article):
        found = [m for m in NAME.finditer(s) if m[0] not in MONTHS and len(m[0]) > 3]
        if not found:
            return None
        m = self.rng.choice(found)
        words = len(m[0].split())
        pool = [n for n in article["names"] if n not in s and m[0] not in n and abs(len(n.split()) - words) <= 1]
        if not pool or self.rng.random() < 0.35:
            pool = [n for n in self.names if n not in s and abs(len(n.split()) - words) <= 1]
        if not pool:
            return None
        return s[:m.start()] + self.rng.choice(pool) + s[m.end():]

    def closed_class(self, s, _):
        """Nationality, occupation or kind of thing."""
        for words in self.rng.sample([NATIONALITIES, OCCUPATIONS, KINDS], 3):
            found = [w for w in words if re.search(r"\b%s\b" % w, s)]
            if found:
                old = self.rng.choice(found)
                new = self.rng.choice([w for w in words if w != old])
                out = re.sub(r"\b%s\b" % old, new, s, count=1)
                return re.sub(r"\b(a|an) (?=%s)" % re.escape(new), ("an " if new[0].lower() in "aeiou" else "a "), out)
        return None

    def antonym(self, s, _):
        found = [m for m in re.finditer(r"\b[a-z-]+\b", s) if m[0] in ANTONYM]
        if not found:
            return None
        m = self.rng.choice(found)
        return s[:m.start()] + self.rng.choice(ANTONYM[m[0]]) + s[m.end():]

    def negation(self, s, _):
        m = PAST.match(s)
        if m and self.rng.random() < 0.6:
            verb = m[2]
            stem = IRREGULAR.get(verb)
            if stem is None:
                stem = verb[:-3] + "y" if verb.endswith("ied") else verb[:-1] if re.search(r"(?:[cgsvuz]|at|iv|as|os|id|ar|ir|in)ed$", verb) else re.sub(r"([bdfgmnprt])\1$", r"\1", verb[:-2])
            word = self.rng.choice(["did not", "never", "did not", "didn't"])
            return f"{m[1]} {word} {verb if word == 'never' else stem} {s[m.end():]}"
        m = COPULA.search(s)
        if not m or m.start() > 80:
            return None
        word = self.rng.choice([" not", " not", " never", "n't"])
        if word == "n't" and m[0] not in ("is", "was", "are", "were", "could", "would"):
            word = " not"
        return s[:m.end()] + word + s[m.end():]

    def role(self, s, _):
        """A was V-ed by B: B was V-ed by A."""
        m = PASSIVE.match(s)
        if not m or not m[1][0].isupper() or SUBJECT_PRONOUN.match(m[1]) or m[1].count(",") or len(m[1].split()) > 6:
            return None
        return f"{m[4]} {m[2]} {m[3]} by {m[1]}{m[5] or '.'}"

    @staticmethod
    def first_clause(s):
        """The first of several coordinated clauses, as a sentence; `s` itself where there is but one."""
        m = re.match(r"^(.{30,160}?)(?:, and |, but |; |, where |, which |, while )", s)
        return m[1] + "." if m and m[1].count("(") == m[1].count(")") and m[1].count('"') % 2 == 0 else s

    # -- additions: the altered sentence says more than the original --

    def detail(self, s, article):
        m = TRAILING.match(s)
        if m:
            return m[1] + "."   # the *shorter* one: callers orient the pair by length
        return None

    def tail(self, s, article):
        if self.rng.random() < 0.6 and article["tails"]:
            tail = self.rng.choice(article["tails"])
            if tail.split()[0] + " " + tail.split()[1] in s:
                return None
        else:
            tail = self.rng.choice(NEUTRAL_TAILS)
        return s[:-1] + " " + tail + "."

    # -- rewrites that keep the meaning --

    def rewrite(self, s, title):
        rng = self.rng
        if rng.random() < 0.7:
            s = without_parentheses(s)
        if title and SUBJECT_PRONOUN.match(s) and rng.random() < 0.8:
            s = SUBJECT_PRONOUN.sub(lambda _: title, s, count=1)
        if rng.random() < 0.5:
            s = DATE_DMY.sub(lambda m: f"{m[2]} {m[1]}, {m[3]}", s) if DATE_DMY.search(s) else DATE_MDY.sub(lambda m: f"{m[2]} {m[1]} {m[3]}", s)
        if rng.random() < 0.2:
            s = re.sub(r"(?<!\d)\d{1,3}(?:,\d{3})+(?!\d)", lambda m: m[0].replace(",", ""), s)
        if rng.random() < 0.3:
            s = re.sub(r"\b(?:%s)\b" % "|".join(SMALL_NUMBERS[2:]), lambda m: str(SMALL_NUMBERS.index(m[0])), s)
        elif rng.random() < 0.2:
            s = re.sub(r"(?<![\w.,-])([2-9])(?= [a-z]{4,})", lambda m: SMALL_NUMBERS[int(m[1])], s)
        if rng.random() < 0.3:
            m = re.search(r"(?<![\w.,-])(\d[\d,.]*) (%s)\b" % "|".join(UNITS), s)
            if m:
                other, factor, decimals = UNITS[m[2]]
                value = float(m[1].strip(",.").replace(",", "") or 0) * factor
                if value >= 10:
                    s = s[:m.start()] + f"about {value:,.{decimals}f} {other}" + s[m.end():]
        for _ in range(2):
            if rng.random() < 0.55:
                left, right = rng.choice(self.synonyms_in(s) or [(None, None)])
                if left:
                    s = re.sub(r"\b%s\b" % re.escape(left), right, s, count=1)
        m = PASSIVE.match(s)
        if m and rng.random() < 0.5 and not SUBJECT_PRONOUN.match(m[1]) and len(m[1].split()) <= 6:
            first = m[1] if m[1].split()[0] not in ("The", "A", "An", "His", "Her", "Its", "This", "Their") else m[1][0].lower() + m[1][1:]
            s = f"{m[4][0].upper() + m[4][1:]} {m[3]} {first}{m[5] or '.'}"
        if rng.random() < 0.25:
            m = TRAILING.match(s)
            if m and not re.search(r"\b(?:not|never|only|all|none|few|no)\b", s):
                s = m[1] + "."
        if rng.random() < 0.15 and "," in s:
            s = re.sub(r", (?:who|which) [^,]{5,60},", "", s, count=1)
        if rng.random() < 0.1:
            s = s.rstrip(".")
        if rng.random() < 0.05:
            s = s.lower()
        return s

    @staticmethod
    def synonyms_in(s):
        return [(a, b) for a, b in SYNONYMS + [(b, a) for a, b in SYNONYMS[:30]] if " %s " % a in s]

    # -- one article --

    def passage(self, article, index, sentence):
        """`sentence` in place of sentence `index`, among zero to three neighbours."""
        rng = self.rng
        all_sentences = article["sentences"]
        before = rng.choice([0, 0, 1, 1, 2])
        after = rng.choice([0, 0, 1, 1, 2])
        lines = all_sentences[max(0, index - before):index] + [sentence] + all_sentences[index + 1:index + 1 + after]
        text = " ".join(line for line in lines if line)
        if rng.random() < 0.25:
            text = f"{article['title']}: {text}"
        return text

    def pairs(self, article):
        rng = self.rng
        candidates = [i for i, s in enumerate(article["sentences"]) if good(s)]
        rng.shuffle(candidates)
        changes = [self.number, self.year, self.name, self.name, self.closed_class, self.antonym, self.negation, self.role,
                   self.month, self.small_number]
        made = 0
        for index in candidates:
            if made >= 3:
                break
            s = article["sentences"][index]
            title = article["title"] if "(" not in article["title"] else article["title"].split(" (")[0]
            if rng.random() < 0.68:
                # Half of the claims are only the first clause of their sentence.
                s_claim = self.first_clause(s) if rng.random() < 0.5 else s
                rng.shuffle(changes)
                if rng.random() < 0.6:
                    changes.sort(key=lambda change: change.__name__ not in ("number", "year", "month", "small_number", "role", "closed_class"))
                for change in changes:
                    t_claim = change(s_claim, article)
                    if t_claim and t_claim != s_claim:
                        break
                else:
                    continue
                if abs(len(t_claim) - len(s_claim)) > 40:
                    continue
                t = t_claim[:-1] + s[len(s_claim) - 1:]
                kind = change.__name__
                made += 1
                for evidence, claim, label in ((s, s_claim, "supported"), (t, t_claim, "supported"),
                                               (s, t_claim, "contradicted"), (t, s_claim, "contradicted")):
                    # Of the four, two are kept at random: one supported, one contradicted.
                    yield kind, self.passage(article, index, evidence), self.rewrite_safe(claim, title, kind), label
            else:
                longer = self.tail(s, article) if rng.random() < 0.5 else s
                shorter = s if longer and longer is not s else self.detail(s, article)
                if longer and shorter and longer != shorter:
                    made += 1
                    yield "detail", self.passage(article, index, shorter), self.rewrite_safe(longer, title, "detail"), "neutral"
                    yield "detail", self.passage(article, index, longer), self.rewrite(shorter, title), "supported"
                    yield "detail", self.passage(article, index, longer), self.rewrite_safe(longer, title, "detail"), "supported"
                # the passage without its key sentence
                blank = self.passage(article, index, "")
                if len(blank) > 60:
                    claim = s if not SUBJECT_PRONOUN.match(s) else SUBJECT_PRONOUN.sub(lambda _: title, s, count=1)
                    yield "elsewhere", blank, self.rewrite(claim, title), "neutral"

    def rewrite_safe(self, claim, title, kind):
        """Rewrites keep the changed part: nothing is dropped, and units stay."""
        state = claim
        for _ in range(4):
            out = self.rewrite(state, title)
            if kind in ("number", "year", "month", "small_number", "name", "detail", "closed_class", "role", "antonym") and len(out) < len(without_parentheses(claim)) - 12:
                continue
            return out
        return claim


def prepare(record):
    lines = [line for line in record["text"].split("\n") if len(line) > 60]
    sents = [s for line in lines[:12] for s in sentences(line)]
    text = " ".join(sents)
    return {
        "title": record["title"],
        "sentences": sents,
        "numbers": sorted({m[0] for m in NUMBER.finditer(text) if not YEAR.fullmatch(m[0])}),
        "years": sorted(set(YEAR.findall(text))),
        "names": sorted({m[0] for s in sents for m in NAME.finditer(s) if m[0] not in MONTHS and len(m[0]) > 3}),
        "tails": [m[2] for m in map(TRAILING.match, sents) if m and len(m[2].split()) > 2],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wiki")
    parser.add_argument("out")
    parser.add_argument("--pairs", type=int, default=60000)
    parser.add_argument("--dev", type=int, default=2000, help="pairs held out, from articles of their own")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    maker = Maker(rng)
    with zstandard.open(args.wiki, "rt", encoding="utf-8") as source:
        records = [json.loads(line) for line in source]
    rng.shuffle(records)
    # a pool of names from other articles, so that a strange name is no sign of a lie
    for record in records[:1500]:
        maker.names.extend(prepare({"title": record["title"], "text": record["text"][:1500]})["names"][:6])
    counts = {}
    written = 0
    split = "dev"
    with open(args.out, "w", encoding="utf-8") as out:
        for record in records:
            if len(record["text"]) < 300:
                continue
            if written >= args.dev:
                split = "train"
            if written >= args.dev + args.pairs:
                break
            group = list(maker.pairs(prepare(record)))
            keep = []
            quad = [g for g in group if g[3] == "contradicted" or g[0] not in ("detail", "elsewhere")]
            for i in range(0, len(quad) - 3, 4):
                keep += [quad[i + rng.randrange(2)], quad[i + 2 + rng.randrange(2)]]
            rest = [g for g in group if g[0] in ("detail", "elsewhere")]
            for i, g in enumerate(rest):
                if g[3] == "neutral" or rng.random() < 0.5:
                    keep.append(g)
            for kind, context, claim, label in keep:
                out.write(json.dumps({"context": context, "claim": claim, "label": label, "kind": kind, "split": split}, ensure_ascii=False) + "\n")
                written += 1
                counts[(kind, label)] = counts.get((kind, label), 0) + 1
    for key in sorted(counts):
        print(*key, counts[key], file=sys.stderr)


if __name__ == "__main__":
    main()
