"""Cut-offs against dead air: recordings are heard once, policies are tried on what was heard."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from rich.table import Table

from bench.voice import curve
from bench.voice.curve import Curve
from bench.voice.figures import Row, percentile, shown, within
from bench.voice.listening import Kept, Listener
from bench.voice.manifest import Recording
from bench.voice.policies import LIVEKIT_THRESHOLD, SILENCES_S, LiveKitDetector, Silences, as_it_is, families
from bench.voice.sounds import Sound
from bench.voice.talks import Tell
from bench.voice.turns import (
    Balance,
    Listened,
    balance,
    cut_share_at,
    dead_air_at,
    is_nowhere_worse,
    sweep,
)

GOAL_S, GOAL_SHARE = curve.GOAL_S, curve.GOAL_SHARE


async def hear_all(
    recordings: Iterable[tuple[Recording, Sound]],
    *,
    listener: Listener,
    kept: Kept,
    snrs_db: Sequence[float | None],
    tell: Tell,
) -> tuple[list[Listened], list[str]]:
    """Every recording, each with one level of noise, in turn; and a sentence for each that could not be heard."""
    heard: list[Listened] = []
    faults: list[str] = []
    for number, (recording, sound) in enumerate(recordings):
        snr_db = snrs_db[number % len(snrs_db)]
        known = kept.read(recording, sound, snr_db)
        if known is None:
            try:
                known = await listener.listen(recording, sound, snr_db)
            except RuntimeError as error:
                faults.append(str(error))
                tell(f"FAILED: {error}")
                continue
            await asyncio.to_thread(kept.write, recording, sound, known)
            tell(f"{recording.id}: heard {' '.join(each.text for each in known.words)!r}")
        heard.append(known)
    return heard, faults


class Endings:
    """All families over one part of the recordings.

    Raises:
        ValueError: there are no recordings.
    """

    def __init__(self, heard: Sequence[Listened]) -> None:
        self.heard = heard
        self.curves: dict[str, Curve] = {knob.name: sweep(heard, knob) for knob in families()}
        self.viva = balance(heard, as_it_is())
        self.marks: dict[str, Balance] = {
            "Viva": self.viva,
            **{f"silence {seconds:g} s": balance(heard, Silences(seconds)) for seconds in SILENCES_S},
            "v1-mini": balance(heard, LiveKitDetector(LIVEKIT_THRESHOLD)),
        }

    def rows(self) -> list[Row]:
        """For the table. The default is the silence that LiveKit's detector of voices waits for."""
        default = self.marks[f"silence {SILENCES_S[0]:g} s"]
        samples = str(len(self.heard))
        viva = self.curves["Viva"]
        rows = [
            Row("answers cut off, as it is", self.viva.cut_share, default.cut_share, unit="%", samples=samples),
            Row(
                "answers into which words were spoken, as it is",
                self.viva.spoken_into_share,
                default.spoken_into_share,
                unit="%",
                samples=samples,
            ),
            Row("median dead air, as it is", self.viva.median_dead_air_s, default.median_dead_air_s, samples=samples),
            Row("p90 of dead air, as it is", self.viva.p90_dead_air_s, default.p90_dead_air_s, samples=samples),
        ]
        least_s = dead_air_at(viva, GOAL_SHARE)
        for name, other in self.curves.items():
            if name != "Viva":
                rows.append(
                    Row(
                        f"median dead air at ≤ {GOAL_SHARE:.0%} cut off (default: {name})",
                        least_s,
                        dead_air_at(other, GOAL_SHARE),
                        goal=f"≤ {GOAL_S} s, left of it",
                        met=least_s is not None and least_s <= GOAL_S and is_nowhere_worse(viva, other),
                        samples=samples,
                    )
                )
                rows.append(
                    Row(
                        f"cut off at ≤ {GOAL_S} s median dead air (default: {name})",
                        share := cut_share_at(viva, GOAL_S),
                        cut_share_at(other, GOAL_S),
                        unit="%",
                        goal=f"≤ {GOAL_SHARE:.0%}",
                        met=within(share, GOAL_SHARE),
                        samples=samples,
                    )
                )
        return rows

    def table(self) -> Table:
        """What each marked policy does, and where it cuts off."""
        made = Table(
            "policy",
            "cut off",
            "spoken into",
            "dead air p50",
            "p90",
            "p95",
            "never ended",
            "which were cut off",
            box=None,
        )
        for name, each in self.marks.items():
            made.add_row(
                name,
                f"{shown(each.cut_share, '%')} ({each.cut} of {each.recordings})",
                f"{shown(each.spoken_into_share, '%')} ({each.spoken_into})",
                shown(each.median_dead_air_s, "s"),
                shown(each.p90_dead_air_s, "s"),
                shown(each.p95_dead_air_s, "s"),
                str(len(each.undecided)),
                ", ".join(each.cut_ids[:6]) + ("…" if len(each.cut_ids) > 6 else ""),
            )
        return made

    def detector(self) -> str:
        """What v1-mini made of these voices: a sentence."""
        true, inside = scores(self.heard)
        figures = [percentile(values, share) for values in (true, inside) for share in (0.1, 0.5, 0.9)]
        told = ["-" if value is None else f"{value:.2f}" for value in figures]
        return (
            f"v1-mini gave {', '.join(told[:3])} (p10, p50, p90) at {len(true)} true ends and {', '.join(told[3:])} in "
            f"{len(inside)} pauses; its own threshold is {LIVEKIT_THRESHOLD}."
        )

    def picture(self, title: str) -> str:
        """As SVG."""
        return curve.draw(self.curves, self.marks, title)


def scores(heard: Sequence[Listened]) -> tuple[list[float], list[float]]:
    """What v1-mini gave at the true ends, and in the pauses before them."""
    at_end: list[float] = []
    before: list[float] = []
    for each in heard:
        for silence in each.silences:
            is_end = silence.end_s > each.speech_end_s
            (at_end if is_end else before).append(silence.end_of_turn)
    return at_end, before
