"""How long a candidate waits: end of speech to the first audio of the reply, the feedback, and the gap after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bench.voice.figures import SIDES, Row, Side, percentile, percentiles, ratio_of, within
from bench.voice.talks import Talks

P50_S, P95_S, HALF = 0.9, 1.3, 0.5
ACKNOWLEDGED_S = 1.0
GAP_S, GAP_SHARE = 0.3, 0.95


def reply_rows(talks: Talks) -> list[Row]:
    """With the built-in judge."""
    viva, default = talks.first_audio("Viva"), talks.first_audio("default")
    goals = (f"≤ {P50_S} s, ratio ≤ {HALF}", f"≤ {P95_S} s, ratio ≤ {HALF}")
    p50, p95 = percentiles("end of speech → first audio", viva, default, goals=goals)
    return [
        _judged(p50, _and(within(p50.viva, P50_S), within(p50.ratio, HALF))),
        _judged(p95, _and(within(p95.viva, P95_S), within(p95.ratio, HALF))),
        *by_noise(talks),
        _talked_into(talks),
    ]


def model_rows(talks: Talks) -> list[Row]:
    """With language models that take their time."""
    viva, default = talks.first_audio("Viva"), talks.first_audio("default")
    first = percentiles("models: first acknowledgement or feedback", viva, default, goals=("", "≤ 1.0 s"))
    complete = percentiles(
        "models: feedback heard to its end", _feedback_ends(talks, "Viva"), _feedback_ends(talks, "default"),
        goals=(f"ratio ≤ {HALF}", ""),
    )  # fmt: skip
    begun = percentiles("models: question begins", _questions(talks, "Viva"), _questions(talks, "default"))
    return [
        first[0],
        _judged(first[1], within(first[1].viva, ACKNOWLEDGED_S)),
        _judged(complete[0], within(ratio_of(complete[0].viva, complete[0].default), HALF)),
        complete[1],
        begun[0],
        _talked_into(talks),
    ]


def gap_rows(talks: Talks, which: str) -> list[Row]:
    """Silence between feedback and question."""
    viva, default = gaps(talks, "Viva"), gaps(talks, "default")
    short = _share(viva)
    samples = f"{len(viva)} / {len(default)}"
    return [
        Row(
            f"{which}: gap between feedback and question, p95",
            percentile(viva, 0.95),
            percentile(default, 0.95),
            goal=f"≤ {GAP_S} s in {GAP_SHARE:.0%}",
            met=None if short is None else short >= GAP_SHARE,
            samples=samples,
        ),
        Row(f"{which}: gaps of at most {GAP_S} s", short, _share(default), unit="%", samples=samples),
    ]


def gaps(talks: Talks, side: Side) -> list[float]:
    """Seconds of silence before each question that came after something else."""
    return [reply.question.silent_before_s for reply in talks.clean(side) if reply.question]


def by_noise(talks: Talks) -> list[Row]:
    """The median by how much noise there was."""
    levels = sorted({s.snr_db for s in talks.samples if s.snr_db is not None}, reverse=True)
    if len(levels) < 2:
        return []
    rows = []
    for level in levels:
        of_level = Talks([each for each in talks.samples if each.snr_db == level])
        seconds = {side: of_level.first_audio(side) for side in SIDES}
        rows.append(
            Row(
                f"- p50 with noise {level:g} dB under the voice",
                percentile(seconds["Viva"], 0.5),
                percentile(seconds["default"], 0.5),
                samples=" / ".join(str(len(each)) for each in seconds.values()),
            )
        )
    return rows


def _feedback_ends(talks: Talks, side: Side) -> list[float]:
    return [reply.feedback[-1].end_s for reply in talks.clean(side) if reply.feedback]


def _questions(talks: Talks, side: Side) -> list[float]:
    return [reply.question.start_s for reply in talks.clean(side) if reply.question]


def _talked_into(talks: Talks) -> Row:
    counts = {side: talks.talked_into(side) for side in SIDES}

    def share(side: Side) -> float | None:
        talked, answers = counts[side]
        return talked / answers if answers else None

    samples = " / ".join(str(answers) for _, answers in counts.values())
    return Row.of("- fluent answers talked into (left out above)", share, unit="%", samples=samples)


def _share(values: Sequence[float]) -> float | None:
    return sum(value <= GAP_S for value in values) / len(values) if values else None


def _judged(row: Row, met: bool | None) -> Row:  # noqa: FBT001 (a verdict, no switch)
    return replace(row, met=met)


def _and(one: bool | None, other: bool | None) -> bool | None:  # noqa: FBT001
    return None if one is None or other is None else one and other
