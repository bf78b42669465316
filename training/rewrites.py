"""Rewrites that keep the meaning of a claim."""

import re

from changes import PASSIVE, SUBJECT_PRONOUN, TRAILING
from lexicon import MONTHS, SMALL_NUMBERS, SYNONYMS, UNITS
from wordnet import forms

DATE_DMY = re.compile(r"\b(\d{1,2}) (%s) (\d{4})\b" % "|".join(MONTHS))
DATE_MDY = re.compile(r"\b(%s) (\d{1,2}), (\d{4})\b" % "|".join(MONTHS))


def without_parentheses(sentence):
    return re.sub(r"\s+([,.])", r"\1", re.sub(r"\s*\([^()]*\)", "", sentence))


class Rewrites:
    def __init__(self, rng, wordnet):
        self.rng, self.wordnet = rng, wordnet

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
        if rng.random() < 0.5:
            s = self.other_word(s)
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

    def other_word(self, s):
        """One word of `s` by a synonym of WordNet's."""
        found = [(m, inflect(word)) for m in re.finditer(r"\b[a-z]{4,}\b", s) for lemma, pos, inflect in forms(m[0])
                 for word in self.wordnet.same(lemma, pos)]
        found = [(m, word) for m, word in found if word and word not in s]
        if not found:
            return s
        m, word = self.rng.choice(found)
        out = s[:m.start()] + word + s[m.end():]
        return re.sub(r"\b([Aa])n? (?=%s\b)" % re.escape(word), lambda m: m[1] + ("n " if word[0] in "aeiou" else " "), out)
