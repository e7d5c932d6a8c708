"""Selection: chooses from where verdicts are acted on, on whole answers to questions that the encoder never saw.

`python -m training.judge.selection` chooses anew for the weights that are shipped, which takes minutes; with `--check`
it says whether the limits that are shipped are those, and leaves them as they are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from domain.question import Question
from domain.verdict import Verdict
from domain.vocabulary import VerdictStatus
from graph.judging.builtin import BuiltInJudge
from graph.judging.selection import (
    SELECTION_FILE,
    Chosen,
    Limits,
    load_limits,
    said_beside_others,
    said_odds,
    selected,
)
from training.judge.examples import Material
from training.judge.synthetic_answers import Composed

MISTAKES = 1 / 12
"""Share of the follow-ups that may be mistakes: a limit is where most are left with no more."""
WRONG_DOUBTS = 1 / 40
"""Share of the doubts that may be, likewise. Far fewer: in these answers one point in five is contradicted. Among real
candidates, of whom few say what is wrong (`stacker.RATES`), the same doubts are mistaken several times as often."""
WRONG_PRAISE = 1 / 8
"""Share of the praise that may be, likewise: among real candidates it is less than half of that."""
_GRID = tuple(round(float(each), 2) for each in np.arange(0.5, 0.96, 0.05))
_LITTLE = tuple(round(float(each), 2) for each in np.arange(0.1, 0.5, 0.05))
_SAID = ("covered", "partly")
_SAME = 0.01
"""Difference between two limits that are the same: int8 arithmetic differs a little from one processor to another."""
NOBODY = Limits(
    gap=-2, little=-1, key_point=2, misconception=2, praise=2,
    chosen=Chosen(answers=0, questions=0, follow_ups=0, said=0, doubts=0, not_wrong=0, praises=0, not_right=0),
)  # fmt: skip
"""Nothing is acted on: the judge with these limits gives the verdicts that limits are chosen by."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """An answer with its verdicts and labels."""

    question_id: str
    verdicts: tuple[Verdict, ...]
    odds: np.ndarray[tuple[int, int], np.dtype[np.floating]]
    """For each key point the probabilities of the statuses."""
    labels: dict[str, VerdictStatus | bool]
    """Of each key point its status, of each misconception whether it was stated, by their texts; not all have one."""


class _Counted(NamedTuple):
    """How many there are, and how many of them are mistakes."""

    all: int
    wrong: int

    def seldom_wrong(self, mistakes: float = MISTAKES) -> bool:
        return self.wrong <= self.all * mistakes


def judged(judge: BuiltInJudge, asked: Iterable[tuple[Composed, Question]]) -> Iterator[Judgement]:
    """Judge answers to questions that the encoder never saw.

    Args:
        judge: without limits (`NOBODY`).
        asked: each answer with its question.
    """
    for answer, question in asked:
        points, wrong = question.targets.points, question.targets.misconceptions
        labels: dict[str, VerdictStatus | bool] = {
            point: answer.points[str(number)]
            for number, point in enumerate(points, start=1)
            if str(number) in answer.points
        }
        labels |= {
            idea: answer.stated[f"m{number}"]
            for number, idea in enumerate(wrong, start=1)
            if f"m{number}" in answer.stated
        }
        odds = judge.odds(judge.read(question, answer.words)[: len(points)])
        yield Judgement(question.id, judge.judge(question, answer.words), odds, labels)


def choose(judgements: Sequence[Judgement], besides: Sequence[Judgement] = ()) -> Limits:
    """The limits that leave most follow-ups, doubts and praise of which so few are mistakes.

    How few is `MISTAKES`, `WRONG_DOUBTS` and `WRONG_PRAISE`.

    Args:
        judgements: of answers that are as often wrong, and as incomplete, as those that were learned from.
        besides: of people who know two thirds, and of their near twins. Nobody is asked for what twins talk around, so
            that they decide about doubts alone: what is contradicted there by a word or two is what doubts are about.
    """
    little = max((each for each in _LITTLE if _seldom_said(judgements, each)), default=NOBODY.little)
    gaps = sorted({float(gap) for each in judgements for gap in said_beside_others(said_odds(each.odds))})
    # Where there is little at all, other gaps add nothing: both rules together must hold.
    limits = NOBODY.model_copy(update={"little": little})
    asking = [limits.model_copy(update={"gap": round(gap, 3)}) for gap in gaps[:: max(1, len(gaps) // 200)]]
    asking = [each for each in asking if _follow_ups(judgements, each).seldom_wrong()]
    limits = max(asking, key=lambda each: _follow_ups(judgements, each).all, default=limits)
    all_of_them = [*judgements, *besides]
    for kind in ("key_point", "misconception"):
        # Each kind by itself: many right doubts of one kind must not make up for wrong ones of the other.
        doubting = [NOBODY.model_copy(update={kind: each}) for each in _GRID]
        doubting = [each for each in doubting if _doubts(all_of_them, each).seldom_wrong(WRONG_DOUBTS)]
        best = max(doubting, key=lambda each: _doubts(all_of_them, each).all, default=NOBODY)
        limits = limits.model_copy(update={kind: getattr(best, kind)})
    praising = [limits.model_copy(update={"praise": each}) for each in _GRID]
    praising = [each for each in praising if _praises(judgements, each).seldom_wrong(WRONG_PRAISE)]
    limits = max(praising, key=lambda each: _praises(judgements, each).all, default=limits)
    follow_ups, doubts = _follow_ups(judgements, limits), _doubts(all_of_them, limits)
    praises = _praises(judgements, limits)
    chosen = Chosen(
        answers=len(judgements),
        questions=len({each.question_id for each in judgements}),
        besides=len(besides),
        follow_ups=follow_ups.all,
        said=follow_ups.wrong,
        doubts=doubts.all,
        not_wrong=doubts.wrong,
        praises=praises.all,
        not_right=praises.wrong,
    )
    return limits.model_copy(update={"chosen": chosen})


def write(limits: Limits, folder: Path) -> None:
    """Store the limits beside the encoder's weights."""
    (folder / SELECTION_FILE.name).write_text(limits.model_dump_json(indent=1) + "\n", encoding="utf-8")


def differing(one: Limits, other: Limits) -> list[str]:
    """The names of the limits in which two differ by more than arithmetic does."""
    names = [name for name in Limits.model_fields if name != "chosen"]
    return [name for name in names if abs(getattr(one, name) - getattr(other, name)) > _SAME]


def _seldom_said(judgements: Sequence[Judgement], little: float) -> bool:
    counted = _follow_ups(judgements, NOBODY.model_copy(update={"little": little}))
    return counted.all > 0 and counted.seldom_wrong()


def _follow_ups(judgements: Sequence[Judgement], limits: Limits) -> _Counted:
    """Answers with a missing point that may be asked for; mistakes are those whose surest was said."""
    return _counted(judgements, limits, "missing")


def _doubts(judgements: Sequence[Judgement], limits: Limits) -> _Counted:
    """Answers with something that may be doubted; mistakes are those whose surest is not wrong."""
    return _counted(judgements, limits, "contradicted")


def _praises(judgements: Sequence[Judgement], limits: Limits) -> _Counted:
    """Answers with a point that may be praised; mistakes are those whose surest was left out, or said wrongly."""
    return _counted(judgements, limits, "covered")


def _counted(judgements: Sequence[Judgement], limits: Limits, status: VerdictStatus) -> _Counted:
    count = wrong = 0
    for each in judgements:
        told = [one for one in selected(each.verdicts, each.odds, limits) if one.told and one.status == status]
        surest = max(told, key=lambda one: one.probability, default=None)
        if surest and surest.point in each.labels:
            count, wrong = count + 1, wrong + _is_mistake(surest, each.labels[surest.point])
    return _Counted(count, wrong)


def _is_mistake(verdict: Verdict, label: VerdictStatus | bool) -> bool:  # noqa: FBT001 - a label, not a switch
    if verdict.status == "missing":
        return label in _SAID
    if verdict.status == "covered":
        return label not in _SAID
    return label not in (True, "contradicted")


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose the limits for the weights that are shipped, and store them."""
    parser = argparse.ArgumentParser(prog="python -m training.judge.selection", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="compare with those that are shipped; 1 if they differ")
    check: bool = parser.parse_args(arguments).check
    kept_back = Material.load([]).kept_back
    judge, realistic = BuiltInJudge(limits=NOBODY), kept_back.with_questions(kept_back.realistic)
    limits = choose([*judged(judge, kept_back.asked)], [*judged(judge, realistic)])
    sys.stdout.write(f"{limits.model_dump_json(indent=1)}\n")
    if not check:
        write(limits, SELECTION_FILE.parent)
        return 0
    for name in (differ := differing(limits, load_limits())):
        sys.stdout.write(f"{name} is {getattr(load_limits(), name)} in {SELECTION_FILE.name}\n")
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
