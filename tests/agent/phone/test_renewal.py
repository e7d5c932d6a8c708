"""When the line's process begins anew, and that it is the same process then."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from agent.phone.line import renewal
from agent.phone.line.renewal import CALM_S, GROWN_MB, is_due, until_due
from agent.processes.ports import free_ports_settings
from agent.settings import PROJECT_DIR

_SOON = """
from agent.phone.line import process, renewal
from agent.settings import load_settings

renewal.GROWN_MB = renewal.CALM_S = -1e9
renewal.LOOK_S = 1.0
process.run(load_settings())
"""
"""A line that begins anew every second."""


@pytest.mark.parametrize(
    ("grown_mb", "calm_s", "due"),
    [
        (GROWN_MB, CALM_S, True),
        (GROWN_MB - 1, 10 * CALM_S, False),
        (10 * GROWN_MB, CALM_S - 1, False),
    ],
)
def test_it_is_due_when_the_line_has_grown_and_nobody_has_called_for_a_while(
    grown_mb: float,
    calm_s: float,
    due: bool,
) -> None:
    """However much it has grown, nobody is cut off."""
    assert is_due(grown_mb, calm_s) == due


async def test_a_call_puts_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The calm is counted from the last call; what the line had at first does not count."""
    monkeypatch.setattr(renewal, "LOOK_S", 0.0)
    looks = iter(range(0, 1000, 20))
    memory = iter([150.0, 150.0, 500.0, 500.0, 500.0, 500.0, 500.0, 500.0, 500.0])
    calls = iter([1, 1, 1, 0, 0, 0, 0, 0])

    grown_mb = await until_due(lambda: next(memory), lambda: next(calls), lambda: float(next(looks)))

    assert grown_mb == 350.0
    assert next(calls) == 0


@pytest.mark.slow
async def test_the_process_begins_anew_as_itself_and_still_ends_when_told(tmp_path: Path) -> None:
    """With the same process id, so that whoever keeps it running notices nothing."""
    settings = free_ports_settings(tmp_path / "data", phone=True)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _SOON,
        cwd=PROJECT_DIR, env={**os.environ, **settings.as_environment()}, stderr=PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        renewals = listens = 0
        while renewals < 2 or listens < 3:
            line = await process.stderr.readline()
            assert line, "it has ended"
            renewals += b"begins anew" in line
            listens += b"the line listens" in line
        process.send_signal(signal.SIGTERM)
        code = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

    assert code == 0
