"""The fit of the chance that a sentence goes on."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from agent.endpointing.policy import RISKS, Signals, wait
from agent.endpointing.weights import FILE, Weights, load_weights
from bench.voice.fitting import (
    BY_HAND,
    ENDINGS,
    Example,
    as_numbers,
    brier,
    by_hand,
    calibration,
    chances,
    examples_of,
    fitted,
    person_of,
    terms,
)
from domain.vocabulary import Ending
from tests.bench.test_voice_turns import listened

SAID: dict[Ending, str] = {
    "closing": "An index speeds up reads and slows down writes. That's it.",
    "request": "Could you repeat the question?",
    "complete": "I would use an index.",
    "unpunctuated": "it is a lock",
    "counting": "There are two ways.",
    "trailing": "There are two ways...",
    "open": "It depends on the",
    "hold": "Let me think.",
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("over", [None, 0.02, 0.6])
def test_the_fit_weighs_the_signals_as_the_sessions_do(ending: Ending, over: float | None) -> None:
    """The sum of the terms is the policy's log odds, so what is fitted is what is run."""
    signals = Signals(SAID[ending], end_of_turn=over)
    chance = wait(signals, risk=RISKS["relaxed"], weights=by_hand()).chance_of_more
    assert float(np.array(terms(signals)) @ as_numbers(BY_HAND)) == pytest.approx(log(chance / (1.0 - chance)))


def test_weights_move_to_what_came_and_stay_where_nothing_is_known() -> None:
    """Whole sentences that were always the end are believed more; endings that never occurred keep their weight."""
    examples = [Example(str(number), Signals(SAID["complete"], end_of_turn=0.9), more=False) for number in range(30)]
    learned = fitted(examples, 1.0).sentence
    assert learned.endings["complete"] < BY_HAND.endings["complete"]
    assert learned.endings["trailing"] == pytest.approx(BY_HAND.endings["trailing"], abs=0.01)
    assert learned.sound < BY_HAND.sound
    assert fitted(examples, 1000.0).sentence.endings["complete"] == pytest.approx(-1.27, abs=0.05)


def test_pauses_and_ends_of_a_recording_become_examples_with_and_without_sound() -> None:
    """A silence under half a second is no pause; synthetic voices have no melody to learn from."""
    heard = listened([0.4, 0.9], smart_turn=0.7)
    assert [each.more for each in examples_of([heard], with_sound=True)] == [True, False]
    assert [each.signals.end_of_turn for each in examples_of([heard], with_sound=False)] == [None, None]


def test_a_person_is_never_on_both_sides() -> None:
    """Recordings of one source are left out together."""
    assert person_of("call-03") == person_of("call-17") != person_of("radio-1")


def test_a_chance_that_comes_true_scores_better_and_shows_in_its_bin() -> None:
    """Brier's score and the table of what was predicted against what came."""
    came = [True, True, False, False]
    assert brier([0.9, 0.9, 0.1, 0.1], came) < brier([0.5] * 4, came) < brier([0.1, 0.1, 0.9, 0.9], came)
    cells = list(calibration({"one": [0.95, 0.95, 0.03, 0.03]}, came).columns[1].cells)
    assert cells[0] == "0.03, 0.00, 2"
    assert cells[-1] == "0.95, 1.00, 2"


def test_examples_are_judged_by_the_weights_for_their_person() -> None:
    """Each by the fit that has not seen them."""
    example = Example("one", Signals(SAID["complete"]), more=False)
    sure = by_hand().model_copy(
        update={"sentence": BY_HAND.model_copy(update={"endings": {**BY_HAND.endings, "complete": -5.0}})}
    )
    assert chances([example], {"one": sure, "other": by_hand()}) < chances([example], {"one": by_hand()})


def test_the_file_has_a_weight_for_each_ending_and_says_where_it_is_from() -> None:
    """Signs are those that the signals have: a falling voice and what was touched speak for the end."""
    weights = Weights.model_validate_json(FILE.read_bytes())
    assert weights == load_weights()
    assert set(weights.sentence.endings) == set(ENDINGS)
    assert weights.sentence.sound < 0 < weights.sentence.short
    assert weights.fitted_on
