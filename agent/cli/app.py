"""Command line, `viva`: each command says here what it is for and hands over to the module that does it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.errors import exit_on, settings_or_exit
from agent.cli.packs.commands import app as pack_app
from agent.cli.phone.commands import add_setup_command, booking_app, call, pin_app
from agent.cli.phone.line import add_line_commands
from agent.cli.profile.commands import app as profile_app
from agent.cli.voices import app as voices_app
from agent.cli.voices import say

# Each command imports what it needs when it runs, so that `viva --help` does not wait for LiveKit or onnxruntime.
# ruff: noqa: PLC0415

app = typer.Typer(
    name="viva",
    help="A spoken mock interview that you host yourself.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


phone_app = typer.Typer(
    help="The phone line: run it, and see what it is doing.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
add_line_commands(phone_app)
add_setup_command(phone_app)


@app.command()
def up() -> None:
    """Start everything on this machine and print the address to open."""
    from rich.console import Console

    from agent.processes.stack import run_up

    raise typer.Exit(run_up(settings_or_exit(), Console(highlight=False)))


@app.command()
def worker() -> None:
    """Run the interviewer alone: it waits for interviews in rooms of livekit-server."""
    from agent.observability.metrics_endpoint import share_metrics_between_processes

    settings = settings_or_exit()
    share_metrics_between_processes(settings)
    from agent.model_files.prepare import ModelError
    from agent.worker.server import run
    from rag import BankError, EmbedderError, PackError
    from speech import SpeechModelError

    with exit_on(ModelError, SpeechModelError, EmbedderError, PackError, BankError):
        run(settings)


@app.command()
def web() -> None:
    """Run the pages and the interview API alone."""
    from agent.http.app import run
    from rag import PackError
    from review import RecordError

    with exit_on(PackError, RecordError):
        run(settings_or_exit())


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def rehearse(context: typer.Context) -> None:
    """Let a synthetic candidate be interviewed in a real room, and print what was said, heard and measured."""
    from agent.rehearsal.commands import app as rehearsal

    rehearsal(args=context.args, prog_name="viva rehearse")


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def interview(context: typer.Context) -> None:
    """Hold an interview by text, in this terminal or from a script, over the interview API."""
    from agent.cli.text_interview.commands import app as text_interview

    text_interview(args=context.args, prog_name="viva interview")


@app.command()
def config() -> None:
    """Print every setting, its value, and where it came from."""
    from agent.cli.config import print_config

    print_config(settings_or_exit())


@app.command()
def doctor(*, as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False) -> None:
    """Check every part and say what to do; the exit code is 1 when something keeps Viva from running."""
    from agent.cli.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=as_json))


@app.command()
def packs() -> None:
    """List the question packs that interviews can be about."""
    from agent.cli.packs.show import list_packs

    raise typer.Exit(list_packs(settings_or_exit()))


app.add_typer(pack_app, name="pack")
app.add_typer(profile_app, name="profile")
app.add_typer(phone_app, name="phone")
app.add_typer(voices_app, name="voices")
app.add_typer(pin_app, name="pin")
app.command()(call)
app.add_typer(booking_app, name="booking")
app.command()(say)


@app.command()
def intents(
    file: Annotated[Path, typer.Argument(help='Utterances, one JSON object a line with "text"; - for standard input.')],
    out: Annotated[Path | None, typer.Option("--json", help="Where the labels go; standard output by default.")] = None,
) -> None:
    """Label utterances: an answer, or which request. Lines that carry an "intent" are measured against it."""
    from agent.cli.intents import label
    from graph.encoders import EncoderError
    from graph.intents.evaluation.labelled import LabelledError

    with exit_on(LabelledError, EncoderError, OSError):
        raise typer.Exit(label(file, out))


@app.command()
def transcribe(
    file: Annotated[Path, typer.Argument(help="A sound file: WAV, FLAC, Ogg, MP3, M4A and most other formats.")],
    *,
    stream: Annotated[bool, typer.Option("--stream", help="Listen as in an interview, while it is spoken.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print words with their times as JSON.")] = False,
) -> None:
    """Print what Viva hears in a sound file."""
    from agent.cli.transcribe import SoundFileError
    from agent.cli.transcribe import transcribe as hear
    from agent.model_files.prepare import ModelError
    from speech import SpeechModelError

    with exit_on(SoundFileError, ModelError, SpeechModelError):
        raise typer.Exit(hear(file, settings_or_exit(), as_stream=stream, as_json=as_json))


@app.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def judge(context: typer.Context) -> None:
    """Judge the answers of a file, explain how an answer of an interview was judged, or contest it."""
    from agent.cli.judge.commands import app as judging

    judging(args=context.args, prog_name="viva judge")


@app.command()
def graph(*, write: Annotated[bool, typer.Option("--write", help="Write it into the documentation.")] = False) -> None:
    """Draw the interview graph as it is compiled (Mermaid)."""
    from graph.diagram import PAGE, page

    if write:
        PAGE.write_text(page(), encoding="utf-8")
        sys.stdout.write(f"Wrote {PAGE}\n")
    else:
        sys.stdout.write(page())


@app.command()
def traces(
    interview: Annotated[str, typer.Argument(help="Id of the interview.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print every trace as JSON.")] = False,
) -> None:
    """Print what the turns of an interview took, node by node, and what its models did."""
    from agent.cli.traces import print_traces

    raise typer.Exit(print_traces(settings_or_exit(), interview, as_json=as_json))


def main() -> None:
    """Entry point of the `viva` command."""
    app()
