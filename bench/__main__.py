"""`python -m bench`: every measurement, one after the other. `python -m bench NAME …` runs some of them."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import pkgutil
import sys
from pathlib import Path

from rich.console import Console


def main() -> int:
    """Run the measurements named on the command line, or all of them."""
    console = Console()
    there = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    names = sys.argv[1:] or [name for name in there if not name.startswith("_")]
    if unknown := [name for name in names if name not in there]:
        console.print(f"There is no measurement {unknown[0]!r}; there is: {', '.join(there)}.")
        return 2
    for name in names:
        module = importlib.import_module(f"bench.{name}")
        console.rule(f"{name}: {(module.__doc__ or '').splitlines()[0]}")
        if inspect.isawaitable(result := module.main()):
            asyncio.run(result)  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    sys.exit(main())
