"""Perturbations of written clauses: the same claim as other people say it, and as a recogniser writes it.

Only what cannot change a claim is varied: fillers and hedges at the edges, openings, contractions, punctuation and case,
misspellings of words that are not numbers, negations or directions, and a neighbouring clause of the same speaker that
says nothing about the point. A variation keeps the label of its clause.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from graph.judging.text.stems import negations

_OPENINGS = (
    "so", "well", "um", "yeah so", "okay so", "i think", "i guess", "i would say", "as far as i know", "basically",
    "so basically", "i mean", "right so", "if i remember correctly", "from what i know", "and", "because", "so what happens is",
    "the thing is", "the way i see it", "let me think", "you know", "like", "i'm pretty sure", "i'm only half sure but",
)  # fmt: skip
_CLOSINGS = (
    "i think", "you know", "basically", "or something like that", "if that makes sense", "right", "as far as i know", "so yeah",
    "i believe", "in general", "and so on",
)  # fmt: skip
_FILLERS = ("um", "uh", "like", "you know", "i mean", "sort of")
_ASIDES = (
    "that's a good question", "let me think about that for a second", "we had this in my last project",
    "i heard about this recently", "okay where do i start", "i've seen this a few times", "that came up last month",
    "i hope that answers it", "sorry i'm a bit nervous", "to be honest it has been a while",
)  # fmt: skip
_CONTRACTED = {
    "it is": "it's", "that is": "that's", "do not": "don't", "does not": "doesn't", "is not": "isn't", "are not": "aren't",
    "can not": "can't", "cannot": "can't", "will not": "won't", "you would": "you'd", "i would": "i'd", "they are": "they're",
    "we are": "we're", "you are": "you're", "it will": "it'll", "going to": "gonna", "have not": "haven't",
}  # fmt: skip
_HEARD_AS = {
    "cache": "cash", "caches": "cashes", "cached": "cashed", "async": "a sink", "sql": "sequel", "json": "jason",
    "queue": "q", "their": "there", "there": "their", "its": "it's", "two": "to", "for": "four", "write": "right",
    "writes": "rights", "thread": "threat", "threads": "threats", "index": "in dex", "query": "queery", "node": "note",
    "nodes": "notes", "data": "date a", "schema": "scheme a", "hash": "hatch", "parse": "pars", "root": "route",
    "byte": "bite", "bytes": "bites", "tuple": "two pull", "shard": "shart", "shards": "charts", "replica": "replicas",
    "kernel": "colonel", "pods": "parts", "log": "lock", "logs": "locks", "request": "requests", "server": "serve her",
    "python": "pie thon", "class": "glass", "list": "least", "test": "tests", "model": "modal", "models": "modals",
}  # fmt: skip
"""What recognisers make of words of the field. None of them is a number, a negation or a direction."""

Change = Callable[[str, random.Random], str]


def varied(clause: str, choice: random.Random) -> str:
    """One variation of a clause: one to three changes, chosen by `choice`."""
    changes: list[Change] = choice.sample(_CHANGES, k=choice.choice((1, 1, 2, 3)))
    for change in changes:
        clause = change(clause, choice)
    return clause


def misheard(text: str, choice: random.Random, share: float) -> str:
    """A text as a poor recogniser writes it: plainly, with a share of the words it may mishear misheard."""
    words = _spell_plainly(text, choice).split()
    return " ".join(_HEARD_AS[word] if word in _HEARD_AS and choice.random() < share else word for word in words)


def beside(clause: str, neighbours: Sequence[str], choice: random.Random) -> str:
    """A clause with one that is said before or after it, as it stands in an answer."""
    other = choice.choice(list(neighbours))
    return f"{clause} {choice.choice(('', 'and ', 'so '))}{other}" if choice.random() < 0.5 else f"{other} {clause}"


def _open(clause: str, choice: random.Random) -> str:
    return f"{choice.choice(_OPENINGS)} {_uncapped(clause)}"


def _close(clause: str, choice: random.Random) -> str:
    return f"{clause.rstrip('.')} {choice.choice(_CLOSINGS)}"


def _fill(clause: str, choice: random.Random) -> str:
    words = clause.split()
    place = choice.randrange(1, max(2, len(words)))
    return " ".join([*words[:place], choice.choice(_FILLERS), *words[place:]])


def _aside(clause: str, choice: random.Random) -> str:
    aside = choice.choice(_ASIDES)
    return f"{aside} {clause}" if choice.random() < 0.7 else f"{clause} {aside}"


def _spell_plainly(clause: str, _: random.Random) -> str:
    return re.sub(r"[^\w\s']", "", clause).lower()


def _punctuate(clause: str, _: random.Random) -> str:
    said = clause.strip().rstrip(".")
    return f"{said[:1].upper()}{said[1:]}."


def _contract(clause: str, choice: random.Random) -> str:
    found = [plain for plain in _CONTRACTED if re.search(rf"\b{plain}\b", clause)]
    if not found:
        return _fill(clause, choice)
    plain = choice.choice(found)
    return re.sub(rf"\b{plain}\b", _CONTRACTED[plain], clause, count=1)


def _mishear(clause: str, choice: random.Random) -> str:
    words = clause.split()
    places = [place for place, word in enumerate(words) if word.lower().strip(".,") in _HEARD_AS]
    if not places:
        return _stumble(clause, choice)
    place = choice.choice(places)
    words[place] = _HEARD_AS[words[place].lower().strip(".,")]
    return " ".join(words)


def _stumble(clause: str, choice: random.Random) -> str:
    words = clause.split()
    # Said twice, a "not" would be no negation to whoever counts.
    places = [place for place, word in enumerate(words) if not negations([word])]
    if not places:
        return clause
    place = choice.choice(places)
    return " ".join([*words[: place + 1], *words[place:]])


def _uncapped(clause: str) -> str:
    return clause if clause[:2].isupper() or clause.startswith("I ") else f"{clause[:1].lower()}{clause[1:]}"


_CHANGES: tuple[Change, ...] = (
    _open, _close, _fill, _aside, _spell_plainly, _punctuate, _contract, _mishear, _stumble,
)  # fmt: skip
