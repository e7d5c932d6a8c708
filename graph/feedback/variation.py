"""Variation: chooses among ways to say something so that an interview never says the same sentence twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from string import Formatter

from graph.templates import Templates

_KEEP_CAPITAL = ("I ", "I'", "{")


class Phrases:
    """The ways of a wording, with a memory of what was said.

    A way that was used is used again only when the others were, too, and then with another lead ("Here again, …"). Two
    sentences in a row do not begin with the same words.

    Args:
        wording: the ways.
        turn: chooses among ways that are equally fresh.
        said: sentences that the candidate has heard in this interview.
    """

    def __init__(self, wording: Templates, turn: int, said: Iterable[str]) -> None:
        self._wording = wording
        self._turn = turn
        self._said = [sentence.casefold() for sentence in said]
        self._opening = ""

    def one(self, *situations: str, leads: str = "lead", **values: str) -> str:
        """A sentence for any of these situations, and a note that it was said.

        Ways that need a value which is empty are passed over. When every sentence was said, the least worn is repeated:
        an interviewer who repeats is better than one who says nothing.

        Args:
            situations: headings of the wording.
            leads: heading of what may be put before a way that was used already.
            values: what the ways are filled with.

        Raises:
            WordingError: a heading is missing.
            LookupError: no way can be said with these values.
        """
        usable = {name: value for name, value in values.items() if value}
        ways = [way for name in situations for way in self._wording.ways(name) if _fields(way) <= usable.keys()]
        if not ways:
            raise LookupError(f"{self._wording.origin} has no way to say {situations} with {sorted(usable)}")
        worn = [(_opening(way) == self._opening, self._wear(way)) for way in ways]
        first = self._turn % len(ways)
        order = sorted(range(len(ways)), key=lambda index: (worn[index], (index - first) % len(ways)))
        inorder = [ways[index].format(**usable) for index in order]
        fresh = (each for each in self._led(inorder, leads) if each.casefold() not in self._said)
        chosen = next(fresh, inorder[0])
        self._said.append(chosen.casefold())
        self._opening = _opening(chosen)
        return chosen

    def the(self, situation: str) -> str:
        """A few words that stand in a sentence; they may come again.

        Raises:
            WordingError: the heading is missing.
        """
        return self._wording.say(situation)

    def _led(self, sentences: Sequence[str], leads: str) -> Iterator[str]:
        yield from sentences
        for sentence in sentences:
            leading = (lead for lead in self._wording.ways(leads) if not sentence.startswith(lead))
            yield from (f"{lead}, {_inside(sentence)}" for lead in leading)

    def _wear(self, way: str) -> int:
        """How often it was said, with whatever values: its longest run of fixed words is looked for."""
        fixed = _fixed(way)
        return sum(fixed in sentence for sentence in self._said)


@cache
def _fixed(way: str) -> str:
    return max((text for text, *_ in Formatter().parse(way)), key=len).strip().casefold()


@cache
def _fields(way: str) -> frozenset[str]:
    return frozenset(name for _, name, *_ in Formatter().parse(way) if name)


def _opening(sentence: str) -> str:
    return " ".join(sentence.split()[:2])


def _inside(sentence: str) -> str:
    return sentence if sentence.startswith(_KEEP_CAPITAL) else sentence[:1].lower() + sentence[1:]
