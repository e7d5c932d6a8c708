"""Listening signals: what they would have met, and when the first sound would have come, by recordings heard once.

    python -m bench.voice.signals --people FOLDER

The folder is the `heard` of a `python -m bench voice --only turns --out …`. Compared are signals that wait for the
words, as in the sessions, and signals at 0.7 s by what is known then, where the sound says that the clause is over.
Recordings have no question; a share of it is taken as touched, because only then there is something to wait for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from agent.endpointing.listening import AFTER_S, granted, signal_in_s
from agent.endpointing.policy import RISKS, wait
from bench.voice.figures import percentile
from bench.voice.policies import signals_of
from bench.voice.turns import Listened, Moment, moments

REPLY_S = 0.35
"""From the decision to the first sound of the reply, docs/voice.md."""
TOO_LATE_S = 0.3
"""A signal that comes so shortly before the next word falls into it."""
TOUCHED = 0.3
LATE_S = (0.0, 0.3, 0.5)
"""How much later than here the words may be known, on a machine that does other work."""
EARLY = (None, 0.5, 0.0)
"""From what chance of being over, by the sound, a signal does without the words; None for never."""
_RISK = RISKS["relaxed"]


@dataclass(frozen=True, slots=True)
class Met:
    """What became of a silence."""

    is_end: bool
    lasts_s: float
    signal_s: float | None
    reply_s: float
    """When the reply would be heard; of a pause without a meaning."""

    @property
    def first_s(self) -> float:
        """When the first sound would come."""
        return self.reply_s if self.signal_s is None else min(self.reply_s, self.signal_s)

    @property
    def falls_into_a_word(self) -> bool:
        """Whether the signal would begin just before the candidate does."""
        return self.signal_s is not None and not self.is_end and self.lasts_s - self.signal_s < TOO_LATE_S


def met(heard: Listened, early: float | None, late_s: float) -> Iterator[Met]:
    """The silences of a recording that are long enough for a signal."""
    words_before = 0
    for silence, asked in moments(heard):
        lasts_s = silence.end_s - silence.start_s
        if lasts_s <= AFTER_S:
            continue
        known = next((each for each in asked if each.all_known and each.silence_s + late_s < lasts_s), None)
        known_s = lasts_s if known is None else known.silence_s + late_s
        signal_s, words = None, words_before
        if early is not None and known_s > AFTER_S and silence.smart_turn >= early:
            by_then = [each for each in asked if each.silence_s + late_s <= AFTER_S] or asked[:1]
            signal_s, words = _signal_s(by_then[-1], AFTER_S, words_before)
        if signal_s is None and known is not None:
            signal_s, words = _signal_s(known, known_s, words_before)
        signal_s = signal_s if signal_s is not None and signal_s < lasts_s else None
        words_before = words if signal_s is not None else words_before
        over_s = known_s if known is None else max(known_s, _over_s(known, met_by_signal=signal_s is not None))
        yield Met(silence.end_s > heard.speech_end_s, lasts_s, signal_s, over_s + REPLY_S)


def _signal_s(moment: Moment, silent_s: float, words_before: int) -> tuple[float | None, int]:
    """When a signal would come, and how many words were said by then."""
    decided = wait(replace(signals_of(moment), touched=TOUCHED), risk=_RISK)
    words = len(moment.words.split())
    due_s = signal_in_s(decided, silent_s=silent_s, new_words=words - words_before)
    return (None if due_s is None else silent_s + due_s), words


def _over_s(moment: Moment, *, met_by_signal: bool) -> float:
    signals = replace(signals_of(moment), touched=TOUCHED)
    decided = wait(signals, risk=_RISK)
    return (granted(decided, signals, risk=_RISK) if met_by_signal else decided).seconds


def figures(heard: Sequence[Listened]) -> Table:
    """Each rule at each delay of the words."""
    table = Table(
        "words later by", "signals", "at ends, in pauses", "just before a word", "first sound after an end p50", "p90"
    )
    for late_s in LATE_S:
        for early in EARLY:
            silences = [each for recording in heard for each in met(recording, early, late_s)]
            given = [each for each in silences if each.signal_s is not None]
            ends = sum(each.is_end for each in given)
            first_s = [each.first_s for each in silences if each.is_end]
            rule = "wait for the words" if early is None else f"at {AFTER_S} s where the sound is over {early:g}"
            into_words = sum(each.falls_into_a_word for each in given)
            p50, p90 = percentile(first_s, 0.5), percentile(first_s, 0.9)
            table.add_row(
                f"{late_s:g} s",
                rule,
                f"{ends}, {len(given) - ends}",
                str(into_words),
                f"{p50:.2f} s",
                f"{p90:.2f} s",
            )
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.voice.signals", description=main.__doc__)
    parser.add_argument("--people", type=Path, required=True, help="folder of what was heard of recordings of people")
    folder = parser.parse_args(arguments).people
    heard = [Listened.model_validate_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    Console().print(figures(heard))
    return 0


if __name__ == "__main__":
    sys.exit(main())
