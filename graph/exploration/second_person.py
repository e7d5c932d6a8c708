"""Second person: a line of a résumé as the interviewer says it to the candidate.

"Moved billing to Kafka, cutting latency by 40%" becomes "You moved billing to Kafka". What cannot be turned round
safely is not: then the interviewer names the project and quotes nothing.
"""

from __future__ import annotations

import re

from graph.judging.text.work_verbs import base_of_gerund, past_forms, past_tense

_LONGEST_LINE = 400
"""Characters of a line that are looked at."""
_MOST_WORDS = 15
"""What is said of a line has to be taken in before the question comes."""
_MOST_WITH_CLAUSE = 13
"""Words up to which a relative clause is said along."""
_TWO = 2
_RELATIVE = frozenset({"that", "which"})
_CUTS = re.compile(
    r"\s*(?:,(?!\d)|[;:(\[|\u2022\u2026]|\s[-\u2013\u2014]\s|\.(?=\s|$)|\s(?:which|thereby|thus|while|resulting|leading|"
    r"enabling|allowing|achieving|saving|including|such as|e\.g\.|i\.e\.|in order to|so that|so as to|that)\b)"
)
"""Where the first thing that was done has been said. Behind a comma stands a list, or what it led to."""
_WEAKER_CUTS = re.compile(r"\s(?:using|via|through|based on|across|within|as part of|with|by|for|from|to)\s")
"""Where a line may be cut that is too long to be said."""
_FIGURE = re.compile(r"[%$\u20ac\u00a3~<>]|\d[\d.,]*\s?(?:k|m|x|bn|ms|s|percent|gb|tb)\b", re.IGNORECASE)
_MORE_THAN = re.compile(r"\b\d[\d.,]{0,12}\+\s")
"""A round number that only shows off: "40+ services" are services."""
_BEFORE_FIGURE = re.compile(r"\s(?:by|from|to|of|with|for|over|under|up to|at|in)(?:\s\w+){0,2}\s?$", re.IGNORECASE)
_ADVERBS = re.compile(r"^(?:[a-z]+ly|also|then|personally|single-handedly)\s+", re.IGNORECASE)
_BULLET = re.compile(r"^[\s\u2022\u00b7*\u2013\u2014>-]{0,10}")
_PERSON = re.compile(r"^(?:I|We)(?:'ve| have)?\s+(?!am\b|was\b|had\b|are\b|were\b)", re.IGNORECASE)
_DUTY = re.compile(r"^(?:was |were )?(?:responsible for|in charge of|tasked with|accountable for)\s+", re.IGNORECASE)
_NEEDS_OBJECT = frozenset("by of and or as is are was were in at daily weekly".split())
"""Behind a verb these make it no verb ("Design of", "Led by"), or leave out what was done."""
_INTRANSITIVE = {
    "worked": frozenset({"on", "with", "as", "in", "closely", "at"}),
    "contributed": frozenset({"to"}),
    "collaborated": frozenset({"with", "on"}),
    "helped": frozenset(),
    "led": frozenset({"to"}),
    "moved": frozenset({"to", "from"}),
}
_UNSPEAKABLE = re.compile(r"[^\w\s.,'\u2019&/+#-]|_|\w/\w+/\w")
_ADDRESS = re.compile(r"://|\bwww\.|@")
_OWN = {"my": "your", "our": "your", "me": "you", "us": "you", "i": "you", "we": "you", "myself": "yourself"}
_OWN_WORDS = re.compile(r"\b(?:my|our|me|us|i|we|myself)\b", re.IGNORECASE)
_HANGING = frozenset(
    "a an the and or to of for with by in on at from into using via as its their our your new more than".split()
)


def in_second_person(line: str) -> str:
    """What the candidate did, as a clause that begins with "You", without a stop; empty when it cannot be turned.

    Args:
        line: a bullet or sentence of a résumé.
    """
    text = " ".join(line[:_LONGEST_LINE].split())
    if _ADDRESS.search(text):
        return ""
    text = _ADVERBS.sub("", _PERSON.sub("", _BULLET.sub("", text)))
    text = _DUTY.sub("", text)
    verb, _, rest = _first_clause(text).partition(" ")
    past = _past(verb)
    rest = _joined_verb(_without_figures(rest))
    if not past or not rest or not _has_object(past, rest):
        return ""
    words = _short_enough(rest).split()
    while words and words[-1].lower() in _HANGING:
        words.pop()
    said = " ".join(("You", past, *words))
    fits = words and len(words) + 2 <= _MOST_WORDS
    return "" if not fits or _UNSPEAKABLE.search(said) else _spoken(said)


def _first_clause(text: str) -> str:
    """Up to the first cut; a relative clause stays that can be said in the same breath ("that compares the stock")."""
    cuts = [*_CUTS.finditer(text)]
    hard = next((cut.start() for cut in cuts if cut[0].strip() not in _RELATIVE), len(text))
    relative = next((cut.start() for cut in cuts if cut.start() < hard), hard)
    end = hard if _is_short_relative(text[:hard], text[relative:hard]) else relative
    return text[:end].strip(" .")


def _is_short_relative(whole: str, clause: str) -> bool:
    return len(whole.split()) <= _MOST_WITH_CLAUSE and len(clause.split()) > _TWO and not _FIGURE.search(clause)


def _past(verb: str) -> str:
    """The past tense of a verb in any form; empty for what is none."""
    small = verb.lower()
    if small in past_forms():
        return small
    if small in base_of_gerund():
        return past_tense()[base_of_gerund()[small]]
    return past_tense().get(small, "") or past_tense().get(small.removesuffix("s"), "")


def _without_figures(text: str) -> str:
    """Up to a figure that would sound odd, and without what led to it ("by 40%")."""
    text = _MORE_THAN.sub("", text)
    figure = _FIGURE.search(text)
    if figure is None:
        return text
    before = text[: figure.start()]
    lead = _BEFORE_FIGURE.search(before)
    return before[: lead.start()] if lead else ""


def _joined_verb(rest: str) -> str:
    """The second verb of "design and build" in the past tense as well."""
    words = rest.split(" ", 2)
    if len(words) == 3 and words[0].lower() in ("and", "&") and (past := _past(words[1])):  # noqa: PLR2004
        return f"and {past} {words[2]}"
    return rest


def _has_object(past: str, rest: str) -> bool:
    first, _, behind = rest.partition(" ")
    first = first.lower()
    if first in _INTRANSITIVE.get(past, ()):
        return past != "led" and bool(behind)
    if first == "and":
        second, _, of_it = behind.partition(" ")
        return bool(of_it) and _past(second) == second and of_it.split()[0].lower() not in _NEEDS_OBJECT
    return first not in _NEEDS_OBJECT


def _short_enough(rest: str) -> str:
    """Cut at the last place where that can be done, until it can be said in one breath."""
    while len(rest.split()) + 2 > _MOST_WORDS:
        places = [cut.start() for cut in _WEAKER_CUTS.finditer(rest)]
        if not places:
            return rest
        rest = rest[: places[-1]]
    return rest


def _spoken(said: str) -> str:
    said = _OWN_WORDS.sub(lambda match: _OWN[match[0].lower()], said.removeprefix("You"))
    return f"You{said}".replace(" & ", " and ").replace(" / ", " and ")
