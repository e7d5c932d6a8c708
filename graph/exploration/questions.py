"""Questions about a résumé: the next one, as it will be asked and judged."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import get_args

from domain.question import AskedQuestion, Question
from domain.vocabulary import Aspect
from graph.context import InterviewContext
from graph.exploration.anchors import Anchor
from graph.exploration.aspects import aspect_sheets
from graph.exploration.explored import depth_of, main_questions
from graph.exploration.model_wording import worded_by_model
from graph.exploration.policy import Step, next_step
from graph.exploration.wording import Place, Spoken, worded
from graph.language_models.prompt_history import conversation
from graph.planning.requested_question import Wish
from graph.planning.trend import candidate_state
from graph.selectors import evaluations_so_far, resume_anchors
from graph.state import InterviewState

MINUTES = 3.0
"""Expected minutes for asking and answering."""


async def resume_question(state: InterviewState, context: InterviewContext, wish: Wish) -> Question | None:
    """The next question about the résumé; None when it says nothing, or everything was asked.

    Args:
        state: of the interview; the answer of this turn is judged already.
        context: of the interview.
        wish: what the candidate asked the next question to be.
    """
    anchors = await asyncio.to_thread(resume_anchors, state)
    step = _step(anchors, state, wish)
    if step is None:
        return None
    asked = [record.asked for record in state.get("questions_asked", [])]
    spoken = _worded(step, anchors, asked, state, context)
    text = await worded_by_model(step, asked, context, turn=state["turn"], told=conversation(state)) or spoken.text
    return question_of(step, Spoken(spoken.lead_in, text), state)


def question_of(step: Step, spoken: Spoken, state: InterviewState) -> Question:
    """The question as it will be asked, with what a good answer tells.

    Args:
        step: what is asked about.
        spoken: its wording.
        state: of the interview.
    """
    anchor, sheets = step.anchor, aspect_sheets()
    asked = [record.text for record in state.get("questions_asked", [])]
    sheet = sheets.aspects[step.aspect]
    return Question(
        id=_id(anchor, step.aspect),
        text=spoken.text,
        lead_in=spoken.lead_in,
        kind="retrieved",
        source="resume",
        topic=anchor.id,
        topic_title=anchor.title,
        difficulty=state["difficulty_level"],
        targets=sheets.targets(step.aspect),
        expected_answer=sheet.answer,
        concepts=(),
        minutes=MINUTES,
        hints=sheet.hints,
        follow_ups=sheets.follow_ups(step.aspect, [*asked, spoken.text]),
        anchor=anchor.id,
        aspect=step.aspect,
    )


def _step(anchors: tuple[Anchor, ...], state: InterviewState, wish: Wish) -> Step | None:
    records = state.get("questions_asked", [])
    explored = main_questions(records)
    # Something else was asked about since, so there is nothing to stay with.
    elsewhere = bool(records) and records[-1].source != "resume"
    last = explored[-1].root if explored else ""
    return next_step(
        anchors,
        [(each.anchor or "", each.aspect or "") for each in explored],
        depth=depth_of(last, evaluations_so_far(state)),
        moves_on=wish.another or elsewhere,
        wanted=wish.topic or wish.of_resume,
        state=candidate_state([each.scores.overall for each in evaluations_so_far(state) if each.scores]),
        earlier=_asked_earlier(anchors, state),
    )


def _asked_earlier(anchors: tuple[Anchor, ...], state: InterviewState) -> set[tuple[str, str]]:
    """Anchor and aspect of what the last interviews asked, where the anchor is still the same thing."""
    asked = {(each.id, each.about) for each in state.get("asked_before", [])}
    return {
        (anchor.id, aspect)
        for anchor in anchors
        for aspect in get_args(Aspect)
        if (_id(anchor, aspect), anchor.title) in asked
    }


def _id(anchor: Anchor, aspect: Aspect) -> str:
    return f"resume-{anchor.id}-{aspect}"


def _worded(
    step: Step,
    anchors: tuple[Anchor, ...],
    asked: list[AskedQuestion],
    state: InterviewState,
    context: InterviewContext,
) -> Spoken:
    records = state.get("questions_asked", [])
    before = next((each.name for each in anchors if records and each.id == records[-1].topic), "")
    place = _place(step, state)
    anchors_asked = [each.anchor for each in main_questions(records)]
    stayed = sum(one == other for one, other in pairwise(anchors_asked))
    return worded(
        step,
        context.resume_wording,
        turn=state["turn"],
        place=place,
        times=stayed if place == "same" else len(anchors_asked) - stayed,
        before=before,
        asked=[each.text for each in asked],
    )


def _place(step: Step, state: InterviewState) -> Place:
    records = state.get("questions_asked", [])
    if not records:
        return "first"
    if records[-1].source != "resume":
        return "back" if step.returns else "switch"
    if step.stays:
        return "same"
    return "back" if step.returns else "leave"
