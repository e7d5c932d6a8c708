"""The same content in other clothes: what may never move a score."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from graph.judging.text import clauses
from training.judge import perturbations

_HEDGES = ("i think", "i guess", "probably", "if i am not mistaken", "as far as i remember", "i would say", "maybe")
_FILLERS = ("um", "uh", "like", "you know", "i mean", "so yeah")
_PADDING = (
    "let me think about how to put that", "that is something we talked about a lot in my last team",
    "i find this a really interesting area to be honest", "i have come across this quite a few times over the years",
    "so that is my view on it so far", "let me see whether there is anything else i want to say about that",
    "i hope that is clear enough the way i put it", "sorry i tend to talk a lot when i am nervous",
    "my colleagues and i used to discuss this over lunch", "and that is how i have always thought about it",
    "that is at least how i was taught it back then", "i could go on about this but let me stay with the question",
)  # fmt: skip

Words = Sequence[str]
Change = Callable[[Words, random.Random], list[str]]


def hedged(words: Words, choice: random.Random) -> list[str]:
    """A hedge before every other clause."""
    return _between(words, lambda: choice.choice(_HEDGES).split() if choice.random() < 0.5 else [])


def with_fillers(words: Words, choice: random.Random) -> list[str]:
    """A filler after every twelfth word or so."""
    spoken: list[str] = []
    for word in words:
        spoken += [word, *choice.choice(_FILLERS).split()] if choice.random() < 1 / 12 else [word]
    return spoken


def in_other_order(words: Words, choice: random.Random) -> list[str]:
    """Runs of at most three clauses, whole sentences where they are short, in another order."""
    single = clauses.split(words)
    runs: list[list[str]] = [[]]
    for number, clause in enumerate(single):
        runs[-1] += clause.text.split()
        if clause.text[-1] in ".?!" or (number + 1) % 3 == 0:
            runs.append([])
    runs = [run for run in runs if run]
    choice.shuffle(runs)
    return [word for run in runs for word in run]


def twice_as_long(words: Words, choice: random.Random) -> list[str]:
    """Padded with words that say nothing, until it is twice as long."""
    single = [clause.text.split() for clause in clauses.split(words)]
    length = 2 * len(words)
    while sum(map(len, single)) < length:
        single.insert(choice.randrange(len(single) + 1), choice.choice(_PADDING).split())
    return [word for clause in single for word in clause]


def as_recognised(words: Words, choice: random.Random) -> list[str]:
    """Lower case without punctuation, with words of the field misheard here and there."""
    return perturbations.misheard(" ".join(words), choice, share=0.3).split()


CHANGES: Mapping[str, Change] = {
    "hedges": hedged,
    "fillers": with_fillers,
    "another order": in_other_order,
    "twice the length": twice_as_long,
    "recogniser spelling": as_recognised,
}


def said_badly(words: Words) -> list[str]:
    """Hesitating, out of order, with words that say nothing, as a recogniser writes it: one draw for each answer."""
    choice = random.Random(" ".join(words))
    for change in (in_other_order, hedged, with_fillers, as_recognised):
        words = change(words, choice)
    return list(words)


def _between(words: Words, extra: Callable[[], list[str]]) -> list[str]:
    return [word for clause in clauses.split(words) for word in (*extra(), *clause.text.split())]
