"""Wishes to be asked about one's own work, as rules recognise them."""

from __future__ import annotations

import pytest

from graph.intents import RuleDetector
from graph.intents.normalize import Utterance
from graph.intents.resume import find

QUESTION = "What does an index do for a query?"
WISHES = [
    "ask me about my projects",
    "Can you ask me about my projects, please?",
    "could we talk about my work experience instead",
    "I'd rather talk about what I've done so far",
    "let's talk about my time at Contoso",
    "I'd like to be asked about my resume",
    "um could you maybe ask me something about my previous jobs",
    "we should talk about my CV",
    "Did you read my resume?",
    "could you ask me some questions on my career",
    "How about my projects?",
    "Could you ask me about my projects again, please?",
    "can we go back to my projects",
]
NO_WISHES = [
    "I asked my team about my projects",
    "In my last project we moved to Kafka and I talked about my work with the team",
    "My projects were mostly in Java",
    "I used a cache in my projects and it was fast",
    "I told them to ask me about my work",
    "my experience is mostly in python",
    "I went through my projects again",
    "an index is something like the one at the end of my books",
]


@pytest.fixture(scope="module")
def detector() -> RuleDetector:
    """With the classifier that comes with Viva, which knows nothing of this wish."""
    return RuleDetector()


@pytest.mark.parametrize("said", WISHES)
def test_a_wish_is_recognised(said: str, detector: RuleDetector) -> None:
    """However politely it is put."""
    understood = detector.read(said.split(), QUESTION)
    assert (understood.request, understood.answer) == ("about_resume", None)
    assert understood.confidence > 0.9


@pytest.mark.parametrize("said", NO_WISHES)
def test_who_speaks_of_their_work_asks_for_nothing(said: str, detector: RuleDetector) -> None:
    """It is an answer, and all of it is judged."""
    assert find(Utterance(said.split())) is None
    assert detector.read(said.split(), QUESTION).request != "about_resume"


def test_an_answer_before_the_wish_is_judged(detector: RuleDetector) -> None:
    """The wish behind it takes nothing away from what was answered."""
    answer = "The planner can jump to the matching rows instead of scanning the whole table."
    words = f"{answer} Can we talk about my projects now?".split()
    understood = detector.read(words, QUESTION)
    assert understood.request == "about_resume"
    assert understood.answer == (0, len(answer.split()) - 1)


def test_a_technical_assessment_is_still_one(detector: RuleDetector) -> None:
    """The way back."""
    assert detector.read("Can we do a technical assessment?".split(), QUESTION).request == "technical_assessment"
