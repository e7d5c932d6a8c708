"""About: what an answer was about, as feedback speaks of it; see `compose.About`."""

from __future__ import annotations

from collections.abc import Sequence

from domain.question import Question
from domain.verdict import Evaluation
from graph.context import InterviewContext
from graph.feedback.compose import About
from graph.feedback.noun_phrases import as_subject
from graph.feedback.structures import open_points
from graph.follow_ups.wording import is_named, is_touched, nearest_ideas


async def about_answer(
    evaluation: Evaluation,
    question: Question,
    words: Sequence[str],
    context: InterviewContext,
    *,
    asked_next: bool = False,
) -> About:
    """What an answer was about. A story is about its parts, which are named without the ideas behind it.

    Args:
        evaluation: the verdicts on it.
        question: what was asked.
        words: of the answer.
        context: of the interview.
        asked_next: what is open is asked for in a moment, or was just asked for.
    """
    made = next(iter(evaluation.praised), None)
    gap, strength = await nearest_ideas((_open(evaluation), made.point if made else ""), question, context)
    touched = is_touched(gap, " ".join((question.text, *words)))
    return About(
        gap=as_subject(gap),
        # The only idea behind a question is what the question is about, whether it says the name or not.
        gap_is_new=len(question.concepts) > 1 and not touched,
        gap_is_theirs=is_named(gap, " ".join(words)),
        strength=as_subject(strength),
        parts=dict(zip(question.targets.points, question.targets.parts, strict=False)),
        own_work=question.source == "resume",
        asked_next=asked_next,
        asked=" ".join((question.text, *question.concepts)),
    )


def _open(evaluation: Evaluation) -> str:
    wrong = evaluation.doubts
    return next(iter((*(each.point for each in wrong), *open_points(evaluation))), "")
