"""Span boundaries: where a request may begin or end inside an utterance; a recogniser's punctuation cannot be relied
on.
"""

from __future__ import annotations

import re

from graph.intents.normalize import Stretch, Utterance

SHORT = 30
"""Words up to which an utterance may be a request as a whole."""
_LONGEST_TAIL = 26
"""Words that a request at the end of an answer may have."""
_LONGEST_HEAD = 16
"""Words that a request before an answer may have."""
_LOOKS_AHEAD = 4

_OPENS_REQUEST = re.compile(
    r"^(?:(?:and|but|so|okay|oh|well|then|also|now|maybe|perhaps|actually|sorry|by the way|just|please|alright|hey|though|"
    r"anyway|honestly|or|could|can|would|will|may|might|shall|should) )*"
    r"(?:can (?:you|we|i|it)|could (?:you|we|i|it|the)|would (?:you|it|we|i)|will (?:you|we|this|it)|may (?:i|we)|"
    r"might (?:i|we|you)|shall we|should (?:i|we)|please|sorry|excuse me|let us|let me|lets|"
    r"i (?:would|want|need|wish|have to|must|do not|did not|can not|could not|am|feel|think i|think we|think you|"
    r"think that is|prefer|got|give up|guess|will|hate|take|made|missed|forgot|lost|misspoke|mixed|should|quit|also|"
    r"just|really|still|already|could use|was)|"
    r"how (?:much|many|long|am|did|do|was|is|are|far|about|have|well)|"
    r"what (?:do|did|does|was|is|were|are|about|else|a|the|would|should|time|exactly|kind|now)|"
    r"(?:was|is|are|am|did|do|does|have|were) (?:that|it|this|i|we|you|there|my|the)|"
    r"give me|tell me|ask me|help|next|skip|stop|pass|hold on|hang on|wait|one (?:moment|second|sec|minute|more)|"
    r"just a|do not|keep|save|leave|speak|talk|slow|speed|go on|go ahead|continue|proceed|carry on|move|maybe|any|"
    r"another|different|something|somebody|someone|that was|that is|these are|those|this is|it is too|it was too|"
    r"your |you are|you can|you may|you were|you speak|you talk|you know what|you stupid|you |shut|fuck|damn|stupid|"
    r"no feedback|no idea|feedback|hint|easier|harder|repeat|say|pardon|could the|can the|we (?:can|need|should|have)|"
    r"my (?:last|previous|laptop|battery|head|heart|hands|mind|next|bus|train|phone)|about (?:my|the)|regarding|"
    r"when (?:do|will|are|is|you)|which|where|scrap|forget|correction|switch|change|enough|thanks|thank you|bye|"
    r"goodbye|oh god|oh my|where (?:do|should|are)|why|make|test|quiz|push|challenge|raise|lower|from now|by the way|"
    r"with that|time|remaining|exam|practice|end|finish|quit|whoa|okay|alright|moment|take me|who|nothing|turn|there was)\b"
)
_OPENS_ANSWER = frozenset(
    "so the a an it you well yes yeah okay first anyway oh to if when because basically now since in there they that "
    "we i what my for one actually right".split()
)


def context(utterance: Utterance) -> Stretch:
    """All of a short utterance, the last words of a long one."""
    size = len(utterance)
    return utterance.stretch(max(0, size - SHORT), size - 1)


_GOES_ON = frozenset(
    "the a an to of in on at for with from is are was were be can could may might will would shall should must not do does "
    "did you we they i he she it that which who how what one lets let let's no says say said my your its their unless "
    "until because whether whatever whenever wherever than although though while".split()
)
"""Words that nothing new begins behind ("the rest can | go on")."""
_NEVER_FIRST = frozenset({"unless", "until", "whereas", "than"})
"""Words that go on with what was said, behind a comma as well ("it is local, unless you say global")."""
_BARE = re.compile(
    r"^(?:go|continue|proceed|carry|slow|speed|speak|talk|skip|stop|pass|next|wait|end|finish|quit|harder|easier|hint|help|"
    r"hints|feedback|repeat|say|move|keep|save|leave|make|test|push|challenge|raise|lower|switch|change|forget|scrap|enough|"
    r"time|remaining|exam|practice|your|you|you are|are you|my|different|something|another|any|who|where|which|is|are|was|do|"
    r"does|did|what|how|when|turn|take|nothing|correction|moment|from|or|this|that|those|these)\b"
)


def tails(utterance: Utterance) -> list[int]:
    """Word indexes at which a request may begin that lasts to the end, in order."""
    size = len(utterance)
    starts = []
    for index in range(max(1, size - _LONGEST_TAIL), size):
        if not (tokens := utterance.tokens_at(index)) or tokens[0] in _NEVER_FIRST:
            continue
        ahead = _ahead(utterance, index)
        if utterance.ends_clause(index - 1) or (
            _OPENS_REQUEST.match(ahead) and not _continues(utterance, index, ahead)
        ):
            starts.append(index)
    return starts


def heads(utterance: Utterance) -> list[int]:
    """Word indexes (inclusive) at which a request that was said first may end, before an answer begins."""
    last = min(_LONGEST_HEAD, len(utterance) - 2)
    return [
        index
        for index in range(last)
        if utterance.ends_clause(index) or (set(utterance.tokens_at(index + 1)[:1]) & _OPENS_ANSWER)
    ]


def _continues(utterance: Utterance, index: int, ahead: str) -> bool:
    """True when what begins at a word only goes on with the words before."""
    before = utterance.tokens_at(index - 1)
    return bool(before) and before[-1] in _GOES_ON and _BARE.match(ahead) is not None


def _ahead(utterance: Utterance, index: int) -> str:
    ahead = range(index, min(len(utterance), index + _LOOKS_AHEAD))
    return " ".join(token for each in ahead for token in utterance.tokens_at(each))
