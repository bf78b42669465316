"""Words that stand near another word in WordNet: the same meaning, a wider one, a sister, the opposite.

Reads the database files of WordNet 3.0 (Debian's `wordnet-base`). A word takes part only where one meaning of it is by far the most
frequent one in WordNet's tagged texts, so that no sense has to be told from its surroundings.
"""

import os
import re
from collections import defaultdict

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
# Share of a word's tagged uses that its first meaning must have, in its first part of speech.
DOMINANT = 0.75
LEAST_USES = 2
# Tagged uses that a word must have to be put into a sentence.
SPELLED_USES = 3


class WordNet:
    def __init__(self, folder):
        self.uses = defaultdict(int)
        self.total = defaultdict(int)
        with open(os.path.join(folder, "cntlist.rev"), encoding="utf-8") as file:
            for line in file:
                key, sense, count = line.split()
                lemma, rest = key.rsplit("%", 1)
                pos = TYPES[rest[0]]
                self.uses[lemma, pos, int(sense)] += int(count)
                self.total[lemma] += int(count)
        self.first, self.words, self.links = {}, {}, {}
        for pos, name in FILES.items():
            with open(os.path.join(folder, "index." + name), encoding="utf-8") as file:
                for line in file:
                    if not line.startswith(" "):
                        fields = line.split()
                        self.first[fields[0], pos] = (pos, fields[-int(fields[2])])
            with open(os.path.join(folder, "data." + name), encoding="utf-8") as file:
                for line in file:
                    if line.startswith(" "):
                        continue
                    fields = line.split(" | ")[0].split()
                    at = (pos, fields[0])
                    count = int(fields[3], 16)
                    self.words[at] = [re.sub(r"\(.*\)", "", word) for word in fields[4:4 + 2 * count:2]]
                    links = fields[5 + 2 * count:]
                    self.links[at] = [(links[i], ("a" if links[i + 2] == "s" else links[i + 2], links[i + 1]), links[i + 3])
                                      for i in range(0, 4 * int(fields[4 + 2 * count]), 4)]
        self.below = defaultdict(list)
        for at, links in self.links.items():
            for symbol, other, _ in links:
                if symbol == "@":
                    self.below[other].append(at)

    def meaning(self, lemma, pos):
        """The dominant meaning of a word, as (part of speech, offset), or None."""
        uses = self.uses[lemma, pos, 1]
        if uses < LEAST_USES or uses < DOMINANT * self.total[lemma]:
            return None
        return self.first.get((lemma, pos))

    def _spelled(self, at, pos, lemma):
        """The single words of a meaning that are in use and mean it before all else."""
        return [w for w in self.words[at]
                if w != lemma and w.islower() and len(w) > 3 and "_" not in w and self.first.get((w, pos)) == at
                and self.uses[w, pos, 1] >= max(SPELLED_USES, DOMINANT * self.total[w])]

    def same(self, lemma, pos):
        at = self.meaning(lemma, pos)
        return self._spelled(at, pos, lemma) if at else []

    def wider(self, lemma):
        """The next wider nouns, where they are in use and not very abstract."""
        at = self.meaning(lemma, "n")
        if not at:
            return []
        above = [other for symbol, other, _ in self.links[at] if symbol == "@"]
        return [w for other in above if self._depth(other) >= 5 for w in self._spelled(other, "n", lemma)]

    def sisters(self, lemma):
        """Other nouns under the same next wider one."""
        at = self.meaning(lemma, "n")
        if not at:
            return []
        above = [other for symbol, other, _ in self.links[at] if symbol == "@"]
        return [w for other in above if self._depth(other) >= 5 for sister in self.below[other] if sister != at
                for w in self._spelled(sister, "n", lemma)]

    def opposites(self, lemma, pos):
        at = self.meaning(lemma, pos)
        if not at:
            return []
        source = next((i for i, w in enumerate(self.words[at], 1) if w == lemma), 0)
        return [self.words[other][int(ends[2:], 16) - 1].replace("_", " ") for symbol, other, ends in self.links[at]
                if symbol == "!" and int(ends[:2], 16) == source]

    def _depth(self, at):
        depth = 0
        while depth < 20:
            above = [other for symbol, other, _ in self.links[at] if symbol in ("@", "@i")]
            if not above:
                return depth
            at, depth = above[0], depth + 1
        return depth


def forms(word):
    """(lemma, part of speech, how to inflect another lemma alike) for each reading of a word as it stands in a text."""
    keep = lambda w: w
    yield word, "n", keep
    yield word, "a", keep
    yield word, "r", keep
    if re.search(r"[^s]s$", word):
        stem = word[:-3] + "y" if word.endswith("ies") else word[:-2] if re.search(r"(?:ch|sh|x|ss)es$", word) else word[:-1]
        yield stem, "n", plural
    if word.endswith("ed"):
        for stem in (word[:-2], word[:-1], word[:-3] + "y" if word.endswith("ied") else word[:-3]):
            yield stem, "v", past


def plural(word):
    if re.search(r"(?:ch|sh|x|s|z)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search(r"[^aeiou]y$", word) else word + "s"


def past(word):
    if " " in word or word in IRREGULAR:
        return None
    if word.endswith("e"):
        return word + "d"
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ied"
    return word + (word[-1] if re.search(r"^[^aeiou]*[aeiou][bdgmnprt]$", word) else "") + "ed"


IRREGULAR = set("""be have do go come take give get make find see know think tell become leave put bring begin keep hold write stand
hear let mean set meet run pay sit speak lie lead read grow lose fall send build understand draw break spend cut rise drive buy wear
choose throw catch deal win forget lay sell fight teach eat sing ride fly hit hang shake bear strike steal sink swim hide feed bind
shoot shut split spread cast burst beat bite blow cling creep dig feel flee forbid forgive freeze hurt kneel overcome overtake quit seek
shed shine shrink slay sleep slide spin spring stick sting swear sweep swing tear undergo undertake wake weave weep wind withdraw""".split())
