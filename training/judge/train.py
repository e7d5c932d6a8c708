"""Training of the built-in judge: `make train-judge`, or `python -m training.judge.train --help`.

The encoder learns in four stages, from what is plentiful to what it is for:

1. entailment: what follows from what, starting from MiniLM's weights;
2. clauses: graded answers and Viva's own pairs;
3. answers: whole spoken answers, written (in other clothes) and composed, with the words that carry each verdict;
4. lifelike: answers of people who know all of it or two thirds, beside others, which are wrong far more often.

The last three stages are learned twice, with other draws, and what was learned is averaged: the average of two networks
that set out from the same weights judges what it never saw better than either of them (Wortsman and others 2022, "Model
soups"). It is shipped, with a tagger of three layers that learned which words claim nothing. One question in eight is
kept back; from what the encoder makes of these the linear models learn, and limits are chosen on what is acted on.

Last come five encoders, for measuring alone, of the first two stages with a fifth of the graded questions and of the
packs held out. What each makes of the part it never saw is kept for the benchmark.

Everything that is drawn has a fixed seed. A stage whose result is in the work folder is not done again, and one that
was begun goes on from its checkpoint, so that a run that was cut off loses some minutes; after a change of the material
or of a recipe, delete that folder. Two things are learned side by side, each with one thread: on two cores that is
nearly twice as fast as one after the other with two. On two cores with bfloat16 what is shipped takes about two hours,
and the folds one more; without bfloat16 it is about three times as long.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from graph.encoders.runtime import MODEL_FILE
from graph.judging.builtin import BuiltInJudge
from graph.judging.entailment import WEIGHTS_DIR, EncoderReader
from graph.judging.non_claims import FILLERS_FILE, TALK_DIR, EncoderTagger
from graph.judging.pair_labels import LABELS, MAX_TOKENS
from graph.judging.stacking import STACKING_FILE, load_stacker
from rag import MiniLM
from training.encoders.export import export
from training.encoders.fine_tune import Example, Recipe, fine_tune
from training.encoders.network import averaged, keep, new_model
from training.judge import answer_labels, out_of_fold, selection, stacker
from training.judge.augmentation import Talk
from training.judge.examples import FOLDS, Material, of_answers, of_clauses, of_entailment, of_lifelike_answers
from training.judge.non_claim_examples import of_talk
from training.judge.public_datasets import MissingSetError, further_pairs, graded_answers, sentence_pairs
from training.judge.remembering import RememberingReader
from training.judge.stacker import Lessons, collect

_ENTAILMENT = Recipe(classes=len(LABELS), max_tokens=MAX_TOKENS, epochs=1, seed=1, threads=1)
_TALK = Recipe(classes=1, max_tokens=MAX_TOKENS, epochs=1, encoder_rate=1e-4, seed=2, threads=1)
_CLAUSES = replace(_ENTAILMENT, seed=3)
_ANSWERS = replace(_ENTAILMENT, max_tokens=448, encoder_rate=5e-5, seed=5)
"""In other clothes an answer may be twice as long; cut off, it would no longer do what it is said to do."""
_EVERY_SENTENCE_PAIR = 2
"""One pair in so many: they are only where the encoder sets out from."""
_OF_A_FURTHER_SET = 1_000
"""Pairs at most: some are made by a template, and of those a few hundred say it all."""
_LIFELIKE = replace(_ANSWERS, seed=7)
_TWICE = (0, 1)
"""Numbers of the runs that are averaged."""
_ROUNDS = 2
"""Of the answers, each in clothes and compositions of its own."""
_DRAWS = 100
"""Seeds from one run to the next."""

TALK, TALK_LAYERS = TALK_DIR.name, 3

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are."""

    minilm: Path
    """Folder of the sentence-transformers model to start from."""
    data: Path | None
    """Folder of the public sets; without it the judge learns from Viva's own material alone."""
    work: Path
    """For what is in between."""
    weights: Path = WEIGHTS_DIR
    """For what is shipped."""
    kept: Path = out_of_fold.KEPT_FILE
    """For what the folds' encoders make of what they never saw."""


def train(places: Places, say: Say, *, at_once: int = 2, every: int = 1, folds: bool = True) -> None:
    """All of it.

    Args:
        places: where things are.
        say: tells how it goes.
        at_once: what is learned side by side.
        every: learn from one question in so many, to try it out.
        folds: whether to learn the five encoders as well that only measure.
    """
    for folder in (places.work, places.weights):
        folder.mkdir(parents=True, exist_ok=True)
    todo = Todo(places, say, every)
    _side_by_side([todo.entailment, todo.tagger], at_once)
    _side_by_side([partial(todo.clauses, run) for run in _TWICE], at_once)
    _side_by_side([partial(todo.answers, run) for run in _TWICE], at_once)
    _side_by_side([partial(todo.lifelike, run) for run in _TWICE], at_once)
    todo.ship()
    if not folds:
        return
    _side_by_side([partial(todo.fold, number) for number in range(FOLDS)], at_once)
    todo.keep_folds()


def _side_by_side(jobs: Sequence[Callable[[], None]], at_once: int) -> None:
    if at_once == 1:
        for job in jobs:
            job()
        return
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as processes:
        for done in [processes.submit(job) for job in jobs]:
            done.result()


@dataclass(frozen=True, slots=True)
class Todo:
    """The stages, each of which takes what those before it kept in the work folder."""

    places: Places
    say: Say
    every: int
    """Learn from one question in so many."""

    def tagger(self) -> None:
        """The tagger of words that claim nothing; it learns nothing about verdicts."""
        model = new_model(self.places.minilm, 1, marks=True, dropout=0.0, layers=TALK_LAYERS)
        examples = partial(of_talk, _material(None, self.every).taught, Talk.load_all().taught)
        self._stage(model, "talk", partial(examples, seed=11), _TALK)
        export(model, self.places.weights / TALK)
        fillers = sorted(" ".join(words) for words in Talk.load_all().known)
        (self.places.weights / TALK / FILLERS_FILE).write_text(
            json.dumps(fillers, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
        )

    def entailment(self) -> None:
        """What follows from what; without the public set, MiniLM as it is."""
        if data := self.places.data:
            pairs = sentence_pairs(data)[::_EVERY_SENTENCE_PAIR] + further_pairs(data, _OF_A_FURTHER_SET)
            examples = partial(of_entailment, pairs[:: self.every])
            self._stage(self._fresh(), "entailment", examples, _ENTAILMENT)

    def clauses(self, run: int) -> None:
        """Graded answers and pairs."""
        self._of_clauses(self._material().taught, f"clauses-{run}", run)

    def answers(self, run: int) -> None:
        """Whole answers, from the average of the runs over clauses."""
        model = self._fresh([f"clauses-{before}" for before in _TWICE])
        taught = self._material().taught

        def examples() -> list[Example]:
            seeds = [9 + run * _DRAWS + each for each in range(_ROUNDS)]
            return [example for seed in seeds for example in of_answers(taught, seed=seed)]

        self._stage(model, f"answers-{run}", examples, replace(_ANSWERS, seed=_ANSWERS.seed + run * _DRAWS))

    def lifelike(self, run: int) -> None:
        """Answers of people as one meets them, from the average of the runs over answers."""
        model = self._fresh([f"answers-{before}" for before in _TWICE])
        examples = partial(of_lifelike_answers, self._material().taught, seed=21 + run * _DRAWS)
        self._stage(model, f"lifelike-{run}", examples, replace(_LIFELIKE, seed=_LIFELIKE.seed + run * _DRAWS))

    def ship(self) -> None:
        """The average of the runs over lifelike answers; the linear models and limits, from what was kept back."""
        weights = self.places.weights
        export(self._fresh([f"lifelike-{run}" for run in _TWICE]), weights)
        reader, kept_back = RememberingReader(EncoderReader(weights)), self._material().kept_back
        self.say(f"reading {len(kept_back.answers) + len(kept_back.realistic)} answers that were kept back")
        lessons, tagger = Lessons(), EncoderTagger(weights / TALK)
        # Of key points not from lifelike ones: in those of skilled people hardly anything is missing, and most of the
        # others are twins: who learns from them as well credits too much of what is missing (docs/judging.md).
        collect(reader, tagger, kept_back.asked, lessons)
        realistic = [*kept_back.with_questions(kept_back.realistic)]
        collect(reader, tagger, realistic, lessons, of_points=False)
        stacker.write(lessons, weights)
        judge = BuiltInJudge(reader, load_stacker(weights / STACKING_FILE.name), tagger, selection.NOBODY)
        judged = partial(selection.judged, judge)
        selection.write(selection.choose([*judged(kept_back.asked)], [*judged(realistic)]), weights)
        if kept_back.graded:
            answer_labels.write(kept_back.graded, reader, MiniLM.load(self.places.minilm), weights)

    def fold(self, number: int) -> None:
        """An encoder of clauses that never saw a fold."""
        folder = self._folder_of(number)
        if not (folder / MODEL_FILE).is_file():
            name = f"fold-{number}-clauses"
            self._of_clauses(self._material().without(number), name, number)
            export(self._fresh([name]), folder)

    def keep_folds(self) -> None:
        """What each fold's encoder makes of what it never saw."""
        self.say("reading what each fold holds out")
        folders = [self._folder_of(number) for number in range(FOLDS)]
        out_of_fold.write(folders, self._material(), self.places.kept)

    def _of_clauses(self, material: Material, name: str, run: int) -> None:
        minilm = partial(MiniLM.load, self.places.minilm)
        recipe = replace(_CLAUSES, seed=_CLAUSES.seed + run * _DRAWS)
        before = ["entailment"] if self.places.data else []
        self._stage(self._fresh(before), name, partial(of_clauses, material, minilm, seed=run + 7), recipe)

    def _stage(self, model: Any, name: str, examples: Callable[[], list[Example]], recipe: Recipe) -> None:
        """Let the model learn, and keep what it learned; or take what was kept."""
        kept = self._kept(name)
        if kept.is_file():
            model.load_state_dict(averaged([kept]))
            return
        made = examples()
        self.say(f"{name}: {len(made)} examples")
        checkpoint = kept.with_suffix(".checkpoint")
        fine_tune(model, made, recipe, progress=_progress(name, self.say), checkpoint=checkpoint)
        keep(model, kept)

    def _fresh(self, before: Sequence[str] = ()) -> Any:
        """A network with the average of what stages before it learned, or MiniLM's weights."""
        model = new_model(self.places.minilm, len(LABELS), marks=True, dropout=0.0)
        if before:
            model.load_state_dict(averaged([self._kept(name) for name in before]))
        return model

    def _material(self) -> Material:
        return _material(self.places.data, self.every)

    def _kept(self, name: str) -> Path:
        return self.places.work / f"{name}.pt"

    def _folder_of(self, fold: int) -> Path:
        return self.places.work / f"fold-{fold}"


@cache
def _material(data: Path | None, every: int) -> Material:
    """Read once in a process, which may hold several stages: it takes seconds."""
    return Material.load(graded_answers(data) if data else [], every)


def _progress(name: str, say: Say) -> Callable[[int, int, float], None]:
    started = time.monotonic()

    def told(step: int, steps: int, loss: float) -> None:
        left_s = (time.monotonic() - started) / step * (steps - step)
        say(f"{name}: step {step} of {steps}, loss {loss:.3f}, {left_s / 60:.0f} min left")

    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the judge and store its weights."""
    parser = argparse.ArgumentParser(prog="python -m training.judge.train", description=main.__doc__)
    parser.add_argument("minilm", type=Path, help="folder of the sentence-transformers model to start from")
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("VIVA_JUDGING_DATA"),
        help="folder of the public sets (docs/judging.md); VIVA_JUDGING_DATA by default",
    )
    parser.add_argument("--work", type=Path, default=Path(".cache/train-judge"), help="folder for what is in between")
    parser.add_argument("--every", type=int, default=1, help="one question in so many: to try it out in minutes")
    parser.add_argument("--out", type=Path, help="folder for the weights, to leave those that are shipped as they are")
    parser.add_argument("--at-once", type=int, default=2, help="what is learned side by side, a core each")
    parser.add_argument("--no-folds", action="store_true", help="leave out the five encoders that only measure")
    chosen = parser.parse_args(arguments)
    if chosen.every > 1 and not chosen.out:
        parser.error("--every tries the training out: name a folder for its weights with --out.")
    say = partial(print, flush=True)
    if chosen.data is None:
        say("No folder of public sets is named (VIVA_JUDGING_DATA): the judge learns from Viva's own material alone.")
    try:
        work = chosen.work / (f"every-{chosen.every}" if chosen.every > 1 else "all")
        places = Places(chosen.minilm, Path(chosen.data) if chosen.data else None, work)
        if chosen.out:
            places = replace(places, weights=chosen.out, kept=chosen.out / out_of_fold.KEPT_FILE.name)
        train(places, say, at_once=chosen.at_once, every=chosen.every, folds=not chosen.no_folds)
    except MissingSetError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
