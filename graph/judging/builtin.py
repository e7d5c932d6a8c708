"""The built-in judge: no language model, a fraction of a second, the same verdicts for the same words every time.

For each point it looks for the stretches of the answer that may be about it (`evidence`), reads each beside the point
with a small encoder (`reading`), and puts together what was found (`stacking`). Checks on numbers, negation and
direction (`checks`) can lower a verdict, never raise one. How good it is, and where it fails: `docs/judging.md`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graph.judging import checks
from graph.judging.clauses import Clause
from graph.judging.evidence import Embedder, Evidence, find, tiles
from graph.judging.pair import LABELS, pair_texts
from graph.judging.reading import EncoderReader, Odds, PairReader
from graph.judging.stacking import STATUSES, Stacker, features, load_stacker
from graph.judging.verdicts import Quote, Verdict
from graph.questions import Question

EACH_POINT = 4
"""Stretches that are read for a key point. A fifth changes 2 verdicts of 100."""
EACH_MISCONCEPTION = 3
_STATED_FROM = 0.6
"""A misconception is held against a candidate only when it is more likely than not, with something to spare."""
_COVERED, _CONTRADICTED = LABELS.index("covered"), LABELS.index("contradicted")
_PARTLY, _MISSING = STATUSES.index("partly"), STATUSES.index("missing")
_CONTRADICTED_STATUS = STATUSES.index("contradicted")
_LIKELY_WRONG = 0.2


@dataclass(frozen=True, slots=True)
class Read:
    """A point with its evidence, and what the encoder makes of each stretch."""

    point: str
    evidence: list[Evidence]
    odds: Odds


class BuiltInJudge:
    """Verdicts from a small encoder that was trained for it.

    Args:
        embedder: finds evidence by meaning.
        reader: reads a stretch beside a point; Viva's own encoder by default.
        stacker: puts together what was found; Viva's own by default.
    """

    name = "trained"

    def __init__(self, embedder: Embedder, reader: PairReader | None = None, stacker: Stacker | None = None) -> None:
        self._embedder = embedder
        self._reader = reader or EncoderReader()
        self._stacker = stacker or load_stacker()

    async def verdicts(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """A verdict for each key point of the question, and one for each misconception that was stated."""
        return await asyncio.to_thread(self.judge, question, words)

    def judge(self, question: Question, words: Sequence[str]) -> tuple[Verdict, ...]:
        """The same, in this thread."""
        targets = question.targets
        read = self.read(question, words)
        points, wrong = read[: len(targets.points)], read[len(targets.points) :]
        stated = [verdict for verdict in map(self._stated, wrong) if verdict is not None]
        return (*(_not_twice(self._made(each), stated) for each in points), *stated)

    def read(self, question: Question, words: Sequence[str]) -> list[Read]:
        """Every key point and misconception with its evidence; none for an answer without words."""
        points, wrong = question.targets.points, question.targets.misconceptions
        asked, embedder = question.text, self._embedder
        if question.targets.parts:
            found = [tiles(point, words) for point in points]
            found += find(wrong, words, question=asked, embedder=embedder, each=EACH_MISCONCEPTION)
        else:
            found = find([*points, *wrong], words, question=asked, embedder=embedder, each=EACH_POINT)
            found = [*found[: len(points)], *(each[:EACH_MISCONCEPTION] for each in found[len(points) :])]
        pairs = [
            pair_texts(evidence.clause.text, point)
            for point, stretches in zip((*points, *wrong), found, strict=True)
            for evidence in stretches
        ]
        odds, start, read = self._reader.read(pairs), 0, []
        for point, stretches in zip((*points, *wrong), found, strict=True):
            read.append(Read(point, stretches, odds[start : start + len(stretches)]))
            start += len(stretches)
        return read

    def _made(self, read: Read) -> Verdict:
        if not read.evidence:
            return Verdict(point=read.point, status="missing", probability=1.0, rule="nothing was said")
        odds = self._stacker.verdicts(features(read.point, read.evidence, read.odds)[None])[0]
        place, rule = int(np.argmax(odds)), "the encoder's reading of these words beside the point"
        best = read.evidence[int(np.argmax(read.odds[:, _COVERED]))].clause
        worst = read.evidence[int(np.argmax(read.odds[:, _CONTRADICTED]))].clause
        if STATUSES[place] == "covered" and (why := checks.differs(read.point, best.text)):
            place = _CONTRADICTED_STATUS if odds[_CONTRADICTED_STATUS] >= _LIKELY_WRONG else _PARTLY
            worst, rule = best, f"lowered by a check: {why}"
        status = STATUSES[place]
        clause = {"covered": best, "partly": best, "contradicted": worst}.get(status)
        return Verdict(
            point=read.point,
            status=status,
            quote=_quote(clause) if clause else None,
            probability=round(float(odds[place]), 3),
            rule=rule if clause else "none of the words that come near it make the point",
        )

    def _stated(self, read: Read) -> Verdict | None:
        if not read.evidence:
            return None
        sure = float(self._stacker.stated(features(read.point, read.evidence, read.odds)[None])[0])
        if sure < _STATED_FROM:
            return None
        return Verdict(
            point=read.point,
            kind="misconception",
            status="contradicted",
            quote=_quote(read.evidence[int(np.argmax(read.odds[:, _COVERED]))].clause),
            probability=round(sure, 3),
            rule="these words state the misconception",
        )


def _not_twice(verdict: Verdict, stated: Sequence[Verdict]) -> Verdict:
    """A verdict without credit for words that state a misconception more surely than they make the point."""
    if verdict.status not in ("covered", "partly") or verdict.quote is None:
        return verdict
    rival = next((wrong for wrong in stated if wrong.quote == verdict.quote), None)
    if rival is None or rival.probability <= verdict.probability:
        return verdict
    return verdict.model_copy(
        update={"status": "missing", "quote": None, "rule": "the words that come near it state a misconception"}
    )


def _quote(clause: Clause) -> Quote:
    return Quote(text=clause.text, first_word=clause.first_word, last_word=clause.last_word)
