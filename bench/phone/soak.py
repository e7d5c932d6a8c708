"""Soak: hundreds of short calls in a row, and whether the line holds more of anything after them than before."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from livekit.api import LiveKitAPI
from livekit.protocol.room import ListParticipantsRequest, ListRoomsRequest
from rich.table import Table

from agent.processes.stack import free_ports_settings, running_stack
from agent.settings import Settings
from bench.phone.room_side import hum, standing_in
from bench.phone.sipp import call_many
from bench.phone.watched_line import TRACE, Holding, WatchedLine, watched_line
from bench.voice.talks import Tell

MARKS = 5
"""How often is looked on the way, and at the end."""
AT_ONCE, A_SECOND = 2, 1.0
"""Of the calls."""
_CALLER_ENDS_S, _INTERVIEWER_ENDS_S, _AT_THE_LATEST_S = 3.0, 1.5, 60.0
"""After so long: of every other call of a batch the caller is the one who ends it, of the others the interviewer."""
_PLACES = 32
"""That the line has: a call keeps its place for a moment after its telephone has hung up."""
_CALM_S = 30.0
"""After the last call of a batch: dialogs are forgotten, and LiveKit's library lets go of rooms."""
GROWN = 1.03
"""What is more than 3% over the value in the middle of the calls has grown."""
_CALLERS_HZ = 8_000
_COUNTED = (
    "memory_mb", "native_mb", "descriptors", "sockets", "threads", "tasks", "objects", "calls", "rtp_ports", "dialogs"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """What there was after so many calls."""

    calls: int
    line: Holding
    rooms: int
    """That livekit-server has open, with somebody in them."""
    entered: int
    """Rooms that a stand-in for the interviewer was in, so far."""


async def soak(folder: Path, calls: int, tell: Tell, *, trace: bool = False) -> list[Mark]:
    """Call until so many calls are over.

    Args:
        folder: of this run.
        calls: how many.
        tell: takes a line of progress.
        trace: also say where Python's memory was allocated; the calls cost twice as much then.

    Raises:
        SippError: a call failed, or there is no SIPp.
        StackError: livekit-server does not start.
    """
    # What callers may do is no part of what is measured: all come from one address.
    caps = {"phone_invites_per_s": 20, "phone_calls_at_once": _PLACES}
    settings = free_ports_settings(folder / "viva", phone=True, metrics=False, **caps)
    says = (np.tile(hum(1.0)[::6], 3) // 2).astype(np.int16)
    marks: list[Mark] = []
    async with (
        running_stack(settings, only=("livekit",)),
        watched_line(settings, folder / "line.log", *([TRACE] if trace else [])) as line,
        standing_in(settings, hum()) as side,
    ):
        address = settings.phone_told_host, settings.phone_port
        marks.append(await _mark(0, settings, line, side.entered))
        tell(_told(marks[-1]))
        for wanted in [round(calls * place / MARKS) for place in range(1, MARKS + 1)]:
            batch = wanted - marks[-1].calls
            for count, ends_after_s, length_s in (
                (batch // 2, None, _CALLER_ENDS_S),
                (batch - batch // 2, _INTERVIEWER_ENDS_S, _AT_THE_LATEST_S),
            ):
                side.ends_after_s = ends_after_s
                await call_many(
                    address, folder, says, calls=count, at_once=AT_ONCE, a_second=A_SECOND, length_s=length_s
                )
            await asyncio.sleep(_CALM_S)
            marks.append(await _mark(wanted, settings, line, side.entered))
            tell(_told(marks[-1]))
    return marks


def soak_table(marks: Sequence[Mark]) -> Table:
    """A column for each mark."""
    table = Table("after calls", *(str(mark.calls) for mark in marks), "flat", box=None, pad_edge=False)
    for name in _COUNTED:
        values = [float(getattr(mark.line, name)) for mark in marks]
        table.add_row(name.replace("_", " "), *(f"{value:g}" for value in values), _verdict(values))
    rooms = [float(mark.rooms) for mark in marks]
    table.add_row("rooms", *(f"{value:g}" for value in rooms), _verdict(rooms))
    table.add_row("somebody heard", *(str(mark.line.heard) for mark in marks))
    return table


def is_flat(values: Sequence[float]) -> bool:
    """Whether the last value is not over the one in the middle of the calls by more than 3%.

    The first calls fill pools and caches, so what there is before them says nothing.
    """
    middle = values[len(values) // 2]
    return values[-1] <= max(middle * GROWN, middle + 1)


def _verdict(values: Sequence[float]) -> str:
    return "yes" if is_flat(values) else "no"


async def _mark(calls: int, settings: Settings, line: WatchedLine, entered: int) -> Mark:
    held = await line.holds()
    keys = settings.livekit_key, settings.livekit_secret
    async with LiveKitAPI(settings.livekit_http_url, *keys) as livekit:
        there = (await livekit.room.list_rooms(ListRoomsRequest())).rooms
        people = [await livekit.room.list_participants(ListParticipantsRequest(room=room.name)) for room in there]
    return Mark(calls, held, sum(bool(each.participants) for each in people), entered)


def _told(mark: Mark) -> str:
    line = mark.line
    held = (
        f"after {mark.calls} calls (somebody was heard in {line.heard}): {line.memory_mb:.0f} MB, "
        f"{line.descriptors} descriptors, {line.tasks} tasks, {line.threads} threads, {line.rtp_ports} RTP ports, "
        f"{line.dialogs} dialogs, {mark.rooms} rooms with people"
    )
    return "\n".join([held, *(f"  {each}" for each in line.top)])
