"""Barge-in: what a sound of the candidate means while the interviewer speaks. Pure rules.

Before the next question has begun, the candidate goes on with the answer: the interviewer stops at once. While a
question is asked, a short "mm" or "okay" only says that somebody listens. And with loudspeakers and no echo
cancellation the words may be the interviewer's own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from agent.endpointing.endings import are_doubtful
from domain.vocabulary import SpeechKind

Heard = Literal["speech", "back-channel", "echo"]

GOING_ON_S = 0.06
"""So much voice (`voice_activity`) stops the interviewer while it gives feedback: the candidate goes on with the
answer. It is no more than makes it certain that it is a voice."""
INTO_A_QUESTION_S = 0.4
"""… and so much while it asks: "mm" and "okay" last 0.2 to 0.4 s (Ward and Tsukahara, Journal of Pragmatics 2000)."""
RESUMES_S = 1.0
"""So long after a sound the interviewer goes on if no words came of it; the recogniser mostly takes half of it."""
_SLOWER = 1.5
_RESUMES_AT_MOST_S = 4.0

_BACK_CHANNELS = frozenset(
    "uh huh uhhuh ah oh okay ok yeah yes yep right sure alright good great cool nice interesting thanks fine i see got "
    "it all uh-huh thank you".split()
)
_MURMURS = frozenset("uh huh uhhuh uh-huh".split())
_MURMUR = re.compile(r"[mhn'-]+")
"""A sound without a vowel, however the recogniser spells it: "mm", "Mm-hmm", "MMHN"."""
_MOST_WORDS = 3
_ECHO_WORDS = 4
"""Fewer words than this may repeat the interviewer's by chance."""
_ECHO_SHARE = 0.75
_STOPPING_WORDS = 2
"""Of a cough the recogniser may make one word, and be sure of it."""
_WORD = re.compile(r"[\w'-]+")


def interrupts_after_s(speaking: SpeechKind | None) -> float:
    """How many seconds of voice stop the interviewer while it says something of this kind."""
    return GOING_ON_S if speaking in ("feedback", "acknowledgement") else INTO_A_QUESTION_S


def resumes_after_s(words_took_s: Sequence[float]) -> float:
    """How many seconds after a sound without words the interviewer goes on.

    Args:
        words_took_s: from the end of the voice until its words were known, in seconds, of the last turns. On a busy
            machine words come late, and a question that goes on before them may be over when they come.
    """
    return min(max(RESUMES_S, _SLOWER * max(words_took_s, default=0.0)), _RESUMES_AT_MOST_S)


def heard_over(text: str, playing: str | None, confidence: float = 1.0) -> Heard:
    """What words are that were heard while the interviewer was saying `playing`; None when it said nothing.

    Args:
        text: the words.
        playing: what a microphone may have heard of the interviewer.
        confidence: the recogniser's, mean over the words, 0 to 1.
    """
    words = _WORD.findall(text.lower())
    if playing is None or not words:
        return "speech"
    if are_doubtful(len(words), confidence):
        return "back-channel"
    if len(words) <= _MOST_WORDS and all(word in _BACK_CHANNELS or _MURMUR.fullmatch(word) for word in words):
        return "back-channel"
    if len(words) >= _ECHO_WORDS and _share_in(words, _WORD.findall(playing.lower())) >= _ECHO_SHARE:
        return "echo"
    return "speech"


def stops_by_words(text: str, playing: str) -> bool:
    """Whether words heard as speech, while somebody still speaks, stop the interviewer whatever the sound is like.

    Args:
        text: the words so far.
        playing: what is being played. A few words of it may be an echo that `heard_over` cannot tell yet.
    """
    words = _WORD.findall(text.lower())
    return len(words) >= _STOPPING_WORDS and _share_in(words, _WORD.findall(playing.lower())) < _ECHO_SHARE


def is_murmur(text: str) -> bool:
    """Whether these are only sounds of somebody who listens: "mm-hm", "uh-huh"."""
    words = _WORD.findall(text.lower())
    return bool(words) and all(word in _MURMURS or _MURMUR.fullmatch(word) for word in words)


def _share_in(words: Sequence[str], played: Sequence[str]) -> float:
    """Which share of the words comes, in this order and in runs of two or more, in what was played."""
    blocks = SequenceMatcher(None, words, played, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1) / len(words)
