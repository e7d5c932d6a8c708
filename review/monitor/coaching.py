"""Coaching: what somebody who watches would like to be asked about and what came of it, and what they noted. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import AnswerTaken, InterviewEnded, NoteTaken, TopicWished, TopicWishSettled, TurnVoided
from domain.vocabulary import EndReason
from review.monitor.models import TakenNote, WishedTopic
from review.record.store import Stored
from review.record.titles import in_words

_REPLACED = "Another topic was wished for before it could be asked about."


def wished_topics(stored: Sequence[Stored]) -> list[WishedTopic]:
    """The wishes of an interview, in their order.

    Args:
        stored: its record from the beginning, in order.
    """
    wished = [one for one in stored if isinstance(one.event, TopicWished)]
    if not wished:
        return []
    settled = _settled(stored)
    ended = next((one.event for one in reversed(stored) if isinstance(one.event, InterviewEnded)), None)
    last = wished[-1].seq
    return [_wished(one, settled.get(one.seq), ended, is_last=one.seq == last) for one in wished]


def taken_notes(stored: Sequence[Stored]) -> list[TakenNote]:
    """The notes of an interview, in their order."""
    return [
        TakenNote(turn=one.event.turn, by=one.event.by, note=one.event.note, at=one.event.at)
        for one in stored
        if isinstance(one.event, NoteTaken)
    ]


def _settled(stored: Sequence[Stored]) -> dict[int, TopicWishSettled]:
    """What came of each wish, by its number; what came of it in a turn that does not stand came to nothing."""
    settled: dict[int, TopicWishSettled] = {}
    turn = 0
    for one in stored:
        match one.event:
            case TopicWishSettled():
                settled[one.event.wish] = one.event
            case AnswerTaken():
                if one.event.continues:
                    settled = _without(settled, turn)
                turn = one.event.turn
            case TurnVoided():
                settled = _without(settled, one.event.turn)
            case _:
                pass
    return settled


def _without(settled: dict[int, TopicWishSettled], turn: int) -> dict[int, TopicWishSettled]:
    return {wish: event for wish, event in settled.items() if event.turn != turn}


def _wished(
    one: Stored, settled: TopicWishSettled | None, ended: InterviewEnded | None, *, is_last: bool
) -> WishedTopic:
    event = one.event
    assert isinstance(event, TopicWished)
    why = settled.why if settled else _why_nothing_came(ended.reason if ended else None, is_last=is_last)
    asked = settled is not None and settled.asked
    return WishedTopic(
        number=one.seq,
        topic=event.topic,
        title=event.title,
        by=event.by,
        at=event.at,
        status="asked" if asked else "not_asked" if why else "waits",
        turn=settled.turn if settled else 0,
        why=why,
    )


def _why_nothing_came(ended: EndReason | None, *, is_last: bool) -> str:
    if not is_last:
        return _REPLACED
    return f"The interview ended before another question was asked: {in_words(ended).lower()}." if ended else ""
