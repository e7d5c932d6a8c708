"""Commands of `viva profile`: their options and exit codes."""

from __future__ import annotations

from typing import Annotated

import typer

from agent.cli.errors import exit_on, settings_or_exit

# What takes long to import is imported when a command runs: --help and a mistyped option answer at once.
# ruff: noqa: PLC0415

app = typer.Typer(
    help="Read résumés, and see what is kept of people between interviews (docs/resume.md, docs/profiles.md).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Place = Annotated[
    str, typer.Argument(metavar="PATH|URL", help="A PDF, DOCX, Markdown or text file; a path, http(s):// or file://.")
]
WithModel = Annotated[
    bool, typer.Option("--model", help="Ask the language model of the settings first; rules where it fails.")
]
Who = Annotated[str, typer.Argument(metavar="NAME", help="The person's name or id, in any spelling.")]


@app.callback()
def profile() -> None:
    """Read résumés, and see what is kept of people between interviews (docs/resume.md, docs/profiles.md)."""


@app.command()
def read(
    place: Place,
    *,
    job: Annotated[bool, typer.Option("--job", help="It is a job description and not a résumé.")] = False,
    with_model: WithModel = False,
    text: Annotated[bool, typer.Option("--text", help="Print the text that was read, and extract nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Print what Viva reads in a résumé: experience, projects, education, skills. Nothing is kept.

    An address may only lead to the public internet. The exit code is 1 when the file cannot be used, and says why.
    """
    from agent.cli.profile.read import print_job, print_profile, print_text
    from agent.documents.document import DocumentError
    from agent.documents.fetching import read_from
    from agent.documents.reading import limits_of
    from agent.interviews.language_models import LanguageModelError

    settings = settings_or_exit()
    with exit_on(DocumentError, LanguageModelError):
        document = read_from(place, limits_of(settings))
        if text:
            print_text(document)
        elif job:
            print_job(document, as_json=as_json)
        else:
            print_profile(document, settings if with_model else None, as_json=as_json)


@app.command("import")
def import_(
    place: Place,
    *,
    name: Annotated[str, typer.Option(help="Whose it is; without it, as the résumé says.")] = "",
    with_model: WithModel = False,
) -> None:
    """Read a résumé, print what it says, and keep it in the person's profile.

    What they corrected in their profile stays. The exit code is 1 when the file cannot be used, and says why.
    """
    from agent.cli.profile.importing import NobodyError, import_profile
    from agent.documents.document import DocumentError
    from agent.documents.fetching import read_from
    from agent.documents.reading import limits_of
    from agent.interviews.language_models import LanguageModelError
    from rag.profiles.errors import ProfileError

    settings = settings_or_exit()
    with exit_on(DocumentError, LanguageModelError, NobodyError, ProfileError):
        import_profile(read_from(place, limits_of(settings)), name, settings, with_model=with_model)


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
