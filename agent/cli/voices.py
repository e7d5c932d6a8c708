"""Voices, `viva voices` and `viva say`: what can speak, and what it sounds like."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agent.cli.errors import exit_on, settings_or_exit
from agent.model_files.voices import VoiceDescription, VoiceError, find_voice, voices
from agent.settings import Settings

# Each command imports what it needs when it runs, so that `viva --help` does not wait for onnxruntime.
# ruff: noqa: PLC0415

app = typer.Typer(help="List, check and play the voices that Viva can speak with.", no_args_is_help=True)

Pace = Annotated[float | None, typer.Option(help="0.5 (slow) to 2 (fast); the setting without it.")]
Name = Annotated[str | None, typer.Argument(help="A name of the list, a voice's folder, or a Piper .onnx file.")]


@app.command("list")
def list_voices() -> None:
    """List the voices there are; the one that the settings name has a star."""
    with _exit_on_expected():
        there, chosen = voices(), find_voice(settings_or_exit().voice)
    table = Table("", "name", "language", "pace", "licence", "from", box=None, pad_edge=False)
    for voice in [*there, *([] if chosen in there else [chosen])]:
        star = "*" if voice == chosen else ""
        table.add_row(star, voice.name, voice.language, f"{voice.pace:g}", voice.licence, Text(voice.source))
    Console(highlight=False).print(table)


@app.command()
def check(name: Name = None) -> None:
    """Let a voice, or every one of the list, say its sample; the exit code is 1 when one cannot."""
    with _exit_on_expected():
        settings = settings_or_exit()
        chosen = [find_voice(name)] if name else voices()
    results = [_check(voice, settings) for voice in chosen]
    raise typer.Exit(0 if all(results) else 1)


@app.command()
def play(
    name: Name = None,
    out: Annotated[Path | None, typer.Option(help="Write a WAV file instead.")] = None,
    pace: Pace = None,
) -> None:
    """Play a voice's sample through a player of this system, or write it to NAME.wav where there is none."""
    from agent.cli.synthesize import play_wav, say_text
    from agent.files import write_atomically

    with _exit_on_expected():
        settings = settings_or_exit()
        voice = find_voice(name or settings.voice)
        content = say_text(voice.sample, voice, settings, pace=pace or settings.pace).as_wav()
        player = None if out else play_wav(content)
        if player is None:
            write_atomically(target := out or Path(f"{Path(voice.name).stem}.wav"), content)
            _print(f"Wrote {target}." if out else f"There is no player on this system; wrote {target}.")
        else:
            _print(f"Played by {player}.")


def say(
    text: Annotated[str, typer.Argument(help="What to say; - reads it from standard input.")],
    out: Annotated[Path, typer.Option(help="The WAV file to write.")],
    voice: Annotated[str | None, typer.Option(help="Which voice; the setting without it.")] = None,
    pace: Pace = None,
    pack: Annotated[str | None, typer.Option(help="A question pack whose pronunciations are used.")] = None,
) -> None:
    """Say a text as the interviewer would, write it as a WAV file, and print the words that were said."""
    from agent.cli.synthesize import say_text
    from agent.files import write_atomically

    with _exit_on_expected():
        settings = settings_or_exit()
        chosen = find_voice(voice or settings.voice)
        said = say_text(
            sys.stdin.read() if text == "-" else text,
            chosen,
            settings,
            pace=settings.pace if pace is None else pace,
            pronunciations=_pronunciations(pack, settings),
        )
        write_atomically(out, said.as_wav())
    _print(f"Said: {said.said}\nWrote {said.length_s:.1f} s to {out}.")


def _check(voice: VoiceDescription, settings: Settings) -> bool:
    from agent.cli.synthesize import SpeakingError, say_text
    from agent.model_files.prepare import ModelError
    from speech import SpeechModelError

    try:
        said = say_text(voice.sample, voice, settings, pace=1.0)
    except (ModelError, SpeechModelError, SpeakingError) as error:
        _print(f"{voice.name}: {error}")
        return False
    times = "tells when each word is heard" if said.has_word_times else "does not tell when each word is heard"
    length = f"{said.length_s:.1f} s at {said.rate_hz} Hz, synthesised in {said.took_s:.1f} s"
    _print(f"{voice.name}: says its sample in {length}; it {times}.")
    return True


def _pronunciations(pack: str | None, settings: Settings) -> dict[str, str]:
    if pack is None:
        return {}
    from agent.packs import packs_in_force

    packs = packs_in_force(settings)
    if pack not in packs:
        raise VoiceError(f"There is no question pack {pack!r}; there is: {', '.join(packs)}.")
    return packs[pack].pronunciations


def _print(text: str) -> None:
    Console(highlight=False, soft_wrap=True).print(Text(text))


@contextmanager
def _exit_on_expected() -> Iterator[None]:
    """Print the sentence of an error that is about the user's machine, files or words, and end."""
    from agent.cli.synthesize import SpeakingError
    from agent.model_files.prepare import ModelError
    from rag import PackError
    from speech import SpeechModelError

    with exit_on(VoiceError, ModelError, SpeechModelError, SpeakingError, PackError, OSError, UnicodeDecodeError):
        yield
