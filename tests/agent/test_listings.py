"""`viva packs`: the list, and the check of a file."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from agent import cli
from rag.packs import PACKS_DIR, load_packs


def test_every_pack_is_listed() -> None:
    """Without a file the packs that interviews can be about are listed."""
    result = CliRunner().invoke(cli.app, ["packs"], env={"COLUMNS": "200"})

    assert result.exit_code == 0
    assert all(pack.id in result.stdout and pack.title in result.stdout for pack in load_packs().values())


def test_a_good_file_is_said_to_be_a_pack() -> None:
    """A pack that can be used is confirmed with what is in it."""
    path = min(PACKS_DIR.glob("*.yaml"))

    result = CliRunner().invoke(cli.app, ["packs", str(path)])

    assert result.exit_code == 0
    assert f"{path} is a pack" in result.stdout.replace("\n", "")


def test_a_broken_file_is_told_with_every_fault(tmp_path: Path) -> None:
    """A file that is no pack gives its faults and exit code 1."""
    path = tmp_path / "mine.yaml"
    path.write_text("id: Not A Slug\ntitle: x\n")

    result = CliRunner().invoke(cli.app, ["packs", str(path)])

    assert result.exit_code == 1
    assert "cannot be used as a pack" in result.stdout
    assert "id: " in result.stdout
    assert "questions: " in result.stdout
