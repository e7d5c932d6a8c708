"""Chance that a sentence goes on, as a logistic model: fitted, and compared with weights that were set by hand.

    python -m bench.voice.fitting --people FOLDER --synthetic FOLDER [--write]

Each folder is the `heard` of a `python -m bench voice --only turns --out …`: of recordings of people, and of those that
come with Viva, whose voices have no melody to go by. The weights are drawn towards those set by hand, because the data
are few. Every recording is judged by a fit without any of its source (the first part of its id): printed are Brier
scores, what was predicted against what came, and cut-offs and dead air of both. `--write` keeps the fit to all of them
as `agent/endpointing/weights.json`; what an answer has touched is fitted by `python -m bench touched`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.optimize import minimize

from agent.endpointing.endings import ending_of
from agent.endpointing.pauses import SHORTEST_S
from agent.endpointing.policy import FULL, RISKS, Signals, wait
from agent.endpointing.weights import FILE, SentenceWeights, Weights, load_weights
from bench.voice.figures import percentile
from bench.voice.policies import Viva, signals_of
from bench.voice.turns import Listened, moments, outcome
from domain.vocabulary import Ending

Numbers = NDArray[np.float64]

BY_HAND = SentenceWeights(
    endings={
        "closing": -3.892, "request": -3.178, "complete": -1.266, "unpunctuated": -0.201, "counting": 1.099,
        "trailing": 2.197, "open": 3.476, "hold": 5.293,
    },
    sound=-0.45,
    no_sound=0.0,
    short=2.2,
)  # fmt: skip
"""From the tuning part of the recordings, by eye; the sound from 62 pauses and ends of people."""
ENDINGS: tuple[Ending, ...] = tuple(BY_HAND.endings)
PENALTIES = (0.3, 1.0, 3.0, 10.0)
"""On half the squares of the distances from the weights by hand, where an example counts 1."""
PENALTY = 1.0
"""A weight by hand may be off by 1: the spread of a prior, not what happened to score best."""
RISKS_TRIED = (0.025, 0.035, RISKS["relaxed"], 0.07, RISKS["normal"], 0.15, RISKS["quick"])
BOUNDS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 0.9, 1.01)


@dataclass(frozen=True, slots=True)
class Example:
    """A silence of which is known whether more came."""

    person: str
    signals: Signals
    more: bool


def examples_of(heard: Iterable[Listened], *, with_sound: bool) -> Iterator[Example]:
    """Pauses that could be taken for ends and whose words were known in time, and ends."""
    for each in heard:
        for silence, asked in moments(each):
            if silence.end_s - silence.start_s >= SHORTEST_S and asked[-1].all_known:
                signals = signals_of(asked[-1], with_sound=with_sound)
                yield Example(person_of(each.id), signals, silence.end_s < each.speech_end_s)


def person_of(recording: str) -> str:
    """Who may be speaking in it: recordings of one source share the first part of their ids."""
    return recording.partition("-")[0]


def terms(signals: Signals) -> list[float]:
    """What the weights are multiplied with: the ending, the sound, that there is none, how short the answer is."""
    ending = ending_of(signals.text)
    sound, no_sound, short = 0.0, 1.0, 0.0
    if signals.end_of_turn is not None:
        likely = min(max(signals.end_of_turn, 0.01), 0.99)
        sound, no_sound = log(likely / (1.0 - likely)), 0.0
        if sound > 0.0:
            sound *= signals.melody.trust
    if ending in ("complete", "unpunctuated", "counting") and signals.expected_words:
        short = max(0.0, 1.0 - len(signals.text.split()) / signals.expected_words / FULL)
    return [*(float(ending == each) for each in ENDINGS), sound, no_sound, short]


def as_numbers(weights: SentenceWeights) -> Numbers:
    """In the order of `terms`."""
    return np.array([*(weights.endings[each] for each in ENDINGS), weights.sound, weights.no_sound, weights.short])


def fitted(examples: Sequence[Example], penalty: float) -> Weights:
    """The weights that are most probable by the examples and those set by hand."""
    rows = np.array([terms(each.signals) for each in examples])
    more = np.array([each.more for each in examples], float)
    prior = as_numbers(BY_HAND)

    def loss(model: Numbers) -> tuple[float, Numbers]:
        odds = rows @ model
        value = (np.logaddexp(0.0, odds) - more * odds).sum() + penalty / 2 * ((model - prior) ** 2).sum()
        return float(value), rows.T @ (1.0 / (1.0 + np.exp(-odds)) - more) + penalty * (model - prior)

    *endings, sound, no_sound, short = (round(float(each), 3) for each in minimize(loss, prior, jac=True).x)
    people = sum(each.signals.end_of_turn is not None for each in examples)
    return Weights(
        fitted_on=(
            f"sentence: {people} pauses and ends of recordings of people and {len(examples) - people} of synthetic ones"
            f" (python -m bench.voice.fitting); answer: sentence ends of the training data (python -m bench touched)"
        ),
        sentence=SentenceWeights(
            endings=dict(zip(ENDINGS, endings, strict=True)), sound=min(sound, 0.0), no_sound=no_sound, short=short
        ),
        answer=load_weights().answer,
    )


def by_hand() -> Weights:
    """Those from before."""
    return load_weights().model_copy(update={"sentence": BY_HAND})


def chances(examples: Iterable[Example], weights: Mapping[str, Weights]) -> list[float]:
    """The chance of more of each example, by the weights for its recording."""
    return [wait(each.signals, risk=RISKS["relaxed"], weights=weights[each.person]).chance_of_more for each in examples]


def brier(predicted: Sequence[float], came: Sequence[bool]) -> float:
    """Mean squared distance from what came."""
    return sum((chance - more) ** 2 for chance, more in zip(predicted, came, strict=True)) / len(came)


def calibration(predicted: Mapping[str, Sequence[float]], came: Sequence[bool]) -> Table:
    """What was predicted, and how often more came."""
    table = Table("chance of more", *(f"{name}: predicted, came, of" for name in predicted))
    for low, high in pairwise(BOUNDS):
        cells = []
        for each in predicted.values():
            within = [(chance, more) for chance, more in zip(each, came, strict=True) if low <= chance < high]
            means = [sum(column) / len(within) for column in zip(*within, strict=True)]
            cells.append(f"{means[0]:.2f}, {means[1]:.2f}, {len(within)}" if within else "-")
        table.add_row(f"{low:g} to {min(high, 1.0):g}", *cells)
    return table


def balances(heard: Sequence[Listened], weights: Mapping[str, Mapping[str, Weights]]) -> Table:
    """Cut-offs and dead air over the knob."""
    table = Table("risk", "weights", "cut off", "dead air p50", "p90")
    for risk in RISKS_TRIED:
        for name, of in weights.items():
            done = [outcome(each, Viva(risk, of[person_of(each.id)])) for each in heard]
            dead_air_s = [each.dead_air_s for each in done]
            cut = sum(bool(each.cut_in) for each in done)
            p50, p90 = percentile(dead_air_s, 0.5), percentile(dead_air_s, 0.9)
            table.add_row(f"{risk:g}", name, f"{cut} of {len(done)}", f"{p50:.2f} s", f"{p90:.2f} s")
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, compare and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.voice.fitting", description=main.__doc__)
    parser.add_argument("--people", type=Path, required=True, help="folder of what was heard of recordings of people")
    parser.add_argument("--synthetic", type=Path, required=True, help="folder of what was heard of synthetic ones")
    parser.add_argument("--write", action="store_true", help="keep the fit")
    chosen = parser.parse_args(arguments)
    console = Console()
    heard, made = (_read(folder) for folder in (chosen.people, chosen.synthetic))
    judged = list(examples_of(heard, with_sound=True))
    synthetic = list(examples_of((each for each in made if each.part == "tuning"), with_sound=False))
    came = [each.more for each in judged]
    people = sorted({person_of(each.id) for each in heard})
    hand = {each: by_hand() for each in people}
    without = {
        penalty: {
            each: fitted([*synthetic, *(other for other in judged if other.person != each)], penalty) for each in people
        }
        for penalty in PENALTIES
    }
    console.print(
        f"{sum(came)} pauses and {len(came) - sum(came)} ends of people, {len(synthetic)} of synthetic voices"
    )
    console.print(f"Brier score by hand: {brier(chances(judged, hand), came):.3f}")
    for penalty, weights in without.items():
        console.print(f"Brier score fitted, penalty {penalty:g}: {brier(chances(judged, weights), came):.3f}")
    both = {"by hand": hand, "fitted": without[PENALTY]}
    console.print(calibration({name: chances(judged, weights) for name, weights in both.items()}, came))
    console.print(balances(heard, both))
    weights = fitted([*synthetic, *judged], PENALTY)
    console.print(weights.model_dump())
    if chosen.write:
        FILE.write_text(weights.model_dump_json(indent=2) + "\n", encoding="utf-8")
    return 0


def _read(folder: Path) -> list[Listened]:
    return [Listened.model_validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]


if __name__ == "__main__":
    sys.exit(main())
