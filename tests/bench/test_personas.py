"""Candidates who know half of it, to hold rehearsals with: each has an answer to every question of a pack."""

from __future__ import annotations

from typing import get_args

import pytest
import yaml

from agent.rehearsal.persona import load_persona
from bench.judging.data import DATA
from domain.vocabulary import VerdictStatus
from rag import load_packs


@pytest.mark.parametrize("pack", ["front-end", "databases-sql", "python", "behavioural"])
def test_a_candidate_who_knows_half_answers_every_question_of_the_pack(pack: str) -> None:
    """In words of their own, labelled for each key point."""
    persona = load_persona(str(DATA / "personas" / f"half-{pack}.yaml"))
    labels = yaml.safe_load((DATA / "personas" / f"labels-{pack}.yaml").read_text(encoding="utf-8"))
    questions = {question.id: question for question in load_packs()[pack].questions}
    assert set(persona.lines) == set(labels) == set(questions)
    assert all(len(labels[number]) == len(question.key_points) for number, question in questions.items())
    assert {label for each in labels.values() for label in each} <= set(get_args(VerdictStatus))
