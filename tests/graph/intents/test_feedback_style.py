"""Wishes about what is said of an answer, by itself and beside one; what only sounds like it is an answer."""

from __future__ import annotations

import pytest

from graph.intents.detector import RuleDetector

QUESTION = "What do you gain from a cache, and what do you pay for it?"
ANSWER = "A cache keeps copies of slow reads near the reader and answers in no time."


@pytest.mark.parametrize(
    ("said", "request_"),
    [
        ("Could you tell me what was missing after each answer?", "feedback_coach"),
        ("tell me what I got wrong", "feedback_coach"),
        ("Please teach me the right answers.", "feedback_coach"),
        ("I'd like to hear what I missed", "feedback_coach"),
        ("I want to know what I should have said", "feedback_coach"),
        ("be more like a coach", "feedback_coach"),
        ("Please don't give me the answers.", "feedback_interviewer"),
        ("let me find it out myself", "feedback_interviewer"),
        ("stop telling me the answers", "feedback_interviewer"),
        ("Don't give anything away, please.", "feedback_interviewer"),
        ("act like a real interviewer", "feedback_interviewer"),
    ],
)
def test_a_wish_is_found_by_itself_and_beside_an_answer(said: str, request_: str) -> None:
    """Behind an answer and before it; the answer is judged all the same."""
    detector = RuleDetector()
    assert detector.read(said.split(), QUESTION).request == request_
    behind = detector.read(f"{ANSWER} {said}".split(), QUESTION)
    assert (behind.request, behind.answer) == (request_, (0, len(ANSWER.split()) - 1))


@pytest.mark.parametrize(
    "said",
    [
        "I would tell my team what I missed",
        "we tell the client what was missing",
        "what was missing was a test of the new path",
        "and I told him, tell me what I missed",
        "the cache does not give the answers away to others",
        "a coach is somebody who asks what was missing",
        "can you tell me the answer",
        "give me the answer",
    ],
)
def test_what_only_sounds_like_it_is_none(said: str) -> None:
    """Somebody else's words, an answer, and a question for the answer to this one."""
    found = RuleDetector().read(said.split(), QUESTION)
    assert found.request not in {"feedback_coach", "feedback_interviewer"}
