"""Answers of the measured candidate: to what is asked."""

from __future__ import annotations

import pytest

from bench.voice.complete_answers import CompleteAnswers, recording_of
from bench.voice.manifest import Recording
from bench.voice.sounds import Sound
from bench.voice.venue import PACK
from rag import load_packs
from tests.speech.fakes import tone

PACK_ASKED = load_packs()[PACK]


def silent(recording: Recording) -> Sound:
    """A sound whose length tells whose it is."""
    return Sound((tone((len(recording.words) / 1000, 0.0)) * 32767).astype("int16"), 1.0, ())


@pytest.mark.parametrize("question", PACK_ASKED.questions, ids=lambda question: question.id)
def test_each_question_gets_its_own_answer(question: object) -> None:
    """Also with a lead-in before it, and when a follow-up asks for a part of it."""
    answers = CompleteAnswers(PACK_ASKED, silent)
    wanted = recording_of(question)  # type: ignore[arg-type]
    asked = [question.text, f"Let's move on to something else. {question.text}"]  # type: ignore[attr-defined]
    asked += [f"There is one more side to it. {each.text}" for each in question.follow_ups]  # type: ignore[attr-defined]
    assert {answers.to(text).id for text in asked} == {wanted.id}


def test_an_answer_has_no_pause_that_could_be_taken_for_its_end() -> None:
    """Waiting is measured, not cutting off."""
    assert all(recording_of(each).is_fluent for each in PACK_ASKED.questions)
