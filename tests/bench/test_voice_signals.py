"""What listening signals would have met."""

from __future__ import annotations

from bench.voice.signals import figures, met
from tests.bench.test_voice_turns import listened

SAID = "I would keep the leaves in a tin away from the light."


def test_a_signal_meets_a_pause_and_one_that_comes_just_before_the_next_word_is_told() -> None:
    """After 0.7 s, when the words are known; a pause of 0.8 s it would hardly leave."""
    (long, _), (short, _) = (
        list(met(listened([pause_s], texts=[SAID, SAID], smart_turn=0.1), None, 0.0)) for pause_s in (2.0, 0.9)
    )
    assert (long.is_end, long.signal_s, long.falls_into_a_word) == (False, 0.7, False)
    assert (short.is_end, short.signal_s, short.falls_into_a_word) == (False, 0.7, True)


def test_who_is_answered_at_once_hears_the_reply_first() -> None:
    """Where a word is enough, or the wait is short, no signal comes before the reply."""
    (end,) = met(listened([], texts=["That's it."], smart_turn=0.99), None, 0.0)
    assert end.is_end
    assert end.signal_s is None
    assert end.first_s == end.reply_s


def test_without_the_words_a_signal_comes_sooner_where_the_sound_is_enough() -> None:
    """Of an answer in pieces the first are known at 0.7 s; by the sound of the last pause the signal comes then."""
    heard = listened([0.6], texts=[SAID, SAID], known_after_s=0.5, smart_turn=0.6)
    ends = [next(each for each in met(heard, early, 0.4) if each.is_end) for early in (None, 0.5, 0.9)]
    by_words, by_sound, unsure = (each.signal_s for each in ends)
    assert by_words is not None
    assert by_words > 0.8
    assert by_sound == 0.7
    assert unsure == by_words


def test_each_rule_is_told_for_each_delay() -> None:
    """A row for each."""
    assert figures([listened([2.0], texts=[SAID, SAID])]).row_count == 9
