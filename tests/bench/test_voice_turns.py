import math
from dataclasses import dataclass, field

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bench.voice.manifest import Pause
from bench.voice.policies import LIVEKIT_DETECTOR_DELAYS_S, LiveKitDetector, Silences, Viva, families
from bench.voice.turns import (
    EARLY_S,
    Listened,
    Moment,
    Silence,
    Words,
    balance,
    cut_share_at,
    dead_air_at,
    is_nowhere_worse,
    outcome,
    sweep,
)

DETECTED_S = 0.05
"""How much later than the truth the detector notices that a voice stopped."""


def listened(
    pauses_s: list[float],
    *,
    tail_s: float = 4.0,
    spoken_s: float = 1.0,
    known_after_s: float = 0.3,
    texts: list[str] | None = None,
    end_of_turn: float = 0.5,
    smart_turn: float = 0.5,
) -> Listened:
    """An answer of equally long stretches with pauses between them, whose words are known a while after each."""
    pauses, silences, words, at = [], [], [], spoken_s
    for number, pause_s in enumerate([*pauses_s, tail_s]):
        if number < len(pauses_s):
            pauses.append(Pause(start_s=at, end_s=at + pause_s, place="inside" if number % 2 else "between"))
        began = at + DETECTED_S
        words.append(Words(at_s=began + known_after_s, text=(texts or ["and so on."] * 9)[number]))
        silences.append(
            Silence(
                start_s=began,
                end_s=at + pause_s,
                end_of_turn=end_of_turn,
                smart_turn=smart_turn,
                all_known_at_s=began + known_after_s,
            )
        )
        at += pause_s + spoken_s
    return Listened(
        id="one", part="held-out", snr_db=None, speech_start_s=0.0, speech_end_s=at - tail_s - spoken_s,
        pauses=tuple(pauses), said="", silences=tuple(silences), words=tuple(words),
    )  # fmt: skip


@dataclass
class Asked:
    """A policy that remembers what it was asked."""

    waits_s: float
    moments: list[Moment] = field(default_factory=list)

    def wait_s(self, moment: Moment) -> float:
        self.moments.append(moment)
        return self.waits_s


@pytest.mark.parametrize(
    ("silence_s", "pauses_s", "cut_in", "dead_air_s"),
    [
        (0.55, [], (), 0.60),
        (0.55, [0.5], (), 0.60),
        (0.55, [1.0], ("between",), 0.60),
        (0.55, [0.3, 1.0, 1.0], ("inside", "between"), 0.60),
        (1.60, [1.0, 2.0], ("inside",), 1.65),
        (3.00, [2.9], (), 3.05),
    ],
)
def test_a_turn_that_ends_inside_a_pause_is_a_cut_off(
    silence_s: float, pauses_s: list[float], cut_in: tuple[str, ...], dead_air_s: float
) -> None:
    """Each pause longer than the silence is one, and dead air runs from the true end in any case."""
    done = outcome(listened(pauses_s), Silences(silence_s))
    assert done.cut_in == cut_in
    assert done.dead_air_s == pytest.approx(dead_air_s)
    assert done.decided


@pytest.mark.parametrize(("pause_s", "into"), [(0.8, False), (1.1, True)])
def test_words_are_spoken_into_an_answer_that_goes_on_later_than_a_reply_can_begin(pause_s: float, into: bool) -> None:
    """Cut off at 0.6 s are both; who goes on at 0.8 s has heard nothing of it."""
    over = balance([listened([pause_s])], Silences(0.55))
    assert (over.cut, over.spoken_into) == (1, int(into))


def test_a_turn_that_never_ends_counts_to_the_end_of_the_recording() -> None:
    """And is told as undecided."""
    done = outcome(listened([], tail_s=4.0), Silences(9.0))
    assert not done.decided
    assert done.dead_air_s == pytest.approx(4.0)
    assert balance([listened([])], Silences(9.0)).undecided == ("one",)


def test_a_decision_while_the_last_sound_fades_is_no_cut_off() -> None:
    """The detector may be a little early at the true end; then there is no dead air."""
    heard = listened([])
    early = heard.speech_end_s - EARLY_S / 2
    heard = heard.model_copy(update={"silences": (heard.silences[0].model_copy(update={"start_s": early - 0.3}),)})
    done = outcome(heard, Silences(0.3))
    assert (done.cut_in, done.dead_air_s) == ((), 0.0)


def test_a_policy_is_asked_again_when_words_arrive() -> None:
    """What it knows grows: first the silence, then the words, and only of what was said so far."""
    policy = Asked(9.0)
    outcome(listened([1.0], texts=["one and", "two."]), policy)
    first, then, second_silence, last = policy.moments
    assert [moment.words for moment in policy.moments] == ["", "one and", "one and", "one and two."]
    assert [moment.all_known for moment in policy.moments] == [False, True, False, True]
    assert first.silence_s == pytest.approx(0.2)
    assert then.silence_s == pytest.approx(0.3)
    assert second_silence.pauses_s == last.pauses_s == pytest.approx((0.95,))


def test_waiting_for_words_never_ends_a_turn_before_they_are_known() -> None:
    """A policy that waits for ever until then decides when they arrive, however short its wait."""

    class WaitsForWords:
        def wait_s(self, moment: Moment) -> float:
            return 0.0 if moment.all_known else math.inf

    done = outcome(listened([0.25], known_after_s=0.7), WaitsForWords())
    assert done.cut_in == ()
    assert done.dead_air_s == pytest.approx(DETECTED_S + 0.7)


@given(
    st.lists(st.floats(0.3, 3.0), max_size=4),
    st.floats(0.25, 3.5),
    st.floats(0.0, 1.0),
)
def test_more_patience_never_cuts_off_more_and_never_answers_sooner(
    pauses_s: list[float], silence_s: float, more_s: float
) -> None:
    """Both axes of the curve are monotonic in a plain silence."""
    heard = listened(pauses_s)
    one, other = outcome(heard, Silences(silence_s)), outcome(heard, Silences(silence_s + more_s))
    assert len(other.cut_in) <= len(one.cut_in)
    assert other.dead_air_s >= one.dead_air_s


@given(st.lists(st.lists(st.floats(0.3, 3.0), max_size=3), min_size=1, max_size=6))
def test_shares_lie_between_none_and_all(answers: list[list[float]]) -> None:
    """And every answer that was cut off is named."""
    over_s = [[pause_s - DETECTED_S - 0.55 for pause_s in each] for each in answers]
    assume(all(abs(each_s) > 1e-6 for pauses_s in over_s for each_s in pauses_s))
    made = balance([listened(each) for each in answers], Silences(0.55))
    assert 0 <= made.cut_share <= 1
    assert made.cut == len(made.cut_ids) == sum(any(each_s > 0 for each_s in pauses_s) for pauses_s in over_s)


def test_no_recordings_make_no_balance() -> None:
    """Instead of a share of nothing."""
    with pytest.raises(ValueError, match="there are none"):
        balance([], Silences(0.55))


def test_the_detector_by_sound_has_two_delays() -> None:
    """The short one from its threshold on."""
    likely, unlikely = LIVEKIT_DETECTOR_DELAYS_S
    heard = listened([], end_of_turn=0.4)
    assert outcome(heard, LiveKitDetector(0.4)).dead_air_s == pytest.approx(likely + DETECTED_S)
    assert outcome(heard, LiveKitDetector(0.41)).dead_air_s == pytest.approx(unlikely + DETECTED_S)


def test_viva_waits_longer_after_an_open_ending() -> None:
    """Its policy is that of the sessions: the words decide, and nothing is decided before they are known."""
    complete = outcome(listened([], texts=["I would use a cache."]), Viva(0.2))
    is_open = outcome(listened([], texts=["I would use a cache because"]), Viva(0.2))
    late = outcome(listened([], known_after_s=2.0), Viva(0.1))
    assert complete.dead_air_s < is_open.dead_air_s
    assert late.dead_air_s >= 2.0


def test_what_a_curve_reaches_is_read_off_it() -> None:
    """The fewest cut-offs for a dead air, and the least dead air for a share of cut-offs."""
    heard = [listened([]), listened([1.0]), listened([2.0])]
    curve = sweep(heard, families()[1])
    assert cut_share_at(curve, 0.6) == pytest.approx(2 / 3)
    assert cut_share_at(curve, 0.1) is None
    assert dead_air_at(curve, 0.0) == pytest.approx(2.0, abs=0.06)
    assert dead_air_at(curve, 0.4) == pytest.approx(1.0, abs=0.06)


def test_a_curve_that_is_worse_anywhere_does_not_win() -> None:
    """A curve is nowhere worse than itself, and worse than one that waits less for the same."""
    heard = [listened([]), listened([1.0])]
    quick = sweep(heard, families()[1])
    slow = [(value, balance([listened([1.0]), listened([1.0])], Silences(value))) for value in (0.5, 1.2)]
    assert is_nowhere_worse(quick, quick)
    assert is_nowhere_worse(quick, slow)
    assert not is_nowhere_worse(slow, quick)
