"""SIPp: many telephones that call one after the other, each saying a sound over RTP, and hang up."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import DEVNULL, STDOUT
from pathlib import Path

from agent.phone.line.codecs import codec_named
from bench.phone.wav import Sound
from install.telephones import PROGRAMS, find_program

SCENARIO = Path(__file__).with_name("short_call.xml")
_PACKET = 160
"""Samples of 20 ms at 8 kHz."""
_LINES_OF_A_FAULT = 15


class SippError(RuntimeError):
    """The calls did not go as they should; the message says how, and what to do."""


async def call_many(
    address: tuple[str, int], folder: Path, says: Sound, *, calls: int, at_once: int, a_second: float, length_s: float
) -> None:
    """Make calls until all of them are over.

    Args:
        address: of the line.
        folder: for what SIPp reads and writes; it has to be there.
        says: what each caller says, at 8 kHz.
        calls: how many.
        at_once: … of them at most.
        a_second: how many begin in a second.
        length_s: after so long the caller hangs up, unless the line has done so before.

    Raises:
        SippError: SIPp is missing, or a call failed.
    """
    program = find_program("sipp")
    if program is None:
        package = PROGRAMS["sipp"]
        raise SippError(f"There is no sipp to call with: install it, on Debian with 'apt-get install {package}'")
    codec = codec_named("PCMU")
    whole = says[: len(says) // _PACKET * _PACKET]
    (folder / "says.ulaw").write_bytes(codec.encode(whole.tobytes()))
    scenario = folder / SCENARIO.name
    scenario.write_text(SCENARIO.read_text().replace("LENGTH_MS", str(round(length_s * 1000))))
    log = folder / "sipp.log"
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            program, "-sf", str(scenario), f"{address[0]}:{address[1]}", "-s", "viva",
            "-i", "127.0.0.1", "-mi", "127.0.0.1", "-m", str(calls), "-l", str(at_once), "-r", f"{a_second:g}",
            "-nostdin", "-trace_err", "-error_file", "errors.log",
            stdin=DEVNULL, stdout=out, stderr=STDOUT, cwd=folder,
        )  # fmt: skip
        try:
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if code:
        raise SippError(f"sipp ended with {code}: {_why(folder)} Its lines are in {log}.")


def _why(folder: Path) -> str:
    errors = folder / "errors.log"
    lines = errors.read_text(errors="replace").splitlines() if errors.exists() else []
    return " ".join(lines[:_LINES_OF_A_FAULT])
