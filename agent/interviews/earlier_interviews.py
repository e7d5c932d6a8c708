"""Earlier interviews: what somebody's last ones with a pack asked, and what was hard for them, from the record.

A name is enough to be somebody, so that something was hard for them is known only to whoever hosts Viva. What a guest
was asked belongs to nobody.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Sequence

from domain.events import Event, InterviewCreated, QuestionSelected, Supervised, TurnVoided
from domain.question import AskedBefore
from review import RecordError, RecordStore
from review.record.reheard import with_better_words
from review.report.answers import given_answers

LAST_INTERVIEWS = 3
"""How many of a person's interviews with a pack are looked at."""
HARD_BELOW = 5.0
"""An overall score, 0 to 10. Where an answer and what followed it up stayed below, the question was hard."""

_log = logging.getLogger(__name__)


def with_asked_before(store: RecordStore, created: InterviewCreated, *, is_host: bool) -> InterviewCreated:
    """The interview with what its candidate's last ones asked, and a seed. Not within an event loop.

    A fault is logged: nobody goes without an interview because an earlier one cannot be read.

    Args:
        store: the record.
        created: the interview; nothing of it is in the record yet.
        is_host: whoever hosts Viva asked for it.
    """
    try:
        earlier = store.created_with(created.pack)
        theirs = [id_ for id_, each in earlier if not each.guest and each.whose == created.whose]
        asked = [] if created.guest else _of_last(store, theirs)
        seed = len(earlier) + len(store.deleted())
    except RecordError as error:
        _log.error("what was asked in earlier interviews cannot be told: %s", error)
        return created
    known = asked if is_host else [each.model_copy(update={"hard": False}) for each in asked]
    return created.model_copy(update={"asked_before": known, "seed": seed})


def asked_before(interviews: Sequence[Sequence[Event]]) -> list[AskedBefore]:
    """What interviews asked, each question once, as it was the last time. Follow-ups belong to what they followed.

    Args:
        interviews: the events of each, the newest interview first.
    """
    found: dict[str, AskedBefore] = {}
    for ago, events in enumerate(interviews, start=1):
        hard = _hard(events)
        for each in _asked(events):
            known = AskedBefore(
                id=each.question_id, about=each.topic_title, interviews_ago=ago, hard=each.question_id in hard
            )
            found.setdefault(known.id, known)
    return list(found.values())


def _of_last(store: RecordStore, interviews: Sequence[str]) -> list[AskedBefore]:
    """Of the last interviews in which anything was asked."""
    last: list[list[Event]] = []
    for interview_id in interviews:
        try:
            events = [stored.event for stored in store.events(interview_id)]
        except RecordError as error:
            _log.warning("nothing is known of what an interview asked: %s", error)
            continue
        if _asked(events):
            last.append(events)
        if len(last) == LAST_INTERVIEWS:
            break
    return asked_before(last)


def _asked(events: Sequence[Event]) -> list[QuestionSelected]:
    """Questions of their own that went out to the candidate: not those after which the supervisor ended it."""
    ended_in = {event.turn for event in events if isinstance(event, Supervised) and not event.goes_on}
    lost = {event.turn for event in events if isinstance(event, TurnVoided)}
    return [
        event
        for event in events
        if isinstance(event, QuestionSelected)
        and event.question_kind == "retrieved"
        and event.turn not in ended_in | lost
    ]


def _hard(events: Sequence[Event]) -> set[str]:
    """Ids of the questions whose best answer, those to what followed it up among them, was poor."""
    scores: dict[str, list[float]] = defaultdict(list)
    for given in given_answers(with_better_words(events)):
        if given.counts and given.scores:
            scores[given.question_id.partition(".")[0]].append(given.scores.overall)
    return {root for root, of_it in scores.items() if max(of_it) < HARD_BELOW}
