"""Contested verdicts, `viva judge contest`: a person disagrees, it is judged again, and the record keeps both
judgements.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.cli.judge.answers import FoundAnswer, events_of, find_answer, open_record
from agent.cli.judge.choice import make_named_panel
from agent.packs import packs_in_force
from agent.settings import Settings
from domain.events import AnswerJudged, Event, InterviewCreated, InterviewEnded, VerdictContested
from domain.question import KeyPoints, Question
from domain.verdict import Verdict
from domain.vocabulary import QuestionSource, StoryPart, VerdictStatus
from graph.exploration.aspects import aspect_sheets
from graph.judging import JudgePanel
from graph.judging.scoring import score
from rag import Pack
from rag.packs.pack import PackError
from review.report.answer_view import questions_of
from review.report.answers import PERSON


class ContestError(ValueError):
    """A verdict cannot be contested in this way; the message says why, and nothing was recorded."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What a person has to say against a judgement."""

    note: str
    by: str = ""
    point: int | None = None
    """Number of the verdict, from 1, as `viva judge explain` lists them; None: all of them."""
    status: VerdictStatus | None = None
    """The status that the person gives; None: a judge judges again, with the note."""


def contest(
    interview_id: str,
    question: str,
    objection: Objection,
    settings: Settings,
    clock: Callable[[], float] = time.time,
) -> int:
    """Record an objection and what follows from it, and print both judgements.

    Raises:
        ContestError, NoSuchAnswerError: it cannot be contested; nothing was recorded.
        JudgeChoiceError, LanguageModelError, ModelError, EncoderError: nobody can judge again; nothing was recorded.
        RecordError: the record cannot be read or written.
    """
    store = open_record(settings)
    try:
        events = events_of(store, interview_id)
        found = find_answer(events, question)
        judged = contestable(events, found, objection)
        if objection.status:
            event = decided(judged, objection, clock())
        else:
            asked = question_of(events, judged, _pack_of(events, settings))
            if not found.words:
                raise ContestError("The words of this answer are not in the record, so it cannot be judged again.")

            async def again() -> VerdictContested:
                panel = await make_named_panel("auto", settings)
                return await judged_again(panel, asked, found.words, judged=judged, objection=objection, at=clock())

            event = asyncio.run(again())
        store.append(interview_id, event)
    finally:
        store.close()
    sys.stdout.write(_told(found, judged, event))
    return 0


def contestable(events: Sequence[Event], found: FoundAnswer, objection: Objection) -> AnswerJudged:
    """The judgement that an objection is about.

    Raises:
        ContestError: there is nothing to contest yet, or the objection does not fit it.
    """
    judged = found.answer.judged
    if not any(isinstance(event, InterviewEnded) for event in events):
        raise ContestError("The interview is not over yet: its verdicts can be contested when it has ended.")
    if not objection.note.strip():
        raise ContestError("The note is empty: say why the verdict should be another one (--note).")
    if judged is None or not judged.verdicts:
        why = judged.not_scored if judged else "it was not judged"
        raise ContestError(f"There is no verdict on answer {found.number} to contest ({why.rstrip('.')}).")
    if objection.status and objection.point is None:
        raise ContestError("A status is of one verdict: name it with --point.")
    if objection.point is not None and not 1 <= objection.point <= len(judged.verdicts):
        raise ContestError(
            f"There is no verdict {objection.point} on this answer: `viva judge explain` lists 1 to "
            f"{len(judged.verdicts)}."
        )
    kind = judged.verdicts[objection.point - 1].kind if objection.point else "key_point"
    if kind == "misconception" and objection.status not in (None, "missing", "contradicted"):
        raise ContestError("A misconception was stated (contradicted) or it was not (missing).")
    return judged


def decided(judged: AnswerJudged, objection: Objection, at: float) -> VerdictContested:
    """What stands when a person gives the status: theirs for this verdict, and all others as they were."""
    assert objection.point is not None
    assert objection.status is not None
    number, by = objection.point - 1, objection.by or "a person"
    verdicts = list(judged.verdicts)
    update: dict[str, object] = {
        "status": objection.status,
        "probability": 1.0,
        "counts": None,
        "rule": f"decided by {by}: {objection.note.strip()}",
    }
    if objection.status == "missing":
        update["quote"] = None
    verdicts[number] = verdicts[number].model_copy(update=update)
    return _event(judged, objection, verdicts, at, judge=PERSON, fallback=judged.fallback)


async def judged_again(
    panel: JudgePanel,
    question: Question,
    words: Sequence[str],
    *,
    judged: AnswerJudged,
    objection: Objection,
    at: float,
) -> VerdictContested:
    """What stands when a judge looks again with the note: its verdicts, or its verdict on the point in question.

    Raises:
        ContestError: nobody could judge it.
    """
    again = await panel.with_note(objection.note.strip()).evaluate(
        question, words, turn=judged.turn, hints=judged.hints, however_short=True
    )
    if again.scores is None:
        raise ContestError(f"It could not be judged again, so nothing was recorded. {again.not_scored}")
    verdicts, fallback = list(again.verdicts), again.fallback
    if objection.point is not None:
        verdicts, fallback = list(judged.verdicts), judged.fallback or again.fallback
        contested = verdicts[objection.point - 1]
        new = [each for each in again.verdicts if (each.point, each.kind) == (contested.point, contested.kind)]
        # A misconception that is not found again has no verdict any more.
        verdicts[objection.point - 1 : objection.point] = new
    return _event(judged, objection, verdicts, at, judge=again.judge, fallback=fallback)


def question_of(events: Sequence[Event], judged: AnswerJudged, pack: Pack | None) -> Question:
    """The question as it was judged: its key points are in the record, what else judges know of it is in the pack."""
    asked = questions_of(events).get(judged.question_id)
    root = judged.question_id.partition(".")[0]
    known = next((each for each in pack.questions if each.id == root), None) if pack else None
    points = tuple(verdict.point for verdict in judged.verdicts if verdict.kind == "key_point")
    stated = [verdict.point for verdict in judged.verdicts if verdict.kind == "misconception"]
    source: QuestionSource = asked.source if asked else "plan"
    parts: dict[str, StoryPart] = dict(zip(known.key_points, known.parts, strict=False)) if known else {}
    if source == "resume":
        parts = aspect_sheets().part_of()
    return Question(
        id=judged.question_id,
        text=asked.text if asked else known.text if known else "",
        kind=asked.question_kind if asked else "retrieved",
        source=source,
        topic=judged.topic,
        difficulty=judged.difficulty,
        targets=KeyPoints(
            points=points,
            misconceptions=tuple(dict.fromkeys([*(known.misconceptions if known else []), *stated])),
            parts=tuple(parts[point] for point in points if point in parts),
        ),
        expected_answer=known.model_answer if known else "",
        concepts=(),
        minutes=known.minutes if known else 0.0,
    )


def _pack_of(events: Sequence[Event], settings: Settings) -> Pack | None:
    """None when the pack has been removed since, or cannot be read: then the record alone has to do."""
    name = next((event.pack for event in events if isinstance(event, InterviewCreated)), "")
    try:
        return packs_in_force(settings).get(name)
    except PackError:
        return None


def _event(
    judged: AnswerJudged, objection: Objection, verdicts: Sequence[Verdict], at: float, *, judge: str, fallback: bool
) -> VerdictContested:
    scores = score(verdicts, judged.hints)
    return VerdictContested(
        at=at,
        turn=judged.turn,
        question_id=judged.question_id,
        note=objection.note.strip(),
        by=objection.by,
        points=[judged.verdicts[objection.point - 1].point] if objection.point else [],
        judge=judge,
        verdicts=tuple(verdicts),
        scores=scores,
        not_scored="" if scores else judged.not_scored,
        fallback=fallback,
    )


def _told(found: FoundAnswer, before: AnswerJudged, after: VerdictContested) -> str:
    """What changed, line by line."""
    earlier = {verdict.point: verdict.status for verdict in before.verdicts}
    later = {verdict.point: verdict.status for verdict in after.verdicts}
    lines = [f"Answer {found.number} ({before.question_id}), judged again by {after.judge}:"]
    for point in dict.fromkeys([*earlier, *later]):
        was, now = earlier.get(point, "missing"), later.get(point, "missing")
        lines.append(f"   {was if was == now else f'{was} -> {now}'}: {point}")
    was_scored, is_scored = (each.scores.overall if each.scores else "not scored" for each in (before, after))
    lines.append(f"   overall: {was_scored} -> {is_scored}")
    lines.append("Both judgements and the note are in the record; the report shows what stands and what was before.")
    return "\n".join(lines) + "\n"
