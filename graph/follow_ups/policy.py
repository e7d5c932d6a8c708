"""Follow-up policy: should the next question stay with this one? A table of rules.

| condition | next | at most |
|---|---|---|
| first question, or nothing was judged | retrieve | |
| the candidate asked for another question, or whoever watches for a topic | retrieve | |
| less than five minutes left | retrieve | |
| something was surely not so (`Evaluation.doubts`), and was not corrected | clarification | 2 in a row |
| asked back about something that is not so, and points missed before | follow-up | 2 in a row |
| the candidate said that they do not know, or have no more to tell, and nothing else that counts | retrieve | |
| score below 7, and points missed | follow-up | 2 in a row |
| score from 7 to below 8, and points missed | follow-up | 1 |
| no point is surely enough missed, or each was asked for once, or told | retrieve | |
| about the résumé, and one follow-up was asked | retrieve | |
| score of 8 or more | retrieve | |
"""

from __future__ import annotations

from collections.abc import Collection

from domain.verdict import Evaluation
from domain.vocabulary import QuestionKind
from graph.planning.supervision import PRESSURE_BELOW_S

MAX_FOLLOW_UPS = 2
MAX_FOLLOW_UPS_ON_RESUME = 1
"""About something in the résumé the next question goes on by itself, with another aspect of it."""
GOOD_FROM = 7.0
VERY_GOOD_FROM = 8.0


def next_kind(
    evaluation: Evaluation | None,
    *,
    follow_ups: int,
    remaining_s: float,
    wants_another: bool = False,
    knows: bool = True,
    askable: bool = True,
    corrected: Collection[str] = (),
    most: int = MAX_FOLLOW_UPS,
) -> QuestionKind:
    """What kind of question comes after this answer.

    Args:
        evaluation: of the answer just given; None at the start, after a skip, or when nothing could be judged.
        follow_ups: follow-ups and clarifications already asked about the present question.
        remaining_s: what is left of the time budget.
        wants_another: the candidate asked for another question, or whoever watches for a topic.
        knows: False when the candidate said that they do not know, or have no more to tell; to ask on would only rub it
            in.
        askable: False when every point that was surely missed was asked for once, or told.
        corrected: points and misconceptions of which the candidate was told what holds.
        most: follow-ups in a row at most.
    """
    if evaluation is None or wants_another or remaining_s < PRESSURE_BELOW_S or follow_ups >= most:
        return "retrieved"
    if evaluation.scores is None:
        # Asked back, and said again or not: nobody asks for it twice, but what was missed is still open.
        return "follow_up" if evaluation.asked_back and askable and knows else "retrieved"
    overall = evaluation.scores.overall
    if any(doubt.point not in corrected for doubt in evaluation.doubts):
        return "clarification"
    gave_up = not knows and not (evaluation.credited or evaluation.halves)
    if gave_up or not askable or not evaluation.missed or overall >= VERY_GOOD_FROM:
        return "retrieved"
    if overall < GOOD_FROM or follow_ups < 1:
        return "follow_up"
    return "retrieved"
