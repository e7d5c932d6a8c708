"""`python -m bench`: what it finds to run."""

from __future__ import annotations

import ast
from pathlib import Path

import bench
from bench.__main__ import BY_THEMSELVES, HELPERS, measurements

FOLDER = Path(bench.__file__).parent


def _names(path: Path) -> set[str]:
    """What a module defines or takes in at its top."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        if isinstance(node, ast.ImportFrom):
            names |= {each.name for each in node.names}
    return names


def test_whatever_is_run_as_a_measurement_can_be_run() -> None:
    """Without a name all of them are, one after the other: one that is none would end the run."""
    for name in measurements():
        module = FOLDER / f"{name}.py"
        assert "main" in _names(module if module.exists() else FOLDER / name / "__init__.py"), name


def test_what_is_no_measurement_is_there() -> None:
    """A helper that was renamed would be run."""
    assert all((FOLDER / f"{name}.py").exists() for name in HELPERS)
    assert set(measurements()) >= BY_THEMSELVES
