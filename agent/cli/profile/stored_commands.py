"""Commands of `viva profile` on what is kept: their options and exit codes."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.cli.errors import exit_on, settings_or_exit

# What takes long to import is imported when a command runs: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

app = typer.Typer(
    help="What is kept of people between interviews (docs/profiles.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Who = Annotated[str, typer.Argument(metavar="NAME", help="The person's name or id, in any spelling.")]


@app.command("list")
def list_() -> None:
    """List everybody of whom something is kept."""
    from agent.cli.profile.stored import list_people
    from rag.profiles.errors import ProfileError

    with exit_on(ProfileError):
        raise typer.Exit(list_people(settings_or_exit()))


@app.command()
def show(
    name: Who, *, as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False
) -> None:
    """Print what is kept of a person: profile, means of their interviews, and the words that prove it."""
    from agent.cli.profile.stored import show_person
    from rag.profiles.errors import ProfileError, UnknownPersonError

    with exit_on(ProfileError, UnknownPersonError):
        raise typer.Exit(show_person(name, settings_or_exit(), as_json=as_json))


@app.command()
def delete(name: Who, *, sure: Annotated[bool, typer.Option("--yes", help="Do it.")] = False) -> None:
    """Delete a person: profile, vector, and all their interviews with recordings."""
    from agent.cli.profile.stored import delete as run
    from agent.interviews.person_deletion import StillRunningError
    from rag.profiles.errors import ProfileError, UnknownPersonError
    from review import RecordError

    with exit_on(ProfileError, UnknownPersonError, StillRunningError, RecordError):
        raise typer.Exit(run(name, settings_or_exit(), sure=sure))
