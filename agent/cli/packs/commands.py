"""Commands of `viva pack`: their options and exit codes."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.errors import exit_on, settings_or_exit

# What takes long to import is imported when a command runs: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

app = typer.Typer(
    help="Check, import, export and count question packs (docs/question-packs.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class PackFormat(StrEnum):
    """How a pack is written."""

    YAML = "yaml"
    JSON = "json"


@app.command()
def lint(
    files: Annotated[list[Path] | None, typer.Argument(help="Packs to check; without any, all packs in force.")] = None,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="The exit code is 1 for warnings too.")] = False,
) -> None:
    """Name every fault of packs with file and line, and what could be better.

    The exit code is 1 when a file cannot be used as a pack. Warnings are about packs that can be used: what cannot be
    said aloud, key points that say the same or are too long, answers that are too short or too long, what has no
    hints, follow-ups or difficulties, and concepts that no question is about.
    """
    from agent.cli.packs.lint import lint as run

    raise typer.Exit(run(files or [], settings_or_exit(), strict=strict))


@app.command("import")
def import_(file: Annotated[Path, typer.Argument(help="A pack, as YAML or JSON.")]) -> None:
    """Add a pack to those that interviews can be about, or replace the one with its id.

    A copy is kept in the folder `packs` of the data folder, and its questions are embedded into the question bank. A
    pack with a fault is refused whole and changes nothing; a pack that is there already is left as it is.
    """
    from agent.cli.packs.importing import import_pack
    from agent.model_files.prepare import ModelError
    from agent.processes.stack import is_running
    from rag import BankError, EmbedderError

    settings = settings_or_exit()
    with exit_on(ModelError, EmbedderError, BankError, OSError):
        raise typer.Exit(import_pack(file, settings, lambda: is_running(settings)))


@app.command()
def export(
    pack_id: Annotated[str, typer.Argument(metavar="ID", help="The pack's id; 'viva packs' lists them.")],
    *,
    out: Annotated[Path | None, typer.Option(help="The file to write; without it standard output.")] = None,
    kind: Annotated[PackFormat, typer.Option("--format", help="yaml or json; both can be imported.")] = PackFormat.YAML,
) -> None:
    """Write a pack in force to a file, to change it or to hand it on."""
    from agent.cli.packs.show import export_pack

    settings = settings_or_exit()
    with exit_on(OSError):
        raise typer.Exit(export_pack(pack_id, out, kind.value, settings))


@app.command()
def stats(
    pack_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A pack, topic by topic; without it all packs.")
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Count questions by difficulty, key points, concepts, minutes, and words of model answers (least/middle/most)."""
    from agent.cli.packs.show import print_stats

    raise typer.Exit(print_stats(pack_id, settings_or_exit(), as_json=as_json))


@app.command()
def schema() -> None:
    """Print the JSON schema of a pack, which is published as docs/question-pack.schema.json."""
    from rag.packs.text import pack_schema

    sys.stdout.write(pack_schema())
