"""Turns of a rehearsal: what the record holds and what the candidate said and heard, brought together."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agent.rehearsal.candidate import Caption
from agent.rehearsal.conversation import SaidLine
from agent.rehearsal.hearing import HeardFrames, caption_onset, first_onset_after, stopped_after_s
from agent.rehearsal.matching import word_accuracy, word_errors, words_of
from agent.rehearsal.result import BargeIn, TurnResult
from domain.events import AnswerTaken, Event, InterviewEnded, QuestionSelected, SpeechStarted, Supervised
from domain.vocabulary import SpeechKind
from review.report.answers import GivenAnswer, standing_turns

WORD_TIME_ERROR_S = 2.0
"""A recogniser's word times are at most this wrong at the ends of an utterance."""
CAPTION_DELAY_S = 4.0
"""The record's start of a speech and the caption's are at most this far apart."""
_Decision = TypeVar("_Decision", QuestionSelected, Supervised)

SAME_WORDS = 0.5
"""Likeness from which a caption shows the beginning of a speech; an interrupted one is short."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What the candidate said and heard. All times are in seconds since the epoch."""

    said: Sequence[SaidLine]
    captions: Sequence[Caption]
    """Of the interviewer."""
    heard: HeardFrames

    def onset(self, speech: SpeechStarted) -> float | None:
        """When a speech that the record holds began to be heard."""
        caption = self._caption(speech)
        return caption_onset(self.heard, caption.opened_at if caption else speech.at)

    def _caption(self, speech: SpeechStarted) -> Caption | None:
        wanted = words_of(speech.text)

        def likeness(caption: Caption) -> float:
            shown = words_of(caption.text)
            return difflib.SequenceMatcher(None, shown, wanted[: len(shown)], autojunk=False).ratio() if shown else 0.0

        near = [caption for caption in self.captions if abs(caption.opened_at - speech.at) <= CAPTION_DELAY_S]
        alike = [caption for caption in near if likeness(caption) >= SAME_WORDS]
        return min(alike, key=lambda caption: abs(caption.opened_at - speech.at), default=None)


def assemble(events: Sequence[Event], witness: Witness, zero: float) -> tuple[list[TurnResult], list[str]]:
    """The turns that stand, and what was said during the interview that is in none of them.

    Args:
        events: the record, in order.
        witness: what the candidate said and heard.
        zero: when the rehearsal began, seconds since the epoch.

    """
    given = [turn for turn in standing_turns(events) if turn.taken is not None]
    said_in = _shared_out(given, witness.said)
    turns = [
        _turn(answer, _followed(events, answer), said_in[index], witness, since(zero))
        for index, answer in enumerate(given)
    ]
    ended_at = next((event.at for event in events if isinstance(event, InterviewEnded)), math.inf)
    spoken = (said for said in witness.said if said.start < ended_at)
    lost = [said.text for said in spoken if not any(said in mine for mine in said_in)]
    return turns, lost


def placed(events: Sequence[Event], said: Sequence[SaidLine]) -> list[tuple[SaidLine, GivenAnswer | None]]:
    """All that the candidate said, each with the turn that stands and holds most of it, or None."""
    given = [turn for turn in standing_turns(events) if turn.taken is not None]
    shares = _shared_out(given, said)
    owner = {item: answer for answer, mine in zip(given, shares, strict=True) for item in mine}
    return [(item, owner.get(item)) for item in said]


def barge_ins(witness: Witness, zero: float) -> list[BargeIn]:
    """Each time that the candidate spoke into the interviewer's voice, and how soon that stopped."""
    found = ((said, stopped_after_s(witness.heard, said.start)) for said in witness.said)
    return [
        BargeIn(start_s=round(said.start - zero, 3), voice_stopped_after_s=round(stopped, 3), said=said.text)
        for said, stopped in found
        if stopped is not None
    ]


def overall_word_accuracy(turns: Sequence[TurnResult]) -> float | None:
    """One minus the word error rate over all turns together, so that long answers count as they should."""
    pairs = [(words_of(turn.said), words_of(turn.recognised)) for turn in turns]
    errors = sum(word_errors(said, recognised) for said, recognised in pairs)
    total = sum(len(said) for said, _ in pairs)
    return max(0.0, 1 - errors / total) if total else None


def latencies(turns: Sequence[TurnResult]) -> list[float]:
    """End of speech to first audio of every turn that was followed by a sound, in seconds."""
    return [turn.first_audio_s - turn.end_of_speech_s for turn in turns if turn.first_audio_s is not None]


def _turn(
    answer: GivenAnswer,
    followed: Sequence[Event],
    said: Sequence[SaidLine],
    witness: Witness,
    after_zero: Callable[[float | None], float | None],
) -> TurnResult:
    taken = answer.taken
    assert taken is not None
    end = _end_of_speech(taken, said)
    first_audio = first_onset_after(witness.heard, end)
    next_taken = next((event for event in followed if isinstance(event, AnswerTaken)), None)
    if first_audio is not None and next_taken is not None and first_audio > next_taken.speech_ended_at:
        first_audio = None
    selected = _last(followed, QuestionSelected, taken.turn)
    supervised = _last(followed, Supervised, taken.turn)
    speeches = [event for event in followed if isinstance(event, SpeechStarted)]
    feedback, question = _speech(speeches, "feedback"), _speech(speeches, "question")
    other = _speech(speeches, "reply") or _speech(speeches, "closing")
    text = " ".join(item.text for item in said)
    end_s = after_zero(end)
    assert end_s is not None
    return TurnResult(
        turn=taken.turn,
        intent=answer.intent,
        honoured=answer.honoured,
        wanted=next((item.kind for item in reversed(said) if item.kind != "barge_in"), None),
        question_id=taken.question_id,
        end_of_speech_s=end_s,
        first_audio_s=after_zero(first_audio),
        feedback_ready_s=after_zero(answer.feedback.at if answer.feedback else None),
        feedback_start_s=after_zero(witness.onset(feedback) if feedback else None),
        question_ready_s=after_zero(selected.at if selected else None),
        supervised_s=after_zero(supervised.at if supervised else None),
        question_start_s=after_zero(witness.onset(question) if question else None),
        said=text,
        recognised=taken.text,
        word_accuracy=word_accuracy(text, taken.text),
        feedback=answer.feedback.text if answer.feedback else feedback.text if feedback else "",
        question=question.text if question else "",
        reply=other.text if other else "",
        verdicts=answer.judged.verdicts if answer.judged else (),
        scores=answer.scores,
        not_scored=answer.judged.not_scored if answer.judged else "",
        replaces_turn=answer.judged.replaces_turn if answer.judged else None,
    )


def _followed(events: Sequence[Event], answer: GivenAnswer) -> list[Event]:
    """What happened from this turn up to and including the next one being taken."""
    followed: list[Event] = []
    seen = False
    for event in events:
        if seen:
            followed.append(event)
            if isinstance(event, AnswerTaken):
                break
        seen = seen or event is answer.taken
    return followed


def _shared_out(given: Sequence[GivenAnswer], said: Sequence[SaidLine]) -> list[list[SaidLine]]:
    """Which words of the candidate went into which turn: the one that they overlap most in time."""
    shares: list[list[SaidLine]] = [[] for _ in given]
    spans = [_span(answer.taken) for answer in given if answer.taken is not None]
    for item in said:
        overlaps = [min(end, item.end) - max(start, item.start) for start, end in spans]
        best = max(range(len(spans)), key=overlaps.__getitem__, default=None)
        if best is not None and overlaps[best] > 0:
            shares[best].append(item)
    return shares


def _span(taken: AnswerTaken) -> tuple[float, float]:
    start = taken.words[0].start_at if taken.words else taken.speech_ended_at
    return start - WORD_TIME_ERROR_S / 2, taken.speech_ended_at + WORD_TIME_ERROR_S / 2


def _end_of_speech(taken: AnswerTaken, said: Sequence[SaidLine]) -> float:
    """As the candidate knows it; a turn that was taken in mid-speech ended when the interviewer thought it did."""
    end = max((item.end for item in said), default=taken.speech_ended_at)
    return end if abs(end - taken.speech_ended_at) <= WORD_TIME_ERROR_S else taken.speech_ended_at


def _last(events: Sequence[Event], kind: type[_Decision], turn: int) -> _Decision | None:
    return next((event for event in reversed(events) if isinstance(event, kind) and event.turn == turn), None)


def _speech(speeches: Sequence[SpeechStarted], kind: SpeechKind) -> SpeechStarted | None:
    return next((speech for speech in speeches if speech.speech == kind), None)


def since(zero: float) -> Callable[[float | None], float | None]:
    """Turns seconds since the epoch into seconds since `zero`, to the millisecond."""
    return lambda at: None if at is None else round(at - zero, 3)
