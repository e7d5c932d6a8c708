"""Labelled answers for the tests of what is trained."""

from __future__ import annotations

from domain.question import Question
from domain.vocabulary import VerdictStatus
from graph.planning.questions import from_bank
from tests.graph.fakes import tea_pack
from training.judge.synthetic_answers import Composed

WORDS = tuple("Black tea leaves are oxidised before they dry".split())


def asked() -> list[tuple[Composed, Question]]:
    """Two answers to questions of one pack: one with a label for each point, one of which little is known."""
    first, second = (
        from_bank(bank, topic_title="", concepts=(), grade="high", attempts=1) for bank in tea_pack().questions[:2]
    )
    of_first: dict[str, VerdictStatus] = {"1": "covered", "2": "missing", "3": "partly"}
    of_second: dict[str, VerdictStatus] = {"1": "contradicted"}
    return [
        (Composed("tea", first.id, WORDS, of_first, {"m1": True}, {}), first),
        (Composed("tea", second.id, WORDS, of_second, {"m1": False}, {}), second),
    ]
