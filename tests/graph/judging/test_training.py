"""The training of the judge as a whole, without the hours that learning takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.model_files.prepare import ModelPaths
from graph.judging import BuiltInJudge
from graph.judging.entailment import EncoderReader
from graph.judging.non_claims import EncoderTagger
from graph.judging.pair_labels import pair_texts
from graph.judging.stacking import load_stacker
from training.encoders.fine_tune import Example, Recipe
from training.judge import out_of_fold, train
from training.judge.examples import Material
from training.judge.viva_pairs import Pair

pytestmark = pytest.mark.slow

EVERY = 30
"""One question of each pack."""
FOLDS = 2
"""The others are no different."""


def test_training_goes_from_pairs_and_answers_to_weights_that_judge(
    model_paths: ModelPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ships never saw what is kept back, nor a fold its packs; what was made is not made again."""
    learned: list[list[Example]] = []

    def learn_nothing(_model: Any, examples: list[Example], _recipe: Recipe, **_: object) -> None:
        learned.append(examples)

    monkeypatch.setattr(train, "FOLDS", FOLDS)
    monkeypatch.setattr(train, "fine_tune", learn_nothing)
    monkeypatch.setattr(train, "of_clauses", lambda material, _embedder, seed: _few(material, seed))
    monkeypatch.setattr(train, "of_answers", _few)
    monkeypatch.setattr(train, "of_lifelike_answers", _few)
    places = train.Places(
        model_paths.embedder, None, tmp_path / "work", weights=tmp_path / "weights", kept=tmp_path / "kept.npz"
    )
    told: list[str] = []

    train.train(places, told.append, at_once=1, every=EVERY)

    of_talk, shipped, of_folds = learned[0], learned[1:7], learned[7:]
    assert len(of_folds) == FOLDS
    assert all(example.allowed == (0,) and example.marked is not None for example in of_talk)
    material = Material.load([], EVERY)
    kept_back = _points(material.kept_back)
    assert kept_back
    assert all(kept_back.isdisjoint(_read(stage)) for stage in shipped)
    assert all(_points(material.of_fold(fold)).isdisjoint(_read(stage)) for fold, stage in enumerate(of_folds))
    kept = out_of_fold.read(places.kept)
    held_out_pairs = [pair for fold in range(FOLDS) for pair in material.of_fold(fold).pairs]
    assert all(out_of_fold.fingerprint(pair_texts(pair.said, pair.point)) in kept for pair in held_out_pairs)
    answer, question = next(iter(material.asked))
    tagger = EncoderTagger(places.weights / train.TALK)
    judge = BuiltInJudge(EncoderReader(places.weights), load_stacker(places.weights / "stacking.json"), tagger)
    assert len(judge.judge(question, answer.words)) >= len(question.targets.points)

    before = len(learned)
    train.train(places, told.append, at_once=1, every=EVERY)
    assert len(learned) == before


def _points(material: Material) -> set[str]:
    return {pair.point for pair in material.pairs}


def _read(examples: list[Example]) -> set[str]:
    return {example.texts[1] for example in examples}


def _few(material: Material, seed: int) -> list[Example]:
    """Some pairs, as they are."""
    pairs: list[Pair] = list(material.pairs)[seed % 3 :: 50]
    return [Example(pair_texts(pair.said, pair.point), (0,)) for pair in pairs]
