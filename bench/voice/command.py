"""`make bench-voice`, or `python -m bench voice`: its options, its parts, and the table."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from bench.voice.manifest import OWN, ManifestError
from bench.voice.options import MeasuredPart, Options

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

OUT = Path(".cache/bench-voice")


def main(arguments: Sequence[str] = ()) -> None:
    """Measure and print."""
    app(args=list(arguments), standalone_mode=True, prog_name="python -m bench voice")


@app.command()
def measure(
    *,
    manifest: Annotated[
        Path, typer.Option(help="YAML or JSON file of recordings; docs/voice.md has the format.")
    ] = OWN,
    only: Annotated[list[MeasuredPart] | None, typer.Option(help="A part; can be given again.")] = None,
    answers: Annotated[int, typer.Option(min=1, help="Answers of each side (replies, models).")] = 40,
    interruptions: Annotated[int, typer.Option(min=1, help="Interruptions of each side (barge-in).")] = 16,
    load_answers: Annotated[int, typer.Option(min=1, help="Answers for each number of interviews at once.")] = 20,
    snr: Annotated[str, typer.Option(help="Noise under the voice in dB, with commas; - for none.")] = "20,10",
    human: Annotated[Path | None, typer.Option(help="Audio file of a person, as one answer in five.")] = None,
    noises: Annotated[Path | None, typer.Option(help="Folder of recorded noises (noises).")] = None,
    out: Annotated[Path, typer.Option(help="Folder for results and what was heard.")] = OUT,
    pace: Annotated[float, typer.Option(min=0.5, max=8, help="Speed at which speech is heard (turns).")] = 1.0,
    tuning: Annotated[bool, typer.Option("--tuning", help="The tuning part instead of the held-out (turns).")] = False,
    recordings: Annotated[int | None, typer.Option(min=1, help="Only so many recordings (turns).")] = None,
) -> None:
    """Measure Viva's voice side beside a default local cascade, on this machine, and print a table."""
    from bench.voice.run import run  # noqa: PLC0415 (LiveKit and the models take seconds: --help answers at once)

    console = Console()
    options = Options(
        manifest=manifest,
        only=frozenset(only or MeasuredPart),
        answers=answers,
        interruptions=interruptions,
        load_answers=load_answers,
        snrs_db=_noise_levels(snr),
        human=human,
        noises=noises,
        out=out,
        pace=pace,
        tuning=tuning,
        recordings=recordings,
    )
    from agent.model_files.prepare import ModelError  # noqa: PLC0415
    from agent.processes.stack import StackError  # noqa: PLC0415
    from agent.settings import SettingsError  # noqa: PLC0415
    from bench.voice.sounds import SoundError  # noqa: PLC0415

    try:
        results = asyncio.run(run(options, console))
    except (ManifestError, SoundError, ModelError, StackError, SettingsError) as error:
        console.print(f"Nothing was measured: {error}", style="bold red", markup=False, soft_wrap=True)
        _leave(1)
    _leave(1 if results.failures or results.unheard else 0)


def _noise_levels(text: str) -> tuple[float | None, ...]:
    try:
        return tuple(None if each.strip() == "-" else float(each) for each in text.split(","))
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no list of decibels such as 20,10 or 20,-") from None


def _leave(code: int) -> NoReturn:
    """End at once: LiveKit's client library may abort while Python takes itself apart, and change the exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
