"""Complete answers: what a candidate says who answers what they were asked, for measuring how long they then wait.

Viva waits longer for the rest of an answer that has hardly touched what was asked, so an answer to another question
tells how long the patient interviewer waits, and not how fast it is. Here the answer is the model answer of the pack to
the question that was heard last, said without a long pause.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from bench.voice.manifest import Recording
from bench.voice.sounds import Sound
from bench.voice.talks import Named
from rag.packs.pack import BankQuestion, Pack

_BETWEEN = " {between 0.3} "
_SENTENCE = re.compile(r"(?<=[.?!])\s+")
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")


class CompleteAnswers:
    """Answers to the questions of a pack.

    Args:
        pack: the questions, with their model answers.
        sound: says a recording.
    """

    def __init__(self, pack: Pack, sound: Callable[[Recording], Sound]) -> None:
        self._pack = pack
        self._sound = sound

    def to(self, heard: str) -> Named:
        """The answer to the question of the pack, or to the follow-up of one, that is nearest to what was heard."""
        words = heard.lower().split()
        question = max(self._pack.questions, key=lambda each: max(_likeness(text, words) for text in _texts(each)))
        recording = recording_of(question)
        return Named(recording.id, self._sound(recording))


def recording_of(question: BankQuestion) -> Recording:
    """The model answer as a recording: its sentences with a breath between them."""
    number = sum(map(ord, question.id))
    id_ = f"complete-{_NOT_IN_ID.sub('-', question.id.lower())}"
    return Recording(id=id_, say=_BETWEEN.join(_SENTENCE.split(question.model_answer.strip())), seed=number)


def _texts(question: BankQuestion) -> list[str]:
    return [question.text, *(each.text for each in question.follow_ups)]


def _likeness(text: str, words: list[str]) -> float:
    return SequenceMatcher(None, text.lower().split(), words, autojunk=False).ratio()
