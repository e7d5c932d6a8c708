"""Heard again: what a second decode of an answer changed in its words and in its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from domain.events import AnswerJudged, AnswerReheard, AnswerTaken, Event
from domain.verdict import Evaluation
from review.report.models import ChangedVerdict, HeardAgain

HeardAgainByTurn = Mapping[int, HeardAgain]


def heard_again(events: Sequence[Event]) -> HeardAgainByTurn:
    """What was changed, by turn. `events` are the record as it was written."""
    taken = {event.turn: event for event in events if isinstance(event, AnswerTaken)}
    judged = {event.turn: event for event in events if isinstance(event, AnswerJudged)}
    return {
        event.turn: HeardAgain(
            first_heard=taken[event.turn].text,
            changed=_changed(judged[event.turn], event.judged) if event.turn in judged else [],
        )
        for event in events
        if isinstance(event, AnswerReheard) and event.turn in taken
    }


def _changed(before: Evaluation, after: Evaluation) -> list[ChangedVerdict]:
    """The points whose status is another one; a misconception that was not stated has no verdict at all."""
    first = {verdict.point: verdict.status for verdict in before.verdicts}
    now = {verdict.point: verdict.status for verdict in after.verdicts}
    return [
        ChangedVerdict(point=point, first=first.get(point), now=now.get(point))
        for point in dict.fromkeys([*first, *now])
        if first.get(point) != now.get(point)
    ]
