"""Which words a recogniser is told before an answer."""

from __future__ import annotations

from domain.question import KeyPoints, Question
from graph.dialogue.hot_words import likely_terms

QUESTION = Question(
    id="caching", text="How can HTTP caching headers help?", kind="retrieved", source="plan", topic="web",
    difficulty="easy", targets=KeyPoints(points=("An entity tag revalidates it.",), misconceptions=("Cookies do it.",)),
    expected_answer="…", concepts=("HTTP caching",), minutes=2.0,
)  # fmt: skip


def test_ideas_come_first_and_wrong_answers_are_among_the_words() -> None:
    """Whoever is wrong is heard as well as whoever is right."""
    terms = likely_terms(QUESTION)
    assert terms[0] == "HTTP caching"
    assert {"entity", "revalidates", "cookies"} <= set(terms)


def test_common_words_are_left_out() -> None:
    """They are heard anyhow, and take the place of others."""
    assert not {"how", "can", "an", "it", "do"} & set(likely_terms(QUESTION))


def test_names_in_a_resume_are_kept_as_they_are_written() -> None:
    """Only what is no ordinary word."""
    terms = likely_terms(QUESTION, "I ran PostgreSQL and gRPC on AWS for Years.")
    assert terms[-3:] == ("PostgreSQL", "gRPC", "AWS")


def test_each_is_told_once() -> None:
    """However often it is in the question."""
    terms = likely_terms(QUESTION, "AWS, AWS and AWS")
    assert len(terms) == len(set(terms))
