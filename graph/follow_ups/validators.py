"""Validators of questions that a model worded: one that asks, can be heard, and neither tells nor judges."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graph.feedback.guardrails import for_the_eye, judges, tells
from graph.language_models.tasks import QuestionReply
from graph.validators import Check, first_fault

_MOST_WORDS = 40
"""A spoken question that is longer has to be heard twice."""
_UNSPEAKABLE = re.compile(
    r"[^\w\s.,;:?!'\"\u2018\u2019\u201c\u201d()\u2010-\u2014\u2026%&/+#$\u20ac\u00a3\u00b0-]|_|"
    r"(?<!\b[CF])#|#(?=\w)|\w\(|(?:^|\s)\d+\)|://|&&|--(?=\w)"
)
"""What a voice cannot read out so that it is understood: symbols, calls, addresses, the numbers of a list."""
_VERDICT = re.compile(
    r"(?:^|[.!\u2026]\s+)(?:"
    r"(?:yes|no|correct|exactly|precisely|good|not quite)\s*[,.!\u2026]|"
    r"(?:that|this|it|you)(?:['\u2019](?:s|re)|\s+(?:is|are|was|were))\s+(?:(?:not|quite|absolutely|really|partly|a)\s+)*"
    r"(?:right|wrong|correct|true|false|mistaken|good)\b)|"
    r"\b(?:good|fair|nice) (?:point|start|try|thinking)\b|\bwell (?:said|put)\b",
    re.IGNORECASE,
)
"""How a verdict stands before a question. "Would you say that it is true in every case?" asks for one."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A question as a model worded it, beside what it must not tell."""

    text: str
    points: tuple[str, ...] = ()
    """Key points that the candidate is to find."""


def _speakable(worded: Worded) -> str:
    if for_the_eye(worded.text):
        return "write one plain spoken question, without markup or a list"
    found = _UNSPEAKABLE.search(worded.text)
    return f"{found[0]!r} cannot be read out; use words that can be spoken" if found else ""


def _no_judgement(worded: Worded) -> str:
    verdict = _VERDICT.search(worded.text)
    phrase = judges(worded.text) or (verdict[0].strip(" .!,\u2026") if verdict else "")
    return f"no praise and no judgement: leave out {phrase!r}" if phrase else ""


def _gives_nothing_away(worded: Worded) -> str:
    told = any(tells(worded.text, point) for point in worded.points)
    return "it must not say what the candidate is to find out" if told else ""


QUESTION_CHECKS: tuple[Check[Worded], ...] = (
    Check(
        "asks",
        lambda worded: "" if worded.text.endswith("?") else "it must be one question and end with a question mark",
    ),
    Check("one thing", lambda worded: "it must ask one thing only" if worded.text.count("?") > 1 else ""),
    Check(
        "by ear",
        lambda worded: "" if len(worded.text.split()) <= _MOST_WORDS else f"it must have {_MOST_WORDS} words or fewer",
    ),
    Check("speakable", _speakable),
    Check("no judgement", _no_judgement),
    Check("gives nothing away", _gives_nothing_away),
)
"""What a question that a model worded must pass, in this order."""


def question_gate(points: Sequence[str]) -> Callable[[QuestionReply], str]:
    """The gate of a model's question.

    Args:
        points: key points that it must not give away.
    """

    def check(reply: QuestionReply) -> str:
        return first_fault(QUESTION_CHECKS, Worded(reply.question.strip(), tuple(points)))

    return check
