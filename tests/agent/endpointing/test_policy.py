"""How long a silence may last before the answer is over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agent.endpointing.endings import ending_of
from agent.endpointing.melody import Melody
from agent.endpointing.pauses import Pauses
from agent.endpointing.policy import RISKS, Signals, wait

SITUATIONS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "data" / "turn_situations.yaml").read_text(encoding="utf-8")
)
LENGTHS = st.lists(st.floats(min_value=0.0, max_value=20.0), max_size=40)
TEXTS = st.text(alphabet=st.characters(codec="utf-8"), max_size=80) | st.sampled_from([s["said"] for s in SITUATIONS])


def test_there_are_enough_situations() -> None:
    """At least eighty, no two of them alike."""
    assert len({str(situation) for situation in SITUATIONS}) >= 80


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation["said"][-40:] or "nothing")
def test_a_silence_is_given_the_time_that_its_situation_asks_for(situation: dict[str, Any]) -> None:
    """Each row of the table: how the words end, and how long the answer stays open."""
    assert ending_of(situation["said"]) == situation["ending"]
    signals = Signals(
        situation["said"],
        situation.get("expects", 25),
        Pauses().heard(situation.get("pauses", [])),
        situation.get("over"),
        situation.get("confidence", 1.0),
        situation.get("touched"),
    )
    shortest, longest = situation["waits"]
    assert shortest <= wait(signals, risk=RISKS["normal"]).seconds <= longest


@given(TEXTS, st.integers(0, 100), LENGTHS, st.none() | st.floats(0, 1), st.floats(0.01, 0.99))
def test_every_silence_ends(text: str, expected: int, pauses: list[float], over: float | None, risk: float) -> None:
    """Whatever was said and however somebody pauses, the wait is at least a breath and at most four seconds."""
    assert 0.3 <= wait(Signals(text, expected, Pauses().heard(pauses), over), risk=risk).seconds <= 4.0


@given(TEXTS, LENGTHS, st.floats(0.02, 0.9), st.floats(0.0, 0.09))
def test_less_risk_never_waits_shorter(text: str, pauses: list[float], risk: float, less: float) -> None:
    """The policy has one knob, and it turns one way."""
    signals = Signals(text, pauses=Pauses().heard(pauses))
    assert wait(signals, risk=max(risk - less, 0.01)).seconds >= wait(signals, risk=risk).seconds - 1e-9


@given(TEXTS, LENGTHS, st.none() | st.floats(0, 1), st.sampled_from(sorted(RISKS.values())), st.integers(0, 20))
def test_whoever_was_cut_off_is_never_given_less_time(
    text: str, pauses: list[float], over: float | None, risk: float, cut_offs: int
) -> None:
    """Each cut-off makes the interviewer more patient with this candidate."""
    signals = Signals(text, pauses=Pauses().heard(pauses), end_of_turn=over, cut_offs=cut_offs)
    more = replace(signals, cut_offs=cut_offs + 1)
    assert wait(more, risk=risk).seconds >= wait(signals, risk=risk).seconds


@given(TEXTS, LENGTHS, st.none() | st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_more_was_touched_the_sooner_an_answer_is_over(
    text: str, pauses: list[float], over: float | None, one: float, other: float
) -> None:
    """Who has said what was asked for waits no longer than who has not begun."""
    less, more = sorted((one, other))
    signals = Signals(text, pauses=Pauses().heard(pauses), end_of_turn=over)
    less_s, more_s = (wait(replace(signals, touched=each), risk=RISKS["relaxed"]).seconds for each in (less, more))
    assert less_s >= more_s


@given(TEXTS, LENGTHS, st.floats(0, 1), st.none() | st.floats(0, 1), st.lists(st.floats(0, 1), max_size=20))
def test_who_sounded_finished_and_went_on_is_never_given_less_time(
    text: str, pauses: list[float], over: float, touched: float | None, sounds: list[float]
) -> None:
    """Each such pause takes some weight from a voice that falls, and none from one that does not."""
    melody = Melody().heard(sounds)
    signals = Signals(text, pauses=Pauses().heard(pauses), end_of_turn=over, touched=touched, melody=melody)
    more = replace(signals, melody=melody.heard([0.95]))
    assert wait(more, risk=RISKS["relaxed"]).seconds >= wait(signals, risk=RISKS["relaxed"]).seconds - 1e-9


def test_missing_signals_are_no_evidence() -> None:
    """Where nobody judged the sound the words decide alone: the wait lies between those of both melodies."""
    signals = Signals("I would put an index on the column that the query filters by, and look at the plan again.")
    falls_s, unknown_s, stays_s = (
        wait(replace(signals, end_of_turn=over), risk=RISKS["relaxed"]).seconds for over in (0.95, None, 0.05)
    )
    assert falls_s < unknown_s < stays_s


def test_who_stops_after_each_sentence_is_waited_for_from_the_first_answer_on() -> None:
    """Pauses of 1.2 and 1.9 s after sentences that sound finished, while half of what was asked is open."""
    signals = Signals(f"{'They keep the order of what was written. ' * 3}".strip(), end_of_turn=0.96, touched=0.4)
    assert wait(signals, risk=RISKS["relaxed"]).seconds > 1.9
    later = replace(
        signals,
        touched=0.7,
        pauses=Pauses().heard([1.2, 1.9, 1.2]),
        melody=Melody().heard([0.95, 0.97, 0.96]),
    )
    assert wait(later, risk=RISKS["relaxed"]).seconds > 1.9


def test_whoever_was_cut_off_is_given_more_time_after_a_sentence() -> None:
    """After one cut-off a whole sentence is waited for noticeably longer."""
    signals = Signals("I would put an index on the column that the query filters by, and look at the plan again.")
    once = replace(signals, cut_offs=1)
    assert wait(once, risk=RISKS["relaxed"]).seconds > wait(signals, risk=RISKS["relaxed"]).seconds + 0.2


def test_a_voice_that_falls_after_each_sentence_is_believed_less_after_a_cut_off() -> None:
    """Who sounded finished and was not is not cut off by the same melody again and again."""
    signals = Signals(
        "I would put an index on the column that the query filters by, and look at the plan again.", end_of_turn=0.98
    )
    once, thrice = replace(signals, cut_offs=1), replace(signals, cut_offs=3)
    risk = RISKS["relaxed"]
    assert wait(once, risk=risk).seconds > 2 * wait(signals, risk=risk).seconds
    assert wait(thrice, risk=risk).seconds > wait(once, risk=risk).seconds


def test_patience_is_what_its_words_say() -> None:
    """Relaxed waits longer than normal, and normal longer than quick."""
    signals = Signals("I would put an index on the column that the query filters by, and look at the plan again.")
    relaxed_s, normal_s, quick_s = (wait(signals, risk=RISKS[each]).seconds for each in ("relaxed", "normal", "quick"))
    assert relaxed_s > normal_s > quick_s


@given(LENGTHS, st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_a_larger_share_of_the_pauses_exceeds_a_shorter_one(pauses: list[float], share: float, other: float) -> None:
    """What is learned stays a distribution: half of the pauses exceed the median, and all exceed nothing."""
    known = Pauses().heard(pauses)
    assert known.exceeded_by(max(share, other)) <= known.exceeded_by(min(share, other))
    assert known.exceeded_by(0.5) == pytest.approx(known.median_s)
    assert known.exceeded_by(1.0) == 0.0


def test_a_candidate_who_pauses_long_is_given_longer() -> None:
    """Their own pauses, after which they went on, move the wait; silences too short to be pauses do not."""
    slow, quick = Pauses().heard([1.6] * 12), Pauses().heard([0.55] * 12)
    assert quick.median_s < Pauses().median_s < slow.median_s
    assert Pauses().heard([0.05, 0.2, 0.45]) == Pauses()


def test_who_has_gone_on_twice_after_a_long_pause_is_not_taken_in_one_like_it() -> None:
    """Also when everything was touched and it sounds over: one more sentence often follows."""
    said = "Then I would fetch the customers along with the orders."
    over = Signals(said, end_of_turn=0.98, touched=0.97)

    def wait_s(*pauses_s: float, risk: float = RISKS["relaxed"], text: str = said) -> float:
        return wait(replace(over, text=text, pauses=Pauses().heard(pauses_s)), risk=risk).seconds

    assert wait_s(1.4, 2.1, 1.4, 2.0) > 2.0
    assert wait_s(1.4, 2.1, 0.7, 0.6) < 1.8, "once may be chance"
    assert wait_s(0.5, 0.6, 0.7, 0.6) < 0.8
    assert wait_s(1.4, 2.1, 1.4, 2.0, risk=RISKS["quick"]) < 1.5
    assert wait_s(1.4, 2.1, 1.4, 2.0, text="I think that's it.") < 0.8


def test_a_whole_sentence_is_not_met_with_silence_for_long_however_little_it_touched() -> None:
    """A candidate of short answers, cut off once, heard nothing for 3.5 s after each."""
    short = Signals("The strongest one is cache control with a max age.", end_of_turn=0.95, touched=0.1, cut_offs=1)
    assert wait(short, risk=RISKS["relaxed"]).seconds <= 2.5
    open_clause = replace(short, text="The strongest one is cache control because")
    assert wait(open_clause, risk=RISKS["relaxed"]).seconds > 3.0
