"""Hanging up: the line is told that everything was said, and the room of the call is closed."""

from __future__ import annotations

import asyncio
import contextlib
import logging

from livekit import rtc
from livekit.agents import JobContext

from agent.phone.call import OVER, SIP

_log = logging.getLogger(__name__)

_HANGING_UP_S = 10.0
"""What livekit-server is given to close a room."""


_LINE_LEAVES_S = 1.5
"""Our own line leaves within 0.8 s; livekit-sip, which knows nothing of it, when the room is closed."""
_LOOK_S = 0.05


async def tell_over(room: rtc.Room) -> None:
    """Tell the line that everything was said, and wait for it to leave: whoever leaves without a word has died.

    It goes first because LiveKit's client library keeps what belongs to a room that was closed under it.
    """
    try:
        await room.local_participant.set_attributes({OVER: "1"})
    except Exception as error:  # noqa: BLE001 - the edge of a call: LiveKit names no error, and it is left anyway
        _log.warning("the line could not be told that the call is over: %s", error)
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LINE_LEAVES_S):
            while any(each.kind == SIP for each in room.remote_participants.values()):  # noqa: ASYNC110 (of several)
                await asyncio.sleep(_LOOK_S)


async def close_room(ctx: JobContext, room: str | None = None) -> None:
    """Close the room of a call with everybody in it.

    Args:
        ctx: LiveKit's context of the job.
        room: name of the room; None: the one that the job is in.
    """
    await asyncio.wait({ctx.delete_room(room)}, timeout=_HANGING_UP_S)
