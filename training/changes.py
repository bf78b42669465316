"""Changes of truth: each takes a sentence and returns it altered in one place, or None.

Values and names that are swapped in come from `near`, the passage that the sentence will stand in, where it has any of the kind.
"""

import re

from lexicon import ANTONYMS, KINDS, MONTHS, NATIONALITIES, OCCUPATIONS, SMALL_NUMBERS, NEUTRAL_TAILS
from wordnet import forms

NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3})+(?!\w|,\d)|(?<![\w.,-])\d+(?:\.\d+)?(?![\w-]|[.,]\d)")
YEAR = re.compile(r"\b(1[5-9]\d\d|20[0-2]\d)\b")
NAME = re.compile(r"(?<![.\w] )(?<!^)\b(?:[A-Z][a-zà-ÿ]+(?: (?:of|de|van|von|the) (?=[A-Z]))?(?: [A-Z][a-zà-ÿ]+)*)")
SUBJECT = re.compile(r"^(?:The )?[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,4}(?= (?:is|was|were|are|has|had|\w{3,}ed|won|became|wrote|made|began|took|led|held|sold|built) )")
PASSIVE = re.compile(r"^(.{3,60}?) (was|were) (\w+ed) by ((?:the )?[A-Z][\w.'-]*(?: (?:of |de |van |von |the )?[A-Z][\w.'-]*){0,4})([ ,.].*)?$")
ACTIVE = re.compile(r"^((?:The )?[A-Z][\w.'-]*(?: (?:of |de |van |von |the )?[A-Z][\w.'-]*){0,4}) ([a-z]{3,}ed|beat|led|met|built|bought|sold|won|taught|is|was) "
                    r"((?:the )?[A-Z][\w.'-]*(?: (?:of |de |van |von |the )?[A-Z][\w.'-]*){0,4})([ ,.].*)$")
# Verbs after which the two may change places.
MUTUAL = {"married", "met", "divorced", "faced", "played", "is", "was", "neighboured", "joined", "remained", "turned", "resembled"}
SUBJECT_PRONOUN = re.compile(r"^(?:He|She|It)\b")
COPULA = re.compile(r"\b(is|was|are|were|has been|had been|will be|can|could|would)\b(?! not)")
PAST = re.compile(r"^((?:[A-Z][\w.'-]*|He|She|It|They|The \w+)(?: [A-Z][\w.'-]*){0,4}) (\w{3,}ed|won|became|wrote|made|began|took|led|left|held|sold|built|met|sang|ran|went|came) ")
IRREGULAR = {"won": "win", "became": "become", "wrote": "write", "made": "make", "began": "begin", "took": "take", "led": "lead",
             "left": "leave", "held": "hold", "sold": "sell", "built": "build", "met": "meet", "sang": "sing", "ran": "run",
             "went": "go", "came": "come"}
TRAILING = re.compile(r"^(.{25,}?),? ((?:in|on|at|from|during|with|by|after|before|until|near|for) [^,;()]{3,60})\.$")


def antonym_table():
    table = {}
    for left, right in ANTONYMS:
        table.setdefault(left, []).append(right)
        table.setdefault(right, []).append(left)
    return table


ANTONYM = antonym_table()


def stem_of(verb):
    """The infinitive of a past form."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    if re.search(r"(?:[cgsvuz]|at|iv|as|os|id|ar|ir|in)ed$", verb):
        return verb[:-1]
    return re.sub(r"([bdfgmnprt])\1$", r"\1", verb[:-2])


class Changes:
    """`rng` decides everything; `names` are those of other articles."""

    def __init__(self, rng, wordnet):
        self.rng, self.wordnet = rng, wordnet
        self.names = ["London", "Paris", "Chicago", "Germany", "Australia"]

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
            stem = stem_of(verb)
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

    def swap(self, s, _):
        """A V-ed B: B V-ed A."""
        m = ACTIVE.match(s)
        if not m or m[2] in MUTUAL or SUBJECT_PRONOUN.match(m[1]) or m[1].split()[0] in ("This", "There", "They", "These", "His", "Her", "Its"):
            return None
        return f"{m[3][0].upper() + m[3][1:]} {m[2]} {m[1]}{m[4]}"

    def _swap_word(self, s, candidates):
        """Another word in place of one; `candidates(lemma, part of speech)` gives them."""
        found = []
        for m in re.finditer(r"\b[a-z]{4,}\b", s):
            for lemma, pos, inflect in forms(m[0]):
                found += [(m, inflect(word)) for word in candidates(lemma, pos)]
        found = [(m, word) for m, word in found if word and word != m[0] and word not in s]
        if not found:
            return None
        m, word = self.rng.choice(found)
        out = s[:m.start()] + word + s[m.end():]
        return re.sub(r"\b(a|an|A|An) (?=%s\b)" % re.escape(word), lambda m: m[1][0] + ("n " if word[0] in "aeiou" else " "), out)

    def opposite(self, s, _):
        return self._swap_word(s, self.wordnet.opposites)

    def sister(self, s, _):
        return self._swap_word(s, lambda lemma, pos: self.wordnet.sisters(lemma) if pos == "n" else [])

    def wider(self, s, _):
        return self._swap_word(s, lambda lemma, pos: self.wordnet.wider(lemma) if pos == "n" else [])

    def other_subject(self, s, near, title):
        """What is said of one is said of another that the passage speaks of: of one that shares no word with it or the title."""
        m = SUBJECT.match(s)
        if not m or SUBJECT_PRONOUN.match(s):
            return None
        taken = set((s + " " + title).lower().split())
        others = [x for x in near["subjects"] if not taken & set(x.lower().split())]
        return self.rng.choice(others) + s[m.end():] if others else None

    def undone(self, s, _):
        m = PAST.match(s)
        return f"{m[1]} {self.rng.choice(['refused', 'failed', 'declined'])} to {stem_of(m[2])} {s[m.end():]}" if m else None

    def planned(self, s, _):
        m = PAST.match(s)
        return f"{m[1]} {self.rng.choice(['planned', 'wanted', 'hoped', 'was expected', 'offered', 'tried'])} to {stem_of(m[2])} {s[m.end():]}" if m else None

    # -- additions: the altered sentence says more, or less, than the original --

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
