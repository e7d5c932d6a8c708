"""Command-line errors: what is about the user's machine, files or words ends a command with a sentence and a code.

All other errors are Viva's own faults, and keep their traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from agent.settings import Settings, SettingsError, load_settings

FAILED = 1
WRONG_USE = 2


def sentence_of(error: Exception) -> str:
    """What to tell a user: the error's own words, or which file cannot be written."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename} cannot be written ({error.strerror})."
    return str(error)


@contextmanager
def exit_on(*expected: type[Exception], code: int = FAILED) -> Iterator[None]:
    """Print the sentence of an error of these kinds, and end the command with the code.

    Raises:
        typer.Exit: one of them happened.
    """
    try:
        yield
    except expected as error:
        sys.stderr.write(f"{sentence_of(error)}\n")
        raise typer.Exit(code) from None


def settings_or_exit() -> Settings:
    """The settings.

    Raises:
        typer.Exit: they cannot be used; why was printed.
    """
    with exit_on(SettingsError, code=WRONG_USE):
        return load_settings()
