"""`make bench-phone`, or `python -m bench phone`: its options, its parts, and the table."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from bench.phone.options import USUAL, Options, PhonePart
from bench.phone.relay import Network

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

OUT = Path(".cache/bench-phone")


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    app(args=list(arguments), standalone_mode=True, prog_name="python -m bench phone")


@app.command()
def measure(
    *,
    only: Annotated[
        list[PhonePart] | None, typer.Option(help="A part; can be given again. The soak runs only when it is named.")
    ] = None,
    answers: Annotated[int, typer.Option(min=1, max=24, help="Answers by phone, and in the browser.")] = 5,
    loss: Annotated[float, typer.Option(min=0, max=50, help="Percent of the packets that are lost, each way.")] = 2.0,
    jitter: Annotated[float, typer.Option(min=0, max=200, help="Milliseconds by which a packet is late at most.")] = 20,
    four_seconds: Annotated[float, typer.Option(min=5, help="How long four calls at once last.")] = 40,
    people: Annotated[
        Path | None, typer.Option(help="Folder with a manifest.yaml of recordings (docs/voice.md), for the codecs.")
    ] = None,
    soak_calls: Annotated[int, typer.Option(min=10, help="Calls in a row (soak).")] = 500,
    trace: Annotated[bool, typer.Option("--trace", help="Say where memory was allocated (soak).")] = False,
    out: Annotated[Path, typer.Option(help="Folder for results and what was heard.")] = OUT,
) -> None:
    """Measure Viva's telephone line beside the browser, on this machine, and print a table."""
    from bench.phone.run import run  # noqa: PLC0415 (LiveKit and the models take seconds: --help answers at once)

    console = Console()
    options = Options(
        only=frozenset(only or USUAL),
        answers=answers,
        network=Network(loss / 100, jitter / 1000),
        four_s=four_seconds,
        people=people,
        soak_calls=soak_calls,
        trace=trace,
        out=out,
    )
    from agent.cli.transcribe import SoundFileError  # noqa: PLC0415
    from agent.model_files.prepare import ModelError  # noqa: PLC0415
    from agent.processes.stack import StackError  # noqa: PLC0415
    from agent.settings import SettingsError  # noqa: PLC0415
    from bench.phone.baresip import NoTelephoneError  # noqa: PLC0415
    from bench.phone.relay import RelayError  # noqa: PLC0415
    from bench.phone.sipp import SippError  # noqa: PLC0415
    from bench.voice.manifest import ManifestError  # noqa: PLC0415

    faults = (
        NoTelephoneError, SippError, RelayError, ManifestError, SoundFileError, ModelError, StackError, SettingsError
    )  # fmt: skip
    try:
        failures = asyncio.run(run(options, console))
    except faults as error:
        console.print(f"Nothing more was measured: {error}", style="bold red", markup=False, soft_wrap=True)
        _leave(1)
    _leave(1 if failures else 0)


def _leave(code: int) -> NoReturn:
    """End at once: LiveKit's client library may abort while Python takes itself apart, and change the exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
