"""Latency of turns: how long candidates wait after their last word, beside what they may have to wait. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import AnswerJudged, AnswerTaken, Event, SpeechStarted
from review.monitor.models import TurnLatency

FIRST_SOUND_S = 1.3
"""What nineteen of twenty first sounds may take: the goal of docs/voice.md."""


def turn_latencies(events: Sequence[Event]) -> list[TurnLatency]:
    """What was waited for in each turn, in order. Of a turn that the candidate took up again the last time counts."""
    by_turn: dict[int, TurnLatency] = {}
    taken: AnswerTaken | None = None
    for event in events:
        match event:
            case AnswerTaken():
                taken = event
                by_turn[event.turn] = _begun(event)
            case AnswerJudged() if taken and event.turn == taken.turn:
                by_turn[taken.turn] = _judged(by_turn[taken.turn], taken, event)
            case SpeechStarted() if taken and event.turn == taken.turn:
                by_turn[taken.turn] = _spoken(by_turn[taken.turn], taken, event)
            case _:
                pass
    return list(by_turn.values())


def _begun(taken: AnswerTaken) -> TurnLatency:
    return TurnLatency(
        turn=taken.turn,
        over_s=_since(taken, taken.at),
        judged_s=None,
        first_sound_s=None,
        first_sound="",
        question_s=None,
        budget_s=FIRST_SOUND_S,
    )


def _judged(so_far: TurnLatency, taken: AnswerTaken, judged: AnswerJudged) -> TurnLatency:
    return so_far.model_copy(update={"judged_s": _since(taken, judged.at)}) if so_far.judged_s is None else so_far


def _spoken(so_far: TurnLatency, taken: AnswerTaken, speech: SpeechStarted) -> TurnLatency:
    if so_far.first_sound_s is None:
        so_far = so_far.model_copy(update={"first_sound_s": _since(taken, speech.at), "first_sound": speech.speech})
    if speech.speech == "question" and so_far.question_s is None:
        so_far = so_far.model_copy(update={"question_s": _since(taken, speech.at)})
    return so_far


def _since(taken: AnswerTaken, at: float) -> float:
    return round(max(0.0, at - taken.speech_ended_at), 3)
