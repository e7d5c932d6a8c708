"""Commands of `viva rehearse`: its options and its exit code."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from agent.cli.errors import FAILED, WRONG_USE, sentence_of
from agent.cli.options import FEEDBACK_HELP, DifficultyOption, DocumentError, FeedbackOption, read_document

# What needs LiveKit or numpy is imported when a rehearsal begins: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

INTERRUPTED = 130

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def rehearse(
    *,
    persona: Annotated[str, typer.Option(help="A persona by name, or a YAML file of your own.")] = "strong",
    pack: Annotated[str | None, typer.Option(help="Id of the question pack; without it the first one.")] = None,
    minutes: Annotated[int, typer.Option(min=1, max=60, help="Length of the interview.")] = 5,
    feedback: Annotated[FeedbackOption, typer.Option(help=FEEDBACK_HELP)] = FeedbackOption.COACH,
    difficulty: Annotated[
        DifficultyOption, typer.Option(help="Where the difficulty starts.")
    ] = DifficultyOption.MEDIUM,
    topic: Annotated[list[str] | None, typer.Option(help="A topic to ask about first; can be given again.")] = None,
    job: Annotated[Path | None, typer.Option(help="The job's description: PDF, DOCX, Markdown or text.")] = None,
    resume: Annotated[Path | None, typer.Option(help="The candidate's résumé, likewise.")] = None,
    about_resume: Annotated[
        bool, typer.Option("--about-resume", help="Questions about the résumé, not about the topics.")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="File for the result, for machines.")] = None,
    url: Annotated[
        str | None, typer.Option(help="A running Viva, such as http://127.0.0.1:8080; without it one is started.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Folder for all data of the rehearsal; without it data/rehearsals/<time>.")
    ] = None,
    kill_worker_at_turn: Annotated[
        int | None,
        typer.Option(min=1, help="Kill the worker in the middle of the candidate's answer of this turn."),
    ] = None,
) -> None:
    """Let a synthetic candidate be interviewed in a real room, and print what was said, heard and measured.

    The exit code is 0 only if the interview ended as the persona asks, was recorded and judged, and if everything that
    the persona asked for was understood.
    """
    if url is not None and kill_worker_at_turn is not None:
        _leave(WRONG_USE, "--kill-worker-at-turn needs a worker of its own: leave out --url")
    from rich.console import Console

    from agent.model_files.prepare import ModelError
    from agent.processes.stack import StackError
    from agent.rehearsal.persona import PersonaError
    from agent.rehearsal.rehearsal import RehearsalError
    from agent.rehearsal.setup import Options, hold_rehearsal
    from agent.settings import SettingsError, load_settings
    from rag.packs.pack import PackError

    try:
        job_description, resume_text = read_document(job), read_document(resume)
    except DocumentError as error:
        _leave(WRONG_USE, str(error))
    options = Options(
        persona=persona,
        pack=pack,
        minutes=minutes,
        feedback=feedback.value,
        difficulty=difficulty.value,
        topics=tuple(topic or ()),
        job_description=job_description,
        resume=resume_text,
        about_resume=about_resume,
        url=url,
        keep=keep,
        json=json,
        kill_worker_at_turn=kill_worker_at_turn,
    )
    try:
        result = asyncio.run(hold_rehearsal(options, load_settings(), Console(highlight=False)))
    except (SettingsError, PersonaError, PackError) as error:
        _leave(WRONG_USE, str(error))
    except (StackError, ModelError, RehearsalError) as error:
        _leave(FAILED, f"The rehearsal failed: {error}")
    except OSError as error:
        _leave(FAILED, f"The rehearsal failed: {sentence_of(error)}")
    except KeyboardInterrupt:
        _leave(INTERRUPTED, "The rehearsal was stopped.")
    _leave(0 if result.ok else FAILED)


def _leave(code: int, sentence: str = "") -> NoReturn:
    """End at once: LiveKit's client library may abort while Python takes itself apart, and change the exit code."""
    if sentence:
        sys.stderr.write(f"{sentence}\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    app()
