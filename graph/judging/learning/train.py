"""Train the built-in judge: `make train-judge`, or `python -m graph.judging.learning.train --help`.

1. An encoder learns entailment, starting from MiniLM's weights.
2. Five times, with a fifth of the graded questions and of the packs held out, it learns to judge. What each of the five
   makes of the part it never saw is kept: the stacked model learns from it, and the benchmark measures with it.
3. Once more with everything: that is the encoder that is shipped.

Everything that is drawn has a fixed seed. A step whose result is in the work folder is not done again, so that a run
that was cut off goes on where it was. About three hours on two cores with bfloat16.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graph.encoders.exporting import export
from graph.encoders.fine_tuning import Example, Recipe, fine_tune, new_model
from graph.encoders.runtime import MODEL_FILE
from graph.judging.learning import out_of_fold, stacked
from graph.judging.learning.examples import FOLDS, fold_of_pack, fold_of_question, of_entailment, of_graded, of_pairs
from graph.judging.learning.own_pairs import Pair, all_pairs
from graph.judging.learning.public_sets import MissingSetError, graded_answers, sentence_pairs
from graph.judging.pair import LABELS, MAX_TOKENS
from graph.judging.reading import WEIGHTS_DIR
from graph.judging.stacking import STACKING_FILE
from rag import MiniLM, load_packs

_ENTAILMENT = Recipe(classes=len(LABELS), max_tokens=MAX_TOKENS, epochs=1, seed=1)
_JUDGING = Recipe(classes=len(LABELS), max_tokens=MAX_TOKENS, epochs=2, seed=3)
_ROUNDS = 1
"""Variations of each pair."""
NONE_HELD_OUT = -1


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are."""

    minilm: Path
    """Folder of the sentence-transformers model to start from."""
    data: Path | None
    """Folder of the public sets; without it the judge learns from Viva's own pairs alone."""
    work: Path
    """For what is in between."""
    weights: Path = WEIGHTS_DIR


def train(places: Places, say: Callable[[str], None]) -> None:
    """All steps, one after the other.

    Args:
        places: where things are.
        say: tells how it goes.
    """
    places.work.mkdir(parents=True, exist_ok=True)
    for fold in range(FOLDS):
        folder = places.work / f"fold-{fold}"
        if not (folder / MODEL_FILE).is_file():
            export(_judging(places, fold, say), folder)
    folders = [places.work / f"fold-{fold}" for fold in range(FOLDS)]
    embedder = MiniLM.load(places.minilm)
    out_of_fold.write(folders, _graded(places), _pairs())
    stacked.write(folders, _pairs(), embedder, places.weights / STACKING_FILE.name)
    export(_judging(places, NONE_HELD_OUT, say), places.weights)


def _entailment(places: Places, say: Callable[[str], None]) -> Any:
    """The encoder that knows what follows from what; without the public set, MiniLM as it is."""
    import torch  # noqa: PLC0415 - only for who trains

    model, kept = new_model(places.minilm, len(LABELS)), places.work / "entailment.pt"
    if kept.is_file():
        model.load_state_dict(torch.load(kept, weights_only=True))
    elif places.data is not None:
        examples = of_entailment(sentence_pairs(places.data))
        fine_tune(model, examples, _ENTAILMENT, progress=_progress("entailment", say))
        unfinished = kept.with_suffix(".part")
        torch.save(model.state_dict(), unfinished)
        unfinished.replace(kept)
    return model


def _judging(places: Places, held_out: int, say: Callable[[str], None]) -> Any:
    """The encoder after it learned to judge, with a fold held out."""
    examples = examples_without(held_out, places, _pairs())
    name = "all" if held_out == NONE_HELD_OUT else f"without fold {held_out}"
    say(f"{name}: {len(examples)} examples")
    model = _entailment(places, say)
    fine_tune(model, examples, _JUDGING, progress=_progress(name, say))
    return model


def examples_without(held_out: int, places: Places, pairs: Sequence[Pair]) -> list[Example]:
    """Graded answers and own pairs that do not belong to a fold."""
    packs = sorted({pair.pack for pair in pairs})
    graded = [answer for answer in _graded(places) if fold_of_question(answer.question_id) != held_out]
    own = [pair for pair in pairs if fold_of_pack(pair.pack, packs) != held_out]
    made = of_pairs(own, rounds=_ROUNDS, seed=held_out + 7)
    return [*made, *of_graded(graded, MiniLM.load(places.minilm))] if graded else made


def _graded(places: Places) -> list[Any]:
    return graded_answers(places.data) if places.data else []


def _pairs() -> list[Pair]:
    return all_pairs(load_packs())


def _progress(name: str, say: Callable[[str], None]) -> Callable[[int, int, float], None]:
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
    chosen = parser.parse_args(arguments)
    say = partial(print, flush=True)
    if chosen.data is None:
        say("No folder of public sets is named (VIVA_JUDGING_DATA): the judge learns from Viva's own pairs alone.")
    try:
        train(Places(chosen.minilm, Path(chosen.data) if chosen.data else None, chosen.work), say)
    except MissingSetError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
