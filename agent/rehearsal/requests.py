"""What a candidate may ask for, and what it gets: a question, or only a few words while the question stays open."""

from __future__ import annotations

from typing import Literal

from graph.intents import Request
from graph.turns import STAY, TELL

Wish = Request
"""What the interviewer can be asked for."""
Gets = Literal["question", "reply"]
"""What the interviewer is expected to say: a question (the next one, or the open one once more), or only a reply."""

ASKED_AGAIN: frozenset[Wish] = frozenset({"repeat", "rephrase", "go_on"})
"""Requests after which the open question is asked once more."""


def what_follows(wish: Wish, *, after_answer: bool = False, announces: bool = False) -> Gets:
    """What the candidate hears last after a request.

    Args:
        wish: what was asked for.
        after_answer: the request came at the end of an answer.
        announces: a correction was only announced, and the interviewer asks for it.

    """
    if announces:
        return "reply"
    if wish in TELL:
        # At the end of an answer the next question is due; without one, the open question stays as it is.
        return "question" if after_answer else "reply"
    if wish == "go_on":
        # Who has begun an answer gets the floor; who has not, the question.
        return "reply" if after_answer else "question"
    return "reply" if wish in STAY - ASKED_AGAIN else "question"


def leaves_answer_open(wish: Wish) -> bool:
    """Whether an answer before this request is not over: it is judged together with what follows."""
    return wish in STAY
