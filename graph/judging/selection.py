"""Selection: which verdicts are sure enough to act on before the candidate.

To ask for what somebody has just said, to doubt what is so, or to praise what is not, costs more than to let it pass.
So a point is asked for, and something is doubted or praised, only where that is seldom wrong; where the judge is unsure
nobody is asked, blamed or praised (selective prediction). How likely something of a point was said says less by itself
than beside the other points of the same answer: the encoder reads one answer more generously than another.

The limits were chosen on questions that the encoder never saw (`training.judge.selection`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from domain.verdict import Verdict
from graph.encoders.runtime import read_weights
from graph.judging.entailment import WEIGHTS_DIR, Odds
from graph.judging.stacking import STATUSES

SELECTION_FILE = WEIGHTS_DIR / "selection.json"

_SAID = [STATUSES.index("covered"), STATUSES.index("partly")]


class Chosen(BaseModel):
    """What limits do on the answers that they were chosen by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answers: int
    questions: int
    besides: int = 0
    """More answers, of people who know two thirds, that decided which doubts are voiced."""
    follow_ups: int
    """Answers with a point that may be asked for."""
    said: int
    """Of these, answers in which the surest such point was said, or half said."""
    doubts: int
    """Answers with something that may be doubted."""
    not_wrong: int
    """Of these, answers in which the surest of it is not wrong."""
    praises: int
    """Answers with a point that may be praised."""
    not_right: int
    """Of these, answers in which the surest such point was left out, or said wrongly."""


class Limits(BaseModel):
    """From where a verdict is acted on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    gap: float
    """`said_beside_others` up to which a missing point may be asked for."""
    little: float
    """Mean probability that something of a point was said, over all points of an answer, up to which every missing
    point may be asked for."""
    key_point: float
    """Probability from which a key point that is contradicted may be doubted."""
    misconception: float
    """Probability from which a misconception that was stated may be doubted."""
    praise: float
    """Probability from which a point that was made may be praised."""
    chosen: Chosen


@cache
def load_limits(path: Path = SELECTION_FILE) -> Limits:
    """The limits in a file.

    Raises:
        EncoderError: the file is missing, or of another form.
    """
    return read_weights(path, Limits)


def said_odds(odds: Odds) -> Odds:
    """For each row of probabilities of `STATUSES` how likely it is that something of the point was said rightly."""
    return np.asarray(odds[:, _SAID].sum(axis=1))


def said_beside_others(said: Odds) -> Odds:
    """How likely each point was said, and once more by how much that is more than the mean of the answer's others.

    Args:
        said: of each point of an answer.
    """
    if len(said) < 2:  # noqa: PLR2004 - there are no others
        return said
    others = (said.sum() - said) / (len(said) - 1)
    return np.asarray(2 * said - others)


def selected(verdicts: Sequence[Verdict], odds: Odds, limits: Limits) -> tuple[Verdict, ...]:
    """The verdicts with what may be acted on.

    Args:
        verdicts: on each key point of an answer, in order, then on misconceptions.
        odds: for each key point the probabilities of `STATUSES`.
        limits: from where.
    """
    said = said_odds(odds)
    little = len(said) > 0 and float(said.mean()) <= limits.little
    gaps = [little or gap <= limits.gap for gap in said_beside_others(said)]
    may_ask = (*gaps, *(False for _ in verdicts[len(gaps) :]))
    return tuple(
        verdict.model_copy(update={"told": _is_told(verdict, limits, may_ask=bool(gap))})
        for verdict, gap in zip(verdicts, may_ask, strict=True)
    )


def _is_told(verdict: Verdict, limits: Limits, *, may_ask: bool) -> bool | None:
    if verdict.status == "missing":
        return may_ask
    if verdict.status == "covered":
        return verdict.probability >= limits.praise
    if verdict.status != "contradicted":
        return None
    return verdict.probability >= (limits.misconception if verdict.kind == "misconception" else limits.key_point)
