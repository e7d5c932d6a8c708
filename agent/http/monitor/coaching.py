"""Coaching over HTTP: a topic to ask about next, and notes for the report, written into the record.

The interview may be held in another process: it finds a wish in the record when it chooses the next question.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from agent.http.monitor.schemas import AskableTopic, NoteRequest, TopicRequest
from agent.http.problems import ProblemError, ended
from domain.candidate import CandidateProfile
from domain.events import Event, InterviewCreated, NoteTaken, TopicWished
from rag import Pack
from review import RecordStore, Stored
from review.monitor.coaching import taken_notes, wished_topics
from review.monitor.models import SessionClock, TakenNote, WishedTopic
from review.monitor.runtime import runtime_state

MOST_OF_RESUME = 40
"""Things of a résumé that are offered, what matters most for the job first."""


def askable_topics(created: InterviewCreated, packs: Mapping[str, Pack]) -> list[AskableTopic]:
    """What the next question of an interview can be about. A long résumé takes a moment, once.

    Args:
        created: how the interview was asked for.
        packs: the question packs by id.
    """
    from graph.exploration.anchors import anchors_of  # noqa: PLC0415 - the graph: it takes a second to load

    pack = packs.get(created.pack)
    planned = [AskableTopic(id=each.id, title=each.title, source="plan") for each in pack.topics] if pack else []
    profile = created.profile or _read(created.resume)
    anchors = anchors_of(profile, created.job_description)[:MOST_OF_RESUME]
    return [*planned, *(AskableTopic(id=each.id, title=each.title, source="resume") for each in anchors)]


def wish_topic(
    store: RecordStore,
    packs: Mapping[str, Pack],
    interview_id: str,
    word: TopicRequest,
    clock: Callable[[], float] = time.time,
) -> WishedTopic:
    """Have the next question be about a topic.

    Raises:
        ProblemError: there is no such interview or topic, it is over, or there is no time for another question.
        RecordError: the record cannot be read or written.
    """
    from graph.planning.supervision import CRITICAL_BELOW_S  # noqa: PLC0415 - as above

    created, events, status = _interview(store, interview_id)
    if status == "ended":
        raise ended(interview_id)
    topic = _named(word.topic, askable_topics(created, packs))
    if _remaining_s(runtime_state(created, events, nodes=()).clock, clock()) < CRITICAL_BELOW_S:
        raise ProblemError(
            "no-time",
            f"“{topic.title}” cannot be asked about any more: with less than {CRITICAL_BELOW_S // 60} minutes left no "
            "further question is begun. Write a note for the report instead.",
        )
    wish = TopicWished(at=_now(created, events, clock), topic=topic.id, title=topic.title, by=word.by)
    number = store.append(interview_id, wish)
    return wished_topics([Stored(number, wish)])[0]


def take_note(
    store: RecordStore, interview_id: str, word: NoteRequest, clock: Callable[[], float] = time.time
) -> TakenNote:
    """Write a note for the report, before or after the end.

    Raises:
        ProblemError: there is no such interview, or no such turn in it.
        RecordError: the record cannot be read or written.
    """
    created, events, status = _interview(store, interview_id)
    last = runtime_state(created, events, nodes=()).turn
    if word.turn is not None and word.turn > last:
        raise ProblemError("invalid-request", f"turn: there is no turn {word.turn} yet; the last one is {last}.")
    at = clock() if status == "ended" else _now(created, events, clock)
    note = NoteTaken(at=at, turn=last if word.turn is None else word.turn, by=word.by, note=word.note)
    number = store.append(interview_id, note)
    return taken_notes([Stored(number, note)])[0]


@lru_cache(maxsize=16)
def _read(resume: str) -> CandidateProfile | None:
    if not resume.strip():
        return None
    from graph.candidate.profile import read_profile  # noqa: PLC0415 - as above

    return read_profile(resume)


def _interview(store: RecordStore, interview_id: str) -> tuple[InterviewCreated, list[Event], str]:
    events = [stored.event for stored in store.events(interview_id)]
    created = next((event for event in events if isinstance(event, InterviewCreated)), None)
    if created is None:
        raise ProblemError(
            "unknown-session", f"There is no interview {interview_id!r}. GET /api/interviews lists those there are."
        )
    return created, events, store.status(interview_id) or "created"


def _named(wanted: str, topics: Sequence[AskableTopic]) -> AskableTopic:
    folded = wanted.casefold()
    found = next((each for each in topics if each.id == wanted), None) or next(
        (each for each in topics if each.title.casefold() == folded), None
    )
    if found is None:
        there_is = ", ".join(each.title for each in topics)
        raise ProblemError("unknown-topic", f"Nothing can be asked about {wanted!r} here; there is: {there_is}.")
    return found


def _remaining_s(clock: SessionClock, now: float) -> float:
    return clock.remaining_s - (max(0.0, now - clock.as_of) if clock.runs else 0.0)


def _now(created: InterviewCreated, events: Sequence[Event], clock: Callable[[], float]) -> float:
    """In virtual time what somebody does who watches takes none."""
    return events[-1].at if created.time == "virtual" else clock()
