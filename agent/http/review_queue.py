"""Review queue: turns that wait for a person, by text and by voice alike, found in the record and released into it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence

from agent.http.problems import ProblemError
from agent.http.text.schemas import Release, Released, WaitingTurn
from domain.events import (
    AnswerJudged,
    AnswerTaken,
    Event,
    FeedbackReady,
    InterviewCreated,
    QuestionSelected,
    ReviewReleased,
    ReviewRequested,
    TurnVoided,
)
from review import RecordStore, UnreadableError

_log = logging.getLogger(__name__)


def waiting_turns(store: RecordStore) -> list[WaitingTurn]:
    """What waits in interviews that are not over, the longest wait first; one that cannot be read is left out.

    Raises:
        RecordError: the record cannot be read.
    """
    running = (unended.id for unended in store.unended() if unended.status == "running")
    turns = [turn for id_ in running for turn in _waiting(id_, _readable_events(store, id_))]
    return sorted(turns, key=lambda turn: turn.requested_at)


def release(
    store: RecordStore, session_id: str, turn: int, word: Release, clock: Callable[[], float] = time.time
) -> Released:
    """Let an interview go on after this turn.

    Raises:
        ProblemError: no such turn waits, or it was released before.
        RecordError: the record cannot be read or written.
    """
    events = [stored.event for stored in store.events(session_id)]
    requested = next((e for e in reversed(events) if isinstance(e, ReviewRequested) and e.turn == turn), None)
    if requested is None or any(isinstance(event, TurnVoided) and event.turn == turn for event in events):
        raise ProblemError("nothing-waits", f"No turn {turn} of interview {session_id!r} waits for a person.")
    if any(isinstance(event, ReviewReleased) and event.turn == turn for event in events):
        raise ProblemError("already-released", f"Turn {turn} of this interview was released before; it goes on.")
    virtual = any(isinstance(event, InterviewCreated) and event.time == "virtual" for event in events)
    # In virtual time a person's look takes none: what is released now continues where the interview stopped.
    at = events[-1].at if virtual else clock()
    store.append(session_id, ReviewReleased(at=at, turn=turn, by=word.by, note=word.note))
    return Released(session_id=session_id, turn=turn, by=word.by, note=word.note)


def _readable_events(store: RecordStore, session_id: str) -> list[Event]:
    try:
        return [stored.event for stored in store.events(session_id)]
    except UnreadableError as error:
        _log.warning("what waits for a person is not looked for here: %s", error)
        return []


def _waiting(session_id: str, events: Sequence[Event]) -> list[WaitingTurn]:
    settled = {event.turn for event in events if isinstance(event, ReviewReleased | TurnVoided)}
    requested = {event.turn: event for event in events if isinstance(event, ReviewRequested)}
    return [_described(session_id, event, events) for turn, event in requested.items() if turn not in settled]


def _described(session_id: str, requested: ReviewRequested, events: Sequence[Event]) -> WaitingTurn:
    turn = requested.turn
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    answer = next((e for e in reversed(events) if isinstance(e, AnswerTaken) and e.turn == turn), None)
    judged = next((e for e in reversed(events) if isinstance(e, AnswerJudged) and e.turn == turn), None)
    feedback = next((e for e in reversed(events) if isinstance(e, FeedbackReady) and e.turn == turn), None)
    question_id = judged.question_id if judged else answer.question_id if answer else ""
    questions = (e.text for e in events if isinstance(e, QuestionSelected) and e.question_id == question_id)
    return WaitingTurn(
        session_id=session_id,
        turn=turn,
        why=requested.why,
        requested_at=requested.at,
        candidate_name=created.candidate_name if created else "",
        medium=created.medium if created else "voice",
        question=next(questions, ""),
        answer=answer.text if answer else "",
        feedback=feedback.text if feedback else "",
        scores=judged.scores.model_dump() if judged and judged.scores else None,
    )
