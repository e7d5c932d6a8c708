"""Train the built-in judge: `make train-judge`, or `python -m graph.judging.learning.train --help`.

First a tagger of three layers learns which words claim nothing (ten minutes).

Each encoder learns in three stages, from what is plentiful to what it is for:

1. entailment: what follows from what, starting from MiniLM's weights (once, for all of them);
2. clauses: graded answers and Viva's own pairs;
3. answers: whole spoken answers, written (in other clothes) and composed, with the words that carry each verdict.

Five encoders learn with a fifth of the graded questions and of the packs held out. What each makes of the part it never
saw is kept: the linear models learn from it, and the benchmark measures with it. One more learns from everything, the
first of all: that is the one that is shipped.

Everything that is drawn has a fixed seed. A stage whose result is in the work folder is not done again, so that a run
that was cut off goes on where it was; after a change of the material or of a recipe, delete that folder. Two encoders
learn side by side, each with one thread: on two cores that is nearly twice as fast as one after the other with two.
About an hour for each pair of encoders, with bfloat16.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from graph.encoders.exporting import export
from graph.encoders.fine_tuning import Example, Recipe, fine_tune
from graph.encoders.network import new_model
from graph.encoders.runtime import MODEL_FILE
from graph.judging.learning import out_of_fold, stacked, whole_labels
from graph.judging.learning.clothes import Talk
from graph.judging.learning.examples import FOLDS, NONE_HELD_OUT, Material, of_answers, of_clauses, of_entailment
from graph.judging.learning.public_sets import MissingSetError, graded_answers, sentence_pairs
from graph.judging.learning.stacked import Lessons, collect
from graph.judging.learning.talk_examples import of_talk
from graph.judging.pair import LABELS, MAX_TOKENS
from graph.judging.reading import WEIGHTS_DIR, EncoderReader
from graph.judging.talk import TALK_DIR, EncoderTagger
from rag import MiniLM

_ENTAILMENT = Recipe(classes=len(LABELS), max_tokens=MAX_TOKENS, epochs=1, seed=1, threads=1)
_TALK = Recipe(classes=1, max_tokens=MAX_TOKENS, epochs=1, encoder_rate=1e-4, seed=2, threads=1)
_CLAUSES = replace(_ENTAILMENT, seed=3)
_ANSWERS = replace(_ENTAILMENT, max_tokens=448, encoder_rate=5e-5, seed=5)
"""In other clothes an answer may be twice as long; cut off, it would no longer do what it is said to do."""

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


def train(places: Places, say: Say, *, at_once: int = 2, every: int = 1) -> None:
    """All of it.

    Args:
        places: where things are.
        say: tells how it goes.
        at_once: encoders that learn side by side.
        every: learn from one question in so many, to try it out.
    """
    places.work.mkdir(parents=True, exist_ok=True)
    places.weights.mkdir(parents=True, exist_ok=True)
    tagger(places, say, every)
    _entailment(places, say, every)
    make, folds = partial(encoder, places, say=say, every=every), (NONE_HELD_OUT, *range(FOLDS))
    if at_once == 1:
        folders = list(map(make, folds))
    else:
        with ProcessPoolExecutor(at_once, mp_context=get_context("spawn")) as processes:
            folders = list(processes.map(make, folds))
    material, of_folds = Material.load(_graded(places), every), folders[1:]
    lessons = Lessons()
    for fold, folder in enumerate(of_folds):
        say(f"reading what fold {fold} holds out")
        collect(EncoderReader(folder), EncoderTagger(places.weights / TALK), material.of_fold(fold).asked, lessons)
    stacked.write(lessons, places.weights)
    out_of_fold.write(of_folds, material, places.kept)
    if material.graded:
        kept, minilm = out_of_fold.read(places.kept), MiniLM.load(places.minilm)
        whole_labels.write(material.graded, kept, minilm, places.weights)
    shutil.copyfile(folders[0] / MODEL_FILE, places.weights / MODEL_FILE)


def tagger(places: Places, say: Say, every: int = 1) -> None:
    """The tagger of words that claim nothing, which learns nothing about verdicts: there is one for all folds.

    Args:
        places: where things are.
        say: tells how it goes.
        every: learn from one question in so many.
    """
    folder = places.weights / TALK
    model = new_model(places.minilm, 1, marks=True, dropout=0.0, layers=TALK_LAYERS)
    examples = partial(of_talk, Material.load([], every), Talk.load(), seed=11)
    _stage(model, places.work / "talk.pt", examples, _TALK, say)
    export(model, folder)


def encoder(places: Places, held_out: int, say: Say, every: int = 1) -> Path:
    """The folder of an encoder that never saw a fold.

    Args:
        places: where things are.
        held_out: number of the fold, or `NONE_HELD_OUT`.
        say: tells how it goes.
        every: learn from one question in so many.
    """
    name = "all" if held_out == NONE_HELD_OUT else f"fold-{held_out}"
    folder = places.work / name
    if not (folder / MODEL_FILE).is_file():
        material = Material.load(_graded(places), every).without(held_out)
        model = _entailment(places, say, every)
        clauses = partial(of_clauses, material, partial(MiniLM.load, places.minilm), seed=held_out + 7)
        _stage(model, places.work / f"{name}-clauses.pt", clauses, _CLAUSES, say)
        _stage(model, places.work / f"{name}-answers.pt", partial(of_answers, material, seed=9), _ANSWERS, say)
        export(model, folder)
    return folder


def _entailment(places: Places, say: Say, every: int) -> Any:
    """The encoder that knows what follows from what; without the public set, MiniLM as it is."""
    model = new_model(places.minilm, len(LABELS), marks=True, dropout=0.0)
    if data := places.data:
        examples = partial(of_entailment, sentence_pairs(data)[::every])
        _stage(model, places.work / "entailment.pt", examples, _ENTAILMENT, say)
    return model


def _stage(model: Any, kept: Path, examples: Callable[[], list[Example]], recipe: Recipe, say: Say) -> None:
    """Let the model learn, and keep what it learned; or take what was kept."""
    import torch  # noqa: PLC0415 - only for who trains

    if kept.is_file():
        model.load_state_dict(torch.load(kept, weights_only=True))
        return
    made = examples()
    say(f"{kept.stem}: {len(made)} examples")
    fine_tune(model, made, recipe, progress=_progress(kept.stem, say))
    unfinished = kept.with_suffix(".part")
    torch.save(model.state_dict(), unfinished)
    unfinished.replace(kept)


def _graded(places: Places) -> list[Any]:
    return graded_answers(places.data) if places.data else []


def _progress(name: str, say: Say) -> Callable[[int, int, float], None]:
    started = time.monotonic()

    def told(step: int, steps: int, loss: float) -> None:
        left_s = (time.monotonic() - started) / step * (steps - step)
        say(f"{name}: step {step} of {steps}, loss {loss:.3f}, {left_s / 60:.0f} min left")

    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the judge and store its weights."""
    parser = argparse.ArgumentParser(prog="python -m graph.judging.learning.train", description=main.__doc__)
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
    parser.add_argument("--at-once", type=int, default=2, help="encoders that learn side by side, a core each")
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
        train(places, say, at_once=chosen.at_once, every=chosen.every)
    except MissingSetError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
