"""Weights of the chance that more comes: two logistic models in a data file, with where their numbers are from.

`python -m bench.voice.fitting` fits the first to recordings, `python -m bench touched` the second to written answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from domain.frozen_model import FrozenModel
from domain.vocabulary import Ending

FILE = Path(__file__).with_name("weights.json")


class SentenceWeights(FrozenModel):
    """Log odds that the sentence goes on."""

    endings: Mapping[Ending, float]
    """By how the words end."""
    sound: float
    """For each unit of the log odds of being over that the sound has: below 0."""
    no_sound: float
    """Where nobody judged the sound."""
    short: float
    """For an answer of one word to a question that wants many; less the more was said. Not where it is known what was
    touched: that says more."""


class AnswerWeights(FrozenModel):
    """Log odds that another sentence follows."""

    untouched: float
    """When nothing of what was asked has been touched."""
    touched: float
    """What all of it adds: below 0."""


class Weights(FrozenModel):
    """More comes unless both the sentence and the answer are over."""

    fitted_on: str
    """What the numbers are from."""
    sentence: SentenceWeights
    answer: AnswerWeights


@cache
def load_weights() -> Weights:
    """The weights of the file."""
    return Weights.model_validate_json(FILE.read_bytes())
