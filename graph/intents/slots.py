"""Slots: what a request is about: the topic to change to, the term to clarify."""

from __future__ import annotations

import re

from domain.vocabulary import Request

_TERM = tuple(
    re.compile(pattern)
    for pattern in (
        r"\bmean (?:exactly )?(?:by|with) (?:the (?:term|word) )?(?P<term>.+)$",
        r"\bwhat (?:exactly |precisely )?(?:does|do|is|are) (?:the (?:term|word|acronym|abbreviation) )?(?P<term>.+?) (?:actually |exactly )?(?:mean|means|stand for|refer to)\b",
        r"\bmeant by (?P<term>.+)$",
        r"\b(?:term|word|expression|acronym|abbreviation) (?P<term>.+?)(?: what| could| can| please| mean| to me|$)",
        r"\bdefin(?:e|ition of) (?:what you mean by |the term )?(?P<term>.+?)(?: for me| here| please|$)",
        r"\bwhen you (?:say|said|mention|mentioned|talk about|ask about) (?P<term>.+?) (?:do|did|are|is|what|you mean)\b",
        r"\bby (?P<term>.+?) (?:do|did) you mean\b",
        r"\bexplain (?:to me )?what (?:an? )?(?P<term>.+?) (?:is|are|means?|does|stands for)\b",
        r"\bexplain (?:the )?(?P<term>.+?)(?: to me| for me| please|$)",
        r"\bwhat you mean (?:by|with) (?P<term>.+)$",
        r"\b(?:not familiar|unfamiliar) with (?:the term )?(?P<term>.+?)(?: what| could| can| please|$)",
        r"\bnever heard of (?P<term>.+?)(?: what| could| can| please|$)",
        r"\bdo not know what (?:an? |the )?(?P<term>.+?) (?:is|are|means?|stands for)\b",
        r"\bclarify (?:the |what )?(?P<term>.+?)(?: means| is| please|$)",
        r"^(?:\w+ ){0,2}?(?P<term>\w+(?: \w+)?) what (?:is|does) (?:that|it|this)(?: again| mean)?$",
        r"\bwhat (?:is|are|was) (?:exactly )?(?:an? |the )?(?P<term>.+?)(?: again| exactly| please| in this context)*$",
    )
)
_TOPIC = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:topic|subject|area|field) of (?P<topic>.+)$",
        r"\b(?:talk|speak|chat|ask|quiz|questions?|something|anything|stuff|interview|test|one|hear|topics?|asked)(?: me| us| to me)?(?: \w+)? (?:about|on|from|regarding|related to|around) (?P<topic>.+)$",
        r"\b(?:switch|move|turn|change|go|jump|shift|get|head|skip)(?: on| over| back| away| the topic| topics| subjects| the subject| gears)*(?: from [\w ]+?)? (?:to|into) (?P<topic>.+)$",
        r"\b(?:focus|concentrate|work) on (?P<topic>.+)$",
        r"\b(?:discuss|cover|explore|practi[cs]e|look at|try|deal with) (?P<topic>.+)$",
        r"\b(?:comfortable|familiar|experienced|at home|better|stronger|strong|good|interested|prepared) (?:with|in|for|at) (?P<topic>.+)$",
        r"\b(?:how|what) about (?P<topic>.+)$",
        r"\btake me to (?P<topic>.+)$",
        r"\b(?:can|could|may|shall) (?:we|you|the next questions?) (?:please |maybe |perhaps |now |just |rather )*(?:do|have|be about|take|ask) (?P<topic>.+)$",
        r"\b(?:rather|instead|prefer|want|like)(?: to)?(?: do| have| talk)? (?P<topic>.+)$",
        r"\blet us (?:do|talk|have|take|try) (?P<topic>.+)$",
    )
)
_CLAUSE_ENDS = re.compile(
    r"\b(?:instead|now|please|for a change|if (?:that|possible|you)|next|then|because|rather than|and not|could|can|do you|"
    r"what|would|any ?more|at all|or|so|but|is that|in this|in the|here|since|as i|i am|i have|i know|for me|that|first|today|sorry)\b.*$"
)
_LEADING = re.compile(
    r"^(?:(?:the|an?|some|any|more|a few|few|my|our|your|questions?|something|stuff|things?|about|on|with|to|of|topics?|topic|subject|like|"
    r"related|regarding|bit|little|lot|talk|do|have|you|say|word|term|area|field|else|say|only|just) )+"
)
_TRAILING = re.compile(
    r"(?: (?:questions?|topics?|stuff|things?|part|section|area|would be (?:nice|great|good)|again|thanks|thank you|maybe|too|with|exactly|mean|means|is|a bit|some))+$"
)
_NOTHING = frozenset(
    "it that this them something else another different topic topics subject other new one question questions anything area "
    "you me exactly here there way the a thing things more or what not someone field theme mean same rest next your my stuff "
    "else's to by direction completely totally gears i we so please".split()
)
_LONGEST = 5
_NAMES: dict[Request, tuple[tuple[re.Pattern[str], ...], str]] = {
    "change_topic": (_TOPIC, "topic"),
    "clarify": (_TERM, "term"),
}


def detail(request: Request, said: str) -> str:
    """The topic or term that a request names, in plain words; empty when it names none.

    Args:
        request: what was asked for.
        said: the request's own words, plainly spelled.
    """
    if request not in _NAMES:
        return ""
    patterns, group = _NAMES[request]
    for pattern in patterns:
        if match := pattern.search(said):
            named = _cleaned(match[group])
            if named:
                return named
    return ""


def _cleaned(named: str) -> str:
    named = _CLAUSE_ENDS.sub("", f"{named} ").strip()
    named = _LEADING.sub("", f"{named} ").strip()
    named = _TRAILING.sub("", f" {named}").strip()
    words = named.split()
    if not words or len(words) > _LONGEST or all(word in _NOTHING for word in words):
        return ""
    return named
