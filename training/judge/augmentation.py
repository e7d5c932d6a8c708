"""Augmentation: the same answer with talk around its claims, in another order, as a recogniser writes it.

What it does about each point stays as it is, and the words that carry each verdict are known in the new answer, too.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from graph.judging.non_claims import places_of
from graph.judging.text import clauses
from training.judge.perturbations import misheard
from training.judge.synthetic_answers import Composed, Span
from training.judge.viva_pairs import PAIRS_DIR

TALK_FILE = PAIRS_DIR / "talk.yaml"
LONG_TALK_FILE = PAIRS_DIR / "talk-long.yaml"
"""More, most of it longer, for the tagger alone: whole answers are judged without what it sets aside."""

_ODDS = {"filler": 0.3, "hedge": 0.25, "stalling": 0.17, "about me": 0.15, "to the judge": 0.08, "question again": 0.05}
TO_THE_JUDGE = "to the judge"
_OFTEN_TO_THE_JUDGE = {**_ODDS, TO_THE_JUDGE: 0.3}
_KEPT_BACK = 10
"""One line in so many of the kinds that are long enough to be strange."""
_ANYWHERE = 0.3
_LONG_KINDS = frozenset({"stalling", "about me", TO_THE_JUDGE, "question again"})
_IN_OTHER_ORDER, _WITH_TALK, _MISHEARD, _PLAIN = 0.3, 0.55, 0.3, 0.2
"""Shares of the answers."""
_BETWEEN_CLAUSES = (0.1, 0.3, 0.6, 1.0)
_BETWEEN_WORDS = (0.0, 0.02, 0.08)
_AT_THE_END = 0.3
_MISHEARD_WORDS = 0.2
_MOST_CUTS = 6
_MAY_CLAIM = frozenset(
    "like right well so okay maybe yes yeah true obviously mostly usually generally and but no just then now good fine "
    "great look see sure simply exactly absolutely indeed really actually literally essentially cool nice man also hey "
    "please listen wait".split()
) | {"at the end", "in the end", "does it", "hold on", "in a way", "it's like", "it's just like"}
"""Fillers that are words of claims just as often: whether they are talk is learned from where they were put."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Words that claim nothing, by kind."""

    lines: Mapping[str, Sequence[str]]
    known: frozenset[tuple[str, ...]]
    """Fillers and hedges that are nothing else, wherever they stand."""
    odds: Mapping[str, float]
    """How often each kind is put in."""
    anywhere: float = 0.0
    """Share of the answers in which something is said in the middle of a clause, too."""

    @staticmethod
    def load() -> Talk:
        """What is put into answers that the judge learns from."""
        return _talk(_lines(TALK_FILE), _ODDS)

    @staticmethod
    def load_all() -> Talk:
        """What the tagger learns from and is measured by: more of it, and more that is said to whoever judges."""
        lines, more = _lines(TALK_FILE), _lines(LONG_TALK_FILE)
        all_of_it = {kind: [*lines[kind], *more.get(kind, ())] for kind in lines}
        return replace(_talk(all_of_it, _OFTEN_TO_THE_JUDGE), anywhere=_ANYWHERE)

    @property
    def taught(self) -> Talk:
        """What the tagger learns from."""
        return self._where(lambda line: not _is_kept_back(line))

    @property
    def kept_back(self) -> Talk:
        """What it never sees, to measure by."""
        return self._where(_is_kept_back)

    def _where(self, wanted: Callable[[str], bool]) -> Talk:
        return replace(
            self,
            lines={
                kind: [line for line in lines if kind not in _LONG_KINDS or wanted(line)]
                for kind, lines in self.lines.items()
            },
        )

    def line(self, question: str, choice: random.Random) -> list[str]:
        """Something that somebody who was asked this may say without claiming anything."""
        kind = choice.choices(list(self.odds), weights=list(self.odds.values()))[0]
        asked = question.rstrip("?.").lower().split()
        first = choice.randrange(max(1, len(asked) - 4))
        topic = " ".join(asked[first : first + choice.randint(2, 7)])
        return choice.choice(self.lines[kind]).replace("{topic}", topic).split()

    def places(self, words: Sequence[str]) -> list[bool]:
        """For each word whether it is part of a known filler or hedge."""
        return places_of(self.known, words)


@dataclass(frozen=True, slots=True)
class Dressed:
    """An answer in other clothes."""

    answer: Composed
    talk: tuple[bool | None, ...]
    """For each word whether it claims nothing; None where that is not known."""


def _lines(path: Path) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return lines


def _talk(lines: Mapping[str, Sequence[str]], odds: Mapping[str, float]) -> Talk:
    short = (line.lower().strip(".,;:!?") for kind in ("filler", "hedge") for line in lines[kind])
    return Talk(lines, frozenset(tuple(line.split()) for line in short if line not in _MAY_CLAIM), odds)


def _is_kept_back(line: str) -> bool:
    return zlib.crc32(line.encode()) % _KEPT_BACK == 0


def dress(answer: Composed, question: str, talk: Talk, choice: random.Random) -> Dressed:
    """One version of an answer.

    Args:
        answer: a written or composed one.
        question: its text, which may be said again.
        talk: to put in.
        choice: draws everything.
    """
    carrying = {place for first, last in answer.spans.values() for place in range(first, last + 1)}
    known = talk.places(answer.words)
    # Around the claims an answer holds talk of its own, which nobody marked.
    made = Dressed(answer, tuple(
        is_talk or (False if place in carrying else None) for place, is_talk in enumerate(known)
    ))  # fmt: skip
    if choice.random() < _IN_OTHER_ORDER:
        made = _in_other_order(made, choice)
    if choice.random() < _WITH_TALK:
        made = _with_talk(made, question, talk, choice)
    drawn = choice.random()
    if drawn < _MISHEARD:
        return _spelled(made, [misheard(word, choice, _MISHEARD_WORDS) for word in made.answer.words])
    if drawn < _MISHEARD + _PLAIN:
        return _spelled(made, [word.lower().strip(".,;:!?") for word in made.answer.words])
    return made


def _in_other_order(made: Dressed, choice: random.Random) -> Dressed:
    """Runs of clauses shuffled; none is cut that carries a verdict."""
    answer = made.answer
    ends = [clause.last_word + 1 for clause in clauses.split(answer.words)[:-1]]
    cuts = [end for end in ends if not any(first < end <= last for first, last in answer.spans.values())]
    cuts = sorted(choice.sample(cuts, min(len(cuts), choice.randint(1, _MOST_CUTS))))
    runs = list(zip([0, *cuts], [*cuts, len(answer.words)], strict=True))
    choice.shuffle(runs)
    order = [place for first, end in runs for place in range(first, end)]
    return _placed(made, [answer.words[place] for place in order], order, [made.talk[place] for place in order])


def _with_talk(made: Dressed, question: str, talk: Talk, choice: random.Random) -> Dressed:
    starts = {clause.first_word for clause in clauses.split(made.answer.words)}
    between_clauses, between_words = choice.choice(_BETWEEN_CLAUSES), choice.choice(_BETWEEN_WORDS)
    anywhere = talk.anywhere and choice.random() < talk.anywhere and choice.randrange(len(made.answer.words))
    words: list[str] = []
    order: list[int] = []
    is_talk: list[bool | None] = []

    def add(said: Sequence[str]) -> None:
        words.extend(said)
        order.extend([-1] * len(said))
        is_talk.extend([True] * len(said))

    for place, word in enumerate(made.answer.words):
        if (anywhere and place == anywhere) or (place in starts and choice.random() < between_clauses):
            add(talk.line(question, choice))
        elif choice.random() < between_words:
            add(choice.choice(talk.lines["filler"]).split())
        words.append(word)
        order.append(place)
        is_talk.append(made.talk[place])
    if choice.random() < _AT_THE_END:
        add(talk.line(question, choice))
    return _placed(made, words, order, is_talk)


def _spelled(made: Dressed, spelled: Sequence[str]) -> Dressed:
    """The same words spelled otherwise; one may have become two, or nothing."""
    pieces = [
        (piece, place) for place, word in enumerate(spelled) for piece in (word or made.answer.words[place]).split()
    ]
    order = [place for _, place in pieces]
    return _placed(made, [piece for piece, _ in pieces], order, [made.talk[place] for place in order])


def _placed(made: Dressed, words: Sequence[str], order: Sequence[int], talk: Sequence[bool | None]) -> Dressed:
    """An answer of these words; `order` names the place that each had, -1 for a new one."""
    first_now: dict[int, int] = {}
    last_now: dict[int, int] = {}
    for now, before in enumerate(order):
        first_now.setdefault(before, now)
        last_now[before] = now
    spans: dict[str, Span] = {
        number: (first_now[first], last_now[last]) for number, (first, last) in made.answer.spans.items()
    }
    return Dressed(replace(made.answer, words=tuple(words), spans=spans), tuple(talk))
