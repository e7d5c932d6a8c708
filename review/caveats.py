"""What an honest examiner adds to the figures: how they came about, and what they cannot say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rag.packs import DIFFICULTIES
from review.answers import GivenAnswer
from review.events import Event, InterviewEnded, InterviewStarted, QuestionSelected, SpeechStarted

FEW_ANSWERS = 3
"""Below this many scored answers an average says little."""
UNSURE_RECOGNITION = 0.6
"""Mean confidence of the recognised words (0 to 1) below which a transcript is to be read with care."""

_EARLY_ENDS = {
    "stopped": "The candidate ended the interview early: topics that were not reached are not in the scores.",
    "candidate_left": "The candidate left before the end: topics that were not reached are not in the scores.",
    "silence": "The interview ended because nothing was heard for a long time.",
    "failed": "The interview ended because of a failure: what was recorded until then is all there is.",
}


def caveats(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    """Sentences that belong beside the scores, the most general first."""
    scored = [answer for answer in given if answer.scores is not None]
    return [
        *_how_judged(events, given),
        *_how_many(len(scored)),
        *_recognition(given),
        *_course(events),
    ]


def performance_notes(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    """What happened to the difficulty, and which answers are outside the scores."""
    notes = []
    asked = {event.question_id for event in events if isinstance(event, SpeechStarted) and event.speech == "question"}
    levels = {event.question_id: event.difficulty for event in events if isinstance(event, QuestionSelected)}
    course = [(number, levels[one]) for number, one in enumerate(levels, 1) if one in asked]
    for (_, before), (number, after) in pairwise(course):
        if before != after and {before, after} <= set(DIFFICULTIES):
            way = "up" if DIFFICULTIES.index(after) > DIFFICULTIES.index(before) else "down"
            notes.append(f"The difficulty went {way} from {before} to {after} at question {number}.")
    left_out = sum(1 for answer in given if answer.scores is None)
    if left_out:
        notes.append(f"{_count(left_out, 'answer')} not scored and outside every average.")
    return notes


def _how_judged(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    judges = {answer.judged.judge for answer in given if answer.judged} or {
        event.judge for event in events if isinstance(event, InterviewStarted)
    }
    notes = []
    if "built-in" in judges:
        notes.append(
            "Viva's built-in judge compared the answers with the key points by meaning and wording, without a language "
            "model. It can overlook a point that is made in unusual words."
        )
    models = sorted(judges - {"built-in"})
    if models:
        notes.append(
            f"The language model {' and '.join(models)} gave the verdicts; each was checked for words that were really "
            "said. Language models can be moved by style."
        )
    fallbacks = sum(1 for answer in given if answer.judged and answer.judged.fallback)
    if fallbacks:
        notes.append(
            f"For {fallbacks} of {len(given)} answers the model judge failed and the built-in judge took over: "
            "compare these scores with the others with care."
        )
    return notes


def _how_many(scored: int) -> list[str]:
    if scored == 0:
        return ["No answer was scored, so there is no overall score. That is not a low score."]
    if scored < FEW_ANSWERS:
        return [f"Only {_count(scored, 'answer')} scored: another question could change the average a lot."]
    return []


def _recognition(given: Sequence[GivenAnswer]) -> list[str]:
    words = [word for answer in given for word in answer.words]
    if words and sum(word.confidence for word in words) / len(words) < UNSURE_RECOGNITION:
        return ["The speech recogniser was unsure of many words: play a quote before you trust its verdict."]
    return []


def _course(events: Sequence[Event]) -> list[str]:
    notes = []
    if any(isinstance(event, InterviewStarted) and event.resumed for event in events):
        notes.append("The interviewer was interrupted by a crash and went on: a few seconds of speech may be missing.")
    reason = next((event.reason for event in reversed(events) if isinstance(event, InterviewEnded)), "")
    if reason in _EARLY_ENDS:
        notes.append(_EARLY_ENDS[reason])
    return notes


def _count(number: int, noun: str) -> str:
    return f"{number} {noun} was" if number == 1 else f"{number} {noun}s were"
