"""Commands of `viva judge`: judging outside an interview, and a closer look at what was judged in one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.errors import exit_on, settings_or_exit

# What takes long to import is imported when a command runs: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


class JudgeOption(StrEnum):
    """Who judges."""

    AUTO = "auto"
    BUILT_IN = "built-in"
    MODEL = "model"


class StatusOption(StrEnum):
    """What a person finds about a point."""

    COVERED = "covered"
    PARTLY = "partly"
    MISSING = "missing"
    CONTRADICTED = "contradicted"


@app.callback()
def judge() -> None:
    """Judge answers outside an interview, explain how an answer was judged, or contest it."""


@app.command()
def batch(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="Answers, one JSON object a line; - for standard input.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where the verdicts go; - for standard output.")],
    *,
    by: Annotated[
        JudgeOption, typer.Option("--judge", help="Who judges; auto: whom the settings put in force.")
    ] = JudgeOption.AUTO,
) -> None:
    """Judge answers of a file.

    A line in holds "id", "question", "answer", and "key_points" (a list) or "references" (model answers, of which the
    one counts that the answer comes closest to); it may hold "misconceptions". A line out holds "id", "label" (correct,
    contradictory or incorrect), "score" and "interval" (0 to 10), "judge" and "verdicts". A bad line stops everything
    before it begins, and is named.
    """
    from agent.cli.judge.batch import judge_file

    with _exit_on_expected():
        raise typer.Exit(judge_file(source, target, by.value, settings_or_exit()))


@app.command()
def explain(
    interview: Annotated[str, typer.Argument(help="Id of the interview.")],
    question: Annotated[str, typer.Argument(help="Number of the question in the report, or its id.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Print every verdict on an answer: its evidence, its rule, and how the scores follow from the verdicts."""
    from agent.cli.judge.explain import explain as run

    with _exit_on_expected():
        raise typer.Exit(run(interview, question, settings_or_exit(), as_json=as_json))


@app.command()
def contest(
    interview: Annotated[str, typer.Argument(help="Id of the interview.")],
    question: Annotated[str, typer.Argument(help="Number of the question in the report, or its id.")],
    *,
    note: Annotated[str, typer.Option(help="Why the verdict should be another one.")],
    point: Annotated[
        int | None, typer.Option(min=1, help="Number of the verdict, as explain lists them; all of them by default.")
    ] = None,
    status: Annotated[
        StatusOption | None, typer.Option(help="Your verdict on this point; without it the judge looks again.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who contests it, for the record.")] = "",
) -> None:
    """Contest how an answer was judged, when the interview has ended.

    With --point and --status your verdict counts. Without a status the judge in force judges again; a language model
    reads your note, the built-in judge cannot. What was judged first stays in the record, and the report shows both.
    """
    from agent.cli.judge.contest import Objection
    from agent.cli.judge.contest import contest as run

    objection = Objection(note, by, point, status.value if status else None)
    with _exit_on_expected():
        raise typer.Exit(run(interview, question, objection, settings_or_exit()))


@contextmanager
def _exit_on_expected() -> Iterator[None]:
    """Print the sentence of an error that is about the user's files, models or words, and end; all others are ours."""
    from agent.cli.judge.answers import NoSuchAnswerError
    from agent.cli.judge.choice import JudgeChoiceError
    from agent.cli.judge.contest import ContestError
    from agent.interviews.language_models import LanguageModelError
    from agent.model_files.prepare import ModelError
    from graph.encoders import EncoderError
    from graph.judging.offline.batch import BatchError
    from rag import EmbedderError
    from review import RecordError

    with exit_on(
        BatchError, ContestError, NoSuchAnswerError, RecordError, JudgeChoiceError, LanguageModelError, ModelError,
        EncoderError, EmbedderError, OSError,
    ):  # fmt: skip
        yield
