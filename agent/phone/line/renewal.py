"""Renewal: when the line's process begins anew, because LiveKit's client library keeps some of the memory of each call.

That is up to 0.9 MB a call (docs/phone.md), and none of it is Python's. A line that runs for months would fill the
machine; to begin anew while nobody calls takes seconds, and a telephone that calls meanwhile asks again by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

GROWN_MB = 256.0
"""By so much it may grow: about as many megabytes as calls."""
LOOK_S = 20.0
CALM_S = 60.0
"""So long nobody may have called: whoever was cut off calls again at once."""


def is_due(grown_mb: float, calm_s: float) -> bool:
    """Whether to begin anew now.

    Args:
        grown_mb: how much more memory there is than at the beginning, in megabytes.
        calm_s: for how many seconds there has been no call.
    """
    return grown_mb >= GROWN_MB and calm_s >= CALM_S


async def until_due(memory_mb: Callable[[], float], calls: Callable[[], int], clock: Callable[[], float]) -> float:
    """Wait until it is due; by how many megabytes it has grown then.

    Args:
        memory_mb: how much there is.
        calls: how many are held.
        clock: any, in seconds.
    """
    began_mb = 0.0
    calm_since = clock()
    while True:
        await asyncio.sleep(LOOK_S)
        # The voice that says the sentences is loaded and let go of before the first look.
        began_mb = began_mb or memory_mb()
        if calls():
            calm_since = clock()
        grown_mb = memory_mb() - began_mb
        if is_due(grown_mb, clock() - calm_since):
            return grown_mb
