"""Difficulty of the next question: the plan suggests, the scores move it, and what the candidate asks for comes first.

By rule, instant, no model. It moves one step at a time, whatever the plan and the scores say, and only where a question
of its own comes next: what follows an answer up is about the same matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.frozen_model import FrozenModel
from domain.vocabulary import DIFFICULTIES, Difficulty, DifficultyReason
from graph.planning.plan import easier, harder, shifted
from graph.planning.supervision import PRESSURE_BELOW_S
from graph.planning.trend import EASIER_BELOW, HARDER_ABOVE, STRUGGLING_BELOW, ema

FEWEST_SCORES = 3
"""Judged answers before scores move anything: of one or two, the question may have been an unlucky one."""


class DifficultyDecision(FrozenModel):
    """How hard the question is that was chosen in a turn, and what is to be remembered of how that came about."""

    turn: int
    difficulty: Difficulty
    why: DifficultyReason | None = None
    """What moved it in this turn; None where it stays."""
    moved_in: int = 0
    """Turn in which it moved last, this one included; 0 while it is as it began."""
    steps: int = 0
    """Steps by which the scores put it above (positive) or below what plan and candidate want."""
    reduced: bool = False
    """The answers were too weak for it when the scores last spoke, also where nothing easier was left."""


def step_by_scores(scores: Sequence[float], since: Sequence[float]) -> int:
    """The step that the scores ask for: -1 for an easier question, 1 for a harder one, 0 for neither.

    From the third judged answer on, by the smoothed score. No decline is asked for: who is weak from the first answer
    on needs an easier question too. After a step there is no other before an answer at the new difficulty was judged,
    and these answers, smoothed by themselves, have to ask for it as well: else the answers that brought about the
    first step would bring about a second, whatever is made of the easier question.

    Args:
        scores: overall scores that count, in order.
        since: those of them given to questions that were asked since the difficulty moved last; all while it has not.
    """
    if len(scores) < FEWEST_SCORES or not since:
        return 0
    smoothed = ema(scores)[-1], ema(since)[-1]
    if max(smoothed) < EASIER_BELOW:
        return -1
    return 1 if min(smoothed) > HARDER_ABOVE else 0


def next_difficulty(
    *,
    turn: int,
    current: Difficulty,
    planned: Difficulty,
    scores: Sequence[float],
    since: Sequence[float],
    remaining_s: float,
    before: DifficultyDecision | None = None,
    asked_for: Difficulty | None = None,
    leaning: int = 0,
) -> DifficultyDecision:
    """How hard the next question of its own is.

    With little time left nothing changes. The plan makes nothing harder for a candidate who is struggling, nor
    for one to whom the scores gave easier questions: only the scores give them harder ones again. What the
    candidate asked for holds for the question at hand and becomes what is in force; after it the plan goes on as many
    steps easier or harder as they asked for (`leaning`), and as many as the scores have moved it.

    Args:
        turn: in which the question is chosen.
        current: the difficulty in force.
        planned: what the plan has for the next of its topics.
        scores: overall scores that count, in order.
        since: those of them given to questions that were asked since the difficulty moved last.
        remaining_s: what is left of the time budget.
        before: the last decision; None before the first.
        asked_for: what the candidate has just asked for.
        leaning: by how many steps they asked for harder (positive) or easier (negative) questions so far.
    """
    last = before or DifficultyDecision(turn=turn, difficulty=current)
    stays = last.model_copy(update={"turn": turn, "difficulty": current, "why": None})
    if asked_for is not None:
        return _moved(stays, asked_for, "request")
    if remaining_s < PRESSURE_BELOW_S:
        return stays
    step, wanted = step_by_scores(scores, since), shifted(planned, leaning)
    if step:
        stays = stays.model_copy(update={"reduced": step < 0})
    if (to := shifted(current, step)) != current:
        apart = DIFFICULTIES.index(to) - DIFFICULTIES.index(wanted)
        moved = _moved(stays, to, "low_scores" if step < 0 else "high_scores")
        return moved.model_copy(update={"steps": apart})
    wanted = shifted(wanted, stays.steps)
    if stays.reduced or (scores and ema(scores)[-1] < STRUGGLING_BELOW):
        wanted = min(wanted, current, key=DIFFICULTIES.index)
    if step > 0:
        wanted = max(wanted, current, key=DIFFICULTIES.index)
    return _moved(stays, _one_step(current, wanted), "plan")


def _moved(stays: DifficultyDecision, to: Difficulty, why: DifficultyReason) -> DifficultyDecision:
    if to == stays.difficulty:
        return stays
    return stays.model_copy(update={"difficulty": to, "why": why, "moved_in": stays.turn})


def _one_step(current: Difficulty, wanted: Difficulty) -> Difficulty:
    if DIFFICULTIES.index(wanted) > DIFFICULTIES.index(current):
        return harder(current)
    return easier(current) if wanted != current else current
