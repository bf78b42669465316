"""Shorter claims that a sentence of an encyclopaedia states: a birth, an apposition, a relative clause, the second of two verbs.

`derive(sentence)` gives them by name, so that a sentence and its altered twin can be asked for the same one.
"""

import re

from lexicon import MONTHS, NATIONALITIES

_MONTH = "|".join(MONTHS)
DATE = re.compile(rf"(?:\d{{1,2}} (?:{_MONTH}) \d{{4}}|(?:{_MONTH}) \d{{1,2}}, \d{{4}}|\b1[0-9]\d\d\b|\b20[0-2]\d\b)")
_NAME = r"(?:[A-Z][\w.'’-]*)(?: (?:of|de|van|von|the|del|da|al) (?=[A-Z]))?(?: [A-Z][\w.'’-]*){0,4}"
LEAD = re.compile(rf"^({_NAME}) \(([^()]*\d{{4}}[^()]*)\) (is|was|were|are)\b")
APPOSITION = re.compile(rf"\b({_NAME}), (an?|the) ([^,()]{{8,70}}),")
RELATIVE = re.compile(rf"\b({_NAME}), (?:who|which) ([^,();]{{12,110}})[,.]")
_VERB = r"(?:is|was|were|are|has|had|became|won|wrote|made|began|took|led|left|held|sold|built|met|ran|went|came|\w{3,}ed)"
SECOND_VERB = re.compile(rf"^((?:The [a-z]+|{_NAME}|He|She|It|They)) ({_VERB} [^;]{{8,120}}?),? and (?:later |then |also |subsequently )?({_VERB} [^;]{{8,}})\.$")
FRONTED = re.compile(r"^(In|On|During|After|By|At|From|Until|Since) ([^,]{3,45}), ([^,;].{20,})\.$")
BACKED = re.compile(r"^((?:The|He|She|It|They|His|Her|Its|A|An) .{15,}) (in \d{4}|in (?:%s) \d{4}|on \d{1,2} (?:%s) \d{4})\.$" % (_MONTH, _MONTH))
COPULA = re.compile(rf"^((?:The )?{_NAME})(?: \([^()]*\))?,? (is|was) (an?) ([^,.;()]{{4,90}})")
PLACE = re.compile(r"^(.{2,40}?)(?: \([^()]*\))? (?:is|was) (?:a|an|the) [^,.;()]{3,60}? in ((?:the )?[A-Z][\w'’-]+(?:,? (?:of |the )?[A-Z][\w'’-]+){0,4})")
PHRASE_START = re.compile(r" (?:who|that|which|known|born|of|in|from|for|and|on|at|by|with|to|where|based|located|or|as|near|during) ")
RESTRICTED = re.compile(r"\b(?:not|never|no|none|only|all|every|few|without|if|unless|nor|neither|almost|nearly)\b|n't\b")


def _capital(text):
    return text[0].upper() + text[1:]


def _lower_start(text):
    first = text.split(" ", 1)[0]
    return text[0].lower() + text[1:] if first in ("The", "A", "An", "He", "She", "It", "They", "His", "Her", "Its", "Their", "This") else text


def derive(s):
    """Claims stated by `s`, by name; "whole" is `s` itself."""
    out = {"whole": s}
    m = re.match(r"^(.{30,160}?)(?:, and |, but |; |, where |, which |, while )", s)
    if m and m[1].count("(") == m[1].count(")") and m[1].count('"') % 2 == 0:
        out["first_clause"] = m[1] + "."
    m = LEAD.match(s)
    if m:
        dates = DATE.findall(m[2])
        for verb, date in zip(("was born", "died"), dates):
            if verb == "was born" and not re.search(r"born|–|-", m[2]):
                break
            out[verb] = f"{m[1]} {verb} {'in' if date.isdigit() else 'on'} {date}."
            out[verb + " year"] = f"{m[1]} {verb} in {date[-4:]}."
    m = APPOSITION.search(s)
    if m and not RESTRICTED.search(m[3]):
        out["apposition"] = f"{m[1]} {'is' if m[2] == 'the' else 'was'} {m[2]} {m[3]}."
    m = RELATIVE.search(s)
    if m:
        out["relative"] = f"{m[1]} {m[2]}."
    m = SECOND_VERB.match(s)
    if m and not RESTRICTED.search(m[2]):
        out["second_verb"] = f"{m[1]} {m[3]}."
        out["first_verb"] = f"{m[1]} {m[2]}."
    m = FRONTED.match(s)
    if m:
        out["fronted"] = f"{_capital(m[3])} {m[1].lower()} {m[2]}."
        if not RESTRICTED.search(s):
            out["unfronted"] = _capital(m[3]) + "."
    m = BACKED.match(s)
    if m:
        out["backed"] = f"{_capital(m[2])}, {_lower_start(m[1])}."
    m = COPULA.match(s)
    if m and not RESTRICTED.search(s):
        phrase = PHRASE_START.split(m[4] + " ")[0].strip()
        words = phrase.split()
        if words and words[-1].islower() and len(words[-1]) > 3:
            article = "an" if words[-1][0] in "aeiou" else "a"
            out["kind"] = f"{m[1]} {m[2]} {article} {words[-1]}."
            nation = next((w for w in NATIONALITIES if w in phrase), None)
            if nation and len(words) > 1:
                article = "an" if nation[0] in "AEIO" else "a"
                out["nation"] = f"{m[1]} {m[2]} {article} {nation} {words[-1]}."
    m = PLACE.match(s)
    if m and not RESTRICTED.search(s):
        out["place"] = f"{m[1]} is in {m[2].split(', ')[-1]}."
        out["located"] = f"{m[1]} is located in {m[2]}."
    return {name: claim for name, claim in out.items() if len(claim.split()) >= 4}
