"""`python -m bench`: every measurement, one after the other. `python -m bench NAME …` runs some of them."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

BY_THEMSELVES = frozenset({"voice", "phone", "feedback"})
"""Measurements that take long and an idle machine, and what is there to be read: they run only by name, alone, and have
options."""

WITH_PARTS = frozenset({"judging"})
"""Measurements that run among the others, and of which parts can be named: `python -m bench judging --only met`."""

HELPERS = frozenset({"asked_questions", "reader_crowd", "scripted_chat"})
"""What measurements are made of: there is nothing to run in them."""


def main(arguments: Sequence[str]) -> int:
    """Run the measurements named on the command line, or all of them."""
    console = Console()
    there = measurements()
    has_options = len(arguments) > 1 and arguments[1].startswith("-")
    if arguments and (arguments[0] in BY_THEMSELVES or (arguments[0] in WITH_PARTS and has_options)):
        importlib.import_module(f"bench.{arguments[0]}").main(arguments[1:])
        return 0
    names = list(arguments) or [name for name in there if name not in BY_THEMSELVES]
    if unknown := [name for name in names if name not in there]:
        console.print(f"There is no measurement {unknown[0]!r}; there is: {', '.join(there)}.")
        return 2
    if alone := [name for name in names if name in BY_THEMSELVES]:
        console.print(f"The measurement {alone[0]!r} runs only by itself: python -m bench {alone[0]}")
        return 2
    for name in names:
        module = importlib.import_module(f"bench.{name}")
        console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}")
        if inspect.isawaitable(result := module.main()):
            asyncio.run(result)  # type: ignore[arg-type]
    return 0


def measurements() -> list[str]:
    """The names of all there are."""
    modules = (module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return sorted(name for name in modules if not name.startswith("_") and name not in HELPERS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
