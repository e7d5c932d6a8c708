"""Self-repair: taking back what was said, in the middle of an answer ("no, scrap that"), or in an earlier one."""

from __future__ import annotations

import re

from graph.intents.cues import says
from graph.intents.normalize import Stretch

_SURE = re.compile(
    r"\b(?:(?:no|oh|wait|sorry|actually|okay|well|so) ){0,8}(?:"
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
_MOST_LOOKED_AT = 20
"""Of the words that may take something back, so many of the last are looked at closely."""
_CANNOT_PRECEDE = frozenset(
    "you we they to people i he she it can could would will should must may might not never do does did cannot always and "
    "which who users then just often easily simply developers".split()
)
"""Before "forget that" and the like they make it part of an answer ("people forget that the network fails")."""
_HESITATING = frozenset(
    "no oh wait sorry actually okay well so yes yeah hold on and but i we you can could let us me please".split()
)
_BARE = re.compile(r"^(?:scrap|strike|disregard|forget|ignore|cancel|delete|erase)\b")
_CORRECTS = re.compile(r" (?:it|let me|actually|i|the (?:right|correct))\b")
_STATES_A_FACT = re.compile(r"^(?:that|this|it) (?:is|was)\b")
_WRONG = (
    r"(?:wrong|not (?:really |quite |entirely )?(?:right|correct|true|accurate|what i meant)|incorrect|false|inaccurate|off|nonsense|"
    r"a mistake|mixed up|backwards|the wrong way (?:round|around))"
)
_EARLIER = r"(?:(?:very |just )?(?:last|previous|earlier|first|prior|former|other) )"
_THING = rf"(?:(?:my|the|that|your|an?) {_EARLIER}?(?:answer|question|one|response|statement|reply|point|thing))"
_SAID = (
    r"(?:(?:what|something|the thing|things|that|which|a thing|everything) i (?:just |have )?"
    r"(?:said|told you|mentioned|answered|stated|claimed|explained)"
    r"(?: (?:about|on|regarding) (?:the |an? )?\w+(?: (?!was|is|were|it|that|the|they|you|a|an)\w+)?)?)"
)
_WHEN = (
    r"(?: (?:before|earlier|previously|just now|a moment ago|a minute ago|(?:two|one|a few) questions? ago|last time|"
    rf"(?:in|on|to|about|with|for|from|of) (?:{_THING}|before|earlier)))"
)
_ANNOUNCES = re.compile(
    r"(?:"
    r"(?:oh|wait|sorry|actually|okay|so|just|and|also|but|well|hey|by the way|one moment|hold on|no|yes|please|before we go on|quickly|"
    r"one (?:more )?(?:thing|correction)|a (?:small |quick )?correction|correction|i (?:just )?(?:realised|realized|noticed|remembered)(?: that)?|i think(?: that)?)|"
    r"(?:i (?:want|need|have|would like|would love|should|must|wish|just want|also want)(?: to)?|can i|could i|may i|let me|allow me(?: to)?|please)"
    r"(?: \w+){0,2}? (?:correct(?! (?:is|answer))|fix|change|revise|amend|redo|take back|add(?: (?:something|a correction))? to|clarify|go back to|come back to|return to|rectify|"
    r"withdraw|update|replace|undo|scrap|revisit|make a correction(?: to)?)"
    rf"(?: (?:myself|it|{_SAID}|something|{_THING}|what i said|a mistake(?: i made)?|an error|a statement(?: i made)?|one thing|i said|that))?{_WHEN}*(?: to)?(?! \w+ing)|"
    rf"(?:going|coming|to come|to go|come|go|getting|jumping|thinking) back to {_THING}|"
    rf"(?:about|regarding|concerning|as for|on|in|for|to|with) {_THING}(?: from)?(?: (?:before|earlier))?|"
    rf"{_THING}(?: from before| about (?:the )?\w+| i gave(?: you)?(?: before)?(?: about (?:the )?\w+)?)? (?:was|is|were|has been) {_WRONG}|"
    rf"{_SAID}{_WHEN}*(?: (?:was|is|were) {_WRONG})?|"
    rf"(?:earlier|before|previously) i (?:said|told you|claimed|mentioned)(?: that)?(?: \w+){{1,14}}? (?:which|that|this|and that|but that) (?:is|was) {_WRONG}|"
    rf"i (?:misspoke|was wrong|made (?:a|an) (?:small |big |little )?(?:mistake|error)|got (?:\w+ ){{1,5}}?(?:wrong|mixed up|the wrong way round)|"
    rf"said (?:it|that|something|\w+) wrong(?:ly)?|mixed (?:\w+ ){{1,4}}?up|(?:confused|mixed up) (?:\w+ )(?:\w+ )?(?:things|terms|up)|messed (?:\w+ ){{0,3}}up){_WHEN}*|"
    rf"(?:scrap|scratch|forget|ignore|disregard|strike|change|delete|cancel|replace|correct) (?:{_THING}|{_SAID}|that|it|what i said){_WHEN}*(?: (?:to|with|into))?|"
    rf"(?:it|that|this|which) (?:is|was) {_WRONG}|{_WRONG}|let me (?:fix|correct) (?:it|that)|i would like to (?:fix|correct|change) (?:it|that)|"
    r"i (?:said|told you) (?:\w+ ){1,6}?(?:but|and) (?:actually|really|in fact|that is wrong)|"
    r"i (?:meant|wanted|forgot|should have|mean)(?: (?:to say|to mention|to add|said|mentioned))?(?: that)?|"
    r"what i (?:meant|mean|wanted to say)(?: (?:was|is))?(?: that)?|(?:in fact|because|since|actually|now|really|here)|"
    r"the (?:right|correct|real) (?:answer|one|term|word) (?:is|was|would be)(?: that)?|before|earlier|again"
    r")\b ?"
)
"""What leads up to a correction, one step at a time."""


def withdrawal(said: Stretch) -> tuple[int, int] | None:
    """The last words with which a candidate took back what was said before in the same breath; None when nothing was.

    Args:
        said: all words of the utterance.
    """
    found = [match for match in _SURE.finditer(said.text) if _is_meant(said, match)]
    found += [match for match in _LIGHT.finditer(said.text) if _words_before(said, match) <= _FEW]
    latest = sorted(found, key=re.Match.end, reverse=True)[:_MOST_LOOKED_AT]
    last = next((match for match in latest if _says_something(said.text[: match.start()])), None)
    return said.span(last) if last else None


def correction(said: Stretch) -> tuple[int, int] | None:
    """The words that correct an earlier answer, after those that announce it; None when it is only announced."""
    start = 0
    while step := _ANNOUNCES.match(said.text, start):
        start = step.end()
        if start == len(said.text):
            return None
    return said.places[said.text[:start].count(" ")], said.last


def _is_meant(said: Stretch, match: re.Match[str]) -> bool:
    before = said.text[: match.start()].rsplit(maxsplit=1)
    if _BARE.match(match[0]) and before and before[-1] in _CANNOT_PRECEDE:
        return False
    # "that is wrong" may be about anything; a correction follows at once.
    return not (_STATES_A_FACT.match(match[0]) and not _CORRECTS.match(said.text, match.end()))


def _words_before(said: Stretch, match: re.Match[str]) -> int:
    """How many words are before a match; of more than a few, only that they are more."""
    return len(said.text[: match.start()].split(maxsplit=_FEW + 1))


def _says_something(before: str) -> bool:
    """True when there is something to take back: no mere hesitating, and no talk about an earlier answer."""
    return any(word not in _HESITATING for word in before.split()) and not says("correct_myself", before)
