"""Many short calls by SIPp into rooms of a real livekit-server: nothing of them is left in the line."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from agent.settings import Settings
from bench.phone.sipp import call_many
from tests.agent.phone.interviewer import RATE_HZ, interviewing
from tests.agent.phone.lines import line_options, running_line, until
from tests.agent.phone.sounds import murmur

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

CALLS, AT_ONCE = 12, 3
CALLER = murmur(8, 8000, seed=2)


async def test_nothing_is_left_of_calls_that_are_over(
    livekit: Settings, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    """No call, port, dialog or task; and no more descriptors after the second half of them than after the first."""
    options = line_options(livekit)
    process = psutil.Process()
    async with running_line(livekit, options) as line, interviewing(livekit, murmur(8, RATE_HZ, seed=1), most=0):
        idle = len(asyncio.all_tasks())
        descriptors = []
        for _ in range(2):
            await call_many(options.bind, tmp_path, CALLER, calls=CALLS // 2, at_once=AT_ONCE, a_second=2, length_s=1.5)
            await until(lambda: not line.exchange.held)
            gc.collect()
            descriptors.append(process.num_fds())
        assert line.exchange.ports.in_use == 0
        assert not line.agent.active_calls
        await until(lambda: len(asyncio.all_tasks()) <= idle)
    record_property("figure", f"{CALLS} calls by SIPp: descriptors half-way and at the end {descriptors}")

    assert descriptors[1] <= descriptors[0] + 2
