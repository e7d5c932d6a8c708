"""Viva's own pairs: spoken clauses for each key point, and what each does about it.

`<pack>.yaml` maps question ids to numbers of key points (1, 2, …; m1, m2, … are misconceptions) to kinds to clauses.
`natural-<pack>.jsonl` (and `-2` for a second round) holds a key point a line, with clauses as they are cut out of the
middle of an answer: made indirectly, by examples, in everyday words. `docs/judging.md` says what the kinds mean and how
the clauses were written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import yaml

from graph.judging.pair_labels import PairLabel
from rag import Pack

PAIRS_DIR = Path(__file__).parents[1] / "data" / "judge"

Kind = Literal[
    "covered",
    "partly",
    "negated",
    "swapped",
    "direction",
    "number",
    "misconception",
    "contradicted",
    "lookalike",
    "beside",
    "stated",
    "denied",
]

LABEL_OF: Mapping[Kind, PairLabel] = {
    "covered": "covered",
    "partly": "partly",
    "negated": "contradicted",
    "swapped": "contradicted",
    "direction": "contradicted",
    "number": "contradicted",
    "misconception": "contradicted",
    "contradicted": "contradicted",
    "lookalike": "unrelated",
    "beside": "unrelated",
    "stated": "covered",
    "denied": "contradicted",
}
"""What each kind teaches. Of a misconception, what states it covers it, and what rejects it contradicts it."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where there is one: the files are large."""


class PairsError(ValueError):
    """A file of pairs does not fit its pack; the message says where."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Words somebody might say, and what they do about a point."""

    pack: str
    question_id: str
    question: str
    point: str
    number: str
    """As in the file: "1" is the first key point, "m1" the first misconception."""
    kind: Kind
    said: str

    @property
    def label(self) -> PairLabel:
        """What the words do about the point."""
        return LABEL_OF[self.kind]


def read_pairs(path: Path, pack: Pack) -> list[Pair]:
    """All pairs of a file.

    Raises:
        PairsError: it names a question, a point or a kind that there is none of.
    """
    data = yaml.load(path.read_text(encoding="utf-8"), _LOADER)  # noqa: S506 - a safe loader
    return list(_pairs(data or {}, path.name, pack))


def _pairs(
    data: Mapping[str, Mapping[str | int, Mapping[Kind, Sequence[str]]]], name: str, pack: Pack
) -> Iterator[Pair]:
    questions = {question.id: question for question in pack.questions}
    for question_id, by_point in data.items():
        if question_id not in questions:
            raise PairsError(f"{name}: the pack {pack.id} has no question {question_id!r}")
        question = questions[question_id]
        points = {str(number): point for number, point in enumerate(question.key_points, start=1)}
        points |= {f"m{number}": point for number, point in enumerate(question.misconceptions, start=1)}
        for number, by_kind in by_point.items():
            if str(number) not in points:
                raise PairsError(f"{name}, {question_id}: there is no key point or misconception {number!r}")
            for kind, clauses in by_kind.items():
                if kind not in LABEL_OF:
                    raise PairsError(f"{name}, {question_id}, {number}: {kind!r} is not a kind of pair")
                for said in clauses:
                    yield Pair(pack.id, question_id, question.text, points[str(number)], str(number), kind, said)


def read_natural(path: Path, pack: Pack) -> list[Pair]:
    """All pairs of a file of natural clauses.

    Raises:
        PairsError: it names a question, a point or a kind that there is none of.
    """
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [pair for row in rows for pair in _pairs({row.pop("question"): {row.pop("point"): row}}, path.name, pack)]


def all_pairs(packs: Mapping[str, Pack], folder: Path = PAIRS_DIR) -> list[Pair]:
    """The pairs of every pack that has some, in the order of the packs.

    Raises:
        PairsError: a file does not fit its pack.
    """
    return [
        pair
        for pack_id, pack in packs.items()
        for pattern, reader in ((f"{pack_id}.yaml", read_pairs), (f"natural-{pack_id}*.jsonl", read_natural))
        for path in sorted(folder.glob(pattern))
        for pair in reader(path, pack)
    ]
