"""Patience: wishes about how long the interviewer waits, "please don't interrupt me" or "you can answer faster".

Rules alone recognise them. They are phrases with little in between, and a stretch of words is a wish only if nothing
else is said in it: "let me finish" is one, "let me finish with an example" is not, nor is anything that threads,
servers or colleagues do to each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from domain.vocabulary import Request
from graph.intents import span_boundaries
from graph.intents.normalize import Stretch, Utterance

_LEAD = (
    r"(?:and|but|so|okay|oh|well|hey|sorry|no|wait|hold on|hang on|excuse me|pardon me?|please|just|also|now|then|actually|"
    r"by the way|listen|look|viva|yes|yeah|thanks|thank you|alright|all right|maybe|perhaps|really|again|one thing|"
    r"i think|i feel|i feel like|i notice|i noticed|it (?:seems|feels)|it (?:seems|feels) (?:like|that|as if)|you know|"
    r"(?:could|can|would|will|may) you|do you think you could|would you mind|is it possible to|would it be possible to|"
    r"i (?:would )?(?:like|love|prefer|want|need|wish)(?: it)?(?: for)?(?: you to| if you (?:could|would|can)| that you)?|"
    r"i would appreciate it if you (?:could|would)|it would (?:be (?:nice|great|good|better|kind|helpful)|help)(?: me)? if you "
    r"(?:could|would)|try to|make sure to|you (?:can|could|should|may|might|must|would|have to|need to|are allowed to)|"
    r"next time|from now on|in (?:the )?future|for the next (?:questions?|ones?|answers?)|a little|a bit|as i said)"
)
"""What may come before the words of a wish."""
_TRAIL = (
    r"(?:please|again|thanks|thank you|okay|now|then|sorry|will you|would you|can you|could you|with me|at all|any ?more|"
    r"next time|from now on|in (?:the )?future|for the (?:next|other|following) (?:questions?|ones?|answers?)|all the time|"
    r"every time|each time|constantly|so (?:much|often|early|soon|quickly)|too (?:early|soon|quickly)|like that|first|"
    r"if (?:possible|you can|that is (?:okay|possible|all right))|"
    r"(?:while|when|whenever|as long as|before|until) i (?:am|was|have|had)?(?: (?:still|just|not|only))? ?"
    r"(?:talk|talking|speak|speaking|answer|answering|think|thinking|explaining|pause|pausing|take a breath|done|finish|finished)|"
    r"in the middle of (?:my|a|an|the) (?:answer|sentence|thought|explanation)s?|in mid ?sentence|mid ?sentence|"
    r"i (?:am|was|have|had) not (?:yet )?(?:done|finished)(?: yet)?|it (?:is|was) (?:annoying|irritating|distracting))"
)
"""What may come behind them."""
_SPEAK = (
    r"(?:you |you start to |you begin to )?(?:answer|respond|reply|react|talk|speak|start talking|start speaking|jump in|come in|cut in|"
    r"go on|move on|continue|take over|ask|interrupt|say (?:something|anything))(?: me)?"
    r"(?: to me| again| with the next question| to the next question| the next (?:question|one))?"
)
_MINE = r"(?:my|the|this|that) (?:\w+ )?(?:answer|sentence|thought|thoughts|point|explanation|story|idea|example)s?"
_INTERRUPTING_ME = (
    rf"(?:cut(?:ting)? (?:me|my \w+) (?:off|short)|interrupt(?:ing|ed)? (?:me|{_MINE})|(?:talk(?:ing|ed)?|speak(?:ing)?|spoke) over me|"
    r"(?:jump|barge|butt)(?:ing|ed)? in on me)"
)
_INTERRUPTING = rf"(?:{_INTERRUPTING_ME}|interrupt(?:ing)?|(?:jump|barge|butt)(?:ing)? in)"
_LONGER = r"(?:(?:a|little|bit|lot|moment|second|while|much|even|few|some|couple|of|seconds) ?){0,4}(?:longer|more)"
_MORE = (
    rf"(?:do not|never|stop|quit|not|not to|avoid|no)(?: (?:always|keep|ever|constantly))? {_INTERRUPTING}",
    rf"(?:why )?(?:do |did |have |are )?you (?:are |were |have |had |do |did )?(?:always |constantly |just |now |already |often )*"
    rf"(?:{_INTERRUPTING_ME}|(?:keep|kept)(?: on)? {_INTERRUPTING})",
    rf"(?:let|allow) me (?:to )?(?:please |just |first )?(?:finish|complete)(?: speaking| talking| first| up| {_MINE}| what i "
    r"(?:am|was|have to|wanted to|want to) (?:saying|say|tell|telling))?",
    rf"(?:can|could|may) i (?:please |just |first )?(?:finish|complete) {_MINE}",
    r"(?:why )?(?:do |did )?you (?:do not|did not|never|are not|will not|not|barely|hardly) (?:let|letting|ever let) me "
    rf"(?:finish|finish speaking|finish talking|complete|speak|talk)(?: {_MINE})?",
    rf"(?:wait|pause|hold back|hold on|be quiet)(?: for)?(?: {_LONGER})? (?:before|until) {_SPEAK}",
    rf"(?:wait|pause|hold back)(?: for)?(?: {_LONGER})? (?:after|until|till|when|whenever) i "
    r"(?:am |have |really |stop |take |make )*(?:done|finished|finish|stop|pauses?|a pause|a break|speaking|talking)"
    rf"(?: speaking| talking)?(?: before {_SPEAK})?",
    rf"wait for me to (?:finish|be done|be finished)(?: speaking| talking| {_MINE})?",
    rf"(?:give|leave|allow) me {_LONGER} (?:time|room|space)(?: to (?:finish|think))? (?:before|until) {_SPEAK}",
    rf"(?:give|leave|allow) me {_LONGER} (?:time|room|space) to (?:finish|complete)(?: speaking| talking| {_MINE})?",
    rf"(?:i (?:need|want|would like)|(?:can|could|may) i (?:have|get)) {_LONGER} time (?:before {_SPEAK}|to finish(?: {_MINE})?)",
    r"you (?:do|did) not (?:wait (?:for )?(?:long enough|me)|give me (?:enough|the|any) time to finish)"
    rf"(?: before {_SPEAK}| to finish| {_MINE})?",
    rf"(?:be|have|show) {_LONGER} (?:patient|patience)",
    r"(?:you (?:are )?)(?:always |just )*(?:answer|answering|respond|responding|reply|replying|react|reacting|jump in|"
    r"jumping in|come in|coming in|move on|moving on|take over|taking over) (?:too|so|much too|way too|a bit too|a little too) "
    r"(?:quickly|quick|fast|soon|early)(?: for me)?",
    rf"you are (?:much |way |a bit |a little )?too (?:quick|fast|eager|hasty|impatient)(?: to {_SPEAK})",
    r"do not (?:answer|respond|reply|react|jump in|come in|move on|go on|take over|start talking) (?:so|too|that|quite so) "
    r"(?:quickly|quick|fast|soon|early)",
    r"(?:do not|only) (?:answer|respond|reply|talk|speak|say anything|move on|go on|jump in) (?:before|until|when|once|after) i "
    r"(?:am|have)(?: really)? (?:done|finished)",
)
"""Wishes to wait longer, and complaints about being cut off."""
_SOONER = r"(?:(?:a|little|bit|lot|much|even) ?){0,3}(?:faster|quicker|more quickly|quickly|sooner|earlier|right away|immediately|at once)"
_AFTER_ME = (
    r"(?:after|when|once|as soon as) (?:i (?:am |have |stop |already )*(?:finish|finished|done|stop|speaking|talking|said everything)"
    r"(?: speaking| talking| (?:my|an|the) (?:answer|sentence)s?)?|my answers?|each answer|an answer)"
)
_LESS = (
    rf"(?:answer|respond|reply|react|jump in|come in|take over)(?: to)?(?: me| my answers?)? {_SOONER}(?: {_AFTER_ME})?",
    r"be (?:a bit |a little |much )?(?:quicker|faster) (?:to|at|with) (?:answer|answering|respond|responding|reply|replying|react|"
    rf"reacting|your (?:answer|reply|response|reaction)s?)(?: {_AFTER_ME})?",
    r"(?:you )?(?:do not|need not|no need|there is no need|not)(?: have| need)?(?: for you)?(?: to)? wait"
    rf"(?: for me)?(?: quite)? (?:so|that|this|as|too) (?:long|much)(?: for me)?(?: {_AFTER_ME}| before {_SPEAK})?",
    rf"you (?:are )?(?:always |still )?(?:wait|waiting|pause|pausing) (?:too|so|much too|way too|far too|a bit too|a little too|very) "
    rf"(?:long|much)(?: for me)?(?: {_AFTER_ME}| before {_SPEAK})?",
    rf"(?:stop|quit) waiting (?:so|that|this) long(?: {_AFTER_ME}| before {_SPEAK})?",
    rf"wait (?:a bit |a little |much )?less(?: long)?(?: {_AFTER_ME}| before {_SPEAK})?",
    rf"(?:take|make) shorter (?:pauses|breaks)(?: {_AFTER_ME}| before {_SPEAK})",
    rf"(?:you )?(?:take|are taking|need) (?:too|so|much too|way too) long (?:to (?:answer|respond|reply|react)|{_AFTER_ME})",
    r"be (?:a bit |a little |much )?less patient",
    rf"(?:answer|respond|reply|react|go on|move on|continue) as soon as i (?:am |have |stop )?(?:finish|finished|done|stop|speaking|talking)",
)
"""Wishes to wait less long."""

_TELLING = re.compile(r"\b(?:wait|waiting|interrupt\w*|cut|cutting|finish|complete|patien\w+|longer|over me|pauses?|jump|jumping|"
                      r"answer\w*|respond\w*|reply\w*|react\w*|in|time)\b")  # fmt: skip
"""Without any of these words nothing need be looked at closely."""
_ADDRESSES = re.compile(r"\b(?:you|your|me|my|please|i)\b|^do not (?:interrupt|answer|jump|talk|speak|respond|reply|react)\b")
"""What a wish has that is the whole turn."""
_MEANS_US = re.compile(r"\b(?:me|my|please|(?:could|can|would|will) you)\b|\byou\b.*\bi\b|\bi\b.*\byou\b|\bbefore you (?:talk|speak)\b")
"""What one has that stands beside an answer: "with an index you don't have to wait so long" is part of it."""
_REPORTED = frozenset(
    "say says said saying tell tells told telling ask asks asked asking shout shouted reply replied write wrote that him her "
    "them like goes went called phrase phrases sentence words because if when which".split()
)
"""Before the same words they are somebody else's ("and I told him, let me finish"), or part of a longer sentence."""
_LEADS_OVER = frozenset("so okay well anyway and because i we".split())
_LONGEST = span_boundaries.SHORT


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish about patience and where it was said."""

    request: Request
    said: Stretch


@cache
def _patterns() -> tuple[tuple[Request, re.Pattern[str]], ...]:
    return tuple((request, _whole(cores)) for request, cores in _CORES)


_CORES: tuple[tuple[Request, tuple[str, ...]], ...] = (("more_patience", _MORE), ("less_patience", _LESS))


def _whole(cores: tuple[str, ...]) -> re.Pattern[str]:
    one = rf"(?:{_LEAD} ){{0,6}}(?:{'|'.join(cores)})(?: {_TRAIL}){{0,4}}"
    return re.compile(rf"{one}(?: {one}){{0,2}}(?: {_LEAD}){{0,2}}")


def wish_in(said: Stretch) -> Request | None:
    """The wish that a stretch is; None when it is none, or says anything else as well."""
    if not 0 < len(said.tokens) <= _LONGEST or not _TELLING.search(said.text):
        return None
    return next((request for request, pattern in _patterns() if pattern.fullmatch(said.text)), None)


def find(utterance: Utterance) -> Wish | None:
    """A wish about patience: all of an utterance, its end, its beginning, or a sentence in the middle."""
    whole = utterance.whole
    if not _TELLING.search(whole.text):
        return None
    if (request := wish_in(whole)) and _ADDRESSES.search(whole.text):
        return Wish(request, whole)
    for stretch in _parts(utterance):
        if _MEANS_US.search(stretch.text) and not _is_reported(utterance, stretch) and (request := wish_in(stretch)):
            return Wish(request, stretch)
    return None


def _parts(utterance: Utterance) -> Iterator[Stretch]:
    """Stretches that may be a wish beside an answer, the longest of each kind first."""
    last = len(utterance) - 1
    yield from (utterance.stretch(start, last) for start in span_boundaries.tails(utterance))
    ends = [index for index in range(last) if utterance.ends_clause(index)]
    heads = (end for end in range(min(last, _LONGEST)) if end in ends or _begins(utterance, end + 1))
    yield from (utterance.stretch(0, end) for end in reversed(list(heads)))
    for number, end in enumerate(ends[1:], start=1):
        yield from (utterance.stretch(start + 1, end) for start in ends[:number] if end - start <= _LONGEST)


def _begins(utterance: Utterance, index: int) -> bool:
    """True when an answer may begin at a word, which is no object of what was said before."""
    return not _LEADS_OVER.isdisjoint(utterance.tokens_at(index)[:1])


def _is_reported(utterance: Utterance, stretch: Stretch) -> bool:
    before = utterance.stretch(max(0, stretch.first - 3), stretch.first - 1) if stretch.first else None
    return before is not None and bool(before.tokens) and not _REPORTED.isdisjoint(before.tokens[-2:])
