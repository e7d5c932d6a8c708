"""Wording by a language model: drafted, criticised and refined, in at most two rounds, behind a gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.question import AskedQuestion
from graph.context import InterviewContext
from graph.exploration.anchors import Anchor
from graph.exploration.aspects import aspect_sheets
from graph.exploration.policy import Step
from graph.follow_ups.validators import question_gate
from graph.judging.text.stems import content_stems
from graph.language_models.tasks import RESUME_CRITIC, RESUME_QUESTION, QuestionReply
from rag.duplicates.duplicates import is_repetition
from rag.embedding.embedder import Embedder

_ROUNDS = 2
_MOST_ASKED = 6
"""Questions before it that a model is shown."""
_NONE = "none"


async def worded_by_model(
    step: Step, asked: Sequence[AskedQuestion], context: InterviewContext, *, turn: int, told: str
) -> str:
    """A question in a model's words; empty when there is no model, or none of its words will do.

    Args:
        step: what is asked about.
        asked: every question of this interview.
        context: of the interview.
        turn: the candidate's turn.
        told: the conversation so far.
    """
    if context.models is None:
        return ""
    anchor, sheets = step.anchor, aspect_sheets()
    values = {
        "about": anchor.name,
        "employer": anchor.employer or _NONE,
        "did": "\n".join(f"- {line}" for line in anchor.did[:_MOST_ASKED]) or f"- {_NONE}",
        "aspect": step.aspect,
        "wanted": "\n".join(f"- {sheets.parts[part].asks[0]}" for part in sheets.aspects[step.aspect].parts),
        "asked": "\n".join(f"- {each.text}" for each in asked[-_MOST_ASKED:]) or f"- {_NONE}",
    }
    fault = _NONE
    for _ in range(_ROUNDS):
        check = resume_gate(anchor, asked, context.embedder)
        draft = await context.ask(
            RESUME_QUESTION, {**values, "fault": fault, "conversation": told}, turn=turn, check=check
        )
        if draft is None:
            return ""
        question = draft.question.strip()
        critique = await context.ask(RESUME_CRITIC, {**values, "question": question}, turn=turn)
        if critique is None or critique.is_good:
            return question
        fault = critique.fault
    return ""


def resume_gate(anchor: Anchor, asked: Sequence[AskedQuestion], embedder: Embedder) -> Callable[[QuestionReply], str]:
    """The gate of a model's question about a résumé: one question, about this anchor, that was not asked.

    Args:
        anchor: what it must be about.
        asked: every question of this interview.
        embedder: tells what means the same.
    """
    is_question = question_gate(())
    names = content_stems(" ".join((anchor.title, anchor.employer, *anchor.skills, *anchor.did)))

    def check(reply: QuestionReply) -> str:
        if fault := is_question(reply):
            return fault
        text = reply.question.strip()
        if names and not names & content_stems(text):
            return f"anchor: it must name what it is about, {anchor.name}"
        if is_repetition(text, asked, embedder):
            return "asked before: it means the same as a question that was asked"
        return ""

    return check
