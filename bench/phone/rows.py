"""Rows of the table: the telephone beside the browser."""

from __future__ import annotations

from collections.abc import Sequence

from bench.phone.interviews import Talk
from bench.phone.loop import Gaps
from bench.voice.figures import Row, percentile, percentiles, within

SIDES = ("phone", "browser")
POINTS = 0.03
"""The word error rate by phone may be so much over the browser's."""
LOOP_S = 0.22


def interview_rows(phone: Talk, browser: Talk) -> list[Row]:
    """Of an interview on each path."""
    rates = [error_rate(each) for each in (phone, browser)]
    over = None if None in rates else rates[0] - rates[1]  # type: ignore[operator]
    words = " / ".join(str(sum(turn.errors[1] for turn in each.turns)) for each in (phone, browser))
    first = [[turn.first_audio_s for turn in talk.turns if turn.first_audio_s is not None] for talk in (phone, browser)]
    patience = [[turn.patience_s for turn in talk.turns if turn.patience_s is not None] for talk in (phone, browser)]
    answers = f"{len(phone.turns)} / {len(browser.turns)}"
    return [
        Row(
            "word error rate of what was heard of answers",
            *rates,
            unit="%",
            goal="≤ 3 points more",
            met=within(over, POINTS),
            samples=f"{words} words",
        ),
        *percentiles("end of speech → first sound, as heard", *first),
        Row("… of it, what the interviewer waited for more, p50", *(percentile(each, 0.5) for each in patience)),
        Row("answers that the interviewer spoke into", *map(_talked_into, (phone, browser)), unit="%", samples=answers),
        Row(
            "gaps in mid-sound a minute, as heard", *map(_gaps_a_minute, (phone, browser)),
            unit="", samples=f"{phone.seconds:.0f} / {browser.seconds:.0f} s",
        ),
        Row("packets to the telephone lost on the way", _share(phone.lost, phone.seconds), unit="%"),
        Row("… that came too late to be played", _share(phone.late, phone.seconds), unit="%"),
    ]  # fmt: skip


def loop_rows(clean: Sequence[float], bad: Sequence[float]) -> list[Row]:
    """Of the loop, over a good network and a bad one."""
    p50 = percentile(clean, 0.5)
    return [
        Row("loop: telephone → room → telephone, p50", p50, goal="≤ 220 ms", met=within(p50, LOOP_S),
            samples=str(len(clean))),
        Row("… p95", percentile(clean, 0.95), samples=str(len(clean))),
        Row("… with loss and jitter, p50", percentile(bad, 0.5), samples=str(len(bad))),
    ]  # fmt: skip


def four_rows(telephones: Sequence[Gaps]) -> list[Row]:
    """Of four calls at once."""
    gaps = [gap for each in telephones for gap in each.gaps]
    seconds = f"{sum(each.seconds for each in telephones):.0f} s"
    longest = max((length for _, length in gaps), default=0.0)
    return [
        Row("four calls at once: gaps", float(len(gaps)), unit="", goal="0", met=not gaps, samples=seconds),
        Row("… the longest", longest, samples=seconds),
        Row("… packets too late", float(sum(each.late for each in telephones)), unit="", samples=seconds),
    ]


def error_rate(talk: Talk) -> float | None:
    """Word errors of all answers over their words; None without any."""
    errors, words = (sum(turn.errors[place] for turn in talk.turns) for place in (0, 1))
    return errors / words if words else None


def _talked_into(talk: Talk) -> float | None:
    return sum(turn.is_talked_into for turn in talk.turns) / len(talk.turns) if talk.turns else None


def _gaps_a_minute(talk: Talk) -> float | None:
    return len(talk.gaps) / talk.seconds * 60 if talk.seconds else None


def _share(packets: int, seconds: float) -> float | None:
    return packets / (seconds * 50) if seconds else None
