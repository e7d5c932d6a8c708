"""Taking back what was said: in the middle of an answer ("no, scrap that"), or in an earlier one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.intents.cues import says
from graph.intents.plain import Stretch, Utterance

_SURE = re.compile(
    r"\b(?:(?:no|oh|wait|sorry|actually|okay|well|so) )*(?:"
    r"(?:scrap|strike|disregard|forget|ignore|cancel|delete|erase|never mind) "
    r"(?:that|this|it|all (?:of )?that|everything i (?:just )?said|what i (?:just |have just )?said(?: before)?|that last (?:bit|part))|"
    r"(?:i )?take (?:that|it|this) back|"
    r"(?:let me|i will|can i|may i|i would like to|i want to) (?:just )?(?:start (?:over|again|from scratch)|restart|begin again|"
    r"rephrase (?:that|it|my answer)|put that differently|try (?:that )?again|redo (?:that|it)|correct (?:that|myself)|say that again|"
    r"do that again|answer that again)(?: please)?|"
    r"(?:that is|this is|it is|that was) (?:wrong|not right|not correct|not true|nonsense|rubbish|not what i meant|the wrong way (?:round|around))"
    r"(?: sorry| no| actually)*|"
    r"(?:correction|i stand corrected)"
    r")\b"
)
"""What takes back everything before it."""
_LIGHT = re.compile(
    r"\b(?:no wait|wait no|oh wait|wait wait|no no|actually no|no actually|no sorry|sorry no|hold on no|oh no|no hang on|"
    r"or rather|i mean|sorry i mean|no i mean|well actually)\b"
)
"""What takes back a few words, but not a long answer: there it mends a word."""
_FEW = 9
_CANNOT_PRECEDE = frozenset(
    "you we they to people i he she it can could would will should must may might not never do does did cannot always and "
    "which who users then just often easily simply developers".split()
)
"""Before "forget that" and the like they make it part of an answer ("people forget that the network fails")."""
_BARE = re.compile(r"^(?:scrap|strike|disregard|forget|ignore|cancel|delete|erase)\b")
_STATES_A_FACT = re.compile(r"^(?:that|this|it) (?:is|was)\b")
_AFTERWARDS = re.compile(
    r"^(?:(?:and|but|because|so|sorry|actually|please|well|no|okay|i meant(?: to say)?(?: that)?|i mean|i think|i wanted to say(?: that)?|"
    r"what i meant (?:was|is)(?: that)?|it (?:is|was) (?:wrong|not right|incorrect|false)|that (?:is|was) (?:wrong|not right|incorrect|false|not correct|not true)|"
    r"which (?:is|was) (?:wrong|not right|incorrect|false)|(?:is|was) (?:wrong|not right|incorrect|false|not correct|not true|the wrong way round|off|inaccurate|a mistake)|"
    r"to|into|wrong|in fact|the (?:right|correct) answer (?:is|would be)|now|here|that|about (?:that|it)|let me (?:fix|correct) (?:it|that)|"
    r"i would like to (?:fix|correct|change) (?:it|that)|before|earlier|previously|about|said|answer|question|one) )*"
)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Something was taken back in the middle of an utterance."""

    marker: tuple[int, int]
    """First and last word that say so."""


def withdrawal(said: Stretch, of_requests: frozenset[str]) -> Withdrawal | None:
    """The last place at which a candidate took back what was said before in the same breath, if there is one.

    Args:
        said: all words of the utterance.
        of_requests: stems that requests are made of; what was taken back must hold others.
    """
    found = [match for match in _SURE.finditer(said.text) if _is_meant(said, match)]
    found += [match for match in _LIGHT.finditer(said.text) if _words_before(said, match) <= _FEW]
    found = [match for match in found if _says_something(said.text[: match.start()], of_requests)]
    if not found:
        return None
    return Withdrawal(said.span(max(found, key=re.Match.end)))


def correction(said: Stretch) -> tuple[int, int] | None:
    """The words that correct an earlier answer, after those that announce it; None when it is only announced."""
    ends = [match.end() for match in says("correct_myself", said.text)]
    if not ends:
        return None
    for end in sorted(set(ends), reverse=True):
        rest = said.text[end:].lstrip()
        rest = rest[_AFTERWARDS.match(f"{rest} ").end() :] if rest else ""  # type: ignore[union-attr]
        words = rest.split()
        if words:
            return said.places[len(said.tokens) - len(words)], said.last
    return None


def _is_meant(said: Stretch, match: re.Match[str]) -> bool:
    before = said.text[: match.start()].split()
    if _BARE.match(match[0]) and before and before[-1] in _CANNOT_PRECEDE:
        return False
    # "that is wrong" may be about anything; a correction follows at once.
    return not (_STATES_A_FACT.match(match[0]) and not re.match(r" (?:it|let me|actually|i|the (?:right|correct))\b", said.text[match.end() :]))


def _words_before(said: Stretch, match: re.Match[str]) -> int:
    return len(said.text[: match.start()].split())


def _says_something(before: str, of_requests: frozenset[str]) -> bool:
    stems = Utterance(before.split()).whole.stems if before.strip() else ()
    return any(stem not in of_requests for stem in stems)
