"""Published voice: whether the interviewer's voice has a track that is heard, without which it talks to nobody.

LiveKit's session publishes the track by itself, and only logs that livekit-server did not answer in time, as happens
on a machine that has more to do than it can: the session then runs on for ever, and the candidate sits in silence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from livekit import rtc

LOOKS_EVERY_S = 1.0
WAITS_S = 30.0
"""How long the candidate may be there before the track is. LiveKit's library gave up after 24 s on a machine with three
times as much to do as it could; on an idle one it takes 0.1 s."""


async def is_heard(
    subscribed: asyncio.Future[None], room: rtc.Room, candidate: str, clock: Callable[[], float]
) -> bool:
    """Wait for the track; false when it did not come though the candidate was there for `WAITS_S`.

    Args:
        subscribed: done when somebody gets the interviewer's voice.
        room: the room the interviewer is in.
        candidate: identity of the candidate: nothing is published before they are there.
        clock: seconds.
    """
    there_since: float | None = None
    while not (await asyncio.wait({subscribed}, timeout=LOOKS_EVERY_S))[0]:
        if candidate not in room.remote_participants:
            there_since = None
        elif there_since is None:
            there_since = clock()
        elif clock() - there_since >= WAITS_S:
            return False
    return True
