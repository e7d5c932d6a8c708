"""How long the interviewer goes on speaking when the candidate begins to speak into it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from agent.rehearsal.client import VivaApiError
from agent.rehearsal.hearing import LOUD_PEAK, HeardFrames
from bench.voice.caller import Caller, JoinError, NoReplyError, calling
from bench.voice.figures import SIDES, Row, Side, percentiles, within
from bench.voice.manifest import Recording
from bench.voice.talks import Failure, Named, Tell
from bench.voice.venue import Venue

GOAL_S = 0.2
INTERRUPTIONS = 4
"""In a conversation."""
PHRASES = (
    "Wait, could I add one thing to that?",
    "Sorry, I would like to correct what I said.",
    "Before you go on, I forgot the most important part.",
    "Hold on, there is something else I should mention.",
)
_INTO_S = 1.0
"""The candidate begins so long after the interviewer did: it has surely more to say."""
_WATCHED_S = 2.5
_GONE_S = 0.6
"""A voice that is not heard for this long has stopped; between two of its sentences there is up to half a second."""


@dataclass(slots=True)
class Interruptions:
    """What was measured."""

    stopped_after_s: dict[Side, list[float]] = field(default_factory=lambda: {side: [] for side in SIDES})
    missed: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    """The interviewer had stopped by itself before the candidate's first word."""
    failures: list[Failure] = field(default_factory=list)


def phrases() -> list[Recording]:
    """What the candidate interrupts with."""
    return [Recording(id=f"interruption-{n}", say=text, seed=200) for n, text in enumerate(PHRASES, start=1)]


async def interrupt_both(
    venue: Venue, answers: Sequence[Named], interruptions: Sequence[Named], count: int, *, folder: Path, tell: Tell
) -> Interruptions:
    """Conversations of both sides, turn about, in which each reply is spoken into; so many times on each side."""
    made = Interruptions()
    for number in range(-(-count // INTERRUPTIONS)):
        for side in SIDES if number % 2 == 0 else tuple(reversed(SIDES)):
            name = f"{folder.name}-{side}-{number + 1}"
            before = len(made.stopped_after_s[side])
            try:
                async with calling(venue, side, folder / f"{name}.wav") as caller:
                    for place in range(min(INTERRUPTIONS, count - number * INTERRUPTIONS)):
                        answer = answers[(number * INTERRUPTIONS + place) % len(answers)]
                        phrase = interruptions[place % len(interruptions)]
                        _count(made, side, await _interrupted(caller, answer, phrase))
            except (NoReplyError, JoinError, VivaApiError) as error:
                made.failures.append(Failure(side, name, str(error)))
            took = ", ".join(f"{seconds:.2f}" for seconds in made.stopped_after_s[side][before:])
            failed = next((f"; FAILED: {each.what}" for each in made.failures if each.conversation == name), "")
            tell(f"{name}: silent after {took or '-'} s{failed}")
    return made


def barge_in_rows(made: Interruptions) -> list[Row]:
    """For the table."""
    p50, p95 = percentiles(
        "barge-in: first word → silence",
        made.stopped_after_s["Viva"],
        made.stopped_after_s["default"],
        goals=(f"≤ {GOAL_S} s", ""),
    )
    rows = [Row(p50.what, p50.viva, p50.default, goal=p50.goal, met=within(p50.viva, GOAL_S), samples=p50.samples), p95]
    if any(made.missed.values()):
        rows.append(Row.of("- it had stopped by itself (left out)", lambda side: float(made.missed[side]), unit=""))
    return rows


def _count(made: Interruptions, side: Side, stopped: float | None) -> None:
    if stopped is None:
        made.missed[side] += 1
    else:
        made.stopped_after_s[side].append(stopped)


async def _interrupted(caller: Caller, answer: Named, phrase: Named) -> float | None:
    """Answer, speak into the reply, and let the reply to that come to its end."""
    _, end = await caller.play(answer.sound)
    voice = await caller.until_voice(end)
    await asyncio.sleep(max(0.0, voice + _INTO_S - time.time()))
    start, over = await caller.play(phrase.sound)
    await asyncio.sleep(max(0.0, start + _WATCHED_S - time.time()))
    stopped = stopped_after_s(caller.heard_audio.heard(start - _INTO_S), start)
    await caller.until_my_turn(over)
    return stopped


def stopped_after_s(heard: HeardFrames, at: float) -> float | None:
    """How long the voice was still heard after a time; None when it was not speaking then."""
    loud = heard.times[heard.peaks > LOUD_PEAK]
    around = loud[loud >= at - _GONE_S]
    if not len(around) or around[0] > at:
        return None
    gaps = np.flatnonzero(np.diff(around) >= _GONE_S)
    last = around[gaps[0]] if len(gaps) else around[-1]
    return max(0.0, float(last) - at)
