"""Fragments: stretches of an answer that say nothing when they are said back by themselves."""

from __future__ import annotations

import re

from graph.judging.text.stems import content_stems

MOST_WORDS = 15
"""What is said back is longer than that only for the eye."""
_FEWEST_WORDS = 4
_FEWEST_STEMS = 2
"""Fewer words that carry meaning could be about anything."""
_FEWEST_WORDS_HANGING = 7
"""Of a piece that begins like a part of a sentence: "with a dump every night" says nothing by itself."""
_FEWEST_WORDS_UNNAMED = 5
"""Of a piece of which only the words before it say what it is about."""

_BEGINS_NOTHING = re.compile(
    r"(?:namely|whether|including|such as|for example|that is|as well as|than|rather than|as opposed to|compared|"
    r"versus|unlike|except|especially|particularly|apart from|along with|above all|say|"
    r"even (?:if|though|when)(?!.*, (?!because\b|since\b))|even (?!if\b|though\b|when\b)|"
    # Of a list: "the file, then the built-ins"; but "the average, it takes …".
    r"(?:the|an?|its|their|my|your) \w+(?: \w+)?, (?!(?:it|they|that|this|these|those|he|she|you|we|i)\b)(?=\w)|"
    # What is said to be so was left behind.
    r"(?:is|are|was|were|has|had|does|did)(?:n't)?|without (?:\w+ )?\w+ing(?!.*,))\b",
    re.IGNORECASE,
)
"""How what belongs to the clause before it begins."""
_WITHOUT_A_NAME = re.compile(r"(?:it|they|that|this|these|those|he|she)\b(?!'s (?:the|an?)\b)", re.IGNORECASE)
"""How something begins that only the words before it name: "it works too", "they don't show up"."""
_MEASURED = (
    r"the (?:more|less|fewer|better|worse|faster|slower|bigger|larger|smaller|longer|shorter|higher|lower|deeper|"
    r"greater|older|newer|closer|further|harder|easier|cheaper|sooner|later|wider|stronger|weaker|simpler|safer)\b"
)
_HALF_A_COMPARISON = re.compile(rf"{_MEASURED}(?!.*\b{_MEASURED})", re.IGNORECASE)
"""Without its other half: "the more reliable the system becomes"."""
_HALF_A_CONDITION = re.compile(
    r"(?:^|.*[,;] )(?:(?:and|but|so|then) )+(?:if|when|once|whenever|unless|as soon as)\b(?: [^\s,;]+){1,8}$",
    re.IGNORECASE,
)
"""What ends with a condition of something else: "nobody knows the value, so if you check it against anything"."""
_WITHOUT_AN_OBJECT = re.compile(
    r".*\b(?:is|are|was|be|by|of|for|about) (?:just |simply )?"
    r"(?:writing|using|making|putting|giving|taking|having|saying|calling|adding|getting|setting|keeping|passing)$",
    re.IGNORECASE,
)
"""How a clause breaks off where a recogniser set a stop: "the usual trick is writing. I equals I"."""
_HANGS_ON = re.compile(
    r"(?:for|about|on|in|at|with|of|to|from|by|as|per|instead|than|how|what|where|who|when|if|"
    r"(?:\w+ly )?(?!(?:any|every|some|no)?thing\b|(?:str|spr|k|r|w)ing\b)\w+ing)\b",
    re.IGNORECASE,
)
"""How a part of a sentence begins; "giving it another name" is no sentence either."""


def is_fragment(piece: str) -> bool:
    """True for what begins or ends in mid-thought, names nothing, or is too short or too long to be said back."""
    faults = (_BEGINS_NOTHING, _HALF_A_COMPARISON, _HALF_A_CONDITION, _WITHOUT_AN_OBJECT)
    if any(fault.match(piece) for fault in faults):
        return True
    return not _fewest(piece) <= len(piece.split()) <= MOST_WORDS or len(content_stems(piece)) < _FEWEST_STEMS


def hangs_on(piece: str) -> bool:
    """True for what begins like a part of a sentence: "with a dump every night"."""
    return _HANGS_ON.match(piece) is not None


def _fewest(piece: str) -> int:
    if hangs_on(piece):
        return _FEWEST_WORDS_HANGING
    return _FEWEST_WORDS_UNNAMED if _WITHOUT_A_NAME.match(piece) else _FEWEST_WORDS
