"""Reheard answers: the record as it reads with the better words of the second decode, and the verdicts on them.

Whoever tells what was said and how it was judged reads the record through this. The record itself keeps both.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from domain.events import AnswerJudged, AnswerMeasured, AnswerReheard, AnswerTaken, Event, UtteranceHeard, Word

_SAME_TIME_S = 0.02
"""Word times are compared after a trip through JSON and rounding."""


def with_better_words(events: Sequence[Event]) -> list[Event]:
    """The events, with what was heard and judged of each answer replaced by what a second decode made of it.

    The second decodes stay where they are: each tells what was first heard. One of a turn that was taken back since
    changes nothing.
    """
    taken = {event.turn: event for event in events if isinstance(event, AnswerTaken)}
    reheard = {event.turn: event for event in events if isinstance(event, AnswerReheard) and event.turn in taken}
    if not reheard:
        return list(events)
    turns = {turn: event for turn, event in taken.items() if turn in reheard}
    heard_in = [_turn_of(event, turns) if isinstance(event, UtteranceHeard) else None for event in events]
    result: list[Event] = []
    for event, heard_in_turn in zip(events, heard_in, strict=True):
        match event:
            case AnswerTaken() if event.turn in reheard:
                better = reheard[event.turn]
                result.append(event.model_copy(update={"text": better.text, "words": better.words}))
            case AnswerJudged() if event.turn in reheard:
                result.append(AnswerJudged(at=event.at, **dict(reheard[event.turn].judged)))
            case AnswerMeasured() if event.turn in reheard:
                pass  # Those of the first words; the better ones are in the judgement.
            case UtteranceHeard() if heard_in_turn is not None:
                begins = [
                    each.words[0].start_at
                    for each, turn in zip(events, heard_in, strict=True)
                    if isinstance(each, UtteranceHeard) and turn == heard_in_turn
                ]
                if words := _said_in(event, reheard[heard_in_turn].words, begins):
                    text = " ".join(word.text for word in words)
                    result.append(event.model_copy(update={"text": text, "words": words}))
            case _:
                result.append(event)
    return result


def _said_in(utterance: UtteranceHeard, words: Sequence[Word], begins: Sequence[float]) -> list[Word]:
    """The better words that were said in an utterance, by their middles; `begins` has when each of its turn began."""
    own = begins.index(utterance.words[0].start_at)
    return [word for word in words if max(0, bisect_right(begins, (word.start_at + word.end_at) / 2) - 1) == own]


def _turn_of(heard: UtteranceHeard, taken: Mapping[int, AnswerTaken]) -> int | None:
    """The turn whose words these are a part of; the last one that holds them, as in the transcript."""
    if not heard.words:
        return None
    for turn in sorted(taken, reverse=True):
        words = taken[turn].words
        if (
            words
            and words[0].start_at - _SAME_TIME_S <= heard.words[0].start_at
            and heard.words[-1].end_at <= words[-1].end_at + _SAME_TIME_S
        ):
            return turn
    return None
