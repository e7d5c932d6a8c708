"""Patience: wishes about how long the interviewer waits, "please don't interrupt me" or "you can answer faster".

Rules alone recognise them, by the phrases in `patience.yaml`. A stretch of words is a wish only if nothing else is said
in it: "let me finish" is one, "let me finish with an example" is not, nor is anything that threads, servers or
colleagues do to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from graph.intents import span_boundaries
from graph.intents.normalize import Stretch, Utterance
from graph.intents.wishes import Phrasebook, Wish, at_the_ends, is_reported

_PHRASES = Phrasebook(Path(__file__).with_name("patience.yaml"), "more_patience", "less_patience")
_TELLING = re.compile(
    r"\b(?:wait|waiting|paus(?:e|es|ing)|interrupt\w*|cut|cutting|jump|jumping|finish|complete|longer|time|patien\w+|"
    r"answer\w*|respond\w*|reply\w*|react\w*|in|over me|too long)\b"
)
"""Without any of these words nothing need be looked at closely."""
_ADDRESSES = re.compile(
    r"\b(?:you|your|me|my|please|i)\b|^do not (?:interrupt|answer|respond|reply|react|jump in|talk|speak)\b"
)
"""What a wish has that is the whole turn: "be more patient" may be an answer."""
_MEANS_US = re.compile(
    r"\b(?:me|my|please|(?:could|can|would|will) you|before you (?:talk|speak))\b|\byou\b.*\bi\b|\bi\b.*\byou\b"
)
"""What one has that stands beside an answer: "with an index you don't have to wait so long" is part of it."""


def find(utterance: Utterance) -> Wish | None:
    """A wish about patience: all of an utterance, its end, its beginning, or a sentence in the middle."""
    whole = utterance.whole
    if not _TELLING.search(whole.text):
        return None
    if (request := _PHRASES.request_in(whole)) and _ADDRESSES.search(whole.text):
        return Wish(request, whole)
    for stretch in _beside_an_answer(utterance):
        if not _MEANS_US.search(stretch.text) or is_reported(utterance, stretch):
            continue
        if request := _PHRASES.request_in(stretch):
            return Wish(request, stretch)
    return None


def _beside_an_answer(utterance: Utterance) -> Iterator[Stretch]:
    """Stretches of an utterance that may be a wish beside an answer, the longest of each kind first."""
    yield from at_the_ends(utterance)
    last, longest = len(utterance) - 1, span_boundaries.SHORT
    ends = [index for index in range(last) if utterance.ends_clause(index)]
    for number, end in enumerate(ends[1:], start=1):
        near = ends[max(0, number - longest) : number]
        yield from (utterance.stretch(start + 1, end) for start in near if end - start <= longest)
