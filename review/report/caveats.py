"""Caveats beside the figures: how they came about, and what they cannot say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.events import AnswerReheard, Event, FellBack, InterviewEnded, InterviewStarted, SettingChanged
from review.record.timeline import medium_of
from review.report.answers import GivenAnswer
from review.report.call import resumed_after_crash
from review.report.notes import were

FEW_ANSWERS = 3
"""Below this many scored answers an average says little."""
UNSURE_RECOGNITION = 0.6
"""Mean confidence of the recognised words (0 to 1) below which a transcript is to be read with care."""

_BY_TEXT = (
    "The interview was held by text: there is no recording, pauses and pace say nothing, and a written answer can be "
    "thought over and looked up."
)
_BY_PHONE = (
    "The interview was held by phone: a telephone line carries less of a voice than a microphone in a browser, so more "
    "words may be misheard. Play a quote before you trust its verdict."
)
_STOOD_IN = (
    "Every score is of the judge that stood in for a model that failed. It measures otherwise than that model does, so "
    "its scores are shown, and are in no average: there is no overall score. That is not a low score."
)
_EARLY_ENDS = {
    "stopped": "The candidate ended the interview early: topics that were not reached are not in the scores.",
    "candidate_left": "The candidate left before the end: topics that were not reached are not in the scores.",
    "silence": "The interview ended because nothing was heard for a long time.",
    "failed": "The interview ended because of a failure: what was recorded until then is all there is.",
}


def caveats(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    """Sentences that belong beside the scores, the most general first."""
    scored = [answer for answer in given if answer.counts]
    return [
        *_how_judged(events, given),
        *_how_many(len(scored), shown=sum(answer.scores is not None for answer in given)),
        *_medium(events, given),
        *_heard_again(events, given),
        *_help(events, given),
        *_people(given),
        *_fallbacks(events),
        *_course(events),
    ]


def _medium(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    match medium_of(events):
        case "text":
            return [_BY_TEXT]
        case "phone":
            return [_BY_PHONE, *_recognition(given)]
        case "voice":
            return _recognition(given)


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
    judged = [answer.judged for answer in given if answer.judged]
    fallbacks = sum(1 for one in judged if one.fallback)
    if fallbacks:
        notes.append(
            f"For {fallbacks} of {len(judged)} answers the model judge failed and the built-in judge took over: "
            "their scores are shown, and are outside every average."
        )
    drifted = sum(1 for one in judged if one.drift)
    if drifted:
        notes.append(
            f"On {'1 answer' if drifted == 1 else f'{drifted} answers'} the model and the built-in judge differ on "
            "more than half of the key points: the verdicts of both are shown, and the model's count."
        )
    return notes


def _how_many(scored: int, *, shown: int) -> list[str]:
    if scored == 0 and shown:
        return [_STOOD_IN]
    if scored == 0:
        return ["No answer was scored, so there is no overall score. That is not a low score."]
    if scored < FEW_ANSWERS:
        return [f"Only {were(scored, 'answer')} scored: another question could change the average a lot."]
    return []


def _recognition(given: Sequence[GivenAnswer]) -> list[str]:
    words = [word for answer in given for word in answer.words]
    if words and sum(word.confidence for word in words) / len(words) < UNSURE_RECOGNITION:
        return ["The speech recogniser was unsure of many words: play a quote before you trust its verdict."]
    return []


def _help(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    notes = []
    hinted = sum(1 for answer in given if answer.judged and answer.judged.hints)
    if hinted:
        notes.append(
            f"{were(hinted, 'answer')} given after a hint: each hint takes a tenth off completeness, three tenths at "
            "most, and nothing off technical accuracy, depth and clarity."
        )
    if any(isinstance(event, SettingChanged) and event.what == "difficulty" for event in events):
        notes.append(
            "The difficulty was changed because the candidate asked for it: compare with an interview in which the "
            "answers alone decided on it with care."
        )
    return notes


def _heard_again(events: Sequence[Event], given: Sequence[GivenAnswer]) -> list[str]:
    again = {event.turn for event in events if isinstance(event, AnswerReheard)} & {answer.turn for answer in given}
    if not again:
        return []
    sentence = (
        f"{were(len(again), 'answer')} decoded again as a whole, and judged by these better words: the feedback that "
        "was spoken rests on what was heard at first, which is shown beside them."
    )
    return [sentence]


def _people(given: Sequence[GivenAnswer]) -> list[str]:
    notes = []
    waiting = sum(1 for answer in given if answer.review_requested and not (answer.review_released or answer.voided))
    if waiting:
        one = waiting == 1
        notes.append(f"A person was to look at {'1 answer' if one else f'{waiting} answers'}, and nobody has done so.")
    contested = sum(1 for answer in given if answer.contests)
    if contested:
        notes.append(
            f"The verdicts on {'1 answer' if contested == 1 else f'{contested} answers'} were contested: what was "
            "decided then counts, and what was judged first is shown beside it."
        )
    return notes


def _fallbacks(events: Sequence[Event]) -> list[str]:
    agents = Counter(event.agent.replace("_", " ") for event in events if isinstance(event, FellBack))
    if not agents:
        return []
    detail = ", ".join(f"{agent} ({times} times)" if times > 1 else agent for agent, times in agents.items())
    return [f"A language model failed or gave nothing usable, and Viva went on by its rules or a spare: {detail}."]


def _course(events: Sequence[Event]) -> list[str]:
    notes = []
    if resumed_after_crash(events):
        notes.append("The interviewer was interrupted by a crash and went on: a few seconds of speech may be missing.")
    reason = next((event.reason for event in reversed(events) if isinstance(event, InterviewEnded)), "")
    if reason in _EARLY_ENDS:
        notes.append(_EARLY_ENDS[reason])
    return notes
