"""Guardrails of feedback: bands of the score, and what must not be said in each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graph.judging.text.stems import content_stems, negations, overlap
from graph.validators import Check, first_fault

Band = Literal["high", "medium", "low"]
Tone = Literal["brief", "encouraging", "supportive", "patient"]

HIGH_FROM = 8.0
MEDIUM_FROM = 5.0
_ENCOURAGING_FROM = 6.0
_SUPPORTIVE_FROM = 4.0


def band_of(overall: float) -> Band:
    """The band of a score: high from 8, medium from 5."""
    if overall >= HIGH_FROM:
        return "high"
    return "medium" if overall >= MEDIUM_FROM else "low"


def tone_of(overall: float) -> Tone:
    """How to sound about a score; finer than its band, so that a near miss is not treated as a blank."""
    if overall >= HIGH_FROM:
        return "brief"
    if overall >= _ENCOURAGING_FROM:
        return "encouraging"
    return "supportive" if overall >= _SUPPORTIVE_FROM else "patient"


_COUNT = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten)"
_SCORE = re.compile(
    rf"\b{_COUNT}\s*(?:/\s*|out of\s+){_COUNT}\b|\b(?:scored?|grade|mark|rating)\b\W*(?:(?:of|is|was|a)\W+)*{_COUNT}\b",
    re.IGNORECASE,
)
_FORBIDDEN = ("you failed", "wrong answer", "incorrect", "you don't understand", "completely wrong", "you missed")
_PRAISE = (
    "great job", "excellent", "perfect", "well done", "amazing", "fantastic", "wonderful", "brilliant", "impressive",
    "outstanding",
)  # fmt: skip
_PRAISE_OF_LITTLE = (
    "great",
    "good job",
    "good answer",
    "good work",
    "nice",
    "strong answer",
    "solid answer",
    "spot on",
)
"""Fine about an answer of which half was there, not about one where little was."""
_UNEARNED: dict[Band, tuple[str, ...]] = {"high": (), "medium": _PRAISE, "low": (*_PRAISE, *_PRAISE_OF_LITTLE)}
MOST_SENTENCES = 3
"""More cannot be taken in between two questions."""
MOST_WORDS = 55
"""Words of all feedback on an answer, likewise."""
_MOST_WORDS_A_SENTENCE = 40
_FOR_THE_EYE = re.compile(r"^\s*(?:[-*#>\u2022]|\d+[.)]\s)|\*\*|`|\n")
_GIVEN_AWAY = 0.75
_FEWEST_STEMS = 3
"""Of a point with fewer words that carry meaning, its topic alone would count as the point."""


@dataclass(frozen=True, slots=True)
class FeedbackSentence:
    """A sentence that would be spoken as feedback, beside what it has to keep to."""

    sentence: str
    band: Band
    missed: tuple[str, ...] = ()
    """Key points that the answer did not make."""
    said: frozenset[str] = frozenset()
    """Case-folded sentences that the candidate has heard as feedback, those of this one among them."""
    place: int = 0
    """Sentences of this feedback before it."""
    most: int = MOST_SENTENCES
    """Sentences this feedback may have."""
    words: int = 0
    """Words of those before it."""
    most_words: int = MOST_WORDS
    """Words that they may have with it."""
    truth: str = ""
    """What it has to say; empty when it need not say anything in particular."""


def _spoken_length(remark: FeedbackSentence) -> str:
    if remark.place >= remark.most:
        return f"no more than {remark.most} in all; the parts that were asked for are said"
    length = len(remark.sentence.split())
    fits = length <= _MOST_WORDS_A_SENTENCE and remark.words + length <= remark.most_words
    return "" if fits else "use shorter sentences"


def _given_away(remark: FeedbackSentence) -> str:
    told = any(tells(remark.sentence, point) for point in remark.missed)
    return "do not give away what is missing" if told else ""


def _says_the_point(remark: FeedbackSentence) -> str:
    return "" if not remark.truth or states(remark.sentence, remark.truth) else f"say just this: {remark.truth}"


FEEDBACK_CHECKS: tuple[Check[FeedbackSentence], ...] = (
    Check("spoken length", _spoken_length),
    Check("speakable", lambda remark: "write plain spoken sentences, no list" if for_the_eye(remark.sentence) else ""),
    Check("no score", lambda remark: "do not tell a score" if _SCORE.search(remark.sentence) else ""),
    Check("no forbidden phrase", lambda remark: _do_not_say(_found(_FORBIDDEN, remark.sentence))),
    Check(
        "no unearned praise",
        lambda remark: _do_not_say(_found(_UNEARNED[remark.band], remark.sentence), " about this answer"),
    ),
    Check(
        "not said before",
        lambda remark: "do not repeat what was said before" if remark.sentence.casefold() in remark.said else "",
    ),
    Check("nothing given away", _given_away),
    Check("says the point", _says_the_point),
)
"""What each sentence of feedback must pass, in this order."""


def feedback_gate(sentence: str, band: Band) -> str:
    """Why a sentence must not be spoken as feedback, whatever was missed or said before; empty when it may.

    No score leaks, nobody is told that they failed, there is no praise for an answer that earned none, and a sentence
    is made for the ear.
    """
    return first_fault(FEEDBACK_CHECKS, FeedbackSentence(sentence, band))


def for_the_eye(text: str) -> bool:
    """True for markup and lists, which nobody can hear."""
    return _FOR_THE_EYE.search(text) is not None


def judges(text: str) -> str:
    """The praise, blame or score in a text; empty when it says nothing about how good an answer was."""
    if score := _SCORE.search(text):
        return score[0]
    return _found((*_FORBIDDEN, *_UNEARNED["low"]), text)


def _do_not_say(phrase: str, about: str = "") -> str:
    return f"do not say {phrase!r}{about}" if phrase else ""


def _found(phrases: Sequence[str], sentence: str) -> str:
    """The first of some phrases that a sentence has; "greater" is not "great", "perfectly" is "perfect"."""
    said = sentence.lower()
    return next((each for each in phrases if re.search(rf"\b{each}(?:ly)?\b", said)), "")


def tells(sentence: str, point: str) -> bool:
    """True when a sentence says so much of a key point that it gives it away."""
    wanted = content_stems(point)
    return len(wanted) >= _FEWEST_STEMS and overlap(wanted, content_stems(sentence)) >= _GIVEN_AWAY


def states(sentence: str, truth: str) -> bool:
    """True when a sentence says most of what holds, and neither denies it nor leaves out a "not"."""
    wanted = content_stems(truth)
    enough = overlap(wanted, content_stems(sentence)) >= _GIVEN_AWAY
    return enough and bool(negations(sentence.split())) == bool(negations(truth.split()))


def harmless(words: str) -> str:
    """Words of the candidate or the pack, or nothing if they sound like a score, blame or praise when said back."""
    return "" if feedback_gate(words, "low") else words
